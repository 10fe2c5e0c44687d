#!/usr/bin/env python3
"""Theorems about functional programs as Horn clauses over datatypes, asked of engines.

Functions over lists, trees and unary or built-in numbers are written as equations here; each becomes a predicate of its result and
its arguments, each equation a clause for every way through its conditionals, and a theorem "for all x: left = right" the query that
the sides differ. That is the form of the competition's files of this kind. Theorems that are wrong are among them.

    python3 bench/theorems.py [--only PART] [--numbers unary|integers] [--time 5] [--alphorn PATH] [--keep FOLDER]
"""
import argparse, os, re, subprocess, sys, tempfile, time

# Functions: name, sorts of arguments, sort of the result, equations. Patterns are tried independently of each other, so they exclude one
# another; `!=` in a condition is a disequality.
FUNCTIONS = """
fun and B B -> B
and f y = f
and t y = y
fun or B B -> B
or t y = t
or f y = y
fun not B -> B
not t = f
not f = t
fun plus N N -> N
plus 0 y = y
plus (S x) y = (S (plus x y))
fun times N N -> N
times 0 y = 0
times (S x) y = (plus y (times x y))
fun minus N N -> N
minus 0 y = 0
minus (S x) 0 = (S x)
minus (S x) (S y) = (minus x y)
fun leq N N -> B
leq 0 y = t
leq (S x) 0 = f
leq (S x) (S y) = (leq x y)
fun double N -> N
double 0 = 0
double (S x) = (S (S (double x)))
fun square N -> N
square x = (times x x)
fun triangle N -> N
triangle 0 = 0
triangle (S x) = (plus (S x) (triangle x))
fun odds N -> N
odds 0 = 0
odds (S x) = (plus (S (double x)) (odds x))
fun max N N -> N
max 0 y = y
max (S x) 0 = (S x)
max (S x) (S y) = (S (max x y))
fun append L L -> L
append nil y = y
append (cons x xs) y = (cons x (append xs y))
fun reverse L -> L
reverse nil = nil
reverse (cons x xs) = (append (reverse xs) (cons x nil))
fun onto L L -> L
onto nil y = y
onto (cons x xs) y = (onto xs (cons x y))
fun length L -> N
length nil = 0
length (cons x xs) = (S (length xs))
fun sum L -> N
sum nil = 0
sum (cons x xs) = (plus x (sum xs))
fun greatest L -> N
greatest nil = 0
greatest (cons x xs) = (max x (greatest xs))
fun count N L -> N
count x nil = 0
count x (cons y ys) = (if (= x y) (S (count x ys)) (count x ys))
fun elem N L -> B
elem x nil = f
elem x (cons y ys) = (if (= x y) t (elem x ys))
fun ordered L -> B
ordered nil = t
ordered (cons x nil) = t
ordered (cons x (cons y ys)) = (and (leq x y) (ordered (cons y ys)))
fun insert N L -> L
insert x nil = (cons x nil)
insert x (cons y ys) = (if (leq x y) (cons x (cons y ys)) (cons y (insert x ys)))
fun isort L -> L
isort nil = nil
isort (cons x xs) = (insert x (isort xs))
fun delete N L -> L
delete x nil = nil
delete x (cons y ys) = (if (= x y) ys (cons y (delete x ys)))
fun least N L -> N
least x nil = x
least x (cons y ys) = (if (leq y x) (least y ys) (least x ys))
fun ssort L -> L
ssort nil = nil
ssort (cons x xs) = (let m (least x xs) (cons m (ssort (delete m (cons x xs)))))
fun small N L -> L
small x nil = nil
small x (cons y ys) = (if (leq y x) (cons y (small x ys)) (small x ys))
fun large N L -> L
large x nil = nil
large x (cons y ys) = (if (leq y x) (large x ys) (cons y (large x ys)))
fun qsort L -> L
qsort nil = nil
qsort (cons x xs) = (append (qsort (small x xs)) (append (cons x nil) (qsort (large x xs))))
fun merge L L -> L
merge nil y = y
merge (cons x xs) nil = (cons x xs)
merge (cons x xs) (cons y ys) = (if (leq x y) (cons x (merge xs (cons y ys))) (cons y (merge (cons x xs) ys)))
fun evens L -> L
evens nil = nil
evens (cons x nil) = (cons x nil)
evens (cons x (cons y ys)) = (cons x (evens ys))
fun seconds L -> L
seconds nil = nil
seconds (cons x xs) = (evens xs)
fun msort L -> L
msort nil = nil
msort (cons x nil) = (cons x nil)
msort (cons x (cons y ys)) = (merge (msort (evens (cons x (cons y ys)))) (msort (seconds (cons x (cons y ys)))))
fun bubble L -> L
bubble nil = nil
bubble (cons x nil) = (cons x nil)
bubble (cons x (cons y ys)) = (if (leq x y) (cons x (bubble (cons y ys))) (cons y (bubble (cons x ys))))
fun bsort N L -> L
bsort 0 x = x
bsort (S n) x = (bsort n (bubble x))
fun add N T -> T
add x leaf = (node leaf x leaf)
add x (node l y r) = (if (leq x y) (node (add x l) y r) (node l y (add x r)))
fun all L -> T
all nil = leaf
all (cons x xs) = (add x (all xs))
fun flat T -> L
flat leaf = nil
flat (node l x r) = (append (flat l) (cons x (flat r)))
fun tsort L -> L
tsort x = (flat (all x))
fun size T -> N
size leaf = 0
size (node l x r) = (S (plus (size l) (size r)))
fun mirror T -> T
mirror leaf = leaf
mirror (node l x r) = (node (mirror r) x (mirror l))
fun counted N T -> N
counted x leaf = 0
counted x (node l y r) = (if (= x y) (S (plus (counted x l) (counted x r))) (plus (counted x l) (counted x r)))
fun take N L -> L
take 0 y = nil
take (S x) nil = nil
take (S x) (cons y ys) = (cons y (take x ys))
fun drop N L -> L
drop 0 y = y
drop (S x) nil = nil
drop (S x) (cons y ys) = (drop x ys)
fun rotate N L -> L
rotate 0 y = y
rotate (S x) nil = nil
rotate (S x) (cons y ys) = (rotate x (append ys (cons y nil)))
fun twice L -> L
twice nil = nil
twice (cons x xs) = (cons x (cons x (twice xs)))
fun bump L -> L
bump nil = nil
bump (cons x xs) = (cons (S x) (bump xs))
"""

