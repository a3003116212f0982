"""The LLVM dialect's functions and calls.

Source of the rules: *'llvm' Dialect*, "Functions" and "Operations".
"""

from __future__ import annotations

from typing import Any, Final

from fathom.dialects.llvm.attributes import (
    ASM_DIALECT,
    BRACKETED_TAIL_CALL_KIND,
    CALLING_CONVENTIONS,
    CCC,
    CCONV,
    EXTERNAL,
    FASTMATH_FLAGS,
    FRAME_POINTER,
    LINKAGE,
    LINKAGES,
    LLVM_FUNCTION_TYPE,
    NO_FASTMATH,
    NO_TAIL_CALL_KIND,
    TAIL_CALL_KIND,
    TAIL_CALL_KINDS,
    UNNAMED_ADDR,
    UNNAMED_ADDRESSES,
    UWTABLE,
    VISIBILITIES,
    VISIBILITY,
    VScaleRangeAttr,
    calling_convention,
    flag,
    i64,
    linkage,
    tail_call_kind,
)
from fathom.dialects.llvm.constants import SYM_NAME, parse_case, parse_comdat, print_comdat, spell_case
from fathom.dialects.llvm.constraints import LLVM_TYPE
from fathom.dialects.llvm.intrinsics import BUNDLE_NAMES, BUNDLE_OPERANDS, BUNDLE_PROPERTIES, parse_bundles, print_bundles
from fathom.dialects.llvm.memory import ALIASING
from fathom.dialects.llvm.types import VOID, LLVMFunctionType, LLVMPointerType, LLVMVoidType
from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DictAttr,
    EnumAttr,
    StringAttr,
    TypeAttr,
)
from fathom.ir.operation import Operation, Value
from fathom.ir.types import Type
from fathom.irdl.constraints import (
    ANY_ATTRIBUTE,
    ARRAY,
    BOOL,
    DENSE_I32_ARRAY,
    DICTIONARY_ARRAY,
    FLAT_SYMBOL_REF,
    I32_ATTRIBUTE,
    I64_ATTRIBUTE,
    STRING,
    SYMBOL_REF,
)
from fathom.irdl.definition import Arity, OpDefinition, Operand, Problem, Property, RegionDefinition, Result, Trait
from fathom.irdl.parsing import parse_property
from fathom.irdl.traits import (
    AFFINE_SCOPE,
    ATTR_SIZED_OPERAND_SEGMENTS,
    AUTOMATIC_ALLOCATION_SCOPE,
    ISOLATED_FROM_ABOVE,
    SYMBOL,
)

FUNCTION: Final = Trait("FunctionOpInterface")

# ---- pieces of signatures


def keyword_of(attribute: Attribute | None, default: EnumAttr) -> str:
    """The keyword of an enumeration, empty for its default."""
    return attribute.text if isinstance(attribute, EnumAttr) and attribute != default else ""


def attributes_at(op: Operation, name: str, index: int) -> DictAttr | None:
    """The attributes of one argument or result, or None."""
    array = op.properties.get(name)
    if not isinstance(array, ArrayAttr) or index >= len(array.elements):
        return None
    entry = array.elements[index]
    return entry if isinstance(entry, DictAttr) and entry.entries else None


def _print_typed(types: list[Type], op: Operation, name: str, p: Any) -> None:
    """`i32 {attributes}, f32`."""
    for index, type in enumerate(types):
        p.write(", " if index else "")
        p.type(type)
        attributes = attributes_at(op, name, index)
        if attributes is not None:
            p.entries(list(attributes.entries))


def _print_results(types: list[Type], op: Operation, p: Any) -> None:
    """A result with attributes, and anything but one result, stands in parentheses."""
    if len(types) == 1 and attributes_at(op, "res_attrs", 0) is None:
        p.type(types[0])
        return
    p.write("(")
    _print_typed(types, op, "res_attrs", p)
    p.write(")")


# ---- llvm.func

HEADER: Final = (
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
    "linkage",
    "CConv",
    "visibility_",
    "unnamed_addr",
    "comdat",
    "vscale_range",
)
"""The properties of a function that stand outside its dictionary."""


def function_type(op: Operation) -> LLVMFunctionType:
    """The type of an `llvm.func`."""
    attribute = op.properties["function_type"]
    assert isinstance(attribute, TypeAttr) and isinstance(attribute.type, LLVMFunctionType)
    return attribute.type


