#!/usr/bin/env python3
"""Tables and plots from the rows of bench/run.py.

    bench/table.py rows.csv… [--expected expected.csv] [--time 30] [--common] [--plots DIR]
    bench/table.py --self-test

For each track (folder of files) and each command: how many files it was run on, how many it found
safe and unsafe, how many of those nobody else solved, on how many it failed, PAR2 (the mean processor time, where a file not
solved costs twice the limit), and the time spent on what was solved; then the virtual best of all.
After that, contradictions between commands and with --expected (exit code 1), and unique solves.

Rows without a header, `file,command,verdict,cpu,wall` with the verdicts of Horn solvers (`sat` is
safe), are read too. `--time` counts what takes longer as unsolved; without it the limit is that of
OUT.json, or 30. `--common` keeps the files that every command was run on. `--plots` writes a cactus
plot per track and, for the first command with each other one, a scatter plot.
"""

import argparse
import collections
import csv
import io
import json
import os
import re
import sys

import plot

Run = collections.namedtuple("Run", "file command verdict cpu wall")
WORDS = {"sat": "safe", "unsat": "unsafe", "safe": "safe", "unsafe": "unsafe", "error": "error"}
ALL = "all tracks"
BEST = "virtual best"


def read(text):
    """The rows of either form; the last of several about the same run counts."""
    rows = [row for row in csv.reader(io.StringIO(text)) if row]
    if rows and rows[0][:2] == ["file", "command"]:
        rows = rows[1:]
    runs = {}
    for row in rows:
        try:
            run = Run(row[0], row[1], WORDS.get(row[2], "unknown"), float(row[3]), float(row[4]))
        except (IndexError, ValueError):
            sys.stderr.write(f"left out, not a row of a run: {','.join(row)}\n")
            continue
        runs[run.file, run.command] = run
    return runs


def within(runs, limit):
    """The same runs, with a verdict only where it came in time."""
    late = lambda run: run.cpu > limit + 0.05
    return {key: run._replace(verdict="unknown") if late(run) else run for key, run in runs.items()}


def common(runs):
    """The runs on files that every command was run on."""
    commands = {command for _, command in runs}
    count = collections.Counter(file for file, _ in runs)
    return {key: run for key, run in runs.items() if count[key[0]] == len(commands)}


def solved(run):
    return run.verdict in ("safe", "unsafe")


def tracks(runs):
    """The runs of each folder, and of all if there are several."""
    found = collections.defaultdict(list)
    for run in runs.values():
        found[os.path.dirname(run.file) or "."].append(run)
    named = dict(sorted(found.items()))
    if len(named) > 1:
        named[ALL] = list(runs.values())
    return named


def best_of(runs):
    """For each file the quickest solving run, or any run."""
    best = {}
    for run in runs:
        key = lambda run: (not solved(run), run.cpu)
        if run.file not in best or key(run) < key(best[run.file]):
            best[run.file] = run
    return [run._replace(command=BEST) for run in best.values()]


def solvers(runs):
    """Which commands solved each file."""
    found = collections.defaultdict(list)
    for run in runs:
        if solved(run):
            found[run.file].append(run.command)
    return found


def summary(runs, command, alone, limit):
    """One line of the table."""
    mine = [run for run in runs if run.command == command]
    done = [run for run in mine if solved(run)]
    cost = sum(run.cpu if solved(run) else 2 * limit for run in mine)
    return {
        "command": command, "files": len(mine), "solved": len(done),
        "safe": sum(run.verdict == "safe" for run in done),
        "unsafe": sum(run.verdict == "unsafe" for run in done),
        "unique": sum(names == [command] for names in alone.values()),
        "errors": sum(run.verdict == "error" for run in mine),
        "PAR2": f"{cost / max(1, len(mine)):.2f}",
        "time on solved": f"{sum(run.cpu for run in done):.1f}",
    }


def table(runs, limit):
    """The lines for one track, the best command first, the virtual best last."""
    alone = solvers(runs)
    commands = sorted({run.command for run in runs})
    lines = [summary(runs, command, alone, limit) for command in commands]
    lines.sort(key=lambda line: (-line["solved"], float(line["PAR2"])))
    if len(commands) > 1:
        lines.append({**summary(best_of(runs), BEST, {}, limit), "unique": "", "errors": ""})
    return lines


