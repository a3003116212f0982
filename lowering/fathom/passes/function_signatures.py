"""Functions, calls and returns on the types that a conversion converts theirs to.

Source of the rules: *Dialect Conversion*, "Type Conversion", and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.attributes import TypeAttr
from fathom.ir.types import FunctionType
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.type_converter import SignatureConversion

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.func import CallOp, FuncOp, ReturnOp
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.target import ConversionTarget
    from fathom.rewriting.type_converter import TypeConverter


def convert_functions(target: ConversionTarget, types: TypeConverter) -> list[Pattern]:
    """Patterns for functions of `func`, their calls and returns; with the target told that those of converted types
    must go."""

    def is_legal(op: FuncOp) -> bool:
        type = _type_of(op)
        return all(map(types.is_legal, (*type.inputs, *type.results)))

    def function(op: FuncOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        return _function(op, rewriter, types)

    def call(op: CallOp, operands: Sequence[Sequence[Value]], rewriter: ConversionRewriter) -> Failure | None:
        return _call(op, operands, rewriter, types)

    target.dynamically_legal(is_legal, "func.func").dynamically_legal(types.accepts, "func.call", "func.return")
    return [
        Pattern("func.func", function, types, name="FunctionOpInterfaceSignatureConversion"),
        Pattern("func.call", call, types, one_to_many=True, name="CallOpSignatureConversion"),
        Pattern("func.return", _return, types, one_to_many=True, name="ReturnOpTypeConversion"),
    ]


def _type_of(op: FuncOp) -> FunctionType:
    type = op.function_type.type
    assert isinstance(type, FunctionType), "a function has the type of one"
    return type


def _function(op: FuncOp, rewriter: ConversionRewriter, types: TypeConverter) -> Failure | None:
    """The type changes in place, and the arguments of the entry block with it; other blocks keep theirs."""
    type = _type_of(op)
    signature, results = SignatureConversion(), types.convert_all(type.results)
    for input_ in type.inputs:
        converted = types.convert_many(input_)
        if converted is None:
            return Failure(f"an argument's type has no conversion: '{input_}'")
        signature.add(converted)
    if results is None:
        return Failure("the type of a result has no conversion")
    entry = op.body.first
    if entry is not None:
        rewriter.convert_block_signature(entry, signature)
    new = TypeAttr(FunctionType(tuple(signature.types), tuple(results)))
    rewriter.modify(op, lambda: op.properties.update(function_type=new))
    return None


def _call(
    op: CallOp, operands: Sequence[Sequence[Value]], rewriter: ConversionRewriter, types: TypeConverter
) -> Failure | None:
    """A call of the same function on converted types; what else the call says is not kept."""
    results = [types.convert_many(result.type) for result in op.results]
    wanted = [types for types in results if types is not None]
    if len(wanted) != len(results):
        return Failure("the type of a result has no conversion")
    flat = [type for types in wanted for type in types]
    properties = {"callee": op.callee}
    made = iter(rewriter.create("func.call", _flat(operands), flat, properties).results)
    rewriter.replace(op, [[next(made) for _ in types] for types in wanted])
    return None


def _return(op: ReturnOp, operands: Sequence[Sequence[Value]], rewriter: ConversionRewriter) -> Failure | None:
    rewriter.replace_with(op, "func.return", _flat(operands))
    return None


def _flat(operands: Sequence[Sequence[Value]]) -> list[Value]:
    return [value for values in operands for value in values]
