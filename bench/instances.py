#!/usr/bin/env python3
"""Conflicting instances against matching alone, and against Z3, on scripts with quantifiers.

    bench/instances.py [--program PATH] [--random 150] [--seed 0] [--time MS] [--levels 0,1,2] [--z3 z3]

The scripts are those of bench/quantified_scripts.py and random ones of fuzz/random_quantified.py. The program is the
example run_script of crates/script (`cargo build --release -p alphorn-script --example run_script`); every answer is
checked. The levels are those of the setting `instances.search`: matching alone, conflicting instances first, and
equality-inducing ones as well. Told are the answers of each level and those that it loses, with so many milliseconds of
wall time for each question; then instances and CPU seconds for the scripts that all refute, in one process for each level
and one for each script of Z3 (about 0.02 s to start). What
was measured is in bench/notes/smt-quantifiers.md.
"""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "fuzz"))


def run(command, seconds=None):
    """The answers of a command, what it counted before each next question, and its CPU time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = lambda: seconds and resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if "refused" in done.stderr or "panicked" in done.stderr:
        print("fault:", command, done.stderr[-300:])
    parts = re.split(r"^(sat|unsat|unknown)$", done.stdout, flags=re.M)
    numbers = [dict(re.findall(r":([a-z-]+) (\d+)", part)) for part in parts[2::2]]
    return parts[1::2], [{name: int(number) for name, number in counts.items()} for counts in numbers], used


def scripts(count, seed):
    """Names and texts of scripts of one question each."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ROOT / "bench/quantified_scripts.py", folder], check=True)
        found = [(path.stem, path.read_text()) for path in sorted(pathlib.Path(folder).glob("*.smt2"))]
    from random_quantified import Script

    return found + [(f"random{n}", "(set-logic ALL)\n" + Script(n).text) for n in range(seed, seed + count)]


def ask(command, texts, milliseconds):
    """What a command says of scripts, all in one process."""
    head = f"(set-option :timeout {milliseconds})\n"
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write("(reset)\n".join(f"{head}{text}\n(get-info :all-statistics)\n" for text in texts))
        file.flush()
        answers, counts, used = run([*command, file.name])
    assert len(answers) == len(texts), (command, len(answers))
    return answers, counts, used


def ask_each(command, texts, milliseconds):
    """As `ask`, in a process for each script, as Z3 may not heed its limit of time."""
    answers, used = [], 0.0
    for text in texts:
        with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
            file.write(f"(set-option :timeout {milliseconds})\n{text}\n")
            file.flush()
            said, _, seconds = run([*command, file.name], 1 + milliseconds // 1000)
        answers.append(said[0] if said else "unknown")
        used += seconds
    return answers, [], used


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "target/release/examples/run_script")
    parser.add_argument("--random", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--time", type=int, default=1000)
    parser.add_argument("--levels", default="0,1,2")
    parser.add_argument("--z3", default="z3")
    arguments = parser.parse_args()
    commands = {
        f"level {level}": [arguments.program, "--set", f"instances.search={level}"]
        for level in arguments.levels.split(",")
    }
    if arguments.z3:
        commands["z3"] = [arguments.z3]
    named = scripts(arguments.random, arguments.seed)
    texts = [text for _, text in named]
    way = lambda who: ask_each if who == "z3" else ask
    found = {who: way(who)(command, texts, arguments.time)[0] for who, command in commands.items()}
    wrong = 0
    for number, (name, _) in enumerate(named):
        answers = {who: said[number] for who, said in found.items()}
        if {"sat", "unsat"} <= set(answers.values()):
            print("different answers:", name, answers)
            wrong += 1
    first = next(iter(found.values()))
    for who, said in found.items():
        lost = [named[n][0] for n, answer in enumerate(said) if answer == "unknown" != first[n]]
        print(f"{who}: {said.count('sat')} sat, {said.count('unsat')} unsat; lost: {' '.join(lost) or 'none'}", flush=True)
    common = [texts[n] for n in range(len(texts)) if {said[n] for said in found.values()} == {"unsat"}]
    print(f"{len(texts)} scripts, {len(common)} refuted by all")
    for who, command in commands.items():
        answers, counts, used = way(who)(command, common, 60000)
        total = lambda name: sum(count.get(name, 0) for count in counts)
        print(
            f"{who}: {used:.2f} s, {total('instances')} instances, of them {total('conflicting-instances')} conflicting",
            f"and {total('inducing-instances')} inducing;",
            f"{total('rounds-with-conflicting-instances')} of {total('rounds-of-instances')} rounds with a conflict",
            f"({answers.count('unsat')} unsat)",
            flush=True,
        )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
