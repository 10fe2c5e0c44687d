#!/usr/bin/env python3
"""Games of the synthesis competition: verdicts, times, sizes; every controller checked by other means.

    bench/games.py FOLDER [--alphorn BINARY] [--checker BINARY] [--seconds 60] [--only NAME,NAME]

The folder has games in AIGER and `expected.csv` (file, verdict and reference size, source). Each game is decided by
`alphorn synth` within so many seconds of processor time; its evidence goes to `alphorn-check`; the circuit of a
controller is proved by `alphorn --engine ic3` and simulated under random inputs. Prints a table in Markdown.
"""
import argparse, csv, os, random, resource, subprocess, sys, tempfile


def limited(seconds):
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def timed(command, seconds):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          preexec_fn=limited(seconds), text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, spent


def shows_error(path, runs=64, steps=200):
    """Simulates a circuit, 64 runs at a time, and says whether an output is ever true."""
    rows = open(path).read().split("\n")
    _, inputs, latches, outputs, gates = (int(word) for word in rows[0].split()[1:6])
    lines = [[int(word) for word in row.split()] for row in rows[1:1 + inputs + latches + outputs + gates]]
    ins, rest = [line[0] for line in lines[:inputs]], lines[inputs:]
    regs, rest = rest[:latches], rest[latches:]
    outs, ands = [line[0] for line in rest[:outputs]], {line[0]: line[1:] for line in rest[outputs:]}
    order, seen = [], set()
    for root in list(ands):
        stack = [(root, False)]
        while stack:
            gate, leaving = stack.pop()
            if leaving:
                order.append(gate)
            elif gate in ands and gate not in seen:
                seen.add(gate)
                stack.append((gate, True))
                stack += [(lit & ~1, False) for lit in ands[gate]]
    mask = (1 << runs) - 1
    rng = random.Random(1)
    state = {reg[0]: (mask if len(reg) > 2 and reg[2] == 1 else 0) for reg in regs}
    for _ in range(steps):
        values = {0: 0, **state, **{lit: rng.getrandbits(runs) for lit in ins}}
        at = lambda lit: values[lit & ~1] ^ (mask if lit & 1 else 0)
        for gate in order:
            values[gate] = at(ands[gate][0]) & at(ands[gate][1])
        if any(at(lit) for lit in outs):
            return True
        state = {reg[0]: at(reg[1]) for reg in regs}
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--checker", default="target/release/alphorn-check")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    only = set(filter(None, args.only.split(",")))
    wrong = right = 0
    print("| game | verdict | CPU s | engine | gates | reference | certificate | ic3 | simulation |")
    print("|---|---|--:|---|--:|--:|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for row in csv.DictReader(open(os.path.join(args.folder, "expected.csv"))):
            name = row["file"]
            if only and name.removesuffix(".aag") not in only:
                continue
            expected, *size = row["expected"].split()
            game = os.path.join(args.folder, name)
            circuit, evidence = os.path.join(folder, "c.aag"), os.path.join(folder, "e.txt")
            for old in (circuit, evidence):
                if os.path.exists(old):
                    os.remove(old)
            text, spent = timed([args.alphorn, "synth", game, "-v", "--time", "4m", "--threads", "1",
                                 "-o", circuit, "--evidence", evidence], args.seconds)
            found = next((word for word in ("UNREALIZABLE", "REALIZABLE") if word + "  " in text), "unknown").lower()
            engine = next((line.split()[1].rstrip(":") for line in text.split("\n")
                           if line.startswith("  engine") and ": answered (" in line), "")
            checked = proved = simulated = gates = ""
            if found != "unknown":
                said = subprocess.run([args.checker, game, evidence], capture_output=True, text=True).stdout
                checked = "accepted" if "evidence accepted" in said else "REFUSED"
            if found == "realizable":
                gates = open(circuit).readline().split()[5]
                said, _ = timed([args.alphorn, circuit, "--engine", "ic3", "--time", "60s"], 60)
                proved = "safe" if "SAFE  " in said and "UNSAFE" not in said else "UNKNOWN"
                simulated = "ERROR" if shows_error(circuit) else "no error"
            is_wrong = found not in (expected, "unknown")
            wrong, right = wrong + is_wrong, right + (found == expected)
            mark = " (WRONG)" if is_wrong else ""
            print(f"| {name.removesuffix('.aag')} | {found}{mark} | {spent:.1f} | {engine} | {gates} | "
                  f"{''.join(size)} | {checked} | {proved} | {simulated} |", flush=True)
    print(f"\n{right} as expected, {wrong} wrong")
    sys.exit(bool(wrong))


main()
