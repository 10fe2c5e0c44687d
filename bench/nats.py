#!/usr/bin/env python3
"""One problem, several processes, a real broker: `--join` on loopback.

    python3 bench/nats.py ALPHORN                       the test: 4 processes, one is killed, then the broker is
    python3 bench/nats.py ALPHORN --gain FILE... [--cpu 60] [--each 60] [--processes 4] [--max 10]

Starts `nats-server -js` (Debian: nats-server) on a port and with a folder of its own, with a user and a password. The test
asks that all processes come to the same answer and end by themselves; that one killed in the middle, and a broker killed in the
middle, change no answer; that a late process has the answer at once; that a process about another file, a wrong password
and a wrong line in the stream are refused or passed over; that lemmas which somebody tells are in the invariant that another finds; and
that limits of size and rate hold. `--gain` asks one process about each file, with one thread and so many seconds of CPU, and those that
it does not solve (as many as `--max`) several that share a run, with as much CPU each, as on so many machines with one processor,
or with `--each` seconds.
ALPHORN must be built with `--features cluster`; where it is built with `--features tls`, and openssl is there to make certificates, also
brokers with TLS are tried. Where there is no nats-server it says so and ends with 0.
"""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
USER, PASSWORD = "alphorn", "secret-of-a-test"


def port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Broker:
    def __init__(self, program, *options):
        self.folder, self.port = tempfile.mkdtemp(), port()
        self.program, self.process, self.options, self.wire = program, None, options, None
        self.start()

    def start(self):
        words = [self.program, "-js", "-a", "127.0.0.1", "-p", str(self.port), "-sd", self.folder,
                 "--user", USER, "--pass", PASSWORD, *self.options]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("the broker does not start")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def say(self, run, payload):
        """Puts a line of somebody else into a run."""
        with socket.create_connection(("127.0.0.1", self.port), 2) as wire:
            wire.recv(65536)
            hello = json.dumps({"verbose": False, "user": USER, "pass": PASSWORD})
            wire.sendall(f"CONNECT {hello}\r\nPUB alphorn.{run} {len(payload)}\r\n".encode() + payload + b"\r\nPING\r\n")
            time.sleep(0.2)


    def put(self, run, payload):
        """Puts many lines into a run, over one connection; without a run it is closed."""
        if self.wire is None:
            self.wire = socket.create_connection(("127.0.0.1", self.port), 10)
            self.wire.recv(65536)
            hello = json.dumps({"verbose": False, "user": USER, "pass": PASSWORD})
            self.wire.sendall(f"CONNECT {hello}\r\n".encode())
        if run is None:
            self.wire.sendall(b"PING\r\n")
            time.sleep(0.5)
            self.wire.close()
            self.wire = None
        else:
            self.wire.sendall(f"PUB alphorn.{run} {len(payload)}\r\n".encode() + payload + b"\r\n")


def start(alphorn, broker, run, file, *options, password=PASSWORD):
    environment = dict(os.environ, ALPHORN_NATS_USER=USER, ALPHORN_NATS_PASSWORD=password)
    words = [alphorn, file, "--join", f"nats://127.0.0.1:{broker.port}", "--run", run, *options]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def ended(process, patience=120):
    out, err = process.communicate(timeout=patience)
    return verdict_of(out), process.returncode, out + err


def joined(process):
    """Waits until a process says that it has joined."""
    for line in process.stderr:
        if "joined" in line:
            return


def verdict_of(out):
    """What a run says, in a word."""
    return next((word for word in out.split() if word in ("SAFE", "UNSAFE", "UNKNOWN")), "")


def claim(what, holds, said=""):
    print(("ok    " if holds else "WRONG ") + what, flush=True)
    if not holds:
        sys.exit(said)


