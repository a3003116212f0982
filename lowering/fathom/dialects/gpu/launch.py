"""Kernels in place: `gpu.launch`, and the part of a kernel that one lane of a warp runs.

Source of the rules: *'gpu' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.gpu.directives import is_async, parse_async, print_async
from fathom.dialects.gpu.functions import (
    check_memory,
    parse_memory,
    print_memory,
    workgroup_count,
)
from fathom.ir.types import INDEX, VectorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.keywords import bracketed, expect_keyword
from fathom.irdl.region_arguments import print_assignments
from fathom.irdl.traits import TERMINATOR
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import gpu as ops

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.ir.types import Type
    from fathom.irdl.protocols import Argument, OpParser, OpPrinter, ParsedOp

LEAST_ARGUMENTS: Final = 12
"""A block's and a thread's indices and the sizes of the grid and of blocks, in three dimensions each."""
CLUSTER_ARGUMENTS: Final = 6
SIZES: Final = tuple(f"{of}Size{axis}" for of in ("grid", "block", "cluster") for axis in "XYZ")
"""The operands of launches that are sizes, in order."""

# ---- gpu.launch


_PLACES: Final = {"gridSizeX": (0, 6), "blockSizeX": (3, 9), "clusterSizeX": (12, 15)}
"""Where the indices and the sizes begin among the arguments of the body, by the first of the sizes."""


def _parse_sizes(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`(%x, %y, %z) in (%sx = %a, %sy = %b, %sz = %c)`: indices, names of the sizes, and the sizes."""
    names: list[Argument] = []
    read = partial(parser.argument, allow_type=False, allow_attributes=False)
    indices = bracketed(parser, "()", read, "argument list")
    expect_keyword(parser, parsed, "in")
    if len(indices) != 3:
        parser.fail(f"custom op '{parsed.name}' expected three indices")
    parser.expect("(")
    for position, name in enumerate(arguments):
        if position:
            parser.expect(",")
        names.append(read())
        parser.expect("=")
        parsed.operands[name] = [parser.value_use()]
    parser.expect(")")
    parsed.notes.setdefault("ids", {}).update(zip(_PLACES[arguments[0]], (indices, names), strict=True))