def _print_func(op: Operation, p: Any) -> None:
    properties = op.properties
    words = (
        keyword_of(properties.get("linkage"), EXTERNAL),
        spell_case(properties.get("visibility_"), VISIBILITIES),
        spell_case(properties.get("unnamed_addr"), UNNAMED_ADDRESSES),
        keyword_of(properties.get("CConv"), CCC),
    )
    p.write("".join(f" {word}" for word in words if word) + " ")
    name = properties["sym_name"]
    assert isinstance(name, StringAttr)
    p.symbol(name.value)
    _print_signature(op, p)
    p.write(_spell_vscale_range(properties.get("vscale_range")))
    print_comdat(op, p)
    p.attr_dict(op, elide=HEADER, keyword=True)
    if not op.regions[0].is_empty:
        p.write(" ")
        p.region(op.regions[0], entry_arguments=False)


def _print_signature(op: Operation, p: Any) -> None:
    type = function_type(op)
    entry = op.regions[0].first
    p.write("(")
    if entry is None:
        _print_typed(list(type.params), op, "arg_attrs", p)
    else:
        for index, argument in enumerate(entry.arguments):
            p.write(", " if index else "")
            p.region_argument(argument, attributes_at(op, "arg_attrs", index))
    if type.varargs:
        p.write(", ..." if type.params else "...")
    p.write(")")
    if not isinstance(type.result, LLVMVoidType):
        p.write(" -> ")
        _print_results([type.result], op, p)


def _spell_vscale_range(attribute: Attribute | None) -> str:
    """` vscale_range(1, 16)`."""
    return f" vscale_range({attribute.low}, {attribute.high})" if isinstance(attribute, VScaleRangeAttr) else ""


def _parse_vscale_range(cursor: Any, parsed: Any) -> None:
    if cursor.accept("vscale_range"):
        cursor.expect("(")
        low = cursor.integer_literal()
        cursor.expect(",")
        parsed.attributes["vscale_range"] = VScaleRangeAttr(low, cursor.integer_literal())
        cursor.expect(")")


def _parse_func(cursor: Any, parsed: Any) -> None:
    parsed.attributes["linkage"] = linkage(cursor.optional_keyword(LINKAGES) or "external")
    parse_case(cursor, parsed, "visibility_", VISIBILITIES)
    parse_case(cursor, parsed, "unnamed_addr", UNNAMED_ADDRESSES)
    parsed.attributes["CConv"] = calling_convention(cursor.optional_keyword(CALLING_CONVENTIONS) or "ccc")
    parsed.attributes["sym_name"] = parse_property(SYM_NAME, cursor)
    cursor.signature(parsed, variadic=True)
    _parse_vscale_range(cursor, parsed)
    parse_comdat(cursor, parsed)
    cursor.attr_dict_with_keyword(parsed)
    if cursor.at_region():
        cursor.region(parsed, parsed.function.arguments)


def _resolve_func(context: Any) -> None:
    """The type of the function, from its signature."""
    signature = context.parsed.function
    params = tuple(context.type(argument.type) for argument in signature.arguments)
    results = [context.type(node) for node in signature.results]
    if len(results) > 1:
        context.fail("failed to construct function type: expected zero or one function result")
    result = results[0] if results else VOID
    context.properties["function_type"] = TypeAttr(LLVMFunctionType(result, params, signature.variadic))
    context.signature_attributes(signature)
    context.region_argument_types = [list(params)]


def _verify_func(op: Operation) -> list[Problem]:
    link = op.properties.get("linkage")
    word = link.text if isinstance(link, EnumAttr) else "external"
    if word == "common":
        return [Problem("functions cannot have 'common' linkage")]
    body = op.regions[0] if op.regions else None
    if body is None or body.first is None:
        if word not in ("external", "extern_weak"):
            return [Problem("external functions must have 'external' or 'extern_weak' linkage")]
        return []
    type = function_type(op)
    if type.varargs:
        return [Problem("only external functions can be variadic")]
    arguments = body.first.arguments
    if len(arguments) != len(type.params):
        return [
            Problem(
                f"entry block must have {len(type.params)} arguments to match function signature",
            )
        ]
    for index, (argument, param) in enumerate(zip(arguments, type.params, strict=True)):
        if argument.type != param:
            return [
                Problem(
                    f"type of entry block argument #{index}('{argument.type}') must match the type of the corresponding "
                    f"argument in function signature('{param}')"
                )
            ]
    return []


