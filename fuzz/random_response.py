#!/usr/bin/env python3
"""Random fair transition systems, against all sets of states that a run can stay in.

    fuzz/random_response.py [--count 1000] [--seed 0] [--alphorn PATH] [--keep DIR]

`p` leads to `q` unless, from a state with `p` that can be reached, a run without `q` goes on for ever and is fair. The
states that it visits again and again are a set that is connected by steps inside it (or one state, where nothing
happens), and by going round it can take every step inside. So a system of few states is decided by trying all sets.
The answer of `alphorn explore`, by tags on the graph, is compared as well.
"""

import itertools
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import Harness, arguments  # noqa: E402

PER_RUN = 25


class System:
    def __init__(self, rng):
        self.states = rng.randint(1, 5)
        numbers = range(self.states)
        some = lambda least, most: sorted(rng.sample(numbers, min(self.states, rng.randint(least, most))))
        self.init, self.p, self.q = some(1, 2), some(0, 3), some(0, 2)
        actions = "abc"[: rng.randint(1, 3)]
        self.steps = [(rng.choice(numbers), rng.choice(actions), rng.choice(numbers))
                      for _ in range(rng.randint(1, 8))]
        used = sorted({action for _, action, _ in self.steps})
        self.weak = [action for action in used if rng.random() < 0.5]
        self.strong = [action for action in used if rng.random() < 0.4]

    def text(self):
        line = lambda word, items: " ".join([word, *map(str, items)]) + "\n"
        return (f"states {self.states}\n" + line("init", self.init) + line("p", self.p) + line("q", self.q)
                + line("weak:", self.weak) + line("strong:", self.strong)
                + "".join(f"{a} {action} {b}\n" for a, action, b in self.steps))

    def reach(self, start, allowed):
        seen, waiting = set(start), list(start)
        while waiting:
            here = waiting.pop()
            for a, _, b in self.steps:
                if a == here and b in allowed and b not in seen:
                    seen.add(b)
                    waiting.append(b)
        return seen

    def holds(self):
        everything = set(range(self.states))
        without = everything - set(self.q)
        pending = self.reach(set(self.p) & without & self.reach(self.init, everything), without)
        for size in range(1, len(pending) + 1):
            for chosen in map(set, itertools.combinations(sorted(pending), size)):
                if any(self.reach({state}, chosen) != chosen for state in chosen):
                    continue
                taken = {action for a, action, b in self.steps if a in chosen and b in chosen}
                enabled = {action for a, action, _ in self.steps if a in chosen}
                always = {action for action in enabled
                          if all(any(a == state and known == action for a, known, _ in self.steps)
                                 for state in chosen)}
                is_weak = all(action in taken or action not in always for action in self.weak)
                is_strong = all(action in taken or action not in enabled for action in self.strong)
                if is_weak and is_strong:
                    return False
        return True


class Responses(Harness):
    def many(self):
        args = self.args
        for first in range(args.seed, args.seed + args.count, PER_RUN):
            seeds = range(first, min(first + PER_RUN, args.seed + args.count))
            systems = {}
            for seed in seeds:
                path = os.path.join(self.folder, f"{seed}.fts")
                system = System(random.Random(seed))
                with open(path, "w") as file:
                    file.write(system.text())
                systems[path] = system
            answers, _ = self.answers_of(list(systems))
            for path, system in systems.items():
                said = answers.get(path)
                wanted = "safe" if system.holds() else "unsafe"
                self.count[said if said in self.count else "none"] += 1
                if said in ("safe", "unsafe") and said != wanted:
                    self.error(f"{path}: {said}, but it is {wanted}")
                if said is None:
                    self.error(f"{path}: no answer")
                self.explored(path, wanted)
                if not args.keep and os.path.exists(path):
                    os.remove(path)
        print(self.count, f"{self.errors} errors")
        return 1 if self.errors else 0

    def explored(self, path, wanted):
        """The same by tags on the graph of all states, which does not certify what holds."""
        done = self.run("explore", path, "--json")
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        found = [one["verdict"] for line in lines for one in line.get("properties", [])]
        self.count["explored"] += 1
        if found != ["unsafe" if wanted == "unsafe" else "unknown"] or not lines[0]["is_complete"]:
            self.error(f"{path}: explored {found or done.stderr[:300]}, but it is {wanted}")

    def answers_of(self, paths):
        answers, is_sound = self.answers(paths[0], *paths[1:], "--time", "5s", "--threads", "1")
        return {answer["file"]: answer["verdict"] for answer in answers}, is_sound


if __name__ == "__main__":
    options = arguments(__doc__, 1000).parse_args()
    sys.exit(Responses(options, "response", ["safe", "unsafe", "unknown", "none", "explored"]).many())
