#!/usr/bin/env python3
"""What a journal is worth: a run, and a second one with what the first one learned.

    python3 bench/journal.py target/release/alphorn FILE... [--time 20] [--least 2] [--part 0.5] [--max 12]

Each file is decided once with `--journal`; where that takes more than `--least` seconds of CPU, again with `--resume`
(answers and lemmas), with `--hint` (the lemmas alone, each tried), and with what a run that was interrupted after a
part of the time left behind (`--resume`; the CPU of both parts is told). One thread, CPU time. A contradiction
between two runs ends it with 1.
"""

import argparse
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time


def run(command, end=None):
    """The verdict and the seconds of CPU; after `end` seconds of CPU it is asked to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if end is not None:
        ticks = os.sysconf("SC_CLK_TCK")
        while process.poll() is None:
            try:
                with open(f"/proc/{process.pid}/stat") as stat:
                    used = stat.read().rsplit(")", 1)[1].split()
            except OSError:
                break
            if (int(used[11]) + int(used[12])) / ticks >= end:
                process.send_signal(signal.SIGTERM)
                break
            time.sleep(0.02)
    output, _ = process.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return output.strip().rsplit(" ", 1)[-1] if output.strip() else "", seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("alphorn")
    parser.add_argument("files", nargs="+")
    for name, value in (("--time", 20.0), ("--least", 2.0), ("--part", 0.5), ("--max", 12)):
        parser.add_argument(name, type=type(value), default=value)
    args = parser.parse_args()
    folder = tempfile.mkdtemp()
    ratios = {"resume": [], "hint": [], "interrupted": []}
    wrong = measured = 0
    print(f"{'first':>7} {'resume':>7} {'hint':>7} {'rest':>7}  file")
    for file in args.files:
        if measured >= args.max:
            break
        journal, part = os.path.join(folder, "journal"), os.path.join(folder, "part")
        for old in (journal, part):
            if os.path.exists(old):
                os.remove(old)
        limit = ["--threads", "1", "--time", f"{args.time * 40:.0f}s", "--dialect", "horn", "-q", "--exit-codes", "errors"]
        base = [args.alphorn, file, *limit]
        verdict, first = run([*base, "--journal", journal], args.time)
        if verdict not in ("sat", "unsat") or first < args.least:
            continue
        measured += 1
        again, resumed = run([*base, "--resume", journal])
        third, hinted = run([*base, "--hint", journal], 2 * args.time)
        _, lost = run([*base, "--resume", part], first * args.part)
        last, rest = run([*base, "--resume", part], 2 * args.time)
        print(f"{first:7.2f} {resumed:7.2f} {hinted:7.2f} {rest:7.2f}  {verdict} {third or '-'} {last or '-'} "
              f"{'/'.join(file.split('/')[-2:])}", flush=True)
        wrong += any(word in ("sat", "unsat") and word != verdict for word in (again, third, last))
        ratios["resume"].append(first / max(resumed, 0.01))
        if third == verdict:
            ratios["hint"].append(first / max(hinted, 0.01))
        if last == verdict:
            ratios["interrupted"].append((first * (1 - args.part)) / max(rest, 0.01))
    for name, values in ratios.items():
        if values:
            print(f"{name}: {len(values)} files, median {statistics.median(values):.1f} times as fast")
    print(f"contradictions: {wrong}")
    shutil.rmtree(folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
