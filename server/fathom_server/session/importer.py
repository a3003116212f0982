"""The process that brings LLVM IR to the LLVM dialect, `python -m fathom_server.session.importer`.

A text comes on standard input, on a line as JSON; for each a line goes to standard output: the text of the import, and
what is wrong if there is none. What is too much for it takes it down, and not the server.
"""

from __future__ import annotations

import json
from typing import Final

from fathom.context import default_context
from fathom.importing import import_llvm
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import WRITTEN_FLAGS
from fathom.llvmir.loading import load
from fathom.text.beginnings import TextTooLong
from fathom_server.session.line_answers import answer_lines, stand_back

NICE: Final = 2
"""How far it stands back where processors are scarce."""


def main() -> None:
    stand_back(NICE)
    answer_lines(lambda line: json.dumps(imported(json.loads(line))))


def imported(text: str) -> tuple[str, str]:
    """The text of the import, and why there is none."""
    source = load(text)
    if isinstance(source, list):
        problem = source[0]
        return "", f"{problem.message} (line {problem.line})" if problem.line else problem.message
    made = import_llvm(source, default_context())
    if made.module is None:
        return "", next((each.message for each in made.diagnostics), "it cannot be imported")
    try:
        return print_module(made.module, WRITTEN_FLAGS), ""
    except TextTooLong as problem:
        return "", str(problem)


if __name__ == "__main__":
    main()
