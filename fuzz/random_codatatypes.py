#!/usr/bin/env python3
"""Random questions about codatatypes, mixed with datatypes, numbers, words, arrays, declared sorts and functions, against cvc5.

    fuzz/random_codatatypes.py [--count 2000] [--seed 0] [--batch 50] [--alphorn "PATH smt --time 2s"] [--keep DIR]

Each seed is a script of a question or more, without quantifiers: two or three codatatypes of those below, perhaps a datatype with their values in
it, a few constants and functions, and clauses of equations, testers and comparisons, of which many say that a value is inside itself.
The program gets many scripts at once, between resets; where that goes wrong they are asked one by one. cvc5 (`pip install cvc5`)
has two seconds for each. It does not see that a codatatype without a choice has one value, so it is given a datatype with one value in its
place; and its models are evaluated where answers differ, as it takes trees for different that are the same
(`x = node(y, x)`, `y = node(x, x)`). Different answers, refused answers and faults are errors, and their scripts are kept; so is an answer
`unknown` kept where cvc5 knows one.
"""

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile

from harness import by_cvc5

# By sort: the declaration, the constructors with the sorts of their fields and the selectors, and which sorts it needs.
SORTS = {
    "Stream": ("(declare-codatatype Stream ((cons (head Int) (tail Stream))))",
               [("cons", [("head", "Int"), ("tail", "Stream")])]),
    "Conat": ("(declare-codatatype Conat ((zero) (succ (pred Conat))))", [("zero", []), ("succ", [("pred", "Conat")])]),
    "Walk": ("(declare-codatatype Walk ((left (after_left Walk)) (right (after_right Walk))))",
             [("left", [("after_left", "Walk")]), ("right", [("after_right", "Walk")])]),
    "One": ("(declare-codatatype One ((again (once One))))", [("again", [("once", "One")])]),
    "Bits": ("(declare-codatatype Bits ((bit (first Bool) (rest Bits))))", [("bit", [("first", "Bool"), ("rest", "Bits")])]),
    "Tree": ("(declare-codatatype Tree ((leaf) (node (below Tree) (label Int) (beside Tree))))",
             [("leaf", []), ("node", [("below", "Tree"), ("label", "Int"), ("beside", "Tree")])]),
    "Even": ("(declare-codatatypes ((Even 0) (Odd 0)) (((even (odd_of Odd)) (stop)) ((odd (even_of Even)))))",
             [("even", [("odd_of", "Odd")]), ("stop", [])]),
    "Odd": ("", [("odd", [("even_of", "Even")])]),
    "Marked": ("(declare-datatype Mark ((red) (green)))\n"
               "(declare-codatatype Marked ((mark (of Mark) (one One) (more Marked))))",
               [("mark", [("of", "Mark"), ("one", "One"), ("more", "Marked")])]),
    "Mark": ("", [("red", []), ("green", [])]),
    "Finite": ("(declare-codatatype Finite ((pick (chosen Bool) (only One)) (none)))",
               [("pick", [("chosen", "Bool"), ("only", "One")]), ("none", [])]),
    "Words": ("(declare-codatatype Words ((word (now Pair) (then Words)) (pause (later Words))))",
              [("word", [("now", "Pair"), ("then", "Words")]), ("pause", [("later", "Words")])]),
    "Things": ("(declare-codatatype Things ((thing (this E) (next Things))))", [("thing", [("this", "E"), ("next", "Things")])]),
    "Maps": ("(declare-codatatype Maps ((map (at (Array Int Int)) (maps Maps)) (flat)))",
             [("map", [("at", "Cells"), ("maps", "Maps")]), ("flat", [])]),
    "List": ("", [("nil", []), ("put", [("item", "$"), ("others", "List")])]),
}
NEEDS = {"Even": ["Odd"], "Marked": ["One", "Mark"], "Finite": ["One"]}
ORDER = ["Stream", "Conat", "Walk", "One", "Bits", "Tree", "Even", "Odd", "Mark", "Marked", "Finite", "Words", "Things", "Maps"]


