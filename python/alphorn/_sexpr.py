"""Expressions of SMT-LIB as lists of texts."""

from __future__ import annotations

import re
from typing import Union

Node = Union[str, list["Node"]]

_TOKEN = re.compile(r'\s+|;[^\n]*|(?P<text>"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()|";]+)')


def parse(text: str) -> list[Node]:
    """All expressions of a text."""
    stack: list[list[Node]] = [[]]
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"this is no expression: {text[position:position + 20]!r}")
        position = match.end()
        token = match.group("text")
        if token is None:
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise ValueError("there is a parenthesis too many")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) != 1:
        raise ValueError("a parenthesis is missing")
    return stack[0]


def show(node: Node) -> str:
    """An expression as text."""
    return node if isinstance(node, str) else "(" + " ".join(map(show, node)) + ")"
