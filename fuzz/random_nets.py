#!/usr/bin/env python3
"""Random nets in mist's language, and systems of threads, against an explicit search.

The search knows nothing but the text of the format: it fires rules on markings until it has seen all of them, or
more tokens than it counts. A target that it reaches must not be called safe; if it has seen everything, a
target that it does not reach must not be called unsafe.

    python3 fuzz/random_nets.py --count 1000 [--alphorn PROGRAM] [--engine wqo]
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MAX_TOKENS = 9
MAX_MARKINGS = 4000


def random_net(rng):
    """A net as data: names, rules (guards, updates), start (least, is exact), targets."""
    width = rng.randint(1, 4)
    rules = []
    for _ in range(rng.randint(1, 5)):
        guards, updates = {}, {}
        for at in range(width):
            if rng.random() < 0.5:
                guards[at] = (rng.random() < 0.08, rng.randint(0, 2))
            kind = rng.random()
            least = guards.get(at, (False, 0))[1]
            if kind < 0.3:
                updates[at] = ({at: 1}, -rng.randint(0, max(least, rng.random() < 0.1)))
            elif kind < 0.6:
                updates[at] = ({at: 1}, rng.randint(0, 2))
            elif kind < 0.72:
                updates[at] = ({}, rng.randint(0, 1))
            elif kind < 0.82 and width > 1:
                other = rng.choice([other for other in range(width) if other != at])
                updates[at] = ({at: 1, other: 1}, 0)
                updates.setdefault(other, ({}, 0))
        rules.append((guards, updates))
    start = {at: (rng.random() < 0.8, rng.randint(0, 2)) for at in range(width) if rng.random() < 0.8}
    targets = [{at: rng.randint(1, 3) for at in rng.sample(range(width), rng.randint(1, width))}
               for _ in range(rng.randint(1, 2))]
    return width, rules, start, targets


def text_of(net):
    width, rules, start, targets = net
    bound = lambda at, exact, value: f"x{at} {'=' if exact else '>='} {value}"
    lines = ["vars " + " ".join(f"x{at}" for at in range(width)), "rules"]
    for guards, updates in rules:
        left = ", ".join(bound(at, *guard) for at, guard in guards.items()) or "true"
        news = []
        for at, (parts, constant) in updates.items():
            value = " + ".join(f"x{part}" for part in parts) or "0"
            value += f" {'-' if constant < 0 else '+'} {abs(constant)}"
            news.append(f"x{at}' = {value}")
        lines.append(f"  {left} -> {', '.join(news)};")
    lines.append("init " + ", ".join(bound(at, *value) for at, value in start.items()))
    lines.append("target")
    lines += ["  " + ", ".join(f"x{at} >= {value}" for at, value in target.items()) for target in targets]
    return "\n".join(lines) + "\n"


def search(net):
    """Whether a target is covered, and whether all markings were seen."""
    width, rules, start, targets = net
    least = [start.get(at, (True, 0)) for at in range(width)]
    ranges = [[value] if exact else list(range(value, MAX_TOKENS + 1)) for exact, value in least]
    complete = all(exact for exact, _ in least)
    seeds = [()]
    for choices in ranges:
        seeds = [seed + (value,) for seed in seeds for value in choices]
    seen, open_ = set(seeds), list(seeds)
    while open_:
        marking = open_.pop()
        if any(all(marking[at] >= value for at, value in target.items()) for target in targets):
            return True, complete
        for guards, updates in rules:
            if any(marking[at] != value if exact else marking[at] < value
                   for at, (exact, value) in guards.items()):
                continue
            after = list(marking)
            for at, (parts, constant) in updates.items():
                after[at] = sum(marking[part] for part in parts) + constant
            if min(after) < 0:
                continue
            if sum(after) > MAX_TOKENS * width or len(seen) > MAX_MARKINGS:
                complete = False
                continue
            after = tuple(after)
            if after not in seen:
                seen.add(after)
                open_.append(after)
    return False, complete


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--engine")
    args = parser.parse_args()
    counts, wrong = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            net = random_net(random.Random(seed))
            path = Path(folder) / "net.spec"
            path.write_text(text_of(net))
            command = [args.alphorn, str(path), "--time", "2s", "--threads", "1"]
            command += ["--engine", args.engine] if args.engine else []
            done = subprocess.run(command, capture_output=True, text=True)
            said = re.search(r": (SAFE|UNSAFE|UNKNOWN)", done.stdout)
            said = said[1] if said else f"exit {done.returncode}"
            covered, complete = search(net)
            counts[said] = counts.get(said, 0) + 1
            if said.startswith("exit") or (said == "SAFE" and covered) or (
                    said == "UNSAFE" and complete and not covered):
                wrong += 1
                print(f"seed {seed}: {said}, covered {covered}, complete {complete}\n{text_of(net)}{done.stderr}")
    print(" ".join(f"{name} {count}" for name, count in sorted(counts.items())), f"wrong {wrong}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
