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
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.irdl.protocols import ParsedOp, Resolver


def _resolve_call(resolver: Resolver, parsed: ParsedOp, nothing: None, *, groups: Sequence[str]) -> None:
    """Resolves a call that passes these groups of operands to blocks."""
    if "callee" in parsed.attributes:
        resolve_call(resolver, parsed, nothing)
        return
    arguments = resolver.types(parsed.types["callee_operands"])
    results = resolver.types(parsed.types["result"])
    pointer = TypedPointerType(0, LLVMFunctionType(results[0] if results else VOID, tuple(arguments)))
    called = resolver.operand_list(parsed.operands["callee_operands"], [pointer, *arguments])
    targets = [_passed(resolver, parsed, name) for name in groups]
    resolver.operands = [*called, *(value for group in targets for value in group)]
    resolver.result_types = [type for type in results if type != VOID]
    resolver.properties[SEGMENTS["operands"]] = segment_sizes(len(called), *map(len, targets), 0)


def _passed(resolver: Resolver, parsed: ParsedOp, group: str) -> list[Value]:
    """The operands that go to a block."""
    return resolver.operand_list(parsed.operands.get(group, []), resolver.types(parsed.types.get(group, [])))


def _of(name: str, *groups: str) -> OpCode:
    code = TODAY[name]
    custom = code.custom
    assert isinstance(custom, CustomSyntax), "a call has a syntax in code"
    return replace(code, custom=replace(custom, resolve=partial(_resolve_call, groups=groups)))


CALLS: Final = {"call": _of("call"), "invoke": _of("invoke", "normalDestOperands", "unwindDestOperands")}
CALL_DIRECTIVES: Final = {
    "CallType": CustomDirective(
        partial(parse_call_type, says_pointer=False),
        spell=partial(spell_call_type, says_pointer=False),
        spaced=True,
    )
}
