"""How calls of LLVM's intrinsics are imported, as dialects say it.

What a table of intrinsics says an operation calls (`fathom.rewriting.lowerings.INTRINSICS`) is read the other way
round, for those operations that a dialect names. Anything else is code:

    @attached(FROM_LLVM_IR, "llvm.masked.store")
    def masked_store(call: IntrinsicCall) -> Operation: ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from fathom.irdl.aspects import Aspect
from fathom.irdl.lazy import Joined

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value


class IntrinsicCall(Protocol):
    """A call of an intrinsic, as the code of a dialect sees it."""

    def value(self, number: int) -> Value:
        """What an argument is in MLIR."""
        ...

    def number(self, number: int) -> Attribute:
        """The attribute that an argument is, which is a constant. The constant is made as well."""
        ...

    def word(self, number: int) -> str:
        """The text that an argument is, which is metadata."""
        ...

    def scopes(self, number: int) -> tuple[Attribute, ...] | None:
        """The scopes of aliases that an argument lists, which is metadata; None if they are not known."""
        ...

    def alignment(self, number: int) -> int:
        """How an argument is aligned; 1 if that is not said."""
        ...

    def is_marked(self, kind: str) -> bool:
        """Whether metadata of a kind is attached to the call."""
        ...

    def make(self, name: str, operands: Sequence[Value], properties: Mapping[str, Attribute]) -> Operation:
        """Makes an operation with the result of the call."""
        ...

    def refuse(self) -> Exception:
        """Says that the call cannot be imported."""
        ...


FromLLVMIR: TypeAlias = Callable[[IntrinsicCall], "Operation | None"]
"""Makes the operation that stands for a call; None for a call that is dropped."""

FROM_LLVM_IR: Final = Aspect[Mapping[str, FromLLVMIR]]("from_llvm_ir", {}, Joined)
"""What imports calls, by the names of intrinsics without overloaded types."""
READ_BACK: Final = Aspect[tuple[str, ...]]("read_back", (), lambda own, base: (*own, *base), module="from_llvm_ir")
"""Which operations stand for the calls that the dialect's table of intrinsics says they make: patterns of their full
names."""
