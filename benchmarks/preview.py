"""From a key to the refreshed LLVM IR preview of a function of thirty operations, alone and in a file of 112k lines, or
of one on tensors: a layer of a model (`examples/tensors`).

`python -m benchmarks.preview [--edits 50] [--stage assembly]`

With `--stage assembly`, or `llvm-optimized`, it is what LLVM makes of it, also of a function of a hundred operations.

The clock runs from the first byte of the change sent, over the notification `fathom/previewDidChange` for that
version, to the answer to the request `fathom/preview` that follows it.
"""

from __future__ import annotations

import argparse
import re
import statistics
from pathlib import Path

from benchmarks.client import FATHOM, Client
from benchmarks.programs import OPERATIONS, SIZES, repeated

URI = "file:///benchmark/preview.mlir"
CONSTANT = "  %k = arith.constant 7 : i32"
TENSORS = Path(__file__).resolve().parents[1] / "examples" / "tensors"
LAYERS = ("mlp", "conv_block", "softmax", "pooling", "layer_norm", "rnn_cell", "power_iteration", "attention")
NUMBER = re.compile(r"arith\.constant 0\.(0) : f32")


def hundred() -> str:
    """A function of a hundred operations: a loop over memory, with arithmetic that does not fold away."""
    lines = [
        "func.func @hundred(%m: memref<?xf32>, %o: memref<?xf32>, %a: f32) {",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        f"{CONSTANT}",
        "  %f = arith.sitofp %k : i32 to f32",
        "  %n = memref.dim %m, %c0 : memref<?xf32>",
        "  scf.for %i = %c0 to %n step %c1 {",
        "    %v0 = memref.load %m[%i] : memref<?xf32>",
    ]
    for number in range(45):
        lines.append(f"    %w{number} = arith.mulf %v{number}, %{'af'[number % 2]} : f32")
        lines.append(f"    %v{number + 1} = arith.addf %w{number}, %v{number // 2} : f32")
    lines += ["    memref.store %v45, %o[%i] : memref<?xf32>", "  }", "  return", "}\n"]
    return "\n".join(lines)


def measure(text: str, name: str, at: int, edits: int, stage: str) -> list[float]:
    """Milliseconds from each edit of the digit at an offset to the new text of the preview of a function."""
    line, column = text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)
    times: list[float] = []
    with Client(FATHOM) as client:
        client.initialize()
        document = client.open(URI, text)
        client.wait_for("textDocument/publishDiagnostics", 0)
        question = {"textDocument": {"uri": URI}, "stage": stage, "function": name}
        client.request("fathom/preview", question)
        for number in range(edits):
            # No text comes again: code that was made once is kept.
            sent = client.edit(document, line, column, len(str(100 + number - 1)) if number else 1, str(100 + number))
            client.wait_for("fathom/previewDidChange", document.version)
            preview, _, answered = client.request("fathom/preview", question)
            if preview["version"] != document.version or preview["stale"]:
                raise RuntimeError(f"the preview of version {document.version} is not of that version")
            times.append((answered - sent) * 1000)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description="edit to refreshed LLVM IR preview of a function of 30 operations")
    parser.add_argument("--edits", type=int, default=50)
    parser.add_argument("--stage", default="llvm-ir")
    options = parser.parse_args()
    half = repeated(SIZES["112k"] // 2)
    files = {"alone": OPERATIONS, "in 112k lines": half + OPERATIONS + half.replace("@kernel", "@other")}
    places = {"100 operations": (hundred(), "hundred", hundred().index(CONSTANT) + CONSTANT.index("7"))}
    places |= {name: (text, "target", text.index(CONSTANT) + CONSTANT.index("7")) for name, text in files.items()}
    for name in LAYERS:
        text = (TENSORS / f"{name}.mlir").read_text(encoding="utf-8")
        number = NUMBER.search(text)
        assert number is not None, name
        function = re.findall(r"func\.func (?:private )?@(\w+)", text[: number.start()])[-1]
        places[name] = (text, function, number.start(1))

    print(f"{options.edits} edits, milliseconds from key to the new {options.stage} of a function\n")
    print(f"{'the function':<18}{'median':>10}{'worst':>10}")
    for name, place in places.items():
        times = measure(*place, options.edits, options.stage)
        print(f"{name:<18}{statistics.median(times):>10.1f}{max(times):>10.1f}", flush=True)


if __name__ == "__main__":
    main()
