"""Types that a definition determines: what the text of an operation leaves out, and what its results are.

`infer_types` closes a partial assignment of types to groups of operands and results under the definition's rules. It is
shared by the elaborator, which starts from the types in the text, and by `create`, which starts from the operands.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import StringAttr
from fathom.ir.types import NONE, Type
from fathom.irdl.declared import TypeRule
from fathom.irdl.groups import Arity
from fathom.irdl.traits import SAME_OPERANDS_AND_RESULT_TYPE, SAME_TYPE_OPERANDS

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.irdl.definition import OpDefinition


_INFERRING: Final = frozenset(("FirstAttrDerivedResultType", "SameOperandsAndResultType"))


def infers(definition: OpDefinition) -> bool:
    """Whether the types of the results can follow from the operands."""
    if any(trait.name in _INFERRING or trait.name.startswith("InferTypeOp") for trait in definition.traits):
        return True
    targets = {rule.target for rule in definition.rules}
    return bool(definition.results) and all(
        result.arity is Arity.ONE and (result.name in targets or result.constraint.type is not None)
        for result in definition.results
    )


def infer_types(
    definition: OpDefinition,
    known: Mapping[str, Sequence[Type]],
    counts: Mapping[str, int],
    attributes: Mapping[str, Attribute] | None = None,
) -> dict[str, list[Type]]:
    """The types of all groups of operands and results that follow from `known`.

    `counts` says how many values a group has where it is not one; a group of no values has no types to find. A rule may
    name a property among its sources: it gets a list of that one attribute. Groups that stay unknown are left out.
    """
    inferred: dict[str, list[Type]] = {name: list(types) for name, types in known.items()}
    # How many values these are to be follows from others.
    ruled = {rule.target for rule in definition.rules if not rule.optional}
    for group in (*definition.operands, *definition.results):
        count = 1 if group.arity is Arity.ONE else counts.get(group.name, -1)
        if group.name not in inferred and count == 0 and not (group.arity is Arity.VARIADIC and group.name in ruled):
            inferred[group.name] = []
        elif group.name not in inferred and group.constraint.type is not None and count > 0:
            inferred[group.name] = [group.constraint.type] * count
    _apply_rules(definition, inferred, attributes or {})
    if _spread(definition, inferred, counts):
        _apply_rules(definition, inferred, attributes or {})
    return inferred


def _apply_rules(
    definition: OpDefinition, inferred: dict[str, list[Type]], attributes: Mapping[str, Attribute]
) -> None:
    pending = [rule for rule in definition.rules if rule.target not in inferred]
    progress = True
    while pending and progress:
        progress = False
        for rule in list(pending):
            if rule.target in inferred:
                pending.remove(rule)
                continue
            types = _apply(rule, inferred, attributes)
            if types is not None:
                inferred[rule.target] = types
                pending.remove(rule)
                progress = True


def _apply(rule: TypeRule, types: Mapping[str, list[Type]], attributes: Mapping[str, Attribute]) -> list[Type] | None:
    sources: list[list[Type] | list[Attribute]] = []
    for source in rule.sources:
        if source in types:
            sources.append(types[source])
        elif source in attributes:
            sources.append([attributes[source]])
        else:
            return None
    return rule.infer(*sources)


def _spread(definition: OpDefinition, types: dict[str, list[Type]], counts: Mapping[str, int]) -> bool:
    """Applies the traits that give all operands, or all operands and results, one type."""
    if definition.has(SAME_OPERANDS_AND_RESULT_TYPE):
        groups = (*definition.operands, *definition.results)
    elif definition.has(SAME_TYPE_OPERANDS):
        groups = definition.operands
    else:
        return False
    first = next((types[g.name][0] for g in groups if types.get(g.name)), None)
    if first is None:
        return False
    for group in groups:
        if group.name not in types:
            types[group.name] = [first] * (1 if group.arity is Arity.ONE else counts.get(group.name, 0))
    return True


def _same(values: list[Type | Attribute]) -> list[Type] | None:
    """The types of a group, or the type of a property."""
    types = [_type_of(value) for value in values]
    plain = [type_ for type_ in types if isinstance(type_, Type)]
    return plain if len(plain) == len(types) else None


def _type_of(value: Type | Attribute) -> object:
    """A type, or that of an attribute; a string that states none has `none`."""
    inferred = value if isinstance(value, Type) else getattr(value, "type", None)
    return NONE if inferred is None and isinstance(value, StringAttr) else inferred


def same_types(*names: str) -> tuple[TypeRule, ...]:
    """The groups all have the same type, so each follows from any other."""
    message = f"all of {{{', '.join(names)}}} have same type"
    pairs = ((target, source) for target in names for source in names if source != target)
    return tuple(TypeRule(target, (source,), _same, message, equal=True) for target, source in pairs)


def result_types(
    definition: OpDefinition, operand_types: Mapping[str, Sequence[Type]], attributes: Mapping[str, Attribute]
) -> list[Type]:
    """The types of all results, in order. One that does not follow raises ValueError."""
    counts = {name: len(types) for name, types in operand_types.items()}
    inferred = infer_types(definition, operand_types, counts, attributes)
    types: list[Type] = []
    for result in definition.results:
        if result.name not in inferred:
            raise ValueError(
                f"the type of result '{result.name}' of {definition.name} does not follow from its operands"
            )
        types.extend(inferred[result.name])
    return types


def inferable_groups(definition: OpDefinition, known: Collection[str]) -> set[str]:
    """The groups whose types are given, buildable, or follow by the rules from those of `known` groups and
    properties."""
    groups = (*definition.operands, *definition.results)
    inferable = {group.name for group in groups if group.name in known or group.constraint.type is not None}
    # An operand is defined before it is used, so its type is known where the text does not say it.
    inferable |= {operand.name for operand in definition.operands}
    properties = {prop.name for prop in definition.properties}
    progress = True
    while progress:
        progress = False
        for rule in definition.rules:
            if rule.target not in inferable and all(
                source in inferable or source in properties for source in rule.sources
            ):
                inferable.add(rule.target)
                progress = True
    if definition.has(SAME_OPERANDS_AND_RESULT_TYPE) and inferable:
        inferable |= {group.name for group in groups}
    return inferable
