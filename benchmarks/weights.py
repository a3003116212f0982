"""Files that carry weights and locations in their text: Fathom beside mlir-lsp-server 22, in one run.

`python -m benchmarks.weights [--edits 50] [--only blob,hexadecimal,numbers,aliases]`

Four files: a resource of 10 MB, a dense attribute of 8 MB in hexadecimal digits, one of 100,000 numbers, and 20,000
aliases of locations that operations use. Each server is fresh and has seen a small file of the kind. *Open* is from the
first byte of `textDocument/didOpen` to the last diagnostics, *key* from the first byte of a change to the first
diagnostics of its version; the keys are those of `benchmarks.keystroke`, in the function that uses the weights.
*Memory* is what the process holds at the end more than it did before the file came, and its ratio to the size of the
file.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.client import FATHOM, PEER, Client, Document
from benchmarks.keystroke import PUBLISH, keys, settle
from benchmarks.programs import blob, hexadecimal, location_aliases, numbers

QUIET: Final = 1.2
"""Seconds of silence after which the last diagnostics of a file are taken to be the last, as in `benchmarks.open`."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A file by its size; `small` is a size at which nothing is worth measuring."""

    title: str
    text: Callable[[int], str]
    size: int
    small: int


KINDS: Final = {
    "blob": Kind("resource of 10 MB", blob, 10_000_000, 32),
    "hexadecimal": Kind('dense<"0x…"> of 8 MB', hexadecimal, 8_000_000, 32),
    "numbers": Kind("dense<[…]> of 100,000", numbers, 100_000, 4),
    "aliases": Kind("20,000 aliases", location_aliases, 20_000, 40),
}


@dataclass(slots=True)
class Figures:
    """Milliseconds of opening and of each key, and the megabytes that came to be held."""

    opening: float = 0.0
    keys: list[float] = field(default_factory=list[float])
    held: float = 0.0


def opening(client: Client, uri: str, text: str) -> tuple[Document, float]:
    """Opens a text; with the milliseconds to the last that is said of it."""
    document = client.open(uri, text)
    last = client.wait_for(PUBLISH, 0).at
    while (message := client.receive(QUIET)) is not None:
        if message.method == PUBLISH and message.params.get("uri") == uri:
            last = message.at
    return document, (last - document.sent) * 1000


def measure(command: Sequence[str], kind: Kind, edits: int) -> Figures:
    """One fresh server: the file, and the keys in a function in its middle."""
    text = kind.text(kind.size)
    lines = text.split("\n")
    places = [number for number, line in enumerate(lines) if "%one = arith.constant 1 : i32" in line]
    line = places[len(places) // 2]
    figures = Figures()
    with Client(command) as client:
        client.initialize()
        opening(client, "file:///benchmark/small.mlir", kind.text(kind.small))
        before = client.resident
        document, figures.opening = opening(client, "file:///benchmark/weights.mlir", text)
        for column, removed, inserted in keys(lines[line], edits):
            sent = client.edit(document, line, column, removed, inserted)
            first, _ = settle(client, document.version)
            figures.keys.append((first - sent) * 1000)
        figures.held = client.resident - before
    return figures


def row(title: str, server: str, figures: Figures, size: int) -> str:
    median, worst = statistics.median(figures.keys), max(figures.keys)
    held = f"{figures.held:>9.1f} MB{figures.held * 1e6 / size:>7.1f}x"
    return f"{title:<24}{server:<18}{figures.opening:>10.0f}{median:>10.2f}{worst:>10.2f}{held}"


def main() -> None:
    parser = argparse.ArgumentParser(description="files of weights and locations, with Fathom and mlir-lsp-server 22")
    parser.add_argument("--edits", type=int, default=50, help="keys for each server and file (even)")
    parser.add_argument("--only", default=",".join(KINDS), help="which of the files, comma-separated")
    options = parser.parse_args()
    edits = options.edits + options.edits % 2
    servers = {"Fathom": FATHOM} | ({"mlir-lsp-server": (str(PEER),)} if PEER.exists() else {})

    print(f"milliseconds to open a file and to see to a key elsewhere in it ({edits} keys), and the memory it takes\n")
    print(f"{'file':<24}{'server':<18}{'open':>10}{'key':>10}{'worst':>10}{'memory':>12}{'':>8}")
    for name in options.only.split(","):
        kind = KINDS[name]
        size = len(kind.text(kind.size))
        for server, command in servers.items():
            print(row(kind.title, server, measure(command, kind, edits), size), flush=True)
    if not PEER.exists():
        print("\nmlir-lsp-server 22 is not installed (Debian's mlir-22-tools), so there is nothing to compare with")


if __name__ == "__main__":
    main()
