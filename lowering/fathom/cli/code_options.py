"""The options that say how LLVM is to make code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.cli.commands import Group
from fathom.cli.options import choice, flag, text
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.cli.commands import Parsed
    from fathom.llvm.codegen.wanted import Form, Wanted

_LEVELS: Final = ("0", "1", "2", "3", "s", "z")
LEVEL: Final = replace(choice("O", "the level of optimisation, as --optimize", _LEVELS), joined=True)
OPTIMIZE: Final = text(
    "optimize",
    "optimise by LLVM: at a level, 0 to 3, s or z, or by passes, as opt takes them; 2 where code is made",
    "LEVEL|PASSES",
    bare="2",
)
EMIT: Final = choice(
    "emit",
    "what is written: LLVM IR, which is the default, assembly, an object file, or that disassembled",
    ("llvm", "asm", "obj", "disasm"),
)
TARGET: Final = text(
    "target",
    "the machine: host, x86-64, aarch64, riscv64, wasm32, nvptx64, amdgcn, spirv64, spirv, or a triple of LLVM's",
    "TARGET",
)
CPU: Final = text("mcpu", "the processor of the target, as llc takes it", "CPU")
FEATURES: Final = text("mattr", "what the processor has besides, or has not: +avx2,-fma", "FEATURES")
REMARKS: Final = flag("remarks", "tell what LLVM vectorised, inlined, unrolled and spilled, what it did not, and why")
LOWER: Final = flag("lower-to-llvm", "lower the input to the LLVM dialect first, by the pipeline of this name")

CODE: Final = Group("code", (LOWER, OPTIMIZE, LEVEL, EMIT, TARGET, CPU, FEATURES, REMARKS))

_FORMS: Final[dict[str, Form]] = {"": "ir", "llvm": "ir", "asm": "assembly", "obj": "object", "disasm": "disassembly"}


def is_wanted(parsed: Parsed) -> bool:
    """Whether LLVM is to make something of the LLVM IR."""
    options = (OPTIMIZE, LEVEL, TARGET, CPU, FEATURES, REMARKS)
    return any(option in parsed for option in options) or parsed[EMIT] not in ("", "llvm")


def wanted_code(parsed: Parsed) -> tuple[Wanted, Form]:
    """How code is to be made, and in which form it is written. Raises NotWanted."""
    from fathom.llvm.codegen.wanted import Wanted, machine_of, optimization_of

    optimization = optimization_of(parsed[OPTIMIZE] or parsed[LEVEL] or "2")
    return Wanted(optimization, machine_of(parsed[TARGET], parsed[CPU], parsed[FEATURES])), _FORMS[parsed[EMIT]]
