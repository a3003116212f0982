"""Types and attributes defined by data: parameters, and the assembly format that reads and writes them.

A format is resolved once into the directives below, each bound to the parameters that it means; a wrong name in it is
found then. Source of the rules: *Defining Dialects*, "Declarative Assembly Format" of attributes and types, and the
code that MLIR 22 generates for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr, DialectType, Parameter
from fathom.ir.types import NONE, Speller, Type
from fathom.irdl import format as syntax
from fathom.irdl.expressions import DescriptionError, NotUnderstood
from fathom.irdl.parameters import ParameterKind, ParameterReader
from fathom.records import field, record, replace

Values: TypeAlias = "dict[str, Parameter]"
EncodingCheck: TypeAlias = "Callable[[Mapping[str, Parameter], Sequence[int], Type], str | None]"


@record(slots=False)
class ParameterDefinition:
    """A parameter. An `optional` one may be absent; one with a default is not written where it has it. The `own_type`
    is the type of the attribute itself, `#a.b<…> : type`, which stands in no format."""

    name: str
    kind: ParameterKind
    optional: bool = False
    default: Parameter = None
    own_type: bool = False

    @property
    def may_be_absent(self) -> bool:
        return self.optional or self.default is not None


@record(slots=False)
class CustomParameters:
    """The code behind `custom<Name>(…)` in the format of a type or attribute: `read` returns the values of the
    arguments, in order, and `spell` gives the text of them. The attribute's own type may be among the arguments where
    it follows from the text. `cpp` is the type in C++ of the one argument where MLIR has a kind of parameter in the
    place of the code."""

    read: Callable[[ParameterReader], Sequence[Parameter]]
    spell: Callable[[Sequence[Parameter], Speller], str]
    cpp: str = ""


@record(slots=False)
class CustomBody:
    """The code of a type or attribute, most often one that is `opaque` in its description: the names of its parameters,
    and what reads and spells all that follows its mnemonic. The text begins with `opening` where it stands alone.
    `alias` and `verify_encoding` are those of the definition. The parameter `own_type` is the type of the attribute
    itself, `: type`, which it reads and does not spell."""

    names: tuple[str, ...]
    read: Callable[[ParameterReader], Sequence[Parameter]]
    spell: Callable[[Sequence[Parameter], Speller], str]
    opening: str = "<"
    alias: str = ""
    verify_encoding: EncodingCheck | None = None
    own_type: str = ""

    def complete(self, definition: Parametric) -> Parametric:
        """The definition, which is then no longer opaque."""
        kind = _BodyKind("", self.opening)
        code = CustomParameters(self.read, self.spell)
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


@record(slots=False)
class _BodyKind(ParameterKind):
    """The kind of parameters that code reads all together."""

    opening: str

    def at(self, reader: ParameterReader) -> bool:
        return reader.at(self.opening)


def refusal(definition: str, parameter: str, cpp: str) -> str:
    """What MLIR says besides where a parameter of a definition goes wrong; `cpp` is its type in C++."""
    return f"failed to parse {definition} parameter '{parameter}' which is to be a `{cpp}`"


# ---- directives


@record(slots=False)
class ParameterDirective:
    """One of the classes below. `lead` is the white space in front of what it writes."""

    lead: str

    def read(self, reader: ParameterReader, values: Values) -> None:
        """Reads what it stands for into `values`."""
        raise TypeError(f"{type(self).__name__} reads nothing")

    def at(self, reader: ParameterReader) -> bool:
        """Whether the text goes on with it."""
        raise TypeError(f"{type(self).__name__} looks for nothing")

    def is_there(self, values: Mapping[str, Parameter]) -> bool:
        """Whether a value that it writes is there, and not its default."""
        return True

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        """Writes what it stands for."""
        raise TypeError(f"{type(self).__name__} writes nothing")


@record(slots=False)
class _Word(ParameterDirective):
    text: str

    def read(self, reader: ParameterReader, values: Values) -> None:
        reader.expect(self.text)

    def at(self, reader: ParameterReader) -> bool:
        return reader.at(self.text)

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        out.append(self.lead + self.text)


@record(slots=False)
class _WhiteSpace(ParameterDirective):
    def read(self, reader: ParameterReader, values: Values) -> None:
        pass

    def at(self, reader: ParameterReader) -> bool:
        return False

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        out.append(self.lead)


@record(slots=False)
class _One(ParameterDirective):
    """`$name`."""

    definition: ParameterDefinition
    owner: str
    qualified: bool = False

    def read(self, reader: ParameterReader, values: Values) -> None:
        if not self.definition.may_be_absent or self.definition.kind.at(reader):
            self.read_value(reader, values)

    def read_value(self, reader: ParameterReader, values: Values) -> None:
        """Reads a value that must stand next."""
        parameter = self.definition
        refused = refusal(self.owner, parameter.name, parameter.kind.cpp)
        values[parameter.name] = reader.part(lambda: parameter.kind.read(reader), refused)

    def at(self, reader: ParameterReader) -> bool:
        return self.definition.kind.at(reader)

    def is_there(self, values: Mapping[str, Parameter]) -> bool:
        parameter = self.definition
        value = values[parameter.name]
        return value != parameter.default and value is not None and value != ()

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        if not self.definition.may_be_absent or self.is_there(values):
            out.append(self.lead + self.spell(values, of))

    def spell(self, values: Mapping[str, Parameter], of: Speller) -> str:
        return self.definition.kind.spell(values[self.definition.name], of, qualified=self.qualified)


@record(slots=False)
class _Several(ParameterDirective):
    """`params`, or `struct(…)` with names."""

    elements: tuple[_One | _Custom, ...]
    named: bool

    def at(self, reader: ParameterReader) -> bool:
        return reader.at_kind("BARE") if self.named else self.elements[0].at(reader)

    def read(self, reader: ParameterReader, values: Values) -> None:
        if self.named:
            self._read_named(reader, values)
            return
        last_required = max((i for i, e in enumerate(self.elements) if not e.definition.may_be_absent), default=0)
        for index, element in enumerate(self.elements):
            if index and (self.elements[index - 1].definition.name in values):
                if index <= last_required:
                    reader.expect(",")
                elif not reader.accept(","):
                    return
            element.read(reader, values)

    def _read_named(self, reader: ParameterReader, values: Values) -> None:
        by_name = {element.definition.name: element for element in self.elements}
        required = [name for name, element in by_name.items() if not element.definition.may_be_absent]
        if not required and not reader.at_kind("BARE"):
            return
        while True:
            name = reader.optional_keyword()
            if name is None:
                reader.fail_here("expected a parameter name in struct")
            reader.expect("=")
            element = by_name.pop(name, None)
            if element is None:
                reader.fail_here(f"duplicate or unknown struct parameter name: {name}")
            element.read_value(reader, values)
            if by_name and len(required) == len(self.elements):
                reader.expect(",")
            elif not by_name or not reader.accept(","):
                break
        for name in required:
            if name in by_name:
                reader.fail_here(f"struct is missing required parameter: {name}")

    def is_there(self, values: Mapping[str, Parameter]) -> bool:
        return any(element.is_there(values) for element in self.elements)

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        texts = [
            (f"{element.definition.name} = " if self.named else "") + element.spell(values, of)
            for element in self.elements
            if not element.definition.may_be_absent or element.is_there(values)
        ]
        if texts:
            out.append(self.lead + ", ".join(texts))


@record(slots=False)
class _Custom(ParameterDirective):
    """`custom<Name>($a, $b)`."""

    code: CustomParameters
    definitions: tuple[ParameterDefinition, ...]
    owner: str

    @property
    def definition(self) -> ParameterDefinition:
        return self.definitions[0]

    def at(self, reader: ParameterReader) -> bool:
        return self.definition.kind.at(reader)

    def read(self, reader: ParameterReader, values: Values) -> None:
        found = self._read(reader)
        values.update(zip((each.name for each in self.definitions), found, strict=False))

    def read_value(self, reader: ParameterReader, values: Values) -> None:
        """Reads values that must stand next."""
        self.read(reader, values)

    def _read(self, reader: ParameterReader) -> Sequence[Parameter]:
        if not self.code.cpp:
            return self.code.read(reader)
        refused = refusal(self.owner, self.definition.name, self.code.cpp)
        return reader.part(lambda: self.code.read(reader), refused)

    def is_there(self, values: Mapping[str, Parameter]) -> bool:
        return any(values[each.name] not in (None, (), each.default) for each in self.definitions)

    def spell(self, values: Mapping[str, Parameter], of: Speller) -> str:
        return self.code.spell([values[each.name] for each in self.definitions], of)

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        out.append(self.lead + self.spell(values, of))


@record(slots=False)
class _Group(ParameterDirective):
    """`(… ^ …)? ` with its other branch."""

    then: tuple[ParameterDirective, ...]
    otherwise: tuple[ParameterDirective, ...]
    anchor: ParameterDirective
    inverted: bool

    def at(self, reader: ParameterReader) -> bool:
        return self._first().at(reader)

    def _first(self) -> ParameterDirective:
        return next(each for each in self.then if not isinstance(each, _WhiteSpace))

    def read(self, reader: ParameterReader, values: Values) -> None:
        for each in self.then if self.at(reader) else self.otherwise:
            each.read(reader, values)

    def is_there(self, values: Mapping[str, Parameter]) -> bool:
        return self.anchor.is_there(values) != self.inverted

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        for each in self.then if self.is_there(values) else self.otherwise:
            each.write(values, out, of)


# ---- definitions


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
        resolved = _Resolver(self).resolve() if self.assembly is not None else ()
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
        parameters = tuple(values.get(each.name, each.default) for each in self.parameters)
        if self.is_type:
            return DialectType(self.dialect, self.mnemonic, parameters, self)
        return DialectAttr(self.dialect, self.mnemonic, parameters, self)

    def read(self, reader: ParameterReader) -> DialectType | DialectAttr:
        """What follows the mnemonic, or stands alone where the definition is known."""
        values: Values = {}
        for directive in self.directives:
            directive.read(reader, values)
        for parameter in self.parameters:
            if parameter.own_type and parameter.name not in values and reader.accept(":"):
                values[parameter.name] = reader.type()
        if self.verify is not None:
            complete = {each.name: values.get(each.name, each.default) for each in self.parameters}
            if (found := self.verify(complete)) is not None:
                reader.fail(found)
        return self.make(**values)

    def at(self, reader: ParameterReader) -> bool:
        """Whether the text goes on as one of it does that stands alone."""
        first = next((each for each in self.directives if not isinstance(each, _WhiteSpace)), None)
        return first is not None and first.at(reader)

    def spell(self, parameters: tuple[Parameter, ...], of: Speller) -> str:
        """The text behind the mnemonic."""
        values = dict(zip(self.names, parameters, strict=True))
        out: list[str] = []
        for directive in self.directives:
            directive.write(values, out, of)
        return "".join(out)

    def type_of(self, parameters: tuple[Parameter, ...]) -> Type | None:
        """The attribute's own type, if it has one that is worth saying."""
        for parameter, value in zip(self.parameters, parameters, strict=True):
            if parameter.own_type and isinstance(value, Type) and value != NONE:
                return value
        return None

    def encoding_problem(self, parameters: tuple[Parameter, ...], shape: Sequence[int], element: Type) -> str | None:
        """What is wrong with the attribute as the encoding of a tensor of this shape and element type."""
        if self.verify_encoding is None:
            return None
        return self.verify_encoding(dict(zip(self.names, parameters, strict=True)), shape, element)

    def with_type(self, value: DialectAttr, type: Type) -> DialectAttr:
        """The attribute with `: type` behind it, if that can be part of it and does not follow from its text."""
        pairs = zip(self.parameters, value.parameters, strict=True)
        parameters = tuple(type if each.own_type and given is None else given for each, given in pairs)
        return DialectAttr(value.dialect, value.name, parameters, self)

    def is_instance(self, value: object) -> bool:
        return isinstance(value, (DialectType, DialectAttr)) and value.full_name == self.full_name


