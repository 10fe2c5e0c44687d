#!/usr/bin/env python3
"""Explanations of counterexamples of random circuits, against trying all flips.

    fuzz/explain.py [--count 1000] [--seed 0] [--alphorn PATH] [--keep DIR]

A random circuit (`parameters.py`) with a violation: a shortest run to it is written as a witness. The smallest
sets of flips that `alphorn explain` lists must be those that trying all sets of one and two flips gives, as
far as flips of what the property cannot depend on are left out of both. Then a latch is flipped in a longer
random run: the roots of the observation must be the latches that give it when each is tried.
"""

import itertools
import json
import os
import random
import sys
from collections import deque

from harness import Harness, arguments
from parameters import Circuit


def shortest(circuit):
    """The first state and the inputs of a shortest violation, if there is one."""
    waiting = deque((start, start, ()) for start in circuit.starts({}))
    seen = {state for state, _, _ in waiting}
    while waiting:
        state, start, rows = waiting.popleft()
        for given in itertools.product([0, 1], repeat=circuit.inputs):
            counts, bad, after = circuit.step(state, given)
            if counts and bad:
                return start, [*rows, given]
            if counts and after not in seen and len(rows) < 7:
                seen.add(after)
                waiting.append((after, start, (*rows, given)))
    return None


def avoids(circuit, start, rows, flips):
    state = list(start)
    for step, row in enumerate(rows):
        given = list(row)
        for at, var in flips:
            if at == step:
                if var < circuit.inputs:
                    given[var] ^= 1
                else:
                    state[var - circuit.inputs] ^= 1
        counts, bad, after = circuit.step(state, given)
        if bad or not counts:
            return False
        state = list(after)
    return True


class Explain(Harness):
    def name(self, circuit, var):
        if var < circuit.inputs:
            return f"i{var}"
        latch = var - circuit.inputs
        return f"param_{latch}" if latch in circuit.params else f"l{latch}"

    def one(self, seed):
        rng = random.Random(seed)
        circuit = Circuit(rng)
        found = shortest(circuit)
        path = os.path.join(self.folder, f"{seed}.aag")
        with open(path, "w") as file:
            file.write(circuit.text())
        if found:
            self.run_of(circuit, path, *found)
        self.observation(rng, circuit, path)
        if not self.args.keep:
            os.unlink(path)

    def run_of(self, circuit, path, start, rows):
        witness = path + ".cex"
        with open(witness, "w") as file:
            lines = ["1", "b0", "".join(map(str, start)), *("".join(map(str, row)) for row in rows), "."]
            file.write("\n".join(lines) + "\n")
        done = self.run("explain", path, witness, "--json", "--most", "100000")
        if done.returncode != 0:
            return self.error(f"{witness}: exit {done.returncode}: {done.stdout}{done.stderr}")
        said = json.loads(done.stdout)
        sets = {frozenset((c["step"], c["name"]) for c in one) for one in said["sets"]}
        signals = range(circuit.inputs + circuit.latches)
        flips = [(step, var) for step in range(len(rows)) for var in signals]
        for size in (1, 2):
            tried = {frozenset((step, self.name(circuit, var)) for step, var in flipped)
                     for flipped in itertools.combinations(flips, size)
                     if avoids(circuit, start, rows, flipped)}
            if tried:
                break
        if tried != sets and (tried or (said["size"] or 3) < 3):
            return self.error(f"{witness}: {sorted(map(sorted, sets))} is not {sorted(map(sorted, tried))}")
        self.count["violations"] += 1
        self.count[f"size {said['size']}" if said["size"] in (1, 2) else "larger or none"] += 1
        if not self.args.keep:
            os.unlink(witness)

    def observation(self, rng, circuit, path):
        rows = [[rng.randint(0, 1) for _ in range(circuit.inputs)] for _ in range(rng.randint(2, 6))]
        at = rng.randrange(len(rows))
        source = rng.randint(0, at)
        start = next(circuit.starts(dict.fromkeys(circuit.params, 0)))

        def seen(latch):
            state = list(start)
            for step, row in enumerate(rows[:at + 1]):
                if step == source and latch is not None:
                    state[latch] ^= 1
                _, bad, after = circuit.step(state, row)
                state = list(after)
            return bad

        plain = seen(None)
        wanted = [latch for latch in range(circuit.latches) if seen(latch) != plain]
        output = path.replace(".aag", ".out.aag")
        with open(output, "w") as file:
            head, *rest = circuit.text().splitlines()
            words = head.split()
            bad = rest.pop(circuit.inputs + circuit.latches)
            if circuit.constraints:
                rest.pop(circuit.inputs + circuit.latches)
            rest.insert(circuit.inputs + circuit.latches, bad)
            file.write("\n".join([" ".join([*words[:4], "1", words[5]]), *rest, "o0 seen"]) + "\n")
        observed = output + ".json"
        with open(observed, "w") as file:
            json.dump({"inputs": ["".join(map(str, row)) for row in rows], "flipped_at": source,
                       "observed": {"output": "seen", "time": at, "simulated": plain}}, file)
        done = self.run("explain", output, observed, "--json")
        if done.returncode != 0:
            return self.error(f"{observed}: exit {done.returncode}: {done.stdout}{done.stderr}")
        found = [one[0]["name"] for one in json.loads(done.stdout)["sets"]]
        names = [self.name(circuit, circuit.inputs + latch) for latch in wanted]
        if sorted(found) != sorted(names):
            return self.error(f"{observed}: {found} is not {names}")
        more = self.run("explain", output, observed, "--json", "--glitches")
        glitching = [one[0]["name"] for one in json.loads(more.stdout)["sets"]] if more.stdout else []
        if more.returncode != 0 or not set(found) <= set(glitching):
            return self.error(f"{observed}: with glitches: {more.stdout}{more.stderr}")
        self.count["observations"] += 1
        self.count["roots"] += len(found)
        self.count["with glitches"] += len(glitching)
        if not self.args.keep:
            os.unlink(output)
            os.unlink(observed)


if __name__ == "__main__":
    names = ["violations", "size 1", "size 2", "larger or none", "observations", "roots", "with glitches"]
    sys.exit(Explain(arguments(__doc__, 1000).parse_args(), "explain", names).all())
