"""Requests: a file or a text is read, decided or checked, and events come while that happens."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from . import _alphorn
from ._answer import Answer, Evidence, Refused

#: How long a job is waited for before Python looks whether it was interrupted, in milliseconds.
_PERIOD = 20

File = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Diagnostic:
    """Something that a reader noticed of a file."""

    severity: str
    code: str
    message: str
    hint: str | None
    file: str
    line: int | None
    column: int | None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: "
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.severity}: {self.message}{hint}"


class InputError(ValueError):
    """The problem or the evidence cannot be read, or the question is wrong."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class Unsupported(InputError):
    """The problem is understood, but outside of what is treated."""


def lines(request: dict[str, Any], problem: bytes, evidence: bytes = b"") -> Iterator[dict[str, Any]]:
    """The objects of a response, each when it is there.  Closing the iterator ends the work."""
    request = {name: value for name, value in request.items() if value is not None}
    job = _alphorn.Job(json.dumps(request), problem, evidence)
    try:
        while (line := job.poll(_PERIOD)) is not None:
            if line:
                yield json.loads(line)
    finally:
        job.stop()


def contents(file: File | None, text: str | bytes | None, name: str | None) -> tuple[str, bytes]:
    """The name and the content of what is asked about."""
    if (file is None) == (text is None):
        raise TypeError("either a file or a text is wanted")
    if file is not None:
        path = os.fspath(file)
        return name or path, _alphorn.read(path)
    assert text is not None
    return name or "input.smt2", text.encode() if isinstance(text, str) else text


def noticed(line: dict[str, Any]) -> Diagnostic:
    """A diagnostic from a line of a response."""
    names = ("severity", "code", "message", "hint", "file", "line", "column")
    return Diagnostic(**{name: line.get(name) for name in names})  # type: ignore[arg-type]


def fail(exit: int, diagnostics: Sequence[Diagnostic], errors: Sequence[str]) -> None:
    """Raises what a response that ends with an error amounts to."""
    if exit < 3:
        return
    wrong = [str(one) for one in diagnostics if one.severity != "warning"]
    message = "\n".join([*errors, *wrong]) or f"exit code {exit}"
    raise (Unsupported if exit == 5 else InputError)(message, diagnostics)


def read(file: File | None = None, *, text: str | bytes | None = None, name: str | None = None, asked: str | None = None) -> list[Diagnostic]:
    """What a reader notices of a file or a text; nothing if all is well."""
    name, problem = contents(file, text, name)
    found = lines({"verb": "read", "file": name, "asked": asked}, problem)
    return [noticed(line) for line in found if line["kind"] == "diagnostic"]


def run(
    file: File | None = None,
    *,
    text: str | bytes | None = None,
    name: str | None = None,
    asked: str | None = None,
    time: float | None = 60.0,
    memory: int | None = None,
    ticks: int | None = None,
    engine: str | Sequence[str] | None = None,
    property: int | str | None = None,
    bound: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> Iterator[dict[str, Any] | Answer]:
    """Decides a file or a text: yields events as dictionaries, and each answer when it is there.

    Closing the iterator ends the run.  Raises ``InputError`` if the input cannot be read, and ``Unsupported`` if
    it is outside of what is treated.
    """
    name, problem = contents(file, text, name)
    engines = [engine] if isinstance(engine, str) else list(engine) if engine is not None else None
    request = {
        "verb": "decide",
        "file": name,
        "asked": asked,
        "time": 1e9 if time is None else float(time),
        "memory": memory,
        "ticks": ticks,
        "engines": engines,
        "property": property,
        "bound": bound,
        "seed": seed,
        "threads": threads,
    }
    diagnostics: list[Diagnostic] = []
    errors: list[str] = []
    for line in lines(request, problem):
        kind = line["kind"]
        if kind == "answer":
            yield Answer(line, name, problem)
        elif kind == "event" or kind == "reply":
            yield line
        elif kind == "diagnostic":
            diagnostics.append(noticed(line))
        elif kind == "error":
            errors.append(line["message"])
        elif kind == "end":
            fail(line["exit"], diagnostics, errors)


def decide(file: File | None = None, **options: Any) -> Answer | list[Answer]:
    """Decides a file or a text, with the options of ``run``: the answer, or a list if there are several properties."""
    answers = [one for one in run(file, **options) if isinstance(one, Answer)]
    if not answers:
        raise Unsupported("this states no property: it is a script for Solver, or for `alphorn smt`")
    return answers[0] if len(answers) == 1 else answers


def check(
    file: File | None,
    evidence: File | Evidence | bytes,
    *,
    text: str | bytes | None = None,
    name: str | None = None,
    property: int | None = None,
) -> str:
    """Has evidence judged by the checker alone: what it shows.  Raises ``Refused`` if it does not show that.

    The evidence is a file, an ``Evidence``, or the bytes of one.
    """
    name, problem = contents(file, text, name)
    if isinstance(evidence, Evidence):
        content = evidence.text.encode()
    elif isinstance(evidence, bytes):
        content = evidence
    else:
        content = _alphorn.read(os.fspath(Path(evidence)))
    request = {"verb": "check", "file": name, "property": property}
    diagnostics: list[Diagnostic] = []
    errors: list[str] = []
    shown: list[str] = []
    for line in lines(request, problem, content):
        if line["kind"] == "certified":
            if line["accepted"] is not True:
                raise Refused(line["detail"], was_read=line["accepted"] is False)
            shown.append(line["detail"])
        elif line["kind"] == "diagnostic":
            diagnostics.append(noticed(line))
        elif line["kind"] == "error":
            errors.append(line["message"])
        elif line["kind"] == "end":
            fail(line["exit"], diagnostics, errors)
    if not shown:
        raise InputError("there is no evidence in the file", diagnostics)
    return "\n".join(shown)
