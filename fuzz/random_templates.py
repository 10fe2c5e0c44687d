#!/usr/bin/env python3
"""Random templates of timed automata in UPPAAL's XML, with any number of copies, against an explicit search of one to three copies.

The search is that of `random_timed.py`, over the same network written out in TChecker's text: it knows nothing of templates. With
`--processes N` verdicts must agree with the search of N copies; with `--encoding parameterised`, SAFE must not be said of what one to
three copies violate, and UNSAFE never.

    python3 fuzz/random_templates.py --count 200 [--seed 0] [--alphorn PROGRAM] [--most 3]
"""

import os
import random
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import arguments  # noqa: E402
from random_timed import Network  # noqa: E402


def random_edge(rng, places, clock, is_copy, values):
    """An edge: places, guards, updates, and what it does on a channel."""
    guards, updates = [], []
    if rng.random() < 0.4:
        guards.append(f"{rng.choice([clock, clock, clock, 'z'])}{rng.choice(['<=', '>=', '=='])}{rng.randint(0, 3)}")
    if rng.random() < 0.35:
        guards.append(f"v{rng.choice(['==', '!=', '<', '>='])}{rng.randint(0, values)}")
    if is_copy and rng.random() < 0.4:
        guards.append(rng.choice(["id==0", "id==PID", "id!=PID", "f==0", "f==1", "PID<N", "id<=PID"]))
    if rng.random() < 0.5:
        updates.append(f"{rng.choice([clock, clock, 'z'])}=0")
    if rng.random() < 0.4:
        updates.append(rng.choice([f"v={rng.randint(0, values)}", "v=v+1", "v=(v+1)%2"]))
    if is_copy and rng.random() < 0.5:
        updates.append(rng.choice(["id=PID", "id=PID", "id=0", "f=1", "f=0", "id=id+1"]))
    channel = rng.choice([None, None, None, None, "a!", "a?", "b!", "b?"])
    return rng.randrange(places), rng.randrange(places), guards, updates, channel


def random_family(rng):
    """A family as data: the template's and perhaps another process' invariants, flags and edges, and what is asked."""
    values = rng.randint(1, 2)
    processes = []
    for clock, is_copy in [("x", True), ("y", False)][: rng.choice([1, 1, 2])]:
        places = rng.randint(2, 3)
        limits = [rng.randint(0 if place else 1, 3) if rng.random() < 0.3 else None for place in range(places)]
        flags = [rng.choice(["urgent", "committed"]) if rng.random() < 0.06 else None for _ in range(places)]
        edges = [random_edge(rng, places, clock, is_copy, values) for _ in range(rng.randint(4, 8))]
        processes.append((clock, limits, flags, edges))
    places = len(processes[0][1])
    query = rng.choice(["pair", "pair", "own"]), rng.randrange(1, places), rng.randrange(1, places)
    return values, processes, query


def as_xml(family, number=2):
    values, processes, (kind, one, other) = family
    parts = [f"<nta><declaration>const int N = {number}; typedef int[1,N] pid_t; int[0,N] id; int[0,{values}] v;"
             " clock z; chan a, b;</declaration>"]
    for name, (clock, limits, flags, edges) in zip(["P", "Q"], processes):
        param = "<parameter>const pid_t PID</parameter>" if name == "P" else ""
        own = f"clock {clock}; int[0,1] f;"
        parts.append(f"<template><name>{name}</name>{param}<declaration>{own}</declaration>")
        for at, (limit, flag) in enumerate(zip(limits, flags)):
            label = f'<label kind="invariant">{clock} &lt;= {limit}</label>' if limit is not None else ""
            parts.append(f'<location id="l{at}"><name>l{at}</name>{label}{f"<{flag}/>" if flag else ""}</location>')
        parts.append('<init ref="l0"/>')
        for source, target, guards, updates, channel in edges:
            labels = [("guard", " && ".join(guards)), ("synchronisation", channel or ""), ("assignment", ", ".join(updates))]
            labels = "".join(f'<label kind="{what}">{escape(text)}</label>' for what, text in labels if text)
            parts.append(f'<transition><source ref="l{source}"/><target ref="l{target}"/>{labels}</transition>')
        parts.append("</template>")
    made = "system P;" if len(processes) == 1 else "system P, Q;"
    asked = f"A[] forall (i : pid_t) forall (j : pid_t) P(i).l{one} && P(j).l{other} imply i == j"
    if kind == "own":
        asked = f"A[] forall (i : pid_t) P(i).l{one} imply id == i"
    parts.append(f"<system>{made}</system><queries><query><formula>{escape(asked)}</formula></query></queries></nta>\n")
    return "\n".join(parts)


