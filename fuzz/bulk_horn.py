#!/usr/bin/env python3
"""Random Horn systems in bulk: engines and transforms against each other and Z3.

    fuzz/bulk_horn.py [--count 50000] [--seed 0] [--batch 100] [--alphorn PATH] [--engine NAME,NAME] [--keep DIR]
                      [--loops | --calls | --acyclic | --words | --arrays | --data] [--program PATH]
                      [--sample PERCENT] [--ticks 20k] [--time 2s] [--set NAME=VALUE]… [--without NAME,NAME]

Systems are of Booleans and numbers, linear or not, with disjunctions in bodies, loops with several
counters among them; or loops over integers that closures are made for; or procedures with an error flag that call
each other, with recursion at the bottom; or without recursion, of the classes and theories of
bench/recursion_free.py; or of words, arrays or datatypes, written by the example random_horn of crates/chc (`cargo build --release -p alphorn-chc --example random_horn`). Each
batch is asked twice: with the default engines after a random subset of the transforms, and with one
engine by name after another subset. With --engine it is asked once for each of the engines named, alone. Z3 (its Python package) is asked about each system that has a
verdict, or about a sample of them. Every verdict of ours has evidence that was checked when it was given;
a refusal of evidence or a failure of an engine counts as an error, as do two different verdicts. Files
with errors are kept.
"""

import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
from harness import arguments  # noqa: E402
from recursion_free import KINDS, THEORIES, scattered  # noqa: E402
from random_horn import System  # noqa: E402

SORTS = [["Bool"], ["Int", "Int", "Bool"], ["Int"], ["Real", "Real", "Bool"], ["Int", "Real", "Bool"]]


class Numeric(System):
    """A system of Booleans and numbers."""

    def __init__(self, rng):
        super().__init__(rng)
        self.sorts = rng.choice(SORTS)
        self.datatypes = self.fixedpoint = False
        self.preds = [
            (f"P{k}", [rng.choice(self.sorts) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))])
            for k in range(rng.randint(1, 4))
        ]
        self.clauses = []
        if rng.random() < 0.3:
            self.loop()
        for k in range(rng.randint(2, 6)):
            self.clauses.append(self.clause(fact=k == 0 or rng.random() < 0.15, query=False))
        for _ in range(rng.choice([1, 1, 1, 2])):
            self.clauses.append(self.clause(fact=False, query=True))

    def loop(self):
        """Two counters with random steps and a random question: a loop as in programs."""
        rng = self.rng
        sort = rng.choice(["Int", "Real"])
        self.preds.append(("Loop", [sort, sort]))
        number = (lambda n: f"{n}.0" if n >= 0 else f"(- {-n}.0)") if sort == "Real" else (
            lambda n: str(n) if n >= 0 else f"(- {-n})")
        pick = lambda low, high: number(rng.randint(low, high))
        both = [("x", sort), ("y", sort)]
        guard = rng.choice([f"(< x {pick(1, 9)})", "(<= x y)", f"(< (+ x y) {pick(3, 12)})", "true"])
        ask = rng.choice([f"(> x {pick(0, 12)})", f"(= (+ x y) {pick(0, 9)})", "(< y x)",
                          f"(< (- x y) {pick(-5, 0)})"])
        self.clauses += [
            (both, f"(and (= x {pick(0, 2)}) (= y {pick(0, 2)}))", "(Loop x y)"),
            (both, f"(and (Loop x y) {guard})", f"(Loop (+ x {pick(0, 2)}) (+ y {pick(-1, 2)}))"),
            (both, f"(and (Loop x y) {ask})", None),
        ]


