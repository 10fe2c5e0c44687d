"""Terms of SMT-LIB, written as Python writes them: ``inv(x) & (x < 10)``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Union

_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][0-9A-Za-z~!@$%^&*_+=<>.?/-]*\Z")


def symbol(name: str) -> str:
    """A name as SMT-LIB writes it."""
    if "|" in name or "\\" in name or not name:
        raise ValueError(f"{name!r} cannot be a name in SMT-LIB")
    return name if _SIMPLE.match(name) else f"|{name}|"


class Sort:
    """A sort, by its name in SMT-LIB."""

    def __init__(self, text: str, width: int | None = None) -> None:
        self.text = text
        self.width = width

    def __repr__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sort) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


Int = Sort("Int")
Real = Sort("Real")
Bool = Sort("Bool")


def BitVec(width: int) -> Sort:
    """Words of so many bits."""
    if width < 1:
        raise ValueError("a word has at least one bit")
    return Sort(f"(_ BitVec {width})", width)


def Array(index: Sort, element: Sort) -> Sort:
    """Arrays."""
    return _ArraySort(index, element)


class _ArraySort(Sort):
    def __init__(self, index: Sort, element: Sort) -> None:
        super().__init__(f"(Array {index.text} {element.text})")
        self.index = index
        self.element = element


class Expr:
    """A term with its sort.  Comparisons of words are signed, as those of z3's Python interface."""

    def __init__(self, text: str, sort: Sort, free: frozenset[tuple[str, Sort]] = frozenset()) -> None:
        self.text = text
        self.sort = sort
        self.free = free

    def __repr__(self) -> str:
        return self.text

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError("a term is no truth value: use And, Or, Not, or & | ~")

    def _word(self, integer: str, word: str, other: Any) -> Expr:
        other = term(other, self.sort)
        operator = word if self.sort.width is not None else integer
        return _apply(operator, self.sort, self, other)

    def _compare(self, integer: str, word: str, other: Any) -> Expr:
        other = term(other, self.sort)
        return _apply(word if self.sort.width is not None else integer, Bool, self, other)

    def __add__(self, other: Any) -> Expr:
        return self._word("+", "bvadd", other)

    def __radd__(self, other: Any) -> Expr:
        return term(other, self.sort) + self

    def __sub__(self, other: Any) -> Expr:
        return self._word("-", "bvsub", other)

    def __rsub__(self, other: Any) -> Expr:
        return term(other, self.sort) - self

    def __mul__(self, other: Any) -> Expr:
        return self._word("*", "bvmul", other)

    def __rmul__(self, other: Any) -> Expr:
        return term(other, self.sort) * self

    def __truediv__(self, other: Any) -> Expr:
        if self.sort != Real:
            raise TypeError("/ divides reals; // is SMT-LIB's div")
        return self._word("/", "/", other)

    def __floordiv__(self, other: Any) -> Expr:
        """SMT-LIB's ``div``, whose remainder is not negative; of words the signed division."""
        return self._word("div", "bvsdiv", other)

    def __mod__(self, other: Any) -> Expr:
        """SMT-LIB's ``mod``, which is not negative; of words the signed ``bvsmod``."""
        return self._word("mod", "bvsmod", other)

    def __neg__(self) -> Expr:
        return _apply("bvneg" if self.sort.width is not None else "-", self.sort, self)

    def __lt__(self, other: Any) -> Expr:
        return self._compare("<", "bvslt", other)

    def __le__(self, other: Any) -> Expr:
        return self._compare("<=", "bvsle", other)

    def __gt__(self, other: Any) -> Expr:
        return self._compare(">", "bvsgt", other)

    def __ge__(self, other: Any) -> Expr:
        return self._compare(">=", "bvsge", other)

    def __eq__(self, other: Any) -> Expr:  # type: ignore[override]
        return _apply("=", Bool, self, term(other, self.sort))

    def __ne__(self, other: Any) -> Expr:  # type: ignore[override]
        return _apply("distinct", Bool, self, term(other, self.sort))

    def __and__(self, other: Any) -> Expr:
        return self._word("and", "bvand", other)

    def __rand__(self, other: Any) -> Expr:
        return term(other, self.sort) & self

    def __or__(self, other: Any) -> Expr:
        return self._word("or", "bvor", other)

    def __ror__(self, other: Any) -> Expr:
        return term(other, self.sort) | self

    def __xor__(self, other: Any) -> Expr:
        return self._word("xor", "bvxor", other)

    def __invert__(self) -> Expr:
        return _apply("bvnot" if self.sort.width is not None else "not", self.sort, self)

    def __getitem__(self, index: Any) -> Expr:
        if not isinstance(self.sort, _ArraySort):
            raise TypeError(f"{self.sort} has no elements")
        return _apply("select", self.sort.element, self, term(index, self.sort.index))

    def store(self, index: Any, element: Any) -> Expr:
        """The array with another element at an index."""
        if not isinstance(self.sort, _ArraySort):
            raise TypeError(f"{self.sort} has no elements")
        return _apply("store", self.sort, self, term(index, self.sort.index), term(element, self.sort.element))


