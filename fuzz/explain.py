#!/usr/bin/env python3
"""Explanations of counterexamples of random circuits and Horn clauses, against trying all changes.

    fuzz/explain.py [--count 1000] [--seed 0] [--alphorn PATH] [--mutants 3] [--keep DIR]

A random circuit (`parameters.py`) with a violation: a shortest run to it is written as a witness. The smallest
sets of flips that `alphorn explain` lists must be those that trying all sets of one and two flips gives, and
`alphorn check` must accept the evidence. Then the evidence is mutated: one number, bit or line is changed or left
out. A mutant that is accepted must still be true, by trying all sets. Then a latch is flipped in a longer
random run: the roots of the observation must be the latches that give it when each is tried.

Random Horn clauses over words of two bits: the choices of the derivation that `alphorn explain` lists must be those
for which some other value leaves no derivation by the same clauses from the same premises, when each is tried;
if there is none, listed pairs must avoid it. Evidence is checked and mutated likewise.
"""

import itertools
import json
import math
import os
import random
import re
import sys
from collections import deque

from harness import Harness, arguments
from parameters import Circuit


def shortest(circuit):
    """The first state and the inputs of a shortest violation, if there is one."""
    waiting = deque((start, start, ()) for start in circuit.starts({}))
    seen = {state for state, _, _ in waiting}
    while waiting:
        state, start, rows = waiting.popleft()
        for given in itertools.product([0, 1], repeat=circuit.inputs):
            counts, bad, after = circuit.step(state, given)
            if counts and bad:
                return start, [*rows, given]
            if counts and after not in seen and len(rows) < 7:
                seen.add(after)
                waiting.append((after, start, (*rows, given)))
    return None


def avoids(circuit, start, rows, flips):
    state = list(start)
    for step, row in enumerate(rows):
        given = list(row)
        for at, var in flips:
            if at == step:
                if var < circuit.inputs:
                    given[var] ^= 1
                else:
                    state[var - circuit.inputs] ^= 1
        counts, bad, after = circuit.step(state, given)
        if bad or not counts:
            return False
        state = list(after)
    return True


# Terms of Horn clauses over words of two bits: how they are written, and what they are.
TERMS = {
    "(bvxor {0} #b10)": lambda a, b: a ^ 2,
    "(bvadd {0} {1})": lambda a, b: a + b & 3,
    "(bvand {0} {1})": lambda a, b: a & b,
    "(bvor {0} #b01)": lambda a, b: a | 1,
    "(bvnot {0})": lambda a, b: ~a & 3,
    "(bvmul {0} {1})": lambda a, b: a * b & 3,
}
TESTS = {
    "(bvult {0} {1})": lambda a, b: a < b,
    "(bvule {0} {1})": lambda a, b: a <= b,
    "(not (= {0} {1}))": lambda a, b: a != b,
    "(or (bvult {0} #b10) (= {1} #b11))": lambda a, b: a < 2 or b == 3,
    "(bvuge {0} #b01)": lambda a, b: a >= 1,
}


