"""What a hover says that a type becomes in the LLVM dialect."""

from __future__ import annotations

from typing import Any

import pytest

from fathom.elaborate import load
from fathom.ir.attributes import TypeAttr
from fathom.ir.types import FunctionType, Type
from fathom.passes.to_llvm.describe import Field, describe
from fathom.passes.to_llvm.llvm_types import LoweringOptions


def type_of(text: str) -> Type:
    """The type that `text` spells."""
    loaded = load(f"func.func private @f({text})\n")
    assert not loaded.has_errors, loaded.diagnostics
    signature = next(op for op in loaded.module.walk() if op.name == "func.func").properties["function_type"]
    assert isinstance(signature, TypeAttr)
    assert isinstance(signature.type, FunctionType)
    return signature.type.inputs[0]


def spelled(fields: tuple[Field, ...]) -> list[str]:
    return [f"{f.name}: {f.type}" + (f" = {f.text}" if f.text is not None else "") for f in fields]


def check_describe(text: str, converted: str, fields: list[str], **options: Any) -> None:
    """The LLVM type of a memref, its named fields, and that it is passed as just those."""
    description = describe(type_of(text), LoweringOptions(**options))
    assert str(description.converted) == converted
    assert spelled(description.fields) == fields
    assert description.arguments == description.fields
    assert description.reason is None


def test_a_memref_is_a_descriptor() -> None:
    check_describe(
        "memref<4x?xf32, 3>",
        "!llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>",
        [
            "allocated pointer: !llvm.ptr<3>",
            "aligned pointer: !llvm.ptr<3>",
            "offset: i64 = 0",
            "sizes[0]: i64 = 4",
            "sizes[1]: i64",
            "strides[0]: i64",
            "strides[1]: i64 = 1",
        ],
    )


def test_a_memref_without_dimensions_has_no_arrays() -> None:
    check_describe(
        "memref<f32>",
        "!llvm.struct<(ptr, ptr, i32)>",
        ["allocated pointer: !llvm.ptr", "aligned pointer: !llvm.ptr", "offset: i32 = 0"],
        index_bitwidth=32,
    )


def test_an_unranked_memref_points_to_a_descriptor() -> None:
    check_describe(
        "memref<*xf32>", "!llvm.struct<(i64, ptr)>", ["rank: i64", "pointer to the ranked descriptor: !llvm.ptr"]
    )


def test_a_bare_pointer_is_one_argument() -> None:
    description = describe(type_of("memref<4xf32>"), LoweringOptions(use_bare_ptr_memref_call_conv=True))
    assert spelled(description.arguments) == ["pointer to the first element: !llvm.ptr"]
    assert len(description.fields) == 5


@pytest.mark.parametrize(
    ("text", "converted"),
    [
        ("index", "i64"),
        ("si8", "i8"),
        ("f8E5M2", "i8"),
        ("bf16", "bf16"),
        ("complex<f32>", "!llvm.struct<(f32, f32)>"),
        ("vector<2x3x4xindex>", "!llvm.array<2 x array<3 x vector<4xi64>>>"),
        ("vector<f32>", "vector<1xf32>"),
        ("vector<2x[4]xi32>", "!llvm.array<2 x vector<[4]xi32>>"),
        ("!llvm.array<4 x index>", "!llvm.array<4 x i64>"),
        ('!llvm.struct<"a", (index, struct<"a">)>', '!llvm.struct<"_Converted.a", (i64, struct<"_Converted.a">)>'),
    ],
)
def test_other_types_are_one_argument(text: str, converted: str) -> None:
    description = describe(type_of(text))
    assert str(description.converted) == converted
    assert spelled(description.arguments) == [f"value: {converted}"]


def test_a_function_type_has_a_lowered_signature() -> None:
    description = describe(type_of("(memref<4xf32>, index) -> (i32, memref<*xf32>)"))
    assert str(description.converted) == "!llvm.ptr"
    assert str(description.signature) == (
        "!llvm.func<struct<(i32, struct<(i64, ptr)>)> (ptr, ptr, i64, i64, i64, i64)>"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tensor<4xf32>", "'tensor<4xf32>' has no memory"),
        ("tf32", "LLVM IR has no type for 'tf32'"),
        ("none", "LLVM has no value of type 'none'"),
        (
            "vector<[2]x4xi32>",
            "only the last dimension of 'vector<[2]x4xi32>' may be scalable, since the others become arrays",
        ),
        ("!foo.bar", "no rule converts '!foo.bar' to the LLVM dialect"),
        ("memref<4xtf32>", "the elements of 'memref<4xtf32>' have no LLVM type: LLVM IR has no type for 'tf32'"),
        ("(none) -> ()", "LLVM has no value of type 'none'"),
    ],
)
def test_a_type_without_conversion_says_why(text: str, reason: str) -> None:
    assert describe(type_of(text)).reason == reason
