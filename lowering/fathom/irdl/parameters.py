"""The kinds of parameters of types and attributes: how each is read and written.

Kinds go by the names that MLIR's own definitions give them (`int64_t`, `StringRefParameter`,
`ArrayRefParameter<Type>`), with or without `::mlir::`. Source of the rules: *Defining Dialects*, "Parameters", and
`FieldParser` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.dialect_values import DialectAttr, DialectType, Parameter
from fathom.irdl.constraint import AttributeConstraint, AttributeForm, TypeConstraint
from fathom.irdl.dwarf import words_of
from fathom.irdl.enumerations import Enumeration
from fathom.irdl.expressions import Call, DescriptionError, List, Text
from fathom.irdl.readers import ParameterReader
from fathom.records import record, replace
from fathom.text.escapes import quote

if TYPE_CHECKING:
    from fathom.irdl.parametric import Parametric


@record(slots=False)
class ParameterKind:
    """One of the classes below; `cpp` is the type that messages name."""

    cpp: str

    def read(self, reader: ParameterReader) -> Parameter:
        """The value that stands next."""
        raise TypeError(f"{type(self).__name__} reads nothing")

    def at(self, reader: ParameterReader) -> bool:
        """Whether a value stands next."""
        raise TypeError(f"{type(self).__name__} looks for nothing")

    def unmet(self, value: Parameter) -> str:
        """What a value of the right class does not satisfy, in the words of messages; empty where nothing is wrong."""
        del value
        return ""

    def word(self, value: Parameter) -> str:
        """The word that a value is, if it is a case of an enumeration, or a set of them; else empty."""
        del value
        return ""

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        """The text of a value."""
        del of, qualified
        return str(value)


@record(slots=False)
class IntegerKind(ParameterKind):
    """An integer."""

    def read(self, reader: ParameterReader) -> Parameter:
        return self.number(reader)

    def number(self, reader: ParameterReader) -> int:
        """The number that stands next."""
        if reader.accept("true"):
            return 1
        return 0 if reader.accept("false") else reader.integer()

    def at(self, reader: ParameterReader) -> bool:
        return reader.at_kind("INTEGER", "HEX") or reader.at("-") or reader.at("true") or reader.at("false")


@record(slots=False)
class BoolKind(IntegerKind):
    """`true` or `false`."""

    def read(self, reader: ParameterReader) -> Parameter:
        return bool(IntegerKind.read(self, reader))

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        return "true" if value else "false"


@record(slots=False)
class StringKind(ParameterKind):
    """A string literal."""

    def read(self, reader: ParameterReader) -> Parameter:
        return reader.string()

    def at(self, reader: ParameterReader) -> bool:
        return reader.at_kind("STRING")

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        return quote(str(value))


@record(slots=False)
class KeywordKind(ParameterKind):
    """A bare word that begins with `prefix`: one of many that a standard outside MLIR names, kept as it is. Those of
    DWARF are known."""

    prefix: str

    def read(self, reader: ParameterReader) -> Parameter:
        known = words_of(self.prefix)
        if known is not None:
            reader.suggest(sorted(known[1]))
        word = reader.optional_keyword()
        if word is None or (known is None and not word.startswith(self.prefix)):
            reader.fail_here(f"expected a keyword that begins with '{self.prefix}'")
        if known is not None and word not in known[1]:
            reader.fail_before(f"invalid debug info debug info {known[0]}: {word}")
        return word

    def at(self, reader: ParameterReader) -> bool:
        return reader.at_kind("BARE")


@record(slots=False)
class EnumerationKind(ParameterKind):
    """A case of an enumeration, or a set of them, which is `quoted` if bars stand in it."""

    enumeration: Enumeration
    quoted: bool = True

    def unquoted(self) -> EnumerationKind:
        """The same by MLIR's `EnumParameter`, which quotes nothing and gives the full name of the enumeration."""
        return replace(self, cpp=self.enumeration.name, quoted=False)

    def read(self, reader: ParameterReader) -> Parameter:
        return self.enumeration.read(reader)

    def at(self, reader: ParameterReader) -> bool:
        return reader.at_kind("BARE", "STRING")

    def word(self, value: Parameter) -> str:
        return self.spell(value, str)

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        text = self.enumeration.spell(value) if isinstance(value, int) else str(value)
        return f'"{text}"' if self.quoted and self.enumeration.bits and "|" in text else text


