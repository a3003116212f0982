"""The constraints on types and attributes that definitions share, named as MLIR's messages name them.

A failed one is reported as "operand #0 must be {summary}, but got 'f32'" or "attribute 'x' failed to satisfy
constraint: {summary}". Source of the rules: *Operation Definition Specification (ODS)*, "Constraints".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import (
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DenseResourceAttr,
    DictAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from fathom.ir.types import (
    I1,
    I8,
    I32,
    I64,
    INDEX,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    TensorType,
    Type,
    VectorType,
)
from fathom.irdl.definition import AttributeConstraint, AttributeForm, TypeConstraint

if TYPE_CHECKING:
    from fathom.irdl.protocols import AttributeReader, BodyReader


def exactly(type: Type, summary: str) -> TypeConstraint:
    """The constraint that only `type` satisfies."""
    return TypeConstraint(summary, lambda other: other == type, type)


def instance_of(summary: str, *classes: type[Type]) -> TypeConstraint:
    """Any type of these classes."""
    return TypeConstraint(summary, lambda type: isinstance(type, classes))


def value_semantics(element: Callable[[Type], bool]) -> Callable[[Type], bool]:
    """A scalar, or a vector or tensor of scalars, that satisfies `element`."""

    def accepts(type: Type) -> bool:
        return element(type.element if isinstance(type, (VectorType, TensorType)) else type)

    return accepts


def is_signless_integer(type: Type) -> bool:
    return isinstance(type, IntegerType) and not type.signedness


def is_signless_integer_or_index(type: Type) -> bool:
    return isinstance(type, IndexType) or is_signless_integer(type)


def is_float(type: Type) -> bool:
    return isinstance(type, FloatType)


def _memref_of(element: Callable[[Type], bool]) -> Callable[[Type], bool]:
    return lambda type: isinstance(type, MemRefType) and type.shape is not None and element(type.element)


def _either(*tests: Callable[[Type], bool]) -> Callable[[Type], bool]:
    return lambda type: any(test(type) for test in tests)


ANY: Final = TypeConstraint("any type", lambda _: True)
I1_TYPE: Final = exactly(I1, "1-bit signless integer")
I8_TYPE: Final = exactly(I8, "8-bit signless integer")
INDEX_TYPE: Final = exactly(INDEX, "index")
ANY_INTEGER: Final = instance_of("integer", IntegerType)
SIGNLESS_INTEGER: Final = TypeConstraint("signless integer", is_signless_integer)
SIGNLESS_INTEGER_OR_INDEX: Final = TypeConstraint("signless integer or index", is_signless_integer_or_index)
SIGNLESS_INTEGER_OR_FLOAT: Final = TypeConstraint(
    "signless integer or floating-point", _either(is_signless_integer, is_float)
)
FUNCTION: Final = instance_of("function type", FunctionType)

SIGNLESS_INTEGER_LIKE: Final = TypeConstraint("signless-integer-like", value_semantics(is_signless_integer_or_index))
SIGNLESS_FIXED_WIDTH_INTEGER_LIKE: Final = TypeConstraint(
    "signless-fixed-width-integer-like", value_semantics(is_signless_integer)
)
FLOAT_LIKE: Final = TypeConstraint("floating-point-like", value_semantics(is_float))
I1_LIKE: Final = TypeConstraint("bool-like", value_semantics(lambda type: type == I1))
BITCAST: Final = TypeConstraint(
    "signless-integer-or-float-like or memref of signless-integer or float",
    _either(
        value_semantics(_either(is_signless_integer, is_float)),
        _memref_of(_either(is_signless_integer, is_float)),
    ),
)
INDEX_CAST: Final = TypeConstraint(
    "signless-integer-like or memref of signless-integer",
    _either(value_semantics(is_signless_integer_or_index), _memref_of(is_signless_integer_or_index)),
)


def _ranked_memref(type: Type) -> bool:
    return isinstance(type, MemRefType) and type.shape is not None


def is_strided(type: Type) -> bool:
    """Whether a ranked memref has the identity layout or `strided<…>`."""
    from fathom.ir.attributes import StridedLayoutAttr

    return (
        isinstance(type, MemRefType)
        and type.shape is not None
        and (type.layout is None or isinstance(type.layout, StridedLayoutAttr))
    )


ANY_MEMREF: Final = TypeConstraint("memref of any type values", _ranked_memref)
ANY_RANKED_OR_UNRANKED_MEMREF: Final = instance_of("ranked or unranked memref of any type values", MemRefType)
ANY_UNRANKED_OR_NON_0_RANKED_MEMREF: Final = TypeConstraint(
    "unranked.memref of any type values or non-0-ranked.memref of any type values",
    lambda type: isinstance(type, MemRefType) and type.shape != (),
)
STATIC_MEMREF: Final = TypeConstraint(
    "statically shaped memref of any type values",
    lambda type: isinstance(type, MemRefType) and type.has_static_shape,
)
STRIDED_MEMREF: Final = TypeConstraint("strided memref of any type values", is_strided)
RANKED_TENSOR: Final = TypeConstraint(
    "ranked tensor of any type values", lambda type: isinstance(type, TensorType) and type.shape is not None
)


def attribute_of(
    summary: str, *classes: type[Attribute], form: AttributeForm = AttributeForm.ANY, type: Type | None = None
) -> AttributeConstraint:
    """An attribute of one of these classes."""
    return AttributeConstraint(summary, lambda attribute: isinstance(attribute, classes), form, type)


def integer_of(type: IntegerType | IndexType, summary: str) -> AttributeConstraint:
    """An integer attribute of exactly this type, whose text is the number alone."""
    return AttributeConstraint(
        summary,
        lambda attribute: isinstance(attribute, IntegerAttr) and attribute.type == type,
        AttributeForm.TYPED_LITERAL,
        type,
    )


ANY_ATTRIBUTE: Final = AttributeConstraint("any attribute", lambda _: True)
TYPED_ATTRIBUTE: Final = attribute_of(
    "TypedAttr instance",
    IntegerAttr,
    FloatAttr,
    StringAttr,
    DenseElementsAttr,
    DenseResourceAttr,
    SparseElementsAttr,
    DenseArrayAttr,
)
INTEGER_ELEMENTS: Final = AttributeConstraint(
    "integer elements attribute",
    lambda a: isinstance(a, DenseElementsAttr) and isinstance(a.type.element, (IntegerType, IndexType)),
)
STRING: Final = attribute_of("string attribute", StringAttr)
SYMBOL_NAME: Final = attribute_of("string attribute", StringAttr, form=AttributeForm.SYMBOL_NAME)
SYMBOL_REF: Final = attribute_of("symbol reference attribute", SymbolRefAttr)
FLAT_SYMBOL_REF: Final = AttributeConstraint(
    "flat symbol reference attribute", lambda a: isinstance(a, SymbolRefAttr) and not a.nested
)
UNIT_ATTRIBUTE: Final = attribute_of("unit attribute", UnitAttr, form=AttributeForm.UNIT)
ARRAY: Final = attribute_of("array attribute", ArrayAttr)
DICTIONARY_ARRAY: Final = AttributeConstraint(
    "Array of dictionary attributes",
    lambda a: isinstance(a, ArrayAttr) and all(isinstance(e, DictAttr) for e in a.elements),
)
AFFINE_MAP: Final = attribute_of("AffineMap attribute", AffineMapAttr)
TYPE: Final = attribute_of("any type attribute", TypeAttr, form=AttributeForm.TYPE)
MEMREF_TYPE: Final = AttributeConstraint(
    "memref type attribute",
    lambda a: isinstance(a, TypeAttr) and isinstance(a.type, MemRefType),
    AttributeForm.TYPE,
)
FUNCTION_TYPE: Final = AttributeConstraint(
    "type attribute of function type",
    lambda a: isinstance(a, TypeAttr) and isinstance(a.type, FunctionType),
    AttributeForm.TYPE,
)
BOOL: Final = integer_of(I1, "bool attribute")
I32_ATTRIBUTE: Final = integer_of(I32, "32-bit signless integer attribute")
I64_ATTRIBUTE: Final = integer_of(I64, "64-bit signless integer attribute")
DENSE_I32_ARRAY: Final = AttributeConstraint(
    "i32 dense array attribute",
    lambda a: isinstance(a, DenseArrayAttr) and a.element == I32,
    AttributeForm.ARRAY,
    I32,
)
DENSE_I64_ARRAY: Final = AttributeConstraint(
    "i64 dense array attribute",
    lambda a: isinstance(a, DenseArrayAttr) and a.element == I64,
    AttributeForm.ARRAY,
    I64,
)


def integer_enum(cases: Mapping[str, int], type: IntegerType) -> AttributeConstraint:
    """An enumeration that is stored as an integer attribute of `type`, and stands in a format as its bare keyword."""
    numbers = frozenset(cases.values())
    summary = f"allowed {type.width}-bit signless integer cases: {', '.join(map(str, sorted(numbers)))}"
    return AttributeConstraint(
        summary,
        lambda a: isinstance(a, IntegerAttr) and a.type == type and a.value in numbers,
        AttributeForm.KEYWORD,
        type,
        cases,
    )


def dialect_enum(summary: str, mnemonic: str, cases: Mapping[str, int]) -> AttributeConstraint:
    """An enumeration with an attribute of its own, `#mnemonic<case>`, which stands in a format as its bare keyword."""
    return AttributeConstraint(summary, _is_enum(mnemonic), AttributeForm.KEYWORD, None, cases, mnemonic)


def dialect_flags(summary: str, mnemonic: str, cases: Mapping[str, int], separator: str = ", ") -> AttributeConstraint:
    """A set of flags with an attribute of its own, `#mnemonic<a, b>`, which stands in a format as `<a, b>`."""
    return AttributeConstraint(summary, _is_enum(mnemonic), AttributeForm.FLAGS, None, cases, mnemonic, separator)


def _is_enum(mnemonic: str) -> Callable[[Attribute], bool]:
    return lambda a: isinstance(a, EnumAttr) and a.mnemonic == mnemonic


def enum_attribute(constraint: AttributeConstraint, value: int) -> Attribute:
    """The attribute of an enumeration for a number, or for the bits of its flags. A number of no case raises
    KeyError."""
    if not constraint.mnemonic:
        assert constraint.type is not None, "an enumeration without a mnemonic is an integer of a type"
        return IntegerAttr(value, constraint.type)
    return EnumAttr(constraint.mnemonic, spell_cases(constraint, value), value)


def spell_cases(constraint: AttributeConstraint, value: int) -> str:
    """The keyword of a number; for flags, the keywords of its bits in the order of the cases, a group before its
    members."""
    whole = next((name for name, number in constraint.cases.items() if number == value), None)
    if whole is not None:
        return whole
    if constraint.form is not AttributeForm.FLAGS:
        raise KeyError(value)
    single = [name for name, number in constraint.cases.items() if number and number & value == number]
    return constraint.separator.join(single)


def parse_cases(constraint: AttributeConstraint, keywords: list[str]) -> Attribute:
    """The attribute that keywords stand for. An unknown keyword raises KeyError."""
    value = 0
    for keyword in keywords:
        value |= constraint.cases[keyword]
    return enum_attribute(constraint, value)


def enum_reader(constraint: AttributeConstraint) -> AttributeReader:
    """The reader of what follows `#dialect.mnemonic`: cases in angle brackets, comma-separated."""

    def read(reader: BodyReader) -> Attribute:
        reader.expect("<")
        keywords = [_read_case(constraint, reader)]
        while constraint.form is AttributeForm.FLAGS and reader.accept(","):
            keywords.append(_read_case(constraint, reader))
        reader.expect(">")
        return parse_cases(constraint, keywords)

    return read


def _read_case(constraint: AttributeConstraint, reader: BodyReader) -> str:
    keyword: str = reader.keyword()
    if keyword not in constraint.cases:
        reader.fail(f"expected one of: {', '.join(constraint.cases)}")
    return keyword
