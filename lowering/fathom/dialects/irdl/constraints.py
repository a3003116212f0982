"""Constraints as IRDL has them: variables, each of which stands for one attribute or type; and what is wrong with an
operation that IRDL defines.

The first attribute that meets a variable has to satisfy its constraint, and any other is to be the same. Source of the
rules and of the messages: MLIR 22's *'irdl' Dialect* and its verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.attributes import Attribute, DenseArrayAttr, TypeAttr
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.operation import Operation, Region
from fathom.ir.types import FloatType, IntegerType, MemRefType, TensorType, Type
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem
from fathom.irdl.terms import Test
from fathom.records import record

TYPE_NAMES: Final[dict[type[Type], str]] = {
    t.ComplexType: "complex",
    t.FunctionType: "function",
    t.IndexType: "index",
    t.IntegerType: "integer",
    t.MemRefType: "memref",
    t.NoneType: "none",
    t.TensorType: "tensor",
    t.TupleType: "tuple",
    t.VectorType: "vector",
}
ATTRIBUTE_NAMES: Final[dict[type[Attribute], str]] = {
    a.AffineMapAttr: "affine_map",
    a.ArrayAttr: "array",
    a.DenseArrayAttr: "dense_array",
    a.DenseElementsAttr: "dense_typed_elements",
    a.DenseResourceAttr: "dense_resource",
    a.DenseStringsAttr: "dense_string_elements",
    a.DictAttr: "dictionary",
    a.DistinctAttr: "distinct",
    a.FloatAttr: "float",
    a.IntegerAttr: "integer",
    a.IntegerSetAttr: "integer_set",
    a.SparseElementsAttr: "sparse_elements",
    a.StridedLayoutAttr: "strided_layout",
    a.StringAttr: "string",
    a.SymbolRefAttr: "symbol_ref",
    a.TypeAttr: "type",
    a.UnitAttr: "unit",
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
        problem = self._constraints[variable].wrong(value, self)
        if problem is None:
            self._values[variable] = value
        return problem


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
            name = name_of(value)
            return None if name == self.name else f"expected base attribute '{self.name}' but got '{name}'"
        if not isinstance(value, TypeAttr):
            return f"expected type, got attribute '{value}"
        name = name_of(value.type)
        return None if name == self.name else f"expected base type '{self.name}' but got '{name}'"


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
        problems = (
            variables.wrong(parameter, variable) for parameter, variable in zip(given, self.parameters, strict=True)
        )
        return next((problem for problem in problems if problem is not None), None)


def parameters_of(value: DialectType | DialectAttr) -> tuple[Attribute, ...]:
    """The parameters of a type or attribute that IRDL defines."""
    return tuple(parameter for parameter in value.parameters if isinstance(parameter, Attribute))


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
        if any(variables.wrong(value, variable) is None for variable in self.of):
            return None
        return f"'{value}' does not satisfy the constraint"


@record
class AllOf:
    of: tuple[int, ...]

    def wrong(self, value: Attribute, variables: Variables) -> str | None:
        return next(
            (problem for variable in self.of if (problem := variables.wrong(value, variable)) is not None), None
        )


# ---- operations


@record
class Values:
    """The operands, or the results: for each its variable, and how many values it may stand for."""

    variables: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()


@record
class RegionRule:
    """What a region is to be: the variables of its arguments and the number of its blocks, where they are given."""

    arguments: tuple[int, ...] | None
    blocks: int | None


@record
class OperationRules:
    """What an `irdl.operation` says."""

    constraints: tuple[Constraint, ...]
    operands: Values = Values()
    results: Values = Values()
    attributes: tuple[tuple[str, int], ...] = ()
    regions: tuple[RegionRule, ...] = ()

    def verify(self, op: Operation) -> Problem | None:
        """What is wrong with the values of an operation, or else with its regions."""
        variables = Variables(self.constraints)
        return self._of_values(op, variables) or self._of_regions(op, variables)

    def _of_values(self, op: Operation, variables: Variables) -> Problem | None:
        operands = _sizes(op, "operand", len(op.operands), self.operands.kinds)
        if isinstance(operands, str):
            return bare(operands)
        results = _sizes(op, "result", len(op.results), self.results.kinds)
        if isinstance(results, str):
            return bare(results)
        for name, variable in self.attributes:
            value = op.properties.get(name) or op.attributes.get(name)
            if value is None:
                return Problem(f'attribute "{name}" is expected but not provided')
            if (wrong := variables.wrong(value, variable)) is not None:
                return bare(wrong)
        for values, sizes, of in ((op.operands, operands, self.operands), (op.results, results, self.results)):
            places = [variable for variable, size in zip(of.variables, sizes, strict=True) for _ in range(size)]
            for value, variable in zip(values, places, strict=True):
                if (wrong := variables.wrong(TypeAttr(value.type), variable)) is not None:
                    return bare(wrong)
        return None

    def _of_regions(self, op: Operation, variables: Variables) -> Problem | None:
        if len(op.regions) != len(self.regions):
            return Problem(f"unexpected number of regions: expected {len(self.regions)} but got {len(op.regions)}")
        for index, (rule, region) in enumerate(zip(self.regions, op.regions, strict=True)):
            if (problem := _of_region(op, index, region, rule, variables)) is not None:
                return problem
        return None


def _of_region(op: Operation, index: int, region: Region, rule: RegionRule, variables: Variables) -> Problem | None:
    blocks = list(region.blocks)
    if rule.blocks is not None and len(blocks) != rule.blocks:
        return Problem(
            f"expected region {index} to have {rule.blocks} block(s) but got {len(blocks)}", bare=True, placed=True
        )
    if rule.arguments is None:
        return None
    arguments = blocks[0].arguments if blocks else ()
    notes = (("see the operation", op),)
    if len(arguments) != len(rule.arguments):
        message = f"expected region {index} to have {len(rule.arguments)} arguments but got {len(arguments)}"
        return Problem(message, arguments[0] if arguments else None, notes if arguments else (), bare=True, placed=True)
    for argument, variable in zip(arguments, rule.arguments, strict=True):
        if (wrong := variables.wrong(TypeAttr(argument.type), variable)) is not None:
            return Problem(wrong, argument, notes, bare=True, placed=True)
    return None


def _sizes(op: Operation, what: str, count: int, kinds: Sequence[str]) -> list[int] | str:
    """How many values each operand or result stands for; or what is wrong with their number."""
    open_ones = sum(kind != "single" for kind in kinds)
    if open_ones > 1:
        return _given_sizes(op, what, count, kinds)
    if not open_ones:
        return [1] * count if count == len(kinds) else f"op expects exactly {len(kinds)} {what}s, but got {count}"
    size = count - len(kinds) + 1
    if size < 0:
        return f"op expects at least {len(kinds) - 1} {what}s, but got {count}"
    if size > 1 and "optional" in kinds:
        return f"op expects at most {len(kinds)} {what}s, but got {count}"
    return [1 if kind == "single" else size for kind in kinds]


def _given_sizes(op: Operation, what: str, count: int, kinds: Sequence[str]) -> list[int] | str:
    """The sizes that the attribute for them says."""
    name = f"{what}SegmentSizes"
    given = op.properties.get(name) or op.attributes.get(name)
    if given is None:
        return f"'{name}' attribute is expected but not provided"
    if not isinstance(given, DenseArrayAttr) or given.element != IntegerType(32):
        return f"'{name}' attribute is expected to be a dense i32 array"
    sizes = list(given.values)
    about = f"'{name}' attribute for specifying {what} segments must have"
    if len(sizes) != len(kinds):
        return f"{about} {len(kinds)} elements, but got {len(sizes)}"
    for index, (size, kind) in enumerate(zip(sizes, kinds, strict=True)):
        if size < 0:
            return f"{about} non-negative values"
        if kind == "single" and size != 1:
            return f"element {index} in '{name}' attribute must be equal to 1"
        if kind == "optional" and size > 1:
            return f"element {index} in '{name}' attribute must be equal to 0 or 1"
    if sum(sizes) != count:
        return f"sum of elements in '{name}' attribute must be equal to the number of {what}s"
    return sizes
