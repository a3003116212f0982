"""What the verifier asks of attributes of dlti on operations.

Source of the rules: *DLTI Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from fathom.dialects.dlti import EntriesAttr, EntryAttr
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
    TensorType,
    TupleType,
    Type,
    VectorType,
)
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import AttributeChecks

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


@runtime_checkable
class LaidOut(Protocol):
    """A type that says what its entry in a data layout must be, and whether it may stand in the place of an earlier
    one."""

    def layout_problem(self, value: Attribute) -> str | None: ...

    def overrides(self, value: Attribute, earlier: Attribute | None) -> bool: ...


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


BUILTIN: Final = (ComplexType, FunctionType, MemRefType, NoneType, TensorType, TupleType, VectorType)

ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation)
