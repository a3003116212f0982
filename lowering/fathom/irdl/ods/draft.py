"""A description in the making: the tables of one dialect, and where its records are.

What an operation needs (a constraint with a name, a type, an enumeration) gets a table of its own when it is first
needed, so that nothing stands in a description that nothing in it uses, beside the dialect's own definitions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from fathom.cached import cached_property
from fathom.irdl.expressions import Call
from fathom.irdl.ods.predicates import Predicates
from fathom.irdl.sections import Table
from fathom.slices import rest
from fathom.tablegen.records import Location, Record, Records

DEEPEST: Final = 20
"""So many tables are made within each other, each asking for the next."""


def plain(cpp: str) -> str:
    """The name of a class in C++ without MLIR's namespace."""
    return cpp.strip().removeprefix("::").removeprefix("mlir::")


Define: TypeAlias = "Callable[[Draft, Record], Call | None]"


class Draft:
    """The tables of the dialect of this name, by kind and name. `shared` has the names of constraints that had none, by
    what they say, and `classes` those of operations by their classes, from other files of the dialect; `texts` says
    whether summaries and descriptions of operations are among the tables. `define` adds the definition of a type or an
    attribute: constraints name such, and the parameters of such have constraints."""

    def __init__(
        self,
        records: Records,
        name: str,
        shared: dict[str, str],
        classes: dict[str, str],
        define: Define,
        *,
        texts: bool,
    ) -> None:
        self.records: Final = records
        self.name: Final = name
        self.texts: Final = texts
        self.top: Table = {}
        self.tables: Final[dict[str, dict[str, Table]]] = {
            kind: {} for kind in ("enum", "constraint", "type", "attribute", "op")
        }
        self.places: Final[dict[tuple[str, str], Location]] = {}
        """Where what the tables say is defined, by their kinds and names; the formats by `op.syntax` and the like."""
        self.predicates: Final = Predicates(records, self._class_term)
        self._left: Final[list[tuple[str, str, Callable[[], Table]]]] = []
        self._open = 0
        self._define: Final = define
        self.shared: Final = shared
        self.classes: Final = classes

    def table(self, kind: str, name: str, make: Callable[[], Table], record: Record | None = None) -> None:
        """Adds a table, unless it is there or being made. `record` is what it says. One that many others ask for, each
        for the next, is made after them."""
        if name not in self.tables[kind]:
            rest()
            if record is not None and record.location is not None:
                self.places[kind, name] = record.location
            if record is not None and (format := record.field_locations.get("assemblyFormat")) is not None:
                self.places[f"{kind}.syntax", name] = format
            self.tables[kind][name] = {}
            self._left.append((kind, name, make))
            if self._open < DEEPEST:
                self._make()

    def _make(self) -> None:
        """Makes the table that was asked for last, and those that were put off if no other is being made."""
        self._open += 1
        while self._left:
            kind, name, make = self._left.pop()
            self.tables[kind][name] = make()
            if self._open > 1:
                break
        self._open -= 1

    def dialect_of(self, record: Record) -> str:
        """The name of the dialect that a type, attribute or operation belongs to; empty for one of none."""
        dialect = self.records.get(record.ref("opDialect") or record.ref("dialect"))
        return (dialect.string("name") or "") if dialect is not None else ""

    def resolve(self, record: Record, field: str) -> Record | None:
        return self.records.resolve(record.get(field))

    # ---- by their names in C++

    @cached_property
    def by_class(self) -> dict[str, Record]:
        """The definitions of types and attributes by the full names of their classes."""
        records_by_class: dict[str, Record] = {}
        for instance in (*self.records.instances_of("TypeDef"), *self.records.instances_of("AttrDef")):
            records_by_class[plain(instance.string("cppType") or "")] = instance
        return records_by_class

    @cached_property
    def enumerations(self) -> dict[str, Record]:
        """The enumerations by the full names of their classes."""
        records: dict[str, Record] = {}
        # Up to MLIR 19 all of them are attributes.
        for instance in (*self.records.instances_of("EnumInfo"), *self.records.instances_of("EnumAttrInfo")):
            records[plain(f"{instance.string('cppNamespace') or ''}::{instance.string('className') or ''}")] = instance
        return records

    @cached_property
    def interfaces(self) -> dict[str, str]:
        """The names of the definitions of interfaces, by those of their classes."""
        known: dict[str, str] = {}
        for instance in self.records.instances_of("OpInterface"):
            if not instance.is_anonymous and not instance.is_a("DeclareInterfaceMethods"):
                known[instance.string("cppInterfaceName") or instance.name] = instance.name
        return known

    @cached_property
    def value_interfaces(self) -> dict[str, str]:
        """Whether those who have an interface are a `Type` or an `Attribute`, by the full name of its class."""
        known: dict[str, str] = {}
        for kind in ("Type", "Attribute"):
            for instance in self.records.instances_of(f"{kind.removesuffix('ibute')}Interface"):
                name = instance.string("cppInterfaceName") or instance.name
                known[plain(f"{instance.string('cppNamespace') or ''}::{name}")] = kind
        return known

    def find_value_interface(self, cpp: str) -> str | None:
        """`Type` or `Attribute` for the class of an interface, as it is named in the dialect's own code."""
        names = (plain(cpp), f"{self.namespace}::{plain(cpp)}")
        return next((self.value_interfaces[name] for name in names if name in self.value_interfaces), None)

    @cached_property
    def operations(self) -> dict[str, str]:
        """The full names of operations, by those of their classes."""
        names = {"ModuleOp": "builtin.module", "func::FuncOp": "func.func"}
        for instance in self.records.instances_of("Op"):
            prefix, _, rest = instance.name.partition("_")
            namespace = plain(instance.string("cppNamespace") or "")
            full = f"{namespace}::{rest if prefix and rest else instance.name}"
            names[full] = f"{self.dialect_of(instance)}.{instance.string('opName')}"
        return names

    def operation(self, cpp: str) -> str | None:
        """The full name of the operation of a class, as the class is named in the dialect's own code."""
        name = plain(cpp)
        for classes in (self.operations, self.classes):
            if known := classes.get(f"{self.namespace}::{name}") or classes.get(name):
                return known
        return None

    @cached_property
    def namespace(self) -> str:
        """The namespace of the dialect's classes."""
        for instance in self.records.instances_of("Dialect"):
            if instance.string("name") == self.name:
                return plain(instance.string("cppNamespace") or "")
        return self.name

    def find_class(self, cpp: str) -> Record | None:
        """The definition of a type or attribute by the name of its class, as it stands in the dialect's own code."""
        return self.by_class.get(plain(cpp)) or self.by_class.get(f"{self.namespace}::{plain(cpp)}")

    def find_enumeration(self, cpp: str) -> Record | None:
        """The enumeration of a class, as its name stands in the dialect's own code."""
        return self.enumerations.get(plain(cpp)) or self.enumerations.get(f"{self.namespace}::{plain(cpp)}")

    def defined(self, record: Record) -> Call | None:
        """The constraint that a type or attribute is that of a record, which has a table then; None for a record of
        something else."""
        return self._define(self, record)

    def _class_term(self, cpp: str) -> Call | None:
        record = self.find_class(cpp)
        return self.defined(record) if record is not None else None
