"""Descriptions of dialects from the records of their `.td` files.

    for description in read(records, "ToyOps.td"):
        context = context.with_dialect(description.dialect())

What is read becomes the text of a description (`docs/dialects.md`), the same as a person would write, and the
definitions are made of that. Source of the rules: *Operation Definition Specification (ODS)*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from fathom.irdl.code import DialectCode
from fathom.irdl.description import Description
from fathom.irdl.ods.definitions import defined
from fathom.irdl.ods.draft import Draft, plain
from fathom.irdl.ods.operations import add_operation
from fathom.irdl.sections import Table, Value
from fathom.irdl.toml_text import toml_text
from fathom.records import record
from fathom.tablegen.records import Location, Record, Records

NOTHING: Final[Table] = {}
NO_TABLES: Final[Mapping[str, Table]] = {}
NO_CODE: Final[Mapping[str, DialectCode]] = {}
_MEMBERS: Final = ("Op", "TypeDef", "AttrDef")


class OdsDescription(Description):
    """A description that was made of records. `places` says where what it says is defined, as `Tables` has it."""

    def __init__(self, name: str, parts: Sequence[Tables], origin: str, code: DialectCode | None) -> None:
        super().__init__(joined(name, parts), origin, code)
        self.places: Final = {key: place for part in reversed(parts) for key, place in part.places.items()}


def read(records: Records, file: str) -> list[OdsDescription]:
    """The dialects that a file describes, as `dialects_of` has them."""
    return read_together([(records, file)])


def read_together(
    sources: Sequence[tuple[Records, str]],
    known: Callable[[str], DialectCode | None] = lambda _: None,
    code: Mapping[str, DialectCode] = NO_CODE,
) -> list[OdsDescription]:
    """The dialects that files describe, each of all the files that define something of it. `known` gives the code of a
    dialect that is known otherwise, and which they extend; `code` is that of others."""
    parts_by_name: dict[str, list[tuple[Records, str]]] = {}
    for records, file in sources:
        for name in dialects_of(records, file):
            parts_by_name.setdefault(name, []).append((records, file))
    read: list[OdsDescription] = []
    for name, parts in parts_by_name.items():
        extended = known(name)
        shared: dict[str, str] = {}
        classes: dict[str, str] = {}
        tables = [
            tables_of(records, name, shared, classes, extension_in=file if extended is not None else "")
            for records, file in parts
        ]
        read.append(OdsDescription(name, tables, parts[0][1], code.get(name) or extended))
    return read


def dialects_of(records: Records, file: str) -> list[str]:
    """The names of the dialects of which a file itself defines something, be it the dialect alone; of one that only
    includes others, of all that have an operation."""
    dialects = (instance for instance in records.instances_of("Dialect") if _stands_in(instance, file))
    own = {name: None for dialect in dialects if (name := dialect.string("name")) and name != "builtin"}
    others: dict[str, None] = {}
    for kind in _MEMBERS:
        for instance in records.instances_of(kind):
            dialect = records.get(instance.ref("opDialect") or instance.ref("dialect"))
            name = dialect.string("name") if dialect is not None else None
            if name and name != "builtin":
                if _stands_in(instance, file):
                    own[name] = None
                if kind == "Op":
                    others[name] = None
    return list(own or others)


def _stands_in(record: Record, file: str) -> bool:
    """Whether a record is defined in a file; any is where the file has no name."""
    return any(f"/{location.file}".endswith(f"/{file}") for location in record.locations[:1]) or not file


def describe(
    sources: Iterable[Records],
    name: str,
    *,
    texts: bool = True,
    top: Table = NOTHING,
    operations: Mapping[str, Table] = NO_TABLES,
) -> str:
    """The text of the description of a dialect, from all the sources that define something of it. Without `texts` it
    has the facts only: no summaries and descriptions of operations. `top` and `operations` are added to what the
    sources say, and of operations only to those that they define."""
    shared: dict[str, str] = {}
    classes: dict[str, str] = {}
    of_records = [tables_of(records, name, shared, classes, texts=texts) for records in sources]
    return joined(name, of_records, top, operations)


_GENERATED: Final = {"type": "useDefaultTypePrinterParser", "attribute": "useDefaultAttributePrinterParser"}


@record
class Tables:
    """What one set of records says of a dialect: what stands at the top of its description, its tables by kind and
    name, and where what they say is defined: also the formats, by `op.syntax` and the like. Of the `generated` kinds
    the dialect has some, as it says itself: their parser is made of their definitions."""

    top: Table
    tables: Mapping[str, Mapping[str, Table]]
    places: Mapping[tuple[str, str], Location]
    generated: frozenset[str]


def tables_of(
    records: Records,
    name: str,
    shared: dict[str, str],
    classes: dict[str, str],
    *,
    texts: bool = True,
    extension_in: str = "",
) -> Tables:
    """The tables of a dialect from one set of records. `shared` has the names of constraints that had none, by what
    they say, and `classes` those of operations by their classes: both are one for all sets of a dialect, and are added
    to. With `extension_in`, of a dialect that is known otherwise, there is only what that file itself adds to it."""
    draft = Draft(records, name, shared, classes, defined, texts=texts)
    dialects = [instance for instance in records.instances_of("Dialect") if instance.string("name") == name]
    for dialect in dialects:
        _describe_dialect(draft, dialect)
    if extension_in:
        # What it includes may define more of them.
        draft.top |= {"extends": True, "allow_unknown_types": True, "allow_unknown_attributes": True}
    for op in records.instances_of("Op"):
        if draft.dialect_of(op) == name and _stands_in(op, extension_in):
            add_operation(draft, op)
    for kind in ("TypeDef", "AttrDef"):
        for instance in records.instances_of(kind):
            if draft.dialect_of(instance) == name and _stands_in(instance, extension_in):
                defined(draft, instance)
    classes.update(draft.operations)
    generated = {kind for dialect in dialects for kind, said in _GENERATED.items() if dialect.bit(said)}
    return Tables(draft.top, draft.tables, draft.places, frozenset(generated))


def left_open(sources: Sequence[Tables]) -> dict[str, Value]:
    """What the top of a description has to say where the definitions of the types or attributes, which the dialect has,
    are in none of the sources."""
    generated = {kind for source in sources for kind in source.generated}
    # With a dialect of its own stands what belongs to another one.
    known = {
        kind
        for source in sources
        for kind, of in source.tables.items()
        if any("dialect" not in table for table in of.values())
    }
    return {f"allow_unknown_{kind}s": True for kind in sorted(generated - known)}


def joined(
    name: str, sources: Iterable[Tables], top: Table = NOTHING, operations: Mapping[str, Table] = NO_TABLES
) -> str:
    """The text of the description that the tables of all sources make. What is false in those of `operations` is left
    out."""
    top = {"dialect": name, "checked": "declared", **top}
    tables: dict[str, dict[str, Table]] = {}
    for source in sources:
        top = {**source.top, **top}
        for kind, of_kind in source.tables.items():
            tables.setdefault(kind, {}).update(of_kind)
    for operation, table in operations.items():
        if operation not in tables.get("op", {}):
            continue
        joint = {**tables["op"].get(operation, {}), **table}
        tables["op"][operation] = {key: value for key, value in joint.items() if value is not False}
    return toml_text(top, {kind: dict(sorted(table.items())) for kind, table in tables.items()})


def _describe_dialect(draft: Draft, dialect: Record) -> None:
    if draft.texts and (summary := (dialect.string("summary") or "").strip()):
        draft.top["summary"] = summary
    namespace = f"::{dialect.string('cppNamespace') or ''}".replace("::::", "::")
    if namespace.strip(":") and plain(namespace) != draft.name:
        draft.top["namespace"] = namespace
    if dialect.bit("isExtensible"):
        draft.top["allow_unknown_operations"] = True
    declared = dialect.string("extraClassDeclaration") or ""
    for kind, parser in (("types", "parseType"), ("attributes", "parseAttribute")):
        if parser in declared:  # Its own code may read some that have no definition.
            draft.top[f"allow_unknown_{kind}"] = True
