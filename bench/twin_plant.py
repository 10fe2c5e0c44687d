#!/usr/bin/env python3
"""Twin plants of a combinational netlist: which sensors tell a fault from all others, and how soon?

    bench/twin_plant.py NETLIST.bench --sensors K [--faults 6] [--seed 0] --out NAME

Writes NAME.aag and NAME.cost. In each of two copies of the netlist at most one of the faulty gates gives the
inverse of its value, from the first step on and for good; both copies get the same inputs, new ones in every
step. A sensor shows the value of a gate, one after 0, 1 or 2 steps. The critical pair is a run of both in
which the first copy has the first fault, the second has not, and all chosen sensors have shown the same.
Parameters are the sensors, and how many steps one may wait: the property is that there is no critical pair
that is as old. So the costs are those of the sensors and the delay, as for the family c432 of Bittner,
Bozzano, Cimatti, Gario, Griggio (FMCAD 2014); the paper does not say which sensors and faults it takes.
"""

import argparse
import random
import re


class Aig:
    """Gates by name; a literal is a number as in AIGER, with variables in order of their making."""

    def __init__(self):
        self.ands, self.known, self.inputs, self.latches = [], {}, [], []
        self.top = 0

    def new(self):
        self.top += 1
        return 2 * self.top

    def both(self, a, b):
        if a == 0 or b == 0 or a == b ^ 1:
            return 0
        if a == 1 or a == b:
            return b
        if b == 1:
            return a
        key = (max(a, b), min(a, b))
        if key not in self.known:
            self.known[key] = self.new()
            self.ands.append((self.known[key], *key))
        return self.known[key]

    def either(self, a, b):
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a, b):
        return self.either(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def latch(self, name, reset=None):
        lit = self.new()
        self.latches.append([lit, lit, lit if reset is None else reset, name])
        return lit

    def follow(self, lit, after):
        next(latch for latch in self.latches if latch[0] == lit)[1] = after

    def text(self, bad, constraints):
        out = [f"aag {self.top} {len(self.inputs)} {len(self.latches)} 0 {len(self.ands)} 1 {len(constraints)}"]
        out += [str(lit) for lit, _ in self.inputs]
        out += [f"{lit} {after} {reset}" for lit, after, reset, _ in self.latches]
        out += [str(bad), *map(str, constraints)]
        out += [f"{lit} {a} {b}" for lit, a, b in self.ands]
        out += [f"i{at} {name}" for at, (_, name) in enumerate(self.inputs)]
        out += [f"l{at} {latch[3]}" for at, latch in enumerate(self.latches)]
        return "\n".join(out) + "\n"


def netlist(path):
    inputs, gates = [], {}
    for line in open(path):
        line = line.split("#")[0].strip()
        if found := re.match(r"INPUT\((\w+)\)", line):
            inputs.append(found[1])
        elif found := re.match(r"(\w+)\s*=\s*(\w+)\((.*)\)", line):
            gates[found[1]] = (found[2].upper(), [word.strip() for word in found[3].split(",")])
    return inputs, gates


def copy(aig, gates, values, faults):
    """The values of all gates, where faulty ones are inverted if their literal is true."""
    values = dict(values)

    def value(name):
        if name in values:
            return values[name]
        kind, fans = gates[name]
        fans = [value(fan) for fan in fans]
        out = fans[0]
        for fan in fans[1:]:
            how = {"AND": aig.both, "NAND": aig.both, "OR": aig.either, "NOR": aig.either,
                   "XOR": aig.differ, "XNOR": aig.differ}[kind]
            out = how(out, fan)
        if kind in ("NAND", "NOR", "NOT", "XNOR"):
            out ^= 1
        if name in faults:
            out = aig.differ(out, faults[name])
        values[name] = out
        return out

    for name in gates:
        value(name)
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("netlist")
    parser.add_argument("--sensors", type=int, required=True)
    parser.add_argument("--faults", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    inputs, gates = netlist(args.netlist)
    names = list(gates)
    faulty = rng.sample(names, args.faults)
    near = [fan for name in faulty for fan in gates[name][1] if fan in gates] + faulty
    rest = [name for name in names if name not in near]
    rng.shuffle(rest)
    sensors = (list(dict.fromkeys(near)) + rest)[:args.sensors]

    aig = Aig()
    for name in inputs:
        aig.inputs.append((aig.new(), f"in_{name}"))
    values = {name: lit for name, (lit, _) in zip(inputs, aig.inputs)}
    chosen = [aig.latch(f"param_s{name}") for name in sensors]
    waits = [aig.latch(f"param_d{step}") for step in range(1, 4)]
    modes = [{name: aig.latch(f"fault{one}_{name}") for name in faulty} for one in (1, 2)]
    alike = aig.latch("alike", 1)
    age = [aig.latch(f"age{step}", 0) for step in range(1, 4)]
    pipes = [[[aig.latch(f"pipe{one}_{name}_{at}", 0) for at in range(index % 3)] for one in (1, 2)]
             for index, name in enumerate(sensors)]
    shown = [copy(aig, gates, values, mode) for mode in modes]
    constraints = []
    for mode in modes:
        lits = list(mode.values())
        constraints += [aig.both(a, b) ^ 1 for at, a in enumerate(lits) for b in lits[:at]]
    constraints += [modes[0][faulty[0]], modes[1][faulty[0]] ^ 1]
    same = alike
    for name, param, pipe in zip(sensors, chosen, pipes):
        ends = []
        for one in (0, 1):
            lit = shown[one][name]
            for latch in pipe[one]:
                aig.follow(latch, lit)
                lit = latch
            ends.append(lit)
        same = aig.both(same, aig.both(param, aig.differ(*ends)) ^ 1)
    aig.follow(alike, same)
    for latch, before in zip(age, [1, *age]):
        aig.follow(latch, aig.either(latch, before))
    bad = same
    for wait, old in zip(waits, age):
        bad = aig.both(bad, aig.both(wait, old ^ 1) ^ 1)
    with open(args.out + ".aag", "w") as file:
        file.write(aig.text(bad, constraints))
    with open(args.out + ".cost", "w") as file:
        weights = [rng.randint(1, 9) for _ in sensors]
        file.write("sensors = " + " + ".join(f"{w} param_s{n}" for w, n in zip(weights, sensors)) + "\n")
        file.write("delay = param_d1 + 2 param_d2 + 3 param_d3\n")


if __name__ == "__main__":
    main()
