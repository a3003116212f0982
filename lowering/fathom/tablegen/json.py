"""Records as JSON, in the form of `llvm-tblgen --dump-json`: written, and read.

The form is that of LLVM's document *TableGen BackEnds*, "JSON Reference". What it leaves out, a reader of it does not
know: columns, folders of files, and which strings were code (but for those in dags).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, cast

from fathom.tablegen.records import Bits, Dag, Location, Record, Records, Ref, Unresolved, Value, printable

VERSION: Final = 1
"""Of the form, as it says itself in `!tablegen_json_version`."""

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


class NotRecords(ValueError):
    """A text is not what `--dump-json` prints."""


# ---- written


def write_json(records: Records) -> str:
    """All records, in one line."""
    return json.dumps(as_json(records), ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


def as_json(records: Records) -> dict[str, Json]:
    """All records, as `json` takes them."""
    instances: dict[str, Json] = {
        name: [instance.name for instance in records.instances_of(name)] for name in records.class_names
    }
    written: dict[str, Json] = {"!instanceof": instances, "!tablegen_json_version": VERSION}
    for record in records:
        written[record.name] = _record(record)
    return written


def _record(of: Record) -> dict[str, Json]:
    written: dict[str, Json] = {
        "!anonymous": of.is_anonymous,
        "!fields": list(of.non_concrete),
        "!locs": [f"{location.file.rpartition('/')[2]}:{location.line}" for location in of.locations],
        "!name": of.name,
        "!superclasses": list(of.superclasses),
    }
    for name, value in of.values.items():
        written[name] = value_as_json(value)
    return written


def value_as_json(value: Value) -> Json:
    """A value in the form that the JSON has it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, tuple):
        return [value_as_json(element) for element in value]
    if isinstance(value, Bits):
        return [value_as_json(bit) for bit in value.bits]
    if isinstance(value, Ref):
        return {"def": value.name, "kind": "def", "printable": value.name}
    if isinstance(value, Dag):
        return _dag(value)
    written: dict[str, Json] = {"kind": value.kind, "printable": value.printable}
    if value.kind != "complex":
        written["var"] = value.variable
    if value.kind == "varbit":
        written["index"] = value.index
    return written


def _dag(dag: Dag) -> dict[str, Json]:
    written: dict[str, Json] = {
        "args": [[value_as_json(value), name] for value, name in dag],
        "kind": "dag",
        "operator": value_as_json(dag.operator),
        "printable": printable(dag),
    }
    if dag.operator_name:
        written["name"] = dag.operator_name
    return written


# ---- read


def read_json(text: str) -> Records:
    """The records that a text of this form describes. Raises NotRecords where it is none."""
    try:
        read: object = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise NotRecords(f"not the JSON of llvm-tblgen: {problem}") from None
    try:
        return _records(cast("Mapping[str, Json]", read))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError) as problem:
        raise NotRecords(f"not the records of llvm-tblgen: {problem}") from None


def _records(read: Mapping[str, Json]) -> Records:
    if read["!tablegen_json_version"] != VERSION:
        raise NotRecords(f"version {read['!tablegen_json_version']} of the form is not known")
    instances = cast("Mapping[str, Json]", read["!instanceof"])
    names = sorted(name for name in read if not name.startswith("!"))
    return Records(
        {name: _read_record(cast("Mapping[str, Json]", read[name])) for name in names},
        tuple(instances),
    )


def _read_record(read: Mapping[str, Json]) -> Record:
    names = sorted(name for name in read if not name.startswith("!"))
    return Record(
        str(read["!name"]),
        _strings(read["!superclasses"]),
        {name: _read_value(read[name]) for name in names},
        bool(read["!anonymous"]),
        tuple(_location(string) for string in _strings(read["!locs"])),
        _strings(read["!fields"]),
    )


def _strings(read: Json) -> tuple[str, ...]:
    return tuple(str(text) for text in cast("list[Json]", read))


def _location(text: str) -> Location:
    file, _, line = text.rpartition(":")
    return Location(file, int(line))


def _read_value(read: Json) -> Value:
    """Bits come as a list of numbers, as a list of bits would: a list is taken for one."""
    if isinstance(read, list):
        return tuple(_read_value(element) for element in read)
    if isinstance(read, dict):
        return _KINDS[str(read["kind"])](read)
    if isinstance(read, float):
        raise TypeError("there are no fractions in TableGen")
    return read


def _read_dag(read: Mapping[str, Json]) -> Value:
    arguments = [cast("list[Json]", pair) for pair in cast("list[Json]", read["args"])]
    name = read.get("name")
    return Dag(
        _read_value(read["operator"]),
        tuple(_read_value(value) for value, _ in arguments),
        tuple(None if name is None else str(name) for _, name in arguments),
        None if name is None else str(name),
    )


def _read_unresolved(read: Mapping[str, Json]) -> Value:
    index = read.get("index", 0)
    variable = read.get("var", "")
    return Unresolved(str(read["kind"]), str(read["printable"]), str(variable), index if isinstance(index, int) else 0)


def _read_ref(read: Mapping[str, Json]) -> Value:
    return Ref(str(read["def"]))


_KINDS: Final[Mapping[str, Callable[[Mapping[str, Json]], Value]]] = {
    "def": _read_ref,
    "dag": _read_dag,
    "var": _read_unresolved,
    "varbit": _read_unresolved,
    "complex": _read_unresolved,
}
