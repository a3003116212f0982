"""The ptr dialect in LLVM IR, as `mlir-translate` has it."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.translation import translate
from tests.oracles import mlir_translate

P = "!ptr.ptr<#llvm.address_space<1>>"
Q = "!ptr.ptr<#nvvm.memory_space<shared>>"


@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        (f"%p: {P}, %q: {Q}, %n: i16", f"%0 = ptr.ptr_add inbounds %p, %n : {P}, i16"),
        (f"%p: {Q}, %n: vector<4xi32>", f"%0 = ptr.ptr_add nuw %p, %n : {Q}, vector<4xi32>"),
        (f"%p: {P}, %q: {P}", f"%0 = ptr.ptr_diff nsw %p, %q : {P} -> i8"),
        (f"%p: vector<2x{P}>", f"%0 = ptr.ptr_diff %p, %p : vector<2x{P}> -> vector<2xi64>"),
        (f"%p: {P}", f"%0 = ptr.load volatile %p atomic unordered alignment = 8 : {P} -> f64"),
        (f"%p: {P}, %x: {Q}", f"ptr.store %x, %p nontemporal : {Q}, {P}"),
        (
            f"%p: vector<4x{P}>, %m: vector<4xi1>, %x: vector<4xf32>",
            f"ptr.scatter %x, %p, %m alignment = 2 : vector<4xf32>, vector<4x{P}>",
        ),
        (
            f"%p: {P}, %m: vector<[4]xi1>, %x: vector<[4]xf32>",
            f"%0 = ptr.masked_load %p, %m, %x : {P} -> vector<[4]xf32>",
        ),
        (
            f"%r: !llvm.ptr, %p: !llvm.struct<(i8, {P})>",
            f"llvm.store %p, %r : !llvm.struct<(i8, {P})>, !llvm.ptr\n"
            f"%0 = ptr.type_offset !llvm.struct<(i8, {P})> : i16\n"
            "llvm.store %0, %r : i16, !llvm.ptr",
        ),
        (
            "%r: !llvm.ptr",
            f"%0 = ptr.constant #ptr.null : {P}\n %1 = ptr.constant #ptr.address<64> : {P}\n"
            f"%2 = ptr.ptr_diff %1, %0 : {P} -> i32\nllvm.store %2, %r : i32, !llvm.ptr\n"
            f"llvm.store %1, %r : {P}, !llvm.ptr",
        ),
    ],
)
def test_pointers(arguments: str, body: str) -> None:
    text = f"llvm.func @f({arguments}) {{\n{body}\nllvm.return\n}}\n"
    made = translate(load(text).module, context=default_context())
    assert (made.all_told, made.text) == ([], mlir_translate(text))
