#!/usr/bin/env python3
"""Writes Horn systems of programs that permute, copy and compare arrays, safe and unsafe.

    bench/permutations.py DIRECTORY [--seed 0] [--sizes 1,2] [--only reverse,merge]
    bench/run.py --out rows.csv --time 10 --threads 1 --expected DIRECTORY/expected.csv --root DIRECTORY \
        --command alphorn --command z3 DIRECTORY

Swaps, reversals, rotations, shifts, partitions, the inner loops of sorts and merges, copies and comparisons. What is asked is
order (the least is in front, what was sorted is), relations of two arrays (one is the other backwards, shifted, exchanged), and
what permutations keep: how often a value that was chosen before the run occurs, by a number that every write changes by what it
writes less what it overwrites, and where elements come from, by a second array of places. Of each kind there is a safe and an unsafe
member for each size: how many more arrays and numbers are handed on that have nothing to do with it, and where arrays
begin. The seed chooses names, the order of clauses and constants; the same arguments give the same files.
"""

import argparse
import pathlib
import random

ARRAY = "(Array Int Int)"


def at(array, index):
    return f"(select {array} {index})"


def put(array, index, value):
    return f"(store {array} {index} {value})"


def swapped(array, i, j):
    return put(put(array, i, at(array, j)), j, at(array, i))


def watched(count, array, index, value):
    """The count of the watched value `v` after a write of `value`."""
    return f"(+ {count} (ite (= {value} v) 1 0) (ite (= {at(array, index)} v) (- 1) 0))"


class Program:
    """A program: numbers and arrays that all of its places have, and steps from place to place."""

    def __init__(self, rng, size, numbers, arrays):
        self.rng = rng
        extra = size - 1
        self.numbers = [*numbers.split(), *(f"extra{k}" for k in range(extra))]
        self.arrays = [*arrays.split(), *(f"other{k}" for k in range(extra))]
        # Arrays begin at the bottom of a range that the program does not know, or at zero.
        self.low = "0" if size == 1 else "low"
        if size > 1:
            self.numbers.append("low")
        self.vars = {**{name: "Int" for name in self.numbers}, **{name: ARRAY for name in self.arrays}}
        self.places, self.clauses = {}, []

    def place(self, name, updates=None):
        self.places.setdefault(name, f"{name}{self.rng.randrange(100)}")
        updates = updates or {}
        unknown = set(updates) - set(self.vars)
        if unknown:
            raise ValueError(f"{unknown} are no variables")
        return f"({self.places[name]} {' '.join(str(updates.get(var, var)) for var in self.vars)})"

    def start(self, target, *conditions, **updates):
        self.clauses.append((self.vars, list(conditions), self.place(target, updates)))

    def step(self, source, target, *conditions, fresh=(), **updates):
        """One step; `fresh` numbers are any."""
        variables = {**self.vars, **{name: "Int" for name in fresh}}
        body = [self.place(source), *conditions]
        self.clauses.append((variables, body, self.place(target, updates)))

    def fail(self, source, *conditions, fresh=()):
        variables = {**self.vars, **{name: "Int" for name in fresh}}
        self.clauses.append((variables, [self.place(source), *conditions], "false"))

    def inside(self, index, end="n"):
        """That an index is between where arrays begin and an end."""
        return f"(<= {self.low} {index}) (< {index} {end})"

    def text(self):
        lines = ["(set-logic HORN)"]
        for name in self.places.values():
            lines.append(f"(declare-fun {name} ({' '.join(self.vars.values())}) Bool)")
        self.rng.shuffle(self.clauses)
        for variables, body, head in self.clauses:
            sorts = " ".join(f"({name} {sort})" for name, sort in variables.items())
            lines.append(f"(assert (forall ({sorts}) (=> (and true {' '.join(body)}) {head})))")
        return "\n".join([*lines, "(check-sat)", ""])


def swap(rng, size, is_safe):
    """Two elements change places, again and again, and then back; the others stay."""
    p = Program(rng, size, "i j k", "a b")
    p.start("begin", "(= a b)")
    second = swapped("a", "i", "j") if is_safe else put(swapped("a", "i", "j"), "j", at("a", "j"))
    p.step("begin", "once", a=second)
    p.step("once", "begin", a=swapped("a", "j", "i"))
    p.fail("begin", f"(not (= {at('a', 'k')} {at('b', 'k')}))")
    p.fail("once", "(not (= k i))", "(not (= k j))", f"(not (= {at('a', 'k')} {at('b', 'k')}))")
    return p.text()


