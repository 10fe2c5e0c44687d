#!/usr/bin/env python3
"""Laws of sums and products of words, each as a script at several widths: answers and CPU time by several programs.

    bench/word_laws.py [--widths 4,8,12,16,24,32,48,64] [--program PATH …] [--z3 PATH] [--seconds 10] [--only NAME …]

A law says that two words are equal: as an equation, below comparisons, functions, arrays and conditionals, and behind definitions.
All scripts are unsatisfiable but those named `open`. What was measured is in bench/notes/smt-words.md.
"""

import argparse
import pathlib
import tempfile

from exists_forall import ask


def laws(width):
    """Scripts by name."""
    number = lambda value: f"(_ bv{value % 2 ** width} {width})"
    sort, half = f"(_ BitVec {width})", width // 2
    differ = lambda left, right: f"(assert (not (= {left} {right})))"
    whole, spread = "(bvmul a (bvadd b c))", "(bvadd (bvmul a b) (bvmul a c))"
    long = f"(bvadd (bvmul a a) (bvadd (bvmul {number(2)} (bvmul a b)) (bvmul b b)))"
    cubes = f"(bvadd (bvmul {number(3)} (bvmul a (bvmul a b))) (bvadd (bvmul {number(3)} (bvmul a (bvmul b b))) (bvmul b (bvmul b b))))"
    found = {
        "distributive": differ(whole, spread),
        "three factors": differ("(bvmul (bvmul a b) c)", "(bvmul b (bvmul c a))"),
        "four factors": differ("(bvmul (bvmul a b) (bvmul c d))", "(bvmul (bvmul d b) (bvmul a c))"),
        "square": differ("(bvmul (bvadd a b) (bvadd a b))", long),
        "squares": differ("(bvmul (bvadd a b) (bvsub a b))", "(bvsub (bvmul a a) (bvmul b b))"),
        "cube": differ("(bvmul (bvadd a b) (bvmul (bvadd a b) (bvadd a b)))", f"(bvadd (bvmul a (bvmul a a)) {cubes})"),
        "shifts": differ(f"(bvshl (bvmul a b) {number(2)})", f"(bvmul (bvshl a {number(1)}) (bvshl b {number(1)}))"),
        "complement": differ("(bvmul (bvnot a) b)", "(bvsub (bvneg (bvmul a b)) b)"),
        "below less": f"(assert (bvult {whole} {spread}))",
        "below signed": f"(assert (not (bvsle {whole} {spread})))",
        "below function": f"(declare-fun f ({sort}) {sort})" + differ(f"(f {whole})", f"(f {spread})"),
        "below array": f"(declare-const m (Array {sort} {sort}))" + differ(f"(select m {whole})", f"(select m {spread})"),
        "below extract": differ(f"((_ extract {width - 1} {half}) {whole})", f"((_ extract {width - 1} {half}) {spread})"),
        "below bits": differ(f"(bvand d {whole})", f"(bvand {spread} d)"),
        "below choice": "(declare-const t Bool)" + differ(f"(ite t {whole} {spread})", spread),
        "below or": f"(assert (or (not (= {whole} {spread})) (bvult {whole} {spread})))",
        "defined": "(assert (= d (bvadd b c)))(assert (= p (bvmul a d)))(assert (= q (bvmul a b)))(assert (= r (bvmul a c)))"
                   + differ("p", "(bvadd q r)"),
        "defined factor": "(assert (= d (bvmul b c)))" + differ("(bvmul a d)", "(bvmul (bvmul a b) c)"),
        "defined sum": "(assert (= c (bvadd a b)))" + differ("(bvmul c c)", long),
        "equal factors": "(assert (= a b))" + differ("(bvmul a c)", "(bvmul c b)"),
        "low half": differ(f"((_ extract {half - 1} 0) (bvmul a b))",
                           f"(bvmul ((_ extract {half - 1} 0) b) ((_ extract {half - 1} 0) a))"),
        "chosen factor": "(declare-const t Bool)" + differ("(bvmul a (ite t b c))", "(ite t (bvmul a b) (bvmul c a))"),
        "division": differ("(bvadd (bvmul (bvudiv a b) b) (bvurem a b))", "a"),
        "open distributive": differ(whole, "(bvadd (bvmul a b) (bvmul b c))"),
        "open less": f"(assert (bvult {whole} (bvmul a c)))",
    }
    names = "".join(f"(declare-const {name} {sort})" for name in "abcdpqr")
    return {name: f"(set-logic ALL)\n{names}\n{text}\n(check-sat)\n" for name, text in found.items()}


def main(laws=laws, about=__doc__, widths="4,8,12,16,24,32,48,64"):
    """Asks programs about scripts by name, which a function makes of a width."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--widths", default=widths)
    parser.add_argument("--program", action="append")
    parser.add_argument("--z3")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--only", action="append")
    args = parser.parse_args()
    widths = [int(width) for width in args.widths.split(",")]
    commands = [[program, "smt"] for program in args.program or ["target/release/alphorn"]]
    commands += [[args.z3]] if args.z3 else []
    decided, total = [0 for _ in commands], [0.0 for _ in commands]
    asked = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in laws(16):
            if args.only and name not in args.only:
                continue
            rows = [[] for _ in commands]
            for width in widths:
                path = pathlib.Path(folder) / f"{name.replace(' ', '-')}{width}.smt2"
                path.write_text(laws(width)[name])
                asked += 1
                expected = "sat" if name.startswith("open") else "unsat"
                for place, command in enumerate(commands):
                    answer, used = ask([*command, str(path)], args.seconds)
                    if answer not in (expected, "unknown"):
                        print("WRONG", name, width, command[0], answer)
                    decided[place] += answer == expected
                    total[place] += used
                    rows[place].append(f"{used:.2f}" if answer == expected else "–")
            for command, row in zip(commands, rows):
                print(f"| {name} | {pathlib.Path(command[0]).name} |", " | ".join(row), "|", flush=True)
    for command, count, used in zip(commands, decided, total):
        print(f"{command[0]}: {count} of {asked} in {used:.1f} s")


if __name__ == "__main__":
    main()
