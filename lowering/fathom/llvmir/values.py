"""What instructions and initialisers use: values, and the constants among them.

Constants are compared by value, all other values by identity. A name is the empty text for a value that gets a number
when it is written.

Source of the rules: *LLVM Language Reference*, "Constants", "Constant Expressions", "Inline Assembler Expressions".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, TypeVar, overload

from fathom.llvmir.types import FunctionType, Type
from fathom.records import Shared, field, record

if TYPE_CHECKING:
    from fathom.llvmir.instructions import BasicBlock
    from fathom.llvmir.metadata import Metadata
    from fathom.llvmir.module import Function, GlobalValue


T = TypeVar("T")


@record
class Repeated(Sequence[T]):
    """A sequence of one thing, many times over, which takes no room."""

    element: T
    times: int

    def __len__(self) -> int:
        return self.times

    def __iter__(self) -> Iterator[T]:
        return repeat(self.element, self.times)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Repeated[T]: ...
    def __getitem__(self, index: int | slice) -> T | Repeated[T]:
        if isinstance(index, slice):
            return Repeated(self.element, len(range(self.times)[index]))
        if not -self.times <= index < self.times:
            raise IndexError(index)
        return self.element


def distinct(of: Sequence[T]) -> Sequence[T]:
    """What is to be gone through of a sequence: of one thing many times over, once."""
    return (of.element,) * bool(of.times) if isinstance(of, Repeated) else of


class Value:
    """Anything that an instruction may have as an operand."""

    __slots__ = ()

    type: Type


@record(frozen=False, eq=False)
class Argument(Value):
    """A parameter of a function, inside of it."""

    type: Type
    name: str = ""


class Constant(Value):
    """A value that is known before the program runs."""

    __slots__ = ()


@record
class ConstantInt(Constant):
    """An integer, with its sign as LLVM prints it; an `i1` is 0 or 1. Of a vector type it is the value of all
    elements."""

    type: Type
    value: int


@record
class ConstantFP(Constant):
    """A float, by its bits. Of a vector type it is the value of all elements."""

    type: Type
    bits: int


@record
class ConstantAggregateZero(Constant):
    """`zeroinitializer`; that of a target's type too."""

    type: Type


@record
class ConstantPointerNull(Constant):
    """`null`."""

    type: Type


@record
class ConstantTokenNone(Constant):
    """`none`."""

    type: Type


@record
class UndefValue(Constant):
    """`undef`."""

    type: Type


@record
class PoisonValue(Constant):
    """`poison`."""

    type: Type


@record
class ConstantString(Constant):
    """An array of bytes, which LLVM prints as `c"…"` (its `ConstantDataArray` of `i8`)."""

    type: Type
    data: bytes


@record
class ConstantDataSequential(Constant):
    """An array or vector of integers or floats, by their values or bits."""

    type: Type
    values: Sequence[int]
    """A tuple, or `Repeated`."""


@record
class ConstantAggregate(Constant, Shared):
    """An array, struct or vector of any constants, according to its type."""

    type: Type
    operands: Sequence[Constant]
    """A tuple, or `Repeated`."""


@record
class ConstantExpr(Constant, Shared):
    """An operation on constants. `flags` are those of the instruction (`words.FLAGS`)."""

    type: Type
    opcode: str
    operands: tuple[Constant, ...]
    flags: tuple[str, ...] = ()
    source_type: Type | None = None
    """The source element type of `getelementptr`."""
    in_range: tuple[int, int] | None = None
    """The bounds of `inrange`, of `getelementptr`."""
    mask: tuple[int, ...] = ()
    """The mask of `shufflevector`, with -1 for poison."""


@record
class BlockAddress(Constant):
    """`blockaddress(@function, %block)`."""

    type: Type
    function: Function
    block: BasicBlock


@record
class DSOLocalEquivalent(Constant):
    """`dso_local_equivalent @global`."""

    type: Type
    value: GlobalValue


@record
class NoCFIValue(Constant):
    """`no_cfi @global`."""

    type: Type
    value: GlobalValue


@record
class ConstantPtrAuth(Constant, Shared):
    """`ptrauth (pointer, key, discriminator, address discriminator, deactivation symbol)`. What is 0 or null at the
    end need not be there."""

    type: Type
    operands: tuple[Constant, ...]


@record
class InlineAsm(Value):
    """`asm "…", "constraints"`, as what a call calls."""

    type: Type
    function_type: FunctionType
    text: str
    constraints: str
    has_side_effects: bool = field(default=False, kw_only=True)
    is_align_stack: bool = field(default=False, kw_only=True)
    is_intel_dialect: bool = field(default=False, kw_only=True)
    can_throw: bool = field(default=False, kw_only=True)


@record
class MetadataAsValue(Value):
    """Metadata, as an argument of a call."""

    type: Type
    metadata: Metadata
