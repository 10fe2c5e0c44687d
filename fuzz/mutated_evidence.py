#!/usr/bin/env python3
"""Evidence that was tampered with: the checker must refuse it, unless what it says is still true.

    fuzz/mutated_evidence.py [--count 200] [--seed 0] [--alphorn PATH] [--time 20s] [--keep DIR] FILE…

For each problem the evidence is written once, and mutated COUNT times: one number, operator, argument,
definition, law, proof step, table, or fact is changed, left out or exchanged. `alphorn check` must refuse
each mutant with a reason, and never fail. A mutant that is accepted although its definitions differ is
handed to Z3 (its program, and its Python package for derivations): the mutated model must be a model, the
mutated derivation a derivation. Mutants that change the proof alone are accepted where the proof is
still right; they are counted. A line per problem: mutants by what became of them, and some of the reasons.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import confirm  # noqa: E402
import evaluate  # noqa: E402
from evaluate import parse, show  # noqa: E402

INSTEAD = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "and": "or", "or": "and", "+": "-", "=": "distinct",
           "true": "false", "false": "true", "forall": "exists", "exists": "forall", "bvult": "bvule",
           "bvule": "bvult", "bvslt": "bvult", "bvadd": "bvsub", "bvand": "bvor", "bvor": "bvand",
           "store": "select", "select": "store", "farkas": "rup", "rup": "tautology", "tautology": "rup",
           "instantiate": "skolem", "skolem": "instantiate", "array": "tautology", "datatype": "tautology"}


def places(tree, at=()):
    yield at
    if isinstance(tree, list):
        for number, child in enumerate(tree):
            yield from places(child, at + (number,))


def find(tree, at):
    for number in at:
        tree = tree[number]
    return tree


def put(tree, at, value):
    """The tree with another value at a place; without the place if the value is None."""
    if len(at) == 1:
        return tree[:at[0]] + ([] if value is None else [value]) + tree[at[0] + 1:]
    return tree[:at[0]] + [put(tree[at[0]], at[1:], value)] + tree[at[0] + 1:]


class Mutator:
    """Random changes of evidence, each with a name."""

    def __init__(self, rng, tree):
        self.rng, self.tree = rng, tree
        self.all = [at for at in places(tree) if at]

    def where(self, wanted):
        found = [at for at in self.all if wanted(find(self.tree, at), at)]
        return self.rng.choice(found) if found else None

    def in_definition(self, at):
        command = self.tree[at[0]]
        return isinstance(command, list) and str(command[0]).startswith("define-fun")

    def constant(self):
        at = self.where(lambda leaf, at: isinstance(leaf, str) and re.fullmatch(r"\d+|\d+\.0|#b[01]+|#x[0-9a-f]+", leaf)
                        and (self.in_definition(at) or self.rng.random() < 0.3))
        if not at:
            return None
        leaf = find(self.tree, at)
        if leaf.startswith("#"):
            digit = self.rng.randrange(2, len(leaf))
            return put(self.tree, at, leaf[:digit] + ("0" if leaf[digit] != "0" else "1") + leaf[digit + 1:])
        whole = int(leaf.split(".")[0])
        other = max(0, whole + self.rng.choice([-1, 1, 2]))
        return put(self.tree, at, str(other) + leaf[len(str(whole)):] if "." in leaf else str(other))

    def operator(self):
        at = self.where(lambda leaf, at: isinstance(leaf, str) and leaf in INSTEAD
                        and (self.in_definition(at) or self.rng.random() < 0.3))
        return at and put(self.tree, at, INSTEAD[find(self.tree, at)])

    def swapped(self):
        at = self.where(lambda part, at: isinstance(part, list) and len(part) >= 3 and len(at) > 1)
        if not at:
            return None
        part = list(find(self.tree, at))
        one, two = self.rng.sample(range(1, len(part)), 2)
        part[one], part[two] = part[two], part[one]
        return put(self.tree, at, part)

    def dropped(self):
        at = self.where(lambda part, at: len(at) > 1 and at[-1] > 0)
        return at and put(self.tree, at, None)

    def without(self, word):
        """Evidence without a part that starts with a word: a law, a clause's proof, a step, a table."""
        def change():
            at = self.where(lambda part, at: isinstance(part, list) and word in part[:2])
            return at and put(self.tree, at, None)
        change.__name__ = f"without {word}"
        return change

    def renumbered(self):
        """Another premise, assertion, clause or fact."""
        heads = ("rup", "assert", "clause", "premises", "step", "atom", "cases", ":alphorn-law", "progression", "growth")
        at = self.where(lambda leaf, at: isinstance(leaf, str) and leaf.isdigit()
                        and str(find(self.tree, at[:-1])[0]) in heads)
        return at and put(self.tree, at, str(max(0, int(find(self.tree, at)) + self.rng.choice([-1, 1, 2]))))

    def negated(self):
        at = self.where(lambda leaf, at: isinstance(leaf, str) and leaf.startswith("@"))
        if not at:
            return None
        above = find(self.tree, at[:-1])
        if above[0] == "not":
            return put(self.tree, at[:-1], find(self.tree, at))
        return put(self.tree, at, ["not", find(self.tree, at)])

    def exchanged(self):
        """A part in the place of another."""
        inside = lambda part, at: len(at) > 1
        one, two = self.where(inside), self.where(inside)
        return one and put(self.tree, one, find(self.tree, two))

    def no_recursion(self):
        """A function that is not defined by structural recursion."""
        at = self.where(lambda part, at: isinstance(part, list) and len(at) > 3 and len(part) >= 2
                        and self.tree[at[0]][0] == "define-funs-rec" and isinstance(part[0], str)
                        and part[0] in [entry[0] for entry in self.tree[at[0]][1]])
        if not at:
            return None
        call = list(find(self.tree, at))
        name = call[0]
        param = next(entry[1][0][0] for entry in self.tree[at[0]][1] if entry[0] == name)
        call[1] = self.rng.choice([param, [name, call[1]]])
        return put(self.tree, at, call)

    def own_law(self):
        """A law that is an assertion in its own proof: the assertion of another number, cited for it."""
        at = self.where(lambda part, at: isinstance(part, list) and part[:1] == ["assert"]
                        and ":alphorn-law" in self.tree[at[0]])
        return at and put(self.tree, at, ["assert", str(self.rng.randrange(8))])

    def mutant(self):
        """A change that changes something: its name and the text."""
        changes = [self.constant, self.constant, self.operator, self.operator, self.swapped, self.dropped, self.renumbered,
                   self.negated, self.exchanged, self.no_recursion, self.own_law, self.without(":alphorn-law"),
                   self.without(":alphorn-proof"), self.without("step"), self.without(":alphorn-function")]
        if any(part[0] == "derivation" for part in self.tree):
            changes = [self.constant] * 6 + [self.renumbered] * 3 + [self.swapped, self.exchanged, self.dropped]
        before = show(self.tree)
        for _ in range(100):
            change = self.rng.choice(changes)
            made = change()
            if made and show(made) != before:
                return change.__name__, "\n".join(map(show, made)) + "\n"
        return None, None