def test(alphorn, program):
    broker = Broker(program)
    try:
        example = os.path.join(ROOT, "examples", "arbiter.aag")
        all_of = [start(alphorn, broker, "four", example, "--threads", "1") for _ in range(4)]
        found = [ended(process) for process in all_of]
        claim("4 processes have one answer", {one[:2] for one in found} == {("SAFE", 0)}, str(found))

        # Work that goes on when the first is killed, which is at once after it has joined.
        slow = os.path.join(broker.folder, "slow.smt2")
        with open(slow, "w") as text:
            text.write(SLOW)
        options = ("--threads", "1", "--time", "10m", "--engine", "bmc")
        before = time.time()
        all_of = [start(alphorn, broker, "killed", slow, *options) for _ in range(4)]
        joined(all_of[0])
        all_of[0].kill()
        gone = all_of[0].communicate()[0]
        claim("one of 4 is killed in the middle", all_of[0].returncode == -signal.SIGKILL and not gone, gone)
        found = [ended(process, 600) for process in all_of[1:]]
        claim(f"the others answer ({time.time() - before:.1f} s)",
              {one[:2] for one in found} == {("UNSAFE", 1)}, str(found))

        late = time.time()
        found = ended(start(alphorn, broker, "killed", slow, *options))
        claim(f"a late process has the answer ({time.time() - late:.2f} s)", found[:2] == ("UNSAFE", 1), str(found))

        all_of = [start(alphorn, broker, "broker", slow, *options) for _ in range(2)]
        list(map(joined, all_of))
        broker.kill()
        found = [ended(process, 600) for process in all_of]
        claim("the broker is killed, both answer", {one[:2] for one in found} == {("UNSAFE", 1)}, str(found))
        found = ended(start(alphorn, broker, "none", example))
        claim("without a broker a process works alone", found[:2] == ("SAFE", 0) and "alone" in found[2], str(found))

        broker.start()
        found = ended(start(alphorn, broker, "four", os.path.join(ROOT, "examples", "lock.aag")))
        claim("another file is refused", found[1] == 3 and "another file" in found[2], str(found))
        found = ended(start(alphorn, broker, "four", example, password="wrong"))
        claim("a wrong password is refused", found[1] == 3 and "refuses" in found[2], str(found))
        claim("no secret is said", PASSWORD not in found[2] and "wrong" not in found[2].split("refuses")[0], str(found))

        # Lies: an answer that is none, lemmas that do not hold, and what is no line.
        head = {"alphorn": 1, "problem": "sha256:" + digest(slow), "file": "x", "version": "0.1.0"}
        for line in (head,
                     {"answer": "safe", "property": "horn", "by": "liar", "evidence": "(model)"},
                     {"lemma": "p", "params": ["x", "y"], "formula": "false", "by": "liar", "holds": "always"}):
            broker.say("lies2", json.dumps({"from": "liar", "line": line}).encode())
        run = start(alphorn, broker, "lies2", slow, *options)
        joined(run)
        for line in ({"answer": "safe", "property": "horn", "by": "liar", "evidence": "(model)"},
                     {"lemma": "p", "params": ["x", "y"], "formula": "false", "by": "liar", "holds": "always"}):
            broker.say("lies2", json.dumps({"from": "liar", "line": line}).encode())
        broker.say("lies2", b"no line \xff{")
        found = ended(run, 600)
        claim("lies change no answer", found[:2] == ("UNSAFE", 1), str(found))
        lemmas_cross(alphorn, broker)
        limits_hold(alphorn, broker)
        tls_holds(alphorn, program)
    finally:
        broker.end()


