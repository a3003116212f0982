"""Operations of async that hand on what a GPU works on: they stay, with the converted types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.passes.asynchronous.types import TOKEN, payload_of
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.retyping import is_retyped, retype

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.target import ConversionTarget

_NAMES: Final = {
    "async.execute": "ConvertExecuteOpTypes",
    "async.await": "ConvertAwaitOpTypes",
    "async.yield": "ConvertYieldOpTypes",
}


def allow_asynchronous(types: LLVMTypeConverter, target: ConversionTarget) -> None:
    """Has a converter leave tokens alone and convert what values hold; the operations are legal with such types."""

    def convert(type: Type) -> Type | Failure | None:
        if type.full_name == TOKEN:
            return type
        payload = payload_of(type)
        if payload is None:
            return None
        converted = types.convert(payload)
        if converted is None:
            return Failure("what the value holds has no type of the LLVM dialect")
        return own_description("async").types["ValueType"].make_type(valueType=converted)

    types.conversions.append(convert)
    target.dynamically_legal(lambda op: is_retyped(op, types), *_NAMES)


def asynchronous_patterns(types: LLVMTypeConverter) -> list[Pattern]:
    """The patterns that convert their types."""

    def retyped(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        return retype(op, operands, rewriter, types)

    return [Pattern(root, retyped, types, name=name) for root, name in _NAMES.items()]