def reverse(rng, size, is_safe):
    """An array is reversed in place, and compared with a copy."""
    p = Program(rng, size, "i n", "a b")
    mirror = f"(- (+ {p.low} n) 1 i)" if p.low != "0" else "(- n 1 i)"
    p.start("loop", "(= a b)", f"(= i {p.low})", f"(<= {p.low} n)")
    p.step("loop", "loop", f"(< i {mirror})" if is_safe else f"(<= i (+ {mirror} 2))", i="(+ i 1)", a=swapped("a", "i", mirror))
    p.step("loop", "check", f"(>= i {mirror})" if is_safe else f"(> i (+ {mirror} 2))", i=p.low)
    p.fail("check", p.inside("i"), f"(not (= {at('a', 'i')} {at('b', mirror)}))")
    p.step("check", "check", "(< i n)", i="(+ i 1)")
    return p.text()


def backwards(rng, size, is_safe):
    """An array is written backwards into another, and read from the other end."""
    p = Program(rng, size, "i j n", "a b")
    p.start("loop", f"(= i {p.low})", "(= j n)", f"(<= {p.low} n)")
    p.step("loop", "loop", "(< i n)", i="(+ i 1)", j="(- j 1)", b=put("b", "(- j 1)" if is_safe else "j", at("a", "i")))
    p.step("loop", "check", "(>= i n)")
    p.fail("check", p.inside("k"), p.inside("l"), f"(= (+ k l 1) (+ {p.low} n))", f"(not (= {at('a', 'k')} {at('b', 'l')}))", fresh=["k", "l"])
    return p.text()


def twice(rng, size, is_safe):
    """A copy of a copy, both backwards, is the array."""
    p = Program(rng, size, "i n", "a b c")
    mirror = f"(- (+ {p.low} n) 1 i)"
    p.start("first", f"(= i {p.low})", f"(<= {p.low} n)")
    p.step("first", "first", "(< i n)", i="(+ i 1)", b=put("b", mirror, at("a", "i")))
    p.step("first", "second", "(>= i n)", i=p.low)
    p.step("second", "second", "(< i n)", i="(+ i 1)", c=put("c", mirror if is_safe else f"(- {mirror} 1)", at("b", "i")))
    p.step("second", "check", "(>= i n)")
    p.fail("check", p.inside("k"), f"(not (= {at('a', 'k')} {at('c', 'k')}))", fresh=["k"])
    return p.text()


def shifted(rng, size, is_safe):
    """An array is copied with a distance that is chosen before."""
    p = Program(rng, size, "i n d", "a b")
    p.start("loop", f"(= i {p.low})")
    p.step("loop", "loop", "(< i n)", i="(+ i 1)", b=put("b", "(+ i d)", at("a", "i")))
    p.step("loop", "check", "(>= i n)" if is_safe else "(>= i (- n 1))")
    p.fail("check", p.inside("k"), f"(not (= {at('a', 'k')} {at('b', '(+ k d)')}))", fresh=["k"])
    return p.text()


def rotated(rng, size, is_safe):
    """An array is rotated by one in place, its first element held in a number meanwhile."""
    p = Program(rng, size, "i n x", "a b")
    p.start("loop", "(= a b)", f"(= i {p.low})", f"(= x {at('a', p.low)})", f"(< {p.low} n)")
    p.step("loop", "loop", "(< (+ i 1) n)", i="(+ i 1)", a=put("a", "i", at("a", "(+ i 1)")))
    p.step("loop", "check", "(>= (+ i 1) n)", a=put("a", "i", "x" if is_safe else at("a", p.low)))
    p.fail("check", p.inside("k", "(- n 1)"), f"(not (= {at('a', 'k')} {at('b', '(+ k 1)')}))", fresh=["k"])
    p.fail("check", f"(not (= {at('a', '(- n 1)')} {at('b', p.low)}))")
    return p.text()


def moved_up(rng, size, is_safe):
    """All elements move up by one in place, from the end, and the first is written anew."""
    p = Program(rng, size, "i n x", "a b")
    p.start("loop", "(= a b)", "(= i n)", f"(< {p.low} n)")
    p.step("loop", "loop", f"(> i {p.low})", i="(- i 1)", a=put("a", "i", at("a", "(- i 1)" if is_safe else "(- i 2)")))
    p.step("loop", "check", f"(<= i {p.low})", a=put("a", "i", "x"))
    p.fail("check", p.inside("k"), f"(not (= {at('b', 'k')} {at('a', '(+ k 1)')}))", fresh=["k"])
    p.fail("check", f"(not (= {at('a', p.low)} x))")
    return p.text()


