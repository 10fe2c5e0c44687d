#!/usr/bin/env python3
"""Runs alphorn on programs with known verdicts, and counts right, wrong and missing answers.

    bench/programs.py FOLDER [--alphorn PATH] [--time 10] [--kind c] [--property unreach-call] [--jobs 1]
                      [--only TEXT] [--step N] [--out FILE.csv] [--check] [--family]

FOLDER holds `expected.csv` with the columns file, property, verdict, data_model and family. With --check every
answer's evidence is written and checked again by `alphorn check`.
"""
import argparse, collections, concurrent.futures, csv, os, subprocess, sys, tempfile, time

C_PROPERTIES = {"unreach-call", "no-overflow", "valid-memsafety", "valid-memcleanup", "assert"}


def command(args, row, evidence):
    path = os.path.join(args.folder, row["file"])
    line = [args.alphorn, path, "--time", f"{args.time}s"]
    if args.threads:
        line += ["--threads", str(args.threads)]
    if row["file"].startswith("c/"):
        model = (row["data_model"] or "ILP32").lower()
        line += ["--property", row["property"], "--data-model", model]
    if evidence:
        line += ["--evidence", evidence]
    return line


def run(args, row):
    evidence = tempfile.mktemp(suffix=".evidence") if args.check else None
    begun, before = time.time(), os.times()
    try:
        done = subprocess.run(command(args, row, evidence), capture_output=True, text=True, timeout=args.time + 20)
        code, out = done.returncode, (done.stdout + done.stderr).strip()
    except subprocess.TimeoutExpired:
        code, out = -1, "no end"
    took = time.time() - begun
    answer = {0: "safe", 1: "unsafe", 2: "unknown", 4: "refused", 5: "untreated"}.get(code, f"exit {code}")
    checked = ""
    if evidence and answer in ("safe", "unsafe"):
        path = os.path.join(args.folder, row["file"])
        line = [args.alphorn, "check", path, evidence]
        if row["file"].startswith("c/"):
            line += ["--data-model", (row["data_model"] or "ILP32").lower()]
        try:
            again = subprocess.run(line, capture_output=True, text=True, timeout=120)
            checked = "accepted" if again.returncode in (0, 1) else "REFUSED " + (again.stdout + again.stderr).strip()[:200]
        except subprocess.TimeoutExpired:
            checked = "REFUSED no end"
    if evidence and os.path.exists(evidence):
        os.remove(evidence)
    return row, answer, took, out, checked


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--kind", default="c")
    parser.add_argument("--property")
    parser.add_argument("--only", default="")
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    rows = []
    for row in csv.DictReader(open(os.path.join(args.folder, "expected.csv"))):
        if not row["file"].startswith(args.kind + "/") or args.only not in row["file"]:
            continue
        if args.property and row["property"] != args.property:
            continue
        if args.kind == "c" and row["property"] not in C_PROPERTIES:
            continue
        if row["verdict"] not in ("safe", "unsafe", "unknown") or row["property"] == "parses":
            continue
        rows.append(row)
    rows = rows[:: args.step]
    table, wrong = collections.defaultdict(collections.Counter), []
    writer = csv.writer(open(args.out, "w")) if args.out else None
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for row, answer, took, out, checked in pool.map(lambda row: run(args, row), rows):
            known = row["verdict"]
            if answer in ("safe", "unsafe"):
                kind = "right" if answer == known else "open" if known == "unknown" else "WRONG"
            else:
                kind = answer
            key = (row["property"], row["family"])
            table[key][kind] += 1
            table[key]["all"] += 1
            table[key]["seconds"] += took
            if kind == "WRONG" or checked.startswith("REFUSED") or kind.startswith("exit"):
                wrong.append((row["file"], row["property"], known, answer, checked, out[-300:]))
            if writer:
                writer.writerow([row["file"], row["property"], known, answer, f"{took:.2f}", checked, out.replace("\n", " | ")[:400]])
            if args.verbose or kind != "right":
                print(f"{kind:10} {took:6.1f} {row['property']:16} {known:8} {row['file']}  {out.splitlines()[0][:110] if out else ''}", flush=True)
    total = collections.defaultdict(collections.Counter)
    for (prop, family), counts in sorted(table.items()):
        total[prop].update(counts)
        print(f"{prop:16} {family:28} {counts['right']:3} of {counts['all']:3}  {dict((k, v) for k, v in counts.items() if k not in ('right', 'all', 'seconds'))} {counts['seconds']:.0f} s")
    for prop, counts in sorted(total.items()):
        print(f"ALL {prop:16} {counts['right']:3} of {counts['all']:3} = {100 * counts['right'] / counts['all']:.0f} %  {dict((k, v) for k, v in counts.items() if k not in ('right', 'all', 'seconds'))} {counts['seconds']:.0f} s")
    for one in wrong:
        print("LOOK", *one)
    return 1 if any(one for one in wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
