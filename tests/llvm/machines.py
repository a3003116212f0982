"""What LLVM's targets have, beside mlir-opt: `python -m tests.llvm.machines [TRIPLE…]` holds the features and the data
layout of every processor against it, and those with features asked for that are chosen, always the same."""

from __future__ import annotations

import io
import random
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.cli import main as fathom
from fathom.llvm.features import table_of
from fathom.llvm.subtarget import Subtarget, subtarget
from fathom.llvm.targets import machine
from fathom.records import record
from tests.oracles import MARKER, run_tool

TRIPLES: Final = (
    "x86_64-unknown-linux i386-pc-linux aarch64-linux-gnu arm64-apple-macosx aarch64_be-linux-gnu "
    "armv7-linux-gnueabihf thumbv7em-none-eabi riscv32 riscv64-linux-gnu nvptx64-nvidia-cuda amdgcn-amd-amdhsa amdgcn "
    "r600 wasm32-unknown-unknown wasm64 spirv64"
).split()
"""One for each table, at least."""
MORE: Final = (
    "arm-linux-gnueabi armeb-none-eabi armv4t-none-eabi armv5te-linux armv6m-none-eabi armv6k armv7s-apple-ios "
    "armv7k-apple-watchos armv8a-linux armv8.1m.main-none-eabi armv8m.base-none-eabi armv9-a-linux thumb-none-eabi "
    "thumbv8-none-eabi thumbeb-none-eabi armv7-windows-msvc thumbv7-windows-msvc arm64e-apple-ios "
    "arm64_32-apple-watchos x86_64-pc-windows-msvc x86_64-linux-gnux32 i386-unknown-unknown-code16 i686-apple-darwin "
    "amdgcn-mesa-mesa3d amdgcn-amd-amdpal riscv64be riscv32be nvptx-nvidia-cuda spirv spirv32 wasm32-wasi"
).split()
"""Triples that say something besides the target."""
FLAGS: Final = ("--llvm-target-to-target-features", "--llvm-target-to-data-layout")
_PATCHED: Final = re.compile(r'"\+neon"(, )?')
"""What Debian's LLVM takes from processors of 32-bit Arm, on which it compiles without Neon. So there nothing goes with
Neon where that is taken away, such as `armv7-a`: these machines differ."""
_RANDOM: Final = 3
"""So many features are asked for together."""


@record
class Case:
    """A machine that is asked for."""

    triple: str
    chip: str
    asked: tuple[str, ...]

    @property
    def text(self) -> str:
        """A module that names it."""
        listed = ", ".join(f'"{word}"' for word in self.asked)
        features = f", features = <[{listed}]>" if self.asked else ""
        target = f'#llvm.target<triple = "{self.triple}", chip = "{self.chip}"{features}>'
        return f"module attributes {{llvm.target = {target}}} {{}}\n"


def known_of(triple: str) -> Subtarget:
    """What there is to choose from."""
    return subtarget(table_of(machine(triple).target))


def processors(triple: str) -> Iterator[Case]:
    """Each processor of a target, and each with some features that are chosen."""
    known, chooser = known_of(triple), random.Random(triple)
    names = [name for name in known.features if not name.startswith("@")]
    for chip in ("", "none-such", *known.processors, *known.aliases):
        yield Case(triple, chip, ())
        if names:
            asked = tuple(chooser.choice("+-") + chooser.choice(names) for _ in range(_RANDOM))
            yield Case(triple, chip, asked)


def features(triple: str) -> Iterator[Case]:
    """Each feature of a target alone, and taken from the processor that says most."""
    known = known_of(triple)
    richest = max(known.processors, key=lambda name: len(known.processors[name][0]), default="")
    for name in known.features:
        if not name.startswith("@"):
            yield Case(triple, "", (f"+{name}",))
            yield Case(triple, richest, (f"-{name}",))


def names_of_llvm(triple: str) -> set[str]:
    """The processors and features that `llc` lists."""
    said = run_tool("llc", [f"-mtriple={triple}", "-mcpu=help"], "").stderr
    return set(re.findall(r"^  (\S+) +- ", said, re.MULTILINE))


def _lines(text: str, chosen: Sequence[Case]) -> list[str]:
    """What a tool prints of each module."""
    lines = [line for line in text.splitlines() if line.startswith("module ")]
    return [
        _PATCHED.sub("", line) if case.triple.startswith(("armv", "arm-", "armeb", "thumb")) else line
        for case, line in zip(chosen, lines, strict=True)
    ]


def theirs(chosen: Sequence[Case], flag: str) -> list[str]:
    """What mlir-opt makes of each; nothing of one that ends it."""
    answer = run_tool("mlir-opt", ["--split-input-file", flag], MARKER.join(case.text for case in chosen))
    if answer.status == 0:
        return _lines(answer.stdout, chosen)
    if len(chosen) == 1:
        return [""]
    middle = len(chosen) // 2
    return [*theirs(chosen[:middle], flag), *theirs(chosen[middle:], flag)]


def ours(chosen: Sequence[Case], flag: str) -> list[str]:
    """What Fathom makes of each; nothing of one that is refused."""
    made: list[str] = []
    for case in chosen:
        stdout = io.StringIO()
        status = fathom(["opt", "-", flag], io.StringIO(case.text), stdout, io.StringIO())
        made += _lines(stdout.getvalue(), [case]) if status == 0 else [""]
    return made


def main(triples: Sequence[str]) -> None:
    for triple in triples or (*TRIPLES, *MORE):
        chosen = [*processors(triple), *features(triple)]
        known = known_of(triple)
        names = {*known.processors, *known.aliases, *known.features}
        differing = names_of_llvm(triple) ^ {name for name in names if not name.startswith("@")}
        print(f"{triple}: {len(chosen)} machines; names that differ: {' '.join(sorted(differing)) or 'none'}")
        for flag in FLAGS:
            of_both = list(zip(chosen, ours(chosen, flag), theirs(chosen, flag), strict=True))
            wrong = [(case, own, their) for case, own, their in of_both if own != their]
            print(f"  {flag}: {len(of_both) - len(wrong)} the same", flush=True)
            for case, own, their in wrong[:3]:
                print(f"    {case.text}    {own}\n    {their}")


if __name__ == "__main__":
    main(sys.argv[1:])
