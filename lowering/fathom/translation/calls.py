"""Calls: of functions, of pointers, of intrinsics, of inline assembly.

Source of the rules: *LLVM Language Reference*, "'call' Instruction"; *'llvm' Dialect*, "`llvm.call`".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.intrinsic_calls import Argument, Call, Overload
from fathom.dialects.llvm.types import LLVMFunctionType, LLVMMetadataType, LLVMPointerType, LLVMStructType
from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
)
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import elements_property, integer_property
from fathom.ir.types import IntegerType, Type, VectorType
from fathom.irdl.cases import word
from fathom.ops import llvm as ops
from fathom.text.escapes import escape_bytes, quote
from fathom.translation.attachments import Attachments, scopes_node
from fathom.translation.attribute_sets import EMPTY, AttributeSet, attribute_list, attribute_set, parameter_attributes
from fathom.translation.constant_text import spell
from fathom.translation.constants import Float, integer
from fathom.translation.function import (
    ALWAYS_SAID,
    Emit,
    Emitter,
    FunctionEmitter,
    Group,
    Local,
    Part,
    Untranslatable,
    emitter,
)
from fathom.translation.function_attributes import function_attributes
from fathom.translation.intrinsics import COMMENTED, comment, mangled
from fathom.translation.memory import access_hints
from fathom.translation.properties import result_fastmath

TAIL: Final = {"tail": "tail ", "musttail": "musttail ", "notail": "notail "}
SINGLE_ALIGNMENT: Final = IntegerType(32)


def call_parts(out: FunctionEmitter, op: ops.CallOp | ops.InvokeOp, head: str) -> list[Part]:
    """The text of a call from its calling convention to its operand bundles. A direct call has the callee's type."""
    arguments, bundled = _segments(op)
    callee = op.callee
    target: str | Local
    place = ""
    if isinstance(callee, SymbolRefAttr):
        function = out.module.functions.get(callee.root)
        address = out.module.address(callee.root)
        if function is None or address is None:
            raise Untranslatable(op, f"'{callee.root}' does not reference a symbol in the current scope")
        target = spell(address, out.types)
        type: LLVMFunctionType | None = function
    else:
        target = out.ref(op, 0)
        pointer, arguments = arguments[0].type, arguments[1:]
        if isinstance(pointer, LLVMPointerType) and pointer.address_space:
            place = f"addrspace({pointer.address_space}) "
        variadic = op.var_callee_type
        type = variadic.type if isinstance(variadic, TypeAttr) and isinstance(variadic.type, LLVMFunctionType) else None
    result = type.result if type is not None else op.result.type if op.results else None
    returned = out.types(result) if result is not None else "void"
    kind = out.types(type) if type is not None and type.varargs else returned
    attributes = attribute_list(op.res_attrs, 1, out.types)[0]
    parts: list[Part] = [
        head,
        _convention(op),
        attributes.inline + " " * bool(attributes),
        f"{place}{kind} ",
        target,
        "(",
    ]
    parts += arguments_parts(out, op, arguments, op.arg_attrs)
    parts.append(")")
    own = function_attributes(op.properties)
    if own:
        parts += [" ", Group(own)]
    return parts + bundle_parts(out, op, bundled)


def _segments(op: Operation) -> tuple[Sequence[Value], Sequence[Value]]:
    """The callee's operands (for an indirect call, with the callee in front), and those of the operand bundles."""
    segments = op.properties.get("operandSegmentSizes")
    if not isinstance(segments, DenseArrayAttr):
        return op.operands, ()
    first = segments.values[0]
    bundled = segments.values[-1]
    return op.operands[:first], op.operands[len(op.operands) - bundled :]


def _convention(op: ops.CallOp | ops.InvokeOp) -> str:
    return convention_text(word(op, "CConv") or "ccc")


