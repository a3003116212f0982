"""Calls of LLVM's intrinsics, which stand for operations of other dialects: what their `llvm_ir.py` is written in.

@calls("nvvm.vote.sync")
def vote(op: VoteSyncOp, make: Maker) -> Called:
    return f"llvm.nvvm.vote.{word_of(op.kind)}.sync", [op.mask, op.pred]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.types import LLVMPointerType, LLVMStructType
from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, DictAttr, IntegerAttr, StringAttr, i64_attr
from fathom.ir.types import I1, I8, I16, I32, I64, IntegerType
from fathom.irdl.aspects import attached
from fathom.irdl.build import segment_sizes
from fathom.records import record
from fathom.rewriting.lowerings import LLVM_IR

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter

    Called: TypeAlias = tuple[str, Sequence[Value]] | tuple[str, Sequence[Value], Type]
    """The name of an intrinsic, without overloaded types, its arguments, and its result where the operation may leave
    it out."""

OpT = TypeVar("OpT", bound="Operation")
"""The class of the operations with the names that a function is said to be for."""

_INTEGERS: Final = {1: I1, 8: I8, 16: I16, 32: I32, 64: I64}


@record
class Maker:
    """Makes operations of the LLVM dialect."""

    rewriter: Rewriter

    def number(self, value: int, type: Type | int = 32) -> Value:
        """A constant of a type, or of an integer type of so many bits."""
        kind = _INTEGERS.get(type) or IntegerType(type) if isinstance(type, int) else type
        constant = IntegerAttr(value, kind)
        return self.rewriter.create("llvm.mlir.constant", (), [kind], {"value": constant}).result

    def flag(self, value: object) -> Value:
        """Whether something is so, as a bit."""
        return self.number(int(bool(value)), 1)

    def call(
        self, name: str, arguments: Sequence[Value], result: Type | None = None, between: Attribute | None = None
    ) -> Operation:
        """A call of an intrinsic, or of another function that the module need not declare. What the name of an
        intrinsic is overloaded on follows from the types. `between` is the range of the result."""
        properties: dict[str, Attribute] = {
            "intrin": StringAttr(name),
            "operandSegmentSizes": segment_sizes(len(arguments), 0),
        }
        if between is not None:
            properties["res_attrs"] = ArrayAttr((DictAttr((("llvm.range", between),)),))
        return self.rewriter.create("llvm.call_intrinsic", arguments, [result] if result else [], properties)

    def binary(self, kind: str, left: Value, right: Value) -> Value:
        """`add`, `and` and the like."""
        return self.rewriter.create(f"llvm.{kind}", [left, right], [left.type]).result

    def is_not_zero(self, value: Value) -> Value:
        """Whether a number is another than zero."""
        zero, predicate = self.number(0, value.type), i64_attr(cases("ICmpPredicate")["ne"])
        return self.rewriter.create("llvm.icmp", [value, zero], [I1], {"predicate": predicate}).result

    def part(self, value: Value, index: int) -> Value:
        """A field of a struct."""
        assert isinstance(value.type, LLVMStructType)
        position = {"position": DenseArrayAttr(I64, (index,))}
        return self.rewriter.create("llvm.extractvalue", [value], [value.type.field(index)], position).result

    def in_space(self, address: Value, space: int) -> Value:
        """A pointer as one into another address space."""
        return self.cast("addrspacecast", address, LLVMPointerType(space))

    def cast(self, kind: str, value: Value, type: Type) -> Value:
        """A value as one of another type, by `bitcast`, `zext` and the like."""
        return self.rewriter.create(f"llvm.{kind}", [value], [type]).result


def replaces(*names: str) -> Callable[[Callable[[OpT, Maker], Value | None]], Callable[[OpT, Rewriter], None]]:
    """The function makes what stands for operations, and gives the value of their result."""

    def decorate(function: Callable[[OpT, Maker], Value | None]) -> Callable[[OpT, Rewriter], None]:
        def make(op: OpT, rewriter: Rewriter) -> None:
            value = function(op, Maker(rewriter))
            rewriter.replace(op, [value] if value is not None else [])

        return attached(LLVM_IR, *names)(make)

    return decorate


def calls(*names: str) -> Callable[[Callable[[OpT, Maker], Called]], Callable[[OpT, Rewriter], None]]:
    """The function says which intrinsic operations call, whose result is theirs, and makes arguments of it."""

    def decorate(function: Callable[[OpT, Maker], Called]) -> Callable[[OpT, Rewriter], None]:
        def make(op: OpT, maker: Maker) -> Value | None:
            name, arguments, *given = function(op, maker)
            made = maker.call(name, arguments, given[0] if given else op.result.type if op.results else None)
            return made.result if op.results else None

        return replaces(*names)(make)

    return decorate
