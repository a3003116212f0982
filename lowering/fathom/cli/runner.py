"""What `fathom run` does as mlir-runner does, where it is asked to.

    --entry-point-result=f32      one result is printed; a function of another type is refused
    --no-implicit-module          the text is one operation, which holds the functions
    --dump-object-file            machine code is written as well

Source of the rules: the behaviour of mlir-runner 22.
"""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fathom.cli.run_options import DUMP, MACHINE, NOT_PARSED, OBJECT_FILE, features_of, level_of
from fathom.ir.types import FloatType, FunctionType, IndexType, IntegerType
from fathom.irdl.traits import SYMBOL_TABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.cli.commands import Parsed
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

NOT_FOUND: Final = "Error: entry point not found\n"
UNSUPPORTED: Final = "Error: unsupported function type\n"
RESULTS: Final = ("void", "i32", "i64", "f32")
_ALIASES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
"""How else LLVM calls architectures."""


def objection(type: FunctionType, result: str, *, has_arguments: bool) -> str | None:
    """Why a function of a type is not called to give such a result; None if it is."""
    if type.inputs and not has_arguments:
        return "Error: JIT can't invoke a main function expecting arguments\n"
    if result == "void":
        return "Error: expected void function\n" if type.results else None
    if len(type.results) == 1 and _is(type.results[0], result):
        return None
    return f"Error: only single {result} function result supported\n"


def _is(type: Type, result: str) -> bool:
    match type:
        case IntegerType(width):
            return result == f"i{width}"
        case IndexType():
            return result == "i64"
        case FloatType(name):
            return result == name
        case _:
            return False


def wrong_machine(parsed: Parsed) -> str | None:
    """Why no code is made for the architecture that is asked for; None if it is that of this computer."""
    wanted, here = parsed[MACHINE], platform.machine().lower()
    if not wanted or _ALIASES.get(wanted, wanted) == _ALIASES.get(here, here):
        return None
    triple = f"{wanted}-unknown-{platform.system().lower()}"
    why = f'No available targets are compatible with triple "{triple}"'
    return f"Failed to create a TargetMachine for the host\n{why}\n"


def without_module(operations: Sequence[Operation]) -> str | None:
    """Why a text of these operations is none that has its module itself; None if it is."""
    if len(operations) != 1:
        return f"error: source must contain a single top-level operation, found: {len(operations)}\n{NOT_PARSED}"
    if not operations[0].has(SYMBOL_TABLE):
        return f"Error: top-level op must be a symbol table.\n{NOT_PARSED}"
    return None


def dump_object(program: str, parsed: Parsed) -> str | None:
    """Writes the machine code of a program, if that is asked for; what is wrong if it cannot be done."""
    if not parsed[DUMP]:
        return None
    import json

    from fathom.llvm import OBJECT
    from fathom.llvm.process import Died, Refused, ask

    try:
        asked = {"triple": "", "chip": "", "features": features_of(parsed), "optimised": level_of(parsed)}
        asked["form"] = "object"
        code = ask(OBJECT, f"{json.dumps(asked)}\n{program}").encode("latin-1")
        file = parsed[OBJECT_FILE] or f"{parsed.file}.o"
        Path(file).write_bytes(code)
    except (Refused, Died) as problem:
        return f"LLVM makes no object file of the program: {problem}"
    except OSError as problem:
        return f"cannot open output file '{problem.filename}': {problem.strerror}"
    return None
