#!/usr/bin/env python3
"""Random C programs with two or three threads, against all interleavings.

    fuzz/random_threads.py [--count 500] [--seed 0] [--alphorn PATH] [--keep DIR] [--time 4s] [--batch 40]
        [--encoding product|owicki-gries|rely-guarantee] [--repeat]

Threads share two or three variables and up to two mutexes. They read and write, branch, loop a few times, take and give
back mutexes (also by trying), run atomic sections and functions, give up (`abort`), assert. The entry creates them,
does something beside them, joins some, and asserts. Every program is run here in all interleavings, a step at a time,
where evaluating is from left to right and each access to something shared is a step; states that were seen are not
visited again. An assertion that fails in one of them is a violation, and so is a race: two threads whose next steps
use one variable, one of them to write it, not both in atomic sections. An answer that is another one is an error.
With `--repeat` some threads are created twice or three times, in a loop.
"""

import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import Harness, arguments  # noqa: E402

HEAD = """typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
extern void reach_error(void);
"""
MAX_STATES = 20_000
MAX_LOCAL = 500


class Program:
    """A program: its text, and the code of its threads for the machine below."""

    def __init__(self, rng, repeat=None):
        self.rng = rng
        self.repeat = repeat
        self.shared = ["x", "y", "z"][: rng.choice([2, 2, 3])]
        self.atomic = {v for v in self.shared if rng.random() < 0.15}
        self.mutexes = ["m", "n"][: rng.choice([0, 1, 1, 2])]
        self.threads = rng.choice([2, 2, 2, 3])
        self.code = []
        self.functions = []
        self.text = ""
        bodies = []
        for number in range(1, self.threads + 1):
            bodies.append(self.thread(number))
        main = self.main()
        words = [HEAD]
        for v in self.shared:
            words.append(f"{'_Atomic ' if v in self.atomic else ''}int {v};")
        words += [f"pthread_mutex_t {m};" for m in self.mutexes]
        words += self.functions + bodies + [main]
        self.text = "\n".join(words) + "\n"

    # --- code: registers are numbers, jumps are patched
    def begin(self):
        self.now, self.regs, self.names, self.locals = [], 0, {}, 0

    def emit(self, *instr):
        self.now.append(list(instr))
        return len(self.now) - 1

    def reg(self):
        self.regs += 1
        return self.regs - 1

    def expr(self, depth=1):
        """Text and register of an expression."""
        rng, kind = self.rng, self.rng.random()
        if depth == 0 or kind < 0.35:
            if rng.random() < 0.35:
                value, out = rng.choice([0, 1, 2]), self.reg()
                self.emit("const", out, value)
                return str(value), out
            name = rng.choice(self.shared + list(self.names))
            if name in self.names:
                return name, self.names[name]
            out = self.reg()
            self.emit("load", out, name)
            return name, out
        op = rng.choice(["+", "-", "==", "<", "!=", "<="])
        left, a = self.expr(depth - 1)
        # A local may be changed later, and its value is what it is now.
        kept = self.reg()
        self.emit("copy", kept, a)
        right, b = self.expr(depth - 1)
        out = self.reg()
        self.emit("op", out, op, kept, b)
        return f"({left} {op} {right})", out

    def condition(self):
        rng = self.rng
        text, out = self.comparison()
        if rng.random() < 0.25:
            op = rng.choice(["&&", "||"])
            both = self.reg()
            self.emit("copy", both, out)
            jump = self.emit("jz" if op == "&&" else "jnz", both, None)
            other, more = self.comparison()
            self.emit("copy", both, more)
            self.now[jump][2] = len(self.now)
            return f"({text} {op} {other})", both
        return text, out

    def comparison(self):
        op = self.rng.choice(["==", "<", "!=", "<="])
        left, a = self.expr(1)
        kept = self.reg()
        self.emit("copy", kept, a)
        right, b = self.expr(0)
        out = self.reg()
        self.emit("op", out, op, kept, b)
        return f"{left} {op} {right}", out

    def statement(self, depth, inside):
        """A statement; `inside` says that it is in an atomic section."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.30:
            v = rng.choice(self.shared)
            text, out = self.expr(1)
            self.emit("store", v, out)
            return f"{v} = {text};"
        if kind < 0.42:
            v, op = rng.choice(self.shared), rng.choice(["++", "--", "+= 2"])
            old, one, new = self.reg(), self.reg(), self.reg()
            if v in self.atomic:
                self.emit("begin")
            self.emit("load", old, v)
            self.emit("const", one, 2 if op == "+= 2" else 1)
            self.emit("op", new, "-" if op == "--" else "+", old, one)
            self.emit("store", v, new)
            if v in self.atomic:
                self.emit("end")
            return f"{v} {op};"
        if kind < 0.50 and len(self.names) < 2:
            self.locals += 1
            name = f"l{self.locals}"
            text, out = self.expr(1)
            self.names[name] = self.reg()
            self.emit("copy", self.names[name], out)
            return f"int {name} = {text};"
        if kind < 0.54:
            text, out = self.condition()
            self.emit("assert", out)
            return f"if (!({text})) reach_error();"
        if kind < 0.58:
            text, out = self.condition()
            self.emit("assume", out)
            return f"if (!({text})) abort();"
        if depth == 0:
            return self.statement(depth, inside) if rng.random() < 0.8 else ";"
        if kind < 0.68:
            text, out = self.condition()
            jump = self.emit("jz", out, None)
            then = self.block(depth - 1, inside)
            over = self.emit("jump", None)
            self.now[jump][2] = len(self.now)
            other = self.block(depth - 1, inside) if rng.random() < 0.5 else ""
            self.now[over][1] = len(self.now)
            return f"if ({text}) {{ {then} }}" + (f" else {{ {other} }}" if other else "")
        if kind < 0.72:
            k = f"k{len(self.now)}"
            counter, one, end, less = (self.reg() for _ in range(4))
            count = rng.choice([1, 2, 2])
            self.emit("const", counter, 0)
            head = self.emit("const", end, count)
            self.emit("op", less, "<", counter, end)
            jump = self.emit("jz", less, None)
            body = self.block(depth - 1, inside)
            self.emit("const", one, 1)
            self.emit("op", counter, "+", counter, one)
            self.emit("jump", head)
            self.now[jump][2] = len(self.now)
            return f"for (int {k} = 0; {k} < {count}; {k}++) {{ {body} }}"
        if kind < 0.75 and not inside:
            head = len(self.now)
            text, out = self.comparison()
            jump = self.emit("jz", out, None)
            self.emit("jump", head)
            self.now[jump][2] = len(self.now)
            return f"while ({text});"
        if kind < 0.93 and self.mutexes and not inside:
            m = rng.choice(self.mutexes)
            if rng.random() < 0.2:
                out = self.reg()
                self.emit("try", out, m)
                jump = self.emit("jnz", out, None)
                body = self.block(depth - 1, inside)
                self.emit("unlock", m)
                self.now[jump][2] = len(self.now)
                return f"if (pthread_mutex_trylock(&{m}) == 0) {{ {body} pthread_mutex_unlock(&{m}); }}"
            self.emit("lock", m)
            body = self.block(depth - 1, inside)
            self.emit("unlock", m)
            return f"pthread_mutex_lock(&{m}); {body} pthread_mutex_unlock(&{m});"
        if not inside:
            self.emit("begin")
            body = self.block(depth - 1, True)
            self.emit("end")
            return f"__VERIFIER_atomic_begin(); {body} __VERIFIER_atomic_end();"
        return ";"

    def block(self, depth, inside):
        names = dict(self.names)
        words = [self.statement(depth, inside) for _ in range(self.rng.choice([1, 1, 2, 2]))]
        self.names = names
        return " ".join(words)

    def thread(self, number):
        self.begin()
        words = [self.statement(2, False) for _ in range(self.rng.choice([1, 2, 2, 3]))]
        self.emit("done")
        self.code.append((self.now, self.regs))
        inner = "\n  ".join(words)
        return f"void *t{number}(void *arg) {{\n  {inner}\n  return 0;\n}}"

    def main(self):
        self.begin()
        rng = self.rng
        words, repeated = [f"pthread_t h{n};" for n in range(1, self.threads + 1)], set()
        if rng.random() < 0.5:
            words.append(self.statement(0, False))
        for n in range(1, self.threads + 1):
            times = self.repeat.choice([1, 2, 2, 3]) if self.repeat and n == 1 else 1
            self.emit("create", n)
            for _ in range(times - 1):
                self.emit("create", len(self.code) + 1)
                self.code.append(self.code[n - 1])
            create = f"pthread_create(&h{n}, 0, t{n}, 0);"
            words.append(create if times == 1 else f"for (int c = 0; c < {times}; c++) {create}")
            repeated.add(n) if times > 1 else None
        if rng.random() < 0.4:
            words.append(self.statement(1, False))
        for n in range(1, self.threads + 1):
            if rng.random() < 0.85 and n not in repeated:
                self.emit("join", n)
                words.append(f"pthread_join(h{n}, 0);")
        if rng.random() < 0.6:
            text, out = self.condition()
            self.emit("assert", out)
            words.append(f"if (!({text})) reach_error();")
        self.emit("exit")
        self.code.insert(0, (self.now, self.regs))
        inner = "\n  ".join(words)
        return f"int main() {{\n  {inner}\n  return 0;\n}}"


OPS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b), "<": lambda a, b: int(a < b), "<=": lambda a, b: int(a <= b),
}


LOCAL = {"const", "copy", "op", "jump", "jz", "jnz"}


class Explorer:
    """All states of a program. What a thread does to its own registers alone is done together with the step before."""

    def __init__(self, program):
        self.code = [[tuple(self.named(program, instr)) for instr in code] for code, _ in program.code]
        self.regs = [regs for _, regs in program.code]
        self.shared, self.mutexes = len(program.shared), len(program.mutexes)
        self.atomic = {program.shared.index(v) for v in program.atomic}
        self.fails = self.races = False
        self.complete = True

    @staticmethod
    def named(program, instr):
        """Variables and mutexes by their positions."""
        at = {"load": 2, "store": 1}.get(instr[0])
        if at:
            return instr[:at] + [program.shared.index(instr[at])] + instr[at + 1:]
        at = {"lock": 1, "unlock": 1, "try": 2}.get(instr[0])
        if at:
            return instr[:at] + [program.mutexes.index(instr[at])] + instr[at + 1:]
        return instr

    def run(self):
        threads = [None] * len(self.code)
        threads[0] = self.settled(0, 0, [0] * self.regs[0])
        first = ((0,) * self.shared, (None,) * self.mutexes, tuple(threads), None, 0)
        seen, todo = {first}, [first]
        while todo and not (self.fails and self.races):
            if len(seen) > MAX_STATES:
                self.complete = False
                return
            state = todo.pop()
            if not self.races:
                self.look_for_race(state)
            runs = range(len(self.code)) if state[3] is None else (state[3],)
            for n in runs:
                thread = state[2][n]
                if thread not in (None, "done", "stuck"):
                    after = self.step(state, n, self.code[n][thread[0]])
                    if after is not None and after not in seen:
                        seen.add(after)
                        todo.append(after)

    def settled(self, n, pc, regs):
        """A thread where its next step is one that others may see."""
        code = self.code[n]
        taken = 0
        while code[pc][0] in LOCAL:
            taken += 1
            if taken > MAX_LOCAL:
                # It runs for ever by itself, which nobody sees.
                return "stuck"
            instr = code[pc]
            kind, pc = instr[0], pc + 1
            if kind == "const":
                regs[instr[1]] = instr[2]
            elif kind == "copy":
                regs[instr[1]] = regs[instr[2]]
            elif kind == "op":
                regs[instr[1]] = OPS[instr[2]](regs[instr[3]], regs[instr[4]])
            elif kind == "jump":
                pc = instr[1]
            elif kind == "jz":
                pc = instr[2] if regs[instr[1]] == 0 else pc
            else:
                pc = instr[2] if regs[instr[1]] != 0 else pc
        return (pc, tuple(regs))

    def look_for_race(self, state):
        uses = []
        for n, thread in enumerate(state[2]):
            if thread in (None, "done", "stuck"):
                continue
            instr = self.code[n][thread[0]]
            if instr[0] in ("load", "store"):
                var = instr[2] if instr[0] == "load" else instr[1]
                uses.append((var, instr[0] == "store", n == state[3] or var in self.atomic))
        for i, (v, w, a) in enumerate(uses):
            for u, x, b in uses[i + 1:]:
                if v == u and (w or x) and not (a and b):
                    self.races = True

    def step(self, state, n, instr):
        shared, held, threads, holder, depth = state
        pc, regs = threads[n]
        kind, pc, regs, new = instr[0], pc + 1, list(regs), None
        if kind == "load":
            regs[instr[1]] = shared[instr[2]]
        elif kind == "store":
            at = instr[1]
            shared = shared[:at] + (regs[instr[2]],) + shared[at + 1:]
        elif kind == "assert":
            if regs[instr[1]] == 0:
                self.fails = True
                return None
        elif kind == "assume":
            if regs[instr[1]] == 0:
                return None
        elif kind in ("lock", "try"):
            m = instr[-1]
            is_free = held[m] is None
            if kind == "lock" and not is_free:
                return None
            if kind == "try":
                regs[instr[1]] = 0 if is_free else 16
            if is_free:
                held = held[:m] + (n,) + held[m + 1:]
        elif kind == "unlock":
            m = instr[1]
            if held[m] != n:
                return None
            held = held[:m] + (None,) + held[m + 1:]
        elif kind == "begin":
            holder, depth = n, depth + 1
        elif kind == "end":
            depth -= 1
            holder = None if depth == 0 else n
        elif kind == "create":
            new = instr[1]
        elif kind == "join":
            if threads[instr[1]] != "done":
                return None
        elif kind == "exit":
            return None
        after = list(threads)
        after[n] = "done" if kind == "done" else self.settled(n, pc, regs)
        if new is not None:
            after[new] = self.settled(new, 0, [0] * self.regs[new])
        return (shared, held, tuple(after), holder, depth)


class Threads(Harness):
    def all(self):
        args = self.args
        for start in range(args.seed, args.seed + args.count, args.batch):
            self.some(range(start, min(start + args.batch, args.seed + args.count)))
        print(self.count, f"{self.errors} errors")
        return 1 if self.errors else 0

    def some(self, seeds):
        known = {}
        for seed in seeds:
            repeat = random.Random(-seed - 1) if self.args.repeat else None
            program = Program(random.Random(seed), repeat)
            explorer = Explorer(program)
            explorer.run()
            path = os.path.join(self.folder, f"{seed}.c")
            with open(path, "w") as out:
                out.write(program.text)
            known[path] = explorer
        for asked in ("unreach-call", "no-data-race"):
            more = ["--encoding", self.args.encoding] if self.args.encoding else []
            limits = ["--time", self.args.time, "--threads", "1"]
            done = self.run(*known, "--property", asked, *limits, *more)
            text = done.stdout + done.stderr
            what = "(?:so many interleavings of threads|a loop in an atomic section, for threads one by one)"
            refused = set(re.findall(what + r"\s+-->\s+(\S+?):", text))
            if done.returncode not in (0, 1, 2) and not (done.returncode == 5 and refused):
                self.error(f"{asked}: exit {done.returncode}: {text[-400:]}")
            found = dict(re.findall(r"^(\S+\.c): (SAFE|UNSAFE|UNKNOWN)", text, re.M))
            if "fault of ours" in text:
                self.error(f"{asked}: {text[text.index('fault of ours') - 200:][:400]}")
            for path, explorer in known.items():
                said = "UNKNOWN" if path in refused else found.get(path, "nothing")
                self.compare(path, asked, said, explorer)
        for path in known:
            if not self.args.keep:
                os.remove(path)

    def compare(self, path, asked, said, explorer):
        bad = explorer.fails if asked == "unreach-call" else explorer.races
        self.count["asked"] += 1
        if said not in ("SAFE", "UNSAFE"):
            self.count["open"] += 1
            if said == "nothing":
                self.error(f"{path}: {asked}: no answer")
        elif said == "UNSAFE" and not bad and not explorer.complete:
            self.count["beyond"] += 1
        elif (said == "UNSAFE") != bad and (bad or explorer.complete):
            self.error(f"{path}: {asked}: {said}, and {'there' if bad else 'no'} violation here")
        else:
            self.count[said] += 1


def main():
    parser = arguments(__doc__, 500)
    parser.add_argument("--time", default="4s")
    parser.add_argument("--batch", type=int, default=40)
    parser.add_argument("--encoding")
    parser.add_argument("--repeat", action="store_true")
    return Threads(parser.parse_args(), "threads", ["asked", "SAFE", "UNSAFE", "open", "beyond"]).all()


if __name__ == "__main__":
    sys.exit(main())