Termlike = Union[Expr, bool, int, Fraction, float, str]


def _apply(operator: str, sort: Sort, *parts: Expr) -> Expr:
    free = frozenset().union(*(part.free for part in parts))
    return Expr(f"({operator} {' '.join(part.text for part in parts)})", sort, free)


def term(value: Any, sort: Sort | None = None) -> Expr:
    """A value of Python as a term of a sort."""
    if isinstance(value, Expr):
        if sort is not None and value.sort != sort:
            raise TypeError(f"{value} is of sort {value.sort} and not {sort}")
        return value
    if isinstance(value, bool):
        if sort not in (None, Bool):
            raise TypeError(f"{value} is not of sort {sort}")
        return Expr("true" if value else "false", Bool)
    if isinstance(value, int):
        if sort is not None and sort.width is not None:
            return Expr(f"(_ bv{value % (1 << sort.width)} {sort.width})", sort)
        if sort == Real:
            return _number(f"{abs(value)}.0", value < 0, Real)
        if sort in (None, Int):
            return _number(str(abs(value)), value < 0, Int)
    if isinstance(value, (Fraction, float)) and sort in (None, Real):
        exact = Fraction(value)
        text = f"(/ {abs(exact.numerator)}.0 {exact.denominator}.0)"
        return _number(text, exact < 0, Real)
    raise TypeError(f"{value!r} is no term" + (f" of sort {sort}" if sort else ""))


def _number(text: str, is_negative: bool, sort: Sort) -> Expr:
    return Expr(f"(- {text})" if is_negative else text, sort)


def const(name: str, sort: Sort) -> Expr:
    """A variable: of a clause in ``Horn``, a constant in ``Solver``."""
    return Expr(symbol(name), sort, frozenset({(name, sort)}))


class Predicate:
    """A predicate of Horn clauses; applied to terms it is a formula."""

    def __init__(self, name: str, sorts: tuple[Sort, ...]) -> None:
        self.name = name
        self.sorts = sorts

    def __call__(self, *args: Any) -> Expr:
        if len(args) != len(self.sorts):
            raise TypeError(f"{self.name} has {len(self.sorts)} arguments, and {len(args)} are given")
        if not args:
            return Expr(symbol(self.name), Bool)
        return _apply(symbol(self.name), Bool, *(term(arg, sort) for arg, sort in zip(args, self.sorts)))

    def __repr__(self) -> str:
        return f"<{self.name}({', '.join(map(repr, self.sorts))})>"


def _all(values: tuple[Any, ...]) -> list[Expr]:
    if len(values) == 1 and isinstance(values[0], (list, tuple)):
        values = tuple(values[0])
    return [term(value, Bool) for value in values]


def And(*parts: Any) -> Expr:
    """All of some formulas; true if there are none."""
    formulas = _all(parts)
    return _apply("and", Bool, *formulas) if formulas else term(True)


def Or(*parts: Any) -> Expr:
    """Any of some formulas; false if there are none."""
    formulas = _all(parts)
    return _apply("or", Bool, *formulas) if formulas else term(False)


def Not(part: Any) -> Expr:
    """The negation of a formula."""
    return _apply("not", Bool, term(part, Bool))


def Implies(left: Any, right: Any) -> Expr:
    """That one formula implies another."""
    return _apply("=>", Bool, term(left, Bool), term(right, Bool))


def If(condition: Any, left: Any, right: Any) -> Expr:
    """One term or another, by a condition."""
    if not isinstance(left, Expr) and isinstance(right, Expr):
        left = term(left, right.sort)
    left = term(left)
    return _apply("ite", left.sort, term(condition, Bool), left, term(right, left.sort))


def Distinct(*parts: Any) -> Expr:
    """That some terms are all different."""
    first = next((part for part in parts if isinstance(part, Expr)), None)
    sort = first.sort if first is not None else None
    return _apply("distinct", Bool, *(term(part, sort) for part in parts))
