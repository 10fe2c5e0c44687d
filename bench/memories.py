#!/usr/bin/env python3
"""Writes BTOR2 designs with memories as they occur in hardware, to measure arrays with.

    bench/memories.py --list
    bench/memories.py --kind fifo --width 8 --address 4 [--fault]
    bench/memories.py --all DIRECTORY

Each kind is a design and what it has to agree with; `--fault` plants one error in the design, so the
property fails after a few steps. A design without a fault is safe. Nothing is random: the same
parameters give the same text.
"""

import argparse
import os


class Design:
    """Lines of BTOR2, each said once."""

    def __init__(self):
        self.lines = []
        self.known = {}

    def line(self, *words):
        key = " ".join(str(word) for word in words)
        if key not in self.known:
            self.lines.append(key)
            self.known[key] = len(self.lines)
        return self.known[key]

    def fresh(self, *words):
        self.lines.append(" ".join(str(word) for word in words))
        return len(self.lines)

    def text(self):
        return "".join(f"{number} {line}\n" for number, line in enumerate(self.lines, 1))

    def bits(self, width):
        return self.line("sort", "bitvec", width)

    def word(self, width, name):
        return Word(self, width, self.fresh("input", self.bits(width), name))

    def const(self, width, value):
        return Word(self, width, self.line("constd", self.bits(width), value % 2**width))

    def register(self, width, name, init=None):
        state = Word(self, width, self.fresh("state", self.bits(width), name))
        if init is not None:
            value = self.const(width, init).id
            self.fresh("init", self.bits(width), state.id, value)
        return state

    def symbol(self, width, name):
        """An unknown that stays what it is."""
        state = self.register(width, name)
        self.next(state, state)
        return state

    def memory(self, address, width, name, init=None):
        sort = self.line("sort", "array", self.bits(address), self.bits(width))
        if init is not None:
            value = self.const(width, init).id
        state = Memory(self, address, width, self.fresh("state", sort, name))
        if init is not None:
            self.fresh("init", sort, state.id, value)
        return state

    def next(self, state, value):
        self.fresh("next", state.sort(), state.id, value.id)

    def constraint(self, condition):
        self.fresh("constraint", condition.id)

    def bad(self, condition, name="wrong"):
        self.fresh("bad", condition.id, name)


class Word:
    def __init__(self, design, width, number):
        self.design, self.width, self.id = design, width, number

    def sort(self):
        return self.design.bits(self.width)

    def binary(self, op, other, width=None):
        if isinstance(other, int):
            other = self.design.const(self.width, other)
        width = width or self.width
        return Word(self.design, width,
                    self.design.line(op, self.design.bits(width), self.id, other.id))

    def __add__(self, other):
        return self.binary("add", other)

    def __sub__(self, other):
        return self.binary("sub", other)

    def __and__(self, other):
        return self.binary("and", other)

    def __or__(self, other):
        return self.binary("or", other)

    def __xor__(self, other):
        return self.binary("xor", other)

    def __invert__(self):
        return Word(self.design, self.width, self.design.line("not", self.sort(), self.id))

    def eq(self, other):
        return self.binary("eq", other, 1)

    def neq(self, other):
        return self.binary("neq", other, 1)

    def below(self, other):
        return self.binary("ult", other, 1)

    def slice(self, high, low):
        width = high - low + 1
        return Word(self.design, width,
                    self.design.line("slice", self.design.bits(width), self.id, high, low))

    def extend(self, width):
        if width == self.width:
            return self
        number = self.design.line("uext", self.design.bits(width), self.id, width - self.width)
        return Word(self.design, width, number)

    def choose(self, then, other):
        """`then` if this bit is one; words or memories."""
        if isinstance(other, int):
            other = self.design.const(then.width, other)
        return then.like(self.design.line("ite", then.sort(), self.id, then.id, other.id))

    def like(self, number):
        return Word(self.design, self.width, number)


class Memory:
    def __init__(self, design, address, width, number):
        self.design, self.address, self.width, self.id = design, address, width, number

    def sort(self):
        design = self.design
        return design.line("sort", "array", design.bits(self.address), design.bits(self.width))

    def like(self, number):
        return Memory(self.design, self.address, self.width, number)

    def read(self, address):
        design = self.design
        number = design.line("read", design.bits(self.width), self.id, address.id)
        return Word(design, self.width, number)

    def write(self, address, value, enable=None):
        written = self.like(self.design.line("write", self.sort(), self.id, address.id, value.id))
        return written if enable is None else enable.choose(written, self)

    def neq(self, other):
        design = self.design
        return Word(design, 1, design.line("neq", design.bits(1), self.id, other.id))


