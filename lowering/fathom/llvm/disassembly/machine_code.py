"""Machine code as instructions, read by capstone; the text is that of LLVM's tools, as far as capstone's differs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

import capstone

from fathom.llvm.disassembly.objects import Instruction, Section
from fathom.records import record, replace

_Target: TypeAlias = "Callable[[int, str], str]"
"""The operands of a branch at an address, with where it goes as an address."""


@record
class _Machine:
    """How capstone is told of a machine, which instructions go elsewhere, and how the operands are written."""

    arch: int
    mode: int
    branches: re.Pattern[str]
    operands: Callable[[str], str]
    is_relative: bool = False
    """Whether the last operand of a branch counts from the instruction."""


_INDEXED: Final = re.compile(r"\(([^()]*)\)")
_HUGE: Final = re.compile(r"\$(0x[0-9a-f]{16}|\d{19,20})\b")
_LIST: Final = re.compile(r"\{([^{}]*)\}")
_LAST: Final = re.compile(r"#?(-?(?:0x[0-9a-f]+|\d+))$")


def _of_x86(operands: str) -> str:
    text = _INDEXED.sub(lambda match: f"({match[1].replace(', ', ',')})", operands)
    return _HUGE.sub(_with_sign, text)


def _with_sign(match: re.Match[str]) -> str:
    """A number of 64 bits, which capstone gives without its sign."""
    value = int(match[1], 0)
    return f"$-{(1 << 64) - value:#x}" if value >> 63 else match[0]


def _of_aarch64(operands: str) -> str:
    return _LIST.sub(r"{ \1 }", operands)


def _as_they_are(operands: str) -> str:
    return operands


_X86_BRANCHES: Final = re.compile(r"(?:j|call|loop|xbegin)\w*")
_AARCH64_BRANCHES: Final = re.compile(r"b|bl|bc?\.\w+|cbn?z|tbn?z|adrp?")
_RISCV_BRANCHES: Final = re.compile(r"(?:c\.)?(?:b(?:eq|ne|lt|ge|gt|le)\w*|j|jal)")

_RISCV: Final = _Machine(
    capstone.CS_ARCH_RISCV,
    capstone.CS_MODE_RISCV64 | capstone.CS_MODE_RISCVC,
    _RISCV_BRANCHES,
    _as_they_are,
    is_relative=True,
)
MACHINES: Final[Mapping[str, _Machine]] = {
    "elf64-x86-64": _Machine(capstone.CS_ARCH_X86, capstone.CS_MODE_64, _X86_BRANCHES, _of_x86),
    "elf32-i386": _Machine(capstone.CS_ARCH_X86, capstone.CS_MODE_32, _X86_BRANCHES, _of_x86),
    "elf64-littleaarch64": _Machine(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM, _AARCH64_BRANCHES, _of_aarch64),
    "elf64-littleriscv": _RISCV,
    "elf32-littleriscv": replace(_RISCV, mode=capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC),
}
"""The machines that capstone reads as LLVM 22 writes for them, by the formats of their objects."""


def machine_code(format: str, section: Section) -> Iterator[Instruction]:
    """The instructions of a section. Bytes that are none that capstone knows stand there as bytes."""
    told = MACHINES[format]
    reader = capstone.Cs(told.arch, told.mode)
    reader.skipdata = True
    if told.arch == capstone.CS_ARCH_X86:
        reader.syntax = capstone.CS_OPT_SYNTAX_ATT
    start = 0
    for first, end in (*section.constants, (len(section.data), len(section.data))):
        code = section.data[start:first]
        for address, size, name, operands in reader.disasm_lite(code, start):
            data = code[address - start : address - start + size]
            if name == ".byte":
                yield Instruction(address, data, name, operands, is_known=False)
            else:
                yield Instruction(address, data, name, _operands(told, section, address, name, operands))
        for offset in range(max(first, start), end, 4):
            word = section.data[offset : min(offset + 4, end)]
            yield Instruction(offset, word, ".word", f"{int.from_bytes(word, 'little'):#010x}")
        start = max(start, end)


def _operands(told: _Machine, section: Section, address: int, name: str, operands: str) -> str:
    if told.branches.fullmatch(name) and (last := _LAST.search(operands)) is not None:
        to = int(last[1], 0) + (address if told.is_relative else 0)
        return f"{operands[: last.start()]}{to:#x}{_near(section, to)}"
    return told.operands(operands)


def _near(section: Section, offset: int) -> str:
    """The label at or before an offset, and how far it is from there."""
    if not 0 <= offset <= len(section.data):
        return ""
    at = bisect_right(section.labels, offset, key=lambda label: label[0])
    if not at:
        return ""
    start, name = section.labels[at - 1]
    return f" <{name}+{offset - start:#x}>" if offset > start else f" <{name}>"
