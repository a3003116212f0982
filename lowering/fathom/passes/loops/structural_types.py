"""Loops and conditions that hand on values whose types a conversion changes: they stay, with the converted types.

    %r = scf.for … iter_args(%x = %a) -> !nvgpu.warpgroup.accumulator<…>
->
    %r = scf.for … iter_args(%x = %b) -> !llvm.struct<…>

Source of the rules: `StructuralTypeConversions.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.operation import Operation, Region
from fathom.ops.scf import ForOp, IfOp, IndexSwitchOp, WhileOp
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.target import ConversionTarget
    from fathom.rewriting.type_converter import TypeConverter

    Many: TypeAlias = Sequence[Sequence[Value]]

_GIVING: Final = ("scf.for", "scf.if", "scf.index_switch")
_TAKING: Final = ("scf.while", "scf.condition")
_END: Final = "scf.yield"
_ENDED: Final = (ForOp, IfOp, IndexSwitchOp, WhileOp)


def allow(types: TypeConverter, target: ConversionTarget) -> None:
    """What gives, takes or hands on values is legal if these have converted types."""
    target.dynamically_legal(lambda op: all(types.is_legal(result.type) for result in op.results), *_GIVING)
    target.dynamically_legal(types.accepts, *_TAKING)
    target.dynamically_legal(lambda op: _is_legal_end(op, types), _END)


def _is_legal_end(op: Operation, types: TypeConverter) -> bool:
    return not isinstance(op.parent_op, _ENDED) or all(types.is_legal(operand.type) for operand in op.operands)


def patterns(types: TypeConverter) -> list[Pattern]:
    """Those for all of them."""
    table = {
        "scf.for": _retyped("ConvertForOpTypes", with_arguments=True),
        "scf.if": _retyped("ConvertIfOpTypes"),
        _END: _end,
        "scf.while": _retyped("ConvertWhileOpTypes", with_arguments=True),
        "scf.condition": _condition,
        "scf.index_switch": _retyped("ConvertIndexSwitchOpTypes"),
    }
    return [Pattern(name, function, types, one_to_many=True) for name, function in table.items()]


def _retyped(
    name: str, *, with_arguments: bool = False
) -> Callable[[Operation, Many, ConversionRewriter], Failure | None]:
    @named(name)
    def rewrite(op: Operation, operands: Many, rewriter: ConversionRewriter) -> Failure | None:
        types = rewriter.types
        assert types is not None
        converted = [types.convert_many(result.type) for result in op.results]
        if None in converted:
            return Failure("could not convert result type")
        groups = [group or () for group in converted]
        if with_arguments:
            for region in op.regions:
                failure = rewriter.convert_region_types(region)
                if failure is not None:
                    return failure
        flat = [value for values in operands for value in values]
        made = Operation(
            op.name,
            flat,
            [type for group in groups for type in group],
            dict(op.properties),
            dict(op.attributes),
            (),
            [Region() for _ in op.regions],
            rewriter.span,
            op.definition,
        )
        made.location = rewriter.location
        rewriter.insert(made)
        for region, new in zip(op.regions, made.regions, strict=True):
            rewriter.inline_region_before(region, new, None)
        results = iter(made.results)
        rewriter.replace(op, [[next(results) for _ in group] for group in groups])
        return None

    return rewrite


@named("ConvertYieldOpTypes")
def _end(op: Operation, operands: Many, rewriter: ConversionRewriter) -> None:
    rewriter.replace_with(op, op.name, [value for values in operands for value in values])


@named("ConvertConditionOpTypes")
def _condition(op: Operation, operands: Many, rewriter: ConversionRewriter) -> None:
    flat = [value for values in operands for value in values]
    rewriter.modify(op, lambda: op.set_operands(flat))
