#!/usr/bin/env python3
"""Runs commands over files under limits and keeps one row of CSV per run.

    bench/run.py --out rows.csv --time 30 --command alphorn --command z3 --command z3-global PATH…
    bench/run.py --out rows.csv --time 10 --command mine='./solver -q {file}' --sample 20 PATH…

PATH is a file, a folder, a pattern in quotes, or @LIST, a file with one path per line. Files are
named relative to --root: the folder of --expected if that is given, else the current folder.

Commands: alphorn, alphorn:ENGINE[,ENGINE], z3, z3-global, abc:pdr, abc:int, abc:bmc3, ric3:ENGINE are
known by name; `--command NAME=TEXT` is any other, in whose text {file}, {time} (seconds), {memory}
(bytes) and {out} (an empty file for evidence) are replaced. ABC is told to honour resets and
constraints, which it ignores by itself.

Limits: `--time` is seconds of processor time, all threads together; wall time may be `--wall` times as
long. `--memory` is a limit on resident memory, looked at fifty times a second. A verdict that comes
after the limit counts as unknown. Alphorn's own limit is of wall time: `--own-time` times `--time`.

Rows: file,command,verdict,cpu,wall,memory,exit,detail with the verdicts safe, unsafe, unknown and
error, seconds, and megabytes. The answer is the last line that is a verdict; `sat` is safe in Horn
clauses, and unsafe for circuits and in the dialect with rules and queries. Rows that are there are
not run again; OUT.json says with which limits they were made. Files go one after the other unless
--jobs says otherwise. Exit code: 1 if a verdict contradicts --expected or another command.
"""

import argparse
import collections
import concurrent.futures
import csv
import glob
import json
import os
import random
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time

COLUMNS = ["file", "command", "verdict", "cpu", "wall", "memory", "exit", "detail"]
ENDINGS = (".smt2", ".aig", ".aag", ".btor2", ".btor")
LOOK = 0.02
UNSUPPORTED = 5
LONGEST_OUTPUT = 64 << 20
ABC = {"pdr": "pdr", "int": "int -F 100000 -C 1000000000", "bmc3": "bmc3 -F 0"}
HERE = os.path.dirname(os.path.abspath(__file__))


def size(text):
    """Bytes from `512M` or `8G`."""
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    unit = units.get(text[-1].upper(), 1)
    return int(float(text[:-1] if unit > 1 else text) * unit)


# Files ---------------------------------------------------------------------------------------


def files_of(paths):
    """The files that `paths` name, each once, in order."""
    found = []
    for path in paths:
        if path.startswith("@"):
            with open(path[1:]) as lines:
                names = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
            found += files_of(names)
        elif os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders.sort()
                found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(ENDINGS)]
        elif os.path.exists(path):
            found.append(path)
        else:
            matches = sorted(glob.glob(path, recursive=True))
            if not matches:
                sys.exit(f"error: {path}: no such file, folder or pattern")
            found += matches
    return list(dict.fromkeys(found))


def sat_is_safe(path):
    """Whether `sat` means safe in this file: in Horn clauses, but not where there are queries."""
    if not path.endswith(".smt2"):
        return False
    with open(path, "rb") as text:
        content = text.read()
    return not (b"(query" in content and b"(declare-rel" in content)


# Commands ------------------------------------------------------------------------------------


def alphorn_path(given):
    folder = os.environ.get("CARGO_TARGET_DIR", os.path.join(HERE, "..", "target"))
    return given or os.path.join(folder, "release", "alphorn")


def z3_path():
    # The command in the path may be a wrapper whose time would count.
    beside = os.path.join(sysconfig.get_path("scripts"), "z3")
    return beside if os.path.exists(beside) else shutil.which("z3") or "z3"


def known_command(name, args):
    """The text of a command that is known by name."""
    tool, _, engines = name.partition(":")
    if tool == "alphorn":
        words = [alphorn_path(args.alphorn), "{file}", "--json", "--time", "{own}ms"]
        words += ["--memory", "{megabytes}M"] if args.memory else []
        words += ["--threads", str(args.threads)] if args.threads else []
        words += ["--engine", engines] if engines else []
        return shlex.join(words)
    if name == "z3":
        return shlex.join([z3_path(), "{file}"])
    if name == "z3-global":
        return shlex.join([z3_path(), "fp.spacer.global=true", "{file}"])
    if tool == "abc" and engines in ABC:
        script = f"read_aiger {{file}}; logic; undc; strash; zero; fold; strash; {ABC[engines]}; print_status"
        return shlex.join(["berkeley-abc", "-c", script])
    if tool == "ric3" and engines:
        return shlex.join(["ric3", "-e", engines, "{file}"])
    sys.exit(f"error: --command {name}: not known by name; expected NAME='COMMAND {{file}}'")


