"""The `.mlir` files of another project in the real server: how many show an error that nobody intended.

`python -m tests.suite.foreign FOLDER [--show N]`: the files below a folder, each opened whole in Fathom's server. Those
whose text expects an error are left out. Nothing is written; what a project has is its own.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from benchmarks.client import FATHOM
from tests.conformance.compare import normalise
from tests.conformance.page import share
from tests.suite.editor import errors_of

INTENDED = ("expected-error", "not mlir-opt", ": error:", "not circt-opt", "not iree-opt")
"""What a file says that holds mistakes on purpose: checks of diagnostics, or of a tool that must fail."""


def texts_below(folder: Path) -> dict[str, str]:
    """The files of a folder whose text expects no error, by their path in it."""
    texts: dict[str, str] = {}
    for path in sorted(folder.rglob("*.mlir")):
        text = path.read_bytes().decode("utf-8", "replace")
        if path.is_file() and not any(sign in text for sign in INTENDED):
            texts[path.relative_to(folder).as_posix()] = text
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description="the files of another project in the real server")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first error of N files")
    options = parser.parse_args()
    texts = texts_below(options.folder)
    if not texts:
        sys.exit(f"{options.folder} has no .mlir files")
    errors = {name: error for name, error in errors_of(FATHOM, texts).items() if error}
    print(f"{share(len(texts) - len(errors), len(texts))} of {len(texts)} files without an error")
    kinds = Counter(normalise(min(error)[1]) for error in errors.values())
    for kind, count in kinds.most_common(20):
        print(f"{count:5} {kind}")
    for name, messages in list(errors.items())[: options.show]:
        line, message = min(messages)
        print(f"{name}:{line + 1}: {message}\n  {texts[name].splitlines()[line].strip()}")


if __name__ == "__main__":
    main()
