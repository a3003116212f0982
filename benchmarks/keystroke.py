"""From a key to the diagnostics of the new text: Fathom beside mlir-lsp-server 22, in one run.

`python -m benchmarks.keystroke [--edits 50] [--sizes 1.1k,11k,112k]`

Both servers get the same file and the same keys: in a function in the middle of the file, a digit is typed and taken
back; every tenth key breaks the line, and the next one mends it. Each server is told in the way that it announces.
The clock runs from the first byte of the change sent to `textDocument/publishDiagnostics` for that version. A server
may publish more than once for a version (Fathom adds what lowering finds): the table shows the first and the last.

With `--one-function`, keys in one big function (`benchmarks/one_function.py` says which and what is counted), with
`--structure` edits that open and close regions there (`benchmarks/structure.py`), and with `--lowering` what lowering
such a function takes beside the typing (`benchmarks/lowering.py`); `--operations 1000,10000`
and `--programs straight,nested,blocks,chain` say in which functions.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.big_functions import PROGRAMS
from benchmarks.client import FATHOM, PEER, Client, Document
from benchmarks.lowering import lowering_table
from benchmarks.one_function import keys_table
from benchmarks.programs import SIZES, changed_line, repeated
from benchmarks.structure import structure_table

QUIET = 0.3
"""Seconds of silence after which the last diagnostics of a version are taken to be the last."""

PUBLISH = "textDocument/publishDiagnostics"


@dataclass(slots=True)
class Times:
    """Milliseconds from each edit to the first and to the last diagnostics of its version."""

    first: list[float]
    last: list[float]


def keys(line_text: str, count: int) -> Iterator[tuple[int, int, str]]:
    """The edits of one line as (column, characters removed, characters inserted); each one undoes the one before."""
    digit_place = line_text.index(" : i32")
    break_place = line_text.index("arith")
    for number in range(count):
        breaking = number % 10 in (8, 9)
        column, typed = (break_place, "(") if breaking else (digit_place, "7")
        yield (column, 0, typed) if number % 2 == 0 else (column, 1, "")


def settle(client: Client, version: int) -> tuple[float, float]:
    """When the first and the last diagnostics of a version came."""
    first = last = client.wait_for(PUBLISH, version).at
    while (message := client.receive(QUIET)) is not None:
        if message.method == PUBLISH and message.params.get("version") == version:
            last = message.at
    return first, last


def measure(command: Sequence[str], functions: int, edits: int) -> tuple[Times, str]:
    """The times of one server on a file of so many functions, and how it was told of the changes."""
    text = repeated(functions)
    line = changed_line(functions)
    times = Times([], [])
    with Client(command) as client:
        client.initialize()
        document: Document = client.open("file:///benchmark/keystroke.mlir", text)
        settle(client, 0)
        for column, removed, inserted in keys(text.split("\n")[line], edits):
            sent = client.edit(document, line, column, removed, inserted)
            first, last = settle(client, document.version)
            times.first.append((first - sent) * 1000)
            times.last.append((last - sent) * 1000)
        assert document.text == text
        return times, client.synchronisation


def row(lines: str, name: str, times: list[float], ratio: str) -> str:
    return f"{lines:>6}  {name:<34}{statistics.median(times):>10.2f}{max(times):>10.2f}{ratio:>10}"


def main() -> None:
    parser = argparse.ArgumentParser(description="edit-to-diagnostics time of Fathom and of mlir-lsp-server 22")
    parser.add_argument("--edits", type=int, default=50, help="keys for each server and size (even)")
    parser.add_argument("--sizes", default=",".join(SIZES), help="which of the sizes, comma-separated")
    parser.add_argument("--one-function", action="store_true", help="keys in one big function")
    parser.add_argument("--structure", action="store_true", help="edits of regions, headers and labels in one")
    parser.add_argument("--lowering", action="store_true", help="lowering of one big function, beside the typing")
    parser.add_argument("--operations", default="", help="sizes of big functions (1000,10000,50000; 10000 to lower)")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="which big functions, comma-separated")
    parser.add_argument("--rounds", type=int, default=5, help="keys after which lowering is waited for")
    options = parser.parse_args()
    if options.one_function or options.structure or options.lowering:
        one_function(options)
    else:
        many_functions(options)


def one_function(options: argparse.Namespace) -> None:
    """Keys in one big function."""
    programs = options.programs.split(",")
    sizes = [int(size) for size in (options.operations or "1000,10000,50000").split(",")]
    if options.one_function:
        keys_table(programs, sizes, -(-options.edits // 4) * 4, None)
    if options.structure:
        structure_table([name for name in programs if name != "chain"], sizes, options.edits + options.edits % 2)
    if options.lowering:
        lowering_table(programs, [int(size) for size in (options.operations or "10000").split(",")], options.rounds)


def many_functions(options: argparse.Namespace) -> None:
    """Keys in one of many functions."""
    edits = options.edits + options.edits % 2

    print(f"{edits} keys in a function in the middle of the file, milliseconds from key to diagnostics\n")
    print(f"{'lines':>6}  {'server':<34}{'median':>10}{'worst':>10}{'ratio':>10}")
    start = time.perf_counter()
    for lines in options.sizes.split(","):
        fathom, how = measure(FATHOM, SIZES[lines], edits)
        peer_median = None
        if PEER.exists():
            peer, peer_how = measure([str(PEER)], SIZES[lines], edits)
            peer_median = statistics.median(peer.first)
            print(row(lines, f"mlir-lsp-server ({peer_how})", peer.first, "1.0x"))
        for name, values in (("first", fathom.first), ("last", fathom.last)):
            ratio = f"{peer_median / statistics.median(values):.1f}x" if peer_median else ""
            print(row(lines, f"Fathom, {name} ({how})", values, ratio), flush=True)
    if not PEER.exists():
        print("\nmlir-lsp-server 22 is not installed (Debian's mlir-22-tools), so there is nothing to compare with")
    print(
        f"\nratio: how many times faster than mlir-lsp-server at the median; took {time.perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