def commands_of(args):
    commands = {}
    for text in args.command:
        name, separator, command = text.partition("=")
        if separator and "{file}" not in command:
            sys.exit(f"error: --command {text}: the command does not mention {{file}}")
        commands[name] = command if separator else known_command(name, args)
    return commands


# One run -------------------------------------------------------------------------------------


def words_verdict(text, positive):
    """The last line of `text` that is a verdict, and the first that is an error."""
    meaning = {"sat": positive, "unsat": {"safe": "unsafe", "unsafe": "safe"}[positive],
               "safe": "safe", "unsafe": "unsafe", "unknown": "unknown", "timeout": "unknown"}
    verdict, error = None, ""
    for line in text.splitlines():
        line = line.strip()
        verdict = meaning.get(line.lower().removeprefix("result: "), verdict)
        if line.startswith("Status = "):
            verdict = {"1": "safe", "0": "unsafe"}.get(line.split()[2], "unknown")
        if not error and (line.startswith("(error") or line.lower().startswith("error")):
            error = line
    return verdict, error


def json_verdict(text):
    """The verdict over all answers in alphorn's JSON, and what it says about it."""
    answers, error = [], ""
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if value.get("kind") == "answer":
            answers.append(value)
        elif value.get("kind") in ("error", "diagnostic") and value.get("severity") != "warning":
            error = error or value.get("message", "")
    if not answers:
        return None, error
    verdicts = {answer["verdict"] for answer in answers}
    verdict = next(word for word in ("unsafe", "unknown", "safe") if word in verdicts)
    told = next(answer for answer in answers if answer["verdict"] == verdict)
    engine = f"{told['engine']}: " if told.get("engine") else ""
    return verdict, engine + told["detail"]


