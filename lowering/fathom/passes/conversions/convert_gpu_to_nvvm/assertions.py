"""Assertions in device code: where one does not hold, `__assertfail` is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.llvm.types import PTR, VOID
from fathom.ir.attributes import ArrayAttr, StringAttr
from fathom.ir.locations import CallSiteLoc, FileLineColLoc, NameLoc
from fathom.ir.traversal import closest
from fathom.ir.types import I32, I64
from fathom.ops.gpu import ModuleOp
from fathom.passes.branches import branch, conditional_branch
from fathom.passes.gpu_to_llvm.texts import string_constant
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.declarations import function_of
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ops.cf import AssertOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_UNKNOWN = "(unknown)"


@named("AssertOpToAssertfailLowering")
def fail(
    op: AssertOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        cf.assert %c, "message"
    becomes
          cf.cond_br %c, ^after, ^failed
        ^failed:
          llvm.call @__assertfail(message, file, line, function, 1)
          cf.br ^after
        ^after:
    where file, line and function are those of the location.
    """
    module, block = closest(op, ModuleOp), op.parent
    if module is None or block is None:
        return Failure("it stands in no GPU module")
    function = function_of(rewriter, module, "__assertfail", [PTR, PTR, I32, PTR, I64], VOID)
    function.properties["passthrough"] = ArrayAttr((StringAttr("noreturn"),))
    failed = rewriter.split_block(block, op)
    after = rewriter.split_block(failed, op.next)
    rewriter.set_insertion_to_end(block)
    conditional_branch(rewriter, operands[0], after, (), failed)
    rewriter.set_insertion_to_end(failed)
    branch(rewriter, after)
    rewriter.set_insertion_before(op)
    rewriter.location = _innermost(op.location)
    file, line, name = _named(rewriter.location)
    message = string_constant(rewriter, module, "assert_message_", op.msg.value)
    in_file = string_constant(rewriter, module, "assert_file_", file)
    in_function = string_constant(rewriter, module, "assert_func_", name)
    at_line = emit.i32(rewriter, line)
    one = emit.i64(rewriter, 1)
    rewriter.stand_in(op)  # the call stands for the assertion; what it is given, for the place it names
    emit.call(rewriter, "__assertfail", [message, in_file, at_line, in_function, one])
    rewriter.erase(op)
    return None


def _innermost(location: Attribute | None) -> Attribute | None:
    while isinstance(location, CallSiteLoc):
        location = location.callee
    return location


def _named(location: Attribute | None) -> tuple[str, int, str]:
    """The file, the line and the function of a location."""
    name = location.name if isinstance(location, NameLoc) else _UNKNOWN
    place = location.child if isinstance(location, NameLoc) else location
    if isinstance(place, FileLineColLoc):
        return place.file, place.line, name
    return _UNKNOWN, 0, name
