"""Calls: of functions, of pointers, of intrinsics, of inline assembly.

Source of the rules: *LLVM Language Reference*, "'call' Instruction"; *'llvm' Dialect*, "`llvm.call`".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.diagnostics import TRANSLATION, Diagnostic
from fathom.dialects.llvm.attributes import ir_words
from fathom.dialects.llvm.intrinsic_calls import Argument, Call, Overload
from fathom.dialects.llvm.types import LLVMFunctionType, LLVMStructType
from fathom.ir import types as builtin
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
from fathom.ir.operation import Operation
from fathom.ir.operation import Value as MLIRValue
from fathom.ir.property_values import elements_property, integer_property
from fathom.irdl.cases import number_of, word
from fathom.llvmir import attributes as ir_attributes
from fathom.llvmir.attributes import EMPTY, NONE, AttributeList, AttributeSet, attribute_set
from fathom.llvmir.constants import integer
from fathom.llvmir.instructions import Bundles, CallInst
from fathom.llvmir.metadata import MDString, Metadata
from fathom.llvmir.types import I32, METADATA, PTR, VOID, FunctionType, IntegerType, Type
from fathom.llvmir.values import ConstantFP, InlineAsm, MetadataAsValue, PoisonValue, Value
from fathom.llvmir.words import TAIL_CALL_KINDS
from fathom.ops import llvm as ops
from fathom.records import record
from fathom.text.escapes import quote
from fathom.translation.attachments import Attachments, scopes_node
from fathom.translation.attribute_sets import attribute_list, attributes_of_all, range_attribute
from fathom.translation.function import ALWAYS_SAID, Emit, Emitter, FunctionEmitter, Untranslatable, emitter
from fathom.translation.function_attributes import function_attributes
from fathom.translation.intrinsics import mangled
from fathom.translation.memory import access_hints
from fathom.translation.properties import result_fastmath


@record
class Called:
    """What a call calls, and with what."""

    value: Value
    type: FunctionType
    arguments: list[Value]
    attributes: AttributeList
    convention: int
    bundles: Bundles


def called_of(out: FunctionEmitter, op: ops.CallOp | ops.InvokeOp) -> Called:
    """What a call calls. That of a symbol has the symbol's type."""
    operands, bundled = _segments(op)
    arguments = [out.operand(value, op) for value in operands]
    callee = op.callee
    if isinstance(callee, SymbolRefAttr):
        value = out.module.symbols.get(callee.root)
        type = value.value_type if value is not None else None
        if value is None or not isinstance(type, FunctionType):
            raise Untranslatable(op, f"'{callee.root}' does not reference a symbol in the current scope")
    else:
        value, *arguments = arguments
        variadic = op.var_callee_type
        if isinstance(variadic, TypeAttr) and isinstance(variadic.type, LLVMFunctionType):
            type = out.types.function(variadic.type)
        else:
            result = out.types(op.result.type) if op.results else VOID
            type = FunctionType(result, tuple(argument.type for argument in arguments))
    own = function_attributes(op.properties)
    attributes = attribute_list(own, op.res_attrs, op.arg_attrs, len(arguments), out.types)
    convention = number_of(op.CConv) or 0
    return Called(value, type, arguments, attributes, convention, bundles(out, op, bundled))


def _segments(op: Operation) -> tuple[Sequence[MLIRValue], Sequence[MLIRValue]]:
    """The callee's operands (for an indirect call, with the callee in front), and those of the operand bundles."""
    segments = op.properties.get("operandSegmentSizes")
    if not isinstance(segments, DenseArrayAttr):
        return op.operands, ()
    first = segments.values[0]
    bundled = segments.values[-1]
    return op.operands[:first], op.operands[len(op.operands) - bundled :]


def bundles(out: FunctionEmitter, op: Operation, operands: Sequence[MLIRValue]) -> Bundles:
    """The operand bundles of a call."""
    tags, sizes = op.properties.get("op_bundle_tags"), op.properties.get("op_bundle_sizes")
    if not isinstance(tags, ArrayAttr) or not isinstance(sizes, DenseArrayAttr) or not sizes.values:
        return ()
    made: list[tuple[str, tuple[Value, ...]]] = []
    start = 0
    for tag, size in zip(tags.elements, sizes.values, strict=True):
        name = tag.value if isinstance(tag, StringAttr) else ""
        made.append((name, tuple(out.operand(value, op) for value in operands[start : start + size])))
        start += size
    return tuple(made)


def _tail(op: Operation, prop: str) -> str:
    kind = word(op, prop)
    return kind if kind in TAIL_CALL_KINDS else ""


def _call(out: FunctionEmitter, op: ops.CallOp) -> None:
    called = called_of(out, op)
    call = CallInst(
        called.type.result,
        called.arguments,
        called.value,
        called.type,
        called.attributes,
        called.convention,
        called.bundles,
        result_fastmath(op),
        _tail(op, "TailCallKind"),
    )
    out.emit(op, call)