def exchanged(rng, size, is_safe):
    """Two arrays exchange their elements one by one."""
    p = Program(rng, size, "i n", "a b c d")
    p.start("loop", "(= a c)", "(= b d)", f"(= i {p.low})")
    p.step("loop", "loop", "(< i n)", i="(+ i 1)", a=put("a", "i", at("b", "i")), b=put("b", "i", at("a", "i" if is_safe else "(+ i 1)")))
    p.step("loop", "check", "(>= i n)")
    p.fail("check", p.inside("k"), f"(not (and (= {at('a', 'k')} {at('d', 'k')}) (= {at('b', 'k')} {at('c', 'k')})))", fresh=["k"])
    return p.text()


def balanced(rng, size, is_safe):
    """Amounts go from one array to another, so that the sums of elements at one place stay."""
    p = Program(rng, size, "i n x", "a b c")
    p.start("fill", f"(= i {p.low})")
    p.step("fill", "fill", "(< i n)", i="(+ i 1)", c=put("c", "i", f"(+ {at('a', 'i')} {at('b', 'i')})"))
    p.step("fill", "move", "(>= i n)", i=p.low)
    give = f"(- {at('a', 'i')} y)"
    take = f"(+ {at('b', 'i')} {'y' if is_safe else 'x'})"
    p.step("move", "move", p.inside("i"), fresh=["y", "j"], a=put("a", "i", give), b=put("b", "i", take), i="j", x="y")
    p.step("move", "move", fresh=["j"], i="j")
    p.fail("move", p.inside("k"), f"(not (= {at('c', 'k')} (+ {at('a', 'k')} {at('b', 'k')})))", fresh=["k"])
    return p.text()


def compared(rng, size, is_safe):
    """An array is copied, and a comparison of both finds no difference."""
    p = Program(rng, size, "i n same", "a b")
    p.start("copy", f"(= i {p.low})", "(= same 1)")
    p.step("copy", "copy", "(< i n)", i="(+ i 1)", b=put("b", "i", at("a", "i")))
    p.step("copy", "compare", "(>= i n)", i=p.low)
    end = "n" if is_safe else "(+ n 1)"
    p.step("compare", "compare", f"(< i {end})", i="(+ i 1)", same=f"(ite (= {at('a', 'i')} {at('b', 'i')}) same 0)")
    p.fail("compare", f"(>= i {end})", "(not (= same 1))")
    return p.text()


def found_equal(rng, size, is_safe):
    """If a comparison says that two arrays are equal, they are."""
    p = Program(rng, size, "i n same", "a b")
    p.start("compare", f"(= i {p.low})", "(= same 1)")
    verdict = f"(ite (= {at('a', 'i')} {at('b', 'i')}) {'same' if is_safe else '1'} 0)"
    p.step("compare", "compare", "(< i n)", i="(+ i 1)", same=verdict)
    p.fail("compare", "(>= i n)", "(= same 1)", p.inside("k"), f"(not (= {at('a', 'k')} {at('b', 'k')}))", fresh=["k"])
    return p.text()


def filtered(rng, size, is_safe):
    """Elements above a bound are copied one after the other."""
    p = Program(rng, size, "i j n x", "a b")
    p.start("loop", f"(= i {p.low})", f"(= j {p.low})")
    keep = f"(> {at('a', 'i')} x)" if is_safe else f"(>= {at('a', 'i')} x)"
    p.step("loop", "loop", "(< i n)", keep, i="(+ i 1)", j="(+ j 1)", b=put("b", "j", at("a", "i")))
    p.step("loop", "loop", "(< i n)", f"(not {keep})", i="(+ i 1)")
    p.fail("loop", "(>= i n)", p.inside("k", "j"), f"(<= {at('b', 'k')} x)", fresh=["k"])
    p.fail("loop", "(> j i)")
    return p.text()


