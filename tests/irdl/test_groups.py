"""The operands of an operation by the names of their groups."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Operation
from fathom.ir.types import I32, IntegerType
from fathom.irdl.constraints import ANY
from fathom.irdl.definition import OpDefinition, Operand
from fathom.irdl.groups import Arity

GROUPS = st.lists(st.sampled_from(Arity), max_size=5)


def check_groups(operation: Operation, expected: dict[str, list[int]]) -> None:
    """Each group holds the operands of these numbers."""
    numbers = {value: index for index, value in enumerate(operation.operands)}
    assert {name: [numbers[value] for value in operation.all_of(name)] for name in expected} == expected


def operation(arities: list[Arity], count: int, sizes: list[int] | None = None) -> Operation:
    definition = OpDefinition("toy.op", operands=tuple(Operand(f"o{i}", ANY, a) for i, a in enumerate(arities)))
    source = Operation("toy.source", result_types=[IntegerType(i + 1) for i in range(count)])
    properties = {"operandSegmentSizes": DenseArrayAttr(I32, tuple(sizes))} if sizes is not None else {}
    return Operation("toy.op", source.results, properties=properties, definition=definition)


@pytest.mark.parametrize(
    ("arities", "count", "expected"),
    [
        ([Arity.ONE, Arity.ONE], 2, {"o0": [0], "o1": [1]}),
        ([Arity.ONE, Arity.VARIADIC, Arity.ONE], 5, {"o0": [0], "o1": [1, 2, 3], "o2": [4]}),
        ([Arity.OPTIONAL, Arity.ONE], 1, {"o0": [], "o1": [0]}),
        ([Arity.OPTIONAL, Arity.ONE], 2, {"o0": [0], "o1": [1]}),
    ],
)
def test_what_is_left_over_is_for_the_group_of_any_number(
    arities: list[Arity], count: int, expected: dict[str, list[int]]
) -> None:
    check_groups(operation(arities, count), expected)


def test_a_property_may_say_how_many_each_group_has() -> None:
    op = operation([Arity.VARIADIC, Arity.ONE, Arity.VARIADIC], 4, [2, 1, 1])
    check_groups(op, {"o0": [0, 1], "o1": [2], "o2": [3]})
    assert op.one_of("o1") is op.operands[2]


def test_a_name_must_be_one_of_the_definition() -> None:
    op = operation([Arity.VARIADIC], 2)
    with pytest.raises(KeyError):
        op.all_of("o1")
    with pytest.raises(ValueError, match="too many"):
        op.one_of("o0")


@given(GROUPS, st.integers(0, 8))
def test_all_ways_to_the_groups_agree(arities: list[Arity], count: int) -> None:
    op = operation(arities, count)
    assert op.definition is not None
    expected = op.definition.operand_groups(op)
    assert {name: op.all_of(name) for name in expected} == expected