def fifo(d, width, address, fault):
    """A queue in a memory against a shift register of four places."""
    push, pop, value = d.word(1, "push"), d.word(1, "pop"), d.word(width, "value")
    memory = d.memory(address, width, "memory")
    head, tail = d.register(address, "head", 0), d.register(address, "tail", 0)
    count = d.register(3, "count", 0)
    places = [d.register(width, f"place{n}", 0) for n in range(4)]
    pushes, pops = push & count.below(4), pop & count.neq(0)
    d.next(memory, memory.write(tail, value, pushes))
    d.next(tail, pushes.choose(tail + 1, tail))
    # The error: a pop while pushing forgets to move on.
    moves = pops & ~(pushes & count.eq(2)) if fault else pops
    d.next(head, moves.choose(head + 1, head))
    d.next(count, count + pushes.extend(3) - pops.extend(3))
    at = count - pops.extend(3)
    for n, place in enumerate(places):
        follower = places[n + 1] if n < 3 else d.const(width, 0)
        kept = pops.choose(follower, place)
        d.next(place, (pushes & at.eq(n)).choose(value, kept))
    d.bad(count.neq(0) & memory.read(head).neq(places[0]))


def watched(d, width, address, fault):
    """A queue in a memory: a value that was watched when it came in is what comes out at its turn."""
    push, pop, value = d.word(1, "push"), d.word(1, "pop"), d.word(width, "value")
    watch = d.word(1, "watch")
    memory = d.memory(address, width, "memory")
    head, tail = d.register(address, "head", 0), d.register(address, "tail", 0)
    is_watched, seen = d.register(1, "is_watched", 0), d.register(width, "seen", 0)
    ahead = d.register(address, "ahead", 0)
    full = (tail + 1).eq(head)
    pushes, pops = push & ~full, pop & head.neq(tail)
    starts = pushes & watch & ~is_watched
    leaves = pops & is_watched & ahead.eq(0)
    d.next(memory, memory.write(tail, value, pushes))
    d.next(tail, pushes.choose(tail + 1, tail))
    d.next(head, pops.choose(head + 1, head))
    d.next(is_watched, starts.choose(starts, is_watched & ~leaves))
    d.next(seen, starts.choose(value, seen))
    # The error: what leaves in the same step is counted.
    waiting = tail - head if fault else tail - head - pops.extend(address)
    d.next(ahead, starts.choose(waiting, pops.choose(ahead - 1, ahead)))
    d.bad(leaves & memory.read(head).neq(seen))


def registers(d, width, address, fault):
    """A register file with two ports for reading and one for writing against one shadow register."""
    write, value, to = d.word(1, "write"), d.word(width, "value"), d.word(address, "to")
    ports = [d.word(address, "from0"), d.word(address, "from1")]
    cell = d.symbol(address, "cell")
    memory, shadow = d.memory(address, width, "memory", 0), d.register(width, "shadow", 0)
    # Register zero stays zero; the error lets it be written.
    writes = write if fault else write & to.neq(0)
    d.next(memory, memory.write(to, value, writes))
    d.next(shadow, (write & to.neq(0) & to.eq(cell)).choose(value, shadow))
    wrong = [port.eq(cell) & memory.read(port).neq(shadow) for port in ports]
    d.bad(wrong[0] | wrong[1])


def stack(d, width, address, fault):
    """A stack in a memory: the value at a watched height is the one pushed last there."""
    push, pop, value = d.word(1, "push"), d.word(1, "pop"), d.word(width, "value")
    memory, top = d.memory(address, width, "memory"), d.register(address, "top", 0)
    height, shadow = d.symbol(address, "height"), d.register(width, "shadow", 0)
    full = top.eq(2**address - 1)
    pushes = push & ~full
    pops = pop & ~push & (top.neq(0) if not fault else top.neq(2))
    d.next(memory, memory.write(top, value, pushes))
    d.next(top, pushes.choose(top + 1, pops.choose(top - 1, top)))
    d.next(shadow, (pushes & top.eq(height)).choose(value, shadow))
    d.bad(height.below(top) & memory.read(height).neq(shadow))


