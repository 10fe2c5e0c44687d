#!/usr/bin/env python3
"""Random protocols in Cubicle's language against an explicit search of few processes.

The search knows nothing but the text of the protocol that it made. With `--processes N` verdicts must agree with the search of
N processes; without, SAFE must not be said of a protocol that two to four processes violate, and UNSAFE never.

    python3 fuzz/random_protocols.py --count 200 [--alphorn PROGRAM]
"""

import argparse
import itertools
import random
import subprocess
import sys
import tempfile
from pathlib import Path

MAX_STATES = 100_000
PLACES = ["A", "B", "C"]


def random_protocol(rng):
    """A protocol as data: whether there is a turn, transitions, places that two must not be in."""
    has_turn = rng.random() < 0.4
    transitions = []
    for _ in range(rng.randint(2, 4)):
        names = ["x", "y"][: rng.choice([1, 1, 1, 2])]
        guards = [("at", name, rng.choice(PLACES)) for name in names]
        if rng.random() < 0.3:
            guards.append(("flag", names[0], rng.random() < 0.5))
        if has_turn and rng.random() < 0.4:
            guards.append(("turn", names[0]))
        if len(names) == 2 and rng.random() < 0.4:
            guards.append(("before",))
        others = rng.choice([None, None, ("not at", rng.choice(PLACES)), ("after or not at", rng.choice(PLACES))])
        moves = [(name, rng.choice(PLACES)) for name in names]
        flag = rng.choice([None, None, True, False])
        rest = rng.choice([None, None, None, (rng.choice(PLACES), rng.choice(PLACES))])
        turn = rng.choice([None, "any", "me"]) if has_turn else None
        transitions.append((names, guards, others, moves, flag, rest, turn))
    return has_turn, transitions, (rng.choice(PLACES[1:]), rng.choice(PLACES[1:]))


def text_of(protocol, number=None):
    has_turn, transitions, bad = protocol
    lines = ["type t = A | B | C", "array P[proc] : t", "array F[proc] : bool"]
    lines += ["var Turn : proc"] if has_turn else []
    lines.append("init (z) { P[z] = A && F[z] = False }")
    lines.append(f"unsafe (x y) {{ P[x] = {bad[0]} && P[y] = {bad[1]} }}")
    for at, (names, guards, others, moves, flag, rest, turn) in enumerate(transitions):
        words = []
        for guard in guards:
            kind = guard[0]
            words.append({"at": lambda: f"P[{guard[1]}] = {guard[2]}", "flag": lambda: f"F[{guard[1]}] = {guard[2]}",
                          "turn": lambda: f"Turn = {guard[1]}", "before": lambda: "x < y"}[kind]())
        if others:
            after = "x <= j || " if others[0].startswith("after") else ""
            words.append(f"forall_other j. ({after}P[j] <> {others[1]})")
        cases = "".join(f"| j = {name} : {place} " for name, place in moves)
        cases += f"| P[j] = {rest[0]} : {rest[1]} " if rest else ""
        updates = [f"P[j] := case {cases}| _ : P[j]"]
        updates += [f"F[x] := {flag}"] if flag is not None else []
        updates += [f"Turn := {'.' if turn == 'any' else 'x'}"] if turn else []
        lines.append(f"transition t{at} ({' '.join(names)})")
        lines.append(f"requires {{ {' && '.join(words)} }}\n{{ {'; '.join(updates)} }}")
    return "\n".join(lines) + "\n"


def violated(protocol, number):
    """Whether so many processes violate the protocol."""
    has_turn, transitions, bad = protocol
    turns = range(number) if has_turn else [0]
    start = [(("A",) * number, (False,) * number, turn) for turn in turns]
    seen, open_ = set(start), list(start)
    while open_:
        places, flags, turn = open_.pop()
        for one, other in itertools.permutations(range(number), 2):
            if (places[one], places[other]) == bad:
                return True
        if len(seen) > MAX_STATES:
            return None
        for names, guards, others, moves, flag, rest, new_turn in transitions:
            for who in itertools.permutations(range(number), len(names)):
                of = dict(zip(names, who))
                holds = {"at": lambda g: places[of[g[1]]] == g[2], "flag": lambda g: flags[of[g[1]]] == g[2],
                         "turn": lambda g: turn == of[g[1]], "before": lambda g: of["x"] < of["y"]}
                if not all(holds[guard[0]](guard) for guard in guards):
                    continue
                rest_of = [p for p in range(number) if p not in who]
                if others and any(places[p] == others[1] and not (others[0].startswith("after") and of["x"] <= p)
                                  for p in rest_of):
                    continue
                target = {of[name]: place for name, place in reversed(moves)}
                after = tuple(target.get(p, rest[1] if rest and places[p] == rest[0] else places[p])
                              for p in range(number))
                new_flags = tuple(flag if p == of["x"] and flag is not None else flags[p] for p in range(number))
                for next_turn in turns if new_turn == "any" else [of["x"] if new_turn else turn]:
                    state = (after, new_flags, next_turn)
                    if state not in seen:
                        seen.add(state)
                        open_.append(state)
    return False


def run(args, file, *more):
    command = [args.alphorn, str(file), "--time", "5s", "--threads", "1", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 2):
        return f"exit {done.returncode}: {done.stderr}{done.stdout}"
    return ["safe", "unsafe", "unknown"][done.returncode]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alphorn", default="target/release/alphorn")
    args = parser.parse_args()
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            rng = random.Random(seed)
            protocol = random_protocol(rng)
            file = Path(folder) / "protocol.cub"
            file.write_text(text_of(protocol))
            truth = {number: violated(protocol, number) for number in (2, 3, 4)}
            verdict = run(args, file)
            is_wrong = verdict not in ("safe", "unknown") or verdict == "safe" and any(truth.values())
            number = rng.choice([2, 3])
            exact = run(args, file, "--processes", str(number))
            expected = {True: "unsafe", False: "safe", None: "unknown"}[truth[number]]
            is_wrong = is_wrong or exact not in (expected, "unknown") and expected != "unknown"
            if is_wrong:
                print(f"seed {seed}: {verdict}; with {number}: {exact}, but the search says {truth}\n{text_of(protocol)}")
                sys.exit(1)
            kind = f"{'violated' if any(truth.values()) else 'not violated by 4'}: {verdict}"
            counts[kind] = counts.get(kind, 0) + 1
            counts[f"just {number}: {exact}"] = counts.get(f"just {number}: {exact}", 0) + 1
    print("; ".join(f"{kind} {count}" for kind, count in sorted(counts.items())), "- none wrong")


if __name__ == "__main__":
    main()
