"""Alphorn: Horn clauses, circuits, programs and flows decided, with evidence that is checked.

>>> import alphorn as al
>>> answer = al.decide(text=\"\"\"
...     (set-logic HORN)
...     (declare-fun inv (Int) Bool)
...     (assert (inv 0))
...     (assert (forall ((x Int)) (=> (and (inv x) (< x 10)) (inv (+ x 1)))))
...     (assert (forall ((x Int)) (=> (and (inv x) (> x 10)) false)))
... \"\"\")
>>> answer.verdict
'safe'

Every answer was checked against the file as read before it is given.  ``check`` does that again, from
the text of the evidence and without any engine.
"""

from __future__ import annotations

from ._alphorn import __version__
from ._answer import Answer, Evidence, Model, Refused, Unknown
from ._asking import Diagnostic, InputError, Unsupported, check, decide, read, run
from ._horn import Horn
from ._solver import Solver
from ._terms import (
    And,
    Array,
    BitVec,
    Bool,
    Distinct,
    Expr,
    If,
    Implies,
    Int,
    Not,
    Or,
    Predicate,
    Real,
    Sort,
    const,
    term,
)

__all__ = [
    "And",
    "Answer",
    "Array",
    "BitVec",
    "Bool",
    "Diagnostic",
    "Distinct",
    "Evidence",
    "Expr",
    "Horn",
    "If",
    "Implies",
    "InputError",
    "Int",
    "Model",
    "Not",
    "Or",
    "Predicate",
    "Real",
    "Refused",
    "Solver",
    "Sort",
    "Unknown",
    "Unsupported",
    "__version__",
    "check",
    "const",
    "decide",
    "read",
    "run",
    "term",
]
