"""What a pass left behind of its own dialect: a diagnostic at the operation, with the cause and what would help.

mlir-opt leaves such operations without a word, and the error comes later, from another tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fathom.diagnostics import Diagnostic, Note
from fathom.dialects.llvm.types import LLVM_FLOATS
from fathom.ir.attributes import TypeAttr
from fathom.ir.types import FloatType, FunctionType, element_type
from fathom.passes.to_llvm.describe import why_not, why_not_passed

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_types import LLVMTypes


def report_leftovers(
    root: Operation,
    dialect: str,
    pass_name: str,
    types: LLVMTypes,
    elsewhere: Mapping[str, str],
    reasons: Mapping[Operation, str],
) -> list[Diagnostic]:
    """A warning for each operation of `dialect` that is still there after `pass_name`.

    `elsewhere` names, for an operation, what would rewrite it; `reasons` is what the conversion said of single ones.
    """
    found: list[Diagnostic] = []
    for op in root.walk():
        if op.dialect != dialect:
            continue
        if op.name in elsewhere:
            texts = [f"'{op.name}' is rewritten by {elsewhere[op.name]}"]
        else:
            texts = [_cause(op, types) or reasons.get(op)]
        notes = tuple(Note(text, op.span) for text in texts if text is not None)
        message = f"'{op.name}' was not lowered by --{pass_name}"
        found.append(Diagnostic(message, op.span, severity="warning", code="lowering", notes=notes))
    return found


def _cause(op: Operation, types: LLVMTypes) -> str | None:
    """The first operand or result, or type of a function's signature, that LLVM does not have, and why."""
    signature = op.properties.get("function_type")
    if isinstance(signature, TypeAttr) and isinstance(signature.type, FunctionType):
        for kind, group in (("argument", signature.type.inputs), ("result", signature.type.results)):
            for index, type in enumerate(group):
                reason = why_not_passed(type, types)
                if reason is not None:
                    return f"{kind} #{index}: {reason}"
    for kind, values in (("operand", op.operands), ("result", op.results)):
        for index, value in enumerate(values):
            reason = _unusable(value, types) if op.dialect == "arith" else why_not(value.type, types)
            if reason is not None:
                return f"{kind} #{index}: {reason}"
    return None


def _unusable(value: Value, types: LLVMTypes) -> str | None:
    element = element_type(value.type)
    if isinstance(element, FloatType) and element.name not in LLVM_FLOATS:
        return f"LLVM carries '{element}' as an integer and cannot compute with it; extend it to f32 first"
    return why_not(value.type, types)
