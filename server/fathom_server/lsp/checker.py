"""The process that looks at the files of the workspace that are not open, `python -m fathom_server.lsp.checker`.

The first line on standard input says what is known of dialects, and what the client shows; each further one names a
file by its path and its URI. For each of these, in their order, a line goes to standard output: how much is wrong with
it, and what, as JSON in the protocol's terms. These are the errors and warnings of an open document before it is
lowered. The process stands back behind all else, and ends when its standard input does. A file that is too much for it
takes it down, and not the server.
"""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Final, TypedDict, cast

from lsprotocol import converters, types

from fathom.context import Context, default_context
from fathom.descriptions.files import DialectFile, dialects_in
from fathom_server.features.workspace import CLOSED
from fathom_server.lsp.diagnostics import Showing
from fathom_server.lsp.reports import Reports
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.session.index_lines import text_of
from fathom_server.session.line_answers import answer_lines, stand_back
from fathom_server.session.opened import OpenDocument

if TYPE_CHECKING:
    from fathom.text.encodings import Encoding

NICE: Final = 10
"""How far it stands back where processors are scarce: behind the index too."""
MOST: Final = 100
"""No more findings than this are told of a file."""

_TOLD: Final = (types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning)
_MEANT: Final = re.compile(r"//\s*(?:expected-(?:error|warning|remark|note)\b|RUN:.*\bnot\s)")
"""What a file has in which something is wrong on purpose: a test of messages."""


class Greeting(TypedDict):
    """The first line."""

    dialects: list[tuple[str, str]]
    encoding: Encoding
    related: bool
    links: bool
    tags: bool


def findings_in(path: str, uri: str, context: Context, encoding: Encoding, showing: Showing) -> list[types.Diagnostic]:
    """What is wrong with a file; nothing of one in which that is meant."""
    text = text_of(path)
    if text is None or _MEANT.search(text):
        return []
    opened = OpenDocument(Document(uri, CLOSED, text, context, Settings()))
    while opened.to_check:
        opened.check_first()
    diagnostics = Reports().of(opened, encoding, showing).items
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity in _TOLD][:MOST]


def main() -> None:
    stand_back(NICE)
    told = cast("Greeting", json.loads(sys.stdin.buffer.readline() or b"{}"))
    if not told:
        return
    files = [DialectFile(*described) for described in told["dialects"]]
    context = Context(dialects_in(files)) if files else default_context()
    showing = Showing(told["related"], told["links"], told["tags"])
    converter = converters.get_converter()

    def looked(line: bytes) -> str:
        path, uri = json.loads(line)
        diagnostics = findings_in(path, uri, context, told["encoding"], showing)
        return f"{len(diagnostics)} {json.dumps(converter.unstructure(diagnostics))}"

    answer_lines(looked)


if __name__ == "__main__":
    main()