CONVENTIONS: Final = {
    "ccc": "",
    "cc_10": "ghccc",
    "cc_11": "cc11",
    "ptx_kernelcc": "ptx_kernel",
    "ptx_devicecc": "ptx_device",
    "spir_funccc": "spir_func",
    "spir_kernelcc": "spir_kernel",
    "avr_intrcc": "avr_intrcc ",
    "avr_builtincc": "cc86",
    "amdgpu_vscc": "amdgpu_vs",
    "amdgpu_gscc": "amdgpu_gs",
    "amdgpu_cscc": "amdgpu_cs",
    "amdgpu_kernelcc": "amdgpu_kernel",
    "amdgpu_hscc": "amdgpu_hs",
    "msp430_builtincc": "cc94",
    "amdgpu_lscc": "amdgpu_ls",
    "amdgpu_escc": "amdgpu_es",
    "aarch64_vectorcallcc": "aarch64_vector_pcs",
    "aarch64_sve_vectorcallcc": "aarch64_sve_vector_pcs",
    "wasm_emscripten_invokecc": "cc99",
    "amdgpu_gfxcc": "amdgpu_gfx",
    "m68k_intrcc": "cc101",
}
"""The calling conventions that LLVM calls otherwise; it has a blank too many after one."""


def convention_text(name: str) -> str:
    """A calling convention with a space after it; nothing for C's."""
    text = CONVENTIONS.get(name, name)
    return f"{text} " if text else ""


def arguments_parts(
    out: FunctionEmitter, op: Operation, arguments: Sequence[Value], attributes: Attribute | None = None
) -> list[Part]:
    """The arguments of a call with their types and attributes, without parentheses."""
    sets = attribute_list(attributes, len(arguments), out.types) if attributes is not None else [EMPTY] * len(arguments)
    parts: list[Part] = []
    for position, (value, own) in enumerate(zip(arguments, sets, strict=False)):
        comma = ", " if position else ""
        extra = own.inline + " " if own else ""
        parts += [f"{comma}{out.types(value.type)} {extra}", out.text(out.operand(value, op))]
    return parts


def bundle_parts(out: FunctionEmitter, op: Operation, operands: Sequence[Value]) -> list[Part]:
    """` [ "tag"(…), … ]`."""
    tags, sizes = op.properties.get("op_bundle_tags"), op.properties.get("op_bundle_sizes")
    if not isinstance(tags, ArrayAttr) or not isinstance(sizes, DenseArrayAttr) or not sizes.values:
        return []
    parts: list[Part] = [" [ "]
    start = 0
    for position, (tag, size) in enumerate(zip(tags.elements, sizes.values, strict=True)):
        name = tag.value if isinstance(tag, StringAttr) else ""
        parts.append(f'{", " * bool(position)}"{name}"(')
        parts += [*arguments_parts(out, op, operands[start : start + size]), ")"]
        start += size
    return [*parts, " ]"]


def _call(out: FunctionEmitter, op: ops.CallOp) -> None:
    tail = TAIL.get(word(op, "TailCallKind"), "")
    out.emit(op, *call_parts(out, op, f"{tail}call {result_fastmath(op)}"))


def intrinsic_emitter(call: Call) -> Emitter:
    """What emits the operations that call an intrinsic so."""

    def emit(out: FunctionEmitter, op: Operation) -> None:
        arguments = [found for each in call.arguments for found in _arguments(out, op, each)]
        types = [_overloaded(op, each) for each in call.overloads]
        bundled = op.all_of("op_bundle_operands") if "op_bundle_sizes" in op.properties else ()
        result = op.result.type if op.results else None
        if call.result is not None:
            result = _overloaded(op, call.result) if isinstance(call.result, Overload) else call.result
        emit_intrinsic(out, op, mangled(call.base, types), result, arguments, bundled)

    return Emitter(emit, ALWAYS_SAID | call.names | _OF_INTRINSICS)


