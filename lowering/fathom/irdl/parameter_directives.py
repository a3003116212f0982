"""The directives in the formats of types and attributes, each bound to the parameters that it means.

A directive reads what it stands for into the values of parameters, says whether the text goes on with it, and writes
it. `parameter_format` makes them of a format. Source of the rules: *Defining Dialects*, "Declarative Assembly Format"
of attributes and types, and the code that MLIR 22 generates for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from fathom.ir.dialect_values import Parameter
from fathom.ir.types import Speller
from fathom.irdl.parameters import ParameterKind
from fathom.irdl.readers import ParameterReader
from fathom.records import record

Values: TypeAlias = "dict[str, Parameter]"


@record(slots=False)
class ParameterDefinition:
    """A parameter. An `optional` one may be absent; one with a default is not written where it has it. The `own_type`
    is the type of the attribute itself, `#a.b<…> : type`, which stands in a format only if that names it."""

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


def refusal(definition: str, parameter: str, cpp: str) -> str:
    """What MLIR says besides where a parameter of a definition goes wrong; `cpp` is its type in C++."""
    return f"failed to parse {definition} parameter '{parameter}' which is to be a `{cpp}`"


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
class Word(ParameterDirective):
    text: str

    def read(self, reader: ParameterReader, values: Values) -> None:
        reader.expect(self.text)

    def at(self, reader: ParameterReader) -> bool:
        return reader.at(self.text)

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        out.append(self.lead + self.text)


@record(slots=False)
class WhiteSpace(ParameterDirective):
    def read(self, reader: ParameterReader, values: Values) -> None:
        pass

    def at(self, reader: ParameterReader) -> bool:
        return False

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        out.append(self.lead)


@record(slots=False)
class One(ParameterDirective):
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


def _keyword(reader: ParameterReader) -> str:
    word = reader.optional_keyword()
    if word is None:
        reader.fail_here("expected valid keyword")
    return word


@record(slots=False)
class Several(ParameterDirective):
    """`params`, or `struct(…)` with names."""

    elements: tuple[One | Custom, ...]
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
            reader.suggest(by_name)
            name = reader.part(lambda: _keyword(reader), "expected a parameter name in struct")
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
class Custom(ParameterDirective):
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
        parameters = self._read(reader)
        values.update(zip((definition.name for definition in self.definitions), parameters, strict=False))

    def read_value(self, reader: ParameterReader, values: Values) -> None:
        """Reads values that must stand next."""
        self.read(reader, values)

    def _read(self, reader: ParameterReader) -> Sequence[Parameter]:
        if not self.code.cpp:
            return self.code.read(reader)
        refused = refusal(self.owner, self.definition.name, self.code.cpp)
        return reader.part(lambda: self.code.read(reader), refused)

    def is_there(self, values: Mapping[str, Parameter]) -> bool:
        return any(values[definition.name] not in (None, (), definition.default) for definition in self.definitions)

    def spell(self, values: Mapping[str, Parameter], of: Speller) -> str:
        return self.code.spell([values[definition.name] for definition in self.definitions], of)

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        out.append(self.lead + self.spell(values, of))


@record(slots=False)
class Group(ParameterDirective):
    """`(… ^ …)? ` with its other branch."""

    then: tuple[ParameterDirective, ...]
    otherwise: tuple[ParameterDirective, ...]
    anchor: ParameterDirective
    inverted: bool

    def at(self, reader: ParameterReader) -> bool:
        return self._first().at(reader)

    def _first(self) -> ParameterDirective:
        return next(directive for directive in self.then if not isinstance(directive, WhiteSpace))

    def read(self, reader: ParameterReader, values: Values) -> None:
        for directive in self.then if self.at(reader) else self.otherwise:
            directive.read(reader, values)

    def is_there(self, values: Mapping[str, Parameter]) -> bool:
        return self.anchor.is_there(values) != self.inverted

    def write(self, values: Mapping[str, Parameter], out: list[str], of: Speller) -> None:
        for directive in self.then if self.is_there(values) else self.otherwise:
            directive.write(values, out, of)


def says_own_type(directives: Iterable[ParameterDirective]) -> bool:
    """Whether the type of an attribute stands in its format, so that its text need not end with it."""
    for directive in directives:
        match directive:
            case One(definition=definition):
                says = definition.own_type
            case Several(elements=elements):
                says = says_own_type(elements)
            case Group(then=then, otherwise=otherwise):
                says = says_own_type((*then, *otherwise))
            case _:
                says = False
        if says:
            return True
    return False
