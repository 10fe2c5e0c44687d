#!/usr/bin/env python3
"""Writes Horn systems over records, mappings and typed heaps, safe and unsafe, as two front ends write them.

    bench/contracts_heaps.py DIRECTORY [--seed 0] [--sizes 1,3] [--only club,stack]
    bench/run.py --out rows.csv --time 10 --threads 1 --expected DIRECTORY/expected.csv --root DIRECTORY \
        --command alphorn --command z3 DIRECTORY

Contracts are after Solidity's SMTChecker: blocks and summaries of functions that hand on records of the state before and
after, a transaction, and mappings to numbers or structures; an interface that any sequence of calls keeps. Heaps are after
TriCera: a record of a size and an array of cells of several kinds, a predicate for each point of a program, and a clause for
each access, which fails where the kind of a cell is another. Of each kind there is a safe and an unsafe member for each
size: how many more fields and functions a contract has, or how many more fields a node has and how long a heap must be for
the violation. The seed chooses numbers, the order of clauses and what more functions do; the same arguments give the same files.
"""

import argparse
import pathlib
import random


def text(declarations, clauses, rng):
    """A file of declarations and clauses, which are of variables, parts of a body, and a head."""
    clauses = list(clauses)
    rng.shuffle(clauses)
    lines = ["(set-logic HORN)", *declarations]
    for variables, body, head in clauses:
        sorts = " ".join(f"({name} {sort})" for name, sort in variables.items())
        formula = f"(=> (and true {' '.join(body)}) {head})"
        lines.append(f"(assert (forall ({sorts}) {formula}))" if sorts else f"(assert {formula})")
    return "\n".join([*lines, "(check-sat)", ""])


