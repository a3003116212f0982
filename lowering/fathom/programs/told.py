"""Values of a program in words, known by where they are defined in the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.operation import BlockArgument, OpResult, Value
from fathom.records import record

if TYPE_CHECKING:
    from fathom.elaborate.sites import Site

Key: TypeAlias = "tuple[int, str, int]"
"""Where a value is defined: where its operation, or the name of an argument, begins in the text; the name of the
operation, none for an argument; and its number."""


@record
class Told:
    """What a value was: in a few characters, and at length, with its type, where these do not say all."""

    short: str
    long: str = ""


def key_of(value: Value) -> Key | None:
    """Where a value is defined, if the text says it."""
    if isinstance(value, OpResult):
        return (value.op.span.start, value.op.name, value.index) if value.op.span is not None else None
    span = value.span if isinstance(value, BlockArgument) else None
    return (span.start, "", 0) if span is not None else None


def of_statement(site: Site, values: Mapping[Key, Told]) -> Iterator[tuple[str, Told]]:
    """The names that a statement gives to values, with what these were."""
    for token, defined in sorted(site.definitions.items()):
        for number, value in enumerate(defined):
            told = values.get(key) if (key := key_of(value)) is not None else None
            if told is not None:
                yield f"{site.text(token)}#{number}" if len(defined) > 1 else site.text(token), told


def label(told: Sequence[tuple[str, Told]]) -> str:
    """The values of a statement in one line: the only one without its name."""
    if len(told) == 1:
        return f"= {told[0][1].short}"
    return ", ".join(f"{name} = {value.short}" for name, value in told)
