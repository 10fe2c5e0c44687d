"""Formulas, asked whether they can be satisfied."""

from __future__ import annotations

from typing import Any

from ._asking import InputError, fail, lines, noticed
from ._sexpr import parse, show
from ._terms import Bool, Expr, symbol, term


class Solver:
    """A stack of formulas, in the way of SMT-LIB.  Every ``sat`` and ``unsat`` was checked.

    ``check`` returns ``"sat"``, ``"unsat"`` or ``"unknown"``.  Each one is asked anew, so that a question may be
    ended and the next one asked.
    """

    def __init__(self, logic: str = "ALL", time: float = 60.0) -> None:
        self.logic = logic
        self.time = time
        self._levels: list[list[tuple[str | None, Expr]]] = [[]]

    def add(self, *formulas: Any) -> None:
        """Adds formulas."""
        self._levels[-1] += [(None, term(formula, Bool)) for formula in formulas]

    def add_named(self, name: str, formula: Any) -> None:
        """Adds a formula with a name, which ``core`` may tell."""
        self._levels[-1].append((name, term(formula, Bool)))

    def push(self) -> None:
        """Begins a level."""
        self._levels.append([])

    def pop(self) -> None:
        """Forgets what was added since the last ``push``."""
        if len(self._levels) == 1:
            raise IndexError("there is no level to leave")
        self._levels.pop()

    def script(self, *commands: str) -> str:
        """The formulas in SMT-LIB, with these commands at the end."""
        formulas = [one for level in self._levels for one in level]
        free: dict[str, Any] = {}
        for _, formula in formulas:
            for name, sort in sorted(formula.free, key=lambda one: (one[0], one[1].text)):
                if free.setdefault(name, sort) != sort:
                    raise TypeError(f"the constant {name} has two sorts")
        text = ["(set-option :produce-models true)", "(set-option :produce-unsat-cores true)"]
        text += ["(set-option :produce-proofs true)", f"(set-logic {self.logic})"]
        text += [f"(declare-const {symbol(name)} {sort})" for name, sort in sorted(free.items())]
        for name, formula in formulas:
            text.append(f"(assert (! {formula} :named {symbol(name)}))" if name else f"(assert {formula})")
        return "\n".join([*text, *commands, ""])

    def _ask(self, *commands: str) -> list[str]:
        replies, diagnostics, errors = [], [], []
        request = {"verb": "decide", "file": "solver.smt2", "time": self.time}
        for line in lines(request, self.script(*commands).encode()):
            if line["kind"] == "reply":
                replies.append(line["text"])
            elif line["kind"] == "diagnostic":
                diagnostics.append(noticed(line))
            elif line["kind"] == "error":
                errors.append(line["message"])
            elif line["kind"] == "end":
                wrong = [reply for reply in replies if reply.startswith("(error")]
                fail(line["exit"], diagnostics, errors or wrong)
        return replies

    def check(self) -> str:
        """``"sat"``, ``"unsat"`` or ``"unknown"``."""
        return self._ask("(check-sat)")[-1]

    def _after(self, wanted: str, command: str) -> str:
        answer, *rest = self._ask("(check-sat)", command)
        if answer != wanted or not rest:
            raise InputError(f"the answer is {answer}")
        return rest[-1]

    def model(self) -> dict[str, str]:
        """After ``sat``: the values of the constants, in SMT-LIB."""
        (found,) = parse(self._after("sat", "(get-model)"))
        values = {}
        for command in found:
            if isinstance(command, list) and command[:1] == ["define-fun"] and command[2] == []:
                values[show(command[1]).strip("|")] = show(command[4])
        return values

    def value(self, expression: Any) -> str:
        """After ``sat``: the value of a term in the model, in SMT-LIB."""
        ((pair,),) = parse(self._after("sat", f"(get-value ({term(expression)}))"))
        return show(pair[1])

    def core(self) -> list[str]:
        """After ``unsat``: the names of formulas that contradict each other."""
        (names,) = parse(self._after("unsat", "(get-unsat-core)"))
        return [show(name).strip("|") for name in names]

    def proof(self) -> str:
        """After ``unsat``: the proof that was checked."""
        return self._after("unsat", "(get-proof)")
