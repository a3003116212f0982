"""Short forms for making the operations of the LLVM dialect that lowerings are made of.

Each inserts at the rewriter's insertion point and returns the result, if there is one. The properties are those that
mlir-opt gives, defaults included, so that the generic form is the same too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import DYNAMIC_GEP_INDEX
from fathom.dialects.llvm.types import PTR
from fathom.ir.attributes import (
    FALSE,
    TRUE,
    UNIT,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    i32_attr,
    i64_attr,
    index_attr,
)
from fathom.ir.types import I1, I32, I64, Type, VectorType

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Value
    from fathom.rewriting.rewriter import Rewriter

NO_WRAP: Final = i32_attr(3)
"""`overflow<nsw, nuw>`."""
WRAPS: Final = i32_attr(0)
INBOUNDS_NUW: Final = 7
"""The flags `inbounds|nuw` of a getelementptr."""


def index_constant(rewriter: Rewriter, type: Type, value: int) -> Value:
    """`llvm.mlir.constant(4 : index) : i64`, as sizes, strides and offsets are written."""
    return constant(rewriter, type, index_attr(value))


def constant(rewriter: Rewriter, type: Type, value: Attribute) -> Value:
    return rewriter.create("llvm.mlir.constant", (), [type], {"value": value}).result


def i32(rewriter: Rewriter, value: int) -> Value:
    """`llvm.mlir.constant(4 : i32) : i32`."""
    return constant(rewriter, I32, i32_attr(value))


def i64(rewriter: Rewriter, value: int) -> Value:
    """`llvm.mlir.constant(4 : i64) : i64`."""
    return constant(rewriter, I64, i64_attr(value))


def true(rewriter: Rewriter) -> Value:
    return constant(rewriter, I1, TRUE)


def poison(rewriter: Rewriter, type: Type) -> Value:
    return rewriter.create("llvm.mlir.poison", (), [type]).result


def null(rewriter: Rewriter, type: Type) -> Value:
    """The zero value of a type: for a pointer, null."""
    return rewriter.create("llvm.mlir.zero", (), [type]).result


def add(rewriter: Rewriter, lhs: Value, rhs: Value, flags: Attribute = WRAPS) -> Value:
    return rewriter.create("llvm.add", [lhs, rhs], [lhs.type], {"overflowFlags": flags}).result


def sub(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    return rewriter.create("llvm.sub", [lhs, rhs], [lhs.type], {"overflowFlags": WRAPS}).result


def mul(rewriter: Rewriter, lhs: Value, rhs: Value, flags: Attribute = WRAPS) -> Value:
    return rewriter.create("llvm.mul", [lhs, rhs], [lhs.type], {"overflowFlags": flags}).result


def urem(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    return rewriter.create("llvm.urem", [lhs, rhs], [lhs.type]).result


def cast(rewriter: Rewriter, name: str, value: Value, type: Type) -> Value:
    """A conversion of one value: `llvm.ptrtoint`, `llvm.inttoptr`, `llvm.addrspacecast`, …"""
    return rewriter.create(name, [value], [type]).result


def extract(rewriter: Rewriter, aggregate: Value, type: Type, *position: int) -> Value:
    return rewriter.create("llvm.extractvalue", [aggregate], [type], {"position": DenseArrayAttr(I64, position)}).result


def insert(rewriter: Rewriter, aggregate: Value, value: Value, *position: int) -> Value:
    operands, properties = [aggregate, value], {"position": DenseArrayAttr(I64, position)}
    return rewriter.create("llvm.insertvalue", operands, [aggregate.type], properties).result


def extract_element(rewriter: Rewriter, vector: Value, position: Value) -> Value:
    assert isinstance(vector.type, VectorType)
    return rewriter.create("llvm.extractelement", [vector, position], [vector.type.element]).result


def insert_element(rewriter: Rewriter, vector: Value, value: Value, position: Value) -> Value:
    return rewriter.create("llvm.insertelement", [vector, value, position], [vector.type]).result


def gep(
    rewriter: Rewriter, pointer: Value, element: Type, *indices: Value | int, flags: int = 0, type: Type | None = None
) -> Value:
    """`llvm.getelementptr`; an index that is a number stands in the operation itself. `type` is the result's, if it is
    not that of `pointer`."""
    raw = tuple(index if isinstance(index, int) else DYNAMIC_GEP_INDEX for index in indices)
    properties: dict[str, Attribute] = {
        "elem_type": TypeAttr(element),
        "noWrapFlags": i32_attr(flags),
        "rawConstantIndices": DenseArrayAttr(I32, raw),
    }
    operands = [pointer, *(index for index in indices if not isinstance(index, int))]
    return rewriter.create("llvm.getelementptr", operands, [type or pointer.type], properties).result


def load(rewriter: Rewriter, type: Type, pointer: Value, access: Mapping[str, Attribute] | None = None) -> Value:
    """`access` holds `alignment` and `nontemporal`, where they are given."""
    return rewriter.create("llvm.load", [pointer], [type], {**(access or {}), "ordering": i64_attr(0)}).result


def store(rewriter: Rewriter, value: Value, pointer: Value, access: Mapping[str, Attribute] | None = None) -> None:
    rewriter.create("llvm.store", [value, pointer], (), {**(access or {}), "ordering": i64_attr(0)})


def access(*, nontemporal: bool, alignment: Attribute | None) -> dict[str, Attribute]:
    """The properties of a load or store beyond its ordering."""
    properties: dict[str, Attribute] = {}
    if alignment is not None:
        properties["alignment"] = alignment
    if nontemporal:
        properties["nontemporal"] = UNIT
    return properties


def alloca(
    rewriter: Rewriter, element: Type, count: Value, type: Type = PTR, alignment: Attribute | None = None
) -> Value:
    """Room on the stack for `count` elements; `type` is that of the pointer."""
    properties: dict[str, Attribute] = {"elem_type": TypeAttr(element)}
    if alignment is not None:
        properties["alignment"] = alignment
    return rewriter.create("llvm.alloca", [count], [type], properties).result


def spill(rewriter: Rewriter, value: Value) -> Value:
    """A pointer to a copy of `value` on the stack. The count is an `i64` whatever the width of an index."""
    pointer = alloca(rewriter, value.type, index_constant(rewriter, I64, 1))
    store(rewriter, value, pointer)
    return pointer


def call(
    rewriter: Rewriter,
    callee: str | Value,
    operands: Sequence[Value],
    results: Sequence[Type] = (),
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
) -> Operation:
    """A call of a function by its name or through a pointer."""
    operands = list(operands) if isinstance(callee, str) else [callee, *operands]
    complete: dict[str, Attribute] = {
        "op_bundle_sizes": DenseArrayAttr(I32, ()),
        "operandSegmentSizes": DenseArrayAttr(I32, (len(operands), 0)),
        **(properties or {}),
    }
    if isinstance(callee, str):
        complete["callee"] = SymbolRefAttr(callee)
    return rewriter.create("llvm.call", operands, results, complete, attributes)


def inline_asm(
    rewriter: Rewriter, text: str, constraints: str, operands: Sequence[Value] = (), results: Sequence[Type] = ()
) -> Operation:
    """Assembly that may do more than give its results, as AT&T writes it."""
    properties: dict[str, Attribute] = {
        "asm_string": StringAttr(text),
        "constraints": StringAttr(constraints),
        "has_side_effects": UNIT,
        "asm_dialect": i64_attr(0),
    }
    return rewriter.create("llvm.inline_asm", operands, results, properties)


def memcpy(rewriter: Rewriter, target: Value, source: Value, size: Value) -> None:
    """Copies `size` bytes between buffers that do not overlap."""
    rewriter.create("llvm.intr.memcpy", [target, source, size], (), {"isVolatile": FALSE})


def assume(rewriter: Rewriter, condition: Value, tag: str, operands: Sequence[Value]) -> None:
    """`llvm.intr.assume %condition ["tag"(operands)]`."""
    properties: dict[str, Attribute] = {
        "op_bundle_sizes": DenseArrayAttr(I32, (len(operands),)),
        "op_bundle_tags": ArrayAttr((StringAttr(tag),)),
    }
    rewriter.create("llvm.intr.assume", [condition, *operands], (), properties)


def branch(rewriter: Rewriter, target: Block, operands: Sequence[Value] = ()) -> Operation:
    return rewriter.create("llvm.br", operands, successors=[target])


def size_of(rewriter: Rewriter, index: Type, element: Type) -> Value:
    """The size of a type in bytes, as an offset from null: the number is left to the target's data layout."""
    pointer = gep(rewriter, null(rewriter, PTR), element, 1)
    return cast(rewriter, "llvm.ptrtoint", pointer, index)
