"""``python -m alphorn`` is the command."""

from ._command import main

main()