@record(slots=False)
class TypeKind(ParameterKind):
    """A type that satisfies a constraint, if there is one. Of an `is_class`, all that is demanded is its class."""

    constraint: TypeConstraint | None = None
    is_class: bool = False

    def read(self, reader: ParameterReader) -> Parameter:
        if not reader.at_type():
            reader.fail_here("expected type")
        type_ = reader.type()
        if self.constraint is None or type_ == t.POISON or reader.is_gap(type_):
            return type_
        stored, name = self.constraint.stored or (None, "")
        accepts = self.constraint.accepts if self.is_class else stored
        if accepts is not None and not accepts(type_):
            expected = f": expected {name}, but found '{type_}'" if name else ""
            reader.fail_before(f"invalid kind of type specified{expected}")
        return type_

    def unmet(self, value: Parameter) -> str:
        constraint = self.constraint
        if constraint is None or self.is_class or not isinstance(value, t.Type) or value == t.POISON:
            return ""
        return "" if constraint.accepts(value) else constraint.summary

    def at(self, reader: ParameterReader) -> bool:
        return reader.at_type()

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        return of(value) if isinstance(value, t.Type) else str(value)


@record(slots=False)
class AttributeKind(ParameterKind):
    """An attribute that satisfies a constraint, if there is one."""

    constraint: AttributeConstraint | None = None

    def read(self, reader: ParameterReader) -> Parameter:
        attribute = reader.attribute()
        if self.constraint is None or reader.is_gap(attribute):
            return attribute
        if not self.constraint.accepts(attribute):
            reader.fail_before("invalid kind of attribute specified")
        return attribute

    def at(self, reader: ParameterReader) -> bool:
        return reader.at_attribute()

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        return of(value) if isinstance(value, a.Attribute) else str(value)


@record(slots=False)
class DenseArrayKind(AttributeKind):
    """A dense array, which stands as the list of its numbers: `[1, 2]`."""

    element: t.Type = t.I64

    def read(self, reader: ParameterReader) -> Parameter:
        if reader.at_kind("HASH", "ALIAS"):
            return AttributeKind.read(self, reader)
        reader.expect("[")
        numbers: list[int] = []
        while not reader.accept("]"):
            if numbers:
                reader.expect(",")
            numbers.append(self._number(reader))
        return a.DenseArrayAttr(self.element, tuple(numbers))

    def _number(self, reader: ParameterReader) -> int:
        if not isinstance(self.element, t.FloatType):
            return IntegerKind("int").number(reader)
        value = reader.number(self.element)
        return value.bits if isinstance(value, a.FloatAttr) else 0

    def at(self, reader: ParameterReader) -> bool:
        return reader.at("[") or reader.at_kind("HASH", "ALIAS")

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        if not isinstance(value, a.DenseArrayAttr) or qualified:
            return AttributeKind.spell(self, value, of, qualified=qualified)
        return f"[{value.spell_values()}]"


@record(slots=False)
class MapKind(ParameterKind):
    """A map of indices, which stands without `affine_map<…>` around it."""

    def read(self, reader: ParameterReader) -> Parameter:
        return reader.affine_map()

    def at(self, reader: ParameterReader) -> bool:
        return reader.at("(")

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        return str(value.map) if isinstance(value, a.AffineMapAttr) else str(value)


@record(slots=False)
class DefinedKind(ParameterKind):
    """A type or attribute of one definition, which stands without dialect and name, or with them."""

    definition: Callable[[], Parametric | None]

    def _definition(self, reader: ParameterReader) -> Parametric:
        parametric = self.definition()
        if parametric is None:
            reader.fail(f"'{self.cpp}' is not defined as it should be")
        return parametric

    def read(self, reader: ParameterReader) -> Parameter:
        definition = self._definition(reader)
        if reader.at_kind(definition.token):
            parameter: t.Type | a.Attribute = reader.type() if definition.is_type else reader.attribute()
            is_right = definition.opaque or getattr(parameter, "full_name", "") == definition.full_name
            if not reader.is_gap(parameter) and not is_right:
                reader.fail_before(f"invalid kind of {'type' if definition.is_type else 'attribute'} specified")
            return parameter
        if definition.opaque:
            reader.fail_here(f"expected '{'!' if definition.is_type else '#'}{definition.full_name}'")
        return definition.read(reader)

    def at(self, reader: ParameterReader) -> bool:
        definition = self._definition(reader)
        return reader.at_kind(definition.token) or definition.at(reader)

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        if isinstance(value, DialectAttr) and not qualified:
            return value.spell_elided(of)
        if isinstance(value, DialectType) and not qualified:
            return value.spell_stripped(of)
        return of(value) if isinstance(value, (t.Type, a.Attribute)) else str(value)


@record(slots=False)
class ListKind(ParameterKind):
    """Values separated by commas."""

    element: ParameterKind

    def read(self, reader: ParameterReader) -> Parameter:
        parameters = [self.element.read(reader)]
        while reader.accept(","):
            parameters.append(self.element.read(reader))
        return tuple(parameters)

    def at(self, reader: ParameterReader) -> bool:
        return self.element.at(reader)

    def spell(self, value: Parameter, of: t.Speller, *, qualified: bool = False) -> str:
        values = value if isinstance(value, tuple) else ()
        return ", ".join(self.element.spell(value, of, qualified=qualified) for value in values)


