#!/usr/bin/env python3
"""Random small circuits (AIGER) and transition systems (BTOR2): alphorn against brute force.

    fuzz/random_circuits.py [--count 2000] [--seed 0] [--alphorn PATH] [--abc PATH] [--keep DIR]

The oracle is a breadth-first search over states and inputs, with its own evaluation of gates and
of BTOR2's operators. Every property's verdict is compared, evidence is checked once more from its
file, and every problem is converted to the other formats and asked again. With `--abc`, circuits
whose resets ABC can express are also given to it. A difference is an error; files are kept.
"""

import os
import random
import re
import subprocess
import sys

from harness import Harness, arguments

# --- AIGER -------------------------------------------------------------------------------------


class Circuit:
    def __init__(self, rng):
        self.inputs = rng.randint(0, 3)
        latches = rng.randint(0 if rng.random() < 0.1 else 1, 5)
        gates = rng.randint(0, 14)
        first = 1 + self.inputs
        # Which latches a variable depends on, and whether it may stand in a reset.
        cone = [set() for _ in range(first)] + [{i} for i in range(latches)]
        self.latches, self.gates = [], []
        total = first + latches

        def literal(bound):
            # Few constants: they make circuits dull.
            var = rng.randrange(0 if rng.random() < 0.05 else 1, bound) if bound > 1 else 0
            return 2 * var + rng.randint(0, 1)

        for _ in range(gates):
            left, right = literal(total), literal(total)
            left, right = max(left, right), min(left, right)
            self.gates.append((left, right))
            cone.append(cone[left // 2] | cone[right // 2])
            total += 1
        for position in range(latches):
            own = 2 * (first + position)
            kind = rng.random()
            if kind < 0.5:
                reset = 0
            elif kind < 0.65:
                reset = 1
            elif kind < 0.85:
                reset = own
            else:
                fit = [v for v in range(total) if all(l < position for l in cone[v])]
                reset = 2 * rng.choice(fit) + rng.randint(0, 1)
            self.latches.append((literal(total), reset))
        as_outputs = rng.random() < 0.3
        properties = [literal(total) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        if rng.random() < 0.5 and len(self.gates) > 1:
            properties[0] = 2 * (total - 1) + rng.randint(0, 1)
        self.outputs, self.bads = (properties, []) if as_outputs else ([], properties)
        self.constraints = [literal(total) for _ in range(rng.choice([0, 0, 0, 1, 2]))]
        if as_outputs:
            self.constraints = [] if rng.random() < 0.8 else self.constraints
        self.total = total

    def text(self):
        i, l, a = self.inputs, len(self.latches), len(self.gates)
        head = ["aag", self.total - 1, i, l, len(self.outputs), a]
        if self.bads or self.constraints:
            head += [len(self.bads)]
        if self.constraints:
            head += [len(self.constraints)]
        lines = [" ".join(map(str, head))]
        lines += [str(2 * (1 + k)) for k in range(i)]
        for k, (after, reset) in enumerate(self.latches):
            own = 2 * (1 + i + k)
            lines.append(f"{own} {after}" + (f" {reset}" if reset != 0 else ""))
        lines += [str(x) for x in self.outputs + self.bads + self.constraints]
        for k, (left, right) in enumerate(self.gates):
            lines.append(f"{2 * (1 + i + l + k)} {left} {right}")
        return "\n".join(lines) + "\n"

    def evaluate(self, state, inputs):
        values = [0]
        values += [inputs >> k & 1 for k in range(self.inputs)]
        values += [state >> k & 1 for k in range(len(self.latches))]
        for left, right in self.gates:
            values.append((values[left // 2] ^ left & 1) & (values[right // 2] ^ right & 1))
        return lambda lit: values[lit // 2] ^ lit & 1

    def verdicts(self):
        """For each property whether it can be violated."""
        properties = self.bads or self.outputs
        violated = [False] * len(properties)
        count, first = 1 << self.inputs, 1 + self.inputs
        seen, todo = set(), []

        def visit(state, initial):
            for inputs in range(count):
                value = self.evaluate(state, inputs)
                if initial and any(
                    reset != 2 * (first + k) and value(reset) != state >> k & 1
                    for k, (_, reset) in enumerate(self.latches)
                ):
                    continue
                if not all(value(c) for c in self.constraints):
                    continue
                for k, prop in enumerate(properties):
                    violated[k] |= bool(value(prop))
                after = sum(value(n) << k for k, (n, _) in enumerate(self.latches))
                if after not in seen:
                    seen.add(after)
                    todo.append(after)

        for state in range(1 << len(self.latches)):
            visit(state, True)
        while todo:
            visit(todo.pop(), False)
        return violated

    def fits_abc(self):
        first = 1 + self.inputs
        resets = [(0, 1, 2 * (first + k)) for k in range(len(self.latches))]
        return all(r in known for (_, r), known in zip(self.latches, resets))


# --- BTOR2 -------------------------------------------------------------------------------------


def signed(value, width):
    return value - (1 << width) if value >> (width - 1) else value


def truncated(a, b):
    """The quotient rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def binary(op, a, b, w):
    """The value of a binary operator on words of width w."""
    mask, sa, sb = (1 << w) - 1, signed(a, w), signed(b, w)
    low, high = -(1 << (w - 1)), (1 << (w - 1)) - 1
    if op == "udiv":
        return mask if b == 0 else a // b
    if op == "urem":
        return a if b == 0 else a % b
    if op == "sdiv":
        return (1 if sa < 0 else mask) if b == 0 else truncated(sa, sb) & mask
    if op == "srem":
        return a if b == 0 else (sa - sb * truncated(sa, sb)) & mask
    if op == "smod":
        return a if b == 0 else (sa % sb) & mask
    if op == "sra":
        return (sa >> min(b, w)) & mask
    if op in ("rol", "ror"):
        by = b % w if op == "rol" else -b % w
        return (a << by | a >> (w - by)) & mask
    return {
        "and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b,
        "nand": lambda: ~(a & b) & mask, "nor": lambda: ~(a | b) & mask,
        "xnor": lambda: ~(a ^ b) & mask,
        "add": lambda: (a + b) & mask, "sub": lambda: (a - b) & mask,
        "mul": lambda: (a * b) & mask,
        "sll": lambda: (a << b) & mask if b < w else 0,
        "srl": lambda: a >> b if b < w else 0,
        "eq": lambda: a == b, "neq": lambda: a != b,
        "ult": lambda: a < b, "ulte": lambda: a <= b,
        "ugt": lambda: a > b, "ugte": lambda: a >= b,
        "slt": lambda: sa < sb, "slte": lambda: sa <= sb,
        "sgt": lambda: sa > sb, "sgte": lambda: sa >= sb,
        "uaddo": lambda: a + b > mask, "saddo": lambda: not low <= sa + sb <= high,
        "usubo": lambda: a < b, "ssubo": lambda: not low <= sa - sb <= high,
        "umulo": lambda: a * b > mask, "smulo": lambda: not low <= sa * sb <= high,
        "sdivo": lambda: sa == low and sb == -1,
    }[op]()


SAME = "and or xor nand nor xnor add sub mul udiv urem sdiv srem smod sll srl sra rol ror".split()
TRUTH = ("eq neq ult ulte ugt ugte slt slte sgt sgte uaddo saddo usubo ssubo umulo smulo sdivo").split()
UNARY = "not neg inc dec".split()
REDUCE = "redand redor redxor".split()


def unary(op, a, w):
    mask = (1 << w) - 1
    return {
        "not": ~a & mask, "neg": -a & mask, "inc": (a + 1) & mask, "dec": (a - 1) & mask,
        "redand": int(a == mask), "redor": int(a != 0), "redxor": bin(a).count("1") & 1,
    }[op]


class Words:
    """A random system; nodes are functions of the states' and the inputs' values."""

    def __init__(self, rng):
        self.rng, self.lines, self.sorts, self.next_id = rng, [], {}, 1
        # A node: its id, its sort, how it is evaluated, whether inputs matter, its states.
        self.nodes = []
        self.inputs, self.states = [], []
        self.bads, self.constraints = [], []
        widths = [rng.choice([1, 1, 2, 2, 3]) for _ in range(rng.randint(0, 2))]
        for k, width in enumerate(widths):
            self.variable("input", width, self.inputs, f"in{k}")
        bits = 0
        for k in range(rng.randint(1, 3)):
            sort = rng.choice([1, 1, 2, 2, 3])
            if rng.random() < 0.15:
                sort = (rng.choice([1, 2]), 1)
            size = sort if isinstance(sort, int) else (1 << sort[0]) * sort[1]
            if bits + size <= 6:
                bits += size
                self.variable("state", sort, self.states, f"s{k}" if rng.random() < 0.7 else "")
        for _ in range(rng.randint(2, 12)):
            self.grow()
        self.connect()

    def line(self, text):
        self.lines.append(f"{self.next_id} {text}")
        self.next_id += 1
        return self.next_id - 1

    def sort(self, sort):
        if sort not in self.sorts:
            if isinstance(sort, int):
                self.sorts[sort] = self.line(f"sort bitvec {sort}")
            else:
                index, element = self.sort(sort[0]), self.sort(sort[1])
                self.sorts[sort] = self.line(f"sort array {index} {element}")
        return self.sorts[sort]

    def variable(self, kind, sort, all_of_kind, name):
        sort_id = self.sort(sort)
        id = self.line(f"{kind} {sort_id} {name}".rstrip())
        position = len(all_of_kind)
        which = 0 if kind == "state" else 1
        read = lambda env: env[which][position]
        node = (id, sort, read, kind == "input", {position} if kind == "state" else set())
        all_of_kind.append({"node": node, "init": None, "next": None})
        self.nodes.append(node)

    def pick(self, sort, nodes=None):
        """A node of a sort, negated now and then, or a constant."""
        fit = [n for n in (self.nodes if nodes is None else nodes) if n[1] == sort]
        if fit and self.rng.random() < 0.85:
            node = self.rng.choice(fit)
            if isinstance(sort, int) and self.rng.random() < 0.2:
                mask, value = (1 << sort) - 1, node[2]
                return (-node[0], sort, lambda env: ~value(env) & mask, node[3], node[4])
            return node
        if not isinstance(sort, int):
            return self.rng.choice(fit) if fit else None
        return self.constant(sort)

    def constant(self, sort):
        value, id = self.rng.randrange(1 << sort), self.sort(sort)
        mask = (1 << sort) - 1
        form = self.rng.randrange(4)
        if form == 0:
            id = self.line(f"const {id} {value:0{sort}b}")
        elif form == 1:
            id = self.line(f"constd {id} {value if self.rng.random() < 0.7 else signed(value, sort)}")
        elif form == 2:
            id = self.line(f"consth {id} {value:x}")
        else:
            word, value = self.rng.choice([("zero", 0), ("one", 1), ("ones", mask)])
            id = self.line(f"{word} {id}")
        node = (id, sort, lambda env: value, False, set())
        self.nodes.append(node)
        return node

    def make(self, text, sort, args, value):
        sort_id = self.sort(sort)
        id = self.line(text.format(sort_id, *[a[0] for a in args]))
        inputs, states = any(a[3] for a in args), set().union(*[a[4] for a in args])
        self.nodes.append((id, sort, value, inputs, states))

    def grow(self):
        rng, kind = self.rng, self.rng.random()
        width = rng.choice([1, 2, 2, 3])
        arrays = [n for n in self.nodes if not isinstance(n[1], int)]
        if kind < 0.3:
            a, b, op = self.pick(width), self.pick(width), rng.choice(SAME)
            x, y = a[2], b[2]
            self.make(op + " {} {} {}", width, [a, b], lambda e: binary(op, x(e), y(e), width))
        elif kind < 0.6:
            a, b, op = self.pick(width), self.pick(width), rng.choice(TRUTH)
            x, y = a[2], b[2]
            self.make(op + " {} {} {}", 1, [a, b], lambda e: int(binary(op, x(e), y(e), width)))
        elif kind < 0.7:
            a, op = self.pick(width), rng.choice(UNARY + REDUCE)
            x, to = a[2], 1 if op in REDUCE else width
            self.make(op + " {} {}", to, [a], lambda e: unary(op, x(e), width))
        elif kind < 0.8:
            c, a, b = self.pick(1), self.pick(width), self.pick(width)
            x, y, z = c[2], a[2], b[2]
            self.make("ite {} {} {} {}", width, [c, a, b], lambda e: y(e) if x(e) else z(e))
        elif kind < 0.85:
            a = self.pick(width)
            high = rng.randrange(width)
            low = rng.randint(0, high)
            x, to = a[2], high - low + 1
            mask = (1 << to) - 1
            self.make(f"slice {{}} {{}} {high} {low}", to, [a], lambda e: x(e) >> low & mask)
        elif kind < 0.9:
            a, by = self.pick(width), rng.randint(0, 2)
            x, to, op = a[2], width + by, rng.choice(["uext", "sext"])
            mask = (1 << to) - 1
            extend = (lambda v: v) if op == "uext" else (lambda v: signed(v, width) & mask)
            self.make(f"{op} {{}} {{}} {by}", to, [a], lambda e: extend(x(e)))
        elif kind < 0.95 or not arrays:
            a, b = self.pick(width), self.pick(1)
            x, y, op = a[2], b[2], rng.choice(["concat", "implies", "iff"])
            if op == "concat":
                self.make("concat {} {} {}", width + 1, [a, b], lambda e: x(e) << 1 | y(e))
            else:
                a = self.pick(1)
                x = a[2]
                test = (lambda p, q: q | 1 - p) if op == "implies" else (lambda p, q: int(p == q))
                self.make(op + " {} {} {}", 1, [a, b], lambda e: test(x(e), y(e)))
        else:
            a = rng.choice(arrays)
            index, element = a[1]
            i = self.pick(index)
            x, y = a[2], i[2]
            if rng.random() < 0.5:
                self.make("read {} {} {}", element, [a, i], lambda e: x(e)[y(e)])
            else:
                v = self.pick(element)
                z = v[2]

                def write(e):
                    array = list(x(e))
                    array[y(e)] = z(e)
                    return tuple(array)

                self.make("write {} {} {} {}", a[1], [a, i, v], write)

    def connect(self):
        rng = self.rng
        for position, state in enumerate(self.states):
            id, sort = state["node"][0], state["node"][1]
            sort_id = self.sort(sort)
            if rng.random() < 0.75:
                if isinstance(sort, int):
                    fit = [n for n in self.nodes if not n[3] and all(s < position for s in n[4])]
                    # An initial value is read before its state's other uses, so its node is older.
                    fit = [n for n in fit if n[0] < id]
                    init = self.constant(sort) if rng.random() < 0.8 or not fit else self.pick(sort, fit)
                else:
                    init = self.constant(sort[1])
                    size, value = 1 << sort[0], init[2]
                    init = (init[0], sort, lambda env, v=value, n=size: (v(env),) * n, False, set())
                if init[0] < 0 and init[4] or not isinstance(init[0], int):
                    init = self.constant(sort)
                state["init"] = init
                self.line(f"init {sort_id} {id} {init[0]}")
            if rng.random() < 0.93:
                after = self.pick(sort)
                state["next"] = after
                self.line(f"next {sort_id} {id} {after[0]}")
        truths = [n for n in self.nodes if n[1] == 1]
        for _ in range(rng.choice([0, 0, 0, 1])):
            node = self.pick(1)
            self.constraints.append(node)
            self.line(f"constraint {node[0]}")
        for k in range(rng.choice([1, 1, 1, 2])):
            node = rng.choice(truths[-4:]) if truths and rng.random() < 0.7 else self.pick(1)
            self.bads.append(node)
            self.line(f"bad {node[0]}" + (f" p{k}" if rng.random() < 0.3 else ""))

    def text(self):
        return "\n".join(self.lines) + "\n"

    @staticmethod
    def elements(sort):
        if isinstance(sort, int):
            return range(1 << sort)
        return [
            tuple(code >> (k * sort[1]) & ((1 << sort[1]) - 1) for k in range(1 << sort[0]))
            for code in range(1 << (sort[1] << sort[0]))
        ]

    def product(self, variables, choose):
        rows = [()]
        for variable in variables:
            rows = [row + (v,) for row in rows for v in choose(variable, row)]
        return rows

    def verdicts(self):
        violated = [False] * len(self.bads)
        all_of = lambda variable, row: self.elements(variable["node"][1])
        inputs = self.product(self.inputs, all_of)
        initial = lambda s, row: [s["init"][2]((row, ()))] if s["init"] else all_of(s, row)
        todo = self.product(self.states, initial)
        seen = set(todo)
        while todo:
            state = todo.pop()
            for values in inputs:
                env = (state, values)
                if not all(c[2](env) for c in self.constraints):
                    continue
                for k, bad in enumerate(self.bads):
                    violated[k] |= bool(bad[2](env))
                after = lambda s, row: [s["next"][2](env)] if s["next"] else all_of(s, row)
                for state_after in self.product(self.states, after):
                    if state_after not in seen:
                        seen.add(state_after)
                        todo.append(state_after)
        return violated

    def fits_abc(self):
        return False


# --- Running ------------------------------------------------------------------------------------


class Circuits(Harness):
    def __init__(self, args):
        super().__init__(args, "circuits", ["files", "properties", "safe", "unsafe", "unknown",
                                            "converted", "checked", "abc"])

    def ask(self, path, evidence=None):
        extra = ["--evidence", evidence] if evidence else []
        answers, _ = self.answers(path, "--time", "5s", *extra)
        # Answers come as they are found; the oracle has them by their positions.
        answers.sort(key=lambda answer: int((re.findall(r"\d+$", answer["property"]) or [0])[0]))
        return [answer["verdict"] for answer in answers]

    def compare(self, path, found, expected):
        if len(found) != len(expected):
            self.error(f"{path}: {len(found)} answers for {len(expected)} properties")
        for position, (verdict, bad) in enumerate(zip(found, expected)):
            if verdict != "unknown" and (verdict == "unsafe") != bad:
                self.error(f"{path}: property {position} is {verdict}, but violated: {bad}")

    def one(self, seed):
        rng = random.Random(seed)
        circuit = rng.random() < 0.5
        problem = (Circuit if circuit else Words)(rng)
        path = os.path.join(self.folder, f"{seed}." + ("aag" if circuit else "btor2"))
        with open(path, "w") as file:
            file.write(problem.text())
        before = self.errors
        expected = problem.verdicts()
        evidence = path + ".evidence"
        found = self.ask(path, evidence)
        self.compare(path, found, expected)
        self.count["files"] += 1
        self.count["properties"] += len(found)
        for verdict in found:
            self.count[verdict] += 1
        decided = [verdict for verdict in found if verdict != "unknown"]
        if decided:
            done = self.run("check", path, evidence)
            self.count["checked"] += 1
            if done.returncode != 0 or done.stdout.count("accepted") != len(decided):
                self.error(f"{path}: check: {(done.stdout + done.stderr)[:300]}")
        for to in ["smtlib", "btor2", "aag", "aig"]:
            # A Horn system has one answer, so it speaks of one property.
            if to == "smtlib" and len(expected) > 1:
                continue
            other = f"{path}.{'smt2' if to == 'smtlib' else to}"
            done = self.run("convert", path, "--to", to, "-o", other)
            if done.returncode == 5:
                continue
            if done.returncode != 0:
                self.error(f"{path}: convert to {to}: {done.stderr[:300]}")
                continue
            self.count["converted"] += 1
            self.compare(other, self.ask(other), expected)
            if self.errors == before:
                os.remove(other)
        if self.args.abc and problem.fits_abc() and len(expected) == 1:
            self.ask_abc(path, expected[0])
        if self.errors == before:
            for name in (path, evidence):
                if os.path.exists(name):
                    os.remove(name)

    def ask_abc(self, path, bad):
        binary_path = path + ".aig"
        self.run("convert", path, "--to", "aig", "-o", binary_path)
        script = f"read_aiger {binary_path}; logic; undc; strash; zero; fold; strash; pdr; print_status"
        done = subprocess.run([self.args.abc, "-c", script], capture_output=True, text=True)
        os.remove(binary_path)
        match = re.search(r"Status = +(-?\d)", done.stdout)
        if match and match.group(1) in "01":
            self.count["abc"] += 1
            if (match.group(1) == "0") != bad:
                self.error(f"{path}: abc says {match.group(1)}, but violated: {bad}")


def main():
    parser = arguments(__doc__, 2000)
    parser.add_argument("--abc")
    return Circuits(parser.parse_args()).all()


if __name__ == "__main__":
    sys.exit(main())
