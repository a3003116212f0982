"""From a key to what changed in the semantic tokens, and what the tokens of a whole file take.

`python -m benchmarks.semantic_tokens [--edits 50] [--sizes 1.1k,11k,112k]`

In a function in the middle of a file a digit is typed and taken back; every tenth key breaks the line, and the next one
mends it. An editor asks for the changes right after the edit: *with the edit* is from the first byte of that to the
answer; *alone* is what a request takes that is sent when the diagnostics of the edit have come. *range* is a request
about 60 lines, and *whole* the first one about the file, when all of it was looked at.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from benchmarks.client import FATHOM, Client
from benchmarks.keystroke import QUIET, keys, settle
from benchmarks.programs import SIZES, changed_line, repeated

URI = "file:///benchmark/tokens.mlir"
ABOUT = {"textDocument": {"uri": URI}}


def measure(functions: int, edits: int) -> dict[str, list[float]]:
    """Milliseconds of each kind, in a file of so many functions."""
    text = repeated(functions)
    line = changed_line(functions)
    times: dict[str, list[float]] = {"with the edit": [], "alone": [], "range": [], "whole": []}

    def ask(client: Client, kind: str, method: str, since: float | None = None, **more: object) -> Any:
        answer, sent, at = client.request(f"textDocument/semanticTokens/{method}", {**ABOUT, **more})
        times[kind].append((at - (sent if since is None else since)) * 1000)
        return answer

    with Client(FATHOM) as client:
        client.initialize()
        document = client.open(URI, text)
        settle(client, 0)
        told = ask(client, "whole", "full")["resultId"]
        visible = {"start": {"line": line, "character": 0}, "end": {"line": line + 60, "character": 0}}
        for number, (column, removed, inserted) in enumerate(keys(text.split("\n")[line], edits)):
            sent = client.edit(document, line, column, removed, inserted)
            kind = "alone" if number % 4 in (1, 2) else "with the edit"
            if kind == "alone":
                settle(client, document.version)
            since = sent if kind == "with the edit" else None
            told = ask(client, kind, "full/delta", since, previousResultId=told)["resultId"]
            if kind == "with the edit":
                time.sleep(QUIET)
            ask(client, "range", "range", range=visible)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description="semantic tokens while one types")
    parser.add_argument("--edits", type=int, default=48, help="keys for each size (a multiple of four)")
    parser.add_argument("--sizes", default=",".join(SIZES), help="which of the sizes, comma-separated")
    options = parser.parse_args()
    print(f"{options.edits} keys in a function in the middle of the file, milliseconds\n")
    print(f"{'lines':>6}  {'request':<20}{'median':>10}{'worst':>10}")
    for lines in options.sizes.split(","):
        for kind, values in measure(SIZES[lines], -(-options.edits // 4) * 4).items():
            print(f"{lines:>6}  {kind:<20}{statistics.median(values):>10.2f}{max(values):>10.2f}", flush=True)


if __name__ == "__main__":
    main()
