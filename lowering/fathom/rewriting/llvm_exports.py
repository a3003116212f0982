"""What dialects say of themselves in LLVM IR, in its own words: of operations that the LLVM dialect has no words for.

    @builds("ptr.ptr_diff")
    def difference(op: PtrDiffOp, build: Builder) -> Value:
        left, right = (build.cast("ptrtoaddr", build.value(each), I64) for each in op.operands)
        return build.binary("sub", left, right)

It stands in the module `llvm_ir` of a dialect. What the LLVM dialect has words for is said in these
(`fathom.rewriting.lowerings.LLVM_IR`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar

from fathom.ir.operation import Operation
from fathom.irdl.aspects import Aspect, attached
from fathom.irdl.lazy import Joined

if TYPE_CHECKING:
    from fathom.ir import operation as mlir
    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type as MLIRType
    from fathom.llvmir.instructions import Instruction
    from fathom.llvmir.metadata import MDNode, Metadata
    from fathom.llvmir.module import Function, GlobalVariable
    from fathom.llvmir.types import FunctionType, Type
    from fathom.llvmir.values import Constant, Value

OpT = TypeVar("OpT", bound=Operation)
"""The class of the operations with the names that a function is said to be for."""


class Builder(Protocol):
    """Makes LLVM IR in the place of an operation. What is constant is folded, as LLVM's own builder does."""

    def value(self, of: mlir.Value) -> Value:
        """What stands for a value of the source."""
        ...

    def type(self, of: MLIRType) -> Type:
        """What stands for a type of the source."""
        ...

    def alignment(self, of: MLIRType, preferred: bool = False) -> int:
        """The alignment in bytes that the ABI asks for, or that is preferred."""
        ...

    def constant(self, attribute: Attribute, type: Type) -> Constant:
        """The constant that an attribute stands for."""
        ...

    def add(
        self, instruction: Instruction, attachments: Mapping[str, MDNode] | None = None, *, placed: bool = True
    ) -> Value:
        """Adds an instruction, with what is attached to it. One that is not `placed` is in no line for a debugger."""
        ...

    def node(self, *operands: Metadata | None) -> MDNode:
        """A node of metadata."""
        ...

    def cast(self, opcode: str, value: Value, type: Type) -> Value:
        """A value as one of another type."""
        ...

    def binary(self, opcode: str, left: Value, right: Value, flags: tuple[str, ...] = ()) -> Value:
        """An operation on two values."""
        ...

    def address(self, element: MLIRType, base: Value, indices: Sequence[Value], flags: int = 0) -> Value:
        """A `getelementptr`, with the sum of its no-wrap flags as the LLVM dialect has them."""
        ...

    def intrinsic(
        self,
        base: str,
        overloads: Sequence[Type],
        result: Type,
        arguments: Sequence[Value],
        alignments: Mapping[int, int] | None = None,
    ) -> Value:
        """Calls an intrinsic, by its name without what it is overloaded on. Some arguments are aligned."""
        ...

    def call(self, function: Function, arguments: Sequence[Value]) -> Value:
        """Calls a function."""
        ...

    def function(self, name: str, type: FunctionType) -> Function:
        """The function of this name, which is declared unless it is there."""
        ...

    def variable(self, variable: GlobalVariable) -> GlobalVariable:
        """Adds a variable to the module, under a name that nothing else has."""
        ...

    def define(self, function: Function) -> None:
        """Adds a function to the module."""
        ...

    def symbol(self, name: str) -> Constant | None:
        """What has a name in the module."""
        ...

    def constructor(self, which: str, function: Function, priority: int) -> None:
        """Has a function called before the program (`ctors`), or after it (`dtors`)."""
        ...

    def shared(self, initializer: Constant, alignment: int) -> GlobalVariable:
        """A constant of the module that has no name, one for all that are equal."""
        ...

    def at_entry(self, instructions: Sequence[Instruction]) -> None:
        """Puts instructions at the beginning of the function, under names that nothing else in it has, and in the line
        of what was first there."""
        ...

    def region(self, region: mlir.Region, name: str, behind: str) -> None:
        """Makes the blocks of a region blocks of the function, which the one that is made leads to. What comes next
        stands in a block that they lead to by `leave`. All have names."""
        ...

    def leave(self) -> None:
        """Ends a block of a region: what comes next stands behind the operation that has the region."""
        ...

    def location(self, of: mlir.Operation | mlir.Value) -> Attribute:
        """Where something in the source stands."""
        ...

    def refuse(self, message: str) -> Exception:
        """Says that the operation has no translation, and why."""
        ...


Build: TypeAlias = "Callable[[Operation, Builder], Value | None]"
"""Makes LLVM IR of an operation, and gives the value of the result, if there is one."""
BUILDERS: Final = Aspect["Mapping[str, Build]"]("builders", {}, Joined, module="llvm_ir")
"""What makes LLVM IR of operations, by their names."""
LLVM_TYPES: Final = Aspect["Mapping[str, Callable[[MLIRType], MLIRType | None]]"](
    "llvm_types", {}, Joined, module="llvm_ir"
)
"""Which types of the LLVM dialect stand in LLVM IR for types, by their names; none for a type that has none."""


def builds(
    *names: str,
) -> Callable[[Callable[[OpT, Builder], Value | None]], Callable[[OpT, Builder], Value | None]]:
    """The function makes LLVM IR of operations, and gives the value of their result."""
    return attached(BUILDERS, *names)