class Calls:
    """Procedures that return a number and whether they failed, each of which calls the next ones, and the last itself."""

    def __init__(self, rng):
        depth = rng.randint(3, 6)
        self.lines = ["(set-logic HORN)"]
        self.lines += [f"(declare-fun P{k} (Int Int Bool) Bool)" for k in range(depth + 1)]
        pick = lambda least, most: (lambda n: str(n) if n >= 0 else f"(- {-n})")(rng.randint(least, most))
        low, up = pick(-2, 2), pick(0, 3)
        last = f"P{depth}"
        self.rule("s", f"(> s {low})", f"({last} s (+ s {up}) false)")
        self.rule("s", f"(<= s {low})", f"({last} s s true)")
        step = rng.choice(["(- s 1)", "(- s 2)", "(+ s 1)"])
        self.rule("s t e", f"(and (> s {pick(3, 8)}) ({last} {step} t e))", f"({last} s t e)")
        for k in reversed(range(depth)):
            first, second = (f"P{rng.choice([k + 1, k + 1, min(k + 2, depth)])}" for _ in range(2))
            passed = rng.choice(["t", "(+ t 1)", "(- t 1)", "s"])
            self.rule("s t", f"({first} s t true)", f"(P{k} s t true)")
            self.rule("s t u e", f"(and ({first} s t false) ({second} {passed} u e))", f"(P{k} s u e)")
            if rng.random() < 0.3:
                self.rule("s", f"(= s {pick(-3, 3)})", f"(P{k} s s false)")
        self.rule("s t", f"(and (= s {pick(-2, 6)}) (P0 s t true))", "false")

    def rule(self, variables, body, head):
        sorts = " ".join(f"({v} {'Bool' if v == 'e' else 'Int'})" for v in variables.split())
        self.lines.append(f"(assert (forall ({sorts}) (=> {body} {head})))")

    def text(self):
        return "\n".join([*self.lines, "(check-sat)", ""])


class Acyclic:
    """A system without recursion: layers of predicates, over one of four theories."""

    def __init__(self, rng):
        kind = rng.choice([*KINDS, "general", "head-disjoint"])
        self.whole, *_ = scattered(kind, rng.choice(list(THEORIES)), rng.random())

    def text(self):
        return self.whole


def z3_answers(tasks, replies):
    """Answers texts until there are none; runs in a process of its own, because it may crash."""
    import z3
    for text in iter(tasks.get, None):
        try:
            solver = z3.SolverFor("HORN")
            solver.set("timeout", 300)
            solver.from_string(text)
            replies.put({"sat": "safe", "unsat": "unsafe"}.get(str(solver.check()), "unknown"))
        except z3.Z3Exception:
            replies.put("unknown")


class Peer:
    """Z3 in a process that is started again when it hangs or crashes."""

    def __init__(self):
        self.worker = None

    def start(self):
        self.tasks, self.replies = multiprocessing.Queue(), multiprocessing.Queue()
        self.worker = multiprocessing.Process(
            target=z3_answers, args=(self.tasks, self.replies), daemon=True)
        self.worker.start()

    def ask(self, text):
        if self.worker is None or not self.worker.is_alive():
            self.start()
        self.tasks.put(text)
        end = time.time() + 5
        while time.time() < end and self.worker.is_alive():
            try:
                return self.replies.get(timeout=0.5)
            except Exception:
                continue
        self.worker.kill()
        self.worker = None
        return "unknown"


