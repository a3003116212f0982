"""Calls of the LLVM dialect of MLIR 16: one of a pointer says nothing of its type, which is that of a pointer to a
function of these arguments.

    %1 = llvm.call %0(%x) : (i32) -> f32                  %0 is of type !llvm.ptr<func<f32 (i32)>>

Source of the rules: *'llvm' Dialect* of MLIR 16, "Operations"; observed behaviour of mlir-opt 13 to 16.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.calls import CODE as TODAY
from fathom.dialects.llvm.calls import parse_call_type, resolve_call, spell_call_type
from fathom.dialects.llvm.former_types import TypedPointerType
from fathom.dialects.llvm.types import VOID, LLVMFunctionType
from fathom.irdl.build import segment_sizes
from fathom.irdl.code import OpCode
from fathom.irdl.declared import CustomDirective
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.groups import SEGMENTS
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver


def _resolve_call(resolver: Resolver, parsed: ParsedOp, nothing: None) -> None:
    if "callee" in parsed.attributes:
        resolve_call(resolver, parsed, nothing)
        return
    arguments = resolver.types(parsed.types["callee_operands"])
    results = resolver.types(parsed.types["result"])
    pointer = TypedPointerType(0, LLVMFunctionType(results[0] if results else VOID, tuple(arguments)))
    tokens = parsed.operands["callee_operands"]
    resolver.operands = resolver.operand_list(tokens, [pointer, *arguments])
    resolver.result_types = [type for type in results if type != VOID]
    resolver.properties[SEGMENTS["operands"]] = segment_sizes(len(tokens), 0)


def _of_call() -> OpCode:
    code = TODAY["call"]
    custom = code.custom
    assert isinstance(custom, CustomSyntax), "a call has a syntax in code"
    return replace(code, custom=replace(custom, resolve=_resolve_call))


CALLS: Final = {"call": _of_call()}
CALL_DIRECTIVES: Final = {
    "CallType": CustomDirective(
        partial(parse_call_type, says_pointer=False),
        spell=partial(spell_call_type, says_pointer=False),
        spaced=True,
    )
}
