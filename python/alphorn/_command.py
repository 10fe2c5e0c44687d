"""The command ``alphorn``, as a script of the package and as ``python -m alphorn``."""

from __future__ import annotations

import sys

from . import _alphorn


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    sys.stdout.flush()
    sys.stderr.flush()
    again = [sys.executable, "-m", "alphorn"]
    _alphorn.command(again, ["alphorn", *sys.argv[1:]])
