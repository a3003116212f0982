"""Questions while one types: hover, definition, highlight and completion, Fathom beside mlir-lsp-server 22, in one run.

`python -m benchmarks.questions [--edits 48] [--sizes 1.1k,11k,112k] [--at-once]`

In a function in the middle of a file a digit is typed and taken back, as in `benchmarks/keystroke.py`, but no line is
broken. Half a second after the diagnostics of a key, as when a hand goes to the mouse, each question is asked once
about that function; the clock runs from the first byte of the request to the answer. The first question of each kind is
not counted: what it loads stays. Fathom has looked at the whole file before, as after it was open for a while; with
`--at-once` the first key comes as soon as the file is open, and all else is looked at meanwhile.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.client import FATHOM, PEER, Client, Document
from benchmarks.keystroke import settle
from benchmarks.programs import SIZES, changed_line, repeated

PAUSE = 0.5
"""Seconds from the diagnostics of a key to the questions."""

URI = "file:///benchmark/questions.mlir"
QUESTIONS = {
    "hover": ("arith.addf", 3),
    "definition": ("%zero : f32", 2),
    "documentHighlight": ("%sum, %zero", 2),
    "completion": ("arith.addf", 7),
}
"""The requests about documents, each with the text where it is asked, and how far in that."""


def place(text: str, offset: int) -> dict[str, int]:
    before = text[:offset]
    return {"line": before.count("\n"), "character": offset - before.rfind("\n") - 1}


def asked(client: Client, document: Document, around: int, kind: str) -> float:
    """Milliseconds to the answer of a question about the function that begins at an offset."""
    needle, beyond = QUESTIONS[kind]
    position = place(document.text, document.text.index(needle, around) + beyond)
    params: dict[str, Any] = {"textDocument": {"uri": URI}, "position": position}
    answer, sent, at = client.request(f"textDocument/{kind}", params)
    assert answer, (kind, answer)
    return (at - sent) * 1000


def rest(client: Client) -> None:
    """Waits until a server has nothing left to do."""
    before = -1.0
    while client.busy - before > 0.01:
        before = client.busy
        while client.receive(PAUSE) is not None:
            pass


def measure(command: Sequence[str], functions: int, edits: int, *, at_once: bool) -> dict[str, list[float]]:
    """Milliseconds of the answers of each kind, in a file of so many functions."""
    text = repeated(functions)
    line = changed_line(functions)
    column = text.split("\n")[line].index(" : i32")
    times: dict[str, list[float]] = {kind: [] for kind in QUESTIONS}
    with Client(command) as client:
        client.initialize()
        document = client.open(URI, text)
        settle(client, 0)
        if not at_once:
            rest(client)
        around = document.text.index(f"@kernel_{functions // 2}(")
        for number in range(edits + 1):
            client.edit(document, line, column, number % 2, "" if number % 2 else "7")
            settle(client, document.version)
            time.sleep(PAUSE)
            for kind, values in times.items():
                if client.capabilities.get(f"{kind}Provider"):
                    taken = asked(client, document, around, kind)
                    values += [taken] if number else []
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description="questions while one types")
    parser.add_argument("--edits", type=int, default=48, help="keys for each size")
    parser.add_argument("--sizes", default=",".join(SIZES), help="which of the sizes, comma-separated")
    parser.add_argument("--at-once", action="store_true", help="do not wait until the server has seen the whole file")
    options = parser.parse_args()
    print(f"{options.edits} of each kind, milliseconds; the median and the worst, for Fathom and mlir-lsp-server\n")
    print(f"{'lines':>6}  {'question':<18}{'Fathom':>10}{'worst':>10}{'peer':>12}{'worst':>10}")
    for lines in options.sizes.split(","):
        ours, theirs = (
            measure(command, SIZES[lines], options.edits, at_once=options.at_once) for command in (FATHOM, [str(PEER)])
        )
        for kind, values in ours.items():
            row = [statistics.median(values), max(values)]
            row += [statistics.median(theirs[kind]), max(theirs[kind])] if theirs[kind] else []
            shown = "".join(f"{figure:>{10 if index != 2 else 12}.2f}" for index, figure in enumerate(row))
            print(f"{lines:>6}  {kind:<18}{shown}{'' if len(row) > 2 else '   no answer'}", flush=True)


if __name__ == "__main__":
    main()
