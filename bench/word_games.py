#!/usr/bin/env python3
"""Games over words of growing width, in BTOR2: how far does writing them out in bits go?

    bench/word_games.py [--seconds 30] [--widths 8,16,32,64] [--engine NAMES] [--alphorn PATH] [--keep DIR] [FAMILY …]

Prints a row for each family and width: verdict and processor time of `alphorn synth`, which is ended after so many
seconds of it. `closed` is no game but `square` with a controller put in, which `alphorn` is asked to prove.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile


class Lines:
    """Lines of BTOR2, by number."""

    def __init__(self, width):
        self.lines, self.width = [], width
        self.word, self.bit = self("sort bitvec", width), self("sort bitvec", 1)
        self.zero, self.false = self("zero", self.word), self("zero", self.bit)

    def __call__(self, *parts):
        self.lines.append(" ".join([str(len(self.lines) + 1), *map(str, parts)]))
        return len(self.lines)

    def number(self, value, sort=None):
        return self("constd", sort or self.word, value)

    def state(self, name, init, sort=None):
        sort = sort or self.word
        made = self("state", sort, name)
        if init is not None:
            self("init", sort, made, init)
        return made

    def wide(self, narrow, width):
        return self("uext", self.word, narrow, self.width - width)

    def text(self):
        return "\n".join(self.lines) + "\n"


def counter(width):
    """A level that inflow raises and the controller lowers, by 0 to 3 each, and that stays between two bounds."""
    b = Lines(width)
    two = b("sort bitvec", 2)
    level = b.state("level", b.number(50))
    inflow, out = b("input", two, "inflow"), b("input", two, "controllable_out")
    b("next", b.word, level, b("sub", b.word, b("add", b.word, level, b.wide(inflow, 2)), b.wide(out, 2)))
    b("bad", b("ugt", b.bit, level, b.number(100)))
    b("bad", b("ult", b.bit, level, b.number(4)))
    return b.text()


def chase(width):
    """One word follows another one, at most 8 behind."""
    b = Lines(width)
    two = b("sort bitvec", 2)
    own, other = b.state("own", b.zero), b.state("other", b.zero)
    move, follow = b("input", two, "move"), b("input", two, "controllable_follow")
    b("next", b.word, own, b("add", b.word, own, b.wide(follow, 2)))
    b("next", b.word, other, b("add", b.word, other, b.wide(move, 2)))
    b("bad", b("ugt", b.bit, b("sub", b.word, other, own), b.number(8)))
    return b.text()


def tanks(width, pump):
    """Three tanks that fill by 0 or 1 each, and a pump that takes so much from one of them."""
    b = Lines(width)
    two = b("sort bitvec", 2)
    chosen, taken, bads = b("input", two, "controllable_pump"), b.number(pump), []
    for at in range(3):
        tank = b.state(f"tank{at}", b.number(10))
        filled = b("add", b.word, tank, b.wide(b("input", b.bit, f"inflow{at}"), 1))
        rest = b("ite", b.word, b("ult", b.bit, filled, taken), b.zero, b("sub", b.word, filled, taken))
        b("next", b.word, tank, b("ite", b.word, b("eq", b.bit, chosen, b.number(at, two)), rest, filled))
        b("bad", b("ugt", b.bit, tank, b.number(20)))
    return b.text()


def slots(width, count):
    """Words come one by one and are put into slots that stay sorted; two in a row may not be refused."""
    b = Lines(width)
    three = b("sort bitvec", 3)
    ones = b("ones", b.word)
    states = [b.state(f"slot{at}", b.zero if at == 0 else ones) for at in range(count)]
    refused = b.state("refused", b.false, b.bit)
    word = b("input", b.word, "word")
    to, refuse = b("input", three, "controllable_to"), b("input", b.bit, "controllable_refuse")
    for at, state in enumerate(states):
        here = b("and", b.bit, b("eq", b.bit, to, b.number(at, three)), b("not", b.bit, refuse))
        b("next", b.word, state, b("ite", b.word, here, word, state))
    b("next", b.bit, refused, refuse)
    for low, high in zip(states, states[1:]):
        b("bad", b("ugt", b.bit, low, high))
    b("bad", b("and", b.bit, refused, refuse))
    missing = b("ugte", b.bit, to, b.number(count, three))
    b("bad", b("and", b.bit, missing, b("not", b.bit, refuse)))
    return b.text()


def driver(width, wanted, is_closed=False):
    """A register must hold what was asked for, computed by `wanted`, when a request is acknowledged, soon."""
    b = Lines(width)
    reg, data = b.state("reg", b.zero), b.state("asked", b.zero)
    key = b.state("key", None)
    busy = b.state("busy", b.false, b.bit)
    request, given = b("input", b.bit, "request"), b("input", b.word, "data")
    value = wanted(b, data, key)
    if is_closed:
        wrote = b.state("wrote", b.false, b.bit)
        put, write, ack = value, busy, wrote
        b("next", b.bit, wrote, b("and", b.bit, busy, b("not", b.bit, wrote)))
    else:
        put, write = b("input", b.word, "controllable_value"), b("input", b.bit, "controllable_write")
        ack = b("input", b.bit, "controllable_ack")
    b("next", b.word, reg, b("ite", b.word, write, put, reg))
    b("next", b.word, key, key)
    take = b("and", b.bit, request, b("not", b.bit, busy))
    b("next", b.word, data, b("ite", b.word, take, given, data))
    b("next", b.bit, busy, b("ite", b.bit, busy, b("not", b.bit, ack), request))
    three = b("sort bitvec", 3)
    waited = b.state("waited", b("zero", three), three)
    more = b("add", three, waited, b("one", three))
    b("next", three, waited, b("ite", three, busy, more, b("zero", three)))
    wrong = b("and", b.bit, b("and", b.bit, busy, ack), b("neq", b.bit, reg, value))
    b("bad", wrong)
    b("bad", b("ugt", b.bit, waited, b.number(4, three)))
    return b.text()


def square(b, data, key):
    return b("add", b.word, b("mul", b.word, b("mul", b.word, data, data), key), data)


FAMILIES = {
    "counter": counter,
    "chase": chase,
    "tanks": lambda width: tanks(width, 3),
    "tanks-lost": lambda width: tanks(width, 2),
    "slots-2": lambda width: slots(width, 2),
    "slots-3": lambda width: slots(width, 3),
    "driver-copy": lambda width: driver(width, lambda b, data, key: data),
    "driver-xor": lambda width: driver(width, lambda b, data, key: b("xor", b.word, data, key)),
    "driver-sum": lambda width: driver(width, lambda b, data, key: b("add", b.word, data, key)),
    "driver-triple": lambda width: driver(width, lambda b, data, key: b("mul", b.word, data, b.number(3))),
    "square": lambda width: driver(width, square),
    "closed": lambda width: driver(width, square, is_closed=True),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--widths", default="8,16,32,64")
    parser.add_argument("--engine")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--keep")
    parser.add_argument("families", nargs="*", default=list(FAMILIES))
    args = parser.parse_args()
    folder = args.keep or tempfile.mkdtemp(prefix="alphorn-word-games-")
    os.makedirs(folder, exist_ok=True)
    for family in args.families:
        for width in map(int, args.widths.split(",")):
            path = os.path.join(folder, f"{family}-{width}.btor2")
            with open(path, "w") as file:
                file.write(FAMILIES[family](width))
            verb = [] if family == "closed" else ["synth"]
            if args.engine and verb:
                verb += ["--engine", args.engine]
            limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (args.seconds, args.seconds))
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([args.alphorn, *verb, "-q", "--threads", "1", "--time", "1h", path],
                                  capture_output=True, text=True, preexec_fn=limit)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            words = done.stdout.split("  ")
            said = words[0].rsplit(" ", 1)[-1].lower() or "–"
            detail = words[1].strip() if len(words) > 1 else done.stderr.strip()[:60]
            print(f"| {family} | {width} | {said} | {seconds:.1f} | {detail} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