# Theorems: name, safe or unsafe, sides.
THEOREMS = """
plus-assoc safe (plus x (plus y z)) (plus (plus x y) z)
plus-comm safe (plus x y) (plus y x)
times-comm safe (times x y) (times y x)
times-assoc safe (times x (times y z)) (times (times x y) z)
times-distributes safe (times x (plus y z)) (plus (times x y) (times x z))
square-of-sum safe (square (plus x y)) (plus (plus (square x) (square y)) (double (times x y)))
triangle-doubled safe (double (triangle x)) (times x (S x))
odds-square safe (odds x) (square x)
odds-triangle unsafe (odds x) (double (triangle x))
square-double unsafe (square (double x)) (double (square x))
max-assoc safe (max x (max y z)) (max (max x y) z)
minus-plus safe (minus (plus x y) x) y
append-assoc safe (append u (append v w)) (append (append u v) w)
append-comm unsafe (append u v) (append v u)
reverse-twice safe (reverse (reverse u)) u
reverse-onto safe (onto u nil) (reverse u)
reverse-append safe (reverse (append u v)) (append (reverse v) (reverse u))
length-append safe (length (append u v)) (plus (length v) (length u))
length-reverse safe (length (reverse u)) (length u)
sum-append safe (sum (append u v)) (plus (sum u) (sum v))
sum-reverse safe (sum (reverse u)) (sum u)
sum-bump safe (sum (bump u)) (plus (length u) (sum u))
sum-twice safe (sum (twice u)) (double (sum u))
greatest-append safe (greatest (append u v)) (max (greatest u) (greatest v))
greatest-sorted safe (greatest (isort u)) (greatest u)
count-append safe (count x (append u v)) (plus (count x u) (count x v))
count-reverse safe (count x (reverse u)) (count x u)
count-twice safe (count x (twice u)) (double (count x u))
count-insert safe (count x (insert x u)) (S (count x u))
elem-append safe (elem x (append u v)) (or (elem x u) (elem x v))
elem-reverse safe (elem x (reverse u)) (elem x u)
isort-count safe (count x (isort u)) (count x u)
isort-length safe (length (isort u)) (length u)
isort-sorts safe (ordered (isort u)) t
isort-elem safe (elem x (isort u)) (elem x u)
insert-sorts unsafe (ordered (insert x u)) t
ssort-count safe (count x (ssort u)) (count x u)
ssort-length safe (length (ssort u)) (length u)
ssort-sorts safe (ordered (ssort u)) t
qsort-count safe (count x (qsort u)) (count x u)
qsort-length safe (length (qsort u)) (length u)
qsort-sorts safe (ordered (qsort u)) t
qsort-sum safe (sum (qsort u)) (sum u)
merge-count safe (count x (merge u v)) (plus (count x u) (count x v))
msort-count safe (count x (msort u)) (count x u)
msort-length safe (length (msort u)) (length u)
msort-sorts safe (ordered (msort u)) t
bubble-count safe (count x (bubble u)) (count x u)
bsort-count safe (count x (bsort y u)) (count x u)
bubble-sorts unsafe (ordered (bubble u)) t
bsort-sorts unsafe (ordered (bsort (S 0) u)) t
tsort-count safe (count x (tsort u)) (count x u)
tsort-length safe (length (tsort u)) (length u)
tsort-sorts safe (ordered (tsort u)) t
flat-size safe (length (flat p)) (size p)
flat-count safe (count x (flat p)) (counted x p)
mirror-size safe (size (mirror p)) (size p)
mirror-twice safe (mirror (mirror p)) p
mirror-count safe (counted x (mirror p)) (counted x p)
mirror-flat safe (flat (mirror p)) (reverse (flat p))
take-drop safe (append (take x u) (drop x u)) u
take-drop-count safe (plus (count y (take x u)) (count y (drop x u))) (count y u)
take-twice safe (take x (take x u)) (take x u)
drop-plus safe (drop x (drop y u)) (drop (plus y x) u)
length-drop safe (length (drop x u)) (minus (length u) x)
length-take unsafe (length (take x u)) x
rotate-length safe (rotate (length u) u) u
rotate-append safe (rotate (length u) (append u v)) (append v u)
rotate-count safe (count y (rotate x u)) (count y u)
rotate-sum safe (sum (rotate x u)) (sum u)
reverse-wrong unsafe (reverse u) u
count-delete unsafe (count x (delete x u)) 0
elem-insert safe (elem x (insert x u)) t
"""

