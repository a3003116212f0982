"""Bytes of elements: what is encoded is decoded again, for any type and value, and large data like single elements."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from fathom.execution.layouts import element_size
from fathom.execution.literals import read_contents
from fathom.execution.scalars import decode, decode_all, encode, encode_all, nest
from fathom.ir import floats
from fathom.ir.types import INDEX, ComplexType, FloatType, IntegerType, Type
from tests.properties import examples

WIDTHS = (1, 7, 8, 16, 24, 32, 63, 64, 65, 128, 200)
FLOATS = ("f16", "bf16", "f32", "f64", "f80", "f128", "f8E5M2", "f8E4M3FN", "f8E4M3FNUZ")


def check_round_trip(type: Type, value: int | float) -> None:
    data = encode(value, type, "x")
    assert len(data) == element_size(type)
    again = decode(data, type)
    assert isinstance(again, (int, float, str))
    # The sign of a NaN is not kept.
    assert again == "nan" or encode(again, type, "x") == data


@given(st.sampled_from(WIDTHS), st.data())
def test_integers(width: int, data: st.DataObject) -> None:
    value = data.draw(st.integers(-(1 << (width - 1)), (1 << width) - 1))
    check_round_trip(IntegerType(width), value)


@given(st.sampled_from(FLOATS), st.floats())
def test_floats(name: str, value: float) -> None:
    check_round_trip(FloatType(name), value)


@given(st.sampled_from(("f16", "bf16", "f32", "f8E5M2")), st.data())
def test_every_pattern_of_a_narrow_float(name: str, data: st.DataObject) -> None:
    """The short decimal given for a value reads back as the very same value."""
    bits = data.draw(st.integers(0, (1 << floats.SEMANTICS[name].width) - 1))
    value = decode(bits.to_bytes(element_size(FloatType(name)), "little"), FloatType(name))
    assert isinstance(value, (int, float, str))
    if not floats.is_nan(bits, name):
        assert floats.from_float(float(value), name) == bits


ELEMENTS = st.sampled_from(
    (IntegerType(8), IntegerType(24), IntegerType(64), INDEX, FloatType("f32"), FloatType("f64"))
)


@examples(50)
@given(ELEMENTS, st.lists(st.integers(-128, 127), max_size=20))
def test_many_are_like_one(type: Type, values: list[int]) -> None:
    single = b"".join(encode(value, type, "x") for value in values)
    assert encode_all(values, type, str) == single
    size = element_size(type)
    assert decode_all(single, type) == [decode(single[i : i + size], type) for i in range(0, len(single), size)]


@examples(50)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_nested_lists_keep_their_shape(shape: list[int]) -> None:
    flat = list(range(math.prod(shape)))
    contents = read_contents(nest(flat, shape), tuple(shape), INDEX, "x")
    assert contents.shape == tuple(shape)
    assert decode_all(contents.data, INDEX) == flat


def test_complex_elements() -> None:
    check = ComplexType(FloatType("f32"))
    assert decode(encode([1.5, "nan"], check, "x"), check) == [1.5, "nan"]