def _arguments(out: FunctionEmitter, op: Operation, argument: Argument) -> list[tuple[Type, str | Local]]:
    if (number := argument.number) is not None:
        type = IntegerType(argument.width)
        return [(type, spell(integer(type, number), out.types))]
    attribute = op.properties.get(argument.name)
    if attribute is None:
        return [(value.type, out.text(out.operand(value, op))) for value in op.all_of(argument.name)]
    if isinstance(attribute, IntegerAttr):
        type = IntegerType(argument.width) if argument.width else attribute.type
        return [(type, spell(integer(type, attribute.value), out.types))]
    if isinstance(attribute, FloatAttr):
        return [(attribute.type, spell(Float(attribute.type, attribute.bits), out.types))]
    raise Untranslatable(op, "")


def _overloaded(op: Operation, overload: Overload) -> Type:
    """The type that the name of what an operation calls is overloaded on."""
    assert op.definition is not None
    if any(each.name == overload.name for each in op.definition.results):
        type = op.result.type
        return type.field(overload.index) if overload.index is not None and isinstance(type, LLVMStructType) else type
    attribute = op.properties.get(overload.name)
    if isinstance(attribute, IntegerAttr):
        return attribute.type
    return op.all_of(overload.name)[overload.index or 0].type


def emit_intrinsic(
    out: FunctionEmitter,
    op: Operation,
    name: str,
    result: Type | None,
    arguments: Sequence[tuple[Type, str | Local]],
    bundled: Sequence[Value] = (),
    alignments: dict[int, int] | None = None,
    attachments: Attachments | None = None,
    attributes: AttributeSet = EMPTY,
) -> None:
    """Declares an intrinsic and calls it. `alignments` gives pointer arguments their `align`; `attributes` are the
    call's own."""
    returned = out.types(result) if result is not None else "void"
    name = out.module.declare_intrinsic(returned, name, tuple(out.types(type) for type, _ in arguments))
    sets = attribute_list(op.properties.get("arg_attrs"), len(arguments), out.types)
    parts: list[Part] = []
    comments = COMMENTED.get(name, {})
    for position, (type, text) in enumerate(arguments):
        comma = ", " if position else ""
        if position - len(arguments) in comments and isinstance(text, str):
            comma += comment(comments[position - len(arguments)], text)
        extra = f"align {alignments[position]} " if alignments and position in alignments else ""
        extra = sets[position].inline + " " if sets[position] else extra
        parts += [f"{comma}{out.types(type)} {extra}", text]
    bundles = bundle_parts(out, op, bundled)
    own = attribute_list(op.properties.get("res_attrs"), 1, out.types)[0]
    if (between := op.properties.get("range")) is not None:
        own = parameter_attributes(DictAttr((("llvm.range", between),)), out.types)
    head = f"call {result_fastmath(op)}{own.inline}{' ' * bool(own)}{returned} @{name}("
    group: list[Part] = [" ", Group(attributes)] if attributes else []
    out.emit(op, head, *parts, ")", *group, *bundles, attachments=attachments, type=result)


def _call_intrinsic(out: FunctionEmitter, op: ops.CallIntrinsicOp) -> None:
    operands, bundled = _segments(op)
    arguments = [(value.type, out.text(out.operand(value, op))) for value in operands]
    result = op.result.type if op.results else None
    emit_intrinsic(out, op, op.intrin.value, result, arguments, bundled)


def _masked_read(kind: str) -> Emit:
    """Loads and gathers: where the mask is off, the result is the operand that passes through, or poison."""

    def emit(out: FunctionEmitter, op: ops.IntrMaskedGatherOp | ops.IntrMaskedLoadOp) -> None:
        result = op.result.type
        source, mask, *rest = [(value.type, out.text(out.operand(value, op))) for value in op.operands]
        through = rest[0] if rest else (result, "poison")
        name = mangled(kind, [result, source[0]])
        alignments = {0: op.alignment.value}
        hints = access_hints(out, op)
        emit_intrinsic(out, op, name, result, [source, mask, through], alignments=alignments, attachments=hints)

    return emit


