#!/usr/bin/env python3
"""All circuit engines beside ABC and rIC3, as a table and plots in the notes.

    bench/hw.py BENCH [--time 60] [--sample 6] [--rows hw.csv] [--note bench/notes/hw.md] [--commands …]
    bench/hw.py --self-test

BENCH is a folder with hw/hwmcc08, hw/hwmcc1517, hw/hwmcc20 and expected.csv. Each engine alone and each
peer that is installed is run on every file, one after the other, with so many seconds of processor time
and one thread. Rows go to --rows; started again, the same command goes on where it was. Then the table
(solved safe and unsafe, PAR2, virtual best, per set and in all) replaces what stands between the marks
in the note, and a cactus plot per set and scatter plots of `alphorn:ic3` with each other go to the
folder `hw` beside it.
"""

import argparse
import io
import os
import shutil
import subprocess
import sys

import table

HERE = os.path.dirname(os.path.abspath(__file__))
SETS = ["hwmcc08", "hwmcc1517", "hwmcc20"]
ENGINES = ["ic3", "ic3-internal", "avy", "imc", "imc-sequence", "imc-clauses", "kavy", "igr", "bmc", "leap", "kind"]
PEERS = {"ric3": ["ric3:ic3"], "berkeley-abc": ["abc:pdr", "abc:int", "abc:bmc3"]}
BEGIN, END = "<!-- table of bench/hw.py: begin -->", "<!-- table of bench/hw.py: end -->"


def commands():
    """Our engines, and those of the peers that are installed."""
    ours = [f"alphorn:{engine}" for engine in ENGINES]
    return ours + [name for tool, names in PEERS.items() if shutil.which(tool) for name in names]


def measure(args):
    """Has bench/run.py make the rows that are missing."""
    folders = [os.path.join(args.bench, "hw", name) for name in SETS]
    words = [sys.executable, os.path.join(HERE, "run.py"), "--out", args.rows, "--time", str(args.time),
             "--threads", "1", "--wall", "6", "--own-time", "5", "--memory", args.memory,
             "--expected", os.path.join(args.bench, "expected.csv")]
    words += ["--sample", str(args.sample)] if args.sample else []
    for name in args.commands.split(",") if args.commands else commands():
        words += ["--command", name]
    # A verdict that contradicts another ends it with 1; the table says which.
    if subprocess.run(words + folders).returncode not in (0, 1):
        sys.exit("the runs did not end well")


def replaced(note, text):
    """The note with the text between its marks; marks are added at the end if there are none."""
    if BEGIN not in note or END not in note:
        note = note.rstrip("\n") + f"\n\n{BEGIN}\n{END}\n"
    before, rest = note.split(BEGIN, 1)
    return before + BEGIN + "\n" + text.strip("\n") + "\n" + END + rest.split(END, 1)[1]


def written(runs, args):
    """The text for the note, and whether verdicts contradict each other."""
    expected = table.expected_of(os.path.join(args.bench, "expected.csv"))
    text, wrong = table.report(runs, expected, args.time)
    files = len({file for file, _ in runs})
    head = (f"## All engines, {args.time:g} s\n\n{files} files, {args.time:g} s of processor time each, one thread. "
            f"Plots: `{os.path.basename(args.plots)}/`.\n\n")
    return head + text.replace("\n## ", "\n### ").replace("## ", "### ", 1), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bench", nargs="?", metavar="BENCH")
    parser.add_argument("--time", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--sample", type=int, metavar="N", help="only N files, by chance")
    parser.add_argument("--memory", default="8G", metavar="SIZE")
    parser.add_argument("--rows", default="hw.csv", metavar="CSV")
    parser.add_argument("--note", default=os.path.join(HERE, "notes", "hw.md"), metavar="FILE")
    parser.add_argument("--commands", metavar="NAME,…", help="others than all engines and peers")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    if not args.bench:
        parser.error("no folder of problems")
    args.plots = os.path.splitext(args.note)[0]
    measure(args)
    with open(args.rows, newline="") as rows:
        runs = table.within(table.read(rows.read()), args.time)
    text, wrong = written(runs, args)
    note = open(args.note).read() if os.path.exists(args.note) else "# Circuit engines\n"
    with open(args.note, "w") as out:
        out.write(replaced(note, text))
    table.plots(args.plots, runs, args.time, "alphorn:ic3")
    print(text)
    return 1 if wrong else 0


def self_test():
    """The text lands between the marks, once, and the rest of the note stays."""
    once = replaced("# Title\n\nwords\n", "first")
    assert once == f"# Title\n\nwords\n\n{BEGIN}\nfirst\n{END}\n"
    assert replaced(once + "after\n", "second") == f"# Title\n\nwords\n\n{BEGIN}\nsecond\n{END}\nafter\n"
    rows = "hw/a/x.aig,alphorn:ic3,safe,1,1\nhw/a/x.aig,abc:pdr,unknown,5,5\n"
    stderr, sys.stderr = sys.stderr, io.StringIO()
    runs = table.read("file,command,verdict,cpu,wall\n" + rows)
    sys.stderr = stderr
    args = argparse.Namespace(bench="", time=5.0, plots="notes/hw")
    table.expected_of = lambda _: {}
    text, wrong = written(runs, args)
    assert not wrong and text.startswith("## All engines, 5 s\n") and "\n### hw/a\n" in text
    assert "| alphorn:ic3" in text and "virtual best" in text
    print("self-test passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
