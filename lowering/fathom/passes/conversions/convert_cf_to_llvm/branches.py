"""The patterns of `convert-cf-to-llvm`: branches between blocks, and assertions.

A branch also converts the arguments of the blocks that it names, so that what it passes and what they take agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import PTR, LLVMArrayType
from fathom.ir.attributes import (
    UNIT,
    Attribute,
    DenseElementsAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    i32_attr,
    i64_attr,
)
from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.types import I8, POISON, TensorType, Type
from fathom.irdl.build import segment_sizes
from fathom.irdl.groups import SEGMENTS
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.runtime_functions import declare, nearest_symbol_table
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern, bind, named
from fathom.rewriting.splitting import cannot_split
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.ops.cf import AssertOp, BrOp, CondBrOp, SwitchOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter


def patterns(types: LLVMTypeConverter) -> list[Pattern]:
    return bind(FUNCTIONS, types)


def _fit(arguments: Sequence[Type], operands: Sequence[Type]) -> bool:
    """Whether operands can be passed as arguments, as far as their types are known."""
    pairs = zip(arguments, operands, strict=False)
    return len(arguments) == len(operands) and all(one == other or POISON in (one, other) for one, other in pairs)


def converted_block(block: Block, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Converts the arguments of a block that is branched to with `operands`, unless they have those types already."""
    expected = [operand.type for operand in operands]
    if [argument.type for argument in block.arguments] == expected:
        return None
    conversion = rewriter.types.convert_block_signature(block) if rewriter.types is not None else None
    if conversion is None:
        return Failure("could not compute block signature")
    if not _fit(conversion.types, expected):
        return Failure("mismatch between adaptor operand types and computed block signature")
    rewriter.convert_block_signature(block, conversion)
    return None