def _masked_write(kind: str) -> Emit:
    """Stores and scatters."""

    def emit(out: FunctionEmitter, op: ops.IntrMaskedScatterOp | ops.IntrMaskedStoreOp) -> None:
        value, target, mask = [(value.type, out.text(out.operand(value, op))) for value in op.operands]
        name = mangled(kind, [value[0], target[0]])
        emit_intrinsic(out, op, name, None, [value, target, mask], alignments={1: op.alignment.value})

    return emit


def _matrix_multiply(out: FunctionEmitter, op: ops.IntrMatrixMultiplyOp) -> None:
    result = op.result.type
    sides = [(value.type, out.text(out.operand(value, op))) for value in op.operands]
    shape = [
        (SINGLE_ALIGNMENT, str(integer_property(op, name, 0))) for name in ("lhs_rows", "lhs_columns", "rhs_columns")
    ]
    name = mangled("llvm.matrix.multiply", [result, *(type for type, _ in sides)])
    emit_intrinsic(out, op, name, result, [*sides, *shape])


def _matrix_transpose(out: FunctionEmitter, op: ops.IntrMatrixTransposeOp) -> None:
    result = op.result.type
    matrix = [(value.type, out.text(out.operand(value, op))) for value in op.operands]
    shape = [(SINGLE_ALIGNMENT, str(integer_property(op, name, 0))) for name in ("rows", "columns")]
    emit_intrinsic(out, op, mangled("llvm.matrix.transpose", [result]), result, [*matrix, *shape])


def _matrix_load(out: FunctionEmitter, op: ops.IntrMatrixColumnMajorLoadOp) -> None:
    result = op.result.type
    assert isinstance(result, VectorType)
    source, stride = ((value.type, out.text(out.operand(value, op))) for value in op.operands)
    name = mangled("llvm.matrix.column.major.load", [result, stride[0]])
    alignments = {0: out.module.layout.alignment(result.element)}
    emit_intrinsic(out, op, name, result, [source, stride, *_columns(out, op)], alignments=alignments)


def _matrix_store(out: FunctionEmitter, op: ops.IntrMatrixColumnMajorStoreOp) -> None:
    matrix, target, stride = ((value.type, out.text(out.operand(value, op))) for value in op.operands)
    assert isinstance(matrix[0], VectorType)
    name = mangled("llvm.matrix.column.major.store", [matrix[0], stride[0]])
    alignments = {1: out.module.layout.alignment(matrix[0].element)}
    emit_intrinsic(out, op, name, None, [matrix, target, stride, *_columns(out, op)], alignments=alignments)


def _columns(
    out: FunctionEmitter, op: ops.IntrMatrixColumnMajorLoadOp | ops.IntrMatrixColumnMajorStoreOp
) -> list[tuple[Type, str]]:
    """Whether the access is volatile, and what lies there."""
    numbers = (op.isVolatile, op.rows, op.columns)
    return [(number.type, spell(integer(number.type, number.value), out.types)) for number in numbers]


_STRICT: Final = attribute_set({"strictfp": ""})


def _constrained(out: FunctionEmitter, op: Operation) -> None:
    """A conversion of floats that is rounded as said, with or without exceptions."""
    source, result = op.operands[0], op.result.type
    name = mangled(f"llvm.{op.name.removeprefix('llvm.intr.')}", [result, source.type])
    said = [f"round.{word}" for word in _words(op, "roundingmode", "RoundingMode")]
    said += [f"fpexcept.{word}" for word in _words(op, "fpExceptionBehavior", "FPExceptionBehavior")]
    metadata = [(LLVMMetadataType(), f"!{quote(text)}") for text in said]
    arguments = [(source.type, out.text(out.operand(source, op))), *metadata]
    emit_intrinsic(out, op, name, result, arguments, attributes=_STRICT)


def _words(op: Operation, prop: str, enumeration: str) -> list[str]:
    """The word that a property is, if there is one; none is `ignore` of exceptions."""
    if prop not in op.properties:
        return []
    number = integer_property(op, prop, 0)
    return [word for word, value in cases(enumeration).items() if value == number]


