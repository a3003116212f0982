"""What MLIR's verifiers say of the operations of transform's extensions: of those on structured operations,
of handles and parameters, and of what applies patterns.

Source of the rules: *Transform Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.transform import handles as h
from fathom.dialects.transform import sequences
from fathom.dialects.transform.matchers import numbers
from fathom.dialects.transform.sequences import body_of
from fathom.ir.attributes import ArrayAttr, IntegerAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import Operation, types_of
from fathom.ir.property_values import flag_property, numbers_of, text_property
from fathom.ir.spelling import spell_numbers
from fathom.ir.types import DYNAMIC, IntegerType, Type
from fathom.irdl.checking import Check, all_of
from fathom.irdl.definition import Problem
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import transform as ops
from fathom.ops.smt import YieldOp

_MATERIALIZE: Final = "bufferization.materialize_in_destination"


def _text(op: Operation, name: str, default: str) -> str:
    return text_property(op, name) or default


def _is_permutation(numbers: Sequence[int]) -> bool:
    return sorted(numbers) == list(range(len(numbers)))


# ---- lists of numbers


def _permutes(name: str) -> Check:
    """A list of numbers is a permutation."""

    def check(op: Operation) -> Complaint:
        given = numbers(op, name)
        if _is_permutation(given):
            return None
        return f"expects {name} to be a permutation, found {spell_numbers(given)}"

    return check


def _are_permutations(*names: str) -> Check:
    def check(op: Operation) -> Complaint:
        name = next((name for name in names if not _is_permutation(numbers(op, name))), None)
        return f'"{name}" is not a valid permutation' if name is not None else None

    return check


def _pack_transpose(op: Operation) -> Complaint:
    if numbers(op, "inner_perm") or numbers(op, "outer_perm"):
        return None
    return ' at least one of "inner_perm" or "outer_perm" must be specified'


def _pack_greedily(op: Operation) -> Complaint:
    sizes, multiples = numbers(op, "static_matmul_packed_sizes"), numbers(op, "matmul_padded_sizes_next_multiple_of")
    if any(multiple and size for size, multiple in zip(sizes, multiples, strict=False)):
        of = "packed_size and the padded_sizes_next_multiple_of can be nonzero for the matmul strategy"
        return f"at most one of the {of}"
    return None


@verifies("transform.structured.fuse")
def _fuse(op: ops.StructuredFuseOp) -> Complaint:
    sizes, interchange = numbers(op, "static_tile_sizes"), numbers(op, "static_tile_interchange")
    rank = len(sizes)
    if len(interchange) > rank:
        return f"interchange length exceeds iteration space dimensions ({rank}), found {spell_numbers(interchange)}"
    seen: set[int] = set()
    for number in interchange:
        if number == DYNAMIC:
            continue
        if not 0 <= number < rank:
            return f"expects interchange values to be in range [0, {rank}), found: {number}"
        if number in seen:
            return f"found duplicate interchange value: {number}"
        seen.add(number)
    loops = 1 if "use_forall" in op.properties else sum(size != 0 for size in sizes)
    return None if loops == len(op.results) - 1 else f"expects {loops} loop results"


@verifies("transform.structured.pad")
def _pad(op: ops.StructuredPadOp) -> Complaint:
    dimensions = numbers(op, "padding_dimensions")
    if any(flag not in (0, 1) for flag in numbers(op, "nofold_flags")):
        return f"expects nofold_flags to contain booleans (0/1), found [{spell_numbers(numbers(op, 'nofold_flags'))}]"
    if any(dimension < 0 for dimension in dimensions):
        return f"expects padding_dimensions to contain positive integers, found [{spell_numbers(dimensions)}]"
    multiples = numbers(op, "static_pad_to_multiple_of")
    if multiples and len(multiples) != len(dimensions):
        return "expects as many multiples as padding_dimensions"
    for element in op.transpose_paddings.elements:
        if not _is_permutation(numbers_of(element)):
            return f"expects transpose_paddings to be a permutation, found [{spell_numbers(numbers_of(element))}]"
    known = (_MATERIALIZE, "linalg.copy", "none")
    return None if _text(op, "copy_back_op", known[0]) in known else "invalid copy_back_op"


@verifies("transform.structured.tile_using_for")
def _tile_using_for(op: ops.StructuredTileUsingForOp) -> Complaint:
    sizes, scalable = numbers(op, "static_sizes"), numbers(op, "scalable_sizes")
    if len(sizes) != len(scalable):
        return f"expected same number of sizes ({len(sizes)}) and scalable sizes ({len(scalable)})"
    loops, count = sum(size != 0 for size in sizes), len(op.results) - 1
    if loops == count:
        return None
    return f"expected number of loops to tile ({loops}) to match number of `loops` results ({count})"


@verifies("transform.structured.tile_using_forall")
def _tile_using_forall(op: ops.StructuredTileUsingForallOp) -> Complaint:
    threads = bool(numbers(op, "static_num_threads")), bool(op.packed_num_threads)
    sizes = bool(numbers(op, "static_tile_sizes")), bool(op.packed_tile_sizes)
    if all(threads):
        return "num_threads and packed_num_threads are mutually exclusive"
    if all(sizes):
        return "tile_sizes and packed_tile_sizes are mutually exclusive"
    if any((*threads, *sizes)):
        return None
    return "either (packed_)num_threads or (packed_)tile_sizes must be specified"


@verifies("transform.structured.vectorize")
def _vectorize(op: ops.StructuredVectorizeOp) -> Complaint:
    sizes, scalable = len(numbers(op, "static_vector_sizes")), len(numbers(op, "scalable_sizes"))
    if sizes == scalable:
        return None
    return f"expected same number of vector sizes ({sizes}) and scalable sizes ({scalable})"


@verifies("transform.affine.simplify_bounded_affine_ops")
def _bounds(op: ops.AffineSimplifyBoundedAffineOpsOp) -> Complaint:
    expected = len(op.bounded_values)
    for name, what in (("lower_bounds", "lower"), ("upper_bounds", "upper")):
        count = len(numbers(op, name))
        if count != expected:
            return f"incorrect number of {what} bounds, expected {expected} but found {count}"
    return None


@verifies("transform.gpu.map_forall_to_blocks")
def _map_forall(op: ops.GpuMapForallToBlocksOp) -> Complaint:
    return None if len(numbers(op, "grid_dims")) in (0, 3) else "transform requires empty or size-3 grid_dims"


@verifies("transform.structured.split")
def _split(op: ops.StructuredSplitOp) -> Complaint:
    is_static = op.static_chunk_sizes.value != DYNAMIC
    if is_static != (op.dynamic_chunk_sizes is not None):
        return None
    return "expects either a dynamic or a static split point to be provided"


@verifies("transform.structured.continuous_tile_sizes", "transform.structured.multitile_sizes")
def _one_result_type(op: Operation) -> Complaint:
    is_one = len({result.type for result in op.results}) < 2
    return None if is_one else "expects all results type to be the same"


# ---- buffers and functions


def _one_of(name: str, message: str, *choices: str) -> Check:
    return lambda op: None if _text(op, name, choices[0]) in choices else message


def _bufferize(op: ops.BufferizationOneShotBufferizeOp) -> Complaint:
    for name in ("print_conflicts", "dump_alias_sets"):
        if flag_property(op, name) and not op.test_analysis_only.value:
            return f"'{name}' requires 'test_analysis_only'"
    return None


@verifies("transform.structured.replace")
def _replace(op: ops.StructuredReplaceOp) -> Complaint:
    body = body_of(op)
    inside = [*body] if body is not None else []
    if len(inside) != 1:
        return "expected one operation in block"
    (replacement,) = inside
    if replacement.operands:
        return Problem(f"'{replacement.name}' op expected replacement without operands", replacement, bare=True)
    if replacement.regions and not replacement.has(ISOLATED_FROM_ABOVE) and replacement.definition is not None:
        return Problem(f"'{replacement.name}' op expect op that is isolated from above", replacement, bare=True)
    return None


def _cast_and_call(op: ops.FuncCastAndCallOp) -> Complaint:
    has_name = op.function_name is not None
    if (op.function is not None) != has_name:
        return None
    both = "function handle and name are mutually exclusive"
    return both if has_name else "expected a function handle or name to call"


# ---- what applies patterns


def holds(interface: str, what: str = "children ops", region: int = 0) -> Check:
    """All operations of a region implement an interface."""

    def check(op: Operation) -> Complaint:
        body = op.regions[region].first if region < len(op.regions) else None
        without = next((inner for inner in body or () if not h.implements(inner, interface)), None)
        if without is None:
            return None
        message = f"expected {what} to implement {interface}"
        return Problem(message, notes=(("op without interface", without),))

    return check


_DESCRIPTOR: Final = "ConversionPatternDescriptorOpInterface"
_CONVERTER: Final = "TypeConverterBuilderOpInterface"


@verifies("transform.apply_conversion_patterns")
def _conversion_patterns(op: ops.ApplyConversionPatternsOp) -> Complaint:
    if len(op.regions) not in (1, 2):
        return "expected 1 or 2 regions"
    if problems := holds(_DESCRIPTOR, "pattern children ops")(op):
        return problems
    converters = [*(op.regions[1].first or ())] if len(op.regions) == 2 else None
    if converters is not None and len(converters) != 1:
        return "expected exactly one op in default type converter region"
    return holds(_CONVERTER, "default converter child op", 1)(op)


# ---- handles and parameters


@verifies("transform.split_handle")
def _split_handle(op: ops.SplitHandleOp) -> Complaint:
    overflow = op.overflow_result
    if isinstance(overflow, IntegerAttr) and not overflow.value < len(op.results):
        return "overflow_result is not a valid result index"
    if all(h.are_of_one_kind(op.handle.type, result.type) for result in op.results):
        return None
    return "expects result types to implement the same transform interface as the operand type"


@verifies("transform.num_associations")
def _num_associations(op: ops.NumAssociationsOp) -> Complaint:
    """The result takes a number of 64 bits."""
    type = op.result.type
    of = type.parameters[0] if isinstance(type, DialectType) and type.full_name == "transform.param" else None
    if not isinstance(of, IntegerType) or of == IntegerType(64):
        return None
    of_parameter = f"to match the parameter type ('{of}')"
    return Problem(f"expected the type of the parameter attribute ('i64') {of_parameter}", bare=True)


@verifies("transform.apply_registered_pass")
def _registered_pass(op: ops.ApplyRegisteredPassOp) -> Complaint:
    """Each operand stands once among the options."""
    from fathom.dialects.transform.options import places_in

    count, seen = len(op.dynamic_options), set[int]()
    for place in places_in(op.options):
        if not 0 <= place < count:
            return f"dynamic option index {place} is out of bounds for the number of dynamic options: {count}"
        if place in seen:
            return f"dynamic option index {place} is already used in options"
        seen.add(place)
    if len(seen) == count:
        return None
    return "a param operand does not have a corresponding param_operand attr in the options dict"


@verifies("transform.tune.knob")
def _knob(op: ops.TuneKnobOp) -> Complaint:
    selected, options = op.selected, op.options
    if selected is None or not isinstance(options, ArrayAttr) or selected in options.elements:
        return None
    return "provided `selected` attribute is not an element of `options` array of attributes"


# ---- smt


@verifies("transform.smt.constrain_params")
def constrain_parameters(op: ops.SmtConstrainParamsOp) -> Complaint:
    body = body_of(op)
    last = body.last if body is not None else None
    if body is None or not isinstance(last, YieldOp):
        return "expected 'smt.yield' as terminator"
    inside, operands = types_of(body.arguments), types_of(op.operands)
    if len(inside) != len(operands):
        return "must have the same number of block arguments as operands"
    for index, (one, other) in enumerate(zip(inside, operands, strict=True)):
        if (message := _mismatch(f"block arg #{index}", one, "operand", other)) is not None:
            return message
    if any(inner.dialect != "smt" for inner in body):
        return "ops contained in region should belong to SMT-dialect"
    given, results = types_of(last.operands), types_of(op.results)
    if len(given) != len(results):
        return _of(last, "expected terminator to have as many operands as the parent op has results")
    for index, (one, other) in enumerate(zip(given, results, strict=True)):
        if (message := _mismatch(f"terminator operand #{index}", one, "result", other)) is not None:
            return _of(last, message)
    return None


def _of(op: Operation, message: str) -> Complaint:
    return Problem(f"'{op.name}' op {message}", op, bare=True)


def _mismatch(what: str, type: Type, other: str, parameter: Type) -> str | None:
    """How a value of smt is of another type than the parameter that it stands for."""
    name = type.full_name if isinstance(type, DialectType) else ""
    if name not in ("smt.bool", "smt.int", "smt.bv"):
        return f"the type of {what} is expected to be either a !smt.bool, a !smt.int, or a !smt.bv"
    if not isinstance(type, DialectType) or not isinstance(parameter, DialectType):
        return None
    if parameter.full_name != "transform.param":
        return None
    of = parameter.parameters[0]
    width = of.width if isinstance(of, IntegerType) else None
    though = f"though the corresponding {other} type ('{parameter}') is not wrapping"
    if name == "smt.int":
        return None if width is not None else f"the type of {what} is !smt.int {though} an integer type"
    if name == "smt.bool":
        return None if width == 1 else f"the type of {what} is !smt.bool {though} i1"
    if width == type.parameters[0]:
        return None
    return f"the type of {what} is '{type}' {though} an integer type of the same bitwidth"


VERIFY: Final[Checks] = {
    "transform.apply_patterns": holds("PatternDescriptorOpInterface"),
    "transform.bufferization.one_shot_bufferize": all_of(
        _one_of("memcpy_op", "unsupported memcpy op", "memref.copy", "linalg.copy"), _bufferize
    ),
    "transform.func.cast_and_call": all_of(holds(_CONVERTER), _cast_and_call),
    "transform.structured.bufferize_to_allocation": all_of(
        _one_of("memcpy_op", "unsupported memcpy op", _MATERIALIZE, "memref.copy", "linalg.copy"),
        _one_of("alloc_op", "unsupported alloc op", "memref.alloc", "memref.alloca"),
    ),
    **dict.fromkeys(
        ("transform.structured.hoist_pad", "transform.structured.hoist_pad.build_packing_loop_nest"),
        _permutes("transpose"),
    ),
    "transform.structured.interchange": _permutes("iterator_interchange"),
    "transform.structured.pack_greedily": all_of(_are_permutations("matmul_inner_dims_order"), _pack_greedily),
    "transform.structured.pack_transpose": all_of(_are_permutations("inner_perm", "outer_perm"), _pack_transpose),
    "transform.alternatives": all_of(sequences.top_level, sequences.alternatives),
    "transform.sequence": all_of(sequences.top_level, sequences.sequence),
    "transform.with_pdl_patterns": all_of(sequences.top_level, sequences.with_patterns),
}