class Contract:
    """A contract: fields of its state, and functions that change some of them and may fail."""

    def __init__(self, rng, size, structs=()):
        self.rng, self.size = rng, size
        self.structs = list(structs)
        self.fields = {}
        self.functions = []

    def field(self, name, sort, initial):
        self.fields[name] = (sort, initial)

    def function(self, parameters, requires, changes, asserts=None):
        """Requirements, new values of fields and what is asserted after them, over fields, `sender` and parameters."""
        self.functions.append((parameters, requires, changes, asserts))

    def noise(self):
        """Fields and functions that have nothing to do with what is asserted."""
        for position in range(self.size):
            name = f"extra{position}"
            self.field(name, "Int", self.rng.randint(0, 9))
            step = self.rng.randint(1, 9)
            self.function({}, [f"(< {name} {1000 + step})"], {name: f"(+ {name} {step})"})
        for position in range(self.size // 2):
            name = f"seen{position}"
            self.field(name, "(Array Int Bool)", "((as const (Array Int Bool)) false)")
            self.function({}, [], {name: f"(store {name} sender true)"})

    def write(self):
        self.noise()
        names = list(self.fields)
        fields = " ".join(f"({name} {self.fields[name][0]})" for name in names)
        declarations = [f"(declare-datatypes (({name} 0)) ((({name} {fields_of}))))" for name, fields_of in self.structs]
        declarations += [
            "(declare-datatypes ((tx_type 0)) (((tx_type (msg.sender Int) (msg.value Int) (block.number Int)))))",
            f"(declare-datatypes ((state_type 0)) (((state_type {fields}))))",
            "(declare-fun interface (Int state_type) Bool)",
            "(declare-fun error_target () Bool)",
        ]
        initial = " ".join(str(self.fields[name][1]) for name in names)
        clauses = [({"this": "Int"}, [], f"(interface this (state_type {initial}))")]
        for number, (parameters, requires, changes, asserts) in enumerate(self.functions):
            common = {"this": "Int", "t": "tx_type", "s": "state_type", "u": "state_type"}
            sorts = "Int Int tx_type state_type state_type " + " ".join(parameters.values())
            blocks = [f"block_{number}_{part}" for part in ("entry", "body", "return")] + [f"summary_{number}"]
            declarations += [f"(declare-fun {name} ({sorts}) Bool)" for name in blocks]
            arguments = " ".join(parameters)
            at = lambda block, error, state="u": f"({blocks[block]} {error} this t s {state} {arguments})"
            entry = {"e": "Int", **common, **parameters}
            clauses.append((entry, [], at(0, "e")))
            clauses.append((entry, [at(0, "e"), "(= e 0)", "(= u s)"], at(1, "e")))
            read = [f"(= {name}_ ({name} u))" for name in names]
            put = lambda term: self.renamed(term, names)
            new = " ".join(put(changes.get(name, name)) for name in names)
            variables = {**entry, **{f"{name}_": self.fields[name][0] for name in names}, "sender": "Int"}
            body = [at(1, "e"), *read, "(= sender (msg.sender t))", *map(put, requires)]
            clauses.append(({**variables, "w": "state_type"}, [*body, f"(= w (state_type {new}))"], at(2, "e", "w")))
            if asserts:
                after = {name: put(changes.get(name, name)) for name in names}
                bindings = " ".join(f"({name}_ {term})" for name, term in after.items())
                fails = f"(not (let ({bindings}) {put(asserts)}))"
                clauses.append(({**variables, "w": "state_type"}, [*body, f"(= w (state_type {new}))", fails], at(3, 1, "w")))
            clauses.append((entry, [at(2, "e")], at(3, "e")))
            call = ["(interface this s)", f"({blocks[3]} e this t s u {arguments})", "(>= (msg.sender t) 0)"]
            clauses.append((entry, [*call, "(= e 0)"], "(interface this u)"))
            if asserts:
                clauses.append((entry, [*call, "(= e 1)"], "error_target"))
        clauses.append(({}, ["error_target"], "false"))
        return text(declarations, clauses, self.rng)

    @staticmethod
    def renamed(term, names):
        """A term over fields as one over the variables that stand for them."""
        tokens = term.replace("(", " ( ").replace(")", " ) ").split()
        return " ".join(f"{token}_" if token in names else token for token in tokens)


NUMBERS = "(Array Int Int)"


def zeros(value=0):
    return f"((as const {NUMBERS}) {value})"


def bank(rng, size, is_safe):
    """No balance is negative, as withdrawals are covered."""
    contract = Contract(rng, size)
    contract.field("balance", NUMBERS, zeros())
    own = "(select balance sender)"
    contract.function({"n": "Int"}, ["(> n 0)"], {"balance": f"(store balance sender (+ {own} n))"})
    covered = [f"(<= n {own})"] if is_safe else [f"(<= n (+ {own} 1))"]
    left = {"balance": f"(store balance sender (- {own} n))"}
    contract.function({"n": "Int"}, ["(>= n 0)", *covered], left, "(>= (select balance sender) 0)")
    return contract.write()


def club(rng, size, is_safe):
    """Who is a member has paid the fee."""
    fee = rng.randint(5, 50)
    contract = Contract(rng, size, [("person", "(member Bool) (paid Int)")])
    contract.field("people", "(Array Int person)", "((as const (Array Int person)) (person false 0))")
    own = "(select people sender)"
    pay = f"(store people sender (person (member {own}) (+ (paid {own}) n)))"
    contract.function({"n": "Int"}, ["(>= n 0)"], {"people": pay})
    join = f"(store people sender (person true (paid {own})))"
    contract.function({}, [f"(>= (paid {own}) {fee if is_safe else fee - 1})"], {"people": join})
    paid = f"(or (not (member (select people who))) (>= (paid (select people who)) {fee}))"
    contract.function({"who": "Int"}, [], {}, paid)
    return contract.write()


def list_of_numbers(rng, size, is_safe):
    """All elements of an array that grows and shrinks are one number."""
    number = rng.randint(1, 99)
    contract = Contract(rng, size, [("numbers", f"(elements {NUMBERS}) (length Int)")])
    contract.field("list", "numbers", f"(numbers {zeros()} 0)")
    pushed = str(number) if is_safe else "n"
    bounds = [] if is_safe else [f"(>= n {number})", f"(<= n {number + 1})"]
    push = f"(numbers (store (elements list) (length list) {pushed}) (+ (length list) 1))"
    contract.function({"n": "Int"}, bounds, {"list": push})
    pop = "(numbers (elements list) (- (length list) 1))"
    contract.function({}, ["(> (length list) 0)"], {"list": pop})
    inside = ["(>= i 0)", "(< i (length list))"]
    contract.function({"i": "Int"}, inside, {}, f"(= (select (elements list) i) {number})")
    return contract.write()


def auction(rng, size, is_safe):
    """No bid is higher than the highest."""
    contract = Contract(rng, size)
    contract.field("bids", NUMBERS, zeros())
    contract.field("highest", "Int", 0)
    better = {"bids": "(store bids sender n)", "highest": "n"}
    contract.function({"n": "Int"}, ["(> n highest)"], better)
    lost = ["(< (select bids sender) highest)"]
    contract.function({}, lost, {"bids": "(store bids sender 0)"})
    if not is_safe:
        contract.function({}, [f"(> highest {rng.randint(1, 5)})"], {"highest": "(- highest 1)"})
    contract.function({"who": "Int"}, [], {}, "(<= (select bids who) highest)")
    return contract.write()


def shadow(rng, size, is_safe):
    """Two mappings that are written together differ by a constant everywhere."""
    apart = rng.randint(1, 9)
    contract = Contract(rng, size)
    contract.field("one", NUMBERS, zeros())
    contract.field("other", NUMBERS, zeros(apart))
    moved = {"one": "(store one to n)", "other": f"(store other to (+ n {apart}))"}
    contract.function({"to": "Int", "n": "Int"}, [], moved)
    more = {"one": "(store one sender (+ (select one sender) 1))", "other": "(store other sender (+ (select other sender) 1))"}
    if not is_safe:
        del more["other"]
    contract.function({}, [], more)
    contract.function({"who": "Int"}, [], {}, f"(= (select other who) (+ (select one who) {apart}))")
    return contract.write()


def owner(rng, size, is_safe):
    """Only the owner's account is locked."""
    first = rng.randint(1, 99)
    contract = Contract(rng, size, [("account", "(locked Bool) (amount Int)")])
    contract.field("owner", "Int", first)
    contract.field("accounts", "(Array Int account)", "((as const (Array Int account)) (account false 0))")
    own = "(select accounts sender)"
    contract.function({"n": "Int"}, [], {"accounts": f"(store accounts sender (account (locked {own}) n))"})
    lock = {"accounts": f"(store accounts owner (account true (amount (select accounts owner))))"}
    contract.function({}, ["(= sender owner)"], lock)
    unlocked = ["(= sender owner)", "(not (locked (select accounts owner)))"] if is_safe else ["(= sender owner)"]
    contract.function({"to": "Int"}, [*unlocked, "(> to 0)"], {"owner": "to"})
    only = "(or (= who owner) (not (locked (select accounts who))))"
    contract.function({"who": "Int"}, [], {}, only)
    return contract.write()


def phases(rng, size, is_safe):
    """Choices are revealed only after a phase that cannot come back, and only by those who committed."""
    contract = Contract(rng, size, [("voter", "(committed Bool) (revealed Bool) (choice Int)")])
    contract.field("phase", "Int", 0)
    contract.field("voters", "(Array Int voter)", "((as const (Array Int voter)) (voter false false 0))")
    own = "(select voters sender)"
    contract.function({}, ["(= phase 0)"], {"voters": f"(store voters sender (voter true false 0))"})
    last = rng.randint(1, 3)
    contract.function({}, [f"(< phase {last})"], {"phase": "(+ phase 1)"})
    reveal = [f"(= phase {last})", "(> c 0)"] + ([f"(committed {own})"] if is_safe else [])
    contract.function({"c": "Int"}, reveal, {"voters": f"(store voters sender (voter (committed {own}) true c))"})
    voter = "(select voters who)"
    fair = f"(or (not (revealed {voter})) (and (committed {voter}) (= phase {last})))"
    contract.function({"who": "Int"}, [], {}, fair)
    return contract.write()


def token(rng, size, is_safe):
    """Transfers keep what two different accounts have together."""
    contract = Contract(rng, size)
    contract.field("amounts", NUMBERS, zeros(rng.randint(10, 99)))
    at = lambda who: f"(select amounts {who})"
    requires = ["(>= n 0)", f"(<= n {at('sender')})", "(= old (+ (select amounts sender) (select amounts to)))"]
    if is_safe:
        requires.append("(not (= sender to))")
    after = f"(store (store amounts sender (- {at('sender')} n)) to (+ {at('to')} n))"
    kept = f"(= (+ {at('sender')} {at('to')}) old)"
    contract.function({"to": "Int", "n": "Int", "old": "Int"}, requires, {"amounts": after}, kept)
    return contract.write()


class Program:
    """A program with a heap: points, variables that all points hand on, and accesses."""

    def __init__(self, rng, size, variables, fields):
        self.rng, self.size, self.variables = rng, size, variables
        self.fields = [*fields, *(f"pad{position}" for position in range(size))]
        self.points, self.clauses = set(), []

    def atom(self, point, heap, values):
        self.points.add(point)
        return f"({point} {heap} {' '.join(values[name] for name in self.variables)})"

    def step(self, before, after, guards=(), heap="h", extra=(), **values):
        """From a point to another: guards, another heap, and new values of variables."""
        sorts = {"h": "Heap", **{name: "Int" for name in [*self.variables, *extra]}}
        same = {name: name for name in self.variables}
        body = [self.atom(before, "h", same), *guards]
        self.clauses.append((sorts, body, self.atom(after, heap, {**same, **values})))

    def start(self, point):
        empty = "(HeapCtor 0 ((as const (Array Int HeapObject)) defObj))"
        self.clauses.append(({}, [], self.atom(point, empty, {name: "0" for name in self.variables})))

    def read(self, pointer):
        return f"(ite (and (> {pointer} 0) (<= {pointer} (HeapSize h))) (select (HeapContents h) {pointer}) defObj)"

    def write(self, pointer, cell):
        inside = f"(and (> {pointer} 0) (<= {pointer} (HeapSize h)))"
        return f"(ite {inside} (HeapCtor (HeapSize h) (store (HeapContents h) {pointer} {cell})) h)"

    def node(self, pointer, **values):
        """The node at a pointer with other values of fields."""
        cell = self.read(pointer)
        parts = [values.get(field, f"({field} (getnode {cell}))") for field in self.fields]
        return f"(O_node (node {' '.join(parts)}))"

    def fresh(self, before, after, pointer, cell=None, **values):
        """A new cell, of a node whose fields may be anything, at a pointer."""
        unknown = [f"x{position}" for position in range(len(self.fields))] if cell is None else []
        parts = [values.get(field, name) for field, name in zip(self.fields, unknown)]
        cell = cell or f"(O_node (node {' '.join(parts)}))"
        bigger = f"(HeapCtor (+ (HeapSize h) 1) (store (HeapContents h) (+ (HeapSize h) 1) {cell}))"
        self.step(before, after, heap=bigger, extra=unknown, **{pointer: "(+ (HeapSize h) 1)"})

    def access(self, point, pointer, kind="O_node"):
        """An access fails if the cell is of another kind."""
        self.fail(point, f"(not ((_ is {kind}) {self.read(pointer)}))")
        return f"((_ is {kind}) {self.read(pointer)})"

    def fail(self, point, *guards):
        sorts = {"h": "Heap", **{name: "Int" for name in self.variables}}
        atom = self.atom(point, "h", {name: name for name in self.variables})
        self.clauses.append((sorts, [atom, *guards], "CHC_COMP_FALSE"))

    def set(self, before, after, pointer, guards=(), **values):
        """Fields of a node are written."""
        is_node = self.access(before, pointer)
        self.step(before, after, [is_node, *guards], heap=self.write(pointer, self.node(pointer, **values)))

    def get(self, before, after, variable, pointer, field):
        """A field of a node is read."""
        is_node = self.access(before, pointer)
        value = f"({field} (getnode {self.read(pointer)}))"
        self.step(before, after, [is_node], **{variable: value})

    def text(self):
        fields = " ".join(f"({field} Int)" for field in self.fields)
        arguments = " ".join("Int" for _ in self.variables)
        declarations = [
            f"(declare-datatypes ((node 0)) (((node {fields}))))",
            "(declare-datatypes ((HeapObject 0)) (((O_Int (getInt Int)) (O_Addr (getAddr Int)) (O_node (getnode node)) (defObj))))",
            "(declare-datatypes ((Heap 0)) (((HeapCtor (HeapSize Int) (HeapContents (Array Int HeapObject))))))",
            *(f"(declare-fun {point} (Heap {arguments}) Bool)" for point in sorted(self.points)),
            "(declare-fun CHC_COMP_FALSE () Bool)",
        ]
        self.clauses.append(({}, ["CHC_COMP_FALSE"], "false"))
        return text(declarations, self.clauses, self.rng)


def walk(program, start, value=None):
    """A walk along `next` from `p`, where every node may have to have a value."""
    program.step(start, "walk", p="p")
    program.step("walk", "visit", ["(not (= p 0))"])
    if value is not None:
        is_node = program.access("visit", "p")
        found = f"(data (getnode {program.read('p')}))"
        program.fail("visit", is_node, f"(not (= {found} {value}))")
    program.get("visit", "walk", "p", "p", "next")


def pushed(rng, size, is_safe):
    """Nodes are pushed in front of a list, which is walked; an unsafe one forgets a link."""
    program = Program(rng, size, ["p", "q"], ["next", "data"])
    program.start("loop")
    program.fresh("loop", "made", "q")
    program.set("made", "linked", "q", next="p")
    if not is_safe:
        program.step("made", "linked")
    program.step("linked", "loop", p="q")
    walk(program, "loop")
    return program.text()


def appended(rng, size, is_safe):
    """Nodes are appended at the end of a list, whose links end with nothing unless that is forgotten."""
    program = Program(rng, size, ["p", "q", "r"], ["next", "data"])
    program.start("begin")
    program.fresh("begin", "first", "p")
    program.set("first", "loop0", "p", next="0")
    program.step("loop0", "loop", q="p")
    program.fresh("loop", "made", "r")
    program.set("made", "ended", "r", next="0")
    if not is_safe:
        program.step("made", "ended")
    program.set("ended", "linked", "q", next="r")
    program.step("linked", "loop", q="r")
    walk(program, "loop")
    return program.text()


def valued(rng, size, is_safe):
    """All nodes of a list have one number; of an unsafe one a node may have another."""
    number = rng.randint(1, 99)
    program = Program(rng, size, ["p", "q"], ["next", "data"])
    program.start("loop")
    program.fresh("loop", "made", "q")
    program.set("made", "filled", "q", data=str(number))
    if not is_safe:
        program.set("made", "filled", "q", data=str(number + 1))
    program.set("filled", "linked", "q", next="p")
    program.step("linked", "loop", p="q")
    walk(program, "loop", number)
    return program.text()


def payload(rng, size, is_safe):
    """Nodes have numbers in cells of their own, which are read on a walk."""
    program = Program(rng, size, ["p", "q", "d"], ["next", "data"])
    program.start("loop")
    program.fresh("loop", "made", "q")
    program.fresh("made", "number", "d", cell="(O_Int 0)" if is_safe else "(O_Addr 0)")
    if not is_safe:
        program.fresh("made", "number", "d", cell="(O_Int 1)")
    program.set("number", "filled", "q", data="d")
    program.set("filled", "linked", "q", next="p")
    program.step("linked", "loop", p="q")
    program.step("loop", "walk")
    program.step("walk", "visit", ["(not (= p 0))"])
    program.get("visit", "look", "d", "p", "data")
    program.step("look", "on", [program.access("look", "d", "O_Int")])
    program.get("on", "walk", "p", "p", "next")
    return program.text()


def counted(rng, size, is_safe):
    """Cells that are handed out one after the other are visited by their numbers."""
    kinds = "(O_Int 7)"
    program = Program(rng, size, ["n", "i"], ["next", "data"])
    program.start("loop")
    program.fresh("loop", "loop", "n", cell=kinds)
    program.step("loop", "visit", i="1")
    program.step("visit", "look", ["(<= i n)" if is_safe else "(<= i (+ n 1))"])
    is_number = program.access("look", "i", "O_Int")
    program.step("look", "visit", [is_number, f"(= (getInt {program.read('i')}) 7)"], i="(+ i 1)")
    program.fail("look", is_number, f"(not (= (getInt {program.read('i')}) 7))")
    return program.text()


def freed(rng, size, is_safe):
    """A list is taken apart from its front; an unsafe program looks at a node that is gone."""
    program = Program(rng, size, ["p", "q"], ["next", "data"])
    program.start("loop")
    program.fresh("loop", "made", "q")
    program.set("made", "linked", "q", next="p")
    program.step("linked", "loop", p="q")
    program.step("loop", "take", q="p")
    program.step("take", "look", ["(not (= p 0))"], q="p")
    program.get("look", "free", "p", "p", "next")
    program.step("free", "take" if is_safe else "again", heap=program.write("q", "defObj"))
    if not is_safe:
        program.get("again", "take", "p", "q", "next")
    return program.text()


def tree(rng, size, is_safe):
    """Nodes with two links to earlier ones, and a walk that goes either way."""
    program = Program(rng, size, ["p", "q", "r"], ["next", "other"])
    program.start("loop")
    program.fresh("loop", "made", "q")
    program.set("made", "left", "q", next="p")
    program.set("left", "linked", "q", other="r" if is_safe else "(+ q 1)")
    program.step("linked", "loop", p="q")
    program.step("linked", "loop", p="q", r="p")
    program.step("loop", "walk")
    program.step("walk", "visit", ["(not (= p 0))"])
    program.get("visit", "walk", "p", "p", "next")
    program.get("visit", "walk", "p", "p", "other")
    return program.text()


def doubly(rng, size, is_safe):
    """Nodes with links both ways: what is behind a node is looked at on the way."""
    program = Program(rng, size, ["p", "q", "r"], ["next", "prev"])
    program.start("begin")
    program.fresh("begin", "first", "p")
    program.set("first", "ends", "p", next="0")
    program.set("ends", "loop", "p", prev="0")
    program.fresh("loop", "made", "q")
    program.set("made", "back", "q", next="p")
    program.set("back", "front", "q", prev="0" if is_safe else "r")
    program.set("front", "linked", "p", prev="q")
    program.step("linked", "loop", p="q", r="(+ q 2)")
    program.step("loop", "walk")
    program.step("walk", "visit", ["(not (= p 0))"])
    program.get("visit", "behind", "q", "p", "prev")
    program.step("behind", "on", ["(= q 0)"])
    program.step("behind", "look", ["(not (= q 0))"])
    program.get("look", "on", "r", "q", "next")
    program.get("on", "walk", "p", "p", "next")
    return program.text()


CONTRACTS = [bank, club, list_of_numbers, auction, shadow, owner, phases, token]
HEAPS = [pushed, appended, valued, payload, counted, freed, tree, doubly]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", default="1,3")
    parser.add_argument("--only", help="the kinds to write, separated by commas")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.directory)
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["file,verdict"]
    for group, kinds in (("contract", CONTRACTS), ("heap", HEAPS)):
        for kind in kinds:
            if arguments.only and kind.__name__ not in arguments.only.split(","):
                continue
            for size in map(int, arguments.sizes.split(",")):
                for is_safe in (True, False):
                    verdict = "safe" if is_safe else "unsafe"
                    rng = random.Random(f"{arguments.seed} {kind.__name__} {size} {verdict}")
                    path = folder / f"{group}-{kind.__name__}-{size}-{verdict}.smt2"
                    path.write_text(kind(rng, size, is_safe))
                    rows.append(f"{path.name},{verdict}")
    (folder / "expected.csv").write_text("\n".join([*rows, ""]))


if __name__ == "__main__":
    main()
