"""Hovers of operations: what an operation is, what its parts are, and what it is lowered to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fathom.editions.renames import said
from fathom.ir.attributes import Attribute, UnitAttr
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import Operation, Value
from fathom.ir.spelling import spell_key
from fathom.ir.types import TensorType
from fathom.irdl.definition import OpDefinition
from fathom.irdl.groups import Arity
from fathom.syntax.tree import Item
from fathom.text.escapes import quote
from fathom_server.features.hover.blocks import label_of
from fathom_server.features.hover.functions import signature_lines
from fathom_server.features.hover.in_memory import Tensors
from fathom_server.features.hover.texts import (
    MOST_ELEMENTS,
    Said,
    brief,
    code,
    counted_on,
    listed,
    name_of,
    quoted,
    shown_name,
    table,
)
from fathom_server.features.questions import question
from fathom_server.model.became import Became, became_of
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.subjects import NamedOperation, OldName


def operation_text(snapshot: Snapshot, subject: NamedOperation) -> Said:
    """An operation: its types, what it is and what it is lowered to; below, its definition and its generic form."""
    op, item, described, definition = subject.op, subject.item, subject.described, subject.op.definition
    became = became_of(snapshot, item, op)
    lowered = _lowered(became)
    asks = question(snapshot, item, op, is_left=became.left is not None) if became != Became() else None
    if definition is None:
        # In the custom form neither types nor attributes can be told.
        kept = is_kept_text(op)
        head = code(op.name if kept else f"{op.name}{_types_of(op)}")
        unknown = "This operation is not known to Fathom. It is kept as it is written."
        if described is not None and described.opaque:
            why = "; ".join(described.unknown)
            unknown = f"Its text is kept as it is written{f': {why}' if why else ''}."
            short = (head, described.summary, unknown, lowered)
            return Said(short, (described.description, *_definition_lines(op, described)), asks)
        short = (head, _renamed(op.name) or unknown, lowered)
        return Said(short, () if kept else (_generic(item, op),), asks)
    head = code(f"{op.name}{_types_of(op)}")
    needed = [f"Needs `@{name}` of {_RUNTIME}{_WHY.get(name, '')}." for name in became.calls if name not in _OF_C]
    is_on_tensors = any(isinstance(operand.type, TensorType) for operand in op.operands)
    in_memory = Tensors(snapshot, item).of_operation(op) if is_on_tensors else ()
    short = (head, definition.summary, *in_memory, lowered, *needed, *signature_lines(op))
    return Said(short, (definition.description, *_definition_lines(op, definition), _generic(item, op)), asks)


def _lowered(became: Became) -> str:
    """What became of an operation in the LLVM dialect, or why nothing did."""
    if became.left is not None:
        reasons = "\n".join(became.left)
        return f"Does not reach LLVM IR:\n\n{code(reasons, 'text')}"
    lines = "\n".join([*became.lines, *([f"// … {became.more} more"] if became.more else [])])
    return f"Lowers to:\n\n{code(lines)}" if lines else ""


_RUNTIME: Final = "MLIR's runtime library (`libmlir_c_runner_utils`)"
_OF_C: Final = frozenset(("malloc", "aligned_alloc", "free", "abort", "puts"))
"""What every program has at hand that lowered operations call."""
_WHY: Final = {"memrefCopy": ": the memrefs are not both contiguous, so the elements cannot be copied as one block"}
"""Why an operation calls a function of the library, where that is not plain."""


def old_text(subject: OldName) -> Said:
    """What became of an operation that nothing is known of but its name."""
    return Said((code(subject.name), _renamed(subject.name)))


def _renamed(name: str) -> str:
    """What became of an operation of an older release of MLIR."""
    text = said(name)
    return f"{text[0].upper()}{text[1:]}.".replace("'", "`") if text else ""


def _types_of(op: Operation) -> str:
    if op.attribute("function_type") is not None:
        return ""
    return f" : ({_types(op.operands)}) -> ({_types(op.results)})"


def _types(values: Sequence[Value]) -> str:
    return listed(values, lambda value: brief(value.type))


def _definition_lines(op: Operation, definition: OpDefinition) -> Iterator[str]:
    if definition.assembly:
        yield f"Syntax: {quoted(f'{definition.name} {definition.assembly}'.strip())}"
    rows = [*_rows(op, definition)]
    if rows:
        yield table(("", "name", "", "here"), rows)
    if definition.traits:
        yield "Traits: " + ", ".join(f"`{trait.name}`" for trait in definition.traits)


def _rows(op: Operation, definition: OpDefinition) -> Iterator[tuple[str, str, str, str]]:
    """The parts of an operation: the kind, the name, what may stand there, and what does."""
    for operand in definition.operands:
        yield "operand", f"{operand.name}{_SIGNS[operand.arity]}", operand.constraint.summary, _names(op, operand.name)
    for prop in definition.properties:
        value = op.properties.get(prop.name)
        sign = "?" if prop.optional or prop.default is not None else ""
        yield "attribute", f"{prop.name}{sign}", prop.constraint.summary, quoted(brief(value)) if value else ""
    for region in definition.regions:
        yield "region", f"{region.name}{_SIGNS[region.arity]}", region.demand[2], ""
    for successor in definition.successors:
        yield "successor", f"{successor.name}{_SIGNS[successor.arity]}", "", ""
    for result in definition.results:
        yield "result", f"{result.name}{_SIGNS[result.arity]}", result.constraint.summary, ""


_SIGNS: Final = {Arity.ONE: "", Arity.OPTIONAL: "?", Arity.VARIADIC: "…"}


def _names(op: Operation, group: str) -> str:
    """The operands of a group, as the text names them."""
    return listed(counted_on(lambda: op.all_of(group)) or [], shown_name)


# ---- the generic form


def _generic(item: Item, op: Operation) -> str:
    """The operation in the generic form, with the names of the text, its regions left out."""
    successors = f"[{listed(op.successors, lambda block: label_of(item, block))}]" if op.successors else ""
    properties = f" <{{{_entries(op.properties)}}}>" if op.properties else ""
    regions = f" ({', '.join('{…}' for _ in op.regions)})" if op.regions else ""
    attributes = f" {{{_entries(op.attributes)}}}" if op.attributes else ""
    results = _types(op.results) if len(op.results) == 1 else f"({_types(op.results)})"
    operands = listed(op.operands, lambda value: name_of(value) or "%?")
    text = f"{_names_of_results(op)}{quote(op.name)}({operands}){successors}{properties}{regions}{attributes}"
    return f"Generic form:\n\n{code(f'{text} : ({_types(op.operands)}) -> {results}')}"


def _names_of_results(op: Operation) -> str:
    """The names of the results, and `=`: `%a, %b:2 = `."""
    counts = Counter(name_of(value).partition("#")[0] for value in op.results[:MOST_ELEMENTS])
    names = [f"{name}:{count}" if count > 1 else name for name, count in counts.items() if name]
    return f"{', '.join(names)} = " if names else ""


def _entries(values: Mapping[str, Attribute]) -> str:
    """The entries of a dictionary; of `unit` the name alone."""
    return listed(
        sorted(values.items()),
        lambda entry: spell_key(entry[0]) + ("" if isinstance(entry[1], UnitAttr) else f" = {brief(entry[1])}"),
    )