def _print_sizes(op: ops.LaunchOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    indices, names = (op.body.arguments[place : place + 3] for place in _PLACES[arguments[0]])
    p.write("(")
    p.values(indices)
    p.write(") in (")
    print_assignments(names, [op.one_of(name) for name in arguments], p)
    p.write(")")


def _parse_memory(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """The memory of a launch; the arguments of the body begin with what was read of sizes."""
    ids: Mapping[int, Sequence[Argument]] = parsed.notes["ids"]
    parsed.named = [argument for place in sorted(ids) for argument in ids[place]]
    for argument in parsed.named:
        argument.type = INDEX
    parse_memory(parser, parsed, arguments)


def _print_memory(op: ops.LaunchOp, p: OpPrinter, _: Sequence[str]) -> None:
    print_memory(op, p, op.body.arguments[_ids(op) :])


def _print_async(op: ops.LaunchOp, p: OpPrinter, _: Sequence[str]) -> None:
    if is_async(op):
        p.write(" ")
        print_async(op, p)


def has_cluster(op: ops.LaunchOp) -> bool:
    """Whether a launch says the sizes of clusters."""
    return all(op.all_of(f"clusterSize{axis}") for axis in "XYZ")


def _ids(op: ops.LaunchOp) -> int:
    """How many arguments of the body are no memory."""
    return LEAST_ARGUMENTS + (CLUSTER_ARGUMENTS if has_cluster(op) else 0)


@verifies("gpu.launch")
def _verify_launch(op: ops.LaunchOp) -> Complaint:
    if not has_cluster(op) and any(op.all_of(f"clusterSize{axis}") for axis in "XYZ"):
        return "cluster size must be all present"
    return None


@verifies("gpu.launch", regions=True)
def _verify_launch_regions(op: ops.LaunchOp) -> Complaint:
    inside, count = op.body.arguments, workgroup_count(op)
    if op.body.first is not None and len(inside) < LEAST_ARGUMENTS + count:
        return "unexpected number of region arguments"
    if problems := check_memory(inside[_ids(op) :], count):
        return problems
    for block in op.body.blocks:
        last = block.last
        if last is None or (last.definition is not None and not last.has(TERMINATOR)):
            # That the block does not end is said of it.
            continue
        if not last.successors and not isinstance(last, ops.TerminatorOp):
            message = "expected 'gpu.terminator' or a terminator with successors"
            return Problem(message, at=last, notes=(("in 'gpu.launch' body region", op),), bare=True)
    return None


# ---- gpu.warp_execute_on_lane_0

WARP: Final = two_way(
    "`` `(` $laneid `)` `` `[` `` $warp_size `` `]` (`args` `(` $args^ `:` type($args) `)`)? "
    "custom<Results>(type($results)) $warpRegion attr-dict"
)


def distribution_problem(whole: Type, part: Type, warp: int) -> Complaint:
    """What keeps a value from being dealt out to the lanes of a warp."""
    if whole == part:
        return None
    if not isinstance(whole, VectorType) or not isinstance(part, VectorType):
        return "expected vector type for distributed operands."
    left, right = whole.shape or (), part.shape or ()
    if len(left) != len(right) or whole.element != part.element:
        return "expected distributed vectors to have same rank and element type."
    lanes = 1
    for index, (extent, own) in enumerate(zip(left, right, strict=True)):
        if extent == own:
            continue
        if not own or extent % own:
            message = f"expected expanded vector dimension #{index} ({extent})"
            return f"{message} to be a multipler of the distributed vector dimension ({own})"
        lanes *= extent // own
    if lanes != warp:
        return f"incompatible distribution dimensions from '{whole}' to '{part}' with warp size = {warp}"
    return None


@verifies("gpu.warp_execute_on_lane_0", regions=True)
def _verify_warp_regions(op: ops.WarpExecuteOnLane0Op) -> Complaint:
    body = op.warpRegion.first
    last = body.last if body is not None else None
    if body is None or last is None:
        return None
    if len(op.args) != len(body.arguments):
        return "expected same number op arguments and block arguments."
    if len(last.operands) != len(op.results):
        return "expected same number of yield operands and return values."
    pairs = [*zip(body.arguments, op.args, strict=True), *zip(last.operands, op.results, strict=True)]
    for whole, part in pairs:
        if problems := distribution_problem(whole.type, part.type, op.warp_size.value):
            return problems
    return None


_LAUNCH: Final = """custom<Async>(type($asyncToken), $asyncDependencies)
    (`clusters` custom<Sizes>($clusterSizeX, $clusterSizeY, $clusterSizeZ)^)?
    `blocks` custom<Sizes>($gridSizeX, $gridSizeY, $gridSizeZ)
    `threads` custom<Sizes>($blockSizeX, $blockSizeY, $blockSizeZ)
    (`dynamic_shared_memory_size` $dynamicSharedMemorySize^)?
    (`module` `(` $module^ `)`)? (`function` `(` $function^ `)`)?
    custom<LaunchMemory>() custom<Unlabelled>($body)
    custom<Attributes>(ref($module), ref($function), "workgroup_attributions", "operandSegmentSizes")"""
DIRECTIVES: Final = {
    "Attributes": CustomDirective(
        lambda parser, parsed, _: parser.attr_dict(parsed),
        lambda op, p, names: p.attributes_but(op, names),
        spaced=True,
    ),
    "Async": CustomDirective(parse_async, _print_async, spaced=True),
    "LaunchMemory": CustomDirective(_parse_memory, _print_memory, spaced=True),
    "Sizes": CustomDirective(_parse_sizes, _print_sizes, spaced=True),
}
CODE: Final = {
    "launch": OpCode(custom=two_way(_LAUNCH)),
    "warp_execute_on_lane_0": OpCode(custom=WARP),
}
