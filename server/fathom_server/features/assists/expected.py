"""Comments `// expected-error @below {{…}}` for all that is said of a document, as `--verify-diagnostics` of mlir-opt
reads them.

                                          // expected-error @below {{expected ','}}
%0 = arith.addi %a %b : i32         ->    %0 = arith.addi %a %b : i32
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement, edited
from fathom_server.features.fixes import mistakes_of
from fathom_server.model.pipelines import commands_in, parsed
from fathom_server.model.snapshot import Snapshot

if TYPE_CHECKING:
    from fathom.messages.message import Message
    from fathom.messages.source import Source
    from fathom.pipeline.language import Pipeline

NAME: Final = "buffer.mlir"
ALLOWED: Final = "allow-unregistered-dialect"


def offered(selection: Selection) -> Iterator[Offer]:
    """Where there is a mistake, or a command that verifies what is said."""
    snapshot = selection.snapshot
    if _command(snapshot)[0] or next(mistakes_of(snapshot, known=True), None) is not None:
        yield Offer("Add `expected-…` checks for what is said of the document")


def added(snapshot: Snapshot) -> Made:
    """A comment above each line of which something is said that none expects yet: by reading the text, and by the
    passes of the document's own command that verifies what is said."""
    from fathom.messages.expected_diagnostics import read_expectations
    from fathom.messages.source import Source

    text = snapshot.tree.text
    source = Source(NAME, text)
    expectations, problems = read_expectations(source)
    if problems:
        return Refusal(f"an expectation cannot be understood: {problems[0].text}")
    comments: dict[int, list[str]] = {}
    for message in _messages(snapshot, source):
        line, said = _line(message), message.text.partition("\n")[0]
        if line and any(expectation.line == line and expectation.matches(message.text) for expectation in expectations):
            continue
        place = "below" if line else "unknown"
        comment = f"// expected-{message.severity} @{place} {{{{{said}}}}}"
        comments.setdefault(line, []).append(comment)
    if not comments:
        return Refusal("nothing is said that is not expected")
    tree = snapshot.tree
    edit: list[Replacement] = []
    for line, written in sorted(comments.items()):
        number = max(line - 1, 0)
        present = tree.line(number)
        margin = present[: len(present) - len(present.lstrip())].rstrip("\r\n")
        line_break = "\r\n" if present.endswith("\r\n") else "\n"
        start = tree.line_start(number)
        edit.append(
            Replacement(start, start, "".join(f"{margin}{comment_line}{line_break}" for comment_line in written))
        )
    return edit if _are_met(snapshot, edited(text, edit)) else Refusal("what is said depends on the comments")


def _are_met(snapshot: Snapshot, text: str) -> bool:
    """Whether all that is said of a text is expected in it, and the other way round."""
    from fathom.messages.expected_diagnostics import mismatches
    from fathom.messages.source import Source

    source = Source(NAME, text)
    return not mismatches(source, _whole_messages(snapshot, source))


def _messages(snapshot: Snapshot, source: Source) -> Iterator[Message]:
    for message in _whole_messages(snapshot, source):
        yield message
        yield from message.notes


def _whole_messages(snapshot: Snapshot, source: Source) -> list[Message]:
    """What `fathom opt` says of a text with the flags of the document's command."""
    from io import StringIO

    from fathom.elaborate.locator import locator
    from fathom.inputs.loading import Loading
    from fathom.inputs.splitting import MARKER, split
    from fathom.messages.report import Reporter
    from fathom.pipeline.lowering import run

    _, allowed, pipeline = _command(snapshot)
    loading = Loading(allow_unregistered=allowed, only_first=True, context=snapshot.context)
    reporter = Reporter(source, StringIO(), expecting=True)
    for chunk in split(source, MARKER)[0]:
        loaded = loading.load(chunk, reporter)
        if loaded is not None and pipeline is not None and pipeline.root.items:
            result = run(pipeline, loaded.module, snapshot.context, verifying="each", locate=locator(chunk.text, NAME))
            reporter.report(result.diagnostics, chunk.offset)
        if loaded is not None:
            loaded.elaborated.dismantle()
    return reporter.kept


def _command(snapshot: Snapshot) -> tuple[bool, bool, Pipeline | None]:
    """Whether a command of the document verifies what is said; and of that, or of none, whether it allows dialects that
    nobody has described, and its passes."""
    commands = [
        (line, command)
        for line in commands_in(snapshot.tree, snapshot.context)
        for command in line.commands
        if command.tool == "mlir-opt"
    ]
    for line, command in commands:
        if command.has("verify-diagnostics"):
            written = line.pipeline
            pipeline = parsed(written) if written is not None and written.words else None
            known = pipeline if pipeline is not None and not pipeline.errors else None
            return True, command.has(ALLOWED), known
    return False, not commands or any(command.has(ALLOWED) for _, command in commands), None


def _line(message: Message) -> int:
    """The line of a message, from 1; 0 where it has none."""
    from fathom.messages.message import file_location

    place = file_location(message.location)
    return place.line if place is not None and place.file == NAME else 0
