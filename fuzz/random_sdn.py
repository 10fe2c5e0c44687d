#!/usr/bin/env python3
"""Random software-defined networks, against all their states.

    fuzz/random_sdn.py [--count 300] [--seed 0] [--alphorn PATH] [--keep DIR]

A network is made as a tree that is both written as a text and run here one packet, one message at a time: each step
forwards one packet by one rule of the highest priority, hands one to the controller, delivers one message, or does all that
comes before a barrier in some order. Packets and messages stay where they are. Compared is whether something bad can be
reached, with the answers of the default run.
"""

import itertools
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import Harness, arguments  # noqa: E402

MAX_STATES = 20000


class Network:
    def __init__(self, rng):
        self.switches = ["s1", "s2"][: rng.choice([1, 2, 2])]
        count = len(self.switches)
        # Ports 1 and 2 of each switch: a chain with a client at each end, perhaps closed by nothing.
        self.clients = {"c1": ("s1", 1), "c2": (self.switches[-1], 2)}
        self.wires = {port: ("client", name) for name, port in self.clients.items()}
        if count == 2:
            self.wires[("s1", 2)], self.wires[("s2", 1)] = ("port", ("s2", 1)), ("port", ("s1", 2))
        self.fields = {"a": ["0", "1"]}
        if rng.random() < 0.6:
            self.fields["b"] = ["u", "v"]
        self.variable = ["m0", "m1"] if rng.random() < 0.5 else None
        self.packets = [dict(zip(self.fields, values)) for values in itertools.product(*self.fields.values())]
        self.sends = [(rng.choice(list(self.clients)), self.pattern(rng)) for _ in range(rng.randint(1, 2))]
        self.replies = [(rng.choice(list(self.clients)), self.pattern(rng), self.pattern(rng))
                        for _ in range(rng.choice([0, 0, 1]))]
        self.rules = [(f"r{n}", rng.randint(1, 2), self.pattern(rng), rng.choice([None, 1, 2]), self.treatment(rng))
                      for n in range(rng.randint(1, 3))]
        self.installed = [(rng.choice(self.rules)[0], rng.choice(self.switches)) for _ in range(rng.choice([0, 0, 1]))]
        self.handlers = [self.handler(rng) for _ in range(rng.randint(1, 3))]
        self.bads = [self.bad(rng) for _ in range(rng.randint(1, 2))]

    def pattern(self, rng):
        return {name: rng.choice(values) for name, values in self.fields.items() if rng.random() < 0.5}

    def treatment(self, rng):
        if rng.random() < 0.3:
            return (), {}
        ports = tuple(sorted(rng.sample([1, 2], rng.choice([1, 1, 2]))))
        return ports, self.pattern(rng) if rng.random() < 0.3 else {}

    def handler(self, rng):
        messages = []
        for _ in range(rng.randint(0, 4)):
            switch = rng.choice(self.switches)
            kind = rng.choice(["add", "add", "del", "barrier"])
            messages.append((kind, switch, rng.choice(self.rules)[0] if kind != "barrier" else None))
        when = rng.choice([None, *self.variable]) if self.variable else None
        becomes = rng.choice([None, *self.variable]) if self.variable else None
        at = rng.choice([None, None, *self.switches])
        return self.pattern(rng), rng.choice([None, None, 1, 2]), at, when, becomes, self.treatment(rng), messages

    def bad(self, rng):
        kind = rng.choice(["client", "client", "switch", "dropped"])
        where = {"client": list(self.clients), "switch": self.switches, "dropped": [None, *self.switches]}[kind]
        state = rng.choice(self.variable) if self.variable and rng.random() < 0.3 else None
        return kind, rng.choice(where), self.pattern(rng), state

    # The text.

    def text(self):
        said = lambda pattern: "".join(f" {name}={value}" for name, value in pattern.items())
        acts = lambda ports, sets: " ".join(map(str, ports)) + said(sets) if ports else "drop"
        lines = ["switch " + " ".join(self.switches)]
        lines += [f"client {name} {switch}.{port}" for name, (switch, port) in self.clients.items()]
        lines += ["link s1.2 s2.1"] * (len(self.switches) == 2)
        lines += [f"field {name} " + " ".join(values) for name, values in self.fields.items()]
        lines += ["var mode " + " ".join(self.variable)] if self.variable else []
        lines += [f"send {client}{said(pattern)}" for client, pattern in self.sends]
        lines += [f"reply {client}{said(pattern)} :{said(sets)}" for client, pattern, sets in self.replies]
        for name, priority, pattern, port, (ports, sets) in self.rules:
            at = f" in={port}" if port else ""
            lines.append(f"rule {name} {priority}{at}{said(pattern)} : {acts(ports, sets)}")
        lines += [f"installed {rule} {switch}" for rule, switch in self.installed]
        for pattern, port, at, when, becomes, (ports, sets), messages in self.handlers:
            line = "on" + said(pattern) + (f" in={port}" if port else "") + (f" at={at}" if at else "")
            line += f" when mode={when}" if when else ""
            parts = ["forward " + acts(ports, sets)] if ports else ["drop"]
            parts += [f"set mode={becomes}"] if becomes else []
            parts += [" ".join(filter(None, [kind, rule, switch])) for kind, switch, rule in messages]
            lines.append(f"{line} : " + " ; ".join(parts))
        for kind, where, pattern, state in self.bads:
            line = f"bad dropped{said(pattern)}" + (f" at={where}" if where else "") if kind == "dropped" \
                else f"bad at {where}{said(pattern)}"
            lines.append(line + (f" and when mode={state}" if state else ""))
        return "\n".join(lines) + "\n"

    # The states: where packets are, which rules are installed, which messages are on their way, the variable.

    def fits(self, pattern, packet):
        return all(packet[name] == value for name, value in pattern.items())

    def key(self, packet):
        return tuple(packet.values())

    def out(self, switch, packet, treatment):
        ports, sets = treatment
        packet = packet | sets
        if not ports:
            return {("dropped", switch, self.key(packet))}
        found = set()
        for port in ports:
            wire = self.wires.get((switch, port))
            if wire:
                found.add((wire[0], wire[1], self.key(packet)))
        return found

    def batches(self, installed, sent, messages):
        """All tables and messages on their way after messages have come to the queue of one switch."""
        parts = [[]]
        for kind, rule in messages:
            if kind == "barrier":
                parts.append([])
            else:
                parts[-1].append((kind, rule))
        if len(parts) == 1:
            return {(installed, sent | frozenset(parts[0]))}
        tables = {installed}
        for at, part in enumerate(parts[:-1]):
            todo = set(part) | (sent if at == 0 else set())
            after = set()
            for table in tables:
                for order in itertools.permutations(sorted(todo)):
                    now = set(table)
                    for kind, rule in order:
                        now.add(rule) if kind == "add" else now.discard(rule)
                    after.add(frozenset(now))
            tables = after
        return {(table, frozenset(parts[-1])) for table in tables}

    def steps(self, state):
        there, tables, queues, mode = state
        tables, queues = dict(tables), dict(queues)
        def made(more=(), new_tables=None, new_queues=None, new_mode=None):
            return (there | frozenset(more), tuple(sorted((new_tables or tables).items())),
                    tuple(sorted((new_queues or queues).items())), new_mode or mode)
        for client, pattern in self.sends:
            for packet in self.packets:
                if self.fits(pattern, packet):
                    yield made({("port", self.clients[client], self.key(packet))})
        for client, pattern, sets in self.replies:
            for packet in self.packets:
                if self.fits(pattern, packet) and ("client", client, self.key(packet)) in there:
                    yield made({("port", self.clients[client], self.key(packet | sets))})
        for kind, place, key in there:
            if kind != "port":
                continue
            switch, port = place
            packet = dict(zip(self.fields, key))
            fitting = [rule for rule in self.rules if rule[0] in tables[switch]
                       and rule[3] in (None, port) and self.fits(rule[2], packet)]
            for rule in fitting:
                if rule[1] == max(other[1] for other in fitting):
                    yield made(self.out(switch, packet, rule[4]))
            if fitting:
                continue
            for pattern, wanted, at, when, becomes, treatment, messages in self.handlers:
                if not (self.fits(pattern, packet) and wanted in (None, port) and at in (None, switch)
                        and when in (None, mode)):
                    continue
                more = self.out(switch, packet, treatment)
                ways = [self.batches(tables[name], queues[name],
                                     [(kind, rule) for kind, to, rule in messages if to == name])
                        for name in self.switches]
                for way in itertools.product(*ways):
                    yield made(more, {name: one[0] for name, one in zip(self.switches, way)},
                               {name: one[1] for name, one in zip(self.switches, way)}, becomes)
                break
        for switch in self.switches:
            for kind, rule in queues[switch]:
                table = tables[switch] | {rule} if kind == "add" else tables[switch] - {rule}
                yield made((), tables | {switch: frozenset(table)})

    def is_bad(self, state, bad):
        kind, where, pattern, mode = bad
        if mode and state[3] != mode:
            return False
        for at, place, key in state[0]:
            is_here = {"client": at == "client" and place == where,
                       "switch": at == "port" and place[0] == where,
                       "dropped": at == "dropped" and where in (None, place)}[kind]
            if is_here and self.fits(pattern, dict(zip(self.fields, key))):
                return True
        return False

    def explore(self):
        """Which of the bad things can be reached; none if there are too many states."""
        tables = {name: frozenset(rule for rule, switch in self.installed if switch == name) for name in self.switches}
        first = (frozenset(), tuple(sorted(tables.items())),
                 tuple((name, frozenset()) for name in self.switches), "m0")
        seen, waiting = {first}, [first]
        found = [False] * len(self.bads)
        while waiting:
            here = waiting.pop()
            found = [known or self.is_bad(here, bad) for known, bad in zip(found, self.bads)]
            for after in self.steps(here):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
            if len(seen) > MAX_STATES:
                return None
        return found


class Networks(Harness):
    def one(self, seed):
        network = Network(random.Random(seed))
        path = os.path.join(self.folder, f"{seed}.sdn")
        with open(path, "w") as file:
            file.write(network.text())
        found = network.explore()
        if found is None:
            self.count["large"] += 1
            return
        answers, _ = self.answers(path, "--time", "5s", "--threads", "1")
        if len(answers) != len(found):
            self.error(f"{path}: {len(answers)} answers")
        for answer, is_bad in zip(answers, found):
            self.count[answer["verdict"]] += 1
            if answer["verdict"] in ("safe", "unsafe") and (answer["verdict"] == "unsafe") != is_bad:
                self.error(f"{path}: {answer['name']}: {answer['verdict']}, but violated is {is_bad}")
        if not self.args.keep:
            os.remove(path)


if __name__ == "__main__":
    options = arguments(__doc__, 300).parse_args()
    sys.exit(Networks(options, "sdn", ["safe", "unsafe", "unknown", "large"]).all())
