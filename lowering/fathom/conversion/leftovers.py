"""What a lowering to the LLVM dialect left behind, each with its reason and the pass that would take it away.

mlir-opt leaves such operations without a word, and the error comes later, from the translation. Here each gets that same
error at its own place in the source, before anything is translated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.conversion import advice
from fathom.conversion.type_converter import LLVMTypeConverter
from fathom.dialects.llvm.types import LLVM_FLOATS
from fathom.ir.operation import Operation, Value
from fathom.ir.types import FloatType, TensorType, element_type
from fathom.rewriting.type_converter import CAST
from fathom.verify.diagnostic import Diagnostic, Note

MESSAGE: Final = (
    "cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: "
)


def leftovers(root: Operation) -> list[Diagnostic]:
    """An error for each operation that is not of the LLVM dialect, in order, after all passes have run.

    Casts between types are named only where no other operation is to blame.
    """
    types = LLVMTypeConverter()
    left = list(_remaining(root))
    others = [op for op in left if op.name != CAST]
    return [_diagnostic(op, types) for op in others or left]


def _remaining(root: Operation) -> Iterator[Operation]:
    for op in root.walk():
        if op.dialect != "llvm" and op.name != "builtin.module":
            yield op


def _diagnostic(op: Operation, types: LLVMTypeConverter) -> Diagnostic:
    reasons = (_type_reason(op, types), advice(op) if op.name != CAST else _cast_reason(op))
    notes = tuple(Note(text, op.span) for text in reasons if text is not None)
    return Diagnostic(MESSAGE + op.name, op.span, code="lowering", notes=notes)


def _type_reason(op: Operation, types: LLVMTypeConverter) -> str | None:
    """Which operand or result has a type that the LLVM dialect cannot express."""
    if op.name == CAST:
        return None
    for kind, values in (("operand", op.operands), ("result", op.results)):
        for index, value in enumerate(values):
            reason = _unconvertible(value, types)
            if reason is not None:
                return f"{kind} #{index} has type '{value.type}', {reason}"
    return None


def _unconvertible(value: Value, types: LLVMTypeConverter) -> str | None:
    element = element_type(value.type)
    if isinstance(value.type, TensorType):
        return "and a tensor has no memory yet: bufferize it, or use a vector or a memref"
    if types.convert_many(value.type) is None:
        return "which has no counterpart in the LLVM dialect"
    if isinstance(element, FloatType) and element.name not in LLVM_FLOATS:
        return f"and LLVM cannot compute with '{element}', which it carries as an integer: extend it to f32 first"
    return None


def _cast_reason(op: Operation) -> str:
    inputs = ", ".join(f"'{operand.type}'" for operand in op.operands)
    outputs = ", ".join(f"'{result.type}'" for result in op.results)
    return f"the passes disagree on a type: one gives {inputs} where another takes {outputs}"
