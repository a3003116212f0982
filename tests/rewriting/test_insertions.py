"""Going back through insertions: with what is known of chains at hand, the same is found as by walking."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import I32, I64
from fathom.rewriting.insertions import FEW, Insertion, before_others, insertions_at_hand

KIND = Insertion("llvm.insertvalue", 0, "position")


def base() -> Value:
    return Operation("x.base", (), [I32]).result


def inserted(into: Value, position: Sequence[int]) -> Value:
    return Operation(KIND.name, [into], [I32], {KIND.property: DenseArrayAttr(I64, tuple(position))}).result


def walked(value: Value, position: Sequence[int]) -> Value:
    while (op := value.defining_op) is not None and op.name == KIND.name:
        if not any(a != b and a >= 0 and b >= 0 for a, b in zip(position, KIND.position_of(op), strict=False)):
            break
        value = op.operands[0]
    return value


def drawn(random: Random, least: int) -> list[int]:
    """A position that few others touch, and now and then one that more do."""
    numbers = [random.randrange(40), random.randrange(least, 3), random.randrange(least, 3), random.randrange(30)]
    return numbers[: random.choice((1, 2, 2, 3, 3, 3, 4))]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("least", [0, -1])
def test_the_same_is_found_as_by_walking(seed: int, least: int) -> None:
    random = Random(seed)
    values = [base(), base()]
    far = 0
    with insertions_at_hand() as known:
        for _ in range(500):
            # Mostly one chain, with branches.
            into = values[-1] if random.random() < 0.97 else random.choice(values)
            values.append(inserted(into, drawn(random, least)))
            value, position = random.choice(values), drawn(random, least)
            insertion = walked(value, position)
            assert before_others(KIND, value, position) is insertion
            far += abs(values.index(value) - values.index(insertion)) > FEW
            if random.random() < 0.1:
                place = random.randrange(2, len(values))
                op = values[place].defining_op
                assert op is not None
                op.set_operand(0, random.choice(values[:place]))
                known.changed(op)
    assert far > 50


def test_dimensions_that_stay_are_gone_through_too() -> None:
    value = last = base()
    for number in range(100):
        last = inserted(last, [number, 1])
    with insertions_at_hand():
        assert before_others(KIND, last, [200, -1]) is value
        assert KIND.position_of(before_others(KIND, last, [40, -1]).defining_op or Operation("")) == (40, 1)
        assert before_others(KIND, last, [-1, 2]) is value
        assert before_others(KIND, last, [-1, 1]) is last
        assert before_others(KIND, last, []) is last
