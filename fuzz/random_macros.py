#!/usr/bin/env python3
"""Random macros: our preprocessor against a compiler's.

    fuzz/random_macros.py [--count 1000] [--seed 0] [--tokens PATH] [--cc gcc] [--keep DIR]

Files define macros of all kinds over a few names, with # and ##, empty and missing arguments, variadic ones,
conditions and uses that call each other. What `cc -E` makes of a file and what we make of it must be the same
tokens; both must refuse the same files. PATH is the example c_tokens of alphorn-front:

    cargo build --release -p alphorn-front --example c_tokens
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

NAMES = ["f", "g", "h", "a", "b", "c", "d", "x1"]
PLAIN = ["1", "2x", ".5", '"s\\n"', "'c'", 'L"w"', "0x1e+2", "y", "z", "w"]
MARKS = ["+", "-", "<", "<<", ">", "=", "&", "(", ",", ".", "[", "]"]
CONDITIONS = ["defined a", "defined(f) && !defined g", "1 + 2 * 3 > 6", "a", "b == 0", "-1 > 0u", "(1,2)",
              "1 ? 0 : 1", "!c", "f", "d(1)", "'a' < 98 || 1 / 0"]


class File:
    def __init__(self, rng):
        self.rng, self.lines = rng, []
        for _ in range(rng.randint(3, 9)):
            kind = rng.random()
            if kind < 0.6:
                self.define()
            elif kind < 0.75:
                self.conditional()
            else:
                self.lines.append(self.use())
        self.lines += [self.use() + ";" for _ in range(3)]

    def text(self):
        return "\n".join(self.lines) + "\n"

    def token(self, params, depth=0):
        rng, kind = self.rng, self.rng.random()
        if params and kind < 0.35:
            return rng.choice(params)
        if kind < 0.5:
            return rng.choice(NAMES)
        if kind < 0.65 and depth < 3:
            count = rng.randint(0, 3)
            args = [self.token(params, depth + 1) if rng.random() < 0.8 else "" for _ in range(count)]
            return rng.choice(NAMES[:5]) + "(" + ",".join(args) + ")"
        return rng.choice(PLAIN if kind < 0.85 else MARKS)

    def body(self, params):
        rng, words = self.rng, []
        for position in range(rng.randint(0, 5)):
            if position and rng.random() < 0.15:
                words.append("##")
            if params and rng.random() < 0.12:
                words.append(rng.choice(["#", "# "]) + rng.choice(params))
            else:
                words.append(self.token(params))
        return "".join(word + rng.choice([" ", " ", ""]) for word in words)

    def define(self):
        rng, name = self.rng, self.rng.choice(NAMES)
        self.lines.append(f"#undef {name}")
        if rng.random() < 0.5:
            self.lines.append(f"#define {name} {self.body([])}")
            return
        params = rng.sample(["p", "q", "r"], rng.randint(0, 3))
        is_variadic = rng.random() < 0.3
        body = self.body(params + ["__VA_ARGS__"] * is_variadic)
        if is_variadic and params and rng.random() < 0.4:
            body += " , ## __VA_ARGS__"
        self.lines.append(f"#define {name}({','.join(params + ['...'] * is_variadic)}) {body}")

    def conditional(self):
        rng = self.rng
        self.lines += ["#if " + rng.choice(CONDITIONS), self.use()]
        if rng.random() < 0.5:
            self.lines += ["#elif " + rng.choice(CONDITIONS), self.use()]
        if rng.random() < 0.5:
            self.lines += ["#else", self.use()]
        self.lines.append("#endif")

    def use(self):
        return " ".join(self.token([]) for _ in range(self.rng.randint(1, 6)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tokens", default="target/release/examples/c_tokens")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--keep")
    args = parser.parse_args()
    folder = args.keep or tempfile.mkdtemp(prefix="alphorn-macros-")
    os.makedirs(folder, exist_ok=True)
    path, theirs = os.path.join(folder, "file.c"), os.path.join(folder, "theirs.c")
    run = lambda *command: subprocess.run(command, capture_output=True, text=True)
    count = {"same": 0, "refused": 0, "errors": 0}
    for seed in range(args.seed, args.seed + args.count):
        text = File(random.Random(seed)).text()
        with open(path, "w") as file:
            file.write(text)
        compiler, ours = run(args.cc, "-E", "-P", path), run(args.tokens, path)
        is_refused = "error:" in compiler.stderr
        if ours.returncode not in (0, 4) or (ours.returncode == 4) != is_refused:
            count["errors"] += 1
            print(f"seed {seed}: exit {ours.returncode}\n{text}{compiler.stderr}{ours.stderr}")
            continue
        if is_refused:
            count["refused"] += 1
            continue
        with open(theirs, "w") as file:
            file.write(compiler.stdout)
        again = run(args.tokens, theirs)
        if again.stdout == ours.stdout:
            count["same"] += 1
        else:
            count["errors"] += 1
            print(f"seed {seed}:\n{text}ours   {ours.stdout.split()}\ntheirs {again.stdout.split()}")
    print(count)
    return 1 if count["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