def render(lines):
    """A table in Markdown with aligned columns."""
    columns = list(lines[0])
    cells = [columns] + [[str(line[column]) for column in columns] for line in lines]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    align = lambda text, i: text.ljust(widths[i]) if i == 0 else text.rjust(widths[i])
    rows = ["| " + " | ".join(align(text, i) for i, text in enumerate(row)) + " |" for row in cells]
    rule = "|" + "|".join("-" * (width + 1) + ("-" if i == 0 else ":") for i, width in enumerate(widths)) + "|"
    return "\n".join([rows[0], rule, *rows[1:]])


def contradictions(runs, expected):
    """A sentence for each file about which verdicts differ."""
    said = collections.defaultdict(lambda: collections.defaultdict(list))
    for run in runs.values():
        if solved(run):
            said[run.file][run.verdict].append(run.command)
    for file, verdict in expected.items():
        if file in said and verdict in ("safe", "unsafe"):
            said[file][verdict].append("expected")
    return [f"{file}: " + "; ".join(f"{verdict} say {', '.join(names)}" for verdict, names in sides.items())
            for file, sides in sorted(said.items()) if len(sides) > 1]


def expected_of(path):
    if not path:
        return {}
    with open(path, newline="") as rows:
        return {row["file"]: row["verdict"] for row in csv.DictReader(rows)}


def limit_of(paths):
    """The limit that the rows were made with, where it is on record."""
    for path in paths:
        if os.path.exists(path + ".json"):
            with open(path + ".json") as text:
                return float(json.load(text)["time"])
    return 30.0


def plots(folder, runs, limit, first):
    os.makedirs(folder, exist_ok=True)
    order = list(dict.fromkeys(run.command for run in runs.values()))
    order.sort(key=lambda command: command != first)
    for track, members in tracks(runs).items():
        curves = {command: [run.cpu for run in members if run.command == command and solved(run)]
                  for command in order}
        if len(order) > 1:
            curves[BEST] = [run.cpu for run in best_of(members) if solved(run)]
        name = re.sub(r"[^A-Za-z0-9.-]+", "-", track).strip("-.") or "files"
        with open(os.path.join(folder, f"cactus-{name}.svg"), "w") as out:
            out.write(plot.cactus(track, curves, limit))
    for other in order[1:]:
        points = pairs(runs, order[0], other)
        name = re.sub(r"[^A-Za-z0-9.-]+", "-", f"{order[0]}-{other}")
        with open(os.path.join(folder, f"scatter-{name}.svg"), "w") as out:
            out.write(plot.scatter(f"{order[0]} and {other}", (order[0], other), points, limit))


def pairs(runs, first, second):
    """Files that both were run on and one of them solved, with both times."""
    points = []
    for file in sorted({file for file, _ in runs}):
        a, b = runs.get((file, first)), runs.get((file, second))
        if a and b and (solved(a) or solved(b)):
            verdict = a.verdict if solved(a) else b.verdict
            points.append((file, verdict, a.cpu if solved(a) else None, b.cpu if solved(b) else None))
    return points