def as_text(family, number):
    """The same in TChecker's text, with so many copies."""
    values, processes, _ = family
    lines = ["system:family", "event:tau", "clock:1:z", f"int:1:0:{number}:0:id", f"int:1:0:{values}:0:v"]
    lines += [f"event:{channel}{end}" for channel in "ab" for end in ("send", "receive")]
    names = [f"P{at}" for at in range(1, number + 1)] + (["Q"] if len(processes) > 1 else [])
    for name in names:
        clock, limits, flags, edges = processes[0 if name != "Q" else 1]
        own, pid = f"{clock}{name}", name[1:] or "0"
        lines += [f"process:{name}", f"clock:1:{own}", f"int:1:0:1:0:f{name}"]

        def of(text):
            text = text.replace("PID", pid).replace("N", str(number))
            for old, new in ((clock, own), ("f", f"f{name}")):
                text = new + text[len(old):] if text.startswith(old) else text
            return text

        for at, (limit, flag) in enumerate(zip(limits, flags)):
            attrs = (["initial:"] if at == 0 else []) + ([f"invariant: {own}<={limit}"] if limit is not None else [])
            attrs += [f"{flag}:"] if flag else []
            lines.append(f"location:{name}:l{at}{{{' : '.join(attrs)}}}")
        for source, target, guards, updates, channel in edges:
            attrs = [f"provided: {'&&'.join(map(of, guards))}"] if guards else []
            attrs += [f"do: {'; '.join(map(of, updates))}"] if updates else []
            event = "tau" if not channel else channel[0] + {"!": "send", "?": "receive"}[channel[1]]
            lines.append(f"edge:{name}:l{source}:l{target}:{event}{{{' : '.join(attrs)}}}")
    for channel in "ab":
        pairs = [f"sync:{one}@{channel}send:{other}@{channel}receive" for one in names for other in names if one != other]
        # With nobody to meet, what is sent and received does not happen.
        lines += pairs or ["process:Nobody", "location:Nobody:l{initial:}"] * (channel == "a")
        if not pairs:
            lines += [f"sync:{names[0]}@{channel}{end}:Nobody@tau" for end in ("send", "receive")]
    return "\n".join(lines) + "\n"


def is_bad(family, number):
    _, _, (kind, one, other) = family

    def holds(places, state):
        if kind == "own":
            return any(places[f"P{at}"] == f"l{one}" and state["id"] != at for at in range(1, number + 1))
        return any(places[f"P{i}"] == f"l{one}" and places[f"P{j}"] == f"l{other}"
                   for i in range(1, number + 1) for j in range(1, number + 1) if i != j)

    return holds


def main():
    parser = arguments(__doc__, 200)
    parser.add_argument("--most", type=int, default=3, help="the most copies that are searched")
    parser.add_argument("--time", default="5s")
    args = parser.parse_args()
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "family.xml"
        for seed in range(args.seed, args.seed + args.count):
            rng = random.Random(seed)
            family = random_family(rng)
            file.write_text(as_xml(family))

            def verdict(*options):
                done = subprocess.run([args.alphorn, str(file), "--time", args.time, "--threads", "1", *options],
                                      capture_output=True, text=True)
                if done.returncode not in (0, 1, 2) or "panicked" in done.stderr:
                    print(f"seed {seed} {options}: exit {done.returncode}\n{done.stdout}{done.stderr}\n{file.read_text()}")
                    sys.exit(1)
                return {0: "safe", 1: "unsafe"}.get(done.returncode, "unknown")

            truth = {number: Network(as_text(family, number)).reaches(is_bad(family, number))
                     for number in range(1, args.most + 1)}
            number = rng.randint(1, args.most)
            said = verdict("--processes", str(number))
            counts["counted", said] = counts.get(("counted", said), 0) + 1
            if truth[number] is not None and said != "unknown" and said != ("unsafe" if truth[number] else "safe"):
                print(f"seed {seed}: {said} with {number} copies, but reachable: {truth[number]}\n{file.read_text()}")
                sys.exit(1)
            seen = rng.choice(["1", "2", "2", "2", "3"])
            said = verdict("--encoding", "parameterised", "--copies", "P", "--seen", seen)
            is_violated = any(truth.values())
            word = f"{said} ({'violated' if is_violated else 'not violated'} by few)"
            counts["any", word] = counts.get(("any", word), 0) + 1
            if said == "unsafe" or said == "safe" and is_violated:
                print(f"seed {seed}: {said}, seen by {seen}, but reachable: {truth}\n{file.read_text()}")
                sys.exit(1)
    print(", ".join(f"{kind} {word} {count}" for (kind, word), count in sorted(counts.items())), "- none wrong")


if __name__ == "__main__":
    main()
