"""The process that brings LLVM IR to the LLVM dialect, `python -m fathom_server.session.importer`.

A text comes on standard input, on a line as JSON; for each a line goes to standard output: the fields of what was made
of it (`model/llvm_ir/importing.py`). What is too much for it takes it down, and not the server.
"""

from __future__ import annotations

import json
from typing import Final

from fathom.context import default_context
from fathom_server.model.llvm_ir.importing import imported
from fathom_server.session.line_answers import answer_lines, stand_back

NICE: Final = 2
"""How far it stands back where processors are scarce."""


def main() -> None:
    stand_back(NICE)
    answer_lines(lambda line: json.dumps(imported(json.loads(line), default_context())))


if __name__ == "__main__":
    main()