def tls_holds(alphorn, program):
    """A broker with TLS is joined if its certificate is right for its name, and no secret is told to another."""
    if shutil.which("openssl") is None:
        print("skipped: there is no openssl to make certificates")
        return
    folder = tempfile.mkdtemp()
    place = lambda name: os.path.join(folder, name)
    run = lambda *words: subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for name in ("ca", "other"):
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", f"/CN={name}", "-keyout", place(f"{name}.key"), "-out", place(f"{name}.pem"))
    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
        "-keyout", place("server.key"), "-out", place("server.csr"))
    with open(place("names"), "w") as text:
        text.write("subjectAltName=IP:127.0.0.1\n")
    run("openssl", "x509", "-req", "-in", place("server.csr"), "-CA", place("ca.pem"), "-CAkey", place("ca.key"),
        "-CAcreateserial", "-days", "2", "-extfile", place("names"), "-out", place("server.pem"))
    broker = Broker(program, "--tls", "--tlscert", place("server.pem"), "--tlskey", place("server.key"))
    plain = Broker(program)
    try:
        def ask(to, authority, scheme="tls"):
            environment = dict(os.environ, ALPHORN_NATS_USER=USER, ALPHORN_NATS_PASSWORD=PASSWORD, ALPHORN_NATS_CA=place(authority))
            words = [alphorn, os.path.join(ROOT, "examples", "arbiter.aag"), "--join", f"{scheme}://127.0.0.1:{to.port}", "--run", "tls"]
            return ended(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment))

        found = ask(broker, "ca.pem")
        if "built without it" in found[2]:
            claim("a broker that wants TLS is refused by a program without it", found[1] == 3, str(found))
            return
        claim("a broker with TLS is joined", found[:2] == ("SAFE", 0) and "joined as number 1" in found[2], str(found))
        found = ask(broker, "ca.pem", "nats")
        claim("a broker that wants TLS has it, whatever the address says", "joined as number 2" in found[2], str(found))
        found = ask(broker, "other.pem")
        claim("a certificate of another authority is refused", found[1] == 3 and "no TLS" in found[2], str(found))
        found = ask(plain, "ca.pem")
        claim("a broker without TLS is refused where the address asks for it", found[1] == 3 and "no TLS" in found[2], str(found))
    finally:
        broker.end()
        plain.end()
        shutil.rmtree(folder, ignore_errors=True)


def lemmas_cross(alphorn, broker):
    """What one process learned, without its answer, is in the invariant of another."""
    file = os.path.join(ROOT, "examples", "bounded_counter.smt2")
    journal = os.path.join(broker.folder, "journal")
    subprocess.run([alphorn, file, "--engine", "pdr", "--journal", journal, "-q"], stdout=subprocess.DEVNULL)
    with open(journal) as text:
        lines = [json.loads(line) for line in text]
    told = [line for line in lines if "lemma" in line or "alphorn" in line]
    # Somebody has begun the run, and is gone.
    ended(start(alphorn, broker, "crossing", file, "--engine", "bmc", "--ticks", "1"))
    for line in told:
        broker.say("crossing", json.dumps({"from": "somebody", "line": line}).encode())
    found = ended(start(alphorn, broker, "crossing", file, "--threads", "1"))
    counts = crossed(found[2])
    claim(f"{counts[1]} of {counts[0]} lemmas of another are in the invariant",
          found[0] == "SAFE" and counts[0] >= 1 and counts[1] >= 1, str(found) + str(told))


def crossed(said):
    """How many lemmas were heard, and how many are in the invariant, by what a process says."""
    found = re.search(r"lemmas heard from others: (\d+), in the invariant found here: (\d+)", said)
    return tuple(map(int, found.groups())) if found else (0, 0)


def limits_hold(alphorn, broker):
    """A line that the server does not take is not told, and said; floods are taken in, and change nothing."""
    file = os.path.join(ROOT, "examples", "bounded_counter.smt2")
    config = os.path.join(broker.folder, "small.conf")
    with open(config, "w") as text:
        text.write("max_payload: 300\n")
    small = Broker(broker.program, "-c", config)
    try:
        found = ended(start(alphorn, small, "small", file, "--threads", "1"))
        claim("a line that is too long for the broker is not told, and the answer comes",
              found[0] == "SAFE" and "not told" in found[2], str(found))
    finally:
        small.end()
    ended(start(alphorn, broker, "flood", file, "--engine", "bmc", "--ticks", "1"))
    lemma = {"lemma": "counter", "params": ["a"], "formula": "(<= a 0)", "by": "flood", "holds": "always"}
    for number in range(3000):
        lemma["formula"] = f"(<= a {11 + number})"
        broker.put("flood", json.dumps({"from": "flood", "line": lemma}).encode())
    broker.put(None, b"")
    found = ended(start(alphorn, broker, "flood", file, "--threads", "1"))
    claim("3000 lines of another change no answer", found[:2] == ("SAFE", 0), str(found))


