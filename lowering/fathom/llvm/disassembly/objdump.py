"""LLVM's own `llvm-objdump`, where it is installed: for machines and instructions that are not known here."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Final

from fathom.llvm.disassembly.objects import NotShown, printable

_NAMES: Final = ("llvm-objdump-22", "llvm-objdump")
_FOLDERS: Final = ("/usr/lib/llvm-22/bin", "/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin")
"""Where packages put LLVM's tools beside the path."""
_SECONDS: Final = 8
"""Less than the server gives LLVM."""
_SECTION: Final = re.compile(r"Disassembly of section (.*):")
_INSTRUCTION: Final = re.compile(r"\s*([0-9a-f]+):\s+(?:[0-9a-f]{2,8} ?)+\s*\t(.*)")
_AMDGPU: Final = re.compile(r"\t(.*?)\s*// ([0-9A-F]{12}):")
"""How instructions of AMD's GPUs are printed, which have the address behind them."""


def has_objdump() -> bool:
    """Whether the tool is installed."""
    return _found() is not None


def by_objdump(data: bytes) -> Iterator[tuple[str, int, int, str]]:
    """The lines that the tool prints of an object file; of an instruction with the number of its section, of those with
    instructions, its offset and its text, of others with the number -1. Raises NotShown."""
    tool = _found()
    if tool is None:
        raise NotShown("object files for this machine are disassembled by llvm-objdump, which is not installed")
    try:
        done = subprocess.run([tool, "-dr", "-"], input=data, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NotShown(f"llvm-objdump gives no answer: {type(problem).__name__}") from None
    if done.returncode:
        raise NotShown(f"llvm-objdump fails: {' '.join(done.stderr.decode('utf-8', 'replace').split())}")
    said = done.stdout.decode("utf-8", "backslashreplace").strip("\n").removeprefix("<stdin>:\t")
    section = -1
    for line in said.split("\n"):
        shown = "\t".join(map(printable, line.split("\t")))
        section += _SECTION.fullmatch(line) is not None
        if (found := _INSTRUCTION.fullmatch(line)) is not None:
            yield shown, section, int(found[1], 16), found[2].partition(" <")[0]
        elif (found := _AMDGPU.match(line)) is not None:
            yield shown, section, int(found[2], 16), found[1]
        else:
            yield shown, -1, 0, ""


def _found() -> str | None:
    return next((found for name in _NAMES if (found := shutil.which(name))), None) or next(
        (found for folder in _FOLDERS if (found := shutil.which("llvm-objdump", path=folder))), None
    )
