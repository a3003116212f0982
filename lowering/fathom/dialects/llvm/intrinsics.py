"""LLVM IR's intrinsic functions, as operations `llvm.intr.…`. The uniform ones are tables.

Source of the rules: *'llvm' Dialect*, "Operations for LLVM IR Intrinsics"; the meaning is that of LLVM's function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.arithmetic import FASTMATH
from fathom.dialects.llvm.attributes import I1_ATTRIBUTE, i32_array
from fathom.dialects.llvm.constraints import FLOAT_LIKE, INTEGER_LIKE, LLVM_TYPE, POINTER, POINTER_LIKE, result, same
from fathom.dialects.llvm.memory import ALIASING
from fathom.dialects.llvm.types import LLVMStructType, struct_of
from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, StringAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import I1, Type, VectorType
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.constraints import (
    ARRAY,
    DENSE_I32_ARRAY,
    DICTIONARY_ARRAY,
    I1_TYPE,
    I8_TYPE,
    I32_ATTRIBUTE,
    SIGNLESS_INTEGER,
)
from fathom.irdl.definition import CustomSyntax, OpDefinition, Operand, Problem, Property, TypeRule
from fathom.irdl.groups import Arity
from fathom.irdl.infer import same_types
from fathom.irdl.interfaces import EffectKind, effects_on
from fathom.irdl.traits import PURE, SAME_OPERANDS_AND_RESULT_TYPE
from fathom.irdl.verifying import verifies

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref

CALL: Final = "`(` operands `)` attr-dict `:` functional-type(operands, results)"

FLOAT_UNARY: Final = (
    "acos asin atan ceil cos cosh exp exp10 exp2 fabs floor log log10 log2 nearbyint rint round roundeven "
    "sin sinh sqrt tan tanh trunc"
).split()
FLOAT_BINARY: Final = "atan2 copysign maximum maxnum minimum minnum pow".split()
FLOAT_TERNARY: Final = "fma fmuladd".split()
INTEGER_UNARY: Final = "bitreverse bswap ctpop".split()
INTEGER_BINARY: Final = "sadd.sat smax smin sshl.sat ssub.sat uadd.sat umax umin ushl.sat usub.sat".split()
INTEGER_TERNARY: Final = "fshl fshr".split()
WITH_OVERFLOW: Final = "sadd smul ssub uadd umul usub".split()
FLOAT_TO_INTEGER: Final = "llrint llround lrint lround".split()

ARGUMENT_ATTRIBUTES: Final = (
    Property("arg_attrs", DICTIONARY_ARRAY, optional=True),
    Property("res_attrs", DICTIONARY_ARRAY, optional=True),
)


def _uniform(name: str, constraint: TypeConstraint, count: int, *properties: Property) -> OpDefinition:
    """A function of operands of one type to that type."""
    names = ("in",) if count == 1 else ("a", "b", "c")[:count]
    return OpDefinition(
        f"llvm.intr.{name}",
        operands=tuple(Operand(operand, constraint) for operand in names),
        results=result(LLVM_TYPE),
        properties=properties,
        traits=(PURE, SAME_OPERANDS_AND_RESULT_TYPE),
        assembly=CALL,
        summary=f"LLVM's intrinsic llvm.{name}",
    )


def _with_flag(name: str, flag: str, *, uniform: bool) -> OpDefinition:
    """`abs`, `ctlz`, `cttz`: whether an edge case gives poison. They have the generic form only."""
    return OpDefinition(
        f"llvm.intr.{name}",
        operands=(Operand("in", INTEGER_LIKE),),
        results=result(LLVM_TYPE),
        properties=(Property(flag, I1_ATTRIBUTE),),
        traits=(PURE, SAME_OPERANDS_AND_RESULT_TYPE) if uniform else (PURE,),
        rules=() if uniform else (TypeRule("res", ("in",), same, ""),),
        summary=f"LLVM's intrinsic llvm.{name}",
    )


def _overflow_result(types: list[Type]) -> list[Type] | None:
    """The value, and whether it overflowed."""
    return [struct_of(t, VectorType(t.shape, I1, t.scalable) if isinstance(t, VectorType) else I1) for t in types]


def _with_overflow(name: str) -> OpDefinition:
    return OpDefinition(
        f"llvm.intr.{name}.with.overflow",
        operands=(Operand("lhs", INTEGER_LIKE), Operand("rhs", INTEGER_LIKE)),
        results=result(LLVM_TYPE),
        traits=(PURE,),
        rules=(TypeRule("res", ("lhs",), _overflow_result, ""),),
        summary=f"LLVM's intrinsic llvm.{name}.with.overflow",
    )


def _call(
    name: str,
    operands: tuple[Operand, ...],
    *properties: Property,
) -> OpDefinition:
    return OpDefinition(
        f"llvm.intr.{name}",
        operands=operands,
        results=result(LLVM_TYPE),
        properties=properties,
        traits=(PURE,),
        assembly=CALL,
        summary=f"LLVM's intrinsic llvm.{name}",
    )


@verifies("llvm.intr.sincos")
def _verify_sincos(op: Operation) -> list[Problem]:
    source, target = op.operands[0].type, op.result.type
    if isinstance(target, LLVMStructType) and target.body == (source, source):
        return []
    pair = "an homogeneous struct with two elements matching the operand type"
    return [Problem(f"expected result type to be {pair}, but got '{target}'")]


VOLATILE: Final = Property("isVolatile", I1_ATTRIBUTE)


def _copy(name: str, source: Operand) -> OpDefinition:
    """`memcpy`, `memmove` and `memset`, which have the generic form only."""
    read = [(EffectKind.READ, "src")] if source.constraint is POINTER else []
    return OpDefinition(
        f"llvm.intr.{name}",
        operands=(Operand("dst", POINTER), source, Operand("len", SIGNLESS_INTEGER)),
        properties=(VOLATILE, *ALIASING, *ARGUMENT_ATTRIBUTES),
        interfaces=(effects_on((EffectKind.WRITE, "dst"), *read),),
        summary=f"LLVM's intrinsic llvm.{name}",
    )


def _on_pointer(name: str, *, returns: bool = False) -> OpDefinition:
    return OpDefinition(
        f"llvm.intr.{name}",
        operands=(Operand("ptr", POINTER),),
        results=result(POINTER) if returns else (),
        traits=(SAME_OPERANDS_AND_RESULT_TYPE,) if returns else (),
        assembly="$ptr attr-dict `:` qualified(type($ptr))",
        summary=f"LLVM's intrinsic llvm.{name}",
    )


# ---- assume, with the operands of its bundles


def print_bundles(op: Operation, operands: list[Value], p: OpPrinter) -> None:
    """`["tag"(%a : i32), "other"()]`."""
    tags, sizes = op.properties.get("op_bundle_tags"), op.properties.get("op_bundle_sizes")
    if not isinstance(tags, ArrayAttr) or not isinstance(sizes, DenseArrayAttr) or not tags.elements:
        return
    p.write(" [")
    start = 0
    for position, (tag, size) in enumerate(zip(tags.elements, sizes.values, strict=False)):
        p.write(", " if position else "")
        assert isinstance(tag, StringAttr)
        p.string(tag.value)
        p.write("(")
        if values := operands[start : start + size]:
            p.typed_values(values)
        p.write(")")
        start += size
    p.write("]")


def parse_bundles(cursor: OpParser, parsed: ParsedOp) -> None:
    """The same, if it is there; the tags are part of the shape."""
    sizes: list[int] = []
    tags: list[StringAttr] = []
    operands: list[Ref] = []
    types: list[Node] = []
    at = cursor.here()
    if cursor.accept("["):
        while not cursor.at("]"):
            tags.append(StringAttr(cursor.text(cursor.string())[1:-1]))
            cursor.expect("(")
            values = cursor.bare_value_list()
            if values:
                cursor.expect(":")
                given = cursor.type_list()
                if len(given) != len(values):
                    bundle = f"types for operand bundle operands for operand bundle #{len(sizes)}"
                    counts = f"expected {len(values)} {bundle}, but actually got {len(given)}"
                    cursor.fail(f"custom op '{parsed.name}' {counts}", at)
                types += given
            cursor.expect(")")
            operands += values
            sizes.append(len(values))
            if not cursor.accept(","):
                break
        cursor.expect("]")
        if tags:
            parsed.attributes["op_bundle_tags"] = ArrayAttr(tuple(tags))
    parsed.attributes["op_bundle_sizes"] = i32_array(*sizes)
    parsed.operands["op_bundle_operands"], parsed.types["op_bundle_operands"] = operands, types


@verifies("llvm.call_intrinsic", "llvm.intr.assume")
def verify_bundles(op: Operation) -> list[Problem]:
    """Whether there is a tag for each bundle."""
    sizes, tags = op.properties.get("op_bundle_sizes"), op.properties.get("op_bundle_tags")
    names = tags.elements if isinstance(tags, ArrayAttr) else ()
    if not all(isinstance(name, StringAttr) for name in names):
        return [Problem("operand bundle tag must be a StringAttr", bare=True)]
    count = len(sizes.values) if isinstance(sizes, DenseArrayAttr) else 0
    if count != len(names):
        return [Problem(f"expected {count} operand bundle tags, but actually got {len(names)}", bare=True)]
    return []


BUNDLE_PROPERTIES: Final = (
    Property("op_bundle_sizes", DENSE_I32_ARRAY, default=i32_array()),
    Property("op_bundle_tags", ARRAY, optional=True),
)
BUNDLE_NAMES: Final = ("op_bundle_sizes", "op_bundle_tags")
BUNDLE_OPERANDS: Final = Operand("op_bundle_operands", LLVM_TYPE, Arity.VARIADIC, "op_bundle_sizes")


def _parse_assume(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.operands["cond"] = [cursor.value_use()]
    parse_bundles(cursor, parsed)
    cursor.expect(":")
    parsed.types["cond"] = [cursor.type()]
    cursor.attr_dict(parsed)


def _print_assume(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.operands[0])
    print_bundles(op, op.group("op_bundle_operands"), p)
    p.write(" : ")
    p.type(op.operands[0].type)
    p.attr_dict(op, elide=BUNDLE_NAMES)


ASSUME: Final = OpDefinition(
    "llvm.intr.assume",
    operands=(Operand("cond", I1_TYPE), BUNDLE_OPERANDS),
    properties=BUNDLE_PROPERTIES,
    custom=CustomSyntax(_parse_assume, _print_assume),
    summary="LLVM's intrinsic llvm.assume",
)
STACKSAVE: Final = OpDefinition(
    "llvm.intr.stacksave",
    results=result(LLVM_TYPE),
    assembly="attr-dict `:` qualified(type($res))",
    summary="LLVM's intrinsic llvm.stacksave",
)
PREFETCH: Final = OpDefinition(
    "llvm.intr.prefetch",
    operands=(Operand("addr", POINTER),),
    properties=tuple(Property(name, I32_ATTRIBUTE) for name in ("rw", "hint", "cache")),
    summary="LLVM's intrinsic llvm.prefetch",
)
EXPECT: Final = OpDefinition(
    "llvm.intr.expect",
    operands=(Operand("val", SIGNLESS_INTEGER), Operand("expected", SIGNLESS_INTEGER)),
    results=result(LLVM_TYPE),
    traits=(PURE, SAME_OPERANDS_AND_RESULT_TYPE),
    assembly="$val `,` $expected attr-dict `:` type($val)",
    summary="LLVM's intrinsic llvm.expect",
)
IS_FPCLASS: Final = OpDefinition(
    "llvm.intr.is.fpclass",
    operands=(Operand("in", FLOAT_LIKE),),
    results=result(LLVM_TYPE),
    properties=(Property("bit", I32_ATTRIBUTE),),
    traits=(PURE,),
    summary="LLVM's intrinsic llvm.is.fpclass",
)


def _on_list(name: str) -> OpDefinition:
    """What a function of a variable number of arguments does with the list of those."""
    return OpDefinition(
        f"llvm.intr.{name}",
        operands=(Operand("arg_list", POINTER),),
        assembly="$arg_list attr-dict `:` qualified(type($arg_list))",
        summary=f"LLVM's intrinsic llvm.{name}",
    )


PTRMASK: Final = OpDefinition(
    "llvm.intr.ptrmask",
    operands=(Operand("ptr", POINTER_LIKE), Operand("mask", INTEGER_LIKE)),
    results=result(POINTER_LIKE),
    traits=(PURE,),
    rules=same_types("ptr", "res"),
    assembly="$ptr `,` $mask attr-dict `:` functional-type(operands, results)",
    summary="LLVM's intrinsic llvm.ptrmask",
)


def _plain(name: str) -> OpDefinition:
    return OpDefinition(f"llvm.intr.{name}", assembly="attr-dict", summary=f"LLVM's intrinsic llvm.{name}")


OPERATIONS: Final = (
    *(_uniform(name, FLOAT_LIKE, 1, FASTMATH) for name in FLOAT_UNARY),
    *(_uniform(name, FLOAT_LIKE, 2, FASTMATH) for name in FLOAT_BINARY),
    *(_uniform(name, FLOAT_LIKE, 3, FASTMATH) for name in FLOAT_TERNARY),
    *(_uniform(name, INTEGER_LIKE, 1) for name in INTEGER_UNARY),
    *(_uniform(name, INTEGER_LIKE, 2) for name in INTEGER_BINARY),
    *(_uniform(name, INTEGER_LIKE, 3) for name in INTEGER_TERNARY),
    *(_with_overflow(name) for name in WITH_OVERFLOW),
    *(_call(name, (Operand("val", FLOAT_LIKE),)) for name in FLOAT_TO_INTEGER),
    *(_call(name, (Operand("a", INTEGER_LIKE), Operand("b", INTEGER_LIKE))) for name in ("scmp", "ucmp")),
    *(
        _call(name, (Operand("val", FLOAT_LIKE), Operand("power", SIGNLESS_INTEGER)), FASTMATH)
        for name in ("ldexp", "powi")
    ),
    _call("frexp", (Operand("val", FLOAT_LIKE),), FASTMATH),
    _call("sincos", (Operand("val", FLOAT_LIKE),), FASTMATH),
    _with_flag("abs", "is_int_min_poison", uniform=False),
    _with_flag("ctlz", "is_zero_poison", uniform=True),
    _with_flag("cttz", "is_zero_poison", uniform=True),
    _copy("memcpy", Operand("src", POINTER)),
    _copy("memmove", Operand("src", POINTER)),
    _copy("memset", Operand("val", I8_TYPE)),
    _on_pointer("stackrestore"),
    _on_pointer("lifetime.start"),
    _on_pointer("lifetime.end"),
    _on_pointer("launder.invariant.group", returns=True),
    _on_pointer("strip.invariant.group", returns=True),
    _on_list("vastart"),
    _on_list("vaend"),
    PTRMASK,
    _plain("trap"),
    _plain("debugtrap"),
    ASSUME,
    STACKSAVE,
    PREFETCH,
    EXPECT,
    IS_FPCLASS,
)
