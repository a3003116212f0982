"""What is known of intrinsics without asking LLVM is what LLVM says, for each of them and all types that it takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unittest.mock import patch

import pytest

from fathom.llvmir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    FP128,
    HALF,
    I1,
    PTR,
    VOID,
    FunctionType,
    IntegerType,
    PointerType,
    Type,
    VectorType,
)
from fathom.translation import intrinsics
from fathom.translation.intrinsics import declaration, mangled
from fathom.translation.known_intrinsics import KNOWN, known_attributes

TYPES: Final = (
    *(HALF, BFLOAT, FLOAT, DOUBLE, FP128, VectorType(FLOAT, 8, False), VectorType(DOUBLE, 4, True)),
    *(I1, IntegerType(48), VectorType(IntegerType(16), 4, False), VectorType(IntegerType(64), 2, True)),
)
POINTERS: Final = (PTR, PointerType(3))


def signatures(base: str) -> Iterator[tuple[str, FunctionType]]:
    """Names and types that an intrinsic may have, and others that it has not."""
    for of in TYPES:
        for count in (1, 2, 3):
            yield mangled(base, [of]), FunctionType(of, (of,) * count)
        if not isinstance(of, VectorType):
            continue
        for parameters in ((of,), (of.element, of)):
            yield mangled(base, [of]), FunctionType(of.element, parameters)
        mask = VectorType(I1, of.count, of.is_scalable)
        for pointer in POINTERS:
            yield mangled(base, [of, pointer]), FunctionType(of, (pointer, mask, of))
            yield mangled(base, [of, pointer]), FunctionType(VOID, (of, pointer, mask))


@pytest.mark.parametrize("base", KNOWN)
def test_what_is_known_is_what_llvm_says(base: str) -> None:
    known = [(name, of) for name, of in signatures(base) if known_attributes(name, of) is not None]
    assert known
    for name, of in known:
        ours = declaration(name, of)
        with patch.object(intrinsics, "known_attributes", lambda *_: None):
            llvms = declaration(name, of)
        assert (ours.name, ours.value_type, ours.attributes) == (llvms.name, llvms.value_type, llvms.attributes)
        assert not llvms.is_unknown_intrinsic


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("llvm.floor", FunctionType(FLOAT, (FLOAT,))),
        ("llvm.floor.f64", FunctionType(FLOAT, (FLOAT,))),
        ("llvm.floor.f32", FunctionType(FLOAT, (FLOAT, FLOAT))),
        ("llvm.floor.f32", FunctionType(FLOAT, (FLOAT,), True)),
        ("llvm.floor.i32", FunctionType(IntegerType(32), (IntegerType(32),))),
        ("llvm.smax.f32", FunctionType(FLOAT, (FLOAT, FLOAT))),
        ("llvm.masked.load.f32.p0", FunctionType(FLOAT, (PTR, I1, FLOAT))),
        ("llvm.vector.reduce.fadd.f32", FunctionType(FLOAT, ())),
        ("floor.f32", FunctionType(FLOAT, (FLOAT,))),
    ],
)
def test_llvm_is_asked_about_what_is_not_as_it_has_it(name: str, of: Type) -> None:
    assert isinstance(of, FunctionType)
    assert known_attributes(name, of) is None