def divided(rng, size, is_safe):
    """Elements go to one of two arrays, which have as many together."""
    p = Program(rng, size, "i j l n x", "a b c")
    p.start("loop", f"(= i {p.low})", "(= j 0)", "(= l 0)")
    p.step("loop", "loop", "(< i n)", f"(< {at('a', 'i')} x)", i="(+ i 1)", j="(+ j 1)", b=put("b", "j", at("a", "i")))
    p.step("loop", "loop", "(< i n)", f"(>= {at('a', 'i')} x)", i="(+ i 1)", l="(+ l 1)", c=put("c", "l" if is_safe else "j", at("a", "i")))
    p.fail("loop", f"(not (= (+ j l) (- i {p.low})))")
    p.fail("loop", "(<= 0 k)", "(< k l)", f"(< {at('c', 'k')} x)", fresh=["k"])
    p.fail("loop", "(<= 0 k)", "(< k j)", f"(>= {at('b', 'k')} x)", fresh=["k"])
    return p.text()


def bubble(rng, size, is_safe):
    """One pass of neighbours that change places takes the greatest to the end."""
    p = Program(rng, size, "i n", "a")
    p.start("loop", f"(= i {p.low})", f"(< {p.low} n)")
    right = f"(> {at('a', 'i')} {at('a', '(+ i 1)')})"
    p.step("loop", "loop", "(< (+ i 1) n)", right, i="(+ i 1)", a=swapped("a", "i", "(+ i 1)"))
    p.step("loop", "loop", "(< (+ i 1) n)", f"(not {right})", i="(+ i 1)")
    p.fail("loop", "(>= (+ i 1) n)", p.inside("k"), f"({'>' if is_safe else '>='} {at('a', 'k')} {at('a', '(- n 1)')})", fresh=["k"])
    return p.text()


def least_first(rng, size, is_safe):
    """The inner loop of selection sort: the place of the least is found, and it goes to the front."""
    p = Program(rng, size, "i m n", "a")
    p.start("loop", f"(= m {p.low})", f"(= i (+ {p.low} 1))", f"(< {p.low} n)")
    less = f"(< {at('a', 'i')} {at('a', 'm')})"
    p.step("loop", "loop", "(< i n)", less, i="(+ i 1)", m="i")
    p.step("loop", "loop", "(< i n)", f"(not {less})", i="(+ i 1)")
    p.step("loop", "check", "(>= i n)", a=swapped("a", p.low, "m") if is_safe else put("a", p.low, at("a", "(- i 1)")))
    p.fail("check", p.inside("k"), f"(< {at('a', 'k')} {at('a', p.low)})", fresh=["k"])
    return p.text()


def least_swapped(rng, size, is_safe):
    """Whatever is less than the first element changes places with it at once."""
    p = Program(rng, size, "i n", "a")
    p.start("loop", f"(= i {p.low})", f"(< {p.low} n)")
    less = f"(< {at('a', 'i')} {at('a', p.low)})"
    p.step("loop", "loop", "(< i n)", less, i="(+ i 1)", a=swapped("a", p.low, "i"))
    p.step("loop", "loop", "(< i n)" if is_safe else "(<= i n)", f"(not {less})" if is_safe else "true", i="(+ i 1)")
    p.fail("loop", "(>= i n)", p.inside("k"), f"(< {at('a', 'k')} {at('a', p.low)})", fresh=["k"])
    return p.text()


def both_ends(rng, size, is_safe):
    """One pass takes the least to the front and the greatest into a number."""
    p = Program(rng, size, "i n x", "a")
    p.start("loop", f"(= i {p.low})", f"(= x {at('a', p.low)})", f"(< {p.low} n)")
    for less in (True, False):
        low = f"(< {at('a', 'i')} {at('a', p.low)})"
        for more in (True, False):
            high = f"(> {at('a', 'i')} x)"
            updates = {"i": "(+ i 1)"}
            if less:
                updates["a"] = swapped("a", p.low, "i")
            if more:
                updates["x"] = at("a", "i" if is_safe else p.low)
            p.step("loop", "loop", "(< i n)", low if less else f"(not {low})", high if more else f"(not {high})", **updates)
    p.fail("loop", "(>= i n)", p.inside("k"), f"(or (< {at('a', 'k')} {at('a', p.low)}) (> {at('a', 'k')} x))", fresh=["k"])
    return p.text()


