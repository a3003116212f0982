"""The conversion of a GPU module: what the gpu dialect becomes, and with it all dialects that have a way to the LLVM
dialect, in one conversion."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
from fathom.ir.attributes import UNIT
from fathom.ir.traversal import outermost
from fathom.ops.func import FuncOp
from fathom.passes.conversions.convert_to_llvm import parts_by_dialect
from fathom.passes.to_llvm.further_dialects import FURTHER
from fathom.rewriting.greedy_driver import apply_patterns

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.target import ConversionTarget

_C_INTERFACE = "llvm.emit_c_interface"


def request_wrappers(module: Operation) -> None:
    """Functions of func in a GPU module can be called from C."""
    for op in module.regions[0].operations():
        if isinstance(op, FuncOp):
            op.attributes[_C_INTERFACE] = UNIT


def rewrite_first(module: Operation, patterns: Sequence[Pattern], context: Context) -> None:
    """What a single conversion cannot do, since what comes of it is converted in turn."""
    apply_patterns(module, patterns, context)


def patterns_of_dialects(
    module: Operation,
    types: LLVMTypeConverter,
    target: ConversionTarget,
    allowed: Collection[str] = (),
    without: Collection[str] = (),
) -> list[Pattern] | Diagnostic:
    """The patterns of the other dialects, of all or of those that are `allowed`; or what is wrong with one of these,
    which has to be one of the program's to matter."""
    parts = parts_by_dialect()
    present = {op.dialect for op in outermost(module).walk()}
    patterns: list[Pattern] = []
    for name in sorted({*parts, *FURTHER, *(present & {*allowed})}):
        if name in without or (allowed and name not in allowed):
            continue
        if name in parts:
            patterns += parts[name].patterns(types, module)
        elif name in FURTHER:
            if name in present:
                patterns += FURTHER[name](module, types, target)
        else:
            message = f"dialect does not implement ConvertToLLVMPatternInterface: {name}"
            return Diagnostic(message, module.span, code=REFUSED_BY_PASS, op=module)
    return patterns
