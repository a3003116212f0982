"""Types and attributes that dialects define by data: a dialect, a name, and parameters.

Two are equal if their dialect, name and parameters are. How the parameters are spelled belongs to the definition that
made the value. Source of the rules: *Defining Dialects*, "Attributes and Types", and the printer of MLIR 22.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias

from fathom.ir.attributes import Attribute
from fathom.ir.types import Speller, Type
from fathom.records import field, record

Parameter: TypeAlias = "Type | Attribute | int | str | bool | tuple[Parameter, ...] | None"
"""The value of a parameter; None for an optional one that is absent. An enumeration's is its number."""

MNEMONIC_ALIAS: Final = "MnemonicAlias"
"""The trait of types and attributes that are printed by an alias with their own name."""


class ParameterSpelling(Protocol):
    """What a definition knows of its values: `fathom.irdl.parametric.Parametric`."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, in order."""
        ...

    @property
    def traits(self) -> frozenset[str]:
        """The names of its traits and interfaces."""
        ...

    @property
    def alias(self) -> str:
        """The stem of the aliases that the value is printed by, if it has one of its own."""
        ...

    def encoding_problem(self, parameters: tuple[Parameter, ...], shape: Sequence[int], element: Type) -> str | None:
        """What is wrong with the attribute as the encoding of a tensor of this shape and element type."""
        ...

    def spell(self, parameters: tuple[Parameter, ...], of: Speller) -> str:
        """The text behind the mnemonic, with the white space that separates it."""
        ...

    def word(self, parameters: tuple[Parameter, ...]) -> str:
        """The word that the value is, if it is a case of an enumeration, or a set of them; else empty."""
        ...

    def type_of(self, parameters: tuple[Parameter, ...]) -> Type | None:
        """The type that follows the attribute, `: type`, if it has one."""
        ...

    @property
    def says_type(self) -> bool:
        """Whether that stands in the attribute's own text as well."""
        ...


@record
class DialectType(Type):
    """`!dialect.name<…>`."""

    dialect: str
    name: str
    parameters: tuple[Parameter, ...]
    definition: ParameterSpelling = field(compare=False, repr=False)

    @property
    def full_name(self) -> str:
        return f"{self.dialect}.{self.name}"

    @property
    def alias(self) -> str:
        """The stem of its alias, for a type whose definition has one or asks for one of its name."""
        return _alias(self.definition, self.name)

    @property
    def interfaces(self) -> frozenset[str]:
        return self.definition.traits

    def parameter(self, name: str) -> Parameter:
        """The value of the parameter of this name; ValueError where there is none."""
        return self.parameters[self.definition.names.index(name)]

    def spell(self, of: Speller) -> str:
        return spell_symbol("!", self.dialect, self.name + self.definition.spell(self.parameters, of))

    def spell_stripped(self, of: Speller) -> str:
        """The text without dialect and name, with the white space that separates it from them."""
        return self.definition.spell(self.parameters, of)


@record
class DialectAttr(Attribute):
    """`#dialect.name<…>`."""

    dialect: str
    name: str
    parameters: tuple[Parameter, ...]
    definition: ParameterSpelling = field(compare=False, repr=False)

    @property
    def full_name(self) -> str:
        return f"{self.dialect}.{self.name}"

    @property
    def alias(self) -> str:
        """The stem of its alias, for an attribute whose definition has one or asks for one of its name."""
        return _alias(self.definition, self.name)

    @property
    def type(self) -> Type | None:
        """The type that is part of it, if any."""
        return self.definition.type_of(self.parameters)

    def parameter(self, name: str) -> Parameter:
        """The value of the parameter of this name; ValueError where there is none."""
        return self.parameters[self.definition.names.index(name)]

    def spell(self, of: Speller) -> str:
        text = spell_symbol("#", self.dialect, self.name + self.definition.spell(self.parameters, of))
        return text if self.type is None else f"{text} : {of(self.type)}"

    def spell_elided(self, of: Speller) -> str:
        """The text where it is known what it is: by its alias, or without dialect and name."""
        text = of(self)
        return self.spell_stripped(of) if text[1:].startswith((f"{self.dialect}.", f"{self.dialect}<")) else text

    def spell_stripped(self, of: Speller) -> str:
        """The text without dialect and name, with the white space that separates it from them."""
        text = self.definition.spell(self.parameters, of)
        return text if self.type is None or self.definition.says_type else f"{text} : {of(self.type)}"


def _alias(definition: ParameterSpelling, name: str) -> str:
    return definition.alias or (name if MNEMONIC_ALIAS in definition.traits else "")


_SIMPLE: Final = re.compile(r"[A-Za-z][\w.]*")


def spell_symbol(prefix: str, dialect: str, body: str) -> str:
    """`#dialect.body` where the body is a name, or a name and text in angle brackets; else `#dialect<body>`."""
    match = _SIMPLE.match(body)
    if match is not None:
        rest = body[match.end() :]
        if not rest or (rest[0] == "<" and rest[-1] == ">"):
            return f"{prefix}{dialect}.{body}"
    return f"{prefix}{dialect}<{body}>"
