"""Types and attributes defined by data: parameters, and the assembly format that reads and writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr, DialectType, Parameter
from fathom.ir.types import NONE, Speller, Type
from fathom.irdl.keywords import enclosed
from fathom.irdl.parameter_directives import (
    CustomParameters,
    ParameterDefinition,
    ParameterDirective,
    Values,
    WhiteSpace,
    says_own_type,
)
from fathom.irdl.parameter_format import resolve_parameter_format
from fathom.irdl.parameters import ParameterKind
from fathom.irdl.readers import ParameterReader
from fathom.records import field, record, replace

EncodingCheck: TypeAlias = "Callable[[Mapping[str, Parameter], Sequence[int], Type], str | None]"


@record(slots=False)
class CustomBody:
    """The code of a type or attribute, most often one that is `opaque` in its description: the names of its parameters,
    and what reads and spells what stands in the angle brackets behind its mnemonic; where other text stands there, it
    begins with `opening`, and they read and spell all of it.
    `alias` and `verify_encoding` are those of the definition. The parameter `own_type` is the type of the attribute
    itself, `: type`, which it reads and does not spell."""

    names: tuple[str, ...]
    read: Callable[[ParameterReader], Sequence[Parameter]]
    spell: Callable[[Sequence[Parameter], Speller], str]
    opening: str = ""
    alias: str = ""
    verify_encoding: EncodingCheck | None = None
    own_type: str = ""

    def complete(self, definition: Parametric) -> Parametric:
        """The definition, which is then no longer opaque."""
        kind = _BodyKind("", self.opening or "<")
        code = CustomParameters(self.read, self.spell) if self.opening else _in_brackets(self.read, self.spell)
        listed = ", ".join(f"${name}" for name in self.names)
        return replace(
            definition,
            parameters=tuple(ParameterDefinition(name, kind, own_type=name == self.own_type) for name in self.names),
            assembly=f"`` custom<Body>({listed})" if self.names else "",
            customs={"Body": code},
            opaque=False,
            alias=self.alias,
            verify_encoding=self.verify_encoding,
        )


def _in_brackets(
    read: Callable[[ParameterReader], Sequence[Parameter]], spell: Callable[[Sequence[Parameter], Speller], str]
) -> CustomParameters:
    return CustomParameters(enclosed(read), lambda values, of: f"<{spell(values, of)}>")


@record(slots=False)
class _BodyKind(ParameterKind):
    """The kind of parameters that code reads all together."""

    opening: str

    def at(self, reader: ParameterReader) -> bool:
        return reader.at(self.opening)


@record(eq=False, slots=False)
class Parametric:
    """A type or attribute of a dialect. `class_name` is what messages call it, `definition_name` what those call it
    that are about a parameter that does not parse; `verify` gets the parameters by name and returns what is wrong with
    them, or None. What it is if it is `opaque` only C++ reads and writes; its text is kept as it is written. `alias` is
    the stem of the aliases that it is printed by; `verify_encoding` gets the shape and the element type of a tensor
    besides, and says what is wrong with an attribute as its encoding. `finish` makes a type of a class of its own of
    one that an operation's text has without its name."""

    dialect: str
    mnemonic: str
    class_name: str
    is_type: bool
    parameters: tuple[ParameterDefinition, ...] = ()
    assembly: str | None = None
    customs: Mapping[str, CustomParameters] = field(default_factory=dict[str, CustomParameters])
    summary: str = ""
    verify: Callable[[Mapping[str, Parameter]], str | None] | None = None
    traits: frozenset[str] = frozenset()
    definition_name: str = ""
    opaque: bool = False
    alias: str = ""
    verify_encoding: EncodingCheck | None = None
    finish: Callable[[DialectType], Type] | None = None
    directives: tuple[ParameterDirective, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Resolves the format; a mistake in it raises DescriptionError."""
        object.__setattr__(self, "definition_name", self.definition_name or self.class_name)
        resolved = resolve_parameter_format(self) if self.assembly is not None else ()
        object.__setattr__(self, "directives", resolved)

    @property
    def full_name(self) -> str:
        return f"{self.dialect}.{self.mnemonic}"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def token(self) -> str:
        """The kind of token with which the full form begins."""
        return "EXCLAIM" if self.is_type else "HASH"

    def make(self, **values: Parameter) -> DialectType | DialectAttr:
        """The type or attribute with these parameters; those left out get their defaults."""
        parameters = tuple(values.get(parameter.name, parameter.default) for parameter in self.parameters)
        if self.is_type:
            return DialectType(self.dialect, self.mnemonic, parameters, self)
        return DialectAttr(self.dialect, self.mnemonic, parameters, self)

    def make_type(self, **values: Parameter) -> DialectType:
        """The type, where this is the definition of one."""
        made = self.make(**values)
        assert isinstance(made, DialectType), "the definition is one of a type"
        return made

    def make_attribute(self, **values: Parameter) -> DialectAttr:
        """The attribute, where this is the definition of one."""
        made = self.make(**values)
        assert isinstance(made, DialectAttr), "the definition is one of an attribute"
        return made

    def read(self, reader: ParameterReader) -> DialectType | DialectAttr:
        """What follows the mnemonic, or stands alone where the definition is known."""
        values: Values = {}
        for directive in self.directives:
            directive.read(reader, values)
        for parameter in self.parameters:
            if parameter.own_type and reader.accept(":"):
                values.setdefault(parameter.name, reader.type())
        for parameter in self.parameters:
            value = values.get(parameter.name)
            if value is not None and (unmet := parameter.kind.unmet(value)):
                if not (isinstance(value, (Type, Attribute)) and reader.is_gap(value)):
                    reader.fail(f"failed to verify '{parameter.name}': {unmet}")
        if self.verify is not None:
            complete = {parameter.name: values.get(parameter.name, parameter.default) for parameter in self.parameters}
            if (problem := self.verify(complete)) is not None:
                reader.fail(problem)
        return self.make(**values)

    def at(self, reader: ParameterReader) -> bool:
        """Whether the text goes on as one of it does that stands alone."""
        first = next((directive for directive in self.directives if not isinstance(directive, WhiteSpace)), None)
        return first is not None and first.at(reader)

    def spell(self, parameters: tuple[Parameter, ...], of: Speller) -> str:
        """The text behind the mnemonic."""
        values = dict(zip(self.names, parameters, strict=True))
        out: list[str] = []
        for directive in self.directives:
            directive.write(values, out, of)
        return "".join(out)

    def word(self, parameters: tuple[Parameter, ...]) -> str:
        """The word that a value is, if it is a case of an enumeration, or a set of them; else empty."""
        return self.parameters[0].kind.word(parameters[0]) if len(self.parameters) == 1 else ""

    def type_of(self, parameters: tuple[Parameter, ...]) -> Type | None:
        """The attribute's own type, if it has one that is worth saying."""
        for parameter, value in zip(self.parameters, parameters, strict=True):
            if parameter.own_type and isinstance(value, Type) and value != NONE:
                return value
        return None

    @property
    def says_type(self) -> bool:
        """Whether the attribute's own type stands in its format."""
        return says_own_type(self.directives)

    def encoding_problem(self, parameters: tuple[Parameter, ...], shape: Sequence[int], element: Type) -> str | None:
        """What is wrong with the attribute as the encoding of a tensor of this shape and element type."""
        if self.verify_encoding is None:
            return None
        return self.verify_encoding(dict(zip(self.names, parameters, strict=True)), shape, element)

    def with_type(self, value: DialectAttr, type: Type) -> DialectAttr:
        """The attribute with `: type` behind it, if that can be part of it and does not follow from its text."""
        pairs = zip(self.parameters, value.parameters, strict=True)
        parameters = tuple(type if definition.own_type and given is None else given for definition, given in pairs)
        return DialectAttr(value.dialect, value.name, parameters, self)

    def is_instance(self, value: object) -> bool:
        return isinstance(value, (DialectType, DialectAttr)) and value.full_name == self.full_name


def reader_of(definition: Parametric) -> Callable[[ParameterReader], Type]:
    """The reader of a type of this definition, as a dialect has it by its mnemonic."""

    def read(reader: ParameterReader) -> Type:
        parameter = definition.read(reader)
        assert isinstance(parameter, Type), "the definition is one of a type"
        return parameter

    return read


def attribute_reader_of(definition: Parametric) -> Callable[[ParameterReader], Attribute]:
    """The reader of an attribute of this definition."""

    def read(reader: ParameterReader) -> Attribute:
        parameter = definition.read(reader)
        assert isinstance(parameter, Attribute), "the definition is one of an attribute"
        return parameter

    return read
