"""Horn clauses, written in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ._answer import Answer
from ._asking import decide, run
from ._terms import Bool, Expr, Predicate, Sort, const, symbol, term


class Horn:
    """A system of Horn clauses.

    >>> h = Horn()
    >>> inv = h.predicate("inv", Int)
    >>> x = h.var("x", Int)
    >>> h.add(inv(0))
    >>> h.add(inv(x) & (x < 10), inv(x + 1))
    >>> h.query(inv(x) & (x > 10))
    >>> h.decide().verdict
    'safe'
    """

    def __init__(self) -> None:
        self._predicates: dict[str, Predicate] = {}
        self._clauses: list[str] = []

    def predicate(self, name: str, *sorts: Sort) -> Predicate:
        """Declares a predicate."""
        if name in self._predicates:
            raise ValueError(f"there is a predicate {name}")
        self._predicates[name] = Predicate(name, sorts)
        return self._predicates[name]

    def var(self, name: str, sort: Sort) -> Expr:
        """A variable of clauses."""
        return const(name, sort)

    def add(self, body: Any, head: Expr | None = None) -> None:
        """Adds a fact, or a rule with a body and a head."""
        if head is None:
            body, head = True, term(body, Bool)
        self._clause(term(body, Bool), head)

    def query(self, body: Any) -> None:
        """Adds what must not be derivable."""
        self._clause(term(body, Bool), term(False))

    def _clause(self, body: Expr, head: Expr) -> None:
        variables: dict[str, Sort] = {}
        for name, sort in sorted(body.free | head.free, key=lambda one: (one[0], one[1].text)):
            if variables.setdefault(name, sort) != sort:
                raise TypeError(f"the variable {name} has two sorts in one clause")
        formula = f"(=> {body} {head})"
        if variables:
            bound = " ".join(f"({symbol(name)} {sort})" for name, sort in variables.items())
            formula = f"(forall ({bound}) {formula})"
        self._clauses.append(formula)

    def script(self) -> str:
        """The system in SMT-LIB."""
        declared = [
            f"(declare-fun {symbol(one.name)} ({' '.join(sort.text for sort in one.sorts)}) Bool)"
            for one in self._predicates.values()
        ]
        asserted = [f"(assert {clause})" for clause in self._clauses]
        return "\n".join(["(set-logic HORN)", *declared, *asserted, "(check-sat)", ""])

    def decide(self, **options: Any) -> Answer:
        """Decides the system, with the options of ``alphorn.decide``."""
        answer = decide(text=self.script(), name="horn.smt2", **options)
        assert isinstance(answer, Answer)
        return answer

    def check(self, **options: Any) -> str:
        """The verdict alone: ``"safe"``, ``"unsafe"`` or ``"unknown"``."""
        return self.decide(**options).verdict

    def run(self, **options: Any) -> Iterator[dict[str, Any] | Answer]:
        """Events, then the answer (``alphorn.run``)."""
        return run(text=self.script(), name="horn.smt2", **options)
