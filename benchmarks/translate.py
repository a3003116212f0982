"""`fathom translate` beside mlir-translate 22, both ways: a file of the LLVM dialect to LLVM IR, and that LLVM IR back.

    python -m benchmarks.translate [FILE] [--rounds N] [--only export|import]

They take turns. *Processor* is the time of all threads and processes, *wall* what passes on the clock; each is the
median of the rounds, and so is the ratio of the rounds. The texts that the two print are compared, and what is imported
is what mlir-translate exports. Without mlir-translate, Fathom imports what it exports itself. Bar: at most 6 times
mlir-translate's time on 20,000 lines or more.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.passes import PASSES, run, source

FATHOM = (sys.executable, "-c", "from fathom.cli import entry; entry()")
"""As the installed script `fathom` starts."""
TRANSLATE = (*FATHOM, "translate")
EXPORT, IMPORT = "--mlir-to-llvmir", "--import-llvm"
BAR = 6.0


def measure(flag: str, path: Path, folder: Path, peer: str | None, rounds: int) -> Path:
    """Prints what one way takes of a file; the output, mlir-translate's if there is one."""
    commands: dict[str, Sequence[str]] = {"fathom": TRANSLATE}
    if peer is not None:
        commands["mlir-translate"] = (peer,)
    outputs = {name: folder / f"{name}{flag}" for name in commands}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(run((*command, flag, str(path)), outputs[name]))
    print(f"{flag}, {path.read_text().count(chr(10)):,} lines, {rounds} rounds, seconds: processor and wall")
    for name, measured in times.items():
        print(f"  {name:<15}{_median(measured, 0):7.2f} {_median(measured, 1):7.2f}")
    if peer is not None:
        ratios = [(a[0] / b[0], a[1] / b[1]) for a, b in zip(times["fathom"], times["mlir-translate"], strict=True)]
        same = outputs["fathom"].read_bytes() == outputs["mlir-translate"].read_bytes()
        print(f"  {'ratio':<15}{_median(ratios, 0):7.1f} {_median(ratios, 1):7.1f}   (the bar: {BAR:.0f})")
        print(f"  what they print {'is the same' if same else 'DIFFERS'}")
    return outputs[[*commands][-1]]


def _median(pairs: Sequence[tuple[float, float]], index: int) -> float:
    return statistics.median(pair[index] for pair in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description="translation and import beside mlir-translate")
    parser.add_argument("file", nargs="?", type=Path, help="another file in the LLVM dialect than the one that is made")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=("export", "import"), help="one of the two ways")
    options = parser.parse_args()
    peer = shutil.which("mlir-translate-22")
    if peer is None:
        print("mlir-translate-22 is not here (Debian's mlir-22-tools) and is LEFT OUT")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path: Path | None = options.file
        if path is None:
            given, path = folder / "kernels.mlir", folder / "lowered.mlir"
            given.write_text(source())
            run((*FATHOM, "opt", *PASSES, str(given)), path)
        translated = folder / "translated.ll"
        if options.only == "import":
            run((*((peer,) if peer is not None else TRANSLATE), EXPORT, str(path)), translated)
        else:
            translated = measure(EXPORT, path, folder, peer, options.rounds)
        if options.only != "export":
            measure(IMPORT, translated, folder, peer, options.rounds)


if __name__ == "__main__":
    main()
