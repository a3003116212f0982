"""What a dialect brings, and how it is found by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

from fathom.cached import cached_property
from fathom.irdl.aspects import NOTHING_SAID, Aspect, Said, SaidTogether
from fathom.irdl.definition import OpDefinition
from fathom.irdl.lazy import Joined, Lazy, possible_names
from fathom.records import field, record, replace

if TYPE_CHECKING:
    from fathom.irdl.code import DialectCode
    from fathom.irdl.readers import AttributeReader, TypeReader

T = TypeVar("T")
V = TypeVar("V")


class Definitions(Protocol):
    """What is known, by name; `fathom.context.Context` is it. Definitions and rewrites ask it for those of others."""

    def aspect(self, aspect: Aspect[T], dialect: str) -> T:
        """What a dialect says of an aspect."""
        ...

    def lookup(self, name: str) -> OpDefinition | None:
        """The definition of an operation, or None for an unknown one."""
        ...

    def dialect(self, name: str) -> Dialect | None:
        """The dialect of this name, or None."""
        ...


@record(eq=False, slots=False)
class Dialect:
    """What a dialect brings.

    `types` and `attributes` map a mnemonic (`ptr` of `!llvm.ptr`) to what reads the body behind it.
    A `complete` dialect has all its operations here, so that an
    unknown name with its prefix is a mistake and no gap, if it does not `admit` others in the generic form, as
    `allowUnknownOperations` does; so it is with types and attributes, unless `all_types` and `all_attributes` say
    something else of them. What is wrong with a mnemonic that it does not have, MLIR says in the words of
    `unknown_type` and `unknown_attribute` for a dialect whose code reads it. One that `extends` has only what it adds
    to the dialect of its name. `code` is what it has beside its description, and `aspects` what it says of those; a
    dialect of the library says that in modules (`fathom.irdl.aspects`).
    """

    name: str
    operations: tuple[OpDefinition, ...] | Mapping[str, OpDefinition] = ()
    types: Mapping[str, TypeReader] = field(default_factory=dict[str, "TypeReader"])
    attributes: Mapping[str, AttributeReader] = field(default_factory=dict[str, "AttributeReader"])
    complete: bool = False
    admits: bool = False
    all_types: bool | None = None
    all_attributes: bool | None = None
    unknown_type: Callable[[str], str] | None = None
    unknown_attribute: Callable[[str], str] | None = None
    extends: bool = False
    code: DialectCode | None = None
    aspects: Said = NOTHING_SAID

    @cached_property
    def by_name(self) -> Mapping[str, OpDefinition]:
        """The definitions by their full names. Those of a described dialect are made as they are looked up."""
        if isinstance(self.operations, Mapping):
            return self.operations
        return _told({operation.name: operation for operation in self.operations}, self.aspects)

    def operation(self, name: str) -> OpDefinition:
        """The definition of `arith.addi`, say; KeyError where there is none."""
        return self.by_name[name]

    def wrong_type(self, mnemonic: str) -> str | None:
        """What is wrong with a type of this mnemonic; None if the dialect has it, or may have it."""
        if not (self.complete if self.all_types is None else self.all_types):
            return None
        # MLIR's own message has two spaces.
        return _wrong(self.name, " type", mnemonic, possible_names(self.types), self.unknown_type)

    def wrong_attribute(self, mnemonic: str) -> str | None:
        """What is wrong with an attribute of this mnemonic, likewise."""
        if not (self.complete if self.all_attributes is None else self.all_attributes):
            return None
        return _wrong(self.name, "attribute", mnemonic, possible_names(self.attributes), self.unknown_attribute)

    def added_to(self, base: Dialect) -> Dialect:
        """The dialect that this one extends, with its operations, with those types and attributes that the other has
        not, and with what it says of aspects."""
        said = SaidTogether(self.aspects, base.aspects) if self.aspects is not NOTHING_SAID else base.aspects
        operations = _told(base.by_name, said) if said is not base.aspects else base.by_name
        return replace(
            base,
            complete=base.complete or self.complete,
            all_types=base.all_types if self.all_types is None else self.all_types,
            all_attributes=base.all_attributes if self.all_attributes is None else self.all_attributes,
            operations=Joined(self.by_name, operations),
            types=Joined(base.types, self.types),
            attributes=Joined(base.attributes, self.attributes),
            aspects=said,
        )


def _told(operations: Mapping[str, OpDefinition], said: Said) -> Mapping[str, OpDefinition]:
    """The definitions, each of which knows what is said of its operations."""
    if said is NOTHING_SAID:
        return operations
    return Lazy(lambda: list(possible_names(operations)), lambda name: _told_one(operations.get(name), said))


def _told_one(operation: OpDefinition | None, said: Said) -> OpDefinition | None:
    return replace(operation, said=said) if operation is not None else None


def _wrong(
    dialect: str, kind: str, mnemonic: str, known: Collection[str], words: Callable[[str], str] | None
) -> str | None:
    """What MLIR says of a mnemonic that is not known, which is empty where something else stands in its place. A
    dialect that has none of a kind reads none."""
    if mnemonic in known:
        return None
    if words is None and not known:
        return f"dialect '{dialect}' provides no {kind.strip()} parsing hook"
    if not mnemonic:
        return "expected valid keyword"
    return words(mnemonic) if words is not None else f"unknown {kind} `{mnemonic}` in dialect `{dialect}`"