def digest(file):
    import hashlib
    with open(file, "rb") as text:
        return hashlib.sha256(text.read()).hexdigest()


# A sum that a search by depth comes to after some steps.
SLOW = """(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y) (>= z 0) (<= z 2)) (p (+ x z) (+ y (ite (> z 1) 3 z))))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 18) (= y 24)) false)))
(check-sat)
"""


def used(process):
    """Seconds of CPU of a process that runs."""
    try:
        with open(f"/proc/{process.pid}/stat") as stat:
            words = stat.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def within(processes, cpu):
    """Waits for processes, each of which is asked to end after so many seconds of CPU; what they say, and the most CPU of one."""
    most = 0.0
    while any(process.poll() is None for process in processes):
        for process in processes:
            if process.poll() is None:
                most = max(most, used(process))
                if used(process) >= cpu:
                    process.send_signal(signal.SIGTERM)
        time.sleep(0.05)
    return [process.communicate() for process in processes], most


def gain(alphorn, program, args):
    """One process, and several that share a run, with one thread and as much CPU each."""
    broker = Broker(program)
    asked = solved = heard_by_all = used_by_all = 0
    try:
        print(f"{'one':>8} {str(args.processes):>8} {'heard':>7} {'used':>5}  file")
        for number, file in enumerate(args.gain):
            if asked >= args.max:
                break
            limits = ["--threads", "1", "--time", f"{100 * args.cpu}s"]
            one = subprocess.Popen([alphorn, file, *limits], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            [(out, _)], _ = within([one], args.cpu)
            if verdict_of(out) in ("SAFE", "UNSAFE"):
                continue
            asked += 1
            all_of = [start(alphorn, broker, f"gain{number}", file, *limits) for _ in range(args.processes)]
            said, most = within(all_of, args.each or args.cpu)
            verdicts = {verdict_of(out) for out, _ in said} - {"UNKNOWN", ""}
            if len(verdicts) > 1:
                sys.exit(f"{file}: {verdicts}")
            counts = [crossed(out + err) for out, err in said]
            heard, kept = sum(count[0] for count in counts), sum(count[1] for count in counts)
            heard_by_all, used_by_all = heard_by_all + heard, used_by_all + kept
            solved += bool(verdicts)
            time_of = f"{most:8.1f}" if verdicts else f"{'-':>8}"
            print(f"{'-':>8} {time_of} {heard:7} {kept:5}  {' '.join(verdicts) or '-'} {os.path.basename(file)}", flush=True)
        print(f"of {asked} files that one process does not solve in {args.cpu} s of CPU {args.processes} with {args.each or args.cpu} s each solve "
              f"{solved}; lemmas heard {heard_by_all}, in invariants found {used_by_all}")
    finally:
        broker.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("alphorn")
    parser.add_argument("--gain", nargs="+", metavar="FILE")
    parser.add_argument("--cpu", type=int, default=60)
    parser.add_argument("--each", type=int)
    parser.add_argument("--max", type=int, default=10)
    parser.add_argument("--processes", type=int, default=4)
    args = parser.parse_args()
    program = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if program is None:
        print("skipped: nats-server is not installed")
        return
    alphorn = os.path.abspath(args.alphorn)
    if "--join" not in subprocess.run([alphorn, "--help"], stdout=subprocess.PIPE, text=True).stdout:
        sys.exit("this program was built without `--features cluster`")
    if args.gain:
        gain(alphorn, program, args)
    else:
        test(alphorn, program)


if __name__ == "__main__":
    main()