class Clauses:
    """Random clauses; a clause has variables by number: those of atoms, choices, and what equations define."""

    def __init__(self, rng):
        self.arity = [rng.randint(1, 2) for _ in range(rng.randint(1, 3))]
        self.list = []
        for pred in range(len(self.arity)):
            self.list.append(self.clause(rng, [], pred))
        for _ in range(rng.randint(1, 3)):
            body = [rng.randrange(len(self.arity)) for _ in range(rng.choice([1, 1, 2]))]
            self.list.append(self.clause(rng, body, rng.randrange(len(self.arity))))
        body = [rng.randrange(len(self.arity)) for _ in range(rng.choice([1, 1, 2]))]
        self.list.append(self.clause(rng, body, None))

    def clause(self, rng, body, head):
        atoms, count = [], 0
        for pred in body:
            atoms.append((pred, list(range(count, count + self.arity[pred]))))
            count += self.arity[pred]
        choices = list(range(count, count + rng.randint(0 if body else 1, 2)))
        count += len(choices)
        defined = []
        for _ in range(rng.randint(0, 1)):
            # Of two variables, so that no term is one of them.
            if count > 1:
                defined.append((count, rng.choice(list(TERMS)), *rng.sample(range(count), 2)))
                count += 1
        tests = []
        for _ in range(rng.randint(0, 2)):
            # Of one variable a test may be false, and clauses whose bodies are false have no number.
            if count > 1:
                tests.append((rng.choice(list(TESTS)), *rng.sample(range(count), 2)))
        # A clause that says nothing has no number either.
        args = [rng.randrange(count) for _ in range(self.arity[head])] if head is not None else []
        if head is not None and (head, args) in atoms:
            return self.clause(rng, body, head)
        head = None if head is None else (head, args)
        return {"atoms": atoms, "choices": choices, "defined": defined, "tests": tests,
                "head": head, "count": count}

    def text(self):
        out = ["(set-logic HORN)"]
        for pred, arity in enumerate(self.arity):
            out.append(f"(declare-fun p{pred} ({' '.join(['(_ BitVec 2)'] * arity)}) Bool)")
        for clause in self.list:
            names = [f"v{at}" for at in range(clause["count"])]
            atom = lambda pred, args: f"(p{pred} {' '.join(names[at] for at in args)})"
            body = [atom(*one) for one in clause["atoms"]]
            body += [f"(= {names[at]} {term.format(names[a], names[b])})" for at, term, a, b in clause["defined"]]
            body += [test.format(names[a], names[b]) for test, a, b in clause["tests"]]
            head = "false" if clause["head"] is None else atom(*clause["head"])
            said = f"(=> (and true {' '.join(body)}) {head})"
            bound = " ".join(f"({name} (_ BitVec 2))" for name in names)
            out.append(f"(assert (forall ({bound}) {said}))" if names else f"(assert {said})")
        return "\n".join([*out, "(check-sat)"]) + "\n"

    def instances(self, clause, facts, fixed):
        """The values of a clause's variables that its body allows, of those that have the fixed ones."""
        for values in itertools.product(range(4), repeat=clause["count"]):
            if any(values[at] != value for at, value in fixed.items()):
                continue
            if (all((pred, tuple(values[at] for at in args)) in facts for pred, args in clause["atoms"])
                    and all(values[at] == TERMS[term](values[a], values[b])
                            for at, term, a, b in clause["defined"])
                    and all(TESTS[test](values[a], values[b]) for test, a, b in clause["tests"])):
                yield values

    def derives(self, steps, chosen):
        """Whether steps (a clause and premises each) go through where choices have these values."""
        def go(at, facts):
            if at == len(steps):
                return True
            number, premises = steps[at]
            clause = self.list[number]
            known = {facts[premise] for premise in premises}
            fixed = {var: chosen[at, var] for var in clause["choices"]}
            for values in self.instances(clause, known, fixed):
                head = clause["head"]
                fact = None if head is None else (head[0], tuple(values[at] for at in head[1]))
                if go(at + 1, [*facts, fact]):
                    return True
            return False
        return go(0, [])


STEP = re.compile(r"\(step \d+ \(clause (\d+)\) \(values([^)]*)\) \(premises([^)]*)\)\)")