class Question:
    """A script in the making."""

    def __init__(self, rng):
        self.rng = rng
        names = [name for name in ORDER if name not in ("Odd", "Mark")]
        chosen = set(rng.sample(names, rng.randint(1, 2)))
        for name in list(chosen):
            chosen.update(NEEDS.get(name, []))
        self.ctors = {name: SORTS[name][1] for name in chosen}
        lines = ["(define-sort Pair () (_ BitVec 2))", "(declare-sort E 0)", "(define-sort Cells () (Array Int Int))"]
        lines += [SORTS[name][0] for name in ORDER if name in chosen and SORTS[name][0]]
        if rng.random() < 0.4:
            item = rng.choice(sorted(chosen - {"Mark"}))
            lines.append(f"(declare-datatype List ((nil) (put (item {item}) (others List))))")
            fields = [("item", item), ("others", "List")]
            self.ctors["List"] = [("nil", []), ("put", fields)]
        self.sorts = sorted(self.ctors)
        self.consts = {"Int": ["i", "j"], "Bool": ["p", "q"], "Pair": ["b", "c"], "E": ["d", "e"], "Cells": ["g", "h"]}
        lines += [f"(declare-const {name} {sort})" for sort in self.consts for name in self.consts[sort]]
        self.array = rng.choice(sorted(chosen)) if rng.random() < 0.2 else None
        if self.array:
            lines.append(f"(declare-const m (Array Int {self.array}))(declare-const n (Array Int {self.array}))")
        for sort in self.sorts:
            self.consts[sort] = [f"{sort.lower()}{place}" for place in range(rng.randint(1, 3))]
            lines += [f"(declare-const {name} {sort})" for name in self.consts[sort]]
        self.funcs = []
        for place in range(rng.randint(0, 2)):
            source = rng.choice(self.sorts)
            target = rng.choice(self.sorts + ["Int"])
            self.funcs.append((f"f{place}", source, target))
            lines.append(f"(declare-fun f{place} ({source}) {target})")
        for _ in range(rng.randint(2, 8)):
            literals = [self.literal() for _ in range(1 if rng.random() < 0.65 else 2)]
            lines.append(f"(assert {literals[0] if len(literals) == 1 else f'(or {literals[0]} {literals[1]})'})")
            if rng.random() < 0.05:
                lines.append(rng.choice(["(push)", "(push)", "(check-sat)"]))
        if "(push)" in lines:
            lines += ["(check-sat)", "(pop)", f"(assert {self.literal()})"]
        self.text = "\n".join(lines)

    def term(self, sort, depth):
        rng = self.rng
        choice = rng.random()
        if sort == "Int" and choice < 0.35:
            return str(rng.randint(0, 2))
        if sort == "Bool" and choice < 0.3:
            return rng.choice(["true", "false"])
        if sort == "Pair" and choice < 0.3:
            return rng.choice(["#b00", "#b01", "#b11"])
        if sort == "Cells" and choice < 0.3:
            return f"(store {rng.choice(self.consts[sort])} {rng.choice('01i')} {rng.choice('01j')})"
        if depth > 0 and sort == self.array and choice < 0.2:
            array = rng.choice("mn")
            if rng.random() < 0.4:
                array = f"(store {array} {rng.choice('01i')} {self.term(sort, 0)})"
            return f"(select {array} {rng.choice('01j')})"
        if depth > 0 and choice < 0.75:
            ways = [("make", ctor) for ctor in self.ctors.get(sort, [])] * 2
            for owner in self.sorts:
                for _, fields in self.ctors[owner]:
                    ways += [("select", (name, owner)) for name, own in fields if own == sort]
            ways += [("call", func) for func in self.funcs if func[2] == sort]
            if ways:
                kind, way = rng.choice(ways)
                if kind == "make":
                    name, fields = way
                    args = " ".join(self.term(own, depth - 1) for _, own in fields)
                    return f"({name} {args})" if fields else name
                if kind == "select":
                    return f"({way[0]} {self.term(way[1], depth - 1)})"
                return f"({way[0]} {self.term(way[1], depth - 1)})"
        return rng.choice(self.consts[sort])

    def literal(self):
        rng = self.rng
        choice = rng.random()
        sort = rng.choice(self.sorts)
        if choice < 0.35:
            # A value inside itself, or inside another one.
            made = [ctor for ctor in self.ctors[sort] if ctor[1]] or self.ctors[sort]
            name, fields = rng.choice(made)
            args = " ".join(self.term(own, 1) for _, own in fields)
            atom = f"(= {rng.choice(self.consts[sort])} {f'({name} {args})' if fields else name})"
        elif choice < 0.65:
            atom = f"(= {self.term(sort, 2)} {self.term(sort, 2)})"
        elif choice < 0.8:
            name, _ = rng.choice(self.ctors[sort])
            atom = f"((_ is {name}) {self.term(sort, 2)})"
        elif choice < 0.88 and len(self.consts[sort]) > 1:
            return f"(distinct {' '.join(self.consts[sort])})"
        elif choice < 0.95:
            atom = f"({rng.choice(['<', '<=', '='])} {self.term('Int', 2)} {self.term('Int', 2)})"
        else:
            atom = self.term("Bool", 2)
        return f"(not {atom})" if rng.random() < (0.15 if choice < 0.35 else 0.4) else atom