def intrinsic_emitter(call: Call) -> Emitter:
    """What emits the operations that call an intrinsic so."""

    def emit(out: FunctionEmitter, op: Operation) -> None:
        arguments = [found for each in call.arguments for found in _arguments(out, op, each)]
        types = [out.types(_overloaded(op, each)) for each in call.overloads]
        bundled = op.all_of("op_bundle_operands") if "op_bundle_sizes" in op.properties else ()
        result = op.result.type if op.results else None
        if call.result is not None:
            result = _overloaded(op, call.result) if isinstance(call.result, Overload) else call.result
        type = out.types(result) if result is not None else VOID
        emit_intrinsic(out, op, mangled(call.base, types), type, arguments, bundled)

    return Emitter(emit, ALWAYS_SAID | call.names | _OF_INTRINSICS)


def _arguments(out: FunctionEmitter, op: Operation, argument: Argument) -> list[Value]:
    if (number := argument.number) is not None:
        return [integer(IntegerType(argument.width), number)]
    attribute = op.properties.get(argument.name)
    if attribute is None:
        return [out.operand(value, op) for value in op.all_of(argument.name)]
    if isinstance(attribute, IntegerAttr):
        type = IntegerType(argument.width) if argument.width else out.types(attribute.type)
        return [integer(type, attribute.value)]
    if isinstance(attribute, FloatAttr):
        return [ConstantFP(out.types(attribute.type), attribute.bits)]
    raise Untranslatable(op, "")


def _overloaded(op: Operation, overload: Overload) -> builtin.Type:
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
    result: Type,
    arguments: Sequence[Value],
    bundled: Sequence[MLIRValue] = (),
    alignments: dict[int, int] | None = None,
    attachments: Attachments | None = None,
    attributes: AttributeSet = NONE,
) -> Value:
    """Declares an intrinsic and calls it. `alignments` gives pointer arguments their `align`; `attributes` are the
    call's own."""
    type = FunctionType(result, tuple(argument.type for argument in arguments))
    function = out.module.intrinsic(name, type)
    properties = op.properties
    of_call = attribute_list(
        attributes, properties.get("res_attrs"), properties.get("arg_attrs"), len(arguments), out.types
    )
    if (between := properties.get("range")) is not None:
        of_call = AttributeList(of_call.function, range_attribute(between, out.types), of_call.parameters)
    if alignments:
        of_call = AttributeList(of_call.function, of_call.result, _aligned(of_call, alignments))
    call = CallInst(
        result,
        [*arguments],
        function,
        function.value_type,
        of_call,
        bundles=bundles(out, op, bundled),
        flags=result_fastmath(op),
    )
    out.emit(op, call, attachments)
    return call


def _aligned(of: AttributeList, alignments: dict[int, int]) -> tuple[AttributeSet, ...]:
    """Attributes of arguments, by which those are aligned that have no others."""
    parameters = [of.parameter(position) for position in range(max(max(alignments) + 1, len(of.parameters)))]
    for position, alignment in alignments.items():
        parameters[position] = parameters[position] or attribute_set([ir_attributes.Attribute("align", alignment)])
    return tuple(parameters)


def _call_intrinsic(out: FunctionEmitter, op: ops.CallIntrinsicOp) -> None:
    operands, bundled = _segments(op)
    arguments = [out.operand(value, op) for value in operands]
    name, result = op.intrin.value, _result(out, op)
    type = FunctionType(result, tuple(argument.type for argument in arguments))
    if out.module.intrinsic(name, type).is_unknown_intrinsic:
        message = f"could not find LLVM intrinsic: {quote(name)}"
        out.module.diagnostics.append(Diagnostic(message, op.span, code=TRANSLATION, op=op))
        raise Untranslatable(op, "")
    emit_intrinsic(out, op, name, result, arguments, bundled)


def _result(out: FunctionEmitter, op: Operation) -> Type:
    return out.types(op.results[0].type) if op.results else VOID


def _masked_read(kind: str) -> Emit:
    """Loads and gathers: where the mask is off, the result is the operand that passes through, or poison."""

    def emit(out: FunctionEmitter, op: ops.IntrMaskedGatherOp | ops.IntrMaskedLoadOp) -> None:
        result = _result(out, op)
        source, mask, *rest = out.operands(op)
        through = rest[0] if rest else PoisonValue(result)
        name = mangled(kind, [result, source.type])
        alignments = {0: op.alignment.value}
        hints = access_hints(out, op)
        emit_intrinsic(out, op, name, result, [source, mask, through], alignments=alignments, attachments=hints)

    return emit


