"""The operations of the arith dialect.

Source of the rules: *'arith' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.arith.attributes import (
    CMPF_PREDICATE,
    CMPI_PREDICATE,
    EXACT_PROPERTY,
    FASTMATH_PROPERTY,
    OPTIONAL_FASTMATH_PROPERTY,
    OVERFLOW_PROPERTY,
    ROUNDING_PROPERTY,
)
from fathom.dialects.arith.casts import (
    SAME_INPUT_OUTPUT_TENSOR_DIMS,
    Compatible,
    index_and_integer,
    narrower_float,
    narrower_integer,
    same_width,
    verify_cast,
    wider_float,
    wider_integer,
)
from fathom.dialects.arith.names import constant_names, product_names
from fathom.dialects.arith.select import SELECT
from fathom.ir.attributes import (
    Attribute,
    DenseElementsAttr,
    DenseResourceAttr,
    DenseStringsAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    UnknownAttr,
)
from fathom.ir.operation import Operation
from fathom.ir.types import I1, NONE, IntegerType, Type, VectorType
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.constraints import (
    ANY,
    BITCAST,
    FLOAT_LIKE,
    I1_LIKE,
    INDEX_CAST,
    SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
    SIGNLESS_INTEGER_LIKE,
    TYPED_ATTRIBUTE,
)
from fathom.irdl.definition import OpDefinition, Operand, Problem, Property, Result, Trait, TypeRule
from fathom.irdl.infer import same_types
from fathom.irdl.interfaces import Speculatable
from fathom.irdl.traits import (
    CAST,
    COMMUTATIVE,
    CONSTANT_LIKE,
    ELEMENTWISE,
    NO_MEMORY_EFFECT,
    PURE,
    SAME_OPERANDS_AND_RESULT_SHAPE,
    SAME_OPERANDS_AND_RESULT_TYPE,
    SAME_TYPE_OPERANDS,
)
from fathom.irdl.type_functions import with_element
from fathom.records import replace
from fathom.rewriting.speculation import SIGNED_DIVISION, UNSIGNED_DIVISION

BINARY_TRAITS: Final = (PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE)
DIVISION_TRAITS: Final = (NO_MEMORY_EFFECT, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE)
CAST_TRAITS: Final = (CAST, PURE, SAME_OPERANDS_AND_RESULT_SHAPE, SAME_INPUT_OUTPUT_TENSOR_DIMS, ELEMENTWISE)


def _integer(
    name: str, summary: str, *properties: Property, options: str = "", traits: tuple[Trait, ...] = BINARY_TRAITS
) -> OpDefinition:
    """`arith.addi %a, %b : i32`."""
    return OpDefinition(
        f"arith.{name}",
        operands=(Operand("lhs", SIGNLESS_INTEGER_LIKE), Operand("rhs", SIGNLESS_INTEGER_LIKE)),
        results=(Result("result", SIGNLESS_INTEGER_LIKE),),
        properties=properties,
        traits=traits,
        assembly=f"$lhs `,` $rhs {options} attr-dict `:` type($result)",
        summary=summary,
    )


def _with_overflow(name: str, summary: str, traits: tuple[Trait, ...] = BINARY_TRAITS) -> OpDefinition:
    return _integer(name, summary, OVERFLOW_PROPERTY, options="(`overflow` `` $overflowFlags^)?", traits=traits)


def _with_exact(name: str, summary: str) -> OpDefinition:
    return _integer(name, summary, EXACT_PROPERTY, options="(`exact` $isExact^)?")


def _division(definition: OpDefinition, speculation: Speculatable) -> OpDefinition:
    """A division of which it is undefined what it does by some numbers."""
    return replace(definition, traits=DIVISION_TRAITS, interfaces=(speculation,))


def _float(name: str, summary: str, *, commutative: bool = False) -> OpDefinition:
    """`arith.addf %a, %b fastmath<fast> : f32`."""
    return OpDefinition(
        f"arith.{name}",
        operands=(Operand("lhs", FLOAT_LIKE), Operand("rhs", FLOAT_LIKE)),
        results=(Result("result", FLOAT_LIKE),),
        properties=(FASTMATH_PROPERTY,),
        traits=(*BINARY_TRAITS, *((COMMUTATIVE,) if commutative else ())),
        assembly="$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        summary=summary,
    )


def _cast(
    name: str,
    source: TypeConstraint,
    target: TypeConstraint,
    summary: str,
    *properties: Property,
    compatible: Compatible = lambda source, target: True,
    options: str = "",
) -> OpDefinition:
    """`arith.extsi %a : i32 to i64`."""
    return OpDefinition(
        f"arith.{name}",
        operands=(Operand("in", source),),
        results=(Result("out", target),),
        properties=properties,
        traits=CAST_TRAITS,
        assembly=f"$in {options} attr-dict `:` type($in) `to` type($out)",
        verify=verify_cast(compatible),
        summary=summary,
    )


def _extended(name: str, summary: str) -> OpDefinition:
    """`%low, %high = arith.mulsi_extended %a, %b : i32`."""
    return OpDefinition(
        f"arith.{name}",
        operands=(Operand("lhs", SIGNLESS_INTEGER_LIKE), Operand("rhs", SIGNLESS_INTEGER_LIKE)),
        results=(Result("low", SIGNLESS_INTEGER_LIKE), Result("high", SIGNLESS_INTEGER_LIKE)),
        traits=(PURE, COMMUTATIVE, ELEMENTWISE),
        rules=same_types("lhs", "rhs", "low", "high"),
        assembly="$lhs `,` $rhs attr-dict `:` type($lhs)",
        result_names=lambda op: ("low", "high"),
        summary=summary,
    )


def i1_like(types: Sequence[Type]) -> list[Type]:
    """`i1` in the shapes of `types`."""
    return [with_element(type, I1) for type in types]


COMPARISON_RULE: Final = TypeRule(
    "result", ("lhs",), i1_like, "result type has i1 element type and same shape as operands"
)


_ELEMENTS: Final = (DenseElementsAttr, DenseResourceAttr, DenseStringsAttr, SparseElementsAttr)


def _verify_constant(op: Operation) -> Sequence[Problem]:
    value, type = op.properties.get("value"), op.results[0].type
    if isinstance(type, IntegerType) and type.signedness:
        return (Problem("integer return type must be signless"),)
    if not isinstance(value, (IntegerAttr, FloatAttr, UnknownAttr, *_ELEMENTS)):
        return (Problem("value must be an integer, float, or elements attribute"),)
    if isinstance(type, VectorType) and any(type.scalable):
        if not isinstance(value, DenseElementsAttr) or not value.is_splat:
            # The misspelling is MLIR's own.
            message = "intializing scalable vectors with elements attribute is not supported unless it's a vector splat"
            return (Problem(message),)
    return ()


def _type_of_value(attributes: Sequence[Attribute]) -> list[Type] | None:
    type = getattr(attributes[0], "type", None) if attributes else None
    return [type if isinstance(type, Type) else NONE]


CONSTANT: Final = OpDefinition(
    "arith.constant",
    results=(Result("result", ANY),),
    properties=(Property("value", TYPED_ATTRIBUTE),),
    traits=(CONSTANT_LIKE, PURE),
    rules=(TypeRule("result", ("value",), _type_of_value, "all of {value, result} have same type", equal=True),),
    assembly="attr-dict $value",
    verify=_verify_constant,
    result_names=constant_names,
    summary="an integer, floating-point or elements constant",
    description="The type of the result is the type of the literal.",
)

CMPI: Final = OpDefinition(
    "arith.cmpi",
    operands=(Operand("lhs", SIGNLESS_INTEGER_LIKE), Operand("rhs", SIGNLESS_INTEGER_LIKE)),
    results=(Result("result", I1_LIKE),),
    properties=(Property("predicate", CMPI_PREDICATE),),
    traits=(PURE, SAME_TYPE_OPERANDS, ELEMENTWISE),
    rules=(COMPARISON_RULE,),
    assembly="$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
    summary="integer comparison",
    description="`eq` and `ne`, or an order: `s` compares signed, `u` unsigned; `lt`, `le`, `gt`, `ge`.",
)

CMPF: Final = OpDefinition(
    "arith.cmpf",
    operands=(Operand("lhs", FLOAT_LIKE), Operand("rhs", FLOAT_LIKE)),
    results=(Result("result", I1_LIKE),),
    properties=(Property("predicate", CMPF_PREDICATE), FASTMATH_PROPERTY),
    traits=(PURE, SAME_TYPE_OPERANDS, ELEMENTWISE),
    rules=(COMPARISON_RULE,),
    assembly="$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)",
    summary="floating-point comparison",
    description="A predicate with `o` is false when an operand is NaN, one with `u` is true.",
)

ADDUI_EXTENDED: Final = OpDefinition(
    "arith.addui_extended",
    operands=(Operand("lhs", SIGNLESS_INTEGER_LIKE), Operand("rhs", SIGNLESS_INTEGER_LIKE)),
    results=(Result("sum", SIGNLESS_INTEGER_LIKE), Result("overflow", I1_LIKE)),
    traits=(PURE, COMMUTATIVE, ELEMENTWISE),
    rules=same_types("lhs", "rhs", "sum"),
    assembly="$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)",
    result_names=lambda op: ("sum", "overflow"),
    summary="unsigned integer addition that also says whether it overflowed",
)

NEGF: Final = OpDefinition(
    "arith.negf",
    operands=(Operand("operand", FLOAT_LIKE),),
    results=(Result("result", FLOAT_LIKE),),
    properties=(FASTMATH_PROPERTY,),
    traits=BINARY_TRAITS,
    assembly="$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    summary="floating-point negation: only the sign bit changes",
)

SCALING_EXTF: Final = OpDefinition(
    "arith.scaling_extf",
    operands=(Operand("in", FLOAT_LIKE), Operand("scale", FLOAT_LIKE)),
    results=(Result("out", FLOAT_LIKE),),
    properties=(OPTIONAL_FASTMATH_PROPERTY,),
    traits=(PURE, SAME_INPUT_OUTPUT_TENSOR_DIMS, ELEMENTWISE),
    assembly="$in `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` type($out)",
    verify=verify_cast(wider_float),
    summary="widens a small float and multiplies it by a scale (OCP MX)",
)

SCALING_TRUNCF: Final = OpDefinition(
    "arith.scaling_truncf",
    operands=(Operand("in", FLOAT_LIKE), Operand("scale", FLOAT_LIKE)),
    results=(Result("out", FLOAT_LIKE),),
    properties=(ROUNDING_PROPERTY, OPTIONAL_FASTMATH_PROPERTY),
    traits=(PURE, SAME_INPUT_OUTPUT_TENSOR_DIMS, ELEMENTWISE),
    assembly="$in `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` "
    "type($in) `,` type($scale) `to` type($out)",
    verify=verify_cast(narrower_float),
    summary="divides a float by a scale and narrows it (OCP MX)",
)

COMMUTING: Final = (*BINARY_TRAITS, COMMUTATIVE)

OPERATIONS: Final[tuple[OpDefinition, ...]] = (
    CONSTANT,
    _with_overflow("addi", "integer addition, modulo 2 to the width", COMMUTING),
    ADDUI_EXTENDED,
    _with_overflow("subi", "integer subtraction, modulo 2 to the width"),
    replace(
        _with_overflow("muli", "integer multiplication, modulo 2 to the width", COMMUTING), result_names=product_names
    ),
    _extended("mulsi_extended", "signed integer multiplication that gives both halves of the product"),
    _extended("mului_extended", "unsigned integer multiplication that gives both halves of the product"),
    _division(_with_exact("divui", "unsigned integer division, rounding towards zero"), UNSIGNED_DIVISION),
    _division(_with_exact("divsi", "signed integer division, rounding towards zero"), SIGNED_DIVISION),
    _division(_integer("ceildivui", "unsigned integer division, rounding up"), UNSIGNED_DIVISION),
    _division(_integer("ceildivsi", "signed integer division, rounding up"), SIGNED_DIVISION),
    _integer("floordivsi", "signed integer division, rounding down"),
    _integer("remui", "remainder of unsigned integer division", traits=BINARY_TRAITS),
    _integer("remsi", "remainder of signed integer division, with the sign of the dividend", traits=BINARY_TRAITS),
    _integer("andi", "bitwise and", traits=COMMUTING),
    _integer("ori", "bitwise or", traits=COMMUTING),
    _integer("xori", "bitwise exclusive or", traits=COMMUTING),
    _with_overflow("shli", "shift to the left"),
    _with_exact("shrui", "shift to the right that fills with zeros"),
    _with_exact("shrsi", "shift to the right that fills with the sign"),
    NEGF,
    _float("addf", "floating-point addition", commutative=True),
    _float("subf", "floating-point subtraction"),
    _float("maximumf", "the greater of two floats; NaN if either is, and -0 is less than +0", commutative=True),
    _float("maxnumf", "the greater of two floats; of a number and NaN, the number", commutative=True),
    _integer("maxsi", "the greater of two signed integers", traits=COMMUTING),
    _integer("maxui", "the greater of two unsigned integers", traits=COMMUTING),
    _float("minimumf", "the lesser of two floats; NaN if either is, and -0 is less than +0", commutative=True),
    _float("minnumf", "the lesser of two floats; of a number and NaN, the number", commutative=True),
    _integer("minsi", "the lesser of two signed integers", traits=COMMUTING),
    _integer("minui", "the lesser of two unsigned integers", traits=COMMUTING),
    _float("mulf", "floating-point multiplication", commutative=True),
    _float("divf", "floating-point division"),
    _float("remf", "remainder of floating-point division, with the sign of the dividend"),
    _cast(
        "extui",
        SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
        SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
        "widens an integer with zeros",
        compatible=wider_integer,
    ),
    _cast(
        "extsi",
        SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
        SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
        "widens an integer with its sign",
        compatible=wider_integer,
    ),
    _cast(
        "extf",
        FLOAT_LIKE,
        FLOAT_LIKE,
        "widens a float; the value stays",
        OPTIONAL_FASTMATH_PROPERTY,
        compatible=wider_float,
        options="(`fastmath` `` $fastmath^)?",
    ),
    _cast(
        "trunci",
        SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
        SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
        "narrows an integer by dropping its upper bits",
        OVERFLOW_PROPERTY,
        compatible=narrower_integer,
        options="(`overflow` `` $overflowFlags^)?",
    ),
    _cast(
        "truncf",
        FLOAT_LIKE,
        FLOAT_LIKE,
        "narrows a float, rounding it",
        ROUNDING_PROPERTY,
        OPTIONAL_FASTMATH_PROPERTY,
        compatible=narrower_float,
        options="($roundingmode^)? (`fastmath` `` $fastmath^)?",
    ),
    SCALING_EXTF,
    SCALING_TRUNCF,
    _cast("uitofp", SIGNLESS_FIXED_WIDTH_INTEGER_LIKE, FLOAT_LIKE, "the float nearest to an unsigned integer"),
    _cast("sitofp", SIGNLESS_FIXED_WIDTH_INTEGER_LIKE, FLOAT_LIKE, "the float nearest to a signed integer"),
    _cast("fptoui", FLOAT_LIKE, SIGNLESS_FIXED_WIDTH_INTEGER_LIKE, "a float as unsigned integer, rounded towards zero"),
    _cast("fptosi", FLOAT_LIKE, SIGNLESS_FIXED_WIDTH_INTEGER_LIKE, "a float as signed integer, rounded towards zero"),
    _cast(
        "index_cast",
        INDEX_CAST,
        INDEX_CAST,
        "an index as integer or an integer as index; widening keeps the sign",
        compatible=index_and_integer,
    ),
    _cast(
        "index_castui",
        INDEX_CAST,
        INDEX_CAST,
        "an index as integer or an integer as index; widening fills with zeros",
        compatible=index_and_integer,
    ),
    _cast("bitcast", BITCAST, BITCAST, "the same bits seen as another type of that width", compatible=same_width),
    CMPI,
    CMPF,
    SELECT,
)
