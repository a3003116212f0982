"""Several fragments of a variable that follow each other in a debug expression are one: LLVM IR takes no more.

    DW_OP_LLVM_fragment(32, 32), DW_OP_LLVM_fragment(32, 64)      ->      DW_OP_LLVM_fragment(64, 32)

The offsets add up; the size is that of the first, which is nearest to the value. Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.records import replace

FRAGMENT: Final = "DW_OP_LLVM_fragment"


def joined(operators: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """The operators of an expression, of fragments one."""
    parameters: list[Parameter] = []
    for operator in operators:
        before, behind = _fragment(parameters[-1]) if parameters else None, _fragment(operator)
        first = parameters[-1] if parameters else None
        if before is not None and behind is not None and isinstance(first, DialectAttr):
            offset = before[0] + behind[0]
            parameters[-1] = replace(first, parameters=(FRAGMENT, (offset, before[1])))
        else:
            parameters.append(operator)
    return tuple(parameters)


def _fragment(operator: Parameter) -> tuple[int, int] | None:
    """Offset and size of a fragment; None for any other operator."""
    match operator:
        case DialectAttr(parameters=(str(name), (int(offset), int(size)))) if name == FRAGMENT:
            return offset, size
        case _:
            return None
