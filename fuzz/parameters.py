#!/usr/bin/env python3
"""Random circuits with parameters: fronts against enumeration, and evidence that was tampered with.

    fuzz/parameters.py [--count 1000] [--seed 0] [--alphorn PATH] [--mutants 5] [--keep DIR]

A circuit has up to five parameters, four other latches, two inputs, now and then a constraint and resets of
all kinds. For every valuation the reachable states are enumerated; the front of one to three random costs
must be what `alphorn pareto` says, and `alphorn check` must accept its evidence. Then the evidence is
mutated: one number, bit or line is changed or left out. A mutant that is accepted must still be true of the
circuit, by enumeration, for the parameters and costs that it names.
"""

import itertools
import json
import os
import random
import sys

from harness import Harness, arguments


class Circuit:
    def __init__(self, rng):
        self.inputs = rng.randint(0, 2)
        self.params = list(range(rng.randint(1, 5)))
        self.others = rng.randint(1, 4)
        self.latches = len(self.params) + self.others
        first = 1 + self.inputs + self.latches
        gates = rng.randint(1, 14)
        self.ands = []
        # A hint of monotony: parameters are read with one sign alone.
        self.signs = rng.random() < 0.5
        for at in range(gates):
            self.ands.append((self.literal(rng, first + at), self.literal(rng, first + at)))
        top = first + gates
        self.next, self.reset = [], []
        for latch in range(self.latches):
            own = 2 * (1 + self.inputs + latch)
            if latch in self.params:
                self.next.append(own)
                self.reset.append(own)
            else:
                self.next.append(self.literal(rng, top))
                param = 2 * (1 + self.inputs + rng.choice(self.params)) + rng.randint(0, 1)
                self.reset.append(rng.choice([0, 0, 0, 1, own, param]))
        self.bad = self.literal(rng, top, late=True)
        self.constraints = [self.literal(rng, top)] if rng.random() < 0.2 else []

    def literal(self, rng, below, late=False):
        low = max(1, below - 4) if late or rng.random() < 0.5 else 1
        var = rng.randrange(low, below)
        sign = rng.randint(0, 1)
        if self.signs and self.inputs < var <= self.inputs + len(self.params):
            sign = 0
        return 2 * var + sign

    def text(self):
        out = [f"aag {self.inputs + self.latches + len(self.ands)} {self.inputs} {self.latches} 0 "
               f"{len(self.ands)} 1 {len(self.constraints)}"]
        out += [str(2 * (1 + at)) for at in range(self.inputs)]
        for latch in range(self.latches):
            out.append(f"{2 * (1 + self.inputs + latch)} {self.next[latch]} {self.reset[latch]}")
        out.append(str(self.bad))
        out += [str(lit) for lit in self.constraints]
        first = 1 + self.inputs + self.latches
        out += [f"{2 * (first + at)} {a} {b}" for at, (a, b) in enumerate(self.ands)]
        out += [f"l{at} param_{at}" for at in self.params]
        return "\n".join(out) + "\n"

    def step(self, state, given):
        """Whether the step counts, whether it is bad, and the next state."""
        values = [0, *given, *state]
        value = lambda lit: values[lit // 2] ^ (lit & 1)
        for a, b in self.ands:
            values.append(value(a) & value(b))
        counts = all(value(lit) for lit in self.constraints)
        return counts, value(self.bad), tuple(value(lit) for lit in self.next)

    def starts(self, fixed):
        """The first states in which some latches have these values."""
        own = [2 * (1 + self.inputs + latch) for latch in range(self.latches)]
        free = [at for at in range(self.latches) if self.reset[at] == own[at] and at not in fixed]
        for values in itertools.product([0, 1], repeat=len(free)):
            known = {**fixed, **dict(zip(free, values))}
            for at in range(self.latches):
                if at not in known:
                    reset = self.reset[at]
                    read = known[reset // 2 - 1 - self.inputs] if reset > 1 else 0
                    known[at] = read ^ (reset & 1)
            yield tuple(known[at] for at in range(self.latches))

    def is_valid(self, valuation, params):
        waiting = list(self.starts(dict(zip(params, valuation))))
        seen = set(waiting)
        while waiting:
            state = waiting.pop()
            for given in itertools.product([0, 1], repeat=self.inputs):
                counts, bad, after = self.step(state, given)
                if counts and bad:
                    return False
                if counts and after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return True


def price(costs, valuation):
    return tuple(base + sum(w for w, v in zip(weights, valuation) if v) for base, weights in costs)


def front(circuit, params, costs):
    valid = [g for g in itertools.product([0, 1], repeat=len(params)) if circuit.is_valid(g, params)]
    prices = {price(costs, g) for g in valid}
    below = lambda a, b: a != b and all(x <= y for x, y in zip(a, b))
    return {p for p in prices if not any(below(q, p) for q in prices)}, set(valid)


class Parameters(Harness):
    def one(self, seed):
        rng = random.Random(seed)
        circuit = Circuit(rng)
        costs = [(rng.choice([0, 0, 3]), [rng.randint(0, 6) for _ in circuit.params])
                 for _ in range(rng.randint(1, 3))]
        paths = [os.path.join(self.folder, f"{seed}.{end}") for end in ("aag", "cost", "front")]
        with open(paths[0], "w") as file:
            file.write(circuit.text())
        with open(paths[1], "w") as file:
            for at, (base, weights) in enumerate(costs):
                terms = [f"{w} param_{p}" for p, w in enumerate(weights)] + [str(base)]
                file.write(f"cost{at} = {' + '.join(terms)}\n")
        wanted, _ = front(circuit, circuit.params, costs)
        done = self.run("pareto", paths[0], "--params", "param_*", "--cost", paths[1], "--json",
                        "--evidence", paths[2])
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        points = [line for line in lines if line["kind"] == "point"]
        found = {tuple(p["costs"][f"cost{at}"] for at in range(len(costs))) for p in points}
        end = [line for line in lines if line["kind"] == "front"]
        if done.returncode not in (0, 1) or not end:
            return self.error(f"{paths[0]}: exit {done.returncode}: {done.stdout}{done.stderr}")
        if found != wanted or len(found) != len(points) or (done.returncode == 1) != (not wanted):
            return self.error(f"{paths[0]}: {sorted(found)} is not {sorted(wanted)}")
        self.count["fronts"] += 1
        self.count["points"] += len(points)
        self.count["empty"] += not wanted
        self.count["monotone"] += "is monotone" in end[0]["detail"]
        checked = self.run("check", paths[0], paths[2])
        if checked.returncode != 0:
            return self.error(f"{paths[2]}: refused: {checked.stdout}{checked.stderr}")
        with open(paths[2]) as file:
            text = file.read()
        for number in range(self.args.mutants):
            self.mutant(rng, circuit, paths, text, number)
        if not self.args.keep:
            for path in paths:
                os.unlink(path)

    def mutant(self, rng, circuit, paths, text, number):
        lines = text.splitlines()
        at = rng.randrange(len(lines))
        words = lines[at].split(" ")
        kind = rng.randrange(5)
        if kind == 0:
            lines.pop(at)
        elif kind == 1:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif kind == 2 and words[0] in ("point", "run") or set(lines[at]) <= set("01x-"):
            word = rng.randrange(len(words))
            bits = list(words[word])
            place = rng.randrange(len(bits)) if bits else 0
            if bits:
                bits[place] = rng.choice("01x")
            words[word] = "".join(bits)
            lines[at] = " ".join(words)
        elif words[-1].lstrip("-").isdigit() or kind == 3:
            word = rng.randrange(len(words))
            if words[word].lstrip("-").isdigit():
                change = rng.choice([-1, 1, 2, -2 * int(words[word])])
                words[word] = str(int(words[word]) + change)
            lines[at] = " ".join(words)
        else:
            other = {"monotony proved": "monotony unused", "monotony unused": "monotony proved"}
            lines[at] = other.get(lines[at], lines[at] + " 1")
        changed = "\n".join(lines) + "\n"
        if changed == text:
            return
        path = paths[2] + f".{number}"
        with open(path, "w") as file:
            file.write(changed)
        done = self.run("check", paths[0], path)
        self.count["mutants"] += 1
        if done.returncode in (4, 6):
            self.count["refused"] += 1
        elif done.returncode == 0 and self.is_true(circuit, lines):
            self.count["still true"] += 1
        else:
            self.error(f"{path}: exit {done.returncode}: {done.stdout}{done.stderr}")
            return
        os.unlink(path)

    def is_true(self, circuit, lines):
        """Whether what a mutant says is so."""
        rest = lambda word: [l.split()[1:] for l in lines if l.split()[:1] == [word]]
        params = [int(word) for word in rest("parameters")[0]]
        costs = [(int(c[0]), [int(w) for w in c[1:1 + len(params)]]) for c in rest("cost")]
        points = [tuple(int(bit) for bit in p[0]) for p in rest("point")]
        wanted, valid = front(circuit, params, costs)
        prices = [price(costs, g) for g in points]
        if rest("property") and rest("property")[0] != ["0"]:
            return False
        whole = "coverage" in lines
        return (all(g in valid for g in points) and len(set(prices)) == len(prices)
                and (not whole or set(prices) == wanted))


if __name__ == "__main__":
    parser = arguments(__doc__, 1000)
    parser.add_argument("--mutants", type=int, default=5)
    names = ["fronts", "points", "empty", "monotone", "mutants", "refused", "still true"]
    sys.exit(Parameters(parser.parse_args(), "parameters", names).all())
