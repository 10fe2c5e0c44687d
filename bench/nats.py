#!/usr/bin/env python3
"""One problem, several processes, a real broker: `--join` on loopback.

    python3 bench/nats.py ALPHORN                       the test: 4 processes, one is killed, then the broker is
    python3 bench/nats.py ALPHORN --gain FILE... [--time 60] [--processes 4]

Starts `nats-server -js` (Debian: nats-server) on a port and with a folder of its own, with a user and a password. The test
asks that all processes come to the same answer and end by themselves; that one killed in the middle, and a broker killed in the
middle, change no answer; that a late process has the answer at once; that a process about another file, a wrong password
and a wrong line in the stream are refused or passed over. `--gain` compares one process with several that share its number of
processors. ALPHORN must be built with `--features cluster`. Where there is no nats-server it says so and ends with 0.
"""

import argparse
import json
import os
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
    def __init__(self, program):
        self.folder, self.port = tempfile.mkdtemp(), port()
        self.program, self.process = program, None
        self.start()

    def start(self):
        words = [self.program, "-js", "-a", "127.0.0.1", "-p", str(self.port), "-sd", self.folder,
                 "--user", USER, "--pass", PASSWORD]
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
    finally:
        broker.end()


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


def gain(alphorn, program, args):
    """One process with all processors against several with one each, by the clock."""
    broker = Broker(program)
    solved = [0, 0]
    try:
        print(f"{'one':>8} {str(args.processes):>8}  file")
        for number, file in enumerate(args.gain):
            begun = time.time()
            one = subprocess.run([alphorn, file, "--threads", str(args.processes), "--time", f"{args.time}s"],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            alone = time.time() - begun
            verdict = verdict_of(one.stdout) or "UNKNOWN"
            begun = time.time()
            all_of = [start(alphorn, broker, f"gain{number}", file, "--threads", "1", "--time", f"{args.time}s")
                      for _ in range(args.processes)]
            found = [ended(process, 3 * args.time + 60) for process in all_of]
            together = time.time() - begun
            verdicts = {one[0] for one in found} - {"UNKNOWN", ""}
            both = verdicts | ({verdict} - {"UNKNOWN"})
            if len(both) > 1:
                sys.exit(f"{file}: {both}")
            solved[0] += verdict != "UNKNOWN"
            solved[1] += bool(verdicts)
            show = lambda is_solved, seconds: f"{seconds:8.1f}" if is_solved else f"{'-':>8}"
            print(show(verdict != "UNKNOWN", alone), show(bool(verdicts), together),
                  "", os.path.basename(file), flush=True)
        print(f"solved by one process: {solved[0]}, by {args.processes} that share a run: {solved[1]}, of {len(args.gain)}")
    finally:
        broker.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("alphorn")
    parser.add_argument("--gain", nargs="+", metavar="FILE")
    parser.add_argument("--time", type=int, default=60)
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
