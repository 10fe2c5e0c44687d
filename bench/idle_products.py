#!/usr/bin/env python3
"""Scripts with products and quotients of words that hardly matter, at several widths: answers and CPU time by several programs.

    bench/idle_products.py [--widths 16,32,64] [--program PATH …] [--set NAME=VALUE …] [--z3 PATH] [--cvc5] [--seconds 10] [--only NAME …]

Each script has one question with a known answer: refuted by something else than its product, satisfied by small words, about a factor
that is zero, one or a power of two, about low bits, about short factors, or about quotients. `--set` goes to our programs; `--cvc5` asks its
Python package. What was measured is in bench/notes/smt-words.md.
"""

import argparse
import pathlib
import sys
import tempfile

from exists_forall import ask
from solver_scripts import CVC5


def scripts(width):
    """Answers and scripts by name."""
    number = lambda value: f"(_ bv{value % 2 ** width} {width})"
    half, sort = width // 2, f"(_ BitVec {width})"
    less, same, no = (lambda a, b: f"(bvult {a} {b})"), (lambda a, b: f"(= {a} {b})"), (lambda a: f"(not {a})")
    time, part, rest = (lambda a, b: f"(bvmul {a} {b})"), (lambda a, b: f"(bvudiv {a} {b})"), (lambda a, b: f"(bvurem {a} {b})")
    plus = lambda a, b: f"(bvadd {a} {b})"
    bits = lambda high, low, a: f"((_ extract {high} {low}) {a})"
    below = lambda a, bound: less(a, number(bound))
    chain = "a"
    for name in "bcdpqr" * 2:
        chain = plus(time(chain, name), "a")
    found = {
        # Refuted by something else.
        "other order": ("unsat", [same("p", time("a", "b")), less("p", "c"), less("c", "d"), less("d", "p")]),
        "other sum": ("unsat", [same("p", plus(time("a", "b"), time("c", "d"))), same("q", plus("p", number(1))), less("q", "p"), less("p", number(7))]),
        "other case": ("unsat", [f"(or {less(time('a', 'b'), 'c')} {less(part('a', 'b'), 'c')})", f"(bvule c {number(0)})"]),
        "other chain": ("unsat", [less(chain, "d"), less("d", number(5)), less(number(9), chain)]),
        "other quotient": ("unsat", [same("p", part("a", "b")), same("q", rest("c", "d")), less("p", "q"), less("q", "r"), less("r", "p")]),
        # Satisfied without effort, or by small words.
        "free product": ("sat", [less(time("a", "b"), "c"), less("c", time("a", "c")), less("d", "a")]),
        "free chain": ("sat", [less("d", chain), less(number(5), "d")]),
        "small factors": ("sat", [same(time("a", "b"), number(391)), below("a", 100), below("b", 100), less(number(1), "a"), less(number(1), "b")]),
        "small square": ("sat", [same(time("a", "a"), number(1369)), below("a", 200)]),
        "small sum": ("sat", [same(plus(time("a", "a"), time("b", "b")), number(25)), below("a", 6), below("b", 6), less(number(0), "b"), less("b", "a")]),
        "small quotient": ("sat", [same(part("a", "b"), number(5)), same(rest("a", "b"), number(3)), less("a", number(100))]),
        "signed quotient": ("sat", [same("(bvsdiv a b)", number(-3)), same("(bvsrem a b)", number(2)), f"(bvslt a {number(50)})", f"(bvslt {number(0)} a)"]),
        "signed modulo": ("sat", [same("(bvsmod a b)", number(4)), f"(bvslt a {number(0)})", f"(bvslt {number(-50)} a)", below("b", 30)]),
        "many products": ("sat", [less(time(x, y), time(y, z)) for x, y, z in ("abc", "bcd", "cdp", "dpq", "pqr")]),
        # A factor that is nearly constant.
        "factor zero": ("unsat", ["(= (bvand a b) (bvnot (bvor a (bvnot b))))", no(same(time("(bvand a b)", "c"), number(0)))]),
        "factor bit": ("unsat", [below("a", 2), no(same(time("a", "b"), number(0))), no(same(time("a", "b"), "b"))]),
        "factor shift": ("unsat", ["(or " + " ".join(same("a", number(2 ** k)) for k in (1, 3, 5)) + ")", no(same(bits(0, 0, time("a", "b")), "#b0"))]),
        "factor chosen": ("unsat", [no(same(time(f"(ite {less('a', 'b')} {number(0)} {number(1)})", "c"), f"(ite {less('a', 'b')} {number(0)} c)"))]),
        "factor minus": ("unsat", [f"(bvule {number(-1)} a)", no(same(plus(time("a", "b"), "b"), number(0)))]),
        "divisor chosen": ("unsat", [no(same(part("c", f"(ite {less('a', 'b')} {number(1)} {number(2)})"), f"(ite {less('a', 'b')} c (bvlshr c {number(1)}))"))]),
        "divisor shift": ("unsat", [same("a", "(bvand a #b" + "0" * (width - 5) + "10000)"), no(same("a", number(0))), less("(bvlshr b #b" + "0" * (width - 3) + "100)", part("b", "a"))]),
        # Low bits.
        "odd": ("unsat", [same(bits(0, 0, "a"), "#b1"), same(bits(0, 0, "b"), "#b1"), same(bits(0, 0, time("a", "b")), "#b0")]),
        "even": ("unsat", [same(bits(0, 0, time("a", plus("a", number(1)))), "#b1")]),
        "square modulo 4": ("unsat", [same(bits(1, 1, time("a", "a")), "#b1")]),
        "square modulo 8": ("unsat", [same(bits(2, 0, time("a", "a")), "#b101")]),
        "three squares": ("unsat", [same(bits(2, 0, plus(time("a", "a"), plus(time("b", "b"), time("c", "c")))), "#b111")]),
        "low zeros": ("unsat", [same(bits(1, 0, "a"), "#b00"), same(bits(1, 0, "b"), "#b00"), no(same(bits(3, 0, time("a", "b")), "#b0000"))]),
        # Short factors.
        "short factors": ("unsat", [below("a", 16), below("b", 16), less(number(255), time("a", "b"))]),
        "short halves": ("unsat", [below("a", 2 ** (half - 1)), below("b", 2 ** (half - 1)), f"(bvslt {time('a', 'b')} {number(0)})"]),
        "short one": ("unsat", [below("a", 8), below("b", 2 ** (width - 4)), f"(bvslt {time('a', 'b')} {number(0)})"]),
        "short monotone": ("unsat", [below("a", 32), below("b", 32), below("c", 32), less("a", "b"), less(time("b", "c"), time("a", "c"))]),
        "short areas": ("unsat", [below("a", 11), below("b", 11), less(number(100), time("a", "b"))]),
        "short overflow": ("unsat", [below("a", 1000), below("b", 30), f"(or (bvumulo a b) (bvsmulo b a))"]),
        "overflow of one": ("unsat", [below("a", 2), f"(or (bvumulo a b) (bvsmulo b a))"]),
        "other overflow": ("unsat", ["(or (bvumulo a b) (bvsmulo b a))", less("c", "d"), less("d", "c")]),
        "free overflow": ("sat", ["(bvumulo a b)", "(not (bvsmulo b a))", less("c", time("a", "b"))]),
        # Quotients.
        "rest below": ("unsat", [less(number(0), "b"), f"(bvule b {rest('a', 'b')})"]),
        "rest of small": ("unsat", [less("a", "b"), no(same(rest("a", "b"), "a"))]),
        "quotient of small": ("unsat", [less("a", "b"), no(same(part("a", "b"), number(0)))]),
        "quotient of itself": ("unsat", [same("a", "b"), less(number(0), "b"), no(same(part("a", "b"), number(1)))]),
        "both and the dividend": ("unsat", [same("p", part("a", "b")), same("q", rest("a", "b")), no(same(plus(time("p", "b"), "q"), "a"))]),
        "signed by short": ("unsat", [f"(bvslt {number(0)} a)", f"(bvslt {number(0)} b)", f"(bvslt (bvsdiv a b) {number(0)})"]),
        "short dividend": ("unsat", [below("a", 8), below("b", 8), less(number(0), "b"), less(number(7), part("a", "b"))]),
        "tens": ("unsat", [below("a", 100), less(number(9), part("a", f"(ite {less('a', 'b')} {number(10)} {number(20)})"))]),
    }
    names = "".join(f"(declare-const {name} {sort})" for name in "abcdpqr")
    write = lambda parts: f"(set-logic QF_BV)\n{names}\n" + "".join(f"(assert {one})\n" for one in parts) + "(check-sat)\n"
    return {name: (answer, write(parts)) for name, (answer, parts) in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--widths", default="16,32,64")
    parser.add_argument("--program", action="append")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--z3")
    parser.add_argument("--cvc5", action="store_true")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--only", action="append")
    args = parser.parse_args()
    widths = [int(width) for width in args.widths.split(",")]
    settings = [part for one in args.set for part in ("--set", one)]
    commands = [(program, [program, "smt", *settings]) for program in args.program or ["target/release/alphorn"]]
    commands += [("z3", [args.z3])] if args.z3 else []
    commands += [("cvc5", [sys.executable, "-c", CVC5, str(args.seconds)])] if args.cvc5 else []
    decided, quick, total = ([0 for _ in commands] for _ in range(3))
    asked = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in scripts(16):
            if args.only and name not in args.only:
                continue
            rows = [[] for _ in commands]
            for width in widths:
                expected, text = scripts(width)[name]
                path = pathlib.Path(folder) / f"{name.replace(' ', '-')}{width}.smt2"
                path.write_text(text)
                asked += 1
                for place, (_, command) in enumerate(commands):
                    answer, used = ask([*command, str(path)], args.seconds)
                    if answer not in (expected, "unknown"):
                        print("WRONG", name, width, command[0], answer)
                    is_right = answer == expected
                    decided[place] += is_right
                    quick[place] += is_right and used < 0.5
                    total[place] += used if is_right else args.seconds
                    rows[place].append(f"{used:.2f}" if is_right else "–")
            print(f"| {name} |", " | ".join(", ".join(row) for row in rows), "|", flush=True)
    for place, (program, _) in enumerate(commands):
        print(f"{program}: {decided[place]} of {asked}, {quick[place]} below 0.5 s, {total[place]:.1f} s in all")


if __name__ == "__main__":
    main()
