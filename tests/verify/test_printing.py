"""What is not valid is printed in the generic form, and whatever is printed, printing does not fail."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from fathom.context import default_context
from fathom.dialects import dialect_names
from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from fathom.ir.operation import Block, Operation, Region
from fathom.ir.printer import LOCAL, print_op
from fathom.ir.types import F32, I1, I32, I64, INDEX, FunctionType, MemRefType, TensorType, Type, VectorType
from fathom.irdl.definition import OpDefinition, Operand, Result
from fathom.irdl.groups import Arity
from fathom.verify import verify
from fathom.verify.printing import flags_for
from tests.cli.running import fathom

TYPES = (
    I1,
    I32,
    I64,
    F32,
    INDEX,
    TensorType((2,), F32),
    MemRefType((2,), F32),
    VectorType((4,), F32),
    FunctionType((I32,), (I32,)),
)
ATTRIBUTES = (
    IntegerAttr(1, I32),
    IntegerAttr(1, I64),
    StringAttr("x"),
    UnitAttr(),
    ArrayAttr(()),
    DictAttr(()),
    TypeAttr(I32),
    DenseArrayAttr(I32, (1, 0)),
    DenseArrayAttr(I64, ()),
    SymbolRefAttr("f"),
)
ROUNDS = 3


def _types(groups: Sequence[Operand | Result], random: Random) -> list[Type]:
    """A type for each of the values of some groups, mostly one that is right."""
    types: list[Type] = []
    for group in groups:
        right = [type for type in TYPES if group.constraint.accepts(type)] or TYPES
        count = {Arity.ONE: 1, Arity.OPTIONAL: random.randrange(2)}.get(group.arity, random.randrange(3))
        types += [random.choice(right) for _ in range(count)]
    return types


def _region(random: Random) -> Region:
    """A region of no block, an empty one, one with an operation, or two."""
    region = Region()
    size = random.randrange(4)
    if size:
        block = region.append(Block([random.choice(TYPES) for _ in range(random.randrange(3))]))
        if size > 1:
            constant = default_context().lookup("arith.constant")
            block.append(Operation("arith.constant", (), [I32], {"value": IntegerAttr(1, I32)}, definition=constant))
        if size > 2:
            region.append(Block())
    return region


def _almost_right(definition: OpDefinition, random: Random) -> Operation:
    """An operation with as many of everything as its definition asks for, or one fewer of something."""
    operands, results = _types(definition.operands, random), _types(definition.results, random)
    properties: dict[str, Attribute] = {}
    for prop in definition.properties:
        right = [attribute for attribute in ATTRIBUTES if prop.constraint.accepts(attribute)]
        if right and random.random() < 0.8:
            properties[prop.name] = random.choice(right)
    regions = [_region(random) for region in definition.regions if region.arity is Arity.ONE or random.random() < 0.5]
    successors = [Block() for _ in definition.successors]
    if random.random() < 0.2:
        group: list[Type] | list[Region] | list[Block] = random.choice((operands, results, regions, successors))
        if group:
            group.pop()
    values = Block(operands).arguments
    return Operation(definition.name, values, results, properties, {}, successors, regions, definition=definition)


def _at_random(definition: OpDefinition, random: Random) -> Operation:
    """An operation with any number of everything."""
    values = Block([random.choice(TYPES) for _ in range(random.randrange(4))]).arguments
    results = [random.choice(TYPES) for _ in range(random.randrange(3))]
    properties = {prop.name: random.choice(ATTRIBUTES) for prop in definition.properties if random.random() < 0.6}
    successors = [Block() for _ in range(random.randrange(3))]
    regions = [_region(random) for _ in range(random.randrange(3))]
    return Operation(definition.name, values, results, properties, {}, successors, regions, definition=definition)


@pytest.mark.parametrize("name", dialect_names())
def test_whatever_an_operation_has_it_can_be_printed(name: str) -> None:
    context, random = default_context(), Random(name)
    dialect = context.dialect(name)
    for definition in dialect.by_name.values() if dialect is not None else ():
        made = [_almost_right(definition, random) for _ in range(ROUNDS)] + [_at_random(definition, random)]
        for op in made:
            flags = flags_for(op, LOCAL, context)
            assert flags.generic == bool(verify(op, context=context))
            assert op.name.rpartition(".")[2] in print_op(op, flags)


INVALID = """\
func.func @f() {
  "linalg.map"() : () -> ()
  return
}
"""
GENERIC = """\
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    "linalg.map"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""


def test_what_nobody_has_verified_comes_out_in_the_generic_form() -> None:
    unverified = "--mlir-very-unsafe-disable-verifier-on-parsing"
    assert fathom("opt", unverified, text=INVALID) == (0, GENERIC + "\n", "")


def test_a_dump_of_what_is_not_valid_is_in_the_generic_form() -> None:
    options = (
        "--mlir-very-unsafe-disable-verifier-on-parsing",
        "--mlir-print-ir-before=canonicalize",
        "--canonicalize",
    )
    _, _, errors = fathom("opt", *options, text=INVALID)
    assert f"// -----// IR Dump Before Canonicalizer (canonicalize) //----- //\n{GENERIC}" in errors
