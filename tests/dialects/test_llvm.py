"""The LLVM dialect: what its verifier says, and its types."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.dialects.llvm.memory import spell_gep_flags
from fathom.dialects.llvm.types import PTR, LLVMStructType
from fathom.elaborate import load
from fathom.verify import verify
from tests.dialects.messages import first_error

HEAD = (
    "llvm.func @f(%a: i32, %b: i64, %p: !llvm.ptr, %v: f32, %vi: vector<2xi32>, "
    "%s: !llvm.struct<(i32, array<2 x f32>)>, %q: !llvm.ptr<2>) {\n"
)
TAIL = "\nllvm.return\n}\n"


@pytest.mark.parametrize(
    ("type", "message"),
    [
        ("!llvm.struct<(void)>", "invalid LLVM structure element type: '!llvm.void'"),
        ("!llvm.array<2 x token>", "invalid array element type: '!llvm.token'"),
        ("!llvm.func<label ()>", "invalid function result type: '!llvm.label'"),
        ("!llvm.func<i32 (void)>", "invalid function argument type: '!llvm.void'"),
        ('!llvm.struct<"a">', "struct without a body only allowed in a recursive struct"),
        ("!llvm.array<2 x foo>", "unknown LLVM type: foo"),
    ],
)
def test_malformed_types(type: str, message: str) -> None:
    assert first_error(f"func.func private @f({type})") == (0, message)


def test_a_field_of_a_recursive_struct_is_the_struct_itself() -> None:
    mention = LLVMStructType(None, name="list")
    struct = LLVMStructType((PTR, mention), name="list")
    assert str(struct) == '!llvm.struct<"list", (ptr, struct<"list">)>'
    assert struct.field(1) == struct


def test_an_inserted_value_is_found_again() -> None:
    text = (
        f"{HEAD}%0 = llvm.insertvalue %a, %s[0] : !llvm.struct<(i32, array<2 x f32>)>\n"
        "%1 = llvm.insertvalue %v, %0[1, 1] : !llvm.struct<(i32, array<2 x f32>)>\n"
        f"%2 = llvm.extractvalue %1[1, 1] : !llvm.struct<(i32, array<2 x f32>)>{TAIL}"
    )
    op = next(inner for inner in load(text).module.walk() if inner.name == "llvm.extractvalue")
    assert op.definition is not None
    assert op.definition.fold is not None
    (folded,) = op.definition.fold(op, [None]) or [None]
    insertion = op.operands[0].defining_op
    assert insertion is not None
    assert folded is insertion.operands[1]


def test_flags_of_getelementptr() -> None:
    assert [spell_gep_flags(number) for number in (2, 3, 4, 6, 7)] == [
        "nusw",
        "inbounds",
        "nuw",
        "nusw|nuw",
        "inbounds|nuw",
    ]


def test_what_is_named_may_be_invalid() -> None:
    text = """
      "llvm.func"() <{sym_name = "f", linkage = #llvm.linkage<external>, CConv = #llvm.cconv<ccc>}> : () -> ()
      "llvm.mlir.alias"() <{sym_name = "a", linkage = #llvm.linkage<external>, alias_type = i32}> : () -> ()
      llvm.mlir.ifunc external @i : !llvm.func<void ()>, !llvm.ptr @f
      llvm.mlir.ifunc external @j : !llvm.func<void ()>, !llvm.ptr @a
      llvm.mlir.global_ctors ctors = [@f], priorities = [1 : i32], data = [#llvm.zero]
    """
    assert [diagnostic.message for diagnostic in verify(load(text).module, context=default_context())] == [
        "'llvm.func' op requires one region",
        "'llvm.mlir.alias' op requires one region",
        "'llvm.mlir.ifunc' op resolver must be a definition",
        "'llvm.mlir.global_ctors' op 'f' does not have a definition",
    ]
