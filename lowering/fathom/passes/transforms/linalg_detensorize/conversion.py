"""The conversion of `linalg-detensorize`: of tensors without dimensions to their elements.

Source of the rules: *Dialect Conversion*, and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.locations import UnknownLoc
from fathom.ir.types import TensorType, Type
from fathom.irdl.interfaces import Branch, FunctionLike
from fathom.irdl.traits import RETURN_LIKE, TERMINATOR
from fathom.passes.structured.generics import body_of, canonicalizing_with
from fathom.passes.transforms.linalg_detensorize import choice
from fathom.rewriting.conversion_driver import apply_full_conversion
from fathom.rewriting.greedy_driver import apply_patterns
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.target import ConversionTarget
from fathom.rewriting.type_converter import SignatureConversion, TypeConverter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Block, Operation, Region, Value
    from fathom.ops.linalg import GenericOp
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def detensorize(op: Operation, context: Context, *, everything: bool) -> list[Diagnostic]:
    """Rewrites the body of a function: all that can be, or what branches need.

    While that is done, the body has another block in front, so that its own first one may be cut where an operation
    gives way to what it does, and what constants there are come together there.
    """
    function = op.interface(FunctionLike)
    body = function.body(op) if function is not None else None
    if body is None or body.first is None:
        return []
    entry, rest, branch = _with_another_in_front(body.first, context)
    chosen = choice.everything(body) if everything else choice.what_branches_need(body)
    diagnostics = _convert(op, chosen, context)
    apply_patterns(op, canonicalizing_with(context, "tensor", "ExtractElementFromIndexCast"), context)
    branch.erase()
    Rewriter(context).inline_block_before(rest, entry, None)
    return diagnostics


def _with_another_in_front(entry: Block, context: Context) -> tuple[Block, Block, Operation]:
    """The first block, which is empty but for the branch that leads on; the one that has what was in it; the branch."""
    rewriter = Rewriter(context)
    rest = rewriter.split_block(entry, entry.first)
    rewriter.set_insertion_to_end(entry)
    rewriter.location = UnknownLoc()
    return entry, rest, rewriter.create("cf.br", successors=[rest])


class _Elements(TypeConverter):
    """A tensor without dimensions is its element."""

    def convert_uncached(self, type: Type) -> Type | Sequence[Type] | None:
        return type.element if isinstance(type, TensorType) and choice.has_one_element(type) else type

    def materialize_source(self, rewriter: Rewriter, type: Type, inputs: Sequence[Value]) -> Value | None:
        if isinstance(inputs[0].type, TensorType):
            return None
        return rewriter.create("tensor.from_elements", inputs, [type]).result

    def materialize_target(
        self, rewriter: Rewriter, types: Sequence[Type], inputs: Sequence[Value], original: Type | None
    ) -> Sequence[Value] | None:
        return [rewriter.create("tensor.extract", inputs, types).result]


def _convert(op: Operation, chosen: choice.Choice, context: Context) -> list[Diagnostic]:
    types, places = _Elements(), chosen.places()

    def has_its_arguments(function: Operation, body: Region) -> bool:
        return all(
            argument not in chosen.arguments or types.is_legal(argument.type)
            for block in list(body.blocks)[1:]
            for argument in block.arguments
        )

    def is_legal(other: Operation) -> bool:
        function = other.interface(FunctionLike)
        if function is not None:
            body = function.body(other)
            return body is None or has_its_arguments(other, body)
        if not _ends_a_function(other) or other.has(RETURN_LIKE):
            return True
        if other.interface(Branch) is None:
            return False
        return all(types.is_legal(other.operands[place].type) for place in places.get(other, ()))

    def arguments(function: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        interface = function.interface(FunctionLike)
        body = interface.body(function) if interface is not None else None
        if body is None:
            return NO_MATCH
        rewriter.modify(function, lambda: None)
        for block in list(body.blocks)[1:]:
            signature = SignatureConversion()
            for argument in block.arguments:
                wanted = types.convert_many(argument.type) if argument in chosen.arguments else None
                signature.add(wanted or (argument.type,))
            rewriter.convert_block_signature(block, signature)
        return None

    def passed(branch: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        values = list(branch.operands)
        for place in places.get(branch, ()):
            values[place] = operands[place]
        rewriter.modify(branch, lambda: branch.set_operands(values))
        return None

    target = ConversionTarget().others(is_legal)
    target.dynamically_legal(lambda other: other not in chosen.ops, "linalg.generic")
    held = {inner.name: inner for inner in op.walk()}
    functions = [name for name, sample in held.items() if sample.interface(FunctionLike) is not None]
    branches = [name for name, sample in held.items() if sample.interface(Branch) is not None]
    patterns = [
        Pattern("linalg.generic", _inlined, types, name="DetensorizeGenericOp"),
        *(Pattern(name, arguments, types, name="FunctionNonEntryBlockConversion") for name in functions),
        *(Pattern(name, passed, types, name="BranchOpInterfaceTypeConversion") for name in branches),
    ]
    return apply_full_conversion(op, target, patterns, context)


def _ends_a_function(op: Operation) -> bool:
    """Whether it may be a terminator, and stands where those of a function do."""
    if op.definition is not None and not op.has(TERMINATOR):
        return False
    around = op.parent_op
    return op.next is None and around is not None and around.interface(FunctionLike) is not None


def _inlined(op: GenericOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """What the operation does with elements stands in its place."""
    block, body, end = op.parent, body_of(op), body_of(op).last
    if block is None or block.parent is None or end is None:
        return NO_MATCH
    following = rewriter.split_block(block, op)
    rewriter.inline_region_before(op.region, block.parent, following)
    rewriter.replace(op, end.operands)
    rewriter.inline_block_before(body, block, None, operands)
    rewriter.inline_block_before(following, block, None)
    rewriter.erase(end)
    return None
