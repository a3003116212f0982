"""The dlti dialect: what a module says about data layouts and targets, as attributes. It has no operations.

Source of the rules: *DLTI Dialect*.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, TypeAlias, runtime_checkable

from fathom.dialects import Modules
from fathom.ir.attributes import Attribute, DenseElementsAttr, IntegerAttr, StringAttr, UnknownAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import is_module
from fathom.ir.traversal import ancestors
from fathom.ir.types import (
    I64,
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    Speller,
    TensorType,
    TupleType,
    Type,
    VectorType,
)
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem
from fathom.irdl.dialect import Dialect
from fathom.irdl.keywords import enclosed
from fathom.irdl.verifying import AttributeChecks
from fathom.records import record
from fathom.text.escapes import quote

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.readers import BodyReader

Key: TypeAlias = "str | Type"


def spell_key(key: Key, of: Speller) -> str:
    return quote(key) if isinstance(key, str) else of(key)


@record
class EntryAttr(Attribute):
    """`#dlti.dl_entry<index, 32 : i32>`, the long form of an entry."""

    FULL_NAME: ClassVar[str] = "dlti.dl_entry"

    key: Key
    value: Attribute

    def spell(self, of: Speller) -> str:
        return f"#dlti.dl_entry<{spell_key(self.key, of)}, {of(self.value)}>"


@record
class EntriesAttr(Attribute):
    """`#dlti.dl_spec<index = 32 : i32>`, and the other kinds of entries; keys are types and strings."""

    kind: str
    entries: tuple[tuple[Key, Attribute], ...]

    @property
    def full_name(self) -> str:
        return f"dlti.{self.kind}"

    def spell(self, of: Speller) -> str:
        entries = ", ".join(f"{spell_key(key, of)} = {of(value)}" for key, value in self.entries)
        return f"#dlti.{self.kind}<{entries}>"


@record
class FunctionPointerAlignmentAttr(Attribute):
    """`#dlti.function_pointer_alignment<32, function_dependent = true>`: bits, and whether functions' own alignment
    counts."""

    FULL_NAME: ClassVar[str] = "dlti.function_pointer_alignment"

    alignment: int
    function_dependent: bool

    def spell(self, of: Speller) -> str:
        dependent = "true" if self.function_dependent else "false"
        return f"#dlti.function_pointer_alignment<{self.alignment}, function_dependent = {dependent}>"


def _read_key(reader: BodyReader) -> Key:
    if reader.at_kind("STRING"):
        key = reader.string()
        return key or reader.fail("empty string as DLTI key is not allowed")
    if reader.at_type():
        return reader.type()
    if reader.at("="):
        reader.fail_before("expected attribute value")
    reader.attribute()
    return reader.fail_before("invalid kind of attribute specified")


def _read_assignment(reader: BodyReader, *, by_name: bool) -> tuple[Key, Attribute]:
    """`"key" = value`, or an entry in its long form; `by_name` where a type is no key."""
    if reader.at_kind("HASH"):
        entry = reader.attribute()
        return (entry.key, entry.value) if isinstance(entry, EntryAttr) else reader.fail("expected DLTI entry")
    key = _read_key(reader)
    if by_name and isinstance(key, Type):
        reader.fail_before("invalid kind of attribute specified")
    reader.expect("=")
    return key, reader.attribute()


def _read_entries(kind: str) -> Callable[[BodyReader], EntriesAttr]:
    noun = "device ID in dlti.target_system_spec" if kind == "target_system_spec" else "DLTI key"

    def read(reader: BodyReader) -> EntriesAttr:
        entries: dict[Key, Attribute] = {}
        while not reader.at(">"):
            key, value = _read_assignment(reader, by_name=kind.startswith("target"))
            if key in entries:
                reader.fail(f"repeated {noun}: {spell_key(key, str)}")
            entries[key] = value
            if not reader.accept(","):
                break
        return EntriesAttr(kind, tuple(entries.items()))

    return enclosed(read)


def _check_targets(reader: BodyReader, spec: EntriesAttr) -> EntriesAttr:
    """Targets are named by strings, and there is one at least."""
    if not spec.entries:
        reader.fail("no DLTI entries provided")
    if not all(isinstance(key, str) for key, _ in spec.entries):
        reader.fail("invalid kind of attribute specified")
    return spec


def _read_system(reader: BodyReader) -> EntriesAttr:
    system = _check_targets(reader, _read_entries("target_system_spec")(reader))
    for key, value in system.entries:
        if not isinstance(value, EntriesAttr) or value.kind != "target_device_spec":
            reader.fail(f"value associated with key {spell_key(key, str)} is not a DLTI device spec")
    return system


def _read_entry(reader: BodyReader) -> EntryAttr:
    if not reader.at_kind("STRING") and not reader.at_type():
        reader.fail_here("expected a type or a quoted string")
    key = reader.string() if reader.at_kind("STRING") else reader.type()
    reader.expect(",")
    return EntryAttr(key, reader.attribute())


def _read_alignment(reader: BodyReader) -> FunctionPointerAlignmentAttr:
    alignment = reader.integer()
    reader.expect(",")
    reader.expect("function_dependent")
    reader.expect("=")
    dependent = reader.optional_keyword(("true", "false")) or reader.fail("expected 'true' or 'false'")
    return FunctionPointerAlignmentAttr(alignment, dependent == "true")


# ---- what the verifier asks of them


@runtime_checkable
class LaidOut(Protocol):
    """A type that says what its entry in a data layout must be."""

    def layout_problem(self, value: Attribute) -> str | None: ...


_KINDS: Final = {
    "dlti.dl_spec": "dl_spec",
    "dlti.target_system_spec": "target_system_spec",
    "dlti.map": "map",
}


_NAMES: Final = frozenset(
    f"dlti.{name}"
    for name in (
        "default_memory_space",
        "alloca_memory_space",
        "program_memory_space",
        "global_memory_space",
        "stack_alignment",
        "function_pointer_alignment",
        "legal_int_widths",
        "mangling_mode",
    )
)
"""The names that entries of a data layout may have in this dialect, beside that of the endianness."""


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    kind = _KINDS.get(name)
    if kind is None:
        return bare(f"attribute '{name}' not supported by dialect")
    if isinstance(value, UnknownAttr):
        return None  # What is kept as it is written may be one of another dialect, or an alias that is not known.
    if not isinstance(value, EntriesAttr) or value.kind != kind:
        return bare(f"'{name}' is expected to be a #dlti.{kind} attribute")
    if name != "dlti.dl_spec" or not _has_layout(op):
        return None
    of_types = (_entry_problem(key, entry) for key, entry in value.entries if isinstance(key, Type))
    of_names = (_named_problem(key, entry) for key, entry in value.entries if isinstance(key, str))
    message = next((problem for problem in (*of_types, *of_names) if problem is not None), None)
    return bare(message) if message is not None else _combination_problem(op, value)


def _has_layout(op: Operation) -> bool:
    """Whether an operation may say what the data layout in it is."""
    traits = op.definition.traits if op.definition is not None else ()
    return is_module(op) or any(trait.name == "DataLayoutOpInterface" for trait in traits)


def _named_problem(name: str, value: Attribute) -> str | None:
    """What is wrong with the entry of a name in a data layout."""
    if name == "dlti.endianness":
        is_one = isinstance(value, StringAttr) and value.value in ("big", "little")
        return None if is_one else f"'{name}' data layout entry is expected to be either 'big' or 'little'"
    if name.startswith("dlti.") and name not in _NAMES:
        return f"unknown data layout entry name: {name}"
    return None


def _combination_problem(op: Operation, spec: EntriesAttr) -> Problem | None:
    """Whether names in the data layout of a module have other values in those around it."""
    named = {key: value for key, value in spec.entries if isinstance(key, str)}
    outer = {
        ancestor: layout
        for ancestor in ancestors(op)
        if isinstance(layout := ancestor.attributes.get("dlti.dl_spec"), EntriesAttr)
    }
    entries = [entry for layout in outer.values() for entry in layout.entries]
    if all(not isinstance(key, str) or named.get(key, value) == value for key, value in entries):
        return None
    message = "data layout does not combine with layouts of enclosing ops"
    return Problem(message, bare=True, notes=tuple(("enclosing op with data layout", around) for around in outer))


def _entry_problem(type: Type, value: Attribute) -> str | None:
    """What is wrong with the entry of a type in a data layout."""
    if isinstance(type, IndexType):
        wrong = f"expected integer attribute in the data layout entry for '{type}'"
        return None if isinstance(value, IntegerAttr) else wrong
    if isinstance(type, (IntegerType, FloatType)):
        return _scalar_problem(EntryAttr(type, value))
    if isinstance(type, BUILTIN):
        return "unexpected data layout for a built-in type"
    if isinstance(type, DialectType) and "DataLayoutTypeInterface" not in type.definition.traits:
        return "data layout specified for a type that does not support it"
    return type.layout_problem(value) if isinstance(type, LaidOut) else None


def _scalar_problem(entry: EntryAttr) -> str | None:
    value = entry.value
    if not isinstance(value, DenseElementsAttr) or value.type.element != I64:
        return f"expected a dense i64 elements attribute in the data layout entry {entry}"
    if prod(value.type.ranked_shape) not in (1, 2):
        return f"expected 1 or 2 elements in the data layout entry {entry}"
    first, last = value.values[0], value.values[-1]
    if isinstance(first, int) and isinstance(last, int) and last < first:
        order = "preferred alignment is expected to be greater than or equal to the abi alignment"
        return f"{order} in data layout entry {entry}"
    return None


# ---- what code asks of them


def query(op: Operation, key: str) -> Attribute | Problem:
    """What the closest entries around an operation, or of itself, say of a name; or what MLIR says where they say
    nothing. The first attribute that has entries counts, whatever it is for."""
    for around in (op, *ancestors(op)):
        given = {**around.properties, **around.attributes}
        specs = [value for _, value in sorted(given.items()) if isinstance(value, EntriesAttr)]
        if not specs:
            continue
        for name, value in specs[0].entries:
            if name == key:
                return value
        text = f"key {spell_key(key, str)} has no DLTI-mapping per attr: {specs[0]}"
        return Problem(_NOT_FOUND, notes=((text, around),), bare=True)
    text = "no DLTI-queryable attrs on target op or any of its ancestors"
    return Problem(_NOT_FOUND, notes=((text, op),), bare=True)


_NOT_FOUND: Final = "target op of failed DLTI query"

BUILTIN: Final = (ComplexType, FunctionType, MemRefType, NoneType, TensorType, TupleType, VectorType)

ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation)
DIALECT: Final = Dialect(
    "dlti",
    aspects=Modules("dlti"),
    complete=True,
    attributes={
        "dl_entry": enclosed(_read_entry),
        "dl_spec": _read_entries("dl_spec"),
        "function_pointer_alignment": enclosed(_read_alignment),
        "map": _read_entries("map"),
        "target_device_spec": lambda reader: _check_targets(reader, _read_entries("target_device_spec")(reader)),
        "target_system_spec": _read_system,
    },
)