def resident(pid):
    """Resident bytes of a process, 0 when it is gone."""
    try:
        with open(f"/proc/{pid}/statm") as numbers:
            return int(numbers.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0


def watch(child, limits, begun):
    """Waits for a child: its status, its use of resources, the limit it broke, its most memory."""
    broken, most = "", 0
    handle = os.pidfd_open(child.pid)
    try:
        ready = select.poll()
        ready.register(handle, select.POLLIN)
        while not ready.poll(LOOK * 1000):
            held = resident(child.pid)
            most = max(most, held)
            if time.monotonic() - begun > limits["wall"]:
                broken = "wall limit"
            elif limits["memory"] and held > limits["memory"]:
                broken = "memory limit"
            if broken:
                os.killpg(child.pid, signal.SIGKILL)
                break
    finally:
        os.close(handle)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    return usage, broken, max(most, usage.ru_maxrss * 1024)


def run(template, path, limits):
    """One run as a row without its names."""
    with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile() as evidence:
        own = int(limits["own"] * 1000)
        replaced = {"{file}": path, "{time}": str(limits["time"]), "{own}": str(own),
                    "{memory}": str(limits["memory"] or 0), "{out}": evidence.name,
                    "{megabytes}": str((limits["memory"] or 0) >> 20)}
        words = shlex.split(template)
        for mark, text in replaced.items():
            words = [word.replace(mark, text) for word in words]
        begun = time.monotonic()
        try:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output,
                                     stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as error:
            sys.exit(f"error: {words[0]}: {error.strerror}")
        restrict(child.pid, limits)
        RUNNING.add(child.pid)
        usage, broken, most = watch(child, limits, begun)
        RUNNING.discard(child.pid)
        wall = time.monotonic() - begun
        output.seek(0)
        text = output.read(LONGEST_OUTPUT).decode(errors="replace")
    cpu = usage.ru_utime + usage.ru_stime
    verdict, detail = judge(text, child.returncode, cpu, broken, path, limits)
    return [verdict, f"{cpu:.3f}", f"{wall:.3f}", f"{most / (1 << 20):.1f}", child.returncode, detail]


def restrict(pid, limits):
    """The limits that the system keeps; they are of whole seconds."""
    seconds = max(1, int(-(-limits["time"] // 1)))
    try:
        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (LONGEST_OUTPUT, LONGEST_OUTPUT))
        if limits["address_space"]:
            resource.prlimit(pid, resource.RLIMIT_AS, (limits["address_space"],) * 2)
    except ProcessLookupError:
        pass


def judge(text, code, cpu, broken, path, limits):
    """The verdict of a run that ended, and a phrase about it."""
    verdict, detail = json_verdict(text)
    if verdict is None and not detail:
        verdict, detail = words_verdict(text, "safe" if sat_is_safe(path) else "unsafe")
    detail = " ".join(detail.split())[:160]
    late = cpu > limits["time"] + 0.05
    if not broken and (code == -signal.SIGXCPU or late):
        broken = "cpu limit"
    if verdict in ("safe", "unsafe") and not broken:
        return verdict, detail
    if broken:
        return "unknown", broken if verdict in (None, "unknown") else f"{broken}, after {verdict}"
    if verdict is None and code == UNSUPPORTED and detail:
        return "unknown", f"unsupported: {detail}"
    if verdict is None:
        return "error", detail or f"no answer, exit {code}: {' '.join(text.split())[-120:]}"
    return verdict, detail


# All runs ------------------------------------------------------------------------------------

RUNNING = set()


class Progress:
    """A bar with the rest of the time on a terminal, a line now and then elsewhere."""

    def __init__(self, total, names, quiet):
        self.total, self.names, self.quiet = total, names, quiet
        self.begun, self.done, self.told = time.monotonic(), 0, 0.0
        self.solved = collections.Counter()
        self.terminal = sys.stderr.isatty()

    def step(self, name, verdict, file):
        self.done += 1
        self.solved[name] += verdict in ("safe", "unsafe")
        passed = time.monotonic() - self.begun
        if self.quiet or (not self.terminal and passed - self.told < 30 and self.done < self.total):
            return
        self.told = passed
        rest = clock(passed / self.done * (self.total - self.done))
        counts = "  ".join(f"{name} {self.solved[name]}" for name in self.names)
        filled = 24 * self.done // self.total
        bar = "█" * filled + "·" * (24 - filled)
        line = f"{bar} {self.done}/{self.total}  {clock(passed)} + {rest}  {counts}"
        if self.terminal:
            width = shutil.get_terminal_size().columns
            line = f"{line}  {os.path.basename(file)}"[: width - 1]
            sys.stderr.write(f"\r\x1b[K{line}" + ("\n" if self.done == self.total else ""))
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def shout(self, text):
        start = "\r\x1b[K" if self.terminal else ""
        sys.stderr.write(f"{start}!!! {text}\n")


def clock(seconds):
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def kept_rows(path):
    """The rows of an earlier run; what a broken run left half written is cut off."""
    if not os.path.exists(path):
        with open(path, "w", newline="") as out:
            csv.writer(out).writerow(COLUMNS)
        return []
    with open(path, newline="") as rows:
        text = rows.read()
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        with open(path, "w", newline="") as out:
            out.write(whole)
    rows = list(csv.reader(whole.splitlines()))
    if not rows or rows[0] != COLUMNS:
        sys.exit(f"error: {path}: not a file of rows; its first line should be {','.join(COLUMNS)}")
    return [row for row in rows[1:] if len(row) == len(COLUMNS)]


def same_setting(path, setting, again):
    """Refuses to mix rows that were made under other limits or by another command line."""
    if os.path.exists(path):
        with open(path) as text:
            old = json.load(text)
        for name in ("time", "memory"):
            if old[name] != setting[name] and not again:
                sys.exit(f"error: {path}: rows there were made with {name} {old[name]}; see --mix")
        for name, command in setting["commands"].items():
            if old["commands"].get(name, command) != command and not again:
                sys.exit(f"error: {path}: {name} was another command there; see --mix")
        setting["commands"] = {**old["commands"], **setting["commands"]}
    with open(path, "w") as out:
        json.dump(setting, out, indent=1)
        out.write("\n")


class Verdicts:
    """What is known about each file, to notice contradictions."""

    def __init__(self, expected):
        self.known = {}
        if expected:
            with open(expected, newline="") as rows:
                self.known = {row["file"]: ("expected", row["verdict"]) for row in csv.DictReader(rows)
                              if row["verdict"] in ("safe", "unsafe")}
        self.contradictions = 0

    def hear(self, file, command, verdict):
        """A sentence if this verdict contradicts what was said before."""
        if verdict not in ("safe", "unsafe"):
            return None
        who, before = self.known.setdefault(file, (command, verdict))
        if before == verdict:
            return None
        self.contradictions += 1
        return f"CONTRADICTION {file}: {command} says {verdict}, {who} says {before}"


def main():
    args = arguments()
    root = args.root or (os.path.dirname(args.expected) if args.expected else ".") or "."
    files = files_of(args.paths)
    if args.sample:
        files = sorted(random.Random(args.seed).sample(files, min(args.sample, len(files))))
    commands = commands_of(args)
    limits = {"time": args.time, "wall": args.wall * args.time + 1, "own": args.own_time * args.time,
              "memory": args.memory, "address_space": args.address_space}
    setting = {"time": args.time, "memory": args.memory, "commands": commands}
    same_setting(args.out + ".json", setting, args.mix)
    verdicts = Verdicts(args.expected)
    rows = kept_rows(args.out)
    for row in rows:
        text = verdicts.hear(row[0], row[1], row[2])
        if text:
            sys.stderr.write(f"!!! {text}\n")
    there = {(row[0], row[1]) for row in rows}
    jobs = [(file, name) for file in files for name in commands
            if (os.path.relpath(file, root), name) not in there]
    if len(jobs) < len(files) * len(commands):
        sys.stderr.write(f"{len(files) * len(commands) - len(jobs)} rows are there already\n")
    work(args, jobs, commands, limits, root, verdicts)
    sys.exit(1 if verdicts.contradictions else 0)


def work(args, jobs, commands, limits, root, verdicts):
    progress = Progress(len(jobs), list(commands), args.quiet)
    lock, cores = threading.Lock(), sorted(os.sched_getaffinity(0))
    free = list(cores)
    starved, errors = 0, collections.Counter()

    def one(job):
        nonlocal starved
        file, name = job
        if args.pin:
            with lock:
                core = free.pop()
            os.sched_setaffinity(0, {core})
        row = run(commands[name], file, limits)
        if args.pin:
            with lock:
                free.append(core)
        with lock:
            short = os.path.relpath(file, root)
            with open(args.out, "a", newline="") as out:
                csv.writer(out, lineterminator="\n").writerow([short, name, *row])
            text = verdicts.hear(short, name, row[0])
            if text:
                progress.shout(text)
            if row[0] == "error" and errors[name] < 3:
                progress.shout(f"ERROR {short}: {name}: {row[5]}")
            errors[name] += row[0] == "error"
            starved += row[5] in ("out of time", "wall limit") and float(row[1]) < 0.9 * args.time
            progress.step(name, row[0], file)

    try:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            try:
                for _ in pool.map(one, jobs):
                    pass
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for pid in list(RUNNING):
                    os.killpg(pid, signal.SIGKILL)
                raise
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; the same command goes on from here")
    if starved:
        sys.stderr.write(f"{starved} runs ended by the clock with less processor time than they may use: "
                         "the machine is busy; --wall and --own-time give them longer\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--out", required=True, metavar="CSV", help="where the rows are kept")
    parser.add_argument("--command", action="append", required=True, metavar="NAME[=TEXT]")
    parser.add_argument("--time", type=float, default=30, metavar="SECONDS")
    parser.add_argument("--wall", type=float, default=3.0, metavar="FACTOR")
    parser.add_argument("--own-time", type=float, default=1.0, metavar="FACTOR")
    parser.add_argument("--memory", type=size, metavar="SIZE")
    parser.add_argument("--address-space", type=size, metavar="SIZE", help="a limit on reserved memory")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--pin", action="store_true", help="each run on one core of its own")
    parser.add_argument("--threads", type=int, metavar="N", help="what alphorn is given as --threads")
    parser.add_argument("--sample", type=int, metavar="N", help="only N files, by chance")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--expected", metavar="CSV", help="lines `file,verdict`")
    parser.add_argument("--root", metavar="DIR")
    parser.add_argument("--alphorn", metavar="PATH", help="the program; else that of the release build")
    parser.add_argument("--mix", action="store_true", help="add rows made under other limits")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    args = parser.parse_args()
    if args.pin and args.jobs > len(os.sched_getaffinity(0)):
        parser.error("--pin needs a core for each job")
    return args


if __name__ == "__main__":
    main()