class _Resolver:
    """Binds the directives of a format to parameters, and decides where white space goes: in the order of the text,
    for branches of a group as for all else."""

    def __init__(self, owner: Parametric) -> None:
        self.owner = owner
        self.by_name: Final = {parameter.name: parameter for parameter in owner.parameters}
        self.seen: set[str] = set()
        self.emit_space = True
        self.after_punctuation = False

    def resolve(self) -> tuple[ParameterDirective, ...]:
        text = self.owner.assembly or ""
        directives = self.run(syntax.compile_format(text))
        for parameter in self.owner.parameters:
            if not parameter.may_be_absent and not parameter.own_type and parameter.name not in self.seen:
                raise DescriptionError(f"format is missing reference to parameter: {parameter.name}", len(text))
        return directives

    def run(self, directives: Sequence[syntax.Directive]) -> tuple[ParameterDirective, ...]:
        return tuple(self.element(directive) for directive in directives)

    def element(self, directive: syntax.Directive) -> ParameterDirective:
        match directive:
            case syntax.Literal(text):
                return self.literal(text)
            case syntax.Space(text):
                return self.space(text)
            case syntax.Variable():
                return self.one(directive, self.lead())
            case syntax.Reference(syntax.Variable() as variable):
                return self.one(variable, self.lead(), qualified=True)
            case syntax.Params():
                lead = self.lead()
                self.emit_space, self.after_punctuation = False, True
                return _Several(lead, tuple(self.all()), False)
            case syntax.Struct(arguments):
                lead = self.lead()
                self.emit_space, self.after_punctuation = False, True
                return _Several(lead, tuple(self.struct(arguments)), True)
            case syntax.Custom():
                return self.custom(directive, self.lead())
            case syntax.Optional():
                return self.optional(directive)
            case _:
                raise DescriptionError("this directive stands in the formats of operations only", directive.column)

    def lead(self) -> str:
        lead = " " if self.emit_space or not self.after_punctuation else ""
        self.emit_space, self.after_punctuation = True, False
        return lead

    def literal(self, text: str) -> ParameterDirective:
        space = " " if self.emit_space and syntax.needs_space(text, self.after_punctuation) else ""
        self.emit_space = len(text) != 1 or text not in "<({["
        self.after_punctuation = not (text[0] == "_" or text[0].isalpha())
        return _Word(space, text)

    def space(self, text: str) -> ParameterDirective:
        if not text:
            self.after_punctuation = True
        self.emit_space = False
        return _WhiteSpace("\n" if text == "\\n" else text)

    def parameter(self, variable: syntax.Variable) -> ParameterDefinition:
        found = self.by_name.get(variable.name)
        if found is None:
            message = f"{self.owner.class_name} has no parameter named '{variable.name}'"
            raise DescriptionError(message, variable.column)
        if found.name in self.seen:
            raise DescriptionError(f"duplicate parameter '{found.name}'", variable.column)
        self.seen.add(found.name)
        return found

    def one(self, variable: syntax.Variable, lead: str, *, qualified: bool = False) -> _One:
        found = self.by_name.get(variable.name)
        if found is not None and found.own_type:
            raise DescriptionError("unexpected self type parameter in assembly format", variable.column)
        return _One(lead, self.parameter(variable), self.owner.definition_name, qualified)

    def all(self) -> list[_One]:
        rest = [each for each in self.owner.parameters if not each.own_type]
        return [self.one(syntax.Variable(each.name), "") for each in rest]

    def struct(self, arguments: Sequence[syntax.Directive]) -> list[_One | _Custom]:
        found: list[_One | _Custom] = []
        for argument in arguments:
            match argument:
                case syntax.Params():
                    found += self.all()
                case syntax.Variable():
                    found.append(self.one(argument, ""))
                case syntax.Reference(syntax.Variable() as variable):
                    found.append(self.one(variable, "", qualified=True))
                case syntax.Custom():
                    found.append(self.custom(argument, ""))
                case _:
                    message = "expected a parameter, custom directive or params directive in `struct` arguments list"
                    raise DescriptionError(message, argument.column)
        return found

    def custom(self, directive: syntax.Custom, lead: str) -> _Custom:
        code = self.owner.customs.get(directive.name)
        if code is None:
            raise NotUnderstood(f"no code is given for custom<{directive.name}>", directive.column)
        variables = [each for each in directive.arguments if isinstance(each, syntax.Variable)]
        if not variables:
            raise DescriptionError("`custom` directive with no bound parameters", directive.column)
        return _Custom(lead, code, tuple(map(self.parameter, variables)), self.owner.definition_name)

    def optional(self, directive: syntax.Optional) -> _Group:
        state = self.emit_space, self.after_punctuation
        then = self.run(directive.then)
        self.emit_space, self.after_punctuation = state
        otherwise = self.run(directive.otherwise)
        for each in (*then, *otherwise):
            if isinstance(each, _One) and not each.definition.may_be_absent:
                raise DescriptionError("parameters in an optional group must be optional", directive.column)
        anchor = (otherwise if directive.inverted else then)[directive.anchor]
        if isinstance(anchor, (_Word, _WhiteSpace, _Group)):
            raise DescriptionError("optional group anchor must be a parameter or directive", directive.column)
        if all(isinstance(each, _WhiteSpace) for each in then):
            raise DescriptionError("an optional group must begin with something to read", directive.column)
        return _Group("", then, otherwise, anchor, directive.inverted)


def reader_of(definition: Parametric) -> Callable[[ParameterReader], Type]:
    """The reader of a type of this definition, as a dialect has it by its mnemonic."""

    def read(reader: ParameterReader) -> Type:
        found = definition.read(reader)
        assert isinstance(found, Type), "the definition is one of a type"
        return found

    return read


def attribute_reader_of(definition: Parametric) -> Callable[[ParameterReader], Attribute]:
    """The reader of an attribute of this definition."""

    def read(reader: ParameterReader) -> Attribute:
        found = definition.read(reader)
        assert isinstance(found, Attribute), "the definition is one of an attribute"
        return found

    return read
