#!/usr/bin/env python3
"""Checks evidence about circuits with outside tools: witness circuits and witnesses.

    bench/certificate.py check MODEL WITNESS-CIRCUIT [--solver cadical] [--abc berkeley-abc]
    bench/certificate.py run [--alphorn PATH] [--time 10s] [--option=…]… [--abc NAME] [--aigsim NAME]
                             [--checker COMMAND] PATH…

`check` asks a SAT solver the five questions by which a witness circuit W certifies the first safety
property of a model M (Certifaiger's; K are the inputs and latches named `= n` in W):

    reset       R{K} and C       imply  R'{K} and C'
    transition  F{K}, C0, C1, C0' imply F'{K} and C1'
    property    C, C' and P'     imply  P
    base        R' and C'        imply  P'
    step        F', C0', C1' and P0' imply P1'

and that W's resets do not depend on themselves. With --abc, ABC's `pdr` also proves W's property.

`run` decides circuits in the competition's form (alphorn-hwmcc FILE WITNESS CERTIFICATE), checks every
witness circuit like that, and every witness by simulation, here and with --aigsim by the AIGER tools.
--checker names a further command that gets model and witness circuit and ends with 0 if they fit.

Nothing here is shared with the program: reading, simulation and clauses are written anew.
Exit code: 1 if something was not confirmed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time


class Aig:
    """A circuit: inputs and latches are literals, gates are (lhs, rhs0, rhs1)."""

    def __init__(self, path):
        data = open(path, "rb").read()
        end = data.index(b"\n")
        header = data[:end].split()
        counts = [int(x) for x in header[1:]] + [0] * 9
        self.maxvar, i, l, o, a, b, c, j, f = counts[:9]
        self.at, self.data = end + 1, data
        binary = header[0] == b"aig"
        self.inputs = [2 * (k + 1) for k in range(i)] if binary else [self.row()[0] for _ in range(i)]
        self.latches = []
        for k in range(l):
            row = self.row()
            if binary:
                row = [2 * (i + k + 1)] + row
            self.latches.append((row[0], row[1], row[2] if len(row) > 2 else 0))
        self.outputs = [self.row()[0] for _ in range(o)]
        self.bads = [self.row()[0] for _ in range(b)]
        self.constraints = [self.row()[0] for _ in range(c)]
        sizes = [self.row()[0] for _ in range(j)]
        self.justice = [[self.row()[0] for _ in range(size)] for size in sizes]
        for _ in range(f):
            self.row()
        self.ands = []
        if binary:
            lhs = 2 * (i + l + 1)
            for _ in range(a):
                left = lhs - self.delta()
                self.ands.append((lhs, left, left - self.delta()))
                lhs += 2
        else:
            gates = {}
            for _ in range(a):
                lhs, left, right = self.row()
                gates[lhs] = (left, right)
            self.ands = self.sorted(gates)
        self.names = {}
        for line in data[self.at:].split(b"\n"):
            if line == b"c" or not line:
                break
            word, _, name = line.decode("utf-8", "replace").partition(" ")
            self.names[word] = name

    def row(self):
        end = self.data.index(b"\n", self.at)
        row = [int(x) for x in self.data[self.at:end].split()]
        self.at = end + 1
        return row

    def delta(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    @staticmethod
    def sorted(gates):
        done, out = set(), []
        for root in gates:
            stack = [root]
            while stack:
                lhs = stack[-1]
                if lhs in done:
                    stack.pop()
                    continue
                waiting = [x & ~1 for x in gates[lhs] if x & ~1 in gates and x & ~1 not in done]
                if waiting:
                    stack.extend(waiting)
                else:
                    done.add(lhs)
                    out.append((lhs, *gates[lhs]))
                    stack.pop()
        return out

    def bad(self):
        return (self.bads or self.outputs)[0]

    def shared(self, model):
        """Pairs of literals (model, here) from the names `= n`, else by position."""
        pairs = []
        for kind, lits in (("i", self.inputs), ("l", [latch[0] for latch in self.latches])):
            for index, lit in enumerate(lits):
                name = self.names.get(f"{kind}{index}", "")
                if name.startswith("="):
                    pairs.append((int(name[1:].split()[0]), lit))
        if not pairs:
            pairs = list(zip(model.inputs, self.inputs))
            pairs += [(m[0], w[0]) for m, w in zip(model.latches, self.latches)]
        return pairs

    def is_stratified(self):
        """Whether no reset depends on itself."""
        below = {lhs: (left & ~1, right & ~1) for lhs, left, right in self.ands}
        below.update({lit: (reset & ~1,) for lit, _, reset in self.latches if reset != lit})
        state = {}
        for root in below:
            stack = [(root, False)]
            while stack:
                lit, leaving = stack.pop()
                if leaving:
                    state[lit] = 2
                elif lit in below and state.get(lit) != 2:
                    if state.get(lit) == 1:
                        return False
                    state[lit] = 1
                    stack.append((lit, True))
                    stack.extend((child, False) for child in below[lit])
        return True


class Cnf:
    """Clauses over copies of circuits."""

    def __init__(self):
        self.count = 1
        self.clauses = [[1]]  # variable 1 is true

    def fresh(self):
        self.count += 1
        return self.count

    def copy(self, aig, known=()):
        """The clauses of one step of a circuit; gives a function from its literals to ours."""
        table = {0: -1}
        table.update(known)
        for lit in aig.inputs + [latch[0] for latch in aig.latches]:
            if lit not in table:
                table[lit] = self.fresh()

        def value(lit):
            return -table[lit & ~1] if lit & 1 else table[lit & ~1]

        for lhs, left, right in aig.ands:
            gate, a, b = self.fresh(), value(left), value(right)
            table[lhs] = gate
            self.clauses += [[-gate, a], [-gate, b], [gate, -a, -b]]
        return value

    def equal(self, a, b):
        both = self.fresh()
        self.clauses += [[-both, a, -b], [-both, -a, b], [both, a, b], [both, -a, -b]]
        return both

    def conjunction(self, parts):
        parts = list(parts)
        if len(parts) == 1:
            return parts[0]
        all_of = self.fresh()
        self.clauses += [[-all_of, part] for part in parts]
        self.clauses.append([all_of] + [-part for part in parts])
        return all_of

    def require(self, lit):
        self.clauses.append([lit])

    def is_unsatisfiable(self, solver):
        with tempfile.NamedTemporaryFile("w", suffix=".cnf", delete=False) as file:
            file.write(f"p cnf {self.count} {len(self.clauses)}\n")
            file.writelines(" ".join(map(str, clause)) + " 0\n" for clause in self.clauses)
        try:
            code = subprocess.run([solver, "-q", file.name], capture_output=True).returncode
        finally:
            os.unlink(file.name)
        if code not in (10, 20):
            raise RuntimeError(f"{solver} ended with {code}")
        return code == 20


def constraints(cnf, aig, value):
    return [value(lit) for lit in aig.constraints]


def questions(model, witness):
    """The five questions, each as clauses that must be unsatisfiable."""
    shared = witness.shared(model)
    m_latch = {lit: (nxt, reset) for lit, nxt, reset in model.latches}
    w_latch = {lit: (nxt, reset) for lit, nxt, reset in witness.latches}

    def pair(cnf):
        m = cnf.copy(model)
        w = cnf.copy(witness, {here: m(there) for there, here in shared})
        return m, w

    def keeps(cnf, assumed, before, after, which):
        """What is assumed, and what the model's latches get, must give what the witness's do."""
        for value, aig in assumed:
            for lit in constraints(cnf, aig, value):
                cnf.require(lit)
        (m, w), (m1, w1) = before, after
        for there, _ in shared:
            if there in m_latch:
                cnf.require(cnf.equal(m1(there), m(m_latch[there][which])))
        wanted = [cnf.equal(w1(here), w(w_latch[here][which])) for _, here in shared if here in w_latch]
        cnf.require(-cnf.conjunction(wanted + constraints(cnf, witness, w1) or [1]))
        return cnf

    cnf = Cnf()
    m, w = pair(cnf)
    yield "reset", keeps(cnf, [(m, model)], (m, w), (m, w), 1)

    cnf = Cnf()
    m, w = pair(cnf)
    m1, w1 = pair(cnf)
    yield "transition", keeps(cnf, [(m, model), (m1, model), (w, witness)], (m, w), (m1, w1), 0)

    cnf = Cnf()
    m, w = pair(cnf)
    for lit in constraints(cnf, model, m) + constraints(cnf, witness, w):
        cnf.require(lit)
    cnf.require(-w(witness.bad()))
    cnf.require(m(model.bad()))
    yield "property", cnf

    cnf = Cnf()
    w = cnf.copy(witness)
    for lit, _, reset in witness.latches:
        cnf.require(cnf.equal(w(lit), w(reset)))
    for lit in constraints(cnf, witness, w):
        cnf.require(lit)
    cnf.require(w(witness.bad()))
    yield "base", cnf

    cnf = Cnf()
    w, w1 = cnf.copy(witness), cnf.copy(witness)
    for lit, nxt, _ in witness.latches:
        cnf.require(cnf.equal(w1(lit), w(nxt)))
    for value in (w, w1):
        for lit in constraints(cnf, witness, value):
            cnf.require(lit)
    cnf.require(-w(witness.bad()))
    cnf.require(w1(witness.bad()))
    yield "step", cnf


def check_circuit(model_path, witness_path, solver):
    """What is wrong with a witness circuit; empty if nothing is."""
    model, witness = Aig(model_path), Aig(witness_path)
    wrong = [] if witness.is_stratified() else ["a reset depends on itself"]
    consecutive = witness.inputs + [latch[0] for latch in witness.latches]
    if consecutive != [2 * (k + 1) for k in range(len(consecutive))]:
        wrong.append("inputs and latches are not numbered one after the other")
    for name, cnf in questions(model, witness):
        if not cnf.is_unsatisfiable(solver):
            wrong.append(name)
    return wrong


def proved_by_abc(abc, path, seconds):
    script = f"read_aiger {path}; logic; undc; strash; zero; fold; strash; pdr; print_status"
    try:
        run = subprocess.run([abc, "-c", script], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return "Property proved" in run.stdout or "UNSAT" in run.stdout.upper().split("STATUS")[-1]


def check_trace(model_path, trace_path):
    """What is wrong with a witness, by simulation with x as an unknown; empty if nothing is."""
    aig = Aig(model_path)
    lines = open(trace_path).read().split("\n")
    if lines[0] != "1" or lines[1] != "b0" or "." not in lines:
        return ["not a witness for b0"]
    steps = lines[3:lines.index(".")]
    known = {"0": 0, "1": 1, "x": None}
    value = {0: 0}

    def get(lit):
        bit = value[lit & ~1]
        return bit if bit is None else bit ^ (lit & 1)

    for (lit, _, reset), char in zip(aig.latches, lines[2]):
        value[lit] = known[char]
    for step, row in enumerate(steps):
        for lit, char in zip(aig.inputs, row):
            value[lit] = known[char]
        for lhs, left, right in aig.ands:
            a, b = get(left), get(right)
            value[lhs] = 0 if a == 0 or b == 0 else (1 if a == 1 and b == 1 else None)
        if step == 0:
            for lit, _, reset in aig.latches:
                if reset != lit and (get(lit) is None or get(lit) != get(reset)):
                    return [f"latch {lit} does not start with its reset"]
        if any(get(lit) != 1 for lit in aig.constraints):
            return [f"a constraint is not seen to hold in step {step}"]
        bad = get(aig.bad())
        value.update(dict([(lit, get(nxt)) for lit, nxt, _ in aig.latches]))
    return [] if bad == 1 else ["the last step is not seen to be bad"]


def check_with_aigsim(aigsim, model_path, trace_path):
    run = subprocess.run([aigsim, "-c", model_path, trace_path], capture_output=True, text=True)
    return [] if run.returncode == 0 else ["aigsim: " + (run.stdout + run.stderr).strip()[:200]]


def files(paths):
    for path in paths:
        if os.path.isdir(path):
            names = sorted(os.listdir(path))
            yield from (os.path.join(path, n) for n in names if n.endswith((".aig", ".aag")))
        else:
            yield path


def run_all(args):
    failed = 0
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, "alphorn-hwmcc")
        os.symlink(os.path.abspath(args.alphorn), link)
        cex, cert = os.path.join(folder, "cex"), os.path.join(folder, "cert.aig")
        for path in files(args.paths):
            for name in (cex, cert):
                if os.path.exists(name):
                    os.unlink(name)
            command = [link, path, cex, cert, "--time", args.time] + args.option
            run = subprocess.run(command, capture_output=True, text=True)
            word = run.stdout.strip().split("\n")[-1]
            wrong, note, begun = [], "", time.time()
            if word == "unsat" and run.returncode == 20:
                wrong = check_circuit(path, cert, args.solver)
                note = f"{len(Aig(path).ands)} gates, certificate {len(Aig(cert).ands)}"
                if args.abc and not wrong:
                    proved = proved_by_abc(args.abc, cert, 60)
                    note += {True: ", proved by abc", False: "", None: ", abc out of time"}[proved]
                    if proved is False:
                        wrong.append("abc does not prove it")
                if args.checker:
                    code = subprocess.run(args.checker.split() + [path, cert], capture_output=True)
                    if code.returncode:
                        wrong.append(f"{args.checker} ended with {code.returncode}")
            elif word == "sat" and run.returncode == 10:
                wrong = check_trace(path, cex)
                text = open(cex).read().split("\n")
                note = f"{len(text) - 5} steps, {sum(line.count('x') for line in text)} x"
                if args.aigsim:
                    wrong += check_with_aigsim(args.aigsim, path, cex)
            elif not (word == "unknown" and run.returncode == 0):
                wrong = [f"said {word!r}, ended with {run.returncode}: {run.stderr.strip()[:200]}"]
            counts[word] = counts.get(word, 0) + 1
            failed += bool(wrong)
            state = "WRONG " + "; ".join(wrong) if wrong else "ok"
            print(f"{word:8} {state:4} {time.time() - begun:6.1f} s  {path}  {note}", flush=True)
    summary = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    print(f"{summary}; {failed} not confirmed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("check")
    one.add_argument("model")
    one.add_argument("witness")
    many = verbs.add_parser("run")
    many.add_argument("--alphorn", default="target/release/alphorn")
    many.add_argument("--time", default="10s")
    many.add_argument("--option", action="append", default=[])
    many.add_argument("--aigsim")
    many.add_argument("--checker")
    many.add_argument("paths", nargs="+")
    for verb in (one, many):
        verb.add_argument("--solver", default="cadical")
        verb.add_argument("--abc")
    args = parser.parse_args()
    if args.verb == "run":
        return run_all(args)
    wrong = check_circuit(args.model, args.witness, args.solver)
    if args.abc and proved_by_abc(args.abc, args.witness, 600) is not True:
        wrong.append("abc does not prove it")
    print("valid" if not wrong else "INVALID: " + "; ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