def ring(d, width, address, fault):
    """A ring buffer of numbers that count up: what comes out is one more than what came before."""
    push, pop = d.word(1, "push"), d.word(1, "pop")
    memory = d.memory(address, width, "memory")
    head, count = d.register(address, "head", 0), d.register(address + 1, "count", 0)
    sent, due = d.register(width, "sent", 0), d.register(width, "due", 0)
    size = 2**address
    pushes, pops = push & count.below(size), pop & count.neq(0)
    wide = address + 1
    d.next(memory, memory.write(head + count.slice(address - 1, 0), sent, pushes))
    d.next(sent, pushes.choose(sent + 1, sent))
    d.next(count, count + pushes.extend(wide) - pops.extend(wide))
    # The error: two are taken at once when three are there.
    step = head + 1 + (count.eq(3).extend(address) if fault else 0)
    d.next(head, pops.choose(step, head))
    d.next(due, pops.choose(due + 1, due))
    d.bad(pops & memory.read(head).neq(due))


def copy(d, width, address, fault):
    """An engine that copies a part of one memory into another, a word at a time."""
    source, target = d.memory(address, width, "source"), d.memory(address, width, "target")
    length, start = d.symbol(address, "length"), d.symbol(address, "start")
    cell, at = d.symbol(address, "cell"), d.register(address, "at", 0)
    d.next(source, source)
    busy = at.neq(length)
    read = source.read((at if not fault else at + at.eq(2).extend(address)) + start)
    d.next(target, target.write(at, read, busy))
    d.next(at, busy.choose(at + 1, at))
    d.bad(~busy & cell.below(length) & target.read(cell).neq(source.read(cell + start)))


def cache(d, width, address, fault):
    """A direct-mapped write-through cache: a hit gives what the memory has."""
    index, tag = address // 2, address - address // 2
    write, read, value = d.word(1, "write"), d.word(1, "read"), d.word(width, "value")
    where = d.word(address, "where")
    memory = d.memory(address, width, "memory")
    lines, tags = d.memory(index, width, "lines"), d.memory(index, tag, "tags")
    valid = d.memory(index, 1, "valid", 0)
    low, high = where.slice(index - 1, 0), where.slice(address - 1, index)
    hit = valid.read(low) & tags.read(low).eq(high)
    fills = read & ~write & ~hit
    # A write updates the line if it is there; the error updates memory only.
    updates = (write & hit) if not fault else (write & hit & value.eq(0))
    line = write.choose(value, memory.read(where))
    d.next(memory, memory.write(where, value, write))
    d.next(lines, lines.write(low, line, fills | updates))
    d.next(tags, tags.write(low, high, fills))
    d.next(valid, valid.write(low, d.const(1, 1), fills))
    d.bad(hit & lines.read(low).neq(memory.read(where)))


def arbiter(d, width, address, fault):
    """Two clients with memories of their own share one port; a cell keeps what its client wrote."""
    asks = [d.word(1, f"ask{n}") for n in (0, 1)]
    wheres = [d.word(address, f"where{n}") for n in (0, 1)]
    values = [d.word(width, f"value{n}") for n in (0, 1)]
    turn = d.register(1, "turn", 0)
    memories = [d.memory(address, width, f"memory{n}") for n in (0, 1)]
    cell, shadow = d.symbol(address, "cell"), d.register(width, "shadow")
    is_known = d.register(1, "is_known", 0)
    grants = [asks[0] & (~turn | ~asks[1]), asks[1] & (turn | ~asks[0])]
    where = grants[1].choose(wheres[1], wheres[0])
    # The error: the second client's value goes through when both ask.
    value = (asks[1] if fault else grants[1]).choose(values[1], values[0])
    for memory, grant in zip(memories, grants):
        d.next(memory, memory.write(where, value, grant))
    d.next(turn, grants[0].choose(d.const(1, 1), grants[1].choose(d.const(1, 0), turn)))
    hits = grants[0] & wheres[0].eq(cell)
    d.next(shadow, hits.choose(values[0], shadow))
    d.next(is_known, is_known | hits)
    d.bad(is_known & memories[0].read(cell).neq(shadow))


def banks(d, width, address, fault):
    """Two banks, by the lowest bit of the address, against one memory."""
    write, value, where = d.word(1, "write"), d.word(width, "value"), d.word(address, "where")
    cell = d.word(address, "cell")
    whole = d.memory(address, width, "whole", 0)
    parts = [d.memory(address - 1, width, f"bank{n}", 0) for n in (0, 1)]
    d.next(whole, whole.write(where, value, write))
    odd, row = where.slice(0, 0), where.slice(address - 1, 1)
    for bank, mine in zip(parts, (~odd, odd)):
        row_here = row if not fault or mine.id != odd.id else row & value.slice(0, 0).choose(
            d.const(address - 1, -1), 2**(address - 1) - 2)
        d.next(bank, bank.write(row_here, value, write & mine))
    at = cell.slice(address - 1, 1)
    found = cell.slice(0, 0).choose(parts[1].read(at), parts[0].read(at))
    d.bad(whole.read(cell).neq(found))


