"""`fathom run --values`: the source of the functions that were called, and behind each line what it computed last."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from fathom.cli.dialect_options import context_of
from fathom.cli.run_options import ENTRY
from fathom.cli.streams import Streams
from fathom.cli.values import given_values
from fathom.execution.outcome import ArgumentProblem, Json
from fathom.inputs.loading import Loading
from fathom.messages.source import Source
from fathom.programs.computed import Computed, Program, Ran, computed
from fathom.programs.preparing import Part, cut
from fathom.programs.told import label, of_statement
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.cli import run_calling
    from fathom.cli.commands import Parsed
    from fathom.elaborate import Loaded
    from fathom.programs.told import Told


@record
class Values:
    """What lines computed: by the line in which a statement ends, from 0, the names that it gives and what they were;
    or why that is `unknown`. `loaded` is the text."""

    loaded: Loaded | None = None
    lines: tuple[tuple[int, tuple[tuple[str, Told], ...]], ...] = ()
    unknown: str = ""

    def shown(self) -> Iterator[str]:
        """The lines of the functions that were called, each with what it computed."""
        if self.loaded is None:
            return
        labels: dict[int, list[str]] = {}
        for line, told in self.lines:
            labels.setdefault(line, []).append(label(told))
        tree = self.loaded.tree
        for index, item in enumerate(tree.items):
            first = tree.first_line(index)
            if not any(first <= line < first + item.line_count for line in labels):
                continue
            for number, line in enumerate(item.text.split("\n"), first):
                if line.strip():
                    yield f"{line}  // {', '.join(labels[number])}" if number in labels else line

    def to_json(self) -> dict[str, Json]:
        """The same as data; lines count from 1."""
        if self.unknown:
            return {"noValues": self.unknown}
        listed = [
            {"line": line + 1, "name": name, "value": value.short} for line, told in self.lines for name, value in told
        ]
        return {"values": listed}


def values_of(ran: run_calling.Ran, parsed: Parsed) -> Values:
    """What the lines computed in a run."""
    # What is wrong with the text was said before it ran.
    context = context_of(parsed, Streams(StringIO(), StringIO(), StringIO()))
    part = cut(Source(ran.given.name, ran.given.text), parsed[ENTRY], Loading(context=context))
    if not isinstance(part, Part):
        return Values(unknown=part.message)
    try:
        arguments = given_values(parsed, part.argument_names)
    except ArgumentProblem as problem:
        return Values(unknown=problem.failure.message)
    failed = ran.failed.span if ran.failed is not None else None
    did = Ran(ran.outcome, failed.start if failed is not None else None)
    made = computed(Program(part.module, part.function, context), part.signature, arguments, did)
    return Values(unknown=made.unknown) if made.unknown else _by_line(part.loaded, made)


def _by_line(loaded: Loaded, made: Computed) -> Values:
    lines: list[tuple[int, tuple[tuple[str, Told], ...]]] = []
    for piece, site in loaded.elaborated.sites.items():
        told = tuple(of_statement(site, made.values))
        if told:
            end = site.start + piece.token_spans()[-1][1]
            lines.append((loaded.tree.line_of(end)[0], told))
    return Values(loaded, tuple(lines))
