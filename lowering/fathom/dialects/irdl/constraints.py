"""Constraints as IRDL has them: variables, each of which stands for one attribute or type.

The first attribute that meets a variable has to satisfy its constraint, and any other is to be the same. Source of the
rules and of the messages: MLIR 22's *'irdl' Dialect* and its verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from fathom.ir.attributes import (
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DenseResourceAttr,
    DenseStringsAttr,
    DictAttr,
    DistinctAttr,
    FloatAttr,
    IntegerAttr,
    IntegerSetAttr,
    SparseElementsAttr,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.types import (
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    TensorType,
    TupleType,
    Type,
    VectorType,
)
from fathom.irdl.terms import Test
from fathom.records import record

TYPE_NAMES: Final[dict[type[Type], str]] = {
    ComplexType: "complex",
    FunctionType: "function",
    IndexType: "index",
    IntegerType: "integer",
    MemRefType: "memref",
    NoneType: "none",
    TensorType: "tensor",
    TupleType: "tuple",
    VectorType: "vector",
}
ATTRIBUTE_NAMES: Final[dict[type[Attribute], str]] = {
    AffineMapAttr: "affine_map",
    ArrayAttr: "array",
    DenseArrayAttr: "dense_array",
    DenseElementsAttr: "dense_typed_elements",
    DenseResourceAttr: "dense_resource",
    DenseStringsAttr: "dense_string_elements",
    DictAttr: "dictionary",
    DistinctAttr: "distinct",
    FloatAttr: "float",
    IntegerAttr: "integer",
    IntegerSetAttr: "integer_set",
    SparseElementsAttr: "sparse_elements",
    StridedLayoutAttr: "strided_layout",
    StringAttr: "string",
    SymbolRefAttr: "symbol_ref",
    TypeAttr: "type",
    UnitAttr: "unit",
}


def name_of(value: Type | Attribute) -> str:
    """The name of the kind of a type or attribute: `builtin.integer`, `cmath.complex`; empty for one without."""
    if isinstance(value, FloatType):
        return f"builtin.{value.name}"
    if isinstance(value, (TensorType, MemRefType)) and value.shape is None:
        return f"builtin.unranked_{TYPE_NAMES[type(value)]}"
    known = TYPE_NAMES.get(type(value)) if isinstance(value, Type) else ATTRIBUTE_NAMES.get(type(value))
    if known is not None:
        return f"builtin.{known}"
    return value.full_name


class Constraint(Protocol):
    """What an attribute or a type is to be."""

    def wrong(self, value: Attribute, variables: Variables, /) -> str | None:
        """What is wrong with a value; None for nothing. Types are wrapped in attributes."""
        ...


class Variables:
    """The variables of one use of a definition, as far as they stand for something."""

    def __init__(self, constraints: Sequence[Constraint]) -> None:
        self._constraints = constraints
        self._values: list[Attribute | None] = [None] * len(constraints)

    def wrong(self, value: Attribute, variable: int) -> str | None:
        """What is wrong with a value in the place of a variable, which stands for it from now on."""
        expected = self._values[variable]
        if expected is not None:
            return None if value == expected else f"expected '{expected}' but got '{value}'"
        found = self._constraints[variable].wrong(value, self)
        if found is None:
            self._values[variable] = value
        return found


@record
class Any:
    """`irdl.any`."""

    def wrong(self, _value: Attribute, _variables: Variables) -> str | None:
        return None


@record
class Is:
    """`irdl.is i32`."""

    expected: Attribute

    def wrong(self, value: Attribute, _variables: Variables) -> str | None:
        return None if value == self.expected else f"expected '{self.expected}' but got '{value}'"


@record
class Base:
    """`irdl.base "!builtin.integer"`."""

    name: str
    is_type: bool

    def wrong(self, value: Attribute, _variables: Variables) -> str | None:
        if not self.is_type:
            found = name_of(value)
            return None if found == self.name else f"expected base attribute '{self.name}' but got '{found}'"
        if not isinstance(value, TypeAttr):
            return f"expected type, got attribute '{value}"
        found = name_of(value.type)
        return None if found == self.name else f"expected base type '{self.name}' but got '{found}'"


@record
class Parametric:
    """`irdl.parametric @cmath::@complex<%0>`: the parameters by their variables."""

    dialect: str
    name: str
    is_type: bool
    parameters: tuple[int, ...]

    def wrong(self, value: Attribute, variables: Variables) -> str | None:
        if self.is_type and not isinstance(value, TypeAttr):
            return f"expected type, got attribute '{value}"
        of = value.type if self.is_type and isinstance(value, TypeAttr) else value
        full = f"{self.dialect}.{self.name}"
        if not isinstance(of, (DialectType, DialectAttr)) or of.full_name != full:
            what = f"type '{full}'" if self.is_type else f"attribute '{self.name}.{self.dialect}'"
            return f"expected base {what} but got '{value}'"
        given = parameters_of(of)
        if len(given) != len(self.parameters):
            return f"attribute '{full}' expects {len(given)} parameters but got {len(self.parameters)}"
        found = (variables.wrong(each, variable) for each, variable in zip(given, self.parameters, strict=True))
        return next((each for each in found if each is not None), None)


def parameters_of(value: DialectType | DialectAttr) -> tuple[Attribute, ...]:
    """The parameters of a type or attribute that IRDL defines."""
    return tuple(each for each in value.parameters if isinstance(each, Attribute))


@record
class Predicate:
    """`irdl.c_pred "…"`: what C++ asks of a type or attribute, as far as it is understood."""

    test: Test

    def wrong(self, value: Attribute, _variables: Variables) -> str | None:
        of = value.type if isinstance(value, TypeAttr) else value
        return None if self.test(of) or self.test(value) else f"'{value}' does not satisfy the constraint"


def predicate(text: str) -> Predicate:
    """The constraint that an expression in C++ over `$_self` stands for. What no description has a word for, it does
    not ask."""
    from fathom.irdl.ods.predicates import Predicates
    from fathom.irdl.scope import Scope
    from fathom.irdl.standard_attributes import STANDARD_ATTRIBUTES
    from fathom.irdl.standard_types import STANDARD_TYPES
    from fathom.tablegen.records import Records

    term = Predicates(Records({}), lambda _: None).read(text)
    return Predicate(Scope(STANDARD_TYPES, STANDARD_ATTRIBUTES).predicate(term).compiled())


@record
class AnyOf:
    of: tuple[int, ...]

    def wrong(self, value: Attribute, variables: Variables) -> str | None:
        if any(variables.wrong(value, each) is None for each in self.of):
            return None
        return f"'{value}' does not satisfy the constraint"


@record
class AllOf:
    of: tuple[int, ...]

    def wrong(self, value: Attribute, variables: Variables) -> str | None:
        return next((found for each in self.of if (found := variables.wrong(value, each)) is not None), None)
