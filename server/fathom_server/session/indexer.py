"""The process that reads the files of the workspace for its index, `python -m fathom_server.session.indexer`.

Paths come on standard input, each on a line as JSON; for each, in their order, a line goes to standard output that says
what the file holds, which is what the index keeps on disk (`session/index_lines.py`). It stands back behind all else,
and ends when its standard input does. A file that is too much for it takes it down, and not the server.
"""

from __future__ import annotations

import json
from typing import Final

from fathom.context import default_context
from fathom_server.features.index_entry import index_entry
from fathom_server.features.llvm_ir.index_entry import index_entry as llvm_index_entry
from fathom_server.model.document import Document
from fathom_server.model.llvm_ir.text import LlvmText
from fathom_server.model.settings import Settings
from fathom_server.session.index_lines import LLVM_IR, FileState, line_of, line_without, text_of
from fathom_server.session.line_answers import answer_lines, stand_back

NICE: Final = 5
"""How far it stands back where processors are scarce."""


def main() -> None:
    stand_back(NICE)
    answer_lines(lambda line: _looked(json.loads(line)))


def _looked(path: str) -> str:
    """The line that says what a file holds."""
    state = FileState.of(path)
    if state is None:
        return line_without(path, FileState(0, 0))
    text = text_of(path)
    if text is None:
        return line_without(path, state)
    if path.endswith(LLVM_IR):
        return line_of(path, state, llvm_index_entry(LlvmText.read(text)))
    document = Document("", 0, text, default_context(), Settings())
    return line_of(path, state, index_entry(document.snapshot()))


if __name__ == "__main__":
    main()
