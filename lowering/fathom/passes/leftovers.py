"""What a pass or a pipeline left as it was: a diagnostic at each operation, with the cause and what would help.

mlir-opt leaves such operations without a word, and the error comes later, from another tool. Which pass takes what away
is what the passes declare (`Pass.removes`, `Pass.elsewhere`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from fathom.diagnostics import LOWERING, Diagnostic, Note
from fathom.dialects.llvm.types import LLVM_FLOATS
from fathom.ir.attributes import TypeAttr
from fathom.ir.operation import MODULE
from fathom.ir.types import POISON, FloatType, FunctionType, element_type
from fathom.passes import all_passes
from fathom.passes.mlir import LOWERED_BY, TRANSLATED
from fathom.passes.to_llvm.describe import describe, why_not, why_not_passed
from fathom.passes.to_llvm.interface import DialectToLLVM
from fathom.rewriting.type_converter import CAST

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.definition import Pass
    from fathom.passes.to_llvm.llvm_types import LLVMTypes


@cache
def _removers() -> dict[str, type[Pass]]:
    """The pass that takes the operations of a dialect away, by dialect."""
    return {dialect: found for found in all_passes() for dialect in found.removes}


def advice(op: Operation) -> str | None:
    """What would lower an operation that a conversion had to convert and did not."""
    remover = _removers().get(op.dialect)
    if remover is None:
        return None
    other = remover.elsewhere.get(op.name)
    return f"'{op.name}' is {f'lowered by the pass --{remover.name}' if other is None else f'rewritten by {other}'}"


def left_by(
    use: Pass,
    root: Operation,
    reasons: Mapping[Operation, str],
    types: LLVMTypes | None = None,
    parts: Sequence[Pass] = (),
) -> list[Diagnostic]:
    """A warning for each operation of the dialects that a pass, or one whose work it does, removes which is still there
    after it.

    `reasons` is what the conversion said of single ones; `types` are those that it converts to, if it does.
    """
    found: list[Diagnostic] = []
    by_dialect = {dialect: part for part in parts or (use,) for dialect in part.removes}
    for op in root.walk():
        part = by_dialect.get(op.dialect)
        if part is None or _follows(op):
            continue
        if op.name in part.elsewhere:
            text = f"'{op.name}' is rewritten by {part.elsewhere[op.name]}"
        else:
            text = (_type_without_counterpart(op, types) if types is not None else None) or reasons.get(op)
        notes = (Note(text, op.span, hint=True),) if text is not None else ()
        message = f"'{op.name}' was not lowered by --{use.name}"
        found.append(Diagnostic(message, op.span, severity="warning", code=LOWERING, notes=notes, hint=True))
    return found


def _type_without_counterpart(op: Operation, types: LLVMTypes) -> str | None:
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
            reason = _unusable(value, types) if op.dialect in ("arith", "math") else why_not(value.type, types)
            if reason is not None:
                return f"{kind} #{index}: {reason}"
    return None


def _unusable(value: Value, types: LLVMTypes) -> str | None:
    element = element_type(value.type)
    if isinstance(element, FloatType) and element.name not in LLVM_FLOATS:
        return f"LLVM carries '{element}' as an integer and cannot compute with it; extend it to f32 first"
    return why_not(value.type, types)


def left_behind(module: Operation, asked: Container[str] | None = None) -> list[Diagnostic]:
    """One diagnostic for each operation that a lowering to the LLVM dialect left as it was, at its own span.

    `asked` are the names of the passes of the lowering, which tell one that failed to lower an operation from one that
    was never asked.
    """
    found: list[Diagnostic] = []
    for op in module.walk():
        if op.dialect == "llvm" or op is module or op.name == MODULE:
            continue
        if op.name != CAST and not _follows(op):
            found.append(_left(op, asked))
    if found:
        return found
    return [_stranded(op) for op in module.walk() if op.name == CAST]


def _follows(op: Operation) -> bool:
    """Whether an operation that is known uses something of an unknown type, which the operation behind that is to blame
    for."""
    return op.definition is not None and any(value.type == POISON for value in (*op.operands, *op.results))


def _left(op: Operation, asked: Container[str] | None) -> Diagnostic:
    remover = _removers().get(op.dialect)
    further = LOWERED_BY.get(op.dialect)
    before = remover.elsewhere.get(op.name) if remover is not None else None
    if remover is not None and asked is not None and not _was_asked(remover, asked):
        cause = f"the pipeline does not run the pass {remover.name}"
        fix = f"add --{remover.name} to it" + (f", and before that {before}" if before is not None else "")
    elif remover is not None and before is not None:
        cause = f"'{remover.name}' leaves '{op.name}' as it is"
        fix = f"run what rewrites it before: {before}"
    elif remover is not None:
        cause = _reason(op) or f"'{remover.name}' has no rule that fits this '{op.name}'"
        fix = f"it is lowered by the pass {remover.name}, for operands and results whose types have an LLVM equivalent"
    elif further is not None:
        cause = f"no pass of this pipeline lowers the '{op.dialect}' dialect"
        fix = f"in MLIR this is done by the pass {further}"
    elif op.dialect in TRANSLATED:
        cause = f"'{op.dialect}' goes into LLVM IR as it is, by mlir-translate; Fathom has no translation of it"
        fix = "translate it with mlir-translate"
    elif op.definition is not None:
        cause = f"no pass of this pipeline lowers the '{op.dialect}' dialect"
        fix = "lower it with mlir-opt before this pipeline runs"
    else:
        cause = f"no pass here knows the dialect '{op.dialect}', so nothing lowers it"
        fix = "lower it with the tool that knows it before this pipeline runs"
    return Diagnostic(
        f"'{op.name}' op was left behind by the lowering to the LLVM dialect",
        op.span,
        code=LOWERING,
        notes=(Note(cause, hint=True), Note(fix, hint=True)),
    )


def _was_asked(remover: type[Pass], asked: Container[str]) -> bool:
    """Whether a pass was among those of the lowering, or one that does its work."""
    return remover.name in asked or (issubclass(remover, DialectToLLVM) and "convert-to-llvm" in asked)


def _reason(op: Operation) -> str | None:
    reasons = (describe(value.type).reason for value in (*op.operands, *op.results))
    return next((reason for reason in reasons if reason), None)


def _stranded(op: Operation) -> Diagnostic:
    types = f"{op.operands[0].type if op.operands else '()'} to {op.results[0].type if op.results else '()'}"
    return Diagnostic(
        "failed to legalize operation 'builtin.unrealized_conversion_cast' that was explicitly marked illegal",
        op.span,
        code=LOWERING,
        notes=(
            Note(f"the cast from {types} remains, because one side of it was lowered and the other was not", hint=True),
            Note("run the pass that lowers the other side, then reconcile-unrealized-casts", hint=True),
        ),
    )
