"""The LLVM dialect's functions and calls.

Source of the rules: *'llvm' Dialect*, "Functions" and "Operations".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.func.signatures import BODY, SIGNATURE, entry_arguments, print_signature
from fathom.dialects.llvm.types import VOID, LLVMFunctionType, is_compatible
from fathom.dialects.llvm.verify import repeated_tag
from fathom.ir.attributes import IntegerAttr, TypeAttr, i32_attr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import POISON, Type
from fathom.irdl.cases import word_of
from fathom.irdl.checking import bare, entry_problem
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver


# ---- llvm.func


def function_type(op: ops.FuncOp) -> LLVMFunctionType:
    """The type of an `llvm.func`."""
    type = op.function_type.type
    assert isinstance(type, LLVMFunctionType)
    return type


def _print_signature(op: ops.FuncOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    type = function_type(op)
    print_signature(op, p, entry_arguments(op), type, "..." if type.varargs else "")


def _parse_vscale_range(cursor: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    if cursor.accept("vscale_range"):
        cursor.expect("(")
        low = i32_attr(cursor.integer_literal())
        cursor.expect(",")
        definition = own_description("llvm").attributes["VScaleRangeAttr"]
        bounds = definition.make_attribute(minRange=low, maxRange=i32_attr(cursor.integer_literal()))
        parsed.attributes[arguments[0]] = bounds
        cursor.expect(")")


def _spell_vscale_range(op: ops.FuncOp, p: OpPrinter, arguments: Sequence[str]) -> str:
    between = op.vscale_range
    if not isinstance(between, DialectAttr):
        return ""
    bounds = [str(parameter.value) for parameter in between.parameters if isinstance(parameter, IntegerAttr)]
    return f" vscale_range({', '.join(bounds)})"


def _resolve_func(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    """The type of the function, from its signature."""
    signature = parsed.function
    assert signature is not None, "the signature has been read"
    params = tuple(resolver.argument_type(argument) for argument in signature.arguments)
    results = [resolver.type(node) for node in signature.results]
    if len(results) > 1:
        resolver.fail("custom op 'llvm.func' failed to construct function type: expected zero or one function result")
    construct = "custom op 'llvm.func' failed to construct function type: expected LLVM type for function"
    if not all(type == POISON or is_compatible(type) for type in params):
        resolver.fail(f"{construct} arguments")
    result = results[0] if results else VOID
    if result != POISON and not is_compatible(result):
        resolver.fail(f"{construct} results'{result}'")
    resolver.properties["function_type"] = TypeAttr(LLVMFunctionType(result, params, signature.variadic))
    resolver.signature_attributes(signature)
    resolver.region_argument_types = [list(params)]


@verifies("llvm.func")
def _verify_func(op: ops.FuncOp) -> Complaint:
    word, body = word_of(op.linkage), op.body
    if word == "common":
        return "functions cannot have 'common' linkage"
    if body.first is None:
        is_outside = word in ("external", "extern_weak")
        return None if is_outside else "external functions must have 'external' or 'extern_weak' linkage"
    if op.no_inline is not None and op.always_inline is not None:
        return bare("no_inline and always_inline attributes are incompatible")
    if op.optimize_none is not None and op.no_inline is None:
        return "with optimize_none must also be no_inline"
    # Names tell of most, at less cost than their classes.
    looked_at = [inner for inner in op.walk() if inner.name in _LOOKED_AT]
    if looked_at and (problem := _unwinding_problem(op, looked_at) or repeated_tag(looked_at)) is not None:
        return problem
    return entry_problem(body.first, function_type(op).params)


_LOOKED_AT: Final = frozenset(("llvm.landingpad", "llvm.resume", "llvm.blocktag"))
"""The operations that a function must agree about."""


def _unwinding_problem(op: ops.FuncOp, within: Iterable[Operation]) -> Problem | None:
    """All that unwinding gives and passes on in a function is of one type."""
    expected: Type | None = None
    for inner in within:
        if inner.parent_op is not op:
            continue
        if isinstance(inner, ops.LandingpadOp):
            type_, what = inner.result.type, "result"
        elif isinstance(inner, ops.ResumeOp):
            type_, what = inner.value.type, "input"
        else:
            continue
        expected = expected or type_
        if type_ != expected:
            return bare(f"'{inner.name}' should have a consistent {what} type inside a function")
    return None


DIRECTIVES: Final = {
    "FunctionBody": BODY,
    "Signature": replace(SIGNATURE, print=_print_signature),
    "VScaleRange": CustomDirective(_parse_vscale_range, spell=_spell_vscale_range, spaced=True),
}
CODE: Final = {
    "func": OpCode(
        custom=two_way(
            "custom<Linkage>($linkage) custom<Visibility>($visibility_) custom<UnnamedAddr>($unnamed_addr) "
            'custom<CConv>($CConv) $sym_name custom<Signature>($function_type, $arg_attrs, $res_attrs, "variadic") '
            "custom<VScaleRange>($vscale_range) (`comdat` `(` $comdat^ `)`)? attr-dict-with-keyword "
            "custom<FunctionBody>($body)",
            _resolve_func,
        )
    ),
}