STRING_PROPERTIES: Final = (
    "garbageCollector",
    "section",
    "target_cpu",
    "tune_cpu",
    "reciprocal_estimates",
    "prefer_vector_width",
    "denormal_fp_math",
    "denormal_fp_math_f32",
    "fp_contract",
    "instrument_function_entry",
    "instrument_function_exit",
)
FLAG_PROPERTIES: Final = (
    "dso_local",
    "convergent",
    "arm_streaming",
    "arm_locally_streaming",
    "arm_streaming_compatible",
    "arm_new_za",
    "arm_in_za",
    "arm_out_za",
    "arm_inout_za",
    "arm_preserves_za",
    "no_inline",
    "always_inline",
    "inline_hint",
    "no_unwind",
    "will_return",
    "optimize_none",
)

FUNC: Final = OpDefinition(
    "llvm.func",
    properties=(
        SYM_NAME,
        Property("sym_visibility", STRING, optional=True),
        Property("function_type", LLVM_FUNCTION_TYPE),
        Property("linkage", LINKAGE, default=EXTERNAL),
        Property("CConv", CCONV, default=CCC),
        Property("comdat", SYMBOL_REF, optional=True),
        Property("personality", FLAT_SYMBOL_REF, optional=True),
        Property("passthrough", ARRAY, optional=True),
        Property("arg_attrs", DICTIONARY_ARRAY, optional=True),
        Property("res_attrs", DICTIONARY_ARRAY, optional=True),
        Property("function_entry_count", I64_ATTRIBUTE, optional=True),
        Property("memory_effects", ANY_ATTRIBUTE, optional=True),
        Property("visibility_", VISIBILITY, default=i64(0)),
        Property("unnamed_addr", UNNAMED_ADDR, optional=True),
        Property("alignment", I64_ATTRIBUTE, optional=True),
        Property("vscale_range", ANY_ATTRIBUTE, optional=True),
        Property("frame_pointer", FRAME_POINTER, optional=True),
        Property("target_features", ANY_ATTRIBUTE, optional=True),
        *(Property(f"no_{kind}_fp_math", BOOL, optional=True) for kind in ("infs", "nans", "signed_zeros")),
        *(Property(name, STRING, optional=True) for name in STRING_PROPERTIES),
        *(flag(name) for name in FLAG_PROPERTIES),
        Property("vec_type_hint", ANY_ATTRIBUTE, optional=True),
        Property("work_group_size_hint", DENSE_I32_ARRAY, optional=True),
        Property("reqd_work_group_size", DENSE_I32_ARRAY, optional=True),
        Property("intel_reqd_sub_group_size", I32_ATTRIBUTE, optional=True),
        Property("uwtable_kind", UWTABLE, optional=True),
    ),
    regions=(RegionDefinition("body"),),
    traits=(FUNCTION, AFFINE_SCOPE, AUTOMATIC_ALLOCATION_SCOPE, ISOLATED_FROM_ABOVE, SYMBOL),
    parse=_parse_func,
    print=_print_func,
    resolve=_resolve_func,
    verify=_verify_func,
    summary="a function",
)

# ---- llvm.call

CALL_HEADER: Final = (
    "callee",
    "CConv",
    "TailCallKind",
    "var_callee_type",
    "arg_attrs",
    "res_attrs",
    *BUNDLE_NAMES,
)


def _without_default(op: Operation, names: tuple[str, ...]) -> tuple[str, ...]:
    return (*names, "fastmathFlags") if op.properties.get("fastmathFlags") == NO_FASTMATH else names


def _print_call(op: Operation, p: Any) -> None:
    assert op.definition is not None
    groups = op.definition.operand_groups(op)
    arguments = groups["callee_operands"]
    properties = op.properties
    words = (
        keyword_of(properties.get("CConv"), CCC),
        keyword_of(properties.get("TailCallKind"), NO_TAIL_CALL_KIND),
    )
    p.write("".join(f" {word}" for word in words if word) + " ")
    callee = properties.get("callee")
    pointer: Value | None = None
    if callee is not None:
        p.attribute(callee)
    else:
        pointer, *arguments = arguments
        p.value(pointer)
    p.write("(")
    p.values(arguments)
    p.write(")")
    variadic = properties.get("var_callee_type")
    if variadic is not None:
        p.write(" vararg(")
        p.attribute(variadic)
        p.write(")")
    print_bundles(op, groups["op_bundle_operands"], p)
    p.attr_dict(op, elide=_without_default(op, CALL_HEADER))
    p.write(" : ")
    if pointer is not None:
        p.type(pointer.type)
        p.write(", ")
    _print_call_type(op, arguments, p)


