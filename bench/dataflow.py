#!/usr/bin/env python3
"""States gone through by several processes on loopback: the same results, and no result without all of them.

    cargo build --release -p alphorn-cli --features dataflow
    python3 bench/dataflow.py target/release/alphorn

Each claim is a line with `ok` or `WRONG`; the exit code is 1 if one is wrong.
"""

import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Peterson's algorithm for n processes: mutual exclusion holds; without the test of the turn it does not.
PETERSON = """const N: %d;
type pid: 1..N; level: 0..N; place: enum {L0, L1, L2, L3, L4};
var P: array [pid] of place; Q: array [pid] of level; turn: array [level] of pid; at: array [pid] of level;
startstate begin
  for i: pid do P[i] := L0; Q[i] := 0; at[i] := 1; end;
  for j: level do turn[j] := 1; end;
end;
ruleset i: pid do
  rule P[i] = L0 ==> begin at[i] := 1; P[i] := L1; end;
  rule P[i] = L1 ==> begin Q[i] := at[i]; P[i] := L2; end;
  rule P[i] = L2 ==> begin turn[at[i]] := i; P[i] := L3; end;
  rule P[i] = L3 & (%s(forall k: pid do i != k -> Q[k] < at[i] end)) ==>
    begin at[i] := at[i] + 1; if at[i] < N then P[i] := L1; else P[i] := L4; end; end;
  rule P[i] = L4 ==> begin P[i] := L0; Q[i] := 0; at[i] := 1; end;
end;
invariant forall i: pid do forall j: pid do i = j | !(P[i] = L4 & P[j] = L4) end end;
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def start(alphorn, files, hosts, threads):
    """The processes, each with its file."""
    return [
        subprocess.Popen(
            [alphorn, "explore", str(file), "--threads", str(threads), "--hosts", str(hosts),
             "--process", str(number), "--time", "120s"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for number, file in enumerate(files)
    ]


def told(text):
    """Counts and verdicts, without times."""
    counts = re.search(r": (\d+ states of \d+ bytes, \d+ steps, depth \d+)", text)
    return (counts[1] if counts else None, re.findall(r"(bad \d+.*)", text))


def main():
    alphorn = sys.argv[1] if len(sys.argv) > 1 else "target/release/alphorn"
    wrong = 0

    def claim(what, holds, more=""):
        nonlocal wrong
        wrong += not holds
        print("ok   " if holds else "WRONG", what, "" if holds else more)

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        right, broken, large = folder / "right.m", folder / "broken.m", folder / "large.m"
        right.write_text(PETERSON % (4, "turn[at[i]] != i | "))
        broken.write_text(PETERSON % (3, "turn[at[i]] = i | "))
        large.write_text(PETERSON % (6, "turn[at[i]] != i | "))
        hosts = folder / "hosts"

        def run(files, threads=1):
            ports = free_ports(len(files))
            hosts.write_text("".join(f"127.0.0.1:{port}\n" for port in ports))
            return start(alphorn, files, hosts, threads)

        for name, file in (("a model that is right", right), ("one that is not", broken)):
            alone = subprocess.run([alphorn, "explore", str(file)], capture_output=True, text=True)
            for count, threads in ((1, 1), (2, 1), (4, 1), (2, 2)):
                processes = run([file] * count, threads)
                texts = [process.communicate()[0] for process in processes]
                claim(f"{name}: {count} processes of {threads} threads tell what one program tells",
                      told(texts[0]) == told(alone.stdout) and told(texts[0])[0],
                      f"{texts[0]} {alone.stdout}")
                claim(f"{name}: they end as it does", processes[0].returncode == alone.returncode,
                      f"{processes[0].returncode} {alone.returncode}")
        processes = run([large] * 3)
        time.sleep(2)
        processes[1].send_signal(signal.SIGKILL)
        texts = [process.communicate()[0] for process in processes]
        for number in (0, 2):
            claim(f"process {number} misses the one that was killed, and has no result",
                  "no result" in texts[number] and "states" not in texts[number]
                  and processes[number].returncode not in (0, 1), texts[number])
        processes = run([right, broken])
        texts = [process.communicate()[0] for process in processes]
        claim("processes about different files have no result",
              any("another file" in text for text in texts) and not any(told(text)[0] for text in texts),
              "\n".join(texts))
        lonely = run([right, right])
        lonely[1].kill()
        lonely[0].kill()
        missing = subprocess.run([alphorn, "explore", str(right), "--threads", "1", "--hosts", str(hosts),
                                  "--process", "0", "--time", "2s"], capture_output=True, text=True)
        claim("a process that waits for another in vain ends with its time, and has no result",
              missing.returncode == 2 and "states" not in missing.stdout, missing.stdout + missing.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
