"""Which pass of the pipeline changes what a function does: where that can be asked, and as which command."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fathom.execution.callable import uncallable
from fathom.pipeline.defaults import is_whole
from fathom_server.features.functions import signature_of
from fathom_server.features.lower import lowerable_at
from fathom_server.model.pipelines import pipeline

if TYPE_CHECKING:
    from fathom.execution.outcome import Json
    from fathom_server.model.scoping import Symbol
    from fathom_server.model.snapshot import Snapshot


def searchable_at(snapshot: Snapshot, start: int, end: int) -> Iterator[Symbol]:
    """The functions that a range touches and that can be called."""
    for symbol in lowerable_at(snapshot, start, end):
        signature = signature_of(snapshot, symbol)
        if signature is not None and uncallable(signature) is None:
            yield symbol


def words_of_call(snapshot: Snapshot, name: str, arguments: Sequence[Json], seconds: float) -> list[str]:
    """The words behind `fathom bisect FILE`, or `fathom run FILE`, that ask about a function and the document's
    pipeline."""
    words = ["-e", name, "--json", f"--timeout={seconds:g}"]
    used = pipeline(snapshot)
    if not is_whole(used):
        words.append(f"--pass-pipeline={used}")
    if arguments:
        words.append(f"--args={json.dumps(list(arguments))[1:-1]}")
    return words
