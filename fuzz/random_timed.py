#!/usr/bin/env python3
"""Networks of timed automata in TChecker's text against an explicit search over whole times.

The search knows nothing but the text of the format. Where all comparisons of clocks allow equality, what can be
reached can be reached at whole times (Henzinger, Manna, Pnueli 1992), so a search with clocks that stop counting behind the
largest constant is exact, and verdicts must agree. Random networks have such comparisons only.

    python3 fuzz/random_timed.py --count 500 [--alphorn PROGRAM] [--engine zones] [--encoding owicki-gries]
    python3 fuzz/random_timed.py --file NETWORK.tck          the verdict of the search alone
"""

import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import arguments  # noqa: E402

MAX_STATES = 400_000


def attributes(text):
    """`{a: b : c: d}` as a dictionary."""
    found = {}
    parts = [part.strip() for part in text.strip().strip("{}").split(":")]
    for at in range(0, len(parts) - 1, 2):
        found[parts[at]] = parts[at + 1]
    return found


class Network:
    """A network as its text says it."""

    def __init__(self, text):
        self.clocks, self.ints, self.processes, self.syncs = [], {}, {}, []
        self.labels = []
        for line in text.splitlines():
            if line.startswith("#labels="):
                self.labels = [label for label in line[8:].split(":") if label]
            line = line.split("#")[0].strip()
            if not line:
                continue
            head, brace, tail = line.partition("{")
            words, attrs = head.split(":"), attributes(tail) if brace else {}
            kind = words[0]
            if kind == "clock":
                size = int(words[1])
                self.clocks += [words[2]] if size == 1 else [f"{words[2]}[{at}]" for at in range(size)]
            elif kind == "int":
                size, low, high, first = map(int, words[1:5])
                names = [words[5]] if size == 1 else [f"{words[5]}[{at}]" for at in range(size)]
                self.ints.update({name: (low, high, first) for name in names})
            elif kind == "process":
                self.processes[words[1]] = ({}, [])
            elif kind == "location":
                self.processes[words[1]][0][words[2].strip()] = attrs
            elif kind == "edge":
                self.processes[words[1]][1].append((words[2], words[3], words[4].strip(), attrs))
            elif kind == "sync":
                parties = [word.split("@") for word in words[1:]]
                self.syncs.append([(p, e.strip().rstrip("?"), e.strip().endswith("?")) for p, e in parties])
        self.largest = max([int(word) for word in re.findall(r"\d+", text)] + [1])

    def value(self, expression, state):
        """An expression, in Python: names are looked up, an index is evaluated first."""
        text = expression.replace("&&", " and ").replace("||", " or ")
        text = re.sub(r"!(?!=)", " not ", text)
        arrays = {}
        for name in state:
            base, bracket, index = name.partition("[")
            if bracket:
                arrays.setdefault(base, {})[int(index[:-1])] = state[name]
        return eval(text, {"__builtins__": {}}, {**arrays, **state})

    def holds(self, condition, state):
        try:
            return not condition or bool(self.value(condition, state))
        except KeyError:
            return False

    def update(self, statements, state):
        """The state after assignments; none if one leads out of bounds."""
        state = dict(state)
        for statement in filter(None, (part.strip() for part in statements.split(";"))):
            name, value = (part.strip() for part in statement.split("=", 1))
            base, bracket, index = name.partition("[")
            try:
                if bracket:
                    name = f"{base}[{self.value(index[:-1], state)}]"
                new = self.value(value, state)
            except KeyError:
                return None
            if name not in state or name in self.ints and not self.ints[name][0] <= new <= self.ints[name][1]:
                return None
            state[name] = new
        return state

    def allowed(self, places, state):
        return all(self.holds(self.processes[p][0][at].get("invariant"), state) for p, at in places.items())

    def moves(self):
        synced = {(p, e) for sync in self.syncs for p, e, _ in sync}
        for process, (_, edges) in self.processes.items():
            for edge in edges:
                if (process, edge[2]) not in synced:
                    yield [(process, edge)], []
        for sync in self.syncs:
            choices = []
            for process, event, weak in sync:
                edges = [(process, edge) for edge in self.processes[process][1] if edge[2] == event]
                choices.append(edges + ([(process, None)] if weak else []))
            for choice in itertools.product(*choices):
                edges = [(p, edge) for p, edge in choice if edge]
                absent = [(p, event) for (p, edge), (_, event, _) in zip(choice, sync) if not edge]
                if edges:
                    yield edges, absent

    def after(self, places, state, move):
        edges, absent = move
        if any(places[p] != edge[0] or not self.holds(edge[3].get("provided"), state) for p, edge in edges):
            return None
        for process, event in absent:
            if any(edge[0] == places[process] and edge[2] == event for edge in self.processes[process][1]):
                return None
        committed = {p for p, at in places.items() if "committed" in self.processes[p][0][at]}
        if committed and not any(p in committed for p, _ in edges):
            return None
        places = dict(places)
        for process, edge in edges:
            state = self.update(edge[3].get("do", ""), state)
            if state is None:
                return None
            places[process] = edge[1]
        return (places, state) if self.allowed(places, state) else None

    def reaches(self, is_bad=None):
        """Whether all labels can hold together, or what is asked of places and values; none if there are too many states."""
        firsts = [[(p, at) for at, attrs in locations.items() if "initial" in attrs]
                  for p, (locations, _) in self.processes.items()]
        state = {**{clock: 0 for clock in self.clocks}, **{n: first for n, (_, _, first) in self.ints.items()}}
        pack = lambda places, state: (tuple(places.values()), tuple(state.values()))
        moves = list(self.moves())
        open_, seen = [], set()

        def add(places, state):
            key = pack(places, state)
            if key not in seen:
                seen.add(key)
                open_.append((places, state))

        for first in itertools.product(*firsts):
            if self.allowed(dict(first), state):
                add(dict(first), state)
        while open_:
            if len(seen) > MAX_STATES:
                return None
            places, state = open_.pop()
            if is_bad and is_bad(places, state):
                return True
            here = set()
            for process, at in places.items():
                here |= {label.strip() for label in self.processes[process][0][at].get("labels", "").split(",")}
            if not is_bad and all(label in here for label in self.labels):
                return True
            stays = any("urgent" in self.processes[p][0][at] or "committed" in self.processes[p][0][at]
                        for p, at in places.items())
            later = {n: min(v + 1, self.largest + 1) if n in self.clocks else v for n, v in state.items()}
            if not stays and self.allowed(places, later):
                add(places, later)
            for move in moves:
                found = self.after(places, state, move)
                if found:
                    add(*found)
        return False