class Explain(Harness):
    def name(self, circuit, var):
        if var < circuit.inputs:
            return f"i{var}"
        latch = var - circuit.inputs
        return f"param_{latch}" if latch in circuit.params else f"l{latch}"

    def one(self, seed):
        rng = random.Random(seed)
        circuit = Circuit(rng)
        found = shortest(circuit)
        path = os.path.join(self.folder, f"{seed}.aag")
        with open(path, "w") as file:
            file.write(circuit.text())
        if found:
            self.run_of(rng, circuit, path, *found)
        self.observation(rng, circuit, path)
        if not self.args.keep:
            os.unlink(path)
        self.horn(rng, seed)

    def horn(self, rng, seed):
        clauses = Clauses(rng)
        path = os.path.join(self.folder, f"{seed}.smt2")
        with open(path, "w") as file:
            file.write(clauses.text())
        witness, evidence = path + ".derivation", path + ".explained"
        done = self.run(path, "--evidence", witness, "--ticks", "2000000")
        if done.returncode == 1:
            with open(witness) as file:
                text = file.read()
            if text.startswith("(derivation") and "(progression" not in text:
                self.derivation(rng, clauses, path, witness, evidence, text)
            else:
                self.count["not by steps"] += 1
        elif done.returncode not in (0, 2):
            return self.error(f"{path}: exit {done.returncode}: {done.stdout}{done.stderr}")
        if not self.args.keep:
            for file in (path, witness, evidence):
                if os.path.exists(file):
                    os.unlink(file)

    def derivation(self, rng, clauses, path, witness, evidence, text):
        steps, chosen = [], {}
        for at, (clause, values, premises) in enumerate(STEP.findall(text)):
            steps.append((int(clause), [int(one) for one in premises.split()]))
            values = [int(one[2:], 2) for one in values.split()]
            for var in clauses.list[int(clause)]["choices"]:
                chosen[at, var] = values[var]
        if not clauses.derives(steps, chosen):
            return self.error(f"{witness}: the derivation is none by our reading")
        avoids = lambda changes: not clauses.derives(steps, {**chosen, **changes})
        wanted = {place for place in chosen
                  if any(avoids({place: value}) for value in range(4) if value != chosen[place])}
        done = self.run("explain", path, witness, "--json", "--most", "1000", "--evidence", evidence)
        if done.returncode != 0:
            return self.error(f"{witness}: exit {done.returncode}: {done.stdout}{done.stderr}")
        said = json.loads(done.stdout.splitlines()[0])
        sets = []
        for one in said["sets"]:
            sets.append([((c["step"], int(c["name"][1:])), c["to"]) for c in one])
        singles = {one[0][0] for one in sets if len(one) == 1}
        if singles != wanted:
            return self.error(f"{witness}: {sorted(singles)} is not {sorted(wanted)}")
        for one in sets:
            if not self.is_avoided(chosen, avoids, one):
                return self.error(f"{witness}: {one} does not avoid it")
        self.count["derivations"] += 1
        self.count["choices"] += len(chosen)
        self.count["that matter"] += len(wanted)
        self.count["pairs"] += sum(len(one) == 2 for one in sets)
        if not os.path.exists(evidence):
            if sets or not chosen:
                self.error(f"{witness}: no evidence was written")
            return None
        checked = self.run("check", path, evidence)
        if checked.returncode != 0:
            return self.error(f"{evidence}: refused: {checked.stdout}{checked.stderr}")

        def is_true(mutant):
            steps_now = STEP.findall(mutant)
            if steps_now != STEP.findall(text):
                return False
            sets = re.findall(r"\(avoided((?: \(change[^)]*\))*)", mutant)
            for one in sets:
                changes = []
                for step, var, value in re.findall(r"\(change (\d+) (\d+) ?([^)]*)\)", one):
                    changes.append(((int(step), int(var)), value or "anything else"))
                if not changes or any(place not in chosen for place, _ in changes):
                    return False
                if not self.is_avoided(chosen, avoids, changes):
                    return False
            return bool(sets) or not chosen

        return self.mutants(rng, path, evidence, is_true)

    def is_avoided(self, chosen, avoids, changes):
        """Whether changes avoid a derivation, whatever those are that may be anything else."""
        options = []
        for place, to in changes:
            others = [value for value in range(4) if value != chosen[place]]
            options.append(others if to == "anything else" else [int(to[2:], 2)])
        places = [place for place, _ in changes]
        return all(avoids(dict(zip(places, values))) for values in itertools.product(*options))

    def mutants(self, rng, path, evidence, is_true):
        with open(evidence) as file:
            text = file.read()
        for number in range(self.args.mutants):
            lines = text.splitlines()
            at = rng.randrange(len(lines))
            kind = rng.randrange(4)
            if kind == 0:
                lines.pop(at)
            elif kind == 1:
                lines.insert(at, lines[rng.randrange(len(lines))])
            else:
                # A digit somewhere, most often of a part that says something.
                telling = [i for i, line in enumerate(lines)
                           if line.startswith(("avoids", "others", "run", "size", "flips", "(avoided"))]
                at = rng.choice(telling) if telling and kind == 2 else at
                digits = [i for i, c in enumerate(lines[at]) if c.isdigit()]
                if digits:
                    place = rng.choice(digits)
                    lines[at] = lines[at][:place] + rng.choice("0123") + lines[at][place + 1:]
            mutant = "\n".join(lines) + "\n"
            if mutant == text:
                continue
            other = f"{evidence}.{number}"
            with open(other, "w") as file:
                file.write(mutant)
            done = self.run("check", path, other)
            self.count["mutants"] += 1
            if done.returncode in (4, 6):
                self.count["refused"] += 1
            elif done.returncode == 0 and is_true(mutant):
                self.count["still true"] += 1
            else:
                self.error(f"{other}: exit {done.returncode}: {done.stdout}{done.stderr}")
                continue
            os.unlink(other)

    def run_of(self, rng, circuit, path, start, rows):
        witness = path + ".cex"
        with open(witness, "w") as file:
            lines = ["1", "b0", "".join(map(str, start)), *("".join(map(str, row)) for row in rows), "."]
            file.write("\n".join(lines) + "\n")
        evidence = path + ".explained"
        only = rng.choice([[], [], ["--only", "inputs"], ["--only", "latches"]])
        done = self.run("explain", path, witness, "--json", "--most", "100000", "--evidence", evidence, *only)
        if done.returncode != 0:
            return self.error(f"{witness}: exit {done.returncode}: {done.stdout}{done.stderr}")
        said = json.loads(done.stdout)
        sets = {frozenset((c["step"], c["name"]) for c in one) for one in said["sets"]}
        low = circuit.inputs if "latches" in only else 0
        signals = range(low, circuit.inputs if "inputs" in only else circuit.inputs + circuit.latches)
        flips = [(step, var) for step in range(len(rows)) for var in signals]
        for size in (1, 2):
            tried = {frozenset((step, self.name(circuit, var)) for step, var in flipped)
                     for flipped in itertools.combinations(flips, size)
                     if avoids(circuit, start, rows, flipped)}
            if tried:
                break
        if tried != sets and (tried or (said["size"] or 3) < 3):
            return self.error(f"{witness}: {sorted(map(sorted, sets))} is not {sorted(map(sorted, tried))}")
        self.count["violations"] += 1
        self.count[f"size {said['size']}" if said["size"] in (1, 2) else "larger or none"] += 1
        checked = self.run("check", path, evidence)
        if checked.returncode != 0:
            return self.error(f"{evidence}: refused: {checked.stdout}{checked.stderr}")
        self.mutants(rng, path, evidence, lambda mutant: self.is_true(circuit, mutant))
        if not self.args.keep:
            os.unlink(witness)
            os.unlink(evidence)

    def is_true(self, circuit, text):
        """Whether an explanation of a run is true, by trying all sets."""
        lines = text.splitlines()
        bits = lambda word: [] if word == "-" else [int(c == "1") for c in word]
        kinds = next(line.split()[1:] for line in lines if line.startswith("flips"))
        at = next(i for i, line in enumerate(lines) if line.startswith("run "))
        rows = [bits(line) for line in lines[at + 1:lines.index("end")]]
        start = bits(lines[at].split()[1])
        size = next(int(line.split()[1]) for line in lines if line.startswith("size"))
        sets = [[tuple(map(int, flip.split(":"))) for flip in line.split()[1:]]
                for line in lines if line.startswith("avoids")]
        sets = [[(step, var - 1) for step, var in one] for one in sets]
        most = [line.split()[1] for line in lines if line.startswith("others")]
        low = 0 if "inputs" in kinds else circuit.inputs
        high = circuit.inputs + (circuit.latches if "latches" in kinds else 0)
        flips = [(step, var) for step in range(len(rows)) for var in range(low, high)]
        if any(len(one) != size or not set(one) <= set(flips)
               or not avoids(circuit, start, rows, one) for one in sets):
            return False
        if most:
            largest = len(flips) if most[0] == "any" else int(most[0])
            if sum(math.comb(len(flips), k) for k in range(min(largest, len(flips)) + 1)) > 300_000:
                self.count["not tried"] += 1
                return True
            for number in range(largest + 1):
                for one in itertools.combinations(flips, number):
                    if avoids(circuit, start, rows, one) and not any(set(k) <= set(one) for k in sets):
                        return False
        return bool(sets or most)

    def observation(self, rng, circuit, path):
        rows = [[rng.randint(0, 1) for _ in range(circuit.inputs)] for _ in range(rng.randint(2, 6))]
        at = rng.randrange(len(rows))
        source = rng.randint(0, at)
        start = next(circuit.starts(dict.fromkeys(circuit.params, 0)))

        def seen(latch):
            state = list(start)
            for step, row in enumerate(rows[:at + 1]):
                if step == source and latch is not None:
                    state[latch] ^= 1
                _, bad, after = circuit.step(state, row)
                state = list(after)
            return bad

        plain = seen(None)
        wanted = [latch for latch in range(circuit.latches) if seen(latch) != plain]
        output = path.replace(".aag", ".out.aag")
        with open(output, "w") as file:
            head, *rest = circuit.text().splitlines()
            words = head.split()
            bad = rest.pop(circuit.inputs + circuit.latches)
            if circuit.constraints:
                rest.pop(circuit.inputs + circuit.latches)
            rest.insert(circuit.inputs + circuit.latches, bad)
            file.write("\n".join([" ".join([*words[:4], "1", words[5]]), *rest, "o0 seen"]) + "\n")
        observed = output + ".json"
        with open(observed, "w") as file:
            json.dump({"inputs": ["".join(map(str, row)) for row in rows], "flipped_at": source,
                       "observed": {"output": "seen", "time": at, "simulated": plain}}, file)
        done = self.run("explain", output, observed, "--json")
        if done.returncode != 0:
            return self.error(f"{observed}: exit {done.returncode}: {done.stdout}{done.stderr}")
        found = [one[0]["name"] for one in json.loads(done.stdout)["sets"]]
        names = [self.name(circuit, circuit.inputs + latch) for latch in wanted]
        if sorted(found) != sorted(names):
            return self.error(f"{observed}: {found} is not {names}")
        more = self.run("explain", output, observed, "--json", "--glitches")
        glitching = [one[0]["name"] for one in json.loads(more.stdout)["sets"]] if more.stdout else []
        if more.returncode != 0 or not set(found) <= set(glitching):
            return self.error(f"{observed}: with glitches: {more.stdout}{more.stderr}")
        self.count["observations"] += 1
        self.count["roots"] += len(found)
        self.count["with glitches"] += len(glitching)
        if not self.args.keep:
            os.unlink(output)
            os.unlink(observed)


if __name__ == "__main__":
    names = ["violations", "size 1", "size 2", "larger or none", "observations", "roots", "with glitches",
             "derivations", "choices", "that matter", "pairs", "not by steps",
             "mutants", "refused", "still true", "not tried"]
    parser = arguments(__doc__, 1000)
    parser.add_argument("--mutants", type=int, default=3)
    sys.exit(Explain(parser.parse_args(), "explain", names).all())
