"""The types of an operation by the rules of its definition: what an operation without its own `resolve` gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Value
from fathom.ir.types import I32, POISON, Type, UnknownType
from fathom.irdl.definition import OpDefinition, Result
from fathom.irdl.groups import SEGMENTS, Arity
from fathom.irdl.infer import infer_types
from fathom.syntax.nodes import Ref

if TYPE_CHECKING:
    from fathom.elaborate.operations import Resolution


def resolve_by_rules(resolution: Resolution, definition: OpDefinition) -> None:
    """Finds the operands and the types of the results of an operation. Raises ElaborationFailure where the text is
    inconsistent."""
    parsed = resolution.parsed
    if parsed.absent_regions:
        _place_regions(resolution)
    known = {name: resolution.types(nodes) for name, nodes in parsed.types.items()}
    for name, (is_stored, kind) in definition.stored_types.items() if definition.assembly is not None else ():
        for node, type in zip(parsed.types.get(name, ()), known.get(name, ()), strict=True):
            if not is_stored(type) and not isinstance(type, UnknownType):
                expected = f": expected {kind}, but found '{type}'" if kind else ""
                resolution.fail(f"custom op '{parsed.name}' invalid kind of type specified{expected}", node.start)
    for name, composed in parsed.composed_types.items():
        known[name] = [composed.make(resolution.type, resolution.attribute)]
    operands = dict(parsed.operands)
    names = [operand.name for operand in definition.operands]
    results = [result.name for result in definition.results]
    if "operands" in operands and "operands" not in names:
        tokens = operands.pop("operands")
        operands = _distribute(definition, tokens)
        expected = len(known["operands"]) if "operands" in known else sum(map(len, operands.values()))
        _check_count(resolution, tokens, expected)
    for whole, groups in (("operands", names), ("results", results)):
        if whole in known and whole not in (*names, *results):
            _spread(known, whole, groups, operands)
    counts = {name: len(tokens) for name, tokens in operands.items()}
    for name in names:
        counts.setdefault(name, 0)
        if name in known:
            _check_count(resolution, operands.get(name, ()), len(known[name]))
    if definition.assembly is not None:
        _check_transformed(resolution, definition, known)
    types = infer_types(definition, known, counts, resolution.properties)
    values: dict[str, list[Value]] = {}
    for name in names:
        tokens = operands.get(name, [])
        given = types.get(name)
        if given is None:
            values[name] = [resolution.operand(token) for token in tokens]
            types[name] = [value.type for value in values[name]]
        else:
            values[name] = resolution.operand_list(tokens, given, tokens[0] if tokens else None)
        resolution.operands += values[name]
    if any(result not in types for result in results):
        types = infer_types(definition, types, counts, resolution.properties)
    sizes: list[int] = []
    for result in definition.results:
        kinds = types.get(result.name)
        if kinds is None:
            kinds = _unknown_result(resolution, result)
        resolution.result_types += kinds
        sizes.append(len(kinds))
    if definition.has_result_segments:
        _set_sizes(resolution, SEGMENTS["results"], sizes)
    if definition.has_segments:
        _set_sizes(resolution, SEGMENTS["operands"], [counts[name] for name in names])


def _check_count(resolution: Resolution, tokens: Sequence[Ref], types: int) -> None:
    """There are as many types as operands."""
    if len(tokens) != types:
        given = f"got {len(tokens)} operands and {types} types"
        message = f"custom op '{resolution.parsed.name}' number of operands and types do not match: {given}"
        resolution.fail(message, tokens[0] if tokens else None)


def _set_sizes(resolution: Resolution, name: str, sizes: Sequence[int]) -> None:
    """The sizes of groups are those of the text, unless an attribute in it says others of as many groups."""
    stated = resolution.properties.get(name)
    if not isinstance(stated, DenseArrayAttr) or stated.element != I32 or len(stated.values) != len(sizes):
        resolution.properties[name] = DenseArrayAttr(I32, tuple(sizes))


def _place_regions(resolution: Resolution) -> None:
    """Regions that the text leaves out are there, and empty."""
    rest = iter(range(len(resolution.parsed.regions)))
    count = len(resolution.parsed.regions) + len(resolution.parsed.absent_regions)
    resolution.region_order = [-1 if i in resolution.parsed.absent_regions else next(rest, -1) for i in range(count)]


def _check_transformed(resolution: Resolution, definition: OpDefinition, known: dict[str, list[Type]]) -> None:
    """A type that others are made of must be what the definition asks of it, before they are made."""
    for group in definition.transformed:
        for type in known.get(group.name, ()):
            if type != POISON and not group.constraint.accepts(type):
                what = f"'{group.name}' must be {group.constraint.summary}, but got '{type}'"
                resolution.fail(f"custom op '{resolution.parsed.name}' {what}")


def _unknown_result(resolution: Resolution, result: Result) -> list[Type]:
    """Types that do not follow. Where all that says so is code of MLIR's, they are there all the same."""
    definition = resolution.definition
    is_declared = definition is not None and definition.checked == "declared"
    if result.arity is not Arity.ONE:
        bound = sum(group.count for group in resolution.parsed.result_groups)
        others = len(definition.results) - 1 if definition is not None else 0
        return [POISON] * max(bound - others, 0) if is_declared else []
    if not is_declared and all(value.type != POISON for value in resolution.operands):
        resolution.fail(f"type of result '{result.name}' could not be inferred")
    return [POISON]


def _spread(known: dict[str, list[Type]], whole: str, groups: list[str], operands: dict[str, list[Ref]]) -> None:
    """Deals out the types of `type(operands)` or `type(results)` to the groups."""
    types = known.pop(whole)
    for index, name in enumerate(groups):
        take = len(operands.get(name, [])) if whole == "operands" else 1
        if index == len(groups) - 1:
            take = len(types)
        known[name], types = types[:take], types[take:]


def _distribute(definition: OpDefinition, tokens: list[Ref]) -> dict[str, list[Ref]]:
    """The operands of the directive `operands`, dealt out to the groups: one each, and the rest to the variadic one."""
    groups: dict[str, list[Ref]] = {}
    rest = len(tokens) - sum(operand.arity is Arity.ONE for operand in definition.operands)
    start = 0
    for operand in definition.operands:
        take = 1 if operand.arity is Arity.ONE else max(rest, 0)
        groups[operand.name] = tokens[start : start + take]
        start += take
    return groups