SORTS = {"x": "N", "y": "N", "z": "N", "u": "L", "v": "L", "w": "L", "p": "T", "q": "T"}
CONSTRUCTORS = {"0": ("N", []), "S": ("N", ["N"]), "nil": ("L", []), "cons": ("L", ["N", "L"]), "t": ("B", []), "f": ("B", []),
                "leaf": ("T", []), "node": ("T", ["T", "N", "T"])}


def read(text):
    tokens = re.findall(r"[()]|[^\s()]+", text)
    stack = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            last = stack.pop()
            stack[-1].append(last)
        else:
            stack[-1].append(token)
    return stack[0]


def functions():
    found = {}
    for line in FUNCTIONS.strip().splitlines():
        if line.startswith("fun "):
            name, *rest = line.split()[1:]
            at = rest.index("->")
            found[name] = (rest[:at], rest[at + 1], [])
        else:
            left, right = line.split(" = ", 1)
            name, *patterns = read(left)
            found[name][2].append((patterns, read(right)[0]))
    return found


class Clauses:
    """Clauses of a theorem."""

    def __init__(self, numbers):
        self.numbers, self.all, self.out = numbers, functions(), []
        self.used, self.count = [], 0
        self.differ = set()

    def sort(self, name):
        return "Int" if name == "N" and self.numbers == "integers" else {"N": "Nat", "L": "List", "B": "Truth", "T": "Tree"}[name]

    def fresh(self, sort, env):
        self.count += 1
        name = f"v{self.count}"
        env[name] = sort
        return name

    def pattern(self, term, sort, env, parts):
        """The term of a pattern; conditions of numbers are added."""
        if isinstance(term, str):
            if term in CONSTRUCTORS:
                return self.built(term, [])
            env[term] = sort
            return term
        name, *args = term
        args = [self.pattern(arg, of, env, parts) for arg, of in zip(args, CONSTRUCTORS[name][1])]
        if name == "S" and self.numbers == "integers":
            parts.append(f"(>= {args[0]} 0)")
        return self.built(name, args)

    def built(self, name, args):
        if self.numbers == "integers" and name == "0":
            return "0"
        if self.numbers == "integers" and name == "S":
            return f"(+ 1 {args[0]})"
        name = {"0": "zero", "S": "succ", "t": "true_0", "f": "false_0"}.get(name, name)
        return f"({name} {' '.join(args)})" if args else name

    def sort_of(self, term, env):
        if isinstance(term, str):
            return env[term] if term in env else CONSTRUCTORS[term][0]
        if term[0] == "if":
            return self.sort_of(term[2], env)
        if term[0] == "let":
            return self.sort_of(term[3], {**env, term[1]: self.sort_of(term[2], env)})
        return CONSTRUCTORS[term[0]][0] if term[0] in CONSTRUCTORS else self.all[term[0]][1]

    def ways(self, term, env, parts):
        """The ways to a value of a term: values with conditions and variables."""
        if isinstance(term, str):
            yield (self.built(term, []) if term in CONSTRUCTORS else term), parts, env
            return
        name, *args = term
        if name == "let":
            for value, more, inner in self.ways(args[1], env, parts):
                inner = {**inner, args[0]: self.sort_of(args[1], env)}
                yield from self.ways(args[2], inner, more + [f"(= {args[0]} {value})"])
            return
        if name == "if":
            condition, then, otherwise = args
            for is_true, branch in ((True, then), (False, otherwise)):
                for more, inner in self.condition(condition, is_true, env, parts):
                    yield from self.ways(branch, inner, more)
            return
        values = [([], parts, env)]
        for arg in args:
            values = [(done + [value], more, inner) for done, before, at in values for value, more, inner in self.ways(arg, at, before)]
        for done, more, inner in values:
            if name in CONSTRUCTORS:
                yield self.built(name, done), more, inner
                continue
            self.use(name)
            inner = dict(inner)
            result = self.fresh(self.all[name][1], inner)
            yield result, more + [f"({name}_0 {result} {' '.join(done)})"], inner

    def condition(self, condition, is_true, env, parts):
        name, left, right = condition
        for a, more, at in list(self.ways(left, env, parts)):
            for b, both, inner in self.ways(right, at, more):
                if name == "=":
                    same = f"(= {a} {b})" if is_true else self.different("N", a, b)
                    yield both + [same], inner
                    continue
                self.use(name)
                yield both + [f"({name}_0 {'true_0' if is_true else 'false_0'} {a} {b})"], inner

    def different(self, sort, a, b):
        if self.sort(sort) == "Int":
            return f"(not (= {a} {b}))"
        if sort not in self.differ:
            self.differ.add(sort)
            for name, (of, fields) in CONSTRUCTORS.items():
                if of != sort:
                    continue
                for other, (also, others) in CONSTRUCTORS.items():
                    if also != sort:
                        continue
                    env = {}
                    one = [self.fresh(field, env) for field in fields]
                    two = [self.fresh(field, env) for field in others]
                    head = f"(differ{sort} {self.built(name, one)} {self.built(other, two)})"
                    if name != other:
                        self.out.append((env, [], head))
                        continue
                    for field, x, y in zip(fields, one, two):
                        self.out.append((env, [self.different(field, x, y)], head))
        return f"(differ{sort} {a} {b})"

    def use(self, name):
        if name in self.used:
            return
        self.used.append(name)
        args, result, equations = self.all[name]
        for patterns, right in equations:
            env, parts = {}, []
            left = [self.pattern(pattern, sort, env, parts) for pattern, sort in zip(patterns, args)]
            for value, more, inner in self.ways(right, env, parts):
                self.out.append((inner, more, f"({name}_0 {value} {' '.join(left)})"))

    def theorem(self, left, right):
        env = {name: sort for name, sort in SORTS.items() if re.search(rf"\b{name}\b", str([left, right]))}
        sort = self.sort_of(left, env)
        for a, more, inner in list(self.ways(left, env, [])):
            for b, both, at in list(self.ways(right, inner, more)):
                if self.numbers == "integers":
                    both = both + [f"(>= {name} 0)" for name, of in env.items() if of == "N" and name in SORTS]
                self.out.append((at, both + [self.different(sort, a, b)], "false"))

    def text(self):
        lines = ["(set-logic HORN)"]
        if self.numbers == "unary":
            lines.append("(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))")
        number = self.sort("N")
        lines.append(f"(declare-datatypes ((List 0)) (((nil) (cons (head {number}) (tail List)))))")
        lines.append("(declare-datatypes ((Truth 0)) (((false_0) (true_0))))")
        lines.append(f"(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (value {number}) (right Tree)))))")
        for name in self.used:
            args, result, _ = self.all[name]
            lines.append(f"(declare-fun {name}_0 ({' '.join(self.sort(s) for s in [result] + args)}) Bool)")
        for sort in sorted(self.differ):
            lines.append(f"(declare-fun differ{sort} ({self.sort(sort)} {self.sort(sort)}) Bool)")
        for env, parts, head in self.out:
            text = " ".join(parts + [head])
            names = [name for name in env if re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", text)]
            body = f"(=> (and {' '.join(parts)}) {head})" if parts else head
            if names:
                variables = " ".join(f"({name} {self.sort(env[name])})" for name in names)
                body = f"(forall ({variables}) {body})"
            lines.append(f"(assert {body})")
        return "\n".join(lines + ["(check-sat)", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="theorems whose names have this in them")
    parser.add_argument("--numbers", choices=["unary", "integers"], default="unary")
    parser.add_argument("--time", type=float, default=5, help="seconds of processor time for each")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--engine", help="one engine in the place of all")
    parser.add_argument("--keep", help="a folder for the systems")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    right = wrong = count = 0
    for line in THEOREMS.strip().splitlines():
        name, expected, sides = line.split(" ", 2)
        if options.only not in name:
            continue
        clauses = Clauses(options.numbers)
        clauses.theorem(*read(sides))
        path = os.path.join(folder, f"{name}.smt2")
        with open(path, "w") as file:
            file.write(clauses.text())
        command = [options.alphorn, path, "--time", f"{options.time}s", "--threads", "1"]
        command += ["--engine", options.engine] if options.engine else []
        begun = time.time()
        done = subprocess.run(command, capture_output=True, text=True)
        found = {0: "safe", 1: "unsafe"}.get(done.returncode, "unknown")
        by = re.search(r"(\S+): answered", done.stdout)
        count += 1
        right += found == expected
        wrong += found not in (expected, "unknown")
        mark = "" if found in (expected, "unknown") else "  WRONG"
        print(f"{name:20} {found:8} {time.time() - begun:6.2f} s  {by.group(1) if by else '-'}{mark}", flush=True)
        if done.returncode not in (0, 1, 2):
            print(done.stdout + done.stderr)
    print(f"{right} of {count} decided, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