def _declare_scopes(out: FunctionEmitter, op: ops.IntrExperimentalNoaliasScopeDeclOp) -> None:
    """The scope is metadata, and an argument all the same."""
    node = scopes_node(out.module, [op.scope])
    name = out.module.declare_intrinsic("void", "llvm.experimental.noalias.scope.decl", ("metadata",))
    out.emit(op, f"call void @{name}(metadata ", node, ")")


def _inline_assembly(out: FunctionEmitter, op: ops.InlineAsmOp) -> None:
    flags = "sideeffect " * (op.has_side_effects is not None) + "alignstack " * (op.is_align_stack is not None)
    flags += "inteldialect " * integer_property(op, "asm_dialect", 0)
    code, constraints = op.asm_string.value, op.constraints.value
    returned = out.types(op.result.type) if op.results else "void"
    tail = TAIL.get(word(op, "tail_call_kind"), "")
    head = f'{tail}call {returned} asm {flags}"{escape_bytes(code.encode())}", "{escape_bytes(constraints.encode())}"('
    out.emit(op, head, *arguments_parts(out, op, op.operands, _of_elements(op)), ")")


def _of_elements(op: Operation) -> ArrayAttr:
    """The types of what the operands of inline assembly point to, as attributes of arguments."""
    attributes: list[Attribute] = []
    for element in elements_property(op, "operand_attrs"):
        type = element.get("elementtype") if isinstance(element, DictAttr) else None
        attributes.append(DictAttr((("llvm.elementtype", type),) if type is not None else ()))
    return ArrayAttr(tuple(attributes))


_OF_INTRINSICS: Final = frozenset("fastmathFlags arg_attrs res_attrs op_bundle_sizes op_bundle_tags range".split())
"""The properties that intrinsics say besides their arguments, those that have them."""
_ON_BOTH: Final = "arg_attrs res_attrs"
_BUNDLES: Final = "op_bundle_sizes op_bundle_tags"
CALLED: Final = f"callee var_callee_type CConv {_ON_BOTH} {_BUNDLES}"
"""What all calls of functions say."""
_OF_FUNCTIONS: Final = "memory_effects convergent no_unwind will_return no_inline always_inline inline_hint"
_MASKED: Final = "alignment nontemporal"
CALLS: Final[dict[str, Emitter]] = {
    "llvm.call": emitter(_call, f"{CALLED} {_OF_FUNCTIONS} TailCallKind fastmathFlags"),
    "llvm.call_intrinsic": emitter(_call_intrinsic, f"intrin fastmathFlags {_ON_BOTH} {_BUNDLES}"),
    "llvm.inline_asm": emitter(
        _inline_assembly,
        "asm_string constraints has_side_effects is_align_stack tail_call_kind asm_dialect operand_attrs",
    ),
    "llvm.intr.masked.load": emitter(_masked_read("llvm.masked.load"), _MASKED),
    "llvm.intr.masked.store": emitter(_masked_write("llvm.masked.store"), "alignment"),
    "llvm.intr.masked.gather": emitter(_masked_read("llvm.masked.gather"), "alignment"),
    "llvm.intr.masked.scatter": emitter(_masked_write("llvm.masked.scatter"), "alignment"),
    **{
        f"llvm.intr.experimental.constrained.{name}": emitter(_constrained, "roundingmode fpExceptionBehavior")
        for name in ("fpext", "fptrunc", "sitofp", "uitofp")
    },
    "llvm.intr.matrix.column.major.load": emitter(_matrix_load, "isVolatile rows columns"),
    "llvm.intr.matrix.column.major.store": emitter(_matrix_store, "isVolatile rows columns"),
    "llvm.intr.matrix.multiply": emitter(_matrix_multiply, "lhs_rows lhs_columns rhs_columns"),
    "llvm.intr.matrix.transpose": emitter(_matrix_transpose, "rows columns"),
    "llvm.intr.experimental.noalias.scope.decl": emitter(_declare_scopes, "scope"),
}