def _print_call_type(op: Operation, arguments: list[Value], p: Any) -> None:
    p.write("(")
    _print_typed([argument.type for argument in arguments], op, "arg_attrs", p)
    p.write(") -> ")
    _print_results([result.type for result in op.results], op, p)


def _parse_call(cursor: Any, parsed: Any) -> None:
    parsed.attributes["CConv"] = calling_convention(cursor.optional_keyword(CALLING_CONVENTIONS) or "ccc")
    parsed.attributes["TailCallKind"] = tail_call_kind(cursor.optional_keyword(TAIL_CALL_KINDS) or "none")
    direct = not cursor.at_kind("value")
    callee: list[int] = []
    if direct:
        if not cursor.at_kind("symbol"):
            cursor.fail("expected valid '@'-identifier for symbol name")
        parsed.attributes["callee"] = cursor.attribute()
    else:
        callee = [cursor.value_use()]
    arguments = cursor.value_list("(", ")")
    if cursor.accept("vararg"):
        cursor.expect("(")
        parsed.attributes["var_callee_type"] = cursor.type()
        cursor.expect(")")
    parse_bundles(cursor, parsed)
    cursor.attr_dict(parsed)
    cursor.expect(":", "expected ':'")
    pointer: list[Any] = []
    if not direct:
        pointer = [cursor.plain_type()]
        cursor.expect(",")
    inputs = _parse_call_type(cursor, parsed)
    if len(inputs) != len(arguments):
        cursor.fail(f"expected {len(inputs)} operand types but had {len(arguments)}")
    parsed.operands["callee_operands"] = [*callee, *arguments]
    parsed.types["callee_operands"] = [*pointer, *inputs]


def _parse_call_type(cursor: Any, parsed: Any) -> list[Any]:
    """`(i32 {attributes}, f32) -> (f32 {attributes})`."""
    inputs, attributes = _parse_typed(cursor)
    cursor.expect("->")
    if cursor.at("("):
        results, result_attributes = _parse_typed(cursor)
    else:
        results, result_attributes = [cursor.plain_type()], [None]
    parsed.types["result"] = results
    if any(attributes):
        parsed.extra["arg_attrs"] = attributes
    if any(result_attributes):
        parsed.extra["res_attrs"] = result_attributes
    return inputs


def _parse_typed(cursor: Any) -> tuple[list[Any], list[Any]]:
    cursor.expect("(")
    types: list[Any] = []
    attributes: list[Any] = []
    while not cursor.at(")"):
        types.append(cursor.type())
        attributes.append(cursor.fragment("attr_dict", fixed=False) if cursor.at("{") else None)
        if not cursor.accept(","):
            break
    cursor.expect(")")
    return types, attributes


def _resolve_call(context: Any) -> None:
    context.resolve_by_rules()
    for name in ("arg_attrs", "res_attrs"):
        nodes = context.parsed.extra.get(name)
        if nodes:
            context.properties[name] = ArrayAttr(tuple(context.argument_attributes(node) for node in nodes))


def _verify_call(op: Operation) -> list[Problem]:
    if "callee" in op.properties:
        return []
    if not op.operands:
        return [Problem("must have either a `callee` attribute or at least an operand")]
    type = op.operands[0].type
    if not isinstance(type, LLVMPointerType):
        return [Problem(f"indirect call expects a pointer as callee: '{type}'")]
    return []