def _masked_write(kind: str) -> Emit:
    """Stores and scatters."""

    def emit(out: FunctionEmitter, op: ops.IntrMaskedScatterOp | ops.IntrMaskedStoreOp) -> None:
        value, target, mask = out.operands(op)
        name = mangled(kind, [value.type, target.type])
        emit_intrinsic(out, op, name, VOID, [value, target, mask], alignments={1: op.alignment.value})

    return emit


def _i32s(op: Operation, *names: str) -> list[Value]:
    return [integer(I32, integer_property(op, name, 0)) for name in names]


def _matrix_multiply(out: FunctionEmitter, op: ops.IntrMatrixMultiplyOp) -> None:
    result = _result(out, op)
    sides = out.operands(op)
    shape = _i32s(op, "lhs_rows", "lhs_columns", "rhs_columns")
    name = mangled("llvm.matrix.multiply", [result, *(side.type for side in sides)])
    emit_intrinsic(out, op, name, result, [*sides, *shape])


def _matrix_transpose(out: FunctionEmitter, op: ops.IntrMatrixTransposeOp) -> None:
    result = _result(out, op)
    arguments = [*out.operands(op), *_i32s(op, "rows", "columns")]
    emit_intrinsic(out, op, mangled("llvm.matrix.transpose", [result]), result, arguments)


def _matrix_load(out: FunctionEmitter, op: ops.IntrMatrixColumnMajorLoadOp) -> None:
    result = _result(out, op)
    source, stride = out.operands(op)
    name = mangled("llvm.matrix.column.major.load", [result, stride.type])
    alignments = {0: _alignment(out, op.results[0].type)}
    emit_intrinsic(out, op, name, result, [source, stride, *_columns(out, op)], alignments=alignments)


def _matrix_store(out: FunctionEmitter, op: ops.IntrMatrixColumnMajorStoreOp) -> None:
    matrix, target, stride = out.operands(op)
    name = mangled("llvm.matrix.column.major.store", [matrix.type, stride.type])
    alignments = {1: _alignment(out, op.operands[0].type)}
    emit_intrinsic(out, op, name, VOID, [matrix, target, stride, *_columns(out, op)], alignments=alignments)


def _alignment(out: FunctionEmitter, matrix: builtin.Type) -> int:
    assert isinstance(matrix, builtin.VectorType)
    return out.module.layout.alignment(matrix.element)


def _columns(
    out: FunctionEmitter, op: ops.IntrMatrixColumnMajorLoadOp | ops.IntrMatrixColumnMajorStoreOp
) -> list[Value]:
    """Whether the access is volatile, and what lies there."""
    numbers = (op.isVolatile, op.rows, op.columns)
    return [integer(out.types(number.type), number.value) for number in numbers]


_STRICT: Final = attribute_set([ir_attributes.Attribute("strictfp")])


def _constrained(out: FunctionEmitter, op: Operation) -> None:
    """A conversion of floats that is rounded as said, with or without exceptions."""
    (source,), result = out.operands(op), _result(out, op)
    name = mangled(f"llvm.{op.name.removeprefix('llvm.intr.')}", [result, source.type])
    said = [f"round.{word}" for word in _words(op, "roundingmode", "RoundingMode")]
    said += [f"fpexcept.{word}" for word in _words(op, "fpExceptionBehavior", "FPExceptionBehavior")]
    arguments = [source, *(_as_value(MDString(text)) for text in said)]
    emit_intrinsic(out, op, name, result, arguments, attributes=_STRICT)


def _as_value(metadata: Metadata) -> Value:
    return MetadataAsValue(METADATA, metadata)


def _words(op: Operation, prop: str, enumeration: str) -> list[str]:
    """The word that a property is, if there is one; none is `ignore` of exceptions."""
    if prop not in op.properties:
        return []
    word = ir_words(enumeration).get(integer_property(op, prop, 0))
    return [word] if word is not None else []


def _declare_scopes(out: FunctionEmitter, op: ops.IntrExperimentalNoaliasScopeDeclOp) -> None:
    """The scope is metadata, and an argument all the same."""
    scope = _as_value(scopes_node(out.module, [op.scope]))
    emit_intrinsic(out, op, "llvm.experimental.noalias.scope.decl", VOID, [scope])


def _inline_assembly(out: FunctionEmitter, op: ops.InlineAsmOp) -> None:
    arguments, result = out.operands(op), _result(out, op)
    type = FunctionType(result, tuple(argument.type for argument in arguments))
    assembly = InlineAsm(
        PTR,
        type,
        op.asm_string.value,
        op.constraints.value,
        has_side_effects=op.has_side_effects is not None,
        is_align_stack=op.is_align_stack is not None,
        is_intel_dialect=bool(integer_property(op, "asm_dialect", 0)),
    )
    parameters = attributes_of_all(_of_elements(op), len(arguments), out.types)
    attributes = AttributeList(parameters=parameters) if parameters else EMPTY
    out.emit(op, CallInst(result, arguments, assembly, type, attributes, tail_kind=_tail(op, "tail_call_kind")))


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