def queue(d, width, address, fault):
    """Writes that wait in two places before memory, with forwarding, against a memory at once."""
    write, value, where = d.word(1, "write"), d.word(width, "value"), d.word(address, "where")
    cell = d.word(address, "cell")
    golden, memory = d.memory(address, width, "golden", 0), d.memory(address, width, "memory", 0)
    pending = [(d.register(1, f"is_{n}", 0), d.register(address, f"at_{n}", 0),
                d.register(width, f"value_{n}", 0)) for n in (0, 1)]
    d.next(golden, golden.write(where, value, write))
    for state, follower in zip(pending[0], (write, where, value)):
        d.next(state, follower)
    for state, follower in zip(pending[1], pending[0]):
        d.next(state, follower)
    full, at, waiting = pending[1]
    d.next(memory, memory.write(at, waiting, full))
    # The younger write counts; the error takes the older one.
    found = memory.read(cell)
    for full, at, waiting in (pending if fault else reversed(pending)):
        found = (full & at.eq(cell)).choose(waiting, found)
    d.bad(golden.read(cell).neq(found))


def mirror(d, width, address, fault):
    """Two memories that get the same two writes each step, in the two orders if that is no matter."""
    values = [d.word(width, f"value{n}") for n in (0, 1)]
    wheres = [d.word(address, f"where{n}") for n in (0, 1)]
    left, right = d.memory(address, width, "left", 0), d.memory(address, width, "right", 0)
    same = wheres[0].eq(wheres[1])
    if not fault:
        same = same & values[0].neq(values[1])
        d.constraint(~same)
    else:
        d.constraint(~(same & values[0].slice(0, 0).eq(values[1].slice(0, 0))))
    d.next(left, left.write(wheres[0], values[0]).write(wheres[1], values[1]))
    d.next(right, right.write(wheres[1], values[1]).write(wheres[0], values[0]))
    d.bad(left.neq(right))


def swap(d, width, address, fault):
    """Cells are swapped; a watched value is where the swaps have taken it."""
    places = [d.word(address, "one"), d.word(address, "other")]
    memory = d.memory(address, width, "memory")
    at, value, is_known = d.symbol(address, "first"), d.register(width, "value"), d.register(1, "known", 0)
    place = d.register(address, "place")
    here = is_known.choose(place, at)
    reads = [memory.read(where) for where in places]
    second = reads[0] if not fault else places[0].eq(here).choose(reads[0] & (2**width - 2), reads[0])
    d.next(memory, memory.write(places[0], reads[1]).write(places[1], second))
    moved = here.eq(places[1]).choose(places[0], here.eq(places[0]).choose(places[1], here))
    d.next(place, moved)
    d.next(value, is_known.choose(value, memory.read(at)))
    d.next(is_known, d.const(1, 1))
    d.bad(is_known & memory.read(place).neq(value))


def histogram(d, width, address, fault):
    """A memory of counters from zero: none counts more than there were steps."""
    item, cell = d.word(address, "item"), d.word(address, "cell")
    counts, steps = d.memory(address, width, "counts", 0), d.register(width, "steps", 0)
    more = counts.read(item) + (1 if not fault else 2)
    d.next(counts, counts.write(item, more))
    d.next(steps, steps + 1)
    d.constraint(steps.neq(2**width - 1))
    d.bad(steps.below(counts.read(cell)))


KINDS = {function.__name__: function for function in (
    fifo, watched, registers, stack, ring, copy, cache, arbiter, banks, queue, mirror, swap, histogram)}
SIZES = ((8, 4), (16, 8), (32, 16))


def design(kind, width, address, fault):
    result = Design()
    KINDS[kind](result, width, address, fault)
    return result.text()


def write_all(folder):
    os.makedirs(folder, exist_ok=True)
    for kind in KINDS:
        for width, address in SIZES:
            for fault in (False, True):
                name = f"{kind}-{width}-{address}{'-fault' if fault else ''}.btor2"
                with open(os.path.join(folder, name), "w") as out:
                    out.write(design(kind, width, address, fault))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--all", metavar="DIRECTORY")
    parser.add_argument("--kind", choices=sorted(KINDS))
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--address", type=int, default=4)
    parser.add_argument("--fault", action="store_true")
    args = parser.parse_args()
    if args.list:
        for name, function in KINDS.items():
            print(f"{name:12}{function.__doc__}")
    if args.kind:
        print(design(args.kind, args.width, args.address, args.fault), end="")
    if args.all:
        write_all(args.all)


if __name__ == "__main__":
    main()