def partition(rng, size, is_safe):
    """What is less than a pivot goes to the front, element by element."""
    p = Program(rng, size, "i m n x", "a")
    p.start("loop", f"(= i {p.low})", f"(= m {p.low})")
    less = f"(< {at('a', 'i')} x)"
    p.step("loop", "loop", "(< i n)", less, i="(+ i 1)", m="(+ m 1)", a=swapped("a", "i", "m"))
    p.step("loop", "loop", "(< i n)", f"(not {less})", i="(+ i 1)", m="m" if is_safe else "(ite (= i m) i m)")
    p.fail("loop", "(>= i n)", p.inside("k", "m"), f"(>= {at('a', 'k')} x)", fresh=["k"])
    p.fail("loop", "(>= i n)", "(<= m k)", "(< k n)" if is_safe else "(<= k n)", f"(< {at('a', 'k')} x)", fresh=["k"])
    return p.text()


def from_both_sides(rng, size, is_safe):
    """Two places come together, and what stands wrong at both changes places."""
    p = Program(rng, size, "i j n x", "a")
    p.start("loop", f"(= i {p.low})", "(= j n)", f"(<= {p.low} n)")
    last = "(- j 1)"
    p.step("loop", "loop", "(< i j)", f"(< {at('a', 'i')} x)", i="(+ i 1)")
    p.step("loop", "loop", "(< i j)", f"({'>=' if is_safe else '>'} {at('a', last)} {'x' if is_safe else '(- x 2)'})", j=last)
    p.step("loop", "loop", "(< i j)", f"(>= {at('a', 'i')} x)", f"(< {at('a', last)} x)", i="(+ i 1)", j=last, a=swapped("a", "i", last))
    p.fail("loop", "(>= i j)", p.inside("k", "i"), f"(>= {at('a', 'k')} x)", fresh=["k"])
    p.fail("loop", "(>= i j)", "(<= i k)", "(< k n)", f"(< {at('a', 'k')} x)", fresh=["k"])
    return p.text()


def flag(rng, size, is_safe):
    """The flag of three colours: less than a pivot, equal, and greater."""
    p = Program(rng, size, "i m j n x", "a")
    p.start("loop", f"(= i {p.low})", f"(= m {p.low})", "(= j n)", f"(<= {p.low} n)")
    last = "(- j 1)"
    p.step("loop", "loop", "(< i j)", f"(< {at('a', 'i')} x)", i="(+ i 1)", m="(+ m 1)", a=swapped("a", "i", "m"))
    p.step("loop", "loop", "(< i j)", f"(= {at('a', 'i')} x)", i="(+ i 1)")
    p.step("loop", "loop", "(< i j)", f"(> {at('a', 'i')} x)", j=last, i="i" if is_safe else "(+ i 1)", a=swapped("a", "i", last))
    p.fail("loop", "(>= i j)", p.inside("k", "m"), f"(>= {at('a', 'k')} x)", fresh=["k"])
    p.fail("loop", "(>= i j)", "(<= m k)", "(< k i)", f"(not (= {at('a', 'k')} x))", fresh=["k"])
    p.fail("loop", "(>= i j)", "(<= i k)", "(< k n)", f"(<= {at('a', 'k')} x)", fresh=["k"])
    return p.text()


def inserted(rng, size, is_safe):
    """The inner loop of insertion sort: what is sorted stays so."""
    p = Program(rng, size, "i j x n", "a")
    p.start("sorted", f"(= i (+ {p.low} 1))", "(= j 0)", "(= x 0)")
    p.step("sorted", "shift", "(< i n)", j="i", x=at("a", "i"))
    before = at("a", "(- j 1)")
    p.step("shift", "shift", f"(> j {p.low})", f"(> {before} x)", j="(- j 1)", a=put("a", "j", before))
    p.step("shift", "sorted", f"(or (<= j {p.low}) (<= {before} x))", i="(+ i 1)", a=put("a", "j" if is_safe else "(- i 1)", "x"))
    p.fail("sorted", "(>= i n)", p.inside("k"), "(< (+ k 1) n)", f"(> {at('a', 'k')} {at('a', '(+ k 1)')})", fresh=["k"])
    return p.text()