PATIENCE = 120
DEFINING = ("define-fun", "define-funs-rec")


def definitions(tree):
    """What a model says, without why."""
    says = lambda part: part[0] in DEFINING or part[1:2] == [":alphorn-function"]
    certificates = [part[1:] for part in tree if part[0] == "certificate"]
    claims = [part for certificate in certificates for part in certificate if part[0] != "proof"]
    return claims + [part for part in tree if isinstance(part, list) and says(part)]


def is_derivation(problem, text, alphorn):
    """Whether Z3 finds that steps derive false; clauses are those that `alphorn convert` prints."""
    script = confirm.converted(problem, alphorn)
    try:
        return evaluate.replay(script, evaluate.numbered(text))
    except evaluate.z3.Z3Exception:
        return None


def is_invariant(problem, mutated, alphorn):
    """Whether Z3 finds that the obligations of a certificate hold."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([alphorn, "check", problem, mutated, "--export", folder], capture_output=True)
        ask = lambda name: subprocess.run(["z3", "-T:10", os.path.join(folder, name)], capture_output=True,
                                          text=True).stdout.strip()
        answers = set(map(ask, os.listdir(folder)))
    return False if "sat" in answers else True if answers == {"unsat"} else None


def is_true(problem, text, alphorn, mutated):
    """Whether Z3 finds that mutated evidence is right: True, False, or None if it cannot tell."""
    if "(certificate" in text:
        return is_invariant(problem, mutated, alphorn)
    if "(derivation" in text:
        return is_derivation(problem, text, alphorn)
    with open(problem, encoding="utf-8", errors="replace") as file:
        script = confirm.commands(file.read())
    tree = parse(text)
    model = [show(part) for part in tree if part[0] in DEFINING]
    if len(model) < len(definitions(tree)):
        return None
    prelude, asserts, missing = confirm.parts(script, model)
    if missing:
        return False
    with tempfile.TemporaryDirectory() as folder:
        answers = {confirm.asks(prelude, command, 3, folder)[0] for command in asserts}
    return False if "sat" in answers else True if answers == {"unsat"} else None


class Harness:
    def __init__(self, args):
        self.args, self.errors = args, 0
        self.folder = args.keep or tempfile.mkdtemp(prefix="alphorn-mutants-")
        os.makedirs(self.folder, exist_ok=True)

    def run(self, *command):
        return subprocess.run([self.args.alphorn, *command], capture_output=True, text=True,
                              errors="replace", timeout=PATIENCE)

    def error(self, message):
        self.errors += 1
        print("ERROR", message, flush=True)

    def problem(self, path):
        whole = os.path.join(self.folder, os.path.basename(path) + ".evidence")
        self.run("-q", path, "--time", self.args.time, "--evidence", whole, *self.args.option)
        if not os.path.exists(whole):
            print(f"{path}: no evidence")
            return
        text = open(whole).read()
        if self.run("check", path, whole).returncode != 0:
            return self.error(f"{path}: the evidence itself is refused")
        counts, reasons = collections.Counter(), collections.Counter()
        for number in range(self.args.count):
            rng = random.Random(f"{self.args.seed} {path} {number}")
            name, mutant = Mutator(rng, parse(text)).mutant()
            if not name:
                continue
            mutated = os.path.join(self.folder, f"{os.path.basename(path)}.{number}")
            with open(mutated, "w") as file:
                file.write(mutant)
            kept = self.errors
            fate, reason = self.judge(path, text, mutated, mutant, name)
            counts[fate] += 1
            reasons[name + ": " + reason] += fate.startswith("refused")
            if self.errors == kept:
                os.remove(mutated)
        print(f"{os.path.basename(path)}: {dict(counts)}", flush=True)
        for reason, times in reasons.most_common(self.args.reasons):
            print(f"    {times} × {reason}")

    def judge(self, path, text, mutated, mutant, name):
        """What became of a mutant, and why."""
        try:
            done = self.run("check", path, mutated)
        except subprocess.TimeoutExpired:
            self.error(f"{mutated} ({name}): the checker takes more than {PATIENCE} seconds")
            return "failure", "time"
        said = (done.stdout + done.stderr).strip()
        if done.returncode in (4, 6):
            lines = [line.strip() for line in said.splitlines()]
            if not said or "panicked" in said:
                self.error(f"{mutated} ({name}): refused without a reason: {said[:300]}")
            reason = next((line for line in lines if "error" in line or "refused" in line), lines[0])
            return ("refused" if done.returncode == 6 else "refused as unreadable"), reason[:160]
        if done.returncode != 0:
            self.error(f"{mutated} ({name}): exit {done.returncode}: {said[:300]}")
            return "failure", said
        if "(derivation" not in text and definitions(parse(text)) == definitions(parse(mutant)):
            return "accepted, another proof", ""
        known = is_true(path, mutant, self.args.alphorn, mutated)
        if known is False:
            self.error(f"{mutated} ({name}): accepted, but Z3 says it is wrong")
        return {True: "accepted, true", False: "wrong", None: "accepted, Z3 cannot tell"}[known], ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--time", default="20s")
    parser.add_argument("--reasons", type=int, default=3)
    parser.add_argument("--option", action="append", default=[], help="handed to alphorn as it is")
    parser.add_argument("--keep")
    harness = Harness(parser.parse_args())
    for path in harness.args.files:
        harness.problem(path)
    print(f"{harness.errors} errors")
    return 1 if harness.errors else 0


if __name__ == "__main__":
    sys.exit(main())