INTEGER_PARAMETERS: Final = frozenset(
    "int unsigned size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t APInt".split()
)
_STRINGS: Final = frozenset(("StringRefParameter", "std.string", "string", "StringRef"))
TYPE_PARAMETERS: Final[Mapping[str, str]] = {
    "IntegerType": "AnyInteger",
    "FloatType": "AnyFloat",
    "IndexType": "Index",
    "FunctionType": "FunctionType",
    "VectorType": "AnyVectorOfAnyRank",
    "RankedTensorType": "AnyRankedTensor",
    "TensorType": "AnyTensor",
    "MemRefType": "AnyMemRef",
    "ShapedType": "AnyShaped",
    "TupleType": "AnyTuple",
    "ComplexType": "AnyComplex",
}
ATTRIBUTE_PARAMETERS: Final[Mapping[str, str]] = {
    "StringAttr": "StrAttr",
    "IntegerAttr": "APIntAttr",
    "FloatAttr": "FloatAttr",
    "BoolAttr": "BoolAttr",
    "ArrayAttr": "ArrayAttr",
    "DictionaryAttr": "DictionaryAttr",
    "SymbolRefAttr": "SymbolRefAttr",
    "FlatSymbolRefAttr": "FlatSymbolRefAttr",
    "TypeAttr": "TypeAttr",
    "UnitAttr": "UnitAttr",
    "AffineMapAttr": "AffineMapAttr",
    "IntegerSetAttr": "IntegerSetAttr",
    "TypedAttr": "TypedAttrInterface",
    "ElementsAttr": "ElementsAttr",
    **{f"Dense{name}ArrayAttr": f"Dense{name}ArrayAttr" for name in ("Bool", "I8", "I16", "I32", "I64", "F32", "F64")},
}
"""The classes of builtin types and attributes that parameters name, and the constraints that they are."""


class KindScope(Protocol):
    """What the names of parameters are looked up in."""

    def type(self, call: Call) -> TypeConstraint: ...

    def attribute(self, call: Call) -> AttributeConstraint: ...

    def enumeration(self, name: str) -> Enumeration | None: ...

    def defined(self, name: str) -> Callable[[], Parametric | None] | None:
        """How to find the definition of the dialect's own type or attribute of this name, if there is one."""
        ...

    def is_type(self, name: str) -> bool:
        """Whether a constraint on types has this name."""
        ...


def kind_of(call: Call, scope: KindScope) -> ParameterKind:
    """The kind that a name with arguments stands for; DescriptionError where there is none."""
    name = call.name
    match name:
        case "bool":
            return BoolKind(name)
        case "Keyword":
            (prefix,) = call.arguments or (None,)
            if not isinstance(prefix, Text):
                raise DescriptionError("'Keyword' takes the beginning of its words, in quotes", call.column)
            return KeywordKind("unsigned" if words_of(prefix.value) else "keyword", prefix.value)
        case "Type":
            return TypeKind(name)
        case "Attribute":
            return AttributeKind(name)
        case "AffineMap":
            return MapKind(name)
        case "ArrayRefParameter" | "OptionalArrayRefParameter" | "ArrayRef":
            element = kind_of(_only(call), scope)
            return ListKind(f"::llvm::ArrayRef<{element.cpp}>", element)
        case "OptionalParameter" | "AttrParameter" | "TypeParameter":
            return kind_of(_only(call), scope)
        case "EnumParameter":
            inner = kind_of(_only(call), scope)
            return inner.unquoted() if isinstance(inner, EnumerationKind) else inner
        case _:
            return _plain_kind(call, scope)


def _plain_kind(call: Call, scope: KindScope) -> ParameterKind:
    name = call.name
    if name in INTEGER_PARAMETERS:
        return IntegerKind(name)
    if name in _STRINGS:
        return StringKind("::llvm::StringRef")
    if name in TYPE_PARAMETERS:
        return TypeKind(name, scope.type(Call(TYPE_PARAMETERS[name])), is_class=True)
    if name in ATTRIBUTE_PARAMETERS:
        constraint = scope.attribute(Call(ATTRIBUTE_PARAMETERS[name]))
        if constraint.form is AttributeForm.ARRAY and constraint.type is not None:
            return DenseArrayKind(name, constraint, constraint.type)
        return AttributeKind(name, constraint)
    enumeration = scope.enumeration(name)
    if enumeration is not None:
        return EnumerationKind(name, enumeration)
    definition = scope.defined(name)
    if definition is not None:
        return DefinedKind(name, definition)
    if scope.is_type(name):
        return TypeKind(name, scope.type(call))
    return AttributeKind(name, scope.attribute(call))


def _only(call: Call) -> Call:
    if not call.arguments or isinstance(call.arguments[0], List) or not isinstance(call.arguments[0], Call):
        raise DescriptionError(f"'{call.name}' takes the kind of its elements", call.column)
    return call.arguments[0]
