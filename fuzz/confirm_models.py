#!/usr/bin/env python3
"""Has Z3 confirm what alphorn proves: every exported obligation must be unsatisfiable.

    fuzz/confirm_models.py FILE… [--alphorn PATH] [--z3 PATH] [--time 10s] [--sample N]

For each file that alphorn finds safe, the evidence is written, checked by `alphorn check`, its
obligations are exported, and Z3 (`pip install z3-solver` has the program) is asked about each, or
about N of them drawn at random. `sat` is an error, and so is a refusal or a script Z3 cannot read.
With several properties the obligations of the last one are exported under each name.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile


def run(*command, timeout=600):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "timeout", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--z3", default="z3")
    parser.add_argument("--time", default="10s")
    parser.add_argument("--sample", type=int)
    args = parser.parse_args()
    count = dict.fromkeys(["files", "safe", "scripts", "unsat", "no answer"], 0)
    errors, rng = [], random.Random(0)
    for file in args.files:
        count["files"] += 1
        with tempfile.TemporaryDirectory(prefix="alphorn-confirm-") as folder:
            evidence, scripts = os.path.join(folder, "evidence"), os.path.join(folder, "scripts")
            done = run(args.alphorn, "-q", "--time", args.time, file, "--evidence", evidence)
            if "SAFE" not in done.stdout.replace("UNSAFE", ""):
                continue
            count["safe"] += 1
            done = run(args.alphorn, "check", file, evidence, "--export", scripts)
            if done.returncode != 0:
                errors.append(f"{file}: check: {(done.stdout + done.stderr)[:300]}")
                continue
            names = sorted(os.listdir(scripts))
            if args.sample and len(names) > args.sample:
                names = rng.sample(names, args.sample)
            for name in names:
                count["scripts"] += 1
                said = run(args.z3, "-T:20", os.path.join(scripts, name), timeout=60).stdout.strip()
                if said == "unsat":
                    count["unsat"] += 1
                elif said in ("unknown", "timeout"):
                    count["no answer"] += 1
                else:
                    errors.append(f"{file}: {name}: {said[:300]}")
    for error in errors:
        print("ERROR", error)
    print(count, f"{len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
