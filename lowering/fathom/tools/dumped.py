"""What a tool prints after each of its passes in one run: in the place of one run for each of them.

A tool that is made of MLIR prints it on standard error, between what it says of mistakes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dumps.log import Dump, read_log, text_of
from fathom.records import record

FLAGS: Final = ("--mlir-print-ir-after-all", "--mlir-print-ir-module-scope", "--mlir-disable-threading")
"""What has a tool print the whole module after each pass, one pass after the other."""


@record
class Dumped:
    """The text behind a pass, and what the tool had said until it ended."""

    text: str
    said: bytes


@record
class Passes:
    """The passes that came to an end, in their order; whether the one behind them failed."""

    done: tuple[Dumped, ...]
    has_failed: bool


def passes_in(said: bytes, names: Sequence[str]) -> Passes | None:
    """What a tool printed after passes of these names; None where that is not known: it printed something else, or a
    pass ran on one operation after the other, so that no text is what it made of all."""
    found = [dump for dump in read_log(said).dumps if dump.header.when == "after"]
    has_failed = bool(found) and found[-1].header.outcome == "failed"
    if not found or len(found) > len(names) or (len(found) < len(names) and not has_failed):
        return None
    if any(not _is_of(dump, name) for dump, name in zip(found, names, strict=False)):
        return None
    done = found[:-1] if has_failed else found
    texts = [text_of(said, dump) for dump in done]
    if any(text.is_cut or not text.text for text in texts):
        return None
    # Where it ends there a tool prints an empty line behind.
    dumped = [Dumped(f"{text.text}\n", said[: _head(said, dump)]) for text, dump in zip(texts, done, strict=True)]
    return Passes(tuple(dumped), has_failed)


def _is_of(dump: Dump, name: str) -> bool:
    """Whether a dump is that of a step: of the second pass of a name the step is called `name#2`."""
    return dump.header.argument == name.partition("#")[0] and dump.header.outcome in ("", "failed")


def _head(said: bytes, dump: Dump) -> int:
    """Where the line begins that stands above a dump."""
    return said.rfind(b"\n", 0, max(dump.begin - 1, 0)) + 1
