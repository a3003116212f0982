"""Running the command line in this process, for tests."""

from __future__ import annotations

import io

from fathom.cli import main


def fathom(*arguments: str, text: str = "") -> tuple[int, str, str]:
    """Exit status, standard output and standard error; `text` is standard input."""
    stdout, stderr = io.StringIO(), io.StringIO()
    return main(arguments, io.StringIO(text), stdout, stderr), stdout.getvalue(), stderr.getvalue()