def report(runs, expected, limit):
    """Everything as text, and whether verdicts contradict each other."""
    parts = []
    for track, members in tracks(runs).items():
        parts.append(f"## {track}\n\n{render(table(members, limit))}\n")
    wrong = contradictions(runs, expected)
    if wrong:
        parts.append("## CONTRADICTIONS\n\n" + "\n".join(f"- {line}" for line in wrong) + "\n")
    alone = collections.defaultdict(list)
    for file, names in solvers(runs.values()).items():
        if len(names) == 1 and len({command for _, command in runs}) > 1:
            alone[names[0]].append(file)
    for command, files in sorted(alone.items()):
        parts.append(f"## solved by {command} alone\n\n" + "\n".join(f"- {file}" for file in sorted(files)) + "\n")
    counts = {command: sum(1 for _, name in runs if name == command) for command in {c for _, c in runs}}
    if len(set(counts.values())) > 1:
        parts.append("Commands were not all run on the same files; --common keeps those that were.\n")
    return "\n".join(parts), bool(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("csv", nargs="*")
    parser.add_argument("--expected", metavar="CSV")
    parser.add_argument("--time", type=float, metavar="SECONDS")
    parser.add_argument("--common", action="store_true")
    parser.add_argument("--plots", metavar="DIR")
    parser.add_argument("--first", metavar="COMMAND", help="the command that scatter plots compare")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    if not args.csv:
        parser.error("no rows to read")
    runs = {}
    for path in args.csv:
        with open(path, newline="") as text:
            runs.update(read(text.read()))
    limit = args.time or limit_of(args.csv)
    runs = within(common(runs) if args.common else runs, limit)
    if not runs:
        sys.exit("no rows")
    text, wrong = report(runs, expected_of(args.expected), limit)
    print(text)
    if args.plots:
        plots(args.plots, runs, limit, args.first)
    return 1 if wrong else 0


def self_test():
    """Small tables with known sums; also what must be noticed."""
    full = ("file,command,verdict,cpu,wall,memory,exit,detail\n"
            'a/x.smt2,ours,safe,1.0,1.1,10,0,"pdr: with, commas"\n'
            "a/y.smt2,ours,unsafe,2.0,2.1,10,0,\n"
            "b/z.smt2,ours,error,0.5,0.5,10,7,crash\n")
    short = "a/x.smt2,peer,sat,3.0,3.0\na/y.smt2,peer,unknown,30.0,30.0\nb/z.smt2,peer,unsat,4.0,4\nbroken\n"
    stderr, sys.stderr = sys.stderr, io.StringIO()
    runs = {**read(full), **read(short)}
    sys.stderr = stderr
    assert len(runs) == 6
    assert runs["a/x.smt2", "peer"].verdict == "safe" and runs["b/z.smt2", "peer"].verdict == "unsafe"
    assert runs["b/z.smt2", "ours"].verdict == "error" and runs["a/y.smt2", "peer"].verdict == "unknown"
    assert list(tracks(runs)) == ["a", "b", ALL]
    ours, peer, best = table(tracks(runs)["a"], 30)
    assert (ours["command"], ours["solved"], ours["safe"], ours["unsafe"]) == ("ours", 2, 1, 1)
    assert (ours["PAR2"], ours["unique"], peer["PAR2"], peer["unique"]) == ("1.50", 1, "31.50", 0)
    assert (best["command"], best["solved"], best["time on solved"]) == (BEST, 2, "3.0")
    assert table(tracks(runs)[ALL], 30)[-1]["solved"] == 3
    assert [line["errors"] for line in table(tracks(runs)["b"], 30)] == [0, 1, ""]
    tight = within(runs, 2.5)
    assert [line["solved"] for line in table(list(tight.values()), 2.5)] == [2, 0, 2]
    assert contradictions(runs, {}) == []
    assert contradictions(runs, {"a/x.smt2": "unsafe"}) == ["a/x.smt2: safe say ours, peer; unsafe say expected"]
    clash = {**runs, **read("a/y.smt2,peer,sat,1,1\n")}
    assert contradictions(clash, {}) == ["a/y.smt2: unsafe say ours; safe say peer"]
    assert report(clash, {}, 30)[1] and not report(runs, {}, 30)[1]
    assert pairs(runs, "ours", "peer")[2] == ("b/z.smt2", "unsafe", None, 4.0)
    assert common({**runs, **read("c/w.smt2,ours,safe,1,1\n")}).keys() == runs.keys()
    assert (plot.logarithm(0.001, 30), plot.logarithm(99, 30)) == (0, 1)
    drawn = plot.cactus("a<b", {"ours": [1.0, 2.0], "none": []}, 30) + plot.scatter(
        "s", ("ours", "peer"), pairs(runs, "ours", "peer"), 30)
    assert "a&lt;b" in drawn and "ours (2)" in drawn and drawn.count("<circle") == 1
    print("self-test passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
