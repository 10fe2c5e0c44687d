#!/bin/sh
# A batch on Slurm itself: one node on loopback, with a folder of its own, gone when the script ends.
#
#     bench/slurm.sh target/release/alphorn
#
# Starts munged, slurmctld and slurmd (Debian: munge slurmctld slurmd slurm-client), submits the script that
# `alphorn batch --slurm` prints as an array of two tasks for the shipped examples, waits, and asks that every file
# has one record. Then the same with GNU parallel, where that is installed. Says so and ends with 0 where Slurm is not.
set -eu
alphorn=$(realpath "$1")
examples=$(realpath "$(dirname "$0")/../examples")
PATH=$PATH:/usr/sbin:/sbin
for need in munged slurmctld slurmd sbatch squeue; do
    command -v "$need" > /dev/null || { echo "skipped: $need is not installed"; exit 0; }
done
folder=$(mktemp -d)
pids=
end() {
    status=$?
    for pid in $pids; do kill "$pid" 2> /dev/null || true; done
    [ "$status" = 0 ] || tail -n 15 "$folder"/*.log "$folder"/jobs/*.out 2> /dev/null || true
    # Daemons that end may still write.
    rm -rf "$folder" 2> /dev/null || { sleep 1; rm -rf "$folder"; }
    exit "$status"
}
trap end EXIT
trap 'exit 1' INT TERM
chmod 755 "$folder"
mkdir "$folder/bin"
ln -s "$alphorn" "$folder/bin/alphorn"
PATH=$folder/bin:$PATH
mkdir -m 755 "$folder/munge" "$folder/state" "$folder/spool" "$folder/jobs"
dd if=/dev/urandom of="$folder/munge/key" bs=128 count=1 2> /dev/null
chmod 400 "$folder/munge/key"
host=$(hostname -s)
cat > "$folder/slurm.conf" << CONF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_res
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
CONF
export SLURM_CONF="$folder/slurm.conf"
munged --foreground --force --key-file "$folder/munge/key" --socket "$folder/munge/socket" \
    --pid-file "$folder/munge/pid" --seed-file "$folder/munge/seed" --log-file "$folder/munge.log" \
    > "$folder/munged.log" 2>&1 &
pids="$pids $!"
waits() {
    for _ in $(seq 300); do "$@" > /dev/null 2>&1 && return 0; sleep 0.2; done
    echo "gave up waiting for: $*" >&2
    return 1
}
waits test -S "$folder/munge/socket"
slurmctld -D > "$folder/slurmctld.log" 2>&1 &
pids="$pids $!"
slurmd -D -N "$host" > "$folder/slurmd.log" 2>&1 &
pids="$pids $!"
idle() { sinfo -h -o %T | grep -q idle; }
waits idle

cd "$folder/jobs"
ls "$examples"/*.smt2 "$examples"/*.btor2 "$examples"/*.aag 2> /dev/null > list
count=$(wc -l < list)
began=$(date +%s)
"$alphorn" batch list --out results --time 20s --threads 1 --jobs 2 --memory 400MB --slurm > job.sh
sbatch -Q job.sh
done_all() { [ -z "$(squeue -h)" ] && [ "$(find results -name '*.json' | wc -l)" = "$count" ]; }
waits done_all
echo "Slurm: $count files in an array of 2, $(($(date +%s) - began)) s"
"$alphorn" table results
# Nothing is left to do for whoever comes later.
"$alphorn" batch list --out results --time 20s --threads 1 --memory 400MB
records=$(find results -name '*.json' | wc -l)
[ "$records" = "$count" ] || { echo "there are $records records for $count files"; exit 1; }

if command -v parallel > /dev/null; then
    began=$(date +%s)
    parallel -N0 --will-cite "$alphorn" batch list --out again --time 20s --threads 1 ::: 1 2 3 || [ $? -le 3 ]
    "$alphorn" batch list --out again --time 20s --threads 1
    records=$(find again -name '*.json' | wc -l)
    [ "$records" = "$count" ] || { echo "parallel: there are $records records for $count files"; exit 1; }
    echo "GNU parallel: $count files by 3 at once, $(($(date +%s) - began)) s"
fi
