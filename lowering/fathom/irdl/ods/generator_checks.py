"""What MLIR's generator of code refuses of an operation, though a description can say it.

A format is checked where it is read; this is the rest, for definitions that have yet to go through the generator.
Source of the rules and messages: `mlir-tblgen` 22.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fathom.irdl.expressions import DescriptionError
from fathom.irdl.format_names import types_in
from fathom.records import record
from fathom.tablegen.reading import Mistake
from fathom.tablegen.records import Dag, Record, Records, Value

_OF_SEVERAL: Final = ("Variadic", "VariadicOfVariadic", "Optional")
_SIZED: Final = {
    "operand": frozenset(("AttrSizedOperandSegments", "SameVariadicOperandSize")),
    "result": frozenset(("AttrSizedResultSegments", "SameVariadicResultSize")),
}


@record
class _Group:
    """Operands or results of one name; whether they may be more or fewer than one, and whether their type is that of
    every operation, so that the generator can build it."""

    name: str
    is_several: bool
    is_buildable: bool


def refused(records: Records, file: str) -> Iterator[Mistake]:
    """What is wrong with the operations that a file itself defines."""
    for op in records.instances_of("Op"):
        if op.location is not None and op.location.file == file and (message := _problem(records, op)) is not None:
            yield Mistake(message, op.location)


def _problem(records: Records, op: Record) -> str | None:
    """The first thing that is wrong with an operation; None for nothing."""
    groups = {"operand": _groups(records, op.dag("arguments")), "result": _groups(records, op.dag("results"))}
    traits = list(_traits(records, op.list("traits")))
    names = {trait.name for trait in traits}
    for kind, of_kind in groups.items():
        if sum(group.is_several for group in of_kind) > 1 and not names & _SIZED[kind]:
            return f"op has multiple variadic {kind}s but no specification over their sizes"
    written = op.string("assemblyFormat") or ""
    try:
        typed = types_in(written) if written.strip() else None
    except DescriptionError:
        return None  # It is said where the format is read.
    known = {group.name for of_kind in groups.values() for group in of_kind}
    if typed is None or not typed <= known | {"operands", "results"}:
        return None  # So is a name that is none of the operation's.
    buildable = _found(op, groups, typed, traits)
    for kind, of_kind in groups.items():
        for index, group in enumerate(of_kind):
            if group.name not in buildable:
                what = f"type of {kind} #{index}, named '{group.name}'"
                return f"{what}, is not buildable and a buildable type cannot be inferred"
    return None


def _groups(records: Records, dag: Dag | None) -> list[_Group]:
    groups: list[_Group] = []
    for value, name in dag or ():
        constraint = records.resolve(value)
        while constraint is not None and constraint.is_a("OpVariable"):
            constraint = records.resolve(constraint.get("constraint"))
        if constraint is None or not constraint.is_a("TypeConstraint"):
            continue
        is_several = any(constraint.is_a(kind) for kind in _OF_SEVERAL)
        base = records.resolve(constraint.get("baseType")) if is_several else constraint
        groups.append(_Group(name or "", is_several, bool(base is not None and base.string("builderCall"))))
    return groups


def _traits(records: Records, values: Sequence[Value]) -> Iterator[Record]:
    """The traits of a list, with those of the lists in it."""
    for value in values:
        trait = records.resolve(value)
        if trait is not None and trait.is_a("TraitList"):
            yield from _traits(records, trait.list("traits"))
        elif trait is not None:
            yield trait


def _found(
    op: Record, groups: Mapping[str, Sequence[_Group]], typed: frozenset[str], traits: Sequence[Record]
) -> frozenset[str]:
    """The groups whose types the text says, or that follow."""
    operands, results = (frozenset(group.name for group in of_kind) for of_kind in groups.values())
    names = {group.name for of_kind in groups.values() for group in of_kind if group.is_buildable} | typed
    names |= operands if "operands" in typed else frozenset()
    names |= results if "results" in typed else frozenset()
    # The type of an attribute may be that of a value.
    names |= {name for _, name in op.dag("arguments") or () if name and name not in operands}
    before = -1
    while len(names) > before:
        before = len(names)
        for trait in traits:
            if trait.is_a("AllTypesMatch") and not names.isdisjoint(trait.strings("values")):
                names.update(trait.strings("values"))
            elif trait.is_a("TypesMatchWith") and trait.string("lhs") in names:
                names.add(trait.string("rhs") or "")
            elif trait.is_a("ShapedTypeMatchesElementCountAndTypes") and trait.string("shaped") in names:
                names.add(trait.string("elements") or "")
            elif trait.name == "SameTypeOperands" and names & operands:
                names |= operands
            elif trait.name == "SameOperandsAndResultType" and names & (operands | results):
                names |= operands | results
            elif trait.string("cppInterfaceName") == "InferTypeOpInterface":
                names |= results
    return frozenset(names)
