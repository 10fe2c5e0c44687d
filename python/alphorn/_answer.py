"""Answers, their models and their evidence."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterator, Mapping
from typing import Any

from ._sexpr import parse, show


class Unknown(Exception):
    """The truth of an answer was asked for that is unknown."""


class Refused(Exception):
    """Evidence does not show what it claims; ``was_read`` is false where it has no proofs."""

    def __init__(self, message: str, was_read: bool = True) -> None:
        super().__init__(message)
        self.was_read = was_read


class Evidence:
    """The evidence of a verdict, as the text that ``alphorn check`` reads."""

    def __init__(self, text: str) -> None:
        self.text = text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the evidence to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Evidence of {len(self.text)} characters>"


class Model(Mapping[str, str]):
    """What the predicates of Horn clauses are: definitions in SMT-LIB, by name.

    ``model["inv"]`` is the body; ``parameters("inv")`` are its variables with their sorts.
    """

    def __init__(self, definitions: list[str]) -> None:
        self.definitions = list(definitions)
        self._parts: dict[str, tuple[list[tuple[str, str]], str, str]] = {}
        for text in definitions:
            for command in parse(text):
                if isinstance(command, list) and len(command) == 5 and command[0] == "define-fun":
                    _, name, params, sort, body = command
                    named = [(show(param[0]), show(param[1])) for param in params]
                    self._parts[show(name)] = (named, show(sort), show(body))

    def __getitem__(self, name: str) -> str:
        return self._parts[name][2]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def parameters(self, name: str) -> list[tuple[str, str]]:
        """The parameters of a predicate: names and sorts."""
        return list(self._parts[name][0])

    def __str__(self) -> str:
        return "\n".join(self.definitions)

    def _script(self, name: str) -> str:
        params, sort, body = self._parts[name]
        declared = "".join(f"(declare-const {param} {sort})" for param, sort in params)
        others = [text for text in self.definitions if not text.startswith(f"(define-fun {name} ")]
        return f"{''.join(others)}{declared}(assert {body})"

    def to_z3(self) -> dict[str, tuple[list[Any], Any]]:
        """By name, the parameters as constants of z3 and the body as a formula over them.  Needs ``z3``."""
        import z3

        found = {}
        for name, (params, _, _) in self._parts.items():
            body = z3.parse_smt2_string(self._script(name))
            formula = z3.And(*body) if len(body) != 1 else body[0]
            found[name] = ([_z3_constant(z3, param, sort) for param, sort in params], formula)
        return found

    def to_pysmt(self) -> dict[str, tuple[list[Any], Any]]:
        """By name, the parameters as symbols of pySMT and the body as a formula over them.  Needs ``pysmt``."""
        from io import StringIO

        from pysmt.shortcuts import Symbol
        from pysmt.smtlib.parser import SmtLibParser

        found = {}
        for name, (params, _, _) in self._parts.items():
            text = self._script(name)
            for param, sort in params:
                text = text.replace(f"(declare-const {param} {sort})", f"(declare-fun {param} () {sort})")
            parsed = SmtLibParser().get_script(StringIO(text))
            formula = parsed.get_last_formula()
            names = {symbol.symbol_name(): symbol for symbol in formula.get_free_variables()}
            symbols = [names.get(param) or Symbol(param, _pysmt_type(sort)) for param, sort in params]
            found[name] = (symbols, formula)
        return found


def _z3_constant(z3: Any, name: str, sort: str) -> Any:
    assertion = z3.parse_smt2_string(f"(declare-const {name} {sort})(assert (= {name} {name}))")
    return assertion[0].arg(0)


def _pysmt_type(sort: str) -> Any:
    from io import StringIO

    from pysmt.smtlib.parser import SmtLibParser

    script = SmtLibParser().get_script(StringIO(f"(declare-fun x! () {sort})"))
    return script.commands[0].args[0].symbol_type()


class Answer:
    """What was found of a property: ``verdict`` is ``"safe"``, ``"unsafe"`` or ``"unknown"``.

    For a question about termination ``safe`` means that every run ends.  An answer that is pickled carries its
    problem and its evidence, and is checked again when it is loaded.
    """

    def __init__(self, line: dict[str, Any], name: str, problem: bytes) -> None:
        self.data = line
        self._name = name
        self._problem = problem

    @builtins.property
    def verdict(self) -> str:
        """``"safe"``, ``"unsafe"`` or ``"unknown"``."""
        return self.data["verdict"]

    @builtins.property
    def property(self) -> str:
        """The property that was decided."""
        return self.data["property"]

    @builtins.property
    def engine(self) -> str | None:
        """Who found the answer."""
        return self.data["engine"]

    @builtins.property
    def bound(self) -> int | None:
        """The depth up to which there is no violation."""
        return self.data["bound"]

    @builtins.property
    def detail(self) -> str:
        """The evidence in a few words, or why there is no answer."""
        return self.data["detail"]

    @builtins.property
    def seconds(self) -> float:
        """How long it took."""
        return self.data["milliseconds"] / 1000

    @builtins.property
    def hints(self) -> list[str]:
        """What could be tried where there is no answer."""
        return list(self.data["hints"])

    @builtins.property
    def evidence(self) -> Evidence | None:
        """The checked evidence, if there is a verdict."""
        text = self.data.get("evidence_text")
        return None if text is None else Evidence(text)

    def model(self) -> Model:
        """The model of safe Horn clauses; empty for anything else (see ``invariant``)."""
        return Model(self.data.get("model") or [])

    def invariant(self) -> list[str]:
        """The invariant, a line per part."""
        return list(self.data.get("model") or [])

    def tree(self) -> list[dict[str, Any]]:
        """The derivation of false from Horn clauses: facts with the clauses and premises they follow from."""
        return list(self.data.get("tree") or [])

    def trace(self) -> Any:
        """The run that violates the property of a circuit, a word-level system or a program, as data."""
        return next((self.data[name] for name in ("run", "story", "steps") if self.data.get(name)), None)

    def check(self) -> str:
        """Has the evidence judged again: what it shows."""
        from ._asking import check

        if self.evidence is None:
            raise Unknown("there is no evidence: the verdict is " + self.verdict)
        return check(None, self.evidence, text=self._problem, name=self._name)

    def __bool__(self) -> bool:
        if self.verdict == "unknown":
            raise Unknown(self.detail)
        return self.verdict == "safe"

    def __repr__(self) -> str:
        return f"<{self.property}: {self.verdict.upper()} {self.detail}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.data, self._name, self._problem)


def _loaded(data: dict[str, Any], name: str, problem: bytes) -> Answer:
    """An answer from elsewhere, which counts if its evidence is accepted here and shows that verdict."""
    answer = Answer(data, name, problem)
    if answer.verdict == "unknown":
        return answer
    if answer.evidence is None:
        raise Refused("an answer without evidence was loaded")
    shown = answer.check()
    words = {"safe": ("SAFE", "TERMINATES", "HOLDS"), "unsafe": ("UNSAFE", "NONTERMINATING", "FAILS")}
    if not any(word in words[answer.verdict] for word in shown.replace(":", " ").split()):
        raise Refused(f"the evidence shows something else than {answer.verdict}: {shown}")
    return answer
