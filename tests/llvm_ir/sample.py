"""How much of what LLVM prints is written as it is read: on LLVM's own tests.

    python -m tests.llvm_ir.sample [COUNT [SEED]]

takes so many files of LLVM's own tests by a fixed seed, those of the folders below; each is what `llvm-as` and
`llvm-dis` make of it, without the name of the module and the order of uses, which are no part of it. It prints how
many are the same, and what the first lines are that are not.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from difflib import unified_diff
from pathlib import Path
from random import Random
from typing import Final

from fathom.llvmir.reader import read
from fathom.llvmir.tokens import Mistake
from fathom.llvmir.writer import write
from tests.oracles import require_tool
from tests.suite.source import mlir_source

FOLDERS: Final = (
    *("Assembler", "Bitcode", "Transforms", "DebugInfo", "CodeGen"),
    *("Verifier", "Linker", "Instrumentation", "Analysis"),
)
LEFT_OUT: Final = re.compile(r"\A; ModuleID = .*\n|^ *uselistorder(?:_bb)?[ (].*\n|^\n?\^\d+ = .*\n", re.MULTILINE)


def files() -> list[Path]:
    """The tests that are there; the folder llvm/test stands beside that of MLIR."""
    root = mlir_source().parent / "llvm" / "test"
    return sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.ll"))


def normal_form(path: Path) -> str | None:
    """What LLVM makes of a file; None if it does not take it."""
    bitcode = subprocess.run([require_tool("llvm-as"), path, "-o", "-"], capture_output=True, check=False)
    if bitcode.returncode:
        return None
    printed = subprocess.run([require_tool("llvm-dis")], input=bitcode.stdout, capture_output=True, check=False)
    text = printed.stdout.decode("utf-8", "surrogateescape")
    return None if printed.returncode else LEFT_OUT.sub("", text)


def difference(text: str) -> str:
    """How what is written differs from what was read: nothing, if it does not."""
    try:
        written = write(read(text))
    except Mistake as mistake:
        return str(mistake)
    if written == text:
        return ""
    return "\n".join([*unified_diff(text.split("\n"), written.split("\n"), lineterm="", n=0)][:8])


def main(count: int = 1000, seed: int = 27) -> None:
    chosen = files()
    Random(seed).shuffle(chosen)
    taken = same = lines = 0
    seconds = 0.0
    for path in chosen[:count]:
        text = normal_form(path)
        if text is None:
            continue
        taken += 1
        lines += text.count("\n")
        begun = time.process_time()
        found = difference(text)
        seconds += time.process_time() - begun
        same += not found
        if found:
            print(f"{path}\n{found}", flush=True)
    print(f"{same} of {taken} are the same ({same / max(taken, 1):.2%}), {lines} lines in {seconds:.2f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
