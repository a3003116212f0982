"""Which features a machine has, by LLVM's names: what its processor has, what its triple says, and what is asked for.

Source of the rules: LLVM 22's `MCSubtargetInfo.cpp`, and what makes one for each target (`X86MCTargetDesc.cpp`, …).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final, TypeAlias

from fathom.llvm.subtarget import subtarget
from fathom.records import record

Said: TypeAlias = "tuple[str, str]"
"""The processor, and the features that are asked for."""


@record
class _Rules:
    """How the features of a target follow. `table` is the name of the table of its processors; `begin` gives the
    processor and the features that are asked for in the place of those that are named, of a triple and the name of a
    target; `end` changes what comes of it."""

    table: str
    begin: Callable[[str, str, str, str], Said] = lambda _triple, _target, chip, asked: (chip, asked)
    end: Callable[[set[str]], None] = lambda _on: None


def enabled_features(target: str, triple: str, chip: str = "", asked: str = "") -> list[str] | None:
    """The features of a processor, in LLVM's order; None for a target of which nothing is known. `target` is its name
    (`fathom.llvm.targets.Machine`), `asked` has words as `+avx,-mmx`. What LLVM does not know is passed over."""
    rules = _RULES.get(target)
    if rules is None:
        return None
    known = subtarget(rules.table)
    chip, asked = rules.begin(triple, target, known.aliases.get(chip, chip), asked)
    on: set[str] = set()
    for features in known.processors.get(known.aliases.get(chip, chip), ()):
        on.update(*(_brought(rules.table, name) for name in features))
    for word in asked.split(","):
        name = word.removeprefix("+").removeprefix("-") if word[:1] in ("+", "-") else word
        if not name or name not in known.features or name.startswith(_UNNAMED):
            continue
        if word.startswith("+"):
            on |= _brought(rules.table, name)
        else:
            on -= _taken(rules.table, name)
    if known.features:
        rules.end(on)
    return sorted(name for name in on if not name.startswith(_UNNAMED))


_UNNAMED: Final = "@"
"""What the names of features begin with that LLVM's have none: they only bring others."""


@cache
def _brought(table: str, name: str) -> frozenset[str]:
    """A feature, and all that follow from it."""
    return _closure(name, subtarget(table).features)


@cache
def _taken(table: str, name: str) -> frozenset[str]:
    """A feature, and all that it follows from."""
    return _closure(name, _implied_by(table))


def _closure(name: str, next_of: Mapping[str, Iterable[str]]) -> frozenset[str]:
    found: set[str] = set()
    rest = [name]
    while rest:
        name = rest.pop()
        if name not in found:
            found.add(name)
            rest += next_of.get(name, ())
    return frozenset(found)


@cache
def _implied_by(table: str) -> Mapping[str, list[str]]:
    """The features that each is implied by, of those that have names."""
    users: dict[str, list[str]] = {}
    for name, implied in subtarget(table).features.items():
        for each in implied:
            if not name.startswith(_UNNAMED):
                users.setdefault(each, []).append(name)
    return users


# ---- what triples say


def _both(first: str, second: str) -> str:
    return f"{first},{second}" if first and second else first or second


def _x86(triple: str, target: str, chip: str, asked: str) -> Said:
    is_16_bit = triple.rsplit("-", maxsplit=1)[-1].startswith("code16")
    mode = "64bit-mode,+sse2" if target == "x86-64" else "16bit-mode" if is_16_bit else "32bit-mode"
    return chip or "generic", _both(f"+{mode}", asked)


def _aarch64(triple: str, _target: str, chip: str, asked: str) -> Said:
    if chip:
        return chip, asked
    if triple.startswith("arm64e"):
        return "apple-a12", asked
    return "generic", asked or "+v8a"


def _arm(triple: str, target: str, chip: str, asked: str) -> Said:
    words: list[str] = []
    architecture = _arm_architecture(triple.partition("-")[0])
    if architecture and chip in ("", "generic"):
        words.append(f"+{architecture}")
    if target.startswith("thumb"):
        words += ("+thumb-mode", "+v4t")
    if triple.split("-")[2:3] and triple.split("-")[2].startswith(("windows", "win32")):
        words.append("+noarm")
    return chip, _both(",".join(words), asked)