def random_text(rng):
    """A network of two or three processes."""
    count, values = rng.randint(2, 3), rng.randint(1, 2)
    lines = ["#labels=" + ":".join(f"bad{at}" for at in range(rng.randint(1, count))), "system:random"]
    lines += ["event:tau", "event:a", "event:b", f"int:1:0:{values}:0:v"]
    labels = lines[0].count("bad")
    has_array = rng.random() < 0.3
    if has_array:
        lines.append(f"int:2:0:{values}:0:w")
    lines += [f"clock:1:x{process}" for process in range(count)]
    for process in range(count):
        lines.append(f"process:P{process}")
        places = rng.randint(2, 4)
        bad = rng.randrange(1, places)
        for place in range(places):
            attrs = ["initial:"] if place == 0 else []
            if rng.random() < 0.35:
                attrs.append(f"invariant: x{process}<={rng.randint(0 if place else 1, 4)}")
            if place == bad and process < labels:
                attrs.append(f"labels: bad{process}")
            if rng.random() < 0.08:
                attrs.append(rng.choice(["urgent:", "committed:"]))
            lines.append(f"location:P{process}:l{place}{{{' : '.join(attrs)}}}")
        for _ in range(rng.randint(2, 6)):
            other = rng.randrange(count)
            guards, updates = [], []
            if rng.random() < 0.5:
                clock = rng.choice([process, process, process, other])
                guards.append(f"x{clock}{rng.choice(['<=', '>=', '=='])}{rng.randint(0, 4)}")
            if rng.random() < 0.4:
                guards.append(f"v{rng.choice(['==', '!=', '<', '>='])}{rng.randint(0, values)}")
            if has_array and rng.random() < 0.3:
                guards.append(f"w[v]=={rng.randint(0, values)}")
            if rng.random() < 0.5:
                updates.append(f"x{process}=0")
            if rng.random() < 0.5:
                updates.append(rng.choice([f"v={rng.randint(0, values)}", "v=v+1", "v=(v+1)%2"]))
            if has_array and rng.random() < 0.3:
                updates.append(rng.choice(["w[v]=1", "w[1]=v", "w[0]=w[1]"]))
            attrs = [f"provided: {'&&'.join(guards)}"] if guards else []
            attrs += [f"do: {'; '.join(updates)}"] if updates else []
            event = rng.choice(["tau", "tau", "a", "b"])
            edge = f"edge:P{process}:l{rng.randrange(places)}:l{rng.randrange(places)}:{event}"
            lines.append(edge + f"{{{' : '.join(attrs)}}}")
    if rng.random() < 0.6:
        lines.append("sync:P0@a:P1@a")
    if count == 3 and rng.random() < 0.3:
        lines.append("sync:P1@b:P2@b")
    return "\n".join(lines) + "\n"


def main():
    parser = arguments(__doc__, 200)
    parser.add_argument("--engine")
    parser.add_argument("--encoding")
    parser.add_argument("--file")
    args = parser.parse_args()
    if args.file:
        print({True: "unsafe", False: "safe", None: "unknown"}[Network(Path(args.file).read_text()).reaches()])
        return
    counts = {"safe": 0, "unsafe": 0, "unknown": 0, "too large": 0}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            text = random_text(random.Random(seed))
            expected = Network(text).reaches()
            if expected is None:
                counts["too large"] += 1
                continue
            file = Path(folder) / "network.tck"
            file.write_text(text)
            command = [args.alphorn, str(file), "--time", "10s", "--threads", "1"]
            command += ["--engine", args.engine] if args.engine else []
            command += ["--encoding", args.encoding] if args.encoding else []
            done = subprocess.run(command, capture_output=True, text=True)
            verdict = {0: "safe", 1: "unsafe"}.get(done.returncode, "unknown")
            if done.returncode not in (0, 1, 2, 3) or done.stderr and "panicked" in done.stderr:
                print(f"seed {seed}: exit {done.returncode}\n{done.stdout}{done.stderr}\n{text}")
                sys.exit(1)
            if verdict != "unknown" and verdict != ("unsafe" if expected else "safe"):
                print(f"seed {seed}: {verdict}, but the search says reachable: {expected}\n{text}")
                sys.exit(1)
            counts[verdict] += 1
    print(", ".join(f"{count} {word}" for word, count in counts.items()), "- none wrong")


if __name__ == "__main__":
    main()
