"""What the passes to the LLVM dialect have in common: the type converter that their options ask for, the target, and
the conversion itself, with a report of what it left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fathom.diagnostics import ILLEGAL_PRODUCT, LOWERING, Diagnostic
from fathom.dialects.llvm.type_layout import MACHINE_WORD, layout_around
from fathom.ir.operation import Operation
from fathom.passes.remarks import left_by
from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
from fathom.passes.to_llvm.llvm_types import LoweringOptions
from fathom.records import replace
from fathom.rewriting.conversion_driver import apply_partial_conversion
from fathom.rewriting.target import ConversionTarget

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.passes.definition import Pass
    from fathom.rewriting.conversion_driver import Advice
    from fathom.rewriting.pattern import Pattern


def type_converter(
    index_bitwidth: int,
    root: Operation,
    *,
    by_layout: bool = False,
    use_bare_ptr_memref_call_conv: bool = False,
    use_aligned_alloc: bool = False,
    use_generic_functions: bool = False,
    data_layout: str = "",
) -> LLVMTypeConverter:
    """The converter of a conversion of `root` with these options of a pass.

    Without a width, an index has a machine word's; or the one of the closest data layout, which passes look at that say
    `by_layout`.
    """
    return LLVMTypeConverter(
        LoweringOptions(
            index_bitwidth=index_bitwidth or (layout_around(root).index_width if by_layout else MACHINE_WORD),
            use_bare_ptr_memref_call_conv=use_bare_ptr_memref_call_conv,
            use_aligned_alloc=use_aligned_alloc,
            use_generic_functions=use_generic_functions,
            data_layout=data_layout,
        ),
        root,
    )


def llvm_target() -> ConversionTarget:
    """The LLVM dialect is legal, and the casts that passes leave between them; of all else nothing is said."""
    return ConversionTarget().legal("llvm", "builtin.unrealized_conversion_cast")


def convert_to_llvm(
    op: Operation,
    target: ConversionTarget,
    patterns: Iterable[Pattern],
    types: LLVMTypeConverter,
    context: Context,
    advice: Advice | None = None,
    reasons: dict[Operation, str] | None = None,
    *,
    may_undo: bool = True,
) -> list[Diagnostic]:
    """`apply_partial_conversion`, with what MLIR says of types besides: errors at no place, which stop nothing."""
    diagnostics = apply_partial_conversion(op, target, patterns, context, advice, reasons, may_undo=may_undo)
    said = [Diagnostic(text, code=LOWERING, fatal=False, unplaced=True) for text in dict.fromkeys(types.complaints)]
    return said + diagnostics


def lower_to_llvm(
    use: Pass,
    op: Operation,
    patterns: Iterable[Pattern],
    types: LLVMTypeConverter,
    context: Context,
    target: ConversionTarget | None = None,
    parts: Sequence[Pass] = (),
    *,
    may_undo: bool = True,
) -> list[Diagnostic]:
    """Converts what the patterns can. An operation of the pass's dialects that stays is reported at its span; those of
    a pass that does the work of several are theirs (`parts`)."""
    reasons: dict[Operation, str] = {}
    diagnostics = convert_to_llvm(
        op, target or llvm_target(), patterns, types, context, reasons=reasons, may_undo=may_undo
    )
    if any(diagnostic.code == ILLEGAL_PRODUCT and diagnostic.fatal for diagnostic in diagnostics):
        return diagnostics  # It ended there, and what it had no time for it did not leave.
    left = left_by(use, op, reasons, types, parts)
    if left:
        # It says at a place what MLIR says of a type at none.
        diagnostics = [
            replace(diagnostic, follows_from=left[0]) if diagnostic.unplaced else diagnostic
            for diagnostic in diagnostics
        ]
    return diagnostics + left
