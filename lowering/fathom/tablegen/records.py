"""What a TableGen file says in the end: records with their values, none of which changes.

    records = read_json(text)
    for op in records.instances_of("Op"):
        op.name, op.string("opName"), op.dag("arguments"), op.bit("hasFolder")
        dialect = records.get(op.ref("opDialect"))

Values are Python's own where it has them:

| TableGen        | here                                  |
|-----------------|---------------------------------------|
| `?`             | `None`                                |
| `bit`           | `bool`                                |
| `bits<n>`       | `Bits`, the lowest first              |
| `int`           | `int`                                 |
| `string`        | `str`; a `Code`, which is one, if it was written `[{…}]` |
| `list<T>`       | `tuple`                               |
| `dag`           | `Dag`                                 |
| a record        | `Ref`, by its name                    |
| anything else   | `Unresolved`: what still has a name in it that nobody gave a value |

The typed accessors of a record (`string`, `bit`, `list`, …) answer for a field that is missing, unset or of another
type as for one that says nothing, since a file may declare anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from fathom.cached import cached_property
from fathom.records import record


class Code(str):
    """A string that was written as code, `[{…}]`. Only printing tells it from another."""

    __slots__ = ()


@record
class Location:
    """A place in a file: the path as it was opened, the line and the column, both from 1; column 0 where only the line
    is known."""

    file: str
    line: int
    column: int = 0


@record
class Unresolved:
    """A value that is not one yet: `printable` is its text as llvm-tblgen prints it. `kind` is that of the JSON form:
    `var` (the name of one), `varbit` (a bit of one, by its index) or `complex`."""

    kind: str
    printable: str
    variable: str = ""
    index: int = 0


@record
class Bits:
    """A `bits<n>`: the lowest bit first. A bit may be unset, or stand for a bit that was not given."""

    bits: tuple[bool | Unresolved | None, ...]

    @property
    def number(self) -> int | None:
        """The number that the bits are; None if one of them is not known."""
        total = 0
        for place, bit in enumerate(self.bits):
            if not isinstance(bit, bool):
                return None
            total |= bit << place
        return total


@record
class Ref:
    """A record, by its name."""

    name: str


@record
class Dag:
    """A `dag`: `(operator:$name argument:$name, …)`. An argument may have a value, a name, or both."""

    operator: Value
    arguments: tuple[Value, ...] = ()
    names: tuple[str | None, ...] = ()
    """As many as there are arguments."""
    operator_name: str | None = None

    def __iter__(self) -> Iterator[tuple[Value, str | None]]:
        return zip(self.arguments, self.names, strict=True)

    def __len__(self) -> int:
        return len(self.arguments)


Value: TypeAlias = "bool | int | str | Bits | tuple[Value, ...] | Dag | Ref | Unresolved | None"


@record(eq=False, slots=False)
class Record:
    """A `def` in its final form."""

    name: str
    superclasses: tuple[str, ...]
    """All of them, ancestors too, in the order in which they were added: a class comes after those it is made of."""
    values: Mapping[str, Value]
    """In the order in which they were declared, ancestors' first; by name where they were read from JSON."""
    is_anonymous: bool = False
    locations: tuple[Location, ...] = ()
    """Where it was defined: the `def`, then each `defm` or `foreach` around it, from the inside."""
    non_concrete: tuple[str, ...] = ()
    """Fields that were declared with the keyword `field`."""
    field_locations: Mapping[str, Location] = MappingProxyType({})
    """Where each field got its value last, if that is known."""

    @property
    def location(self) -> Location | None:
        return self.locations[0] if self.locations else None

    @cached_property
    def _classes(self) -> frozenset[str]:
        return frozenset(self.superclasses)

    def is_a(self, class_name: str) -> bool:
        """Whether the class is one of its superclasses."""
        return class_name in self._classes

    def __contains__(self, field: str) -> bool:
        return field in self.values

    def __getitem__(self, field: str) -> Value:
        """The value of a field. Raises KeyError where there is none of this name."""
        return self.values[field]

    def get(self, field: str) -> Value:
        """The value of a field; None also where there is none of this name."""
        return self.values.get(field)

    def string(self, field: str) -> str | None:
        value = self.values.get(field)
        return value if isinstance(value, str) else None

    def integer(self, field: str) -> int | None:
        """A number, whether it is an `int`, a `bit` or `bits`."""
        value = self.values.get(field)
        if isinstance(value, Bits):
            return value.number
        return int(value) if isinstance(value, int) else None

    def bit(self, field: str) -> bool:
        """Whether a bit, or a number, is set."""
        return bool(self.integer(field))

    def list(self, field: str) -> tuple[Value, ...]:
        value = self.values.get(field)
        return value if isinstance(value, tuple) else ()

    def strings(self, field: str) -> tuple[str, ...]:
        """The strings in a list."""
        return tuple(value for value in self.list(field) if isinstance(value, str))

    def refs(self, field: str) -> tuple[str, ...]:
        """The names of the records in a list."""
        return tuple(value.name for value in self.list(field) if isinstance(value, Ref))

    def dag(self, field: str) -> Dag | None:
        value = self.values.get(field)
        return value if isinstance(value, Dag) else None

    def ref(self, field: str) -> str | None:
        """The name of the record that the field is."""
        value = self.values.get(field)
        return value.name if isinstance(value, Ref) else None


@record(eq=False, slots=False)
class Records:
    """All records of a file and of what it includes, by name."""

    defs: Mapping[str, Record]
    """In the order of the names, as llvm-tblgen goes through them."""
    class_names: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Record]:
        return iter(self.defs.values())

    def __len__(self) -> int:
        return len(self.defs)

    def __contains__(self, name: str) -> bool:
        return name in self.defs

    def __getitem__(self, name: str) -> Record:
        """The record of a name. Raises KeyError where there is none."""
        return self.defs[name]

    def get(self, name: str | None) -> Record | None:
        return None if name is None else self.defs.get(name)

    def resolve(self, value: Value) -> Record | None:
        """The record that a value refers to."""
        return self.defs.get(value.name) if isinstance(value, Ref) else None

    @cached_property
    def _instances(self) -> Mapping[str, tuple[Record, ...]]:
        by_class: dict[str, list[Record]] = {name: [] for name in self.class_names}
        for definition in self.defs.values():
            for name in definition.superclasses:
                by_class.setdefault(name, []).append(definition)
        return {name: tuple(instances) for name, instances in by_class.items()}

    def instances_of(self, class_name: str) -> tuple[Record, ...]:
        """The records of a class, in the order of their names."""
        return self._instances.get(class_name, ())


# ---- text


def printable(value: Value) -> str:
    """A value as llvm-tblgen prints it, from which a `.td` file could read it."""
    if value is None:
        return "?"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, Code):
        return f"[{{{value}}}]"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(printable, value))}]"
    if isinstance(value, Bits):
        return f"{{ {', '.join(printable(bit) for bit in reversed(value.bits))} }}"
    if isinstance(value, Dag):
        return _printable_dag(value)
    return value.name if isinstance(value, Ref) else value.printable


def _printable_dag(dag: Dag) -> str:
    operator = printable(dag.operator)
    if dag.operator_name:
        operator += f":${dag.operator_name}"
    arguments = ", ".join(_printable_argument(value, name) for value, name in dag)
    return f"({operator} {arguments})" if arguments else f"({operator})"


def _printable_argument(value: Value, name: str | None) -> str:
    return printable(value) if name is None else f"{printable(value)}:${name}"


NO_RECORDS: Final = Records(MappingProxyType({}))
