"""What a lowering to the LLVM dialect left as it was, and why."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from fathom.diagnostics import Diagnostic, Note
from fathom.ir.operation import MODULE, Operation
from fathom.pipeline.stages import PipelineResult

FURTHER_PASSES: Final = {
    "math": "convert-math-to-llvm",
    "vector": "convert-vector-to-llvm",
    "index": "convert-index-to-llvm",
    "complex": "convert-complex-to-llvm",
    "affine": "lower-affine",
    "linalg": "convert-linalg-to-loops",
    "tensor": "one-shot-bufferize",
    "bufferization": "one-shot-bufferize",
    "tosa": "tosa-to-linalg",
    "ub": "convert-ub-to-llvm",
    "gpu": "gpu-to-llvm",
    "async": "convert-async-to-llvm",
    "shape": "convert-shape-to-std",
    "ptr": "convert-ptr-to-llvm",
}
"""Which of MLIR's passes lowers a dialect that this pipeline does not."""


def left_behind(module: Operation, ran: PipelineResult | None = None) -> list[Diagnostic]:
    """One diagnostic for each operation that a lowering to the LLVM dialect left as it was, at its own span.

    `ran` is the run that left them, which tells a pass that failed to lower an operation from one that was never asked.
    """
    passes = None if ran is None else {stage.use.name for stage in ran.stages}
    found: list[Diagnostic] = []
    for op in module.walk():
        if op.dialect == "llvm" or op is module or op.name == MODULE:
            continue
        if op.name != "builtin.unrealized_conversion_cast":
            found.append(_left(op, passes))
    if found:
        return found
    return [_stranded(op) for op in module.walk() if op.name == "builtin.unrealized_conversion_cast"]


def _left(op: Operation, passes: Container[str] | None) -> Diagnostic:
    from fathom.passes import PASS_FOR_DIALECT

    own, further = PASS_FOR_DIALECT.get(op.dialect), FURTHER_PASSES.get(op.dialect)
    if own is not None and passes is not None and own not in passes:
        cause = f"the pipeline does not run the pass {own}"
        fix = f"add --{own} to it"
    elif own is not None:
        cause = _reason(op) or f"'{own}' has no rule that fits this '{op.name}'"
        fix = f"it is lowered by the pass {own}, for operands and results whose types have an LLVM equivalent"
    elif further is not None:
        cause = f"no pass of this pipeline lowers the '{op.dialect}' dialect"
        fix = f"in MLIR this is done by the pass {further}"
    else:
        cause = f"the dialect '{op.dialect}' is not known here, so nothing lowers it"
        fix = "lower it with the tool that knows it before this pipeline runs"
    return Diagnostic(
        f"'{op.name}' op was left behind by the lowering to the LLVM dialect",
        op.span,
        code="lowering",
        notes=(Note(cause), Note(fix)),
    )


def _reason(op: Operation) -> str | None:
    from fathom.passes.to_llvm.describe import describe

    for value in (*op.operands, *op.results):
        reason = describe(value.type).reason
        if reason:
            return reason
    return None


def _stranded(op: Operation) -> Diagnostic:
    types = f"{op.operands[0].type if op.operands else '()'} to {op.results[0].type if op.results else '()'}"
    return Diagnostic(
        "failed to legalize operation 'builtin.unrealized_conversion_cast' that was explicitly marked illegal",
        op.span,
        code="lowering",
        notes=(
            Note(f"the cast from {types} remains, because one side of it was lowered and the other was not"),
            Note("run the pass that lowers the other side, then reconcile-unrealized-casts"),
        ),
    )