@named("BranchOpLowering")
def convert_br(op: BrOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`cf.br ^bb1(%a : index)` becomes `llvm.br ^bb1(%a' : i64)`."""
    failure = converted_block(op.dest, operands, rewriter)
    if failure is None:
        rewriter.replace_with(op, "llvm.br", operands, attributes=op.attributes, successors=op.successors)
    return failure


@named("CondBranchOpLowering")
def convert_cond_br(op: CondBrOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`cf.cond_br %c, ^bb1(%a : index), ^bb2` becomes `llvm.cond_br %c, ^bb1(%a' : i64), ^bb2`."""
    _, true, false = groups(op, SEGMENTS["operands"], operands)
    failure = converted_block(op.trueDest, true, rewriter) or converted_block(op.falseDest, false, rewriter)
    if failure is None:
        properties = {name: op.properties[name] for name in CONDITION_PROPERTIES if name in op.properties}
        rewriter.replace_with(op, "llvm.cond_br", operands, (), properties, op.attributes, op.successors)
    return failure


@named("SwitchOpLowering")
def convert_switch(op: SwitchOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        cf.switch %f : i32, [default: ^bb1(%a : index), 42: ^bb2]
    becomes
        llvm.switch %f : i32, ^bb1(%a' : i64) [42: ^bb2]

    Unlike other branches it does not carry attributes over.
    """
    _, default, cases = groups(op, SEGMENTS["operands"], operands)
    given = [default, *groups(op, "case_operand_segments", cases)]
    for successor, values in zip(op.successors, given, strict=True):
        failure = converted_block(successor, values, rewriter)
        if failure is not None:
            return failure
    properties = {name: op.properties[name] for name in SWITCH_PROPERTIES if name in op.properties}
    rewriter.replace_with(op, "llvm.switch", operands, (), properties, successors=op.successors)
    return None


def groups(op: Operation, segments: str, values: Sequence[Value]) -> list[list[Value]]:
    """The values in groups of the sizes that a property of `op` gives."""
    sizes = getattr(op.properties.get(segments), "values", ())
    result: list[list[Value]] = []
    start = 0
    for size in sizes:
        result.append(list(values[start : start + size]))
        start += size
    return result


@named("AssertOpLowering")
def convert_assert(op: AssertOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        cf.assert %c, "message"
        <after>
    becomes
          llvm.cond_br %c, ^continue, ^failed
        ^continue:
          <after>
        …
        ^failed:                                             at the end of the region
          %0 = llvm.mlir.addressof @assert_msg : !llvm.ptr
          %1 = llvm.getelementptr %0[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<8 x i8>
          llvm.call @puts(%1) : (!llvm.ptr) -> ()
          llvm.call @abort() : () -> ()
          llvm.unreachable
    and, at the start of the module, the message and the declarations of the two functions.
    """
    following = _print_where_false(op, operands, rewriter)
    if isinstance(following, Failure):
        return following
    abort = declare(rewriter, op, "abort", [], location=UnknownLoc(), renamed=False)
    if isinstance(abort, Failure):
        return abort
    emit.call(rewriter, abort, [])
    rewriter.create("llvm.unreachable")
    rewriter.erase(op)
    return None


@named("AssertOpLowering")
def convert_assert_and_go_on(op: AssertOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """As `convert_assert`, but after the message comes what follows: `llvm.br ^continue`."""
    following = _print_where_false(op, operands, rewriter)
    if isinstance(following, Failure):
        return following
    rewriter.create("llvm.br", successors=[following])
    rewriter.erase(op)
    return None


def _print_where_false(op: AssertOp, operands: list[Value], rewriter: ConversionRewriter) -> Block | Failure:
    """Branches to what follows `op` where its condition holds, else to a new block that prints its message.

    Returns what follows. The new block is to be ended: operations are created there next.
    """
    block, region = op.parent, op.parent_region
    if block is None or region is None:
        return Failure("an assertion must stand in a block")
    if (failure := cannot_split(op)) is not None:
        return failure
    following = rewriter.split_block(block, op)
    failed = rewriter.create_block(region)
    if (failure := _print_string(op, failed, op.msg.value, rewriter)) is not None:
        return failure
    rewriter.set_insertion_to_end(block)
    rewriter.create("llvm.cond_br", operands, (), {SEGMENTS["operands"]: TEST_ONLY}, successors=[following, failed])
    rewriter.set_insertion_to_end(failed)
    return following


TEST_ONLY: Final = segment_sizes(1, 0, 0)


def _print_string(op: Operation, block: Block, text: str, rewriter: ConversionRewriter) -> Failure | None:
    """Makes a constant of the text, ends it with a zero, and calls `puts` with it at the end of `block`."""
    raw = (*utf8(text), 0)
    values = tuple(byte - 256 if byte > 127 else byte for byte in raw)
    array = LLVMArrayType(len(values), I8)
    module = nearest_symbol_table(op)
    name = rewriter.symbols_in(module).unused("assert_msg")
    (body,) = module.regions[0].blocks
    rewriter.set_insertion_to_start(body)
    elements = values[:1] if len(set(values)) == 1 else values
    properties: dict[str, Attribute] = {
        "addr_space": i32_attr(0),
        "constant": UNIT,
        "global_type": TypeAttr(array),
        "linkage": linkage("private"),
        "sym_name": StringAttr(name),
        "value": DenseElementsAttr(elements, TensorType((len(values),), I8)),
        "visibility_": i64_attr(0),
    }
    rewriter.create("llvm.mlir.global", (), (), properties, regions=[Region()])
    puts = declare(rewriter, op, "puts", [PTR], renamed=False)
    if isinstance(puts, Failure):
        return puts
    rewriter.set_insertion_to_end(block)
    address = rewriter.create("llvm.mlir.addressof", (), [PTR], {"global_name": SymbolRefAttr(name)}).result
    emit.call(rewriter, puts, [emit.gep(rewriter, address, array, 0)])
    return None


CONDITION_PROPERTIES: Final = ("branch_weights", "operandSegmentSizes")
SWITCH_PROPERTIES: Final = ("branch_weights", "case_operand_segments", "case_values", "operandSegmentSizes")

FUNCTIONS: Final = (
    ("cf.br", convert_br),
    ("cf.cond_br", convert_cond_br),
    ("cf.switch", convert_switch),
    ("cf.assert", convert_assert),
)