def merged(rng, size, is_safe):
    """Two sorted arrays become one that is sorted, as long as both have elements."""
    p = Program(rng, size, "i j l n m", "a b c")
    p.start("sort", f"(= i {p.low})", "(= j 0)", "(= l 0)")
    for array, end in (("a", "n"), ("b", "m")):
        following = "second" if array == "a" else "merge"
        here = "sort" if array == "a" else "second"
        p.step(here, here, f"(< i {end})", f"(or (= i {p.low}) (>= y {at(array, '(- i 1)')}))", fresh=["y"], i="(+ i 1)", **{array: put(array, "i", "y")})
        p.step(here, following, f"(>= i {end})", i=p.low, j=p.low)
    first, second = at("a", "i"), at("b", "j")
    p.step("merge", "merge", "(< i n)", "(< j m)", f"(<= {first} {second})", i="(+ i 1)", l="(+ l 1)", c=put("c", "l", first))
    p.step("merge", "merge", "(< i n)", "(< j m)", f"(> {first} {second})" if is_safe else f"(not (= {first} {second}))", j="(+ j 1)", l="(+ l 1)", c=put("c", "l", second))
    p.fail("merge", "(<= 1 k)", "(< k l)", f"(> {at('c', '(- k 1)')} {at('c', 'k')})", fresh=["k"])
    return p.text()


def interleaved(rng, size, is_safe):
    """Two arrays are put into one by turns, and taken apart again."""
    p = Program(rng, size, "i n", "a b c d e")
    p.start("loop", "(= i 0)")
    even, odd = "(* 2 i)", "(+ (* 2 i) 1)"
    p.step("loop", "loop", "(< i n)", i="(+ i 1)", c=put(put("c", even, at("a", "i")), odd, at("b", "i")))
    p.step("loop", "apart", "(>= i n)", i="0")
    p.step("apart", "apart", "(< i n)", i="(+ i 1)", d=put("d", "i", at("c", even)), e=put("e", "i", at("c", odd if is_safe else "(+ (* 2 i) 2)")))
    p.fail("apart", "(>= i n)", "(<= 0 k)", "(< k n)", f"(not (and (= {at('a', 'k')} {at('d', 'k')}) (= {at('b', 'k')} {at('e', 'k')})))", fresh=["k"])
    return p.text()


def kept_by_swaps(rng, size, is_safe):
    """How often a value occurs is what it was after any number of swaps."""
    p = Program(rng, size, "c v", "a")
    p.start("loop", "(= c 0)")
    # The second write overwrites what the first one has left.
    once = put("a", "i", at("a", "j"))
    first = watched("c", "a", "i", at("a", "j"))
    second = watched(first, once, "j", at("a" if is_safe else once, "i"))
    p.step("loop", "loop", fresh=["i", "j"], c=second, a=put(once, "j", at("a" if is_safe else once, "i")))
    p.fail("loop", "(not (= c 0))")
    return p.text()


def kept_by_insertion(rng, size, is_safe):
    """How often a value occurs is what it was when an element has been inserted."""
    p = Program(rng, size, "i j x n c v", "a")
    p.start("outer", f"(= i (+ {p.low} 1))", "(= c 0)", "(= j 0)", "(= x 0)")
    p.step("outer", "shift", "(< i n)", j="i", x=at("a", "i"))
    before = at("a", "(- j 1)")
    p.step("shift", "shift", f"(> j {p.low})", f"(> {before} x)", j="(- j 1)", a=put("a", "j", before), c=watched("c", "a", "j", before))
    goes = "j" if is_safe else "(+ j 1)"
    p.step("shift", "outer", f"(or (<= j {p.low}) (<= {before} x))", i="(+ i 1)", a=put("a", goes, "x"), c=watched("c", "a", goes, "x"))
    p.fail("outer", "(not (= c 0))")
    return p.text()


def kept_by_rotation(rng, size, is_safe):
    """How often a value occurs is what it was when an array has been rotated."""
    p = Program(rng, size, "i n x c v", "a")
    p.start("loop", "(= c 0)", f"(= i {p.low})", f"(= x {at('a', p.low)})", f"(< {p.low} n)")
    following = at("a", "(+ i 1)")
    p.step("loop", "loop", "(< (+ i 1) n)", i="(+ i 1)", a=put("a", "i", following), c=watched("c", "a", "i", following))
    last = "x" if is_safe else "(ite (= x v) v (+ x 1))"
    p.step("loop", "end", "(>= (+ i 1) n)", a=put("a", "i", last), c=watched("c", "a", "i", last))
    p.fail("end", "(not (= c 0))" if is_safe else "(not (= c 0))")
    return p.text()


