#!/usr/bin/env python3
"""Random games over words of two or three bits, by predicates, against brute force.

    fuzz/word_games.py [--count 2000] [--seed 0] [--alphorn PATH] [--keep DIR]

A system has one or two words and a bit as states, a word and a bit from the environment, and a word and a bit from
the controller. `alphorn synth --engine game-words` is told that words of more than one bit are wide. What it says to
be realizable must be so when all plays are tried, and its evidence is checked again. Now and then all engines are
asked, whose answer must be right whatever it is.
"""

import itertools
import os
import random
import sys

from harness import Harness, arguments

WORDS = {
    "add": lambda a, b, mask: a + b & mask,
    "sub": lambda a, b, mask: a - b & mask,
    "xor": lambda a, b, mask: a ^ b,
    "and": lambda a, b, mask: a & b,
    "mul": lambda a, b, mask: a * b & mask,
}
TESTS = {
    "eq": lambda a, b: a == b,
    "neq": lambda a, b: a != b,
    "ult": lambda a, b: a < b,
    "ugt": lambda a, b: a > b,
}
BITS = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


class Play:
    """A random game: lines of BTOR2, and what they are as functions of the values of variables."""

    def __init__(self, rng):
        self.rng, self.width = rng, rng.choice([2, 2, 3])
        self.mask = (1 << self.width) - 1
        self.lines = []
        self.word, self.bit = self.line("sort bitvec", self.width), self.line("sort bitvec", 1)
        self.states, self.words, self.bits = [], [], []
        for at in range(rng.randint(1, 2)):
            self.state(f"s{at}", self.word)
        self.state("b", self.bit)
        self.others = [self.input("e", self.word), self.input("f", self.bit)]
        self.controls = [self.input("controllable_c", self.word), self.input("controllable_d", self.bit)]
        self.nexts = {}
        for name, number, sort, _ in self.states:
            term = self.wide(2) if sort == self.word else self.short(2)
            self.line("next", sort, number, term[0])
            self.nexts[name] = term[1]
        self.bads = [self.short(2) for _ in range(rng.randint(1, 2))]
        for number, _ in self.bads:
            self.line("bad", number)
        self.constraints = [self.short(1)] if rng.random() < 0.2 else []
        for number, _ in self.constraints:
            self.line("constraint", number)

    def line(self, *parts):
        self.lines.append(" ".join([str(len(self.lines) + 1), *map(str, parts)]))
        return len(self.lines)

    def variable(self, name, number, sort):
        (self.words if sort == self.word else self.bits).append((number, lambda values: values[name]))

    def state(self, name, sort):
        number = self.line("state", sort, name)
        value = None
        if self.rng.random() < 0.8:
            value = self.rng.randint(0, self.mask if sort == self.word else 1)
            self.line("init", sort, number, self.line("constd", sort, value))
        self.states.append((name, number, sort, value))
        self.variable(name, number, sort)

    def input(self, name, sort):
        self.variable(name, self.line("input", sort, name), sort)
        return name, (self.mask if sort == self.word else 1)

    def wide(self, depth):
        kind = self.rng.random()
        if depth == 0 or kind < 0.3:
            if self.rng.random() < 0.15:
                value = self.rng.randint(0, self.mask)
                return self.line("constd", self.word, value), lambda values: value
            return self.rng.choice(self.words)
        if kind < 0.6:
            test, one, other = self.short(depth - 1), self.wide(depth - 1), self.wide(depth - 1)
            number = self.line("ite", self.word, test[0], one[0], other[0])
            return number, lambda values: one[1](values) if test[1](values) else other[1](values)
        op = self.rng.choice(list(WORDS))
        one, other = self.wide(depth - 1), self.wide(depth - 1)
        number = self.line(op, self.word, one[0], other[0])
        return number, lambda values: WORDS[op](one[1](values), other[1](values), self.mask)

    def short(self, depth):
        kind = self.rng.random()
        if depth == 0 or kind < 0.2:
            return self.rng.choice(self.bits)
        if kind < 0.65:
            op = self.rng.choice(list(TESTS))
            one, other = self.wide(depth - 1), self.wide(depth - 1)
            number = self.line(op, self.bit, one[0], other[0])
            return number, lambda values: int(TESTS[op](one[1](values), other[1](values)))
        op = self.rng.choice(list(BITS))
        one, other = self.short(depth - 1), self.short(depth - 1)
        number = self.line(op, self.bit, one[0], other[0])
        return number, lambda values: BITS[op](one[1](values), other[1](values))

    def is_won(self):
        """Whether the controller wins, by all plays."""
        names = [name for name, *_ in self.states]
        every = list(itertools.product(*(range((self.mask if sort == self.word else 1) + 1)
                                         for _, _, sort, _ in self.states)))
        moves = lambda inputs: [dict(zip([name for name, _ in inputs], values)) for values in
                                itertools.product(*(range(most + 1) for _, most in inputs))]
        # By state and move of the environment: where the controller can go without losing at once; none is to win.
        ways = {}
        for state in every:
            for number, move in enumerate(moves(self.others)):
                after = set()
                for answer in moves(self.controls):
                    values = {**dict(zip(names, state)), **move, **answer}
                    if not all(holds(values) for _, holds in self.constraints):
                        after = None
                        break
                    if not any(is_bad(values) for _, is_bad in self.bads):
                        after.add(tuple(self.nexts[name](values) for name in names))
                if after is not None:
                    ways[state, number] = after
        lost, size = set(), -1
        while len(lost) != size:
            size = len(lost)
            lost |= {state for (state, _), after in ways.items() if after <= lost}
        first = [state for state in every
                 if all(value is None or value == own
                        for own, (_, _, _, value) in zip(state, self.states))]
        return not any(state in lost for state in first)


class WordGames(Harness):
    def one(self, seed):
        rng = random.Random(seed)
        play = Play(rng)
        path = os.path.join(self.folder, f"{seed}.btor2")
        evidence = path + ".txt"
        with open(path, "w") as file:
            file.write("\n".join(play.lines) + "\n")
        is_won = play.is_won()
        self.count["won" if is_won else "lost"] += 1
        short = ["--set", "games.short-words=1"]
        done = self.run("synth", "-q", "--engine", "game-words", *short, path, "--evidence", evidence, "--time", "20s")
        if done.returncode not in (0, 2) or done.returncode == 0 and not is_won:
            return self.error(f"{path}: exit {done.returncode}: {done.stdout}{done.stderr}")
        if done.returncode == 0:
            self.count["by predicates"] += 1
            checked = self.run("check", path, evidence)
            if checked.returncode != 0:
                return self.error(f"{evidence}: refused: {checked.stdout}{checked.stderr}")
        elif "refused" in done.stdout or "fault" in done.stdout:
            return self.error(f"{path}: {done.stdout}")
        if rng.random() < 0.2:
            whole = self.run("synth", "-q", *short, path, "--time", "20s")
            if whole.returncode != (0 if is_won else 1):
                return self.error(f"{path}: exit {whole.returncode}, won: {is_won}: {whole.stdout}{whole.stderr}")
            self.count["by all"] += 1
        if not self.args.keep:
            for file in (path, evidence):
                if os.path.exists(file):
                    os.unlink(file)


if __name__ == "__main__":
    parser = arguments(__doc__, 2000)
    sys.exit(WordGames(parser.parse_args(), "word-games", ["won", "lost", "by predicates", "by all"]).all())
