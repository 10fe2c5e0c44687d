#!/usr/bin/env python3
"""Assertions deep below calls: engines with and without lifting (Lal, Qadeer, FMCAD 2014).

    bench/lifting.py [--alphorn PATH] [--time 10] [--engines pdr,duality,bmc] [--depths 4,8,16,32] [FILE…]

The family: procedures P1 … Pn, each of which calls the next one twice; the last is a loop that opens and closes a
lock, and closing it may fail. `safe` has the lock opened before; `g0` does not open it; `twice` closes it twice. A call returns
a flag that says whether it failed. Files are measured beside the family. Told for every engine are the verdict and
seconds of processor time as it is and with assertions lifted, and the largest quotient where both decide and the
slower one takes more than 0.1 s. Exit code 1 if verdicts differ.
"""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile


def system(depth, kind):
    """The text of a member of the family."""
    lines = ["(set-logic HORN)", "(declare-fun Close (Int Int Bool) Bool)", "(declare-fun Open (Int Int) Bool)"]
    lines += [f"(declare-fun {name} (Int Int Int Int Bool) Bool)" for name in ["L"] + [f"P{k + 1}" for k in range(depth)]]

    def rule(variables, body, head):
        sorts = " ".join(f"({v} {'Bool' if v == 'e' else 'Int'})" for v in variables.split())
        lines.append(f"(assert (forall ({sorts}) (=> (and true {body}) {head})))")

    rule("s", "(> s 0)", "(Close s 0 false)")
    rule("s", "(<= s 0)", "(Close s s true)")
    rule("s", "", "(Open s 1)")
    rule("s g", "", "(L s g s g false)")
    for before in ("(= g 1) (Open s a)", "(not (= g 1)) (= a s)"):
        rule("s g a b", f"{before} (Close a b true)", "(L s g b g true)")
        if kind == "twice":
            rule("s g a b c", f"{before} (Close a b false) (Close b c true)", "(L s g c g true)")
            rule("s g a b c d f e", f"{before} (Close a b false) (Close b c false) (L c g d f e)", "(L s g d f e)")
        else:
            rule("s g a b c d e", f"{before} (Close a b false) (L b g c d e)", "(L s g c d e)")
    rule("s g c d e", "(L s g c d e)", f"(P{depth} s g c d e)")
    for k in range(depth - 1, 0, -1):
        rule("s g a b", f"(P{k + 1} s g a b true)", f"(P{k} s g a b true)")
        rule("s g a b c d e", f"(P{k + 1} s g a b false) (P{k + 1} a b c d e)", f"(P{k} s g c d e)")
    rule("s g c d", f"(= s 0) (= g {0 if kind == 'g0' else 1}) (P1 s g c d true)", "false")
    return "\n".join([*lines, "(check-sat)", ""])


def run(alphorn, engine, path, seconds):
    """The verdict, and seconds of processor time; none if the engine is not for the problem."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [alphorn, "--threads", "1", "--time", f"{4 * seconds}s", "--engine", engine, "-v", path]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if "not for this problem" in done.stdout:
        return None, used
    found = re.search(r": (SAFE|UNSAFE)\b", done.stdout)
    return found.group(1) if found else "–", used


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--engines", default="pdr,duality,bmc")
    parser.add_argument("--depths", default="4,8,16,32")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    wrong, worst = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for kind in ("safe", "g0", "twice"):
            for depth in filter(None, arguments.depths.split(",")):
                paths.append(str(pathlib.Path(folder) / f"{kind}{depth}.smt2"))
                pathlib.Path(paths[-1]).write_text(system(int(depth), kind))
        for path in paths + arguments.files:
            row = [pathlib.Path(path).stem]
            for engine in arguments.engines.split(","):
                lifted, with_it = run(arguments.alphorn, f"lifted-{engine}", path, arguments.time)
                if lifted is None:
                    row.append(f"{engine}: nothing to lift")
                    continue
                plain, without = run(arguments.alphorn, engine, path, arguments.time)
                row.append(f"{engine}: {plain} {without:.2f}, lifted {lifted} {with_it:.2f}")
                wrong += {plain, lifted} == {"SAFE", "UNSAFE"}
                if "–" not in (plain, lifted) and max(with_it, without) > 0.1:
                    worst.setdefault(engine, []).append((with_it / without, row[0]))
            print("; ".join(row), flush=True)
    for engine, rows in worst.items():
        print(f"{engine}: lifted takes at most {max(rows)[0]:.2f} times as long ({max(rows)[1]})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