def kept_by_bubbles(rng, size, is_safe):
    """How often a value occurs is what it was after passes of neighbours that change places, by a number in between."""
    p = Program(rng, size, "i n x c v", "a")
    p.start("loop", "(= c 0)", f"(= i {p.low})", "(= x 0)")
    following = at("a", "(+ i 1)")
    p.step("loop", "half", "(< (+ i 1) n)", f"(> {at('a', 'i')} {following})", x=at("a", "i"), a=put("a", "i", following), c=watched("c", "a", "i", following))
    value = "x" if is_safe else "(+ x 1)"
    p.step("half", "loop", a=put("a", "(+ i 1)", value), c=watched("c", "a", "(+ i 1)", value), i="(+ i 1)")
    p.step("loop", "loop", "(< (+ i 1) n)", f"(<= {at('a', 'i')} {following})", i="(+ i 1)")
    p.step("loop", "loop", "(>= (+ i 1) n)", i=p.low)
    p.fail("loop", "(not (= c 0))")
    return p.text()


def witnessed(rng, size, is_safe):
    """Where elements come from is kept in a second array while they change places."""
    p = Program(rng, size, "i n", "a b from")
    p.start("fill", "(= a b)", f"(= i {p.low})")
    p.step("fill", "fill", "(< i n)", i="(+ i 1)", **{"from": put("from", "i", "i")})
    p.step("fill", "swap", "(>= i n)")
    moved = swapped("from", "j", "k") if is_safe else put("from", "j", at("from", "k"))
    p.step("swap", "swap", p.inside("j"), p.inside("k"), fresh=["j", "k"], a=swapped("a", "j", "k"), **{"from": moved})
    p.fail("swap", p.inside("j"), f"(not (= {at('a', 'j')} {at('b', at('from', 'j'))}))", fresh=["j"])
    return p.text()


def inverse(rng, size, is_safe):
    """A permutation and its inverse change together."""
    p = Program(rng, size, "i n", "there back")
    p.start("fill", f"(= i {p.low})")
    p.step("fill", "fill", "(< i n)", i="(+ i 1)", there=put("there", "i", "i"), back=put("back", "i", "i"))
    p.step("fill", "swap", "(>= i n)")
    one, other = at("there", "j"), at("there", "k")
    p.step("swap", "swap", p.inside("j"), p.inside("k"), fresh=["j", "k"], there=swapped("there", "j", "k"),
           back=put(put("back", other, "j"), one, "k" if is_safe else "j"))
    p.fail("swap", p.inside("j"), f"(not (= {at('back', at('there', 'j'))} j))", fresh=["j"])
    return p.text()


def never_there(rng, size, is_safe):
    """A value that is nowhere in an array is nowhere after swaps and copies."""
    p = Program(rng, size, "i n v x", "a b")
    p.start("read", f"(= i {p.low})")
    p.step("read", "read", "(< i n)", "(not (= y v))", fresh=["y"], i="(+ i 1)", a=put("a", "i", "y"))
    p.step("read", "swap", "(>= i n)", i=p.low)
    p.step("swap", "swap", p.inside("j"), p.inside("k"), fresh=["j", "k"], a=swapped("a", "j", "k"))
    p.step("swap", "copy", i=p.low)
    p.step("copy", "copy", "(< i n)", i="(+ i 1)", b=put("b", "i", at("a", "i" if is_safe else "(+ i 1)")))
    p.fail("copy", "(>= i n)", p.inside("k"), f"(= {at('b', 'k')} v)", fresh=["k"])
    return p.text()


KINDS = [
    swap, reverse, backwards, twice, shifted, rotated, moved_up, exchanged, balanced, compared, found_equal, filtered, divided,
    bubble, least_first, least_swapped, both_ends, partition, from_both_sides, flag, inserted, merged, interleaved,
    kept_by_swaps, kept_by_insertion, kept_by_rotation, kept_by_bubbles, witnessed, inverse, never_there,
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", default="1,2")
    parser.add_argument("--only", help="the kinds to write, separated by commas")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.directory)
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["file,verdict"]
    for kind in KINDS:
        name = kind.__name__.replace("_", "-")
        if arguments.only and name not in arguments.only.split(","):
            continue
        for size in map(int, arguments.sizes.split(",")):
            for is_safe in (True, False):
                verdict = "safe" if is_safe else "unsafe"
                rng = random.Random(f"{arguments.seed} {name} {size} {verdict}")
                path = folder / f"{name}-{size}-{verdict}.smt2"
                path.write_text(kind(rng, size, is_safe))
                rows.append(f"{path.name},{verdict}")
    (folder / "expected.csv").write_text("\n".join([*rows, ""]))


if __name__ == "__main__":
    main()