CALL: Final = OpDefinition(
    "llvm.call",
    operands=(Operand("callee_operands", LLVM_TYPE, Arity.VARIADIC), BUNDLE_OPERANDS),
    results=(Result("result", LLVM_TYPE, Arity.OPTIONAL),),
    properties=(
        Property("var_callee_type", LLVM_FUNCTION_TYPE, optional=True),
        Property("callee", FLAT_SYMBOL_REF, optional=True),
        Property("fastmathFlags", FASTMATH_FLAGS, default=NO_FASTMATH),
        Property("CConv", CCONV, default=CCC),
        Property("TailCallKind", TAIL_CALL_KIND, default=NO_TAIL_CALL_KIND),
        Property("memory_effects", ANY_ATTRIBUTE, optional=True),
        *(
            flag(name)
            for name in ("convergent", "no_unwind", "will_return", "no_inline", "always_inline", "inline_hint")
        ),
        *BUNDLE_PROPERTIES,
        Property("arg_attrs", DICTIONARY_ARRAY, optional=True),
        Property("res_attrs", DICTIONARY_ARRAY, optional=True),
        *ALIASING,
    ),
    traits=(ATTR_SIZED_OPERAND_SEGMENTS,),
    parse=_parse_call,
    resolve=_resolve_call,
    print=_print_call,
    verify=_verify_call,
    summary="a call",
)

# ---- llvm.call_intrinsic

INTRINSIC: Final = Property("intrin", STRING)
INTRINSIC_HEADER: Final = ("intrin", "arg_attrs", "res_attrs", *BUNDLE_NAMES)


def _print_call_intrinsic(op: Operation, p: Any) -> None:
    assert op.definition is not None
    groups = op.definition.operand_groups(op)
    p.write(" ")
    p.attribute(op.properties["intrin"])
    p.write("(")
    p.values(groups["args"])
    p.write(")")
    print_bundles(op, groups["op_bundle_operands"], p)
    p.attr_dict(op, elide=_without_default(op, INTRINSIC_HEADER))
    p.write(" : ")
    _print_call_type(op, groups["args"], p)


def _parse_call_intrinsic(cursor: Any, parsed: Any) -> None:
    parsed.attributes["intrin"] = cursor.attribute()
    arguments = cursor.value_list("(", ")")
    parse_bundles(cursor, parsed)
    cursor.attr_dict(parsed)
    cursor.expect(":")
    inputs = _parse_call_type(cursor, parsed)
    if len(inputs) != len(arguments):
        cursor.fail(f"expected {len(inputs)} operand types but had {len(arguments)}")
    parsed.types["results"] = parsed.types.pop("result")
    parsed.operands["args"], parsed.types["args"] = arguments, inputs


CALL_INTRINSIC: Final = OpDefinition(
    "llvm.call_intrinsic",
    operands=(Operand("args", LLVM_TYPE, Arity.VARIADIC), BUNDLE_OPERANDS),
    results=(Result("results", LLVM_TYPE, Arity.OPTIONAL),),
    properties=(
        INTRINSIC,
        Property("fastmathFlags", FASTMATH_FLAGS, default=NO_FASTMATH),
        *BUNDLE_PROPERTIES,
        Property("arg_attrs", DICTIONARY_ARRAY, optional=True),
        Property("res_attrs", DICTIONARY_ARRAY, optional=True),
    ),
    traits=(ATTR_SIZED_OPERAND_SEGMENTS,),
    parse=_parse_call_intrinsic,
    resolve=_resolve_call,
    print=_print_call_intrinsic,
    summary="a call of an intrinsic function by its name",
)


# ---- llvm.inline_asm

INLINE_ASM: Final = OpDefinition(
    "llvm.inline_asm",
    operands=(Operand("operands", LLVM_TYPE, Arity.VARIADIC),),
    results=(Result("res", LLVM_TYPE, Arity.OPTIONAL),),
    properties=(
        Property("asm_string", STRING),
        Property("constraints", STRING),
        flag("has_side_effects"),
        flag("is_align_stack"),
        Property("tail_call_kind", BRACKETED_TAIL_CALL_KIND, default=NO_TAIL_CALL_KIND),
        Property("asm_dialect", ASM_DIALECT, optional=True),
        Property("operand_attrs", ARRAY, optional=True),
    ),
    assembly="(`has_side_effects` $has_side_effects^)? (`is_align_stack` $is_align_stack^)? "
    "(`tail_call_kind` `=` $tail_call_kind^)? (`asm_dialect` `=` $asm_dialect^)? "
    "(`operand_attrs` `=` $operand_attrs^)? attr-dict $asm_string `,` $constraints operands "
    "`:` functional-type(operands, results)",
    summary="assembly text in the place of an operation",
)

OPERATIONS: Final = (FUNC, CALL, CALL_INTRINSIC, INLINE_ASM)