_SYNONYMS: Final = {
    "v5": "v5t",
    "v5e": "v5te",
    "v6j": "v6",
    "v6hl": "v6k",
    **dict.fromkeys(("v6m", "v6sm", "v6s-m"), "v6-m"),
    **dict.fromkeys(("v6z", "v6zk"), "v6kz"),
    **dict.fromkeys(("v7", "v7a", "v7hl", "v7l"), "v7-a"),
    "v7r": "v7-r",
    "v7m": "v7-m",
    "v7em": "v7e-m",
    **dict.fromkeys(("v8", "v8a", "v8l"), "v8-a"),
    **{f"v8.{number}a": f"v8.{number}-a" for number in range(1, 10)},
    "v8r": "v8-r",
    **dict.fromkeys(("v9", "v9a"), "v9-a"),
    **{f"v9.{number}a": f"v9.{number}-a" for number in range(1, 8)},
    "v8m.base": "v8-m.base",
    "v8m.main": "v8-m.main",
    "v8.1m.main": "v8.1-m.main",
}
"""Other names of the versions of Arm's architecture (`ARMTargetParserCommon.cpp`)."""


def _arm_architecture(name: str) -> str:
    """The feature that stands for the version in the first word of a triple; empty where that says none."""
    version = name
    for prefix in ("arm", "thumb"):
        version = version.removeprefix(prefix)
    version = version.removeprefix("eb") if version.startswith("eb") else version.removesuffix("eb")
    return f"arm{_SYNONYMS.get(version, version)}" if version[:1] == "v" else ""


def _riscv(_triple: str, target: str, chip: str, asked: str) -> Said:
    generic = "generic-rv64" if target.startswith("riscv64") else "generic-rv32"
    return generic if chip in ("", "generic") else chip, asked


def _amdgpu(triple: str, _target: str, chip: str, asked: str) -> Said:
    is_hsa = triple.split("-")[2:3] and triple.split("-")[2].startswith("amdhsa")
    return chip or ("generic-hsa" if is_hsa else "generic"), asked


def _amdgpu_waves(on: set[str]) -> None:
    """Waves are of 32 or of 64 lanes, as the GPU has them; where both are asked for, those that it likes better."""
    wide, narrow = "wavefrontsize64", "wavefrontsize32"
    if not on:
        on.add("southern-islands")
    from_gfx10 = not on.isdisjoint(("gfx10", "gfx11", "gfx12", "gfx13"))
    if wide not in on and narrow not in on:
        on.add(narrow if from_gfx10 else wide)
    elif wide in on and narrow in on:
        on.remove(wide if from_gfx10 and "gfx1250-insts" not in on else narrow)
        on ^= {"assembler-permissive-wavesize"}


_RULES: Final[Mapping[str, _Rules]] = {
    **dict.fromkeys(("x86", "x86-64"), _Rules("X86", _x86)),
    **dict.fromkeys(("aarch64", "aarch64_be", "aarch64_32", "arm64", "arm64_32"), _Rules("AArch64", _aarch64)),
    **dict.fromkeys(("arm", "armeb", "thumb", "thumbeb"), _Rules("ARM", _arm)),
    **dict.fromkeys(("riscv32", "riscv64", "riscv32be", "riscv64be"), _Rules("RISCV", _riscv)),
    **dict.fromkeys(("nvptx", "nvptx64"), _Rules("NVPTX")),
    "amdgcn": _Rules("AMDGPU", _amdgpu, _amdgpu_waves),
    "r600": _Rules("R600", lambda _triple, _target, chip, asked: (chip or "r600", asked)),
    **dict.fromkeys(("wasm32", "wasm64"), _Rules("WebAssembly")),
    **dict.fromkeys(("spirv", "spirv32", "spirv64"), _Rules("SPIRV")),
}
"""By the names of targets."""


def table_of(target: str) -> str:
    """The name of the table of a target's processors. Raises KeyError where there is none."""
    return _RULES[target].table
