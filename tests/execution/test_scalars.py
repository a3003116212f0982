"""Bytes of elements: what is encoded is decoded again, for any type and value, and large data like single elements."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llvmlite import binding as llvm

from fathom.dialects.llvm.data_layout import parse_data_layout
from fathom.dialects.llvm.types import LLVMPointerType, LLVMStructType
from fathom.execution.layouts import DATA_LAYOUT, element_size
from fathom.execution.literals import read_contents
from fathom.execution.scalars import decode, decode_all, encode, encode_all, nest
from fathom.ir import floats
from fathom.ir.types import INDEX, ComplexType, FloatType, IntegerType, Type, VectorType
from tests.properties import examples

MACHINES = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "arm64-apple-macosx")
WIDTHS = (1, 7, 8, 16, 24, 32, 63, 64, 65, 128, 200)
FLOATS = ("f16", "bf16", "f32", "f64", "f80", "f128", "f8E5M2", "f8E4M3FN", "f8E4M3FNUZ")


def check_round_trip(type: Type, value: int | float) -> None:
    data = encode(value, type, "x")
    assert len(data) == element_size(type)
    again = decode(data, type)
    assert isinstance(again, (int, float, str))
    # The sign of a NaN is not kept.
    assert again == "nan" or encode(again, type, "x") == data


@pytest.mark.parametrize("triple", MACHINES)
def test_what_programs_are_folded_by_is_what_they_are_compiled_by(triple: str) -> None:
    llvm.initialize_all_targets()
    own = parse_data_layout(DATA_LAYOUT)
    theirs = parse_data_layout(str(llvm.Target.from_triple(triple).create_target_machine().target_data))
    types = [*map(IntegerType, WIDTHS), *map(FloatType, ("f16", "bf16", "f32", "f64", "f128")), LLVMPointerType(0)]
    if triple.startswith("x86"):
        types.append(FloatType("f80"))
    vectors = [VectorType((count,), type) for type in types[:6] for count in (1, 3, 8)]
    structs = [LLVMStructType(body=(IntegerType(8), type, IntegerType(8))) for type in types]
    for type in (*types, *vectors, *structs):
        assert (own.size(type), own.alignment(type)) == (theirs.size(type), theirs.alignment(type)), type


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
