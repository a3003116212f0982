"""Kernels in place: `gpu.launch`, and the part of a kernel that one lane of a warp runs.

Source of the rules: *'gpu' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.gpu.directives import is_async, parse_async, print_async
from fathom.dialects.gpu.functions import (
    WORKGROUP_COUNT,
    Memory,
    check_memory,
    parse_memory,
    print_memory,
    workgroup_count,
)
from fathom.dialects.gpu.types import ASYNC_TOKEN
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr, SymbolRefAttr
from fathom.ir.types import I32, I64, INDEX, VectorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.keywords import bracketed, expect_keyword
from fathom.irdl.region_arguments import print_assignments
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import gpu as ops
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import BlockArgument, Value
    from fathom.ir.types import Type
    from fathom.irdl.protocols import Argument, OpParser, OpPrinter, ParsedOp, Ref, Resolver

LEAST_ARGUMENTS: Final = 12
"""A block's and a thread's indices and the sizes of the grid and of blocks, in three dimensions each."""
CLUSTER_ARGUMENTS: Final = 6
_SEGMENTS: Final = "operandSegmentSizes"
_ELIDED: Final = frozenset((_SEGMENTS, WORKGROUP_COUNT, "module", "function"))

# ---- gpu.launch


@record
class _Launch:
    """The memory of a launch, and whether its blocks form clusters."""

    memory: Memory
    has_cluster: bool


@record
class _Sizes:
    """`(%x, %y, %z) in (%sx = %a, %sy = %b, %sz = %c)`: indices, names of the sizes, and the sizes."""

    indices: tuple[Argument, ...]
    names: tuple[Argument, ...]
    sizes: tuple[Ref, ...]


def _parse_sizes(parser: OpParser, parsed: ParsedOp) -> _Sizes:
    names: list[Argument] = []
    sizes: list[Ref] = []
    read = partial(parser.argument, allow_type=False, allow_attributes=False)
    indices = bracketed(parser, "()", read, "argument list")
    expect_keyword(parser, parsed, "in")
    if len(indices) != 3:
        parser.fail(f"custom op '{parsed.name}' expected three indices")
    parser.expect("(")
    for position in range(3):
        if position:
            parser.expect(",")
        names.append(read())
        parser.expect("=")
        sizes.append(parser.value_use())
    parser.expect(")")
    return _Sizes(tuple(indices), tuple(names), tuple(sizes))


def _parse_launch(parser: OpParser, parsed: ParsedOp) -> _Launch:
    parse_async(parser, parsed)
    has_cluster = parser.accept("clusters")
    cluster = _parse_sizes(parser, parsed) if has_cluster else _Sizes((), (), ())
    expect_keyword(parser, parsed, "blocks")
    grid = _parse_sizes(parser, parsed)
    expect_keyword(parser, parsed, "threads")
    block = _parse_sizes(parser, parsed)
    parsed.operands["sizes"] = [*grid.sizes, *block.sizes, *cluster.sizes]
    if parser.accept("dynamic_shared_memory_size"):
        parsed.operands["dynamicSharedMemorySize"] = [parser.value_use()]
    for word in ("module", "function"):
        if parser.accept(word):
            parser.expect("(")
            parsed.attributes[word] = parser.attribute()
            parser.expect(")")
    memory = parse_memory(parser)
    ids = [*grid.indices, *block.indices, *grid.names, *block.names, *cluster.indices, *cluster.names]
    parser.region(parsed, [*ids, *memory.workgroup, *memory.private])
    parser.attr_dict(parsed)
    return _Launch(memory, has_cluster)


def _resolve_launch(resolver: Resolver, parsed: ParsedOp, launch: _Launch) -> None:
    memory = launch.memory
    tokens = parsed.operands["asyncDependencies"]
    dynamic = parsed.operands.get("dynamicSharedMemorySize", [])
    # Without `async` MLIR resolves the tokens by a type that is not there, and they have none to be held against.
    resolver.operands = [resolver.operand(token, ASYNC_TOKEN) for token in tokens]
    resolver.operands += [resolver.operand(token, INDEX) for token in parsed.operands["sizes"]]
    resolver.operands += [resolver.operand(token, I32) for token in dynamic]
    resolver.result_types = [ASYNC_TOKEN] if "asyncToken" in parsed.composed_types else []
    resolver.attributes[WORKGROUP_COUNT] = IntegerAttr(len(memory.workgroup), I64)
    clusters = [1 if launch.has_cluster else 0] * 3
    sizes = (len(tokens), *[1] * 6, *clusters, len(dynamic))
    resolver.properties[_SEGMENTS] = DenseArrayAttr(I32, sizes)
    count = LEAST_ARGUMENTS + (CLUSTER_ARGUMENTS if launch.has_cluster else 0)
    further = [resolver.argument_type(argument) for argument in (*memory.workgroup, *memory.private)]
    resolver.region_argument_types = [[*[INDEX] * count, *further]]


def has_cluster(op: ops.LaunchOp) -> bool:
    """Whether a launch says the sizes of clusters."""
    return all(op.all_of(f"clusterSize{axis}") for axis in "XYZ")


def _print_launch(op: ops.LaunchOp, p: OpPrinter) -> None:
    if is_async(op):
        p.write(" ")
        print_async(op, p)
    entry = op.body.first
    arguments = entry.arguments if entry is not None else []
    if has_cluster(op):
        _print_sizes("clusters", "cluster", arguments[15:18], arguments[12:15], op, p)
    _print_sizes("blocks", "grid", arguments[6:9], arguments[0:3], op, p)
    _print_sizes("threads", "block", arguments[9:12], arguments[3:6], op, p)
    if op.dynamicSharedMemorySize is not None:
        p.write(" dynamic_shared_memory_size ")
        p.value(op.dynamicSharedMemorySize)
    for word in ("module", "function"):
        reference = op.properties.get(word)
        if isinstance(reference, SymbolRefAttr):
            p.write(f" {word}(")
            p.symbol(reference.root)
            p.write(")")
    first = LEAST_ARGUMENTS + (CLUSTER_ARGUMENTS if has_cluster(op) else 0)
    print_memory(op, p, arguments[first:])
    p.write(" ")
    p.region(op.body, entry_arguments=False)
    p.attributes_but(op, _ELIDED)


def _print_sizes(
    word: str, of: str, names: Sequence[Value], indices: Sequence[Value], op: ops.LaunchOp, p: OpPrinter
) -> None:
    p.write(f" {word}(")
    p.values(indices)
    p.write(") in (")
    print_assignments(names, [op.one_of(f"{of}Size{axis}") for axis in "XYZ"], p)
    p.write(")")


@verifies("gpu.launch")
def _verify_launch(op: ops.LaunchOp) -> Complaint:
    if not has_cluster(op) and any(op.all_of(f"clusterSize{axis}") for axis in "XYZ"):
        return "cluster size must be all present"
    return None


@verifies("gpu.launch", regions=True)
def _verify_launch_regions(op: ops.LaunchOp) -> Complaint:
    entry = op.body.first
    count = workgroup_count(op)
    if entry is not None and len(entry.arguments) < LEAST_ARGUMENTS + count:
        return "unexpected number of region arguments"
    first = LEAST_ARGUMENTS + (CLUSTER_ARGUMENTS if has_cluster(op) else 0)
    memory: Sequence[BlockArgument] = entry.arguments[first:] if entry is not None else ()
    if problems := check_memory(memory, count):
        return problems
    for block in op.body.blocks:
        last = block.last
        if last is not None and not last.successors and not isinstance(last, ops.TerminatorOp):
            message = "expected 'gpu.terminator' or a terminator with successors"
            return Problem(message, at=last, notes=(("in 'gpu.launch' body region", op),), bare=True)
    return None


# ---- gpu.warp_execute_on_lane_0

_WARP: Final = two_way(
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


CODE: Final = {
    "launch": OpCode(custom=CustomSyntax(_parse_launch, _print_launch, _resolve_launch)),
    "warp_execute_on_lane_0": OpCode(custom=_WARP),
}
