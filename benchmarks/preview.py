"""From a key to the refreshed LLVM IR preview of a function of thirty operations, alone and in a file of 112k lines.

`python -m benchmarks.preview [--edits 50]`

The clock runs from the first byte of the change sent, over the notification `fathom/previewDidChange` for that
version, to the answer to the request `fathom/preview` that follows it.
"""

from __future__ import annotations

import argparse
import statistics

from benchmarks.client import FATHOM, Client
from benchmarks.programs import OPERATIONS, SIZES, repeated

URI = "file:///benchmark/preview.mlir"
CONSTANT = "  %k = arith.constant 7 : i32"


def measure(text: str, edits: int) -> list[float]:
    """Milliseconds from each edit of a constant to the new text of the preview."""
    line = text.split("\n").index(CONSTANT)
    column = CONSTANT.index("7")
    times: list[float] = []
    with Client(FATHOM) as client:
        client.initialize()
        document = client.open(URI, text)
        client.wait_for("textDocument/publishDiagnostics", 0)
        question = {"textDocument": {"uri": URI}, "stage": "llvm-ir", "function": "target"}
        client.request("fathom/preview", question)
        for number in range(edits):
            constant = str(10 + number)
            removed = 1 if number == 0 else 2
            sent = client.edit(document, line, column, removed, constant)
            client.wait_for("fathom/previewDidChange", document.version)
            preview, _, answered = client.request("fathom/preview", question)
            if preview["version"] != document.version or preview["stale"] or f" {constant}" not in preview["text"]:
                raise RuntimeError(f"the preview of version {document.version} is not of that version: {preview}")
            times.append((answered - sent) * 1000)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description="edit to refreshed LLVM IR preview of a function of 30 operations")
    parser.add_argument("--edits", type=int, default=50)
    options = parser.parse_args()
    half = repeated(SIZES["112k"] // 2)
    files = {"alone": OPERATIONS, "in 112k lines": half + OPERATIONS + half.replace("@kernel", "@other")}

    print(f"{options.edits} edits, milliseconds from key to the new LLVM IR of a function of 30 operations\n")
    print(f"{'the function':<18}{'median':>10}{'worst':>10}")
    for name, text in files.items():
        times = measure(text, options.edits)
        print(f"{name:<18}{statistics.median(times):>10.1f}{max(times):>10.1f}", flush=True)


if __name__ == "__main__":
    main()
