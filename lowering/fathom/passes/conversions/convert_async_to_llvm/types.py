"""What the types of async are in the LLVM dialect: pointers to objects of the runtime, and tokens of coroutines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, LLVMTokenType
from fathom.passes.asynchronous.types import COUNTED
from fathom.rewriting.type_converter import TypeConverter

if TYPE_CHECKING:
    from fathom.ir.types import Type

TOKEN: Final = LLVMTokenType()
_CONVERTED: Final = {
    **dict.fromkeys(COUNTED, PTR),
    "async.coro.handle": PTR,
    "async.coro.id": TOKEN,
    "async.coro.state": TOKEN,
}


def converted(type: Type) -> Type | None:
    """What a type of async becomes; None for another type."""
    return _CONVERTED.get(type.full_name)


class AsyncTypes(TypeConverter):
    """Converts these and no others."""

    def convert_uncached(self, type: Type) -> Type:
        return converted(type) or type
