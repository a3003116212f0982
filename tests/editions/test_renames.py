"""The table of what releases of MLIR renamed, and what is said and written by it."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.editions.renames import (
    Modern,
    alias_today,
    known_names,
    modernised,
    names_today,
    said,
    said_of_type,
    steps,
    today,
    type_today,
)


def check_said(name: str, sentence: str) -> None:
    assert said(name) == sentence


def check_written(old: str, *new: str) -> None:
    """What an operation is written as today, the likeliest first; the old text itself is not counted."""
    name, _, text = old.partition(" ")
    assert [modern.written for modern in modernised(name, text) if modern.written != old] == list(new)


@pytest.mark.parametrize("name", known_names())
def test_each_name_leads_to_an_operation_of_today(name: str) -> None:
    """Of the dialects that are described here all; what is gone leads nowhere."""
    context = default_context()
    is_renamed = any(step.renames for step in steps(name))
    if not is_renamed:
        assert context.is_defined(name) or name.startswith("std."), name
        return
    assert name.startswith("linalg.copy") or not context.is_defined(name), "it has its old name still"
    for new in names_today(name):
        assert context.is_defined(new), new


def test_what_became_of_an_operation() -> None:
    check_said("arith.maxf", "'arith.maxf' is 'arith.maximumf' since LLVM 18")
    check_said("addf", "'addf' is 'arith.addf' since LLVM 14")
    check_said("absf", "'absf' is 'math.absf' since LLVM 16 ('math.abs' since LLVM 14)")
    check_said("dim", "'dim' is 'memref.dim' or 'tensor.dim' since LLVM 13")
    check_said("func", "'func' is 'func.func' since LLVM 15")
    check_said("spv.IAdd", "'spv.IAdd' is 'spirv.IAdd' since LLVM 16")
    check_said("gpu.module_end", "'gpu.module_end' is gone since LLVM 20: a 'gpu.module' has no terminator")
    check_said("arith.addi", "")
    check_said("addff", "")


def test_a_name_goes_through_all_releases() -> None:
    assert names_today("memref.buffer_cast") == ["bufferization.to_buffer"]
    assert today("tosa.div") == "tosa.intdiv"
    assert today("vector.reshape") == ""
    assert today("arith.addi") is None


def test_a_text_goes_through_all_releases() -> None:
    check_written(
        "memref.tensor_load %m : memref<4x?xf32, #l>",
        "bufferization.to_tensor %m : memref<4x?xf32, #l> to tensor<4x?xf32>",
        "bufferization.to_tensor %m : memref<4x?xf32, #l>",
    )
    check_written("std.splat %x : vector<4xf32>", "vector.broadcast %x : f32 to vector<4xf32>")
    check_written("std.splat %x : tensor<4xf32>", "tensor.splat %x : tensor<4xf32>")
    check_written("std.constant @f : () -> ()", "func.constant @f : () -> ()")
    check_written("std.constant dense<1> : tensor<2xi32>", "arith.constant dense<1> : tensor<2xi32>")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("linalg.init_tensor [4, %d] : tensor<4x?xf32>", "tensor.empty(%d) : tensor<4x?xf32>"),
        ("linalg.init_tensor [4] : tensor<4xf32>", "tensor.empty() : tensor<4xf32>"),
        ("vector.extract %v[0] : vector<2x[4]xf32>", "vector.extract %v[0] : vector<[4]xf32> from vector<2x[4]xf32>"),
        ("vector.extract %v[0, 1] {a} : vector<2x4xf32>", "vector.extract %v[0, 1] {a} : f32 from vector<2x4xf32>"),
        ("vector.extractelement %v[%i : index] : vector<4xf32>", "vector.extract %v[%i] : f32 from vector<4xf32>"),
        ("vector.insertelement %x, %v[] : vector<f32>", "vector.insert %x, %v[] : f32 into vector<f32>"),
        ('vector.reduction "add", %v : vector<4xf32> into f32', "vector.reduction <add>, %v : vector<4xf32> into f32"),
        ("vector.reduction <maxf>, %v : !v into f32", "vector.reduction <maximumf>, %v : !v into f32"),
        ("llvm.load %p : !llvm.ptr<ptr<i8>>", "llvm.load %p : !llvm.ptr -> !llvm.ptr"),
        ("llvm.load %p : !llvm.ptr<struct<(i8, ptr<i8>)>>", "llvm.load %p : !llvm.ptr -> !llvm.struct<(i8, ptr)>"),
        (
            "llvm.store %v, %p {alignment = 4} : !llvm.ptr<i32, 3>",
            "llvm.store %v, %p {alignment = 4} : i32, !llvm.ptr<3>",
        ),
        (
            "llvm.getelementptr %p[%i, 1] : (!llvm.ptr<array<4 x f32>>, i64) -> !llvm.ptr<f32>",
            "llvm.getelementptr %p[%i, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>",
        ),
        ("llvm.alloca %n x i32 : (i64) -> !llvm.ptr<i32>", "llvm.alloca %n x i32 : (i64) -> !llvm.ptr"),
        ("llvm.extractvalue %s[0 : i32] : !llvm.struct<(i8)>", "llvm.extractvalue %s[0] : !llvm.struct<(i8)>"),
        ("linalg.copy(%a, %b) : memref<4xf32>, memref<?xf32>", "memref.copy %a, %b : memref<4xf32> to memref<?xf32>"),
        ('std.cmpi "slt", %a, %b : i32', "arith.cmpi slt, %a, %b : i32"),
        (
            "tensor.expand_shape %t [[0, 1]] : tensor<4xf32> into tensor<2x2xf32>",
            "tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>",
        ),
    ],
)
def test_another_syntax(old: str, new: str) -> None:
    cut = min(at for at in (old.find(" "), old.find("(")) if at >= 0)
    name, text = old[:cut], old[cut:].strip()
    assert next(modernised(name, text)).written == new


def test_what_a_template_does_not_tell_is_left() -> None:
    assert list(modernised("vector.extract", "%v[0] : !v")) == [Modern("vector.extract", "%v[0] : !v")]
    assert not list(modernised("linalg.pad_tensor", "%t low[1] high[1] {")), "its region ends otherwise too"
    assert not list(modernised("linalg.init_tensor", "() {static_sizes = [4]} : () -> tensor<4xf32>", generic=True))
    assert [modern.name for modern in modernised("std.addi", "(%a) : (i32) -> i32", generic=True)] == ["arith.addi"]
    assert not list(modernised("linalg.init_tensor", "[" + "4, " * 1000 + "] : tensor<f32>")), "too long a text"


def test_what_means_not_quite_the_same_says_so() -> None:
    [store] = modernised("memref.tensor_store", "%t, %m : memref<4xf32>")
    assert not store.exact
    assert store.text == "%t in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()"


def test_types_and_aliases() -> None:
    assert type_today("!llvm.ptr", "<i32>") == ("!llvm.ptr", 18)
    assert type_today("!llvm.ptr", "<struct<(i8, i8)>, 3>") == ("!llvm.ptr<3>", 18)
    assert "pointers are opaque" in said_of_type("!llvm.ptr", "<i32>")
    assert type_today("!llvm.float", "") == ("f32", 12)
    old, new = "<?xf32, offset: ?, strides: [1], 3>", "memref<?xf32, strided<[1], offset: ?>, 3>"
    assert type_today("memref", old) == (new, 16)
    assert type_today("memref", "<?xf32>") is None
    assert alias_today("!", "type tensor<4xf32>") == ("tensor<4xf32>", 15)
    assert alias_today("#", "(d0, d1)[s0] -> (d0 + s0)") == ("affine_map<(d0, d1)[s0] -> (d0 + s0)>", 10)
    assert alias_today("#", "affine_map<(d0) -> (d0)>") is None