class Bulk:
    def __init__(self, args):
        self.args, self.errors, self.peer = args, 0, Peer()
        self.rng = random.Random(args.seed)
        self.folder = args.keep or tempfile.mkdtemp(prefix="alphorn-bulk-")
        os.makedirs(self.folder, exist_ok=True)
        self.engines = self.names("engines", lambda line: line["works_on"] == "horn")
        self.transforms = self.names("transforms", lambda line: line["works_on"] == "horn")
        self.by_engine, self.faulty = {}, set()
        self.count = dict.fromkeys(
            ["systems", "safe", "unsafe", "unknown", "z3 agrees", "z3 unknown", "engines agree"], 0)

    def names(self, verb, wanted):
        done = subprocess.run([self.args.alphorn, verb, "--json"], capture_output=True, text=True)
        return [line["name"] for line in map(json.loads, done.stdout.splitlines()) if wanted(line)]

    def error(self, path, message):
        self.errors += 1
        self.faulty.add(path)
        print("ERROR", f"{path}: {message}", flush=True)

    def ask(self, paths, engine):
        """The verdict on each file, after a random subset of the transforms."""
        some = lambda share: [name for name in self.transforms if self.rng.random() < share]
        command = [self.args.alphorn, "--json", "--time", self.args.time, "--ticks", self.args.ticks]
        always = [name for name in self.args.without.split(",") if name]
        for option, names in (("--without", always + some(0.3)), ("--with", some(0.3))):
            command += [option, ",".join(names)] if names else []
        for setting in self.args.set:
            command += ["--set", setting]
        command += ["--engine", engine] if engine else []
        done = subprocess.run(command + paths, capture_output=True, text=True, errors="replace")
        verdicts = {}
        for line in map(json.loads, filter(lambda l: l.startswith("{"), done.stdout.splitlines())):
            if line["kind"] != "answer":
                continue
            verdicts[line["file"]] = line["verdict"]
            for attempt in line["attempts"]:
                if "fault of ours" in attempt["ended"]:
                    how = " ".join(command[1:])
                    self.error(line["file"], f"{how}: {attempt['engine']}: {attempt['ended'][:300]}")
        for path in paths:
            if path not in verdicts:
                self.error(path, f"no answer: {' '.join(command[1:])}: {done.stderr[-300:]}")
        return verdicts, " ".join(command[1:])

    def systems(self, seeds):
        """Writes the systems of the seeds; their texts by their paths."""
        paths = {seed: os.path.join(self.folder, f"{seed}.smt2") for seed in seeds}
        if self.args.theory:
            subprocess.run([self.args.program, str(seeds[0]), str(len(seeds)), self.folder, self.args.theory],
                           check=True)
            return {path: open(path).read() for path in paths.values()}
        texts = {}
        for seed, path in paths.items():
            rng = random.Random(seed)
            texts[path] = self.args.made(rng).text()
            with open(path, "w") as file:
                file.write(texts[path])
        return texts

    def fitting(self):
        """The engines that may know something about the theory."""
        unfit = {"words": {"folds", "automata", "induction", "cells", "cells-pairs", "cells-cegar"},
                 "arrays": {"folds", "automata", "induction", "bits-imc", "bits-sim"},
                 "data": {"cells", "cells-pairs", "cells-cegar", "bits-ic3", "bits-bmc", "bits-imc", "bits-sim",
                          "int-pdr", "int-duality", "ideal-pdr", "ideal-duality"}}
        return [name for name in self.engines if name not in unfit.get(self.args.theory, ())]

    def batch(self, seeds):
        texts = self.systems(seeds)
        paths = list(texts)
        if self.args.engine:
            asked = self.args.engine.split(",")
        else:
            asked = [None, self.rng.choice(self.fitting())]
        answers = [(engine, *self.ask(paths, engine)) for engine in asked]
        for path, text in texts.items():
            given = [(engine, verdicts.get(path, "unknown"), how) for engine, verdicts, how in answers]
            known = [row for row in given if row[1] != "unknown"]
            self.count["systems"] += 1
            self.count[known[0][1] if known else "unknown"] += 1
            for engine, verdict, how in known:
                self.by_engine[engine] = self.by_engine.get(engine, 0) + 1
                if verdict != known[0][1]:
                    self.error(path, f"{known[0][1]} with {known[0][2]}, {verdict} with {how}")
            self.count["engines agree"] += len(known) > 1 and len({row[1] for row in known}) == 1
            if known and self.rng.random() * 100 < self.args.sample:
                verdict, other = known[0][1], self.peer.ask(text)
                if other == "unknown":
                    self.count["z3 unknown"] += 1
                elif other == verdict:
                    self.count["z3 agrees"] += 1
                else:
                    self.error(path, f"{verdict}, z3 {other}")
            if path not in self.faulty:
                os.remove(path)


def main():
    parser = arguments(__doc__, 50000)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--ticks", default="20k")
    parser.add_argument("--time", default="2s", help="of the clock; longer on a busy machine, where ticks should end runs")
    parser.add_argument("--engine", help="ask only these, separated by commas, each alone")
    kinds = {
        "loops": (lambda rng: System(rng, loops=True), "loops over integers"),
        "calls": (Calls, "procedures that may fail deep below calls"),
        "acyclic": (Acyclic, "systems without recursion, of all classes, over four theories"),
    }
    parser.set_defaults(made=Numeric)
    for kind, (made, what) in kinds.items():
        parser.add_argument("--" + kind, dest="made", action="store_const", const=made, help=what)
    parser.add_argument("--set", action="append", default=[], help="a number for the program, NAME=VALUE")
    parser.add_argument("--without", default="", help="transforms that are never applied")
    parser.add_argument("--program", default="target/release/examples/random_horn")
    parser.add_argument("--sample", type=float, default=100)
    for theory in ("words", "arrays", "data"):
        parser.add_argument("--" + theory, dest="theory", action="store_const", const=theory)
    bulk = Bulk(parser.parse_args())
    end = bulk.args.seed + bulk.args.count
    for start in range(bulk.args.seed, end, bulk.args.batch):
        bulk.batch(range(start, min(start + bulk.args.batch, end)))
        if (start // bulk.args.batch) % 10 == 9:
            print(bulk.count, f"{bulk.errors} errors", flush=True)
    print(bulk.count, f"{bulk.errors} errors")
    print("decided by:", bulk.by_engine)
    return 1 if bulk.errors else 0


if __name__ == "__main__":
    sys.exit(main())
