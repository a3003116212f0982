"""Opening a file, cold and again: Fathom beside mlir-lsp-server 22, taking turns.

`python -m benchmarks.open [--rounds 3] [--distinct 500]`

Eight files of MLIR's own test suite, and a made-up one whose statements all differ. *Cold* is a fresh server that has
seen a small file; *again* is the same text under another name in that server. The clock runs from the first byte of
`textDocument/didOpen` to `textDocument/publishDiagnostics`. Fathom publishes what it has after a moment and the rest
when it has it: the table shows the first and the last, and the last is what the sum is made of. What the pipeline would
leave behind, which no other server tells, is switched off.

The suite's files have parts between `// -----` and operations of dialects that Fathom does not define; both servers get
them as they stand. `FATHOM_MLIR_SOURCE` names a checkout of llvm-project; without one, see `suite_folder`.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.client import FATHOM, PEER, Client
from benchmarks.programs import FUNCTION, distinct

FILES = (
    "Dialect/LLVMIR/roundtrip.mlir",
    "Dialect/Linalg/named-ops.mlir",
    "Dialect/Vector/canonicalize.mlir",
    "Dialect/Arith/canonicalize.mlir",
    "Dialect/SCF/canonicalize.mlir",
    "Dialect/MemRef/canonicalize.mlir",
    "Target/LLVMIR/llvmir.mlir",
    "Conversion/VectorToLLVM/vector-to-llvm.mlir",
)
"""Paths in `mlir/test`."""

PUBLISH = "textDocument/publishDiagnostics"

QUIET = 1.2
"""Seconds of silence after which the last diagnostics of a version are taken to be the last: Fathom speaks up at least
once a second while it works."""

OPTIONS = {"diagnostics": {"lowering": False}}

BAR = 60.0
"""Milliseconds for each 1,000 lines, cold, that the sum over the files is to stay below."""


def suite_folder() -> Path | None:
    """The folder `mlir/test` of the source: that of `FATHOM_MLIR_SOURCE`, or the newest in the cache."""
    named = os.environ.get("FATHOM_MLIR_SOURCE")
    if named:
        candidates = [Path(named)]
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "fathom-upstream"
        candidates = sorted(cache.glob("22.*"), reverse=True)
    folders = (root / inner for root in candidates for inner in ("mlir/test", "test"))
    return next((folder for folder in folders if folder.is_dir()), None)


@dataclass(slots=True)
class Times:
    """Milliseconds from `didOpen` to the first and to the last diagnostics, one of each round."""

    first: list[float] = field(default_factory=list[float])
    last: list[float] = field(default_factory=list[float])


@dataclass(slots=True)
class Runs:
    """What one server took for one text."""

    cold: Times = field(default_factory=Times)
    again: Times = field(default_factory=Times)


def opening(client: Client, uri: str, text: str, times: Times) -> None:
    """Opens a text and waits until nothing more is said of it."""
    sent = client.open(uri, text).sent
    first = last = client.wait_for(PUBLISH, 0).at
    while (message := client.receive(QUIET)) is not None:
        if message.method == PUBLISH and message.params.get("uri") == uri:
            last = message.at
    times.first.append((first - sent) * 1000)
    times.last.append((last - sent) * 1000)


def measure(command: Sequence[str], text: str, runs: Runs) -> None:
    """One round: a fresh server, the text, and the text again."""
    with Client(command) as client:
        client.initialize(OPTIONS)
        opening(client, "file:///benchmark/small.mlir", FUNCTION.format(n=0), Times())
        opening(client, "file:///benchmark/cold.mlir", text, runs.cold)
        opening(client, "file:///benchmark/again.mlir", text, runs.again)


def texts(statements: int) -> Iterator[tuple[str, str]]:
    folder = suite_folder()
    if folder is None:
        print("\nMLIR's source is not here (FATHOM_MLIR_SOURCE names a checkout), so its eight files are LEFT OUT\n")
    else:
        for name in FILES:
            if (folder / name).exists():
                yield name.removesuffix(".mlir"), (folder / name).read_text(encoding="utf-8")
            else:
                print(f"{folder / name} does not exist and is LEFT OUT")
    yield f"{statements} statements, no two alike", distinct(statements)


def row(name: str, lines: int, values: Sequence[list[float]]) -> str:
    medians = [statistics.median(value) if value else None for value in values]
    shown = "".join(f"{median:>10.1f}" if median is not None else f"{'–':>10}" for median in medians)
    cold, peer = medians[1], medians[3]
    ratio = f"{cold / peer:>8.1f}x" if cold is not None and peer else ""
    per = f"{cold / lines * 1000:>10.1f}" if cold is not None else ""
    return f"{name:<44}{lines:>7}{shown}{ratio}{per}"


def main() -> None:
    parser = argparse.ArgumentParser(description="opening real files, with Fathom and with mlir-lsp-server 22")
    parser.add_argument("--rounds", type=int, default=3, help="fresh servers of each kind for each file")
    parser.add_argument("--distinct", type=int, default=500, metavar="N", help="statements of the made-up file")
    options = parser.parse_args()
    has_peer = PEER.exists()

    print("medians in milliseconds from didOpen to the diagnostics, in a fresh server and in one that knows the text\n")
    print(f"{'':<51}{'Fathom, cold':>20}{'again':>10}{'mlir-lsp-server':>20}")
    heads = ("first", "last", "last", "cold", "again")
    print(f"{'file':<44}{'lines':>7}{''.join(f'{h:>10}' for h in heads)}{'ratio':>9}{'per 1k':>10}")
    total, sums = 0, [0.0] * 5
    for name, text in texts(options.distinct):
        fathom, peer = Runs(), Runs()
        for _ in range(options.rounds):
            measure(FATHOM, text, fathom)
            if has_peer:
                measure([str(PEER)], text, peer)
        lines = text.count("\n")
        values = [fathom.cold.first, fathom.cold.last, fathom.again.last, peer.cold.last, peer.again.last]
        if "statements" in name:
            print(row("sum of the files", total, [[total_ms] for total_ms in sums]) if total else "")
            print(row(name, lines, values), flush=True)
        else:
            print(row(name, lines, values), flush=True)
            total += lines
            sums = [s + (statistics.median(v) if v else 0.0) for s, v in zip(sums, values, strict=True)]
    if total:
        print(f"\ncold, for each 1,000 lines: {sums[1] / total * 1000:.0f} ms (the bar: {BAR:.0f} ms)")
    if not has_peer:
        print("\nmlir-lsp-server 22 is not installed (Debian's mlir-22-tools), so there is nothing to compare with")


if __name__ == "__main__":
    main()
