"""`linalg.map` and `linalg.reduce`, whose body may be one operation, and `linalg.transpose` and `linalg.broadcast`.

Source of the rules: *'linalg' Dialect*; the texts of errors are those of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.bodies import implied_block, scalar_type
from fathom.dialects.linalg.structured import inputs_and_inits, rank_of, selection, shape_of
from fathom.dialects.linalg.syntax import (
    Parts,
    argument_names,
    parse_dimensions,
    parse_further_attributes,
    parse_parts,
    parse_region_arguments,
    print_attributes,
    print_body,
    print_dimensions,
    print_operands,
    resolve_parts,
    tensors_of,
)
from fathom.ir.affine import AffineMap, identity_map
from fathom.ir.attributes import Attribute, EnumAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import numbers_property
from fathom.ir.spelling import spell_numbers
from fathom.ir.types import Type, element_type
from fathom.irdl.build import create, with_defaults
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Structured
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import linalg as ops
from fathom.records import record
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.syntax.nodes import Node

# ---- a body of one operation


@record(frozen=False)
class _Text:
    """The operands, and `{ arith.addf {fastmath = …} }` where that is the body."""

    payload: str | None
    attributes: Node | None
    parts: Parts


def _parse_payload(cursor: OpParser) -> tuple[str | None, Node | None]:
    if not cursor.accept("{"):
        return None, None
    name = cursor.optional_word()
    if name is None:
        cursor.fail("expected bare identifier or keyword")
    attributes = cursor.optional_dictionary()
    cursor.expect("}")
    return name, attributes


def payload_syntax(dimensions: str, *, init_first: bool | None, sees_output: bool = True) -> CustomSyntax[_Text]:
    """`{ arith.addf } ins(…) outs(…) dimensions = [0] {…}`, or in place of the operation `(%in: f32) { … }` at the
    end. Without `init_first` neither stands there: the body yields the input. The body has an argument for the output
    if it `sees_output`."""

    def parse(cursor: OpParser, parsed: ParsedOp) -> _Text:
        payload, attributes = ("", None) if init_first is None else _parse_payload(cursor)
        parts = parse_parts(cursor, parsed)
        if dimensions:
            parse_dimensions(cursor, parsed, dimensions)
        parse_further_attributes(cursor, parts)
        if payload is None:
            cursor.region(parsed, parse_region_arguments(cursor))
        return _Text(payload, attributes, parts)

    def resolve(resolver: Resolver, parsed: ParsedOp, text: _Text) -> None:
        types = resolve_parts(resolver, parsed, text.parts, segments=False)
        resolver.result_types = tensors_of(types[len(text.parts.input_types) :])
        if init_first is None:
            scalars = list(map(scalar_type, types))
            resolver.imply = lambda op, definitions: _imply_identity(op, scalars, definitions)
        elif text.payload is not None and types:
            scalars = list(map(element_type, types))
            _imply_payload(resolver, text.payload, text.attributes, scalars, init_first, sees_output=sees_output)

    def write(op: Operation, p: OpPrinter) -> None:
        is_short = init_first is None or _is_short(op, init_first=init_first, sees_output=sees_output)
        if is_short and init_first is not None:
            _print_payload(op, p)
        print_operands(op, p)
        if dimensions:
            print_dimensions(op, p, dimensions)
        print_attributes(op, p, (dimensions,))
        if not is_short:
            print_body(op, p)

    return CustomSyntax(parse, write, resolve, completes=False)


def _imply_payload(
    resolver: Resolver,
    name: str,
    attributes: Node | None,
    types: Sequence[Type],
    init_first: bool,
    *,
    sees_output: bool,
) -> None:
    """The region is one operation of the block's arguments and what yields its result: of the inputs alone, or of the
    output and then the inputs."""
    entries = resolver.entries(attributes) if attributes is not None else {}

    def imply(op: Operation, definitions: Definitions) -> None:
        block = implied_block(op, types if sees_output else types[:-1])
        inputs = block.arguments[: len(types) - 1]
        operands: list[Value] = [block.arguments[-1], *inputs] if init_first else [*inputs]
        definition = definitions.lookup(name)
        inherent = definition.property_map if definition is not None else {}
        properties = {key: value for key, value in entries.items() if key in inherent}
        others = {key: value for key, value in entries.items() if key not in inherent}
        if definition is not None:
            properties = with_defaults(definition, properties)
        payload = Operation(name, operands, types[-1:], properties, others, span=op.span, definition=definition)
        block.append(payload)
        block.append(create(definitions, "linalg.yield", payload.results, span=op.span))

    resolver.imply = imply


def _is_short(op: Operation, *, init_first: bool, sees_output: bool) -> bool:
    """Whether the body is one operation of the block's arguments, whose result is yielded; where `init_first`, as MLIR
    has it, of the output's and then the others'."""
    entry = op.regions[0].first
    if entry is None or len(entry) != 2 or entry.first is None or entry.last is None:
        return False
    payload, last = entry.first, entry.last
    inputs: list[Value] = [*entry.arguments[: len(entry.arguments) - sees_output]]
    wanted = [*entry.arguments[1:]] if init_first else inputs
    given = payload.operands
    if not given or len(given) != (len(entry.arguments) if init_first else len(inputs)):
        return False
    if init_first and given[-1] is not entry.arguments[0]:
        return False
    if any(left is not right for left, right in zip(given, wanted, strict=False)):
        return False
    return len(last.operands) == 1 and last.operands[0].defining_op is payload


def _print_payload(op: Operation, p: OpPrinter) -> None:
    entry = op.regions[0].first
    payload = entry.first if entry is not None else None
    if payload is None:
        return
    entries = [*payload.properties.items(), *payload.attributes.items()]
    plain = next((name for name, value in entries if _is_plain(value)), "")
    p.write(f" {{ {payload.name}")
    p.entries([(name, value) for name, value in entries if name != plain])
    p.write(" }")


def _is_plain(value: Attribute) -> bool:
    """Whether an attribute says that floats are to be computed as usual."""
    return isinstance(value, EnumAttr) and value.full_name == "arith.fastmath" and not value.value


# ---- map


@verifies("linalg.map")
def _check_map(op: ops.MapOp) -> Complaint:
    inputs, arguments = op.inputs, op.mapper.arguments
    if len(inputs) + 1 != len(arguments):
        counts = f"{len(inputs) + 1} and {len(arguments)}"
        return f"expects number of operands to match the arity of mapper, but got: {counts}"
    for argument, value in zip(arguments, inputs, strict=False):
        if argument.type != element_type(value.type):
            types = f"'{element_type(value.type)}' to match bbArg type '{argument.type}'"
            return f"expected element type of input {types}"
    output = shape_of(op.init.type)
    for value in inputs:
        if shape_of(value.type) != output:
            shapes = f"({spell_numbers(shape_of(value.type))}) to match shape of output ({spell_numbers(output)})"
            return f"expected shape of input {shapes}"
    return None


def _rank_of_init(op: Operation) -> int:
    _, inits = inputs_and_inits(op)
    return rank_of(inits[0].type) if inits else 0


def _parallel(op: Operation) -> str:
    return "p" * _rank_of_init(op)


# ---- reduce


@verifies("linalg.reduce")
def _check_reduce(op: ops.ReduceOp) -> Complaint:
    dimensions = op.dimensions.values
    if any(first >= second for first, second in pairwise(dimensions)):
        what = "i64 dense array attribute should be in increasing order"
        return f"attribute 'dimensions' failed to satisfy constraint: {what}"
    inputs, inits = op.inputs, op.inits
    for what, values in (("input", inputs), ("output", inits)):
        for index, value in enumerate(values):
            if shape_of(value.type) != shape_of(values[0].type):
                shape = f"Shape at {what}-index {index} is not equal to the shape at {what}-index 0."
                return f"expects all {what}s to have the same shapes. {shape}"
    if not inputs or not inits:
        return None
    source, target = shape_of(inputs[0].type), shape_of(inits[0].type)
    if any(not 0 <= dimension < len(source) for dimension in dimensions):
        return f"dimensions for reduction should be in the range [0, {len(source) - 1}]."
    left = tuple(size for dim, size in enumerate(source) if dim not in dimensions)
    if len(left) != len(target):
        ranks = f"{len(left)} doesn't match the init rank {len(target)}"
        return f"number of dimensions after reduction {ranks}"
    if left != target:
        shapes = f"[{spell_numbers(target)}] doesn't match input dimensions after reduction [{spell_numbers(left)}]"
        return f"init dimensions {shapes}"
    arguments = op.combiner.arguments
    if len(arguments) != len(op.operands):
        return "mismatching number of operands and block arguments"
    pairs = [("input", value, argument) for value, argument in zip(inputs, arguments, strict=False)]
    pairs += [("output", value, argument) for value, argument in zip(inits, arguments[-len(inits) :], strict=True)]
    for what, value, argument in pairs:
        if element_type(value.type) != argument.type:
            types = f"'{element_type(value.type)}' does not match corresponding block argument type '{argument.type}'"
            return f"{what} element type {types}"
    return None


def _loops_of_reduce(op: Operation) -> str | None:
    inputs, _ = inputs_and_inits(op)
    dimensions = numbers_property(op, "dimensions")
    return "".join("r" if dim in dimensions else "p" for dim in range(rank_of(inputs[0].type))) if inputs else None


def _maps_of_reduce(op: Operation) -> list[AffineMap] | None:
    inputs, inits = inputs_and_inits(op)
    if not inputs:
        return None
    rank, dimensions = rank_of(inputs[0].type), numbers_property(op, "dimensions")
    kept = selection(rank, [dim for dim in range(rank) if dim not in dimensions])
    return [identity_map(rank)] * len(inputs) + [kept] * len(inits)


# ---- transpose, broadcast


def _imply_identity(op: Operation, types: Sequence[Type], definitions: Definitions) -> None:
    """The body yields the input. Its arguments have the locations of the operands."""
    block = implied_block(op, types)
    for argument, value in zip(block.arguments, op.operands, strict=True):
        # Their span is the operation's: what an operation holds moves with its own text.
        argument.span, argument.location = op.span, source_of(value)[1]
    block.append(create(definitions, "linalg.yield", block.arguments[:1], span=op.span))


def _rearrangement(dimensions: str, kept: Callable[[Sequence[int], int], list[int]]) -> OpCode:
    """An operation whose body yields its input; `kept` are the loops that its map has, of so many, by the numbers that
    the text says."""

    def maps(op: Operation) -> list[AffineMap]:
        rank = _rank_of_init(op)
        return [selection(rank, kept(numbers_property(op, dimensions), rank)), identity_map(rank)]

    return OpCode(custom=payload_syntax(dimensions, init_first=None), interfaces=(Structured(maps, _parallel),))


@verifies("linalg.transpose")
def _check_transpose(op: ops.TransposeOp) -> Complaint:
    permutation = op.permutation.values
    if sorted(permutation) != list(range(len(permutation))):
        return "permutation is not valid"
    source, target = shape_of(op.input.type), shape_of(op.init.type)
    if len(source) != len(target):
        return f"input rank {len(source)} does not match init rank {len(target)}"
    if len(source) != len(permutation):
        return f"size of permutation {len(permutation)} does not match the argument rank {len(source)}"
    for index, (place, size) in enumerate(zip(permutation, target, strict=True)):
        if source[place] != size:
            other = f"dim(input, permutation[{index}]) = {source[place]}"
            return f"dim(result, {index}) = {size} doesn't match {other}"
    return None


@verifies("linalg.broadcast")
def _check_broadcast(op: ops.BroadcastOp) -> Complaint:
    dimensions = op.dimensions.values
    source, target = shape_of(op.input.type), shape_of(op.init.type)
    if len(source) + len(dimensions) != len(target):
        ranks = f"input rank: {len(source)}, dimensions size: {len(dimensions)}, init rank: {len(target)}"
        return f"input rank plus added dimensions does not match init rank. {ranks}"
    for index, dim in enumerate(dimensions):
        if not 0 <= dim < len(target):
            expected = f"expected range: [0, {len(target) - 1}], got: {dim}"
            return f"dimension {index} is out of range. {expected}"
    kept = [dim for dim in range(len(target)) if dim not in dimensions]
    for index, (dim, size) in enumerate(zip(kept, source, strict=False)):
        if size != target[dim]:
            sizes = f"input: {size}, init: {target[dim]}"
            return f"input dim {index} should match init dim {dim}. {sizes}"
    return None


OPERATIONS: Final = {
    "map": OpCode(
        custom=payload_syntax("", init_first=False),
        region_argument_names=argument_names("init"),
        interfaces=(Structured(lambda op: [identity_map(_rank_of_init(op))] * len(op.operands), _parallel),),
    ),
    "reduce": OpCode(
        custom=payload_syntax("dimensions", init_first=True),
        region_argument_names=argument_names("init"),
        interfaces=(Structured(_maps_of_reduce, _loops_of_reduce),),
    ),
    "transpose": _rearrangement("permutation", lambda places, rank: [places.index(dim) for dim in range(rank)]),
    "broadcast": _rearrangement("dimensions", lambda added, rank: [dim for dim in range(rank) if dim not in added]),
}
