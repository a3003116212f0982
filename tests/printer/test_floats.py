"""Floats by their bit patterns: as text, and rounded as the machine rounds them."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.ir.floats import from_float, from_fraction, is_nan, spell_float, to_float, to_fraction

LETTERS = {"f16": "e", "f32": "f", "f64": "d"}


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(sorted(LETTERS)))
def test_rounded_as_the_machine_does(value: float, name: str) -> None:
    try:
        bits = int.from_bytes(struct.pack(f">{LETTERS[name]}", value))
    except OverflowError:
        bits = from_float(math.copysign(math.inf, value), name)
    assert from_float(value, name) == bits
    assert to_float(bits, name) == struct.unpack(f">{LETTERS[name]}", bits.to_bytes(struct.calcsize(LETTERS[name])))[0]


@pytest.mark.parametrize("name", ["f8E5M2", "f8E4M3FN", "f8E4M3FNUZ", "f8E3M4", "f6E2M3FN", "f4E2M1FN", "bf16", "f16"])
def test_each_pattern_is_its_value(name: str) -> None:
    width = 16 if name in ("bf16", "f16") else int(name[1])
    for bits in range(1 << width):
        if not is_nan(bits, name) and not math.isinf(to_float(bits, name)):
            negative = bool(bits >> (width - 1))
            assert from_fraction(to_fraction(bits, name), name, negative_zero=negative) == bits


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.7, "0.699999988"),
        (0.1, "1.000000e-01"),
        (-0.0, "-0.000000e+00"),
        (1e10, "1.000000e+10"),
        (3.14159265, "3.14159274"),
    ],
)
def test_texts(value: float, text: str) -> None:
    assert spell_float(from_float(value, "f32"), "f32") == text