# The codatatype with one value, as a datatype with one.
ONE = """(declare-datatype One ((only_one)))
(define-fun again ((x One)) One only_one)
(define-fun once ((x One)) One only_one)
(define-fun is_again ((x One)) Bool true)"""


def ask(command, texts):
    """What the program says to scripts, and what it complains about."""
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write("\n(reset)\n".join(texts))
        file.flush()
        try:
            run = subprocess.run([*shlex.split(command), file.name], capture_output=True, text=True,
                                 timeout=5 * len(texts) + 10)
        except subprocess.TimeoutExpired:
            return [], "no end"
    said, asked = run.stdout.split("\n")[:-1], [text.count("(check-sat)") for text in texts]
    if len(said) != sum(asked):
        return ["\n".join(said)], run.stderr.strip()
    lines = iter(said)
    return [" ".join(next(lines) for _ in range(count)) for count in asked], run.stderr.strip()


def answers(text, own):
    """cvc5's answers to the questions of a script, each asked alone, beside our own."""
    lines, levels, found = [], [], []
    for line in text.replace(SORTS["One"][0], ONE).replace("(_ is again)", "is_again").split("\n"):
        if line == "(push)":
            levels.append(len(lines))
        elif line == "(pop)":
            del lines[levels.pop():]
        elif line == "(check-sat)":
            question = "\n".join(lines) + "\n(check-sat)\n"
            other = by_cvc5(question)
            if own[len(found):len(found) + 1] == ["unsat"] and other == "sat":
                other = by_cvc5(question, with_model=True)
            found.append(other)
        else:
            lines.append(line)
    return " ".join(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--alphorn", default="target/release/alphorn smt --time 2s")
    parser.add_argument("--keep", default="fuzz/failures")
    args = parser.parse_args()
    counts, errors = {}, 0
    for start in range(args.seed, args.seed + args.count, args.batch):
        seeds = range(start, min(start + args.batch, args.seed + args.count))
        texts = ["(set-logic ALL)\n" + Question(random.Random(seed)).text + "\n(check-sat)\n" for seed in seeds]
        said, noise = ask(args.alphorn, texts)
        words = {"sat", "unsat", "unknown"}
        if len(said) != len(texts) or noise:
            both = [ask(args.alphorn, [text]) for text in texts]
            said, noises = ["\n".join(said) for said, _ in both], [noise for _, noise in both]
        else:
            noises = [""] * len(texts)
        for seed, text, own, noise in zip(seeds, texts, said, noises):
            other = answers(text, own.split())
            pairs = list(zip(own.split(), other.split()))
            for pair in pairs:
                counts[pair] = counts.get(pair, 0) + 1
            is_refused = "refused" in noise or "panicked" in noise
            is_wrong = any({own, other} == {"sat", "unsat"} for own, other in pairs)
            if not words.issuperset(own.split()) or is_refused or is_wrong:
                errors += 1
                print(f"seed {seed}: alphorn {own[:200]!r}, cvc5 {other!r}; {noise[:200]}", flush=True)
            elif "unknown" not in own:
                continue
            os.makedirs(args.keep, exist_ok=True)
            with open(f"{args.keep}/codatatypes_{seed}.smt2", "w") as file:
                file.write(text)
    for (own, other), count in sorted(counts.items()):
        print(f"alphorn {own[:20]:8} cvc5 {other:9} {count}")
    print(f"{errors} errors")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
