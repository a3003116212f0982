"""Edits in one big function that open and close regions, change a header or divide a block.

Each edit is made and taken back in both servers, and the clock stops at the first diagnostics of its version that say
what its last ones say, as for other keys (`benchmarks/one_function.py`):

- *region*: an operation with its region, inserted as a whole;
- *header*: the bound of the loop around the place, where there is one;
- *label*: a branch and the label that it goes to, which divide the block, where a block may be divided;
- *brace*: the line that opens a region, without the brace that closes it.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.big_functions import PROGRAMS, BigFunction
from benchmarks.client import FATHOM, PEER, Client
from benchmarks.one_function import Found, settle

REGION: Final = "  scf.execute_region {\n    scf.yield\n  }\n"
LABEL: Final = "  cf.br ^added\n^added:\n"
BRACE: Final = "  scf.execute_region {\n"


@dataclass(frozen=True, slots=True)
class Change:
    """A text that takes the place of another one in a line; with `is_valid`, the function is as good as before."""

    name: str
    line: int
    column: int
    old: str
    new: str
    is_valid: bool = True


def changes(function: BigFunction) -> Iterator[Change]:
    """The edits that can be made in a function."""
    lines = function.text.split("\n")
    yield Change("region", function.line, 0, "", REGION)
    header = next((at for at in range(function.line, 0, -1) if "scf.for" in lines[at]), None)
    if header is None:
        yield Change("label", function.line, 0, "", LABEL)
    else:
        yield Change("header", header, lines[header].index("%c0"), "%c0", "%c1")
    yield Change("brace", function.line, 0, "", BRACE, is_valid=False)


def measure(command: Sequence[str], function: BigFunction, edits: int) -> dict[str, list[float]]:
    """Milliseconds from each kind of edit, and from taking it back, to complete diagnostics."""
    times: dict[str, list[float]] = {}
    with Client(command) as client:
        client.initialize(None)
        document = client.open("file:///benchmark/structure.mlir", function.text)
        last = function.last_line

        def is_whole(diagnostics: Found) -> bool:
            return any(line == last + shift for line, _, _ in diagnostics)

        shift = 0
        settle(client, 0, None, is_whole)
        for change in changes(function):
            for number in range(edits):
                old, new = (change.old, change.new) if number % 2 == 0 else (change.new, change.old)
                shift += new.count("\n") - old.count("\n")
                sent = client.edit(document, change.line, change.column, len(old), new)
                is_complete = is_whole if change.is_valid or number % 2 else bool
                settled = settle(client, document.version, None, is_complete)
                times.setdefault(change.name, []).append((settled.complete - sent) * 1000)
        assert document.text == function.text
    return times


def structure_table(programs: Sequence[str], sizes: Sequence[int], edits: int) -> None:
    """Prints what edits of the structure of each function cost in both servers."""
    print(f"{edits} edits of each kind, milliseconds to complete diagnostics (median, worst)\n")
    print(f"{'function':<9}{'ops':>7}  {'edit':<8}{'mlir-lsp-server':>20}{'Fathom':>20}")
    for name in programs:
        for operations in sizes:
            function = PROGRAMS[name](operations)
            peer = measure([str(PEER)], function, edits) if PEER.exists() else {}
            for kind, own in measure(FATHOM, function, edits).items():
                both = [
                    f"{statistics.median(measured):>11.2f}{max(measured):>9.2f}" if measured else f"{'':>20}"
                    for measured in (peer.get(kind), own)
                ]
                print(f"{name:<9}{operations:>7}  {kind:<8}{''.join(both)}", flush=True)
