#!/usr/bin/env python3
"""Questions about words that ranges and congruences answer, each as a script at several widths: answers and CPU time by several programs.

    bench/word_ranges.py [--widths 16,32,64] [--program PATH …] [--z3 PATH] [--seconds 10] [--only NAME …]

A question has words between bounds, with signs or without, or with known low bits, and asks whether sums, products, quotients, shifts and choices of
them are where the bounds say that they are. All scripts are unsatisfiable but those named `open`. What was measured is in bench/notes/smt-words.md.
"""

from word_laws import main


def fold(op, terms):
    """Terms joined by an operator of two arguments."""
    result = terms[0]
    for term in terms[1:]:
        result = f"({op} {result} {term})"
    return result


def questions(width):
    """Scripts by name."""
    number = lambda value: f"(_ bv{value % 2 ** width} {width})"
    sort = f"(_ BitVec {width})"
    root = 2 ** (width // 2 - 2)
    names = "abcdefgh"
    below = lambda most, some=names: "".join(f"(assert (bvule {name} {number(most)}))" for name in some)
    signed = lambda most, some=names: "".join(
        f"(assert (and (bvsle {number(-most)} {name}) (bvsle {name} {number(most)})))" for name in some)
    refute = lambda formula: f"(assert (not {formula}))"
    most = lambda term, value: refute(f"(bvule {term} {number(value)})")

    def chain(steps, step, start="(_ bv0 %d)" % width):
        """Definitions of x0 to xN, each by a choice of the one before."""
        text = f"(declare-const x0 {sort})(assert (= x0 {start}))"
        for at in range(steps):
            text += f"(declare-const t{at} Bool)(declare-const x{at + 1} {sort})(assert (= x{at + 1} {step(f'x{at}', f't{at}')}))"
        return text

    found = {
        "sum of two": below(root) + most("(bvadd a b)", 2 * root),
        "sum of eight": below(100) + most(fold("bvadd", list(names)), 800),
        "sum of eight, exact": below(100) + below(99, "c") + refute(f"(distinct {fold('bvadd', list(names))} {number(800)})"),
        "weighted sum": below(100) + most(f"(bvadd (bvmul {number(7)} a) (bvadd (bvmul {number(11)} b) (bvmul {number(13)} c)))", 3100),
        "sum with signs": signed(100) + refute(f"(bvsle {fold('bvadd', list(names))} {number(800)})"),
        "difference with signs": signed(100) + refute(f"(bvsle (bvsub (bvadd a b) (bvadd c d)) {number(400)})"),
        "product": below(root, "ab") + most("(bvmul a b)", root * root),
        "product, by a factor of two": below(root, "ab") + most("(bvmul a b)", 2 * root * root),
        "product of a hundred": below(100) + most("(bvmul a b)", 10000),
        "product of three": below(20) + most("(bvmul a (bvmul b c))", 8000),
        "square with signs": signed(100) + refute(f"(bvsle (bvmul a a) {number(10000)})"),
        "product with signs": signed(100) + refute(f"(bvsle (bvmul a b) {number(10000)})"),
        "square with signs is not negative": signed(100) + refute(f"(bvsle {number(0)} (bvmul a a))"),
        "sum of squares with signs": signed(50) + refute(f"(bvsle (bvadd (bvmul a a) (bvmul b b)) {number(5000)})"),
        "product of three with signs": signed(10) + refute(f"(bvsle (bvmul a (bvmul b c)) {number(1000)})"),
        "multiple with signs": signed(100) + refute(f"(bvsle {number(-700)} (bvmul {number(7)} a))"),
        "quotient with signs": signed(1000) + refute(f"(bvsle (bvsdiv a {number(10)}) {number(100)})"),
        "quotient by an unknown with signs": signed(1000) + refute(f"(=> (bvsle {number(10)} b) (bvsle (bvsdiv a b) {number(100)}))"),
        "remainder with signs": refute(f"(bvslt (bvsrem a {number(100)}) {number(100)})"),
        "modulus with signs": refute(f"(bvsle {number(0)} (bvsmod a {number(100)}))"),
        "halves with signs": signed(100) + refute(f"(bvsle (bvashr (bvadd a b) {number(1)}) {number(100)})"),
        "no overflow of a product with signs": signed(100) + refute("(not (bvsmulo a b))"),
        "extended product with signs": signed(100) + refute(
            f"(= ((_ sign_extend {width}) (bvmul a b)) (bvmul ((_ sign_extend {width}) a) ((_ sign_extend {width}) b)))"),
        "counter with signs": chain(12, lambda x, t: f"(ite {t} (bvadd {x} {number(1)}) (bvsub {x} {number(1)}))") + refute(
            f"(bvsle {number(-12)} x12)"),
        "long counter": chain(80, lambda x, t: f"(ite {t} (bvadd {x} {number(3)}) {x})") + most("x80", 240),
        "long counter that doubles": chain(24, lambda x, t: f"(ite (bvult {x} {number(100)}) (bvmul {x} {number(2)}) (bvadd {x} {number(1)}))", number(1))
                                    + most("x24", 222),
        "polynomial": below(9) + most(f"(bvadd (bvmul a (bvmul a a)) (bvadd (bvmul {number(5)} (bvmul a b)) {number(17)}))", 729 + 405 + 17),
        "sum of products":  below(90) + most("(bvadd (bvmul a b) (bvadd (bvmul c d) (bvmul e f)))", 24300),
        "product monotone": below(root, "bc") + "(assert (bvult a b))(assert (bvult (_ bv0 %d) c))" % width + refute("(bvult (bvmul a c) (bvmul b c))"),
        "time of day": below(23, "a") + below(59, "bc") + most(
            f"(bvadd (bvmul {number(600)} a) (bvadd (bvmul {number(10)} b) c))", 23 * 600 + 590 + 59),
        "quotient": below(1000) + most(f"(bvudiv a {number(10)})", 100),
        "quotient by an unknown": below(1000) + f"(assert (bvule {number(10)} b))" + most("(bvudiv a b)", 100),
        "remainder": most(f"(bvadd (bvurem a {number(100)}) (bvurem b {number(100)}))", 198),
        "remainder of less": below(99) + refute(f"(= (bvurem a {number(100)}) a)"),
        "average": below(root) + most(f"(bvlshr (bvadd a b) {number(1)})", root),
        "shift left": below(255) + f"(assert (bvule b {number(5)}))" + most("(bvshl a b)", 255 * 32),
        "shift right": f"(assert (bvule {number(3)} b))" + most("(bvlshr a b)", 2 ** (width - 3) - 1),
        "masks": most(f"(bvadd (bvand a {number(255)}) (bvand b {number(255)}))", 510),
        "masks, product": most(f"(bvmul (bvand a {number(255)}) (bvand b {number(63)}))", 255 * 63),
        "no overflow": below(1000) + refute(f"(bvule a (bvadd a b))"),
        "no overflow of a product": below(root, "ab") + refute("(not (bvumulo a b))"),
        "no overflow in an array": "(assert (bvult a b))" + below(1000, "bc") + refute(
            f"(bvult (bvadd (bvmul a {number(8)}) c) (bvadd (bvmul b {number(8)}) c))"),
        "counter": chain(12, lambda x, t: f"(ite {t} (bvadd {x} {number(1)}) {x})") + most("x12", 12),
        "counter of threes": chain(12, lambda x, t: f"(ite {t} (bvadd {x} {number(3)}) {x})") + most("x12", 36),
        "counter of fours": chain(12, lambda x, t: f"(ite {t} (bvadd {x} {number(4)}) (bvadd {x} {number(8)}))")
                            + f"(assert (= (bvand x12 {number(3)}) {number(2)}))",
        "counter that doubles": chain(8, lambda x, t: f"(ite {t} (bvmul {x} {number(2)}) (bvadd {x} {number(1)}))", number(1)) + most("x8", 256),
        "counter with a bound": chain(12, lambda x, t: f"(ite (bvult {x} {number(5)}) (bvadd {x} {number(1)}) {x})") + most("x12", 5),
        "multiples": f"(assert (= (bvurem a {number(4)}) {number(1)}))(assert (= (bvurem b {number(4)}) {number(3)}))" + refute(
            f"(distinct (bvadd (bvmul a b) {number(2)}) (bvmul {number(4)} c))"),
        "square modulo eight": refute(f"(distinct (bvmul a a) (bvadd (bvmul {number(8)} b) {number(5)}))"),
        "even and odd": f"(assert (= a (bvmul {number(2)} b)))(assert (= c (bvadd (bvmul {number(6)} d) {number(1)})))" + refute("(distinct a c)"),
        "between": f"(assert (bvult a b))(assert (bvult b c))(assert (bvult c d))(assert (bvult d {number(3)}))",
        "chosen": below(100) + most("(ite (bvult a b) (bvsub b a) (bvsub a b))", 100),
        "dead branch": below(100) + f"(assert (= d (ite (bvult (bvadd a b) {number(300)}) c (bvudiv e f))))(assert (distinct c d))",
        "extended": most(f"((_ zero_extend {width // 2}) (_ bv7 {width - width // 2}))", 7) if width % 2 else below(100) + refute(
            f"(= ((_ zero_extend {width}) (bvadd a b)) (bvadd ((_ zero_extend {width}) a) ((_ zero_extend {width}) b)))"),
        "extended product": below(100) + refute(
            f"(= ((_ zero_extend {width}) (bvmul a b)) (bvmul ((_ zero_extend {width}) a) ((_ zero_extend {width}) b)))"),
        "open sum of eight": below(100) + most(fold("bvadd", list(names)), 799),
        "open product": below(root, "ab") + most("(bvmul a b)", root * root - 1),
        "open product with signs": signed(100) + refute(f"(bvsle (bvmul a b) {number(9998)})"),
        "open quotient with signs": signed(1000) + refute(f"(=> (bvsle {number(10)} b) (bvsle (bvsdiv a b) {number(99)}))"),
        "open product of three": below(20) + most("(bvmul a (bvmul b c))", 7600),
        "open sum of products": below(90) + most("(bvadd (bvmul a b) (bvadd (bvmul c d) (bvmul e f)))", 24200),
        "open quotient": below(1000) + f"(assert (bvule {number(10)} b))" + most("(bvudiv a b)", 99),
        "open square modulo eight": refute(f"(distinct (bvmul a a) (bvadd (bvmul {number(8)} b) {number(1)}))") + f"(assert (bvult {number(9)} a))",
    }
    declared = "".join(f"(declare-const {name} {sort})" for name in names)
    return {name: f"(set-logic ALL)\n{declared}\n{text}\n(check-sat)\n" for name, text in found.items()}


if __name__ == "__main__":
    main(questions, __doc__, "16,32,64")
