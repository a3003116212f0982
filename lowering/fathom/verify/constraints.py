"""What a definition demands of one operation: counts, attributes, types and traits, compiled once for each definition.

The checks come in MLIR's order: structure first, then attributes, operands, results, the rules between them and
regions, then the other traits. Source of the rules: *Operation Definition Specification (ODS)*, and *Traits*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final, TypeAlias
from weakref import WeakKeyDictionary

from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Operation
from fathom.ir.types import I32, POISON, Type
from fathom.irdl.definition import OpDefinition, Operand, RegionDefinition, Result, Trait, TypeRule
from fathom.irdl.groups import SEGMENTS, Arity, group_sizes, split_groups
from fathom.irdl.traits import GRAPH_REGION, NO_TERMINATOR, SINGLE_BLOCK, TERMINATOR

Check: TypeAlias = Callable[[Operation], "str | None"]

STRUCTURAL: Final = frozenset(("HasParent", "ParentOneOf", "NoRegionArguments"))
"""The traits with a check of their own that is made before the types are looked at."""

PREDICATES: Final = frozenset(("SameInputOutputTensorDims",))
"""The traits that are a relation between types, and therefore checked with those."""


def violation(op: Operation, definition: OpDefinition) -> str | None:
    """The first thing that `op` has wrong by its definition, worded as MLIR words it; None where all is well."""
    return checks_of(definition).violation(op)


def checks_of(definition: OpDefinition) -> Checks:
    """The checks of a definition, compiled when they are first asked for."""
    compiled = _COMPILED.get(definition)
    if compiled is None:
        compiled = _COMPILED[definition] = Checks(definition)
    return compiled


def _is_predicate(trait: Trait) -> bool:
    return trait.predicate or trait.name in PREDICATES


class Checks:
    """The checks of one definition. Types that passed once are remembered, since most operations repeat them."""

    __slots__ = (
        "_after",
        "_attributes",
        "_before",
        "_early",
        "_group_checks",
        "_known_good",
        "_rules",
        "_value_rules",
        "all",
    )

    def __init__(self, definition: OpDefinition) -> None:
        self._before = tuple(_structure(definition))
        attributes = sorted(definition.properties, key=lambda prop: prop.native)
        self._attributes = tuple((p, p.constraint.accepts) for p in attributes)
        names = frozenset(g.name for g in (*definition.operands, *definition.results))
        rules = _distinct([rule for rule in definition.rules if rule.message])
        self._group_checks = tuple(_group_checks(definition))
        self._rules = tuple(_rule_check(definition, r) for r in rules if _is_typed(r, names))
        self._value_rules = tuple(_rule_check(definition, rule) for rule in rules if not _is_typed(rule, names))
        regions = _region_checks(definition.regions)
        # A relation without a check of its own is one of the rules; what stands before these is looked at before.
        relations = [t for t in definition.traits if _is_predicate(t)]
        first = next((i for i, trait in enumerate(relations) if trait.verify is None), 0)
        self._early = tuple(t.verify for t in relations[:first] if t.verify is not None)
        late = [t.verify for t in relations[first:] if t.verify is not None]
        self._value_rules = (*self._value_rules, *late)
        traits = [t.verify for t in definition.traits if not _is_predicate(t) and t.name not in STRUCTURAL]
        if definition.has(GRAPH_REGION) and not any(t.name == "RegionKindInterface" for t in definition.traits):
            traits.append(_has_graphs)
        last: list[Check] = [is_last] if definition.has(TERMINATOR) else []
        self._after: tuple[Check, ...] = (*regions, *(check for check in traits if check is not None), *last)
        types = (*self._group_checks, *self._early, *self._rules, *self._value_rules)
        self.all: tuple[Check, ...] = (*self._before, self._attribute, *types, *self._after)
        """The checks, in order, of an operation whose types are all known."""
        self._known_good: set[tuple[object, ...]] = set()

    def _attribute(self, op: Operation) -> str | None:
        properties = op.properties
        for prop, accepts in self._attributes:
            value = properties.get(prop.name)
            if value is None:
                if not prop.optional and prop.default is None and not prop.native:
                    return f"requires attribute '{prop.name}'"
            elif not accepts(value):
                what = "property" if prop.native else "attribute"
                return f"{what} '{prop.name}' failed to satisfy constraint: {prop.constraint.summary}"
        return None

    def violation(self, op: Operation) -> str | None:
        for check in self._before:
            if (problem := check(op)) is not None:
                return problem
        if (problem := self._attribute(op)) is not None:
            return problem
        properties = op.properties
        types = [operand.type for operand in op.operands]
        results = [result.type for result in op.results]
        if POISON in types or POISON in results:
            return None
        key = (*types, None, *results, properties.get(SEGMENTS["operands"]), properties.get(SEGMENTS["results"]))
        is_new = key not in self._known_good
        of_types = (self._group_checks, self._early, self._rules) if is_new else (self._early,)
        for check in chain(*of_types):
            if (problem := check(op)) is not None:
                return problem
        if is_new and len(self._known_good) < _MOST_REMEMBERED:
            self._known_good.add(key)
        for check in chain(self._value_rules, self._after):
            if (problem := check(op)) is not None:
                return problem
        return None


_COMPILED: Final[WeakKeyDictionary[OpDefinition, Checks]] = WeakKeyDictionary()
_MOST_REMEMBERED: Final = 1000


# ---- structure


def _structure(definition: OpDefinition) -> list[Check]:
    """How many regions, results, successors and operands there are, and the structural traits."""
    checks = [_counts_check(definition)]
    if definition.has_segments:
        checks.append(_segments_check("operand", len(definition.operands), lambda op: len(op.operands)))
    if definition.has_result_segments:
        checks.append(_segments_check("result", len(definition.results), lambda op: len(op.results)))
    if definition.has(SINGLE_BLOCK):
        checks.append(_has_single_blocks)
    checks += [t.verify for t in definition.traits if t.verify is not None and t.name in STRUCTURAL]
    return checks


_REGIONS: Final = ("requires zero regions", "requires one region", "expected {} regions", "expected {} or more regions")
_RESULTS: Final = ("requires zero results", "requires one result", "expected {} results", "expected {} or more results")
_OPERANDS: Final = (
    "requires zero operands",
    "requires a single operand",
    "expected {} operands, but found {}",
    "expected {} or more operands, but found {}",
)
_SUCCESSORS: Final = (
    "requires 0 successors but found {1}",
    "requires {} successor but found {}",
    "requires {} successors but found {}",
    "requires at least {} successors but found {}",
)


def _accepts_any_number(arities: Sequence[Arity]) -> bool:
    return bool(arities) and Arity.ONE not in arities


def _counts_check(definition: OpDefinition) -> Check:
    """One check of all counts, since nearly every operation has what it must have."""
    # A region that may be empty is there all the same.
    required = [Arity.VARIADIC if r.arity is Arity.VARIADIC else Arity.ONE for r in definition.regions]
    regions = range(_MOST) if _accepts_any_number([r.arity for r in definition.regions]) else _allowed(required)
    results = _allowed([result.arity for result in definition.results])
    successors = _allowed([successor.arity for successor in definition.successors])
    operands = _allowed([operand.arity for operand in definition.operands])

    def check(op: Operation) -> str | None:
        if (
            len(op.regions) in regions
            and len(op.results) in results
            and len(op.successors) in successors
            and len(op.operands) in operands
        ):
            return None
        return (
            _miscounted(_REGIONS, regions, len(op.regions))
            or _miscounted(_RESULTS, results, len(op.results))
            or _miscounted(_SUCCESSORS, successors, len(op.successors))
            or _miscounted(_OPERANDS, operands, len(op.operands))
        )

    return check


_MOST: Final = 1 << 62
"""More of anything than there can be."""


def _allowed(arities: Sequence[Arity]) -> range:
    """How many there may be by the definition."""
    fixed = sum(arity is Arity.ONE for arity in arities)
    if _accepts_any_number(arities):
        return range(_MOST)
    return range(fixed, fixed + 1 if fixed == len(arities) else _MOST)


def _miscounted(words: tuple[str, str, str, str], allowed: range, count: int) -> str | None:
    """What is wrong with a count, if anything is."""
    if count in allowed:
        return None
    least = allowed.start
    return words[3 if allowed.stop == _MOST else min(least, 2)].format(least, count)


def _segments_check(kind: str, groups: int, count: Callable[[Operation], int]) -> Check:
    name = SEGMENTS[f"{kind}s"]

    def check(op: Operation) -> str | None:
        attribute = op.properties.get(name)
        # Where the property cannot hold what was given, it says that there is nothing.
        is_held = isinstance(attribute, DenseArrayAttr) and attribute.element == I32 and len(attribute.values) == groups
        sizes = attribute.values if is_held and isinstance(attribute, DenseArrayAttr) else ()
        if any(size < 0 for size in sizes):
            return f"'{name}' attribute cannot have negative elements"
        total = sum(sizes)
        if total == count(op):
            return None
        return (
            f"{kind} count ({count(op)}) does not match with the total size ({total}) specified in attribute '{name}'"
        )

    return check


def _has_single_blocks(op: Operation) -> str | None:
    for index, region in enumerate(op.regions):
        if region.first is not region.last:
            return f"expects region #{index} to have 0 or 1 blocks"
        if region.first is not None and region.first.is_empty and not op.has(NO_TERMINATOR):
            return "expects a non-empty block"
    return None


def _has_graphs(op: Operation) -> str | None:
    for index, region in enumerate(op.regions):
        if region.first is not region.last:
            return f"expects graph region #{index} to have 0 or 1 blocks"
    return None


def is_last(op: Operation) -> str | None:
    return None if op.next is None else "must be the last operation in the parent block"


# ---- operands and results


def _group_checks(definition: OpDefinition) -> list[Check]:
    checks: list[Check] = []
    if definition.operands:
        checks.append(_values_check("operand", definition.operands))
    if definition.results:
        checks.append(_values_check("result", definition.results))
    return checks


def _values_check(kind: str, groups: Sequence[Operand | Result]) -> Check:
    arities = [group.arity for group in groups]
    segments = SEGMENTS[f"{kind}s"]
    is_operands = kind == "operand"

    ones = tuple(group.constraint for group in groups) if all(arity is Arity.ONE for arity in arities) else None

    def check(op: Operation) -> str | None:
        values = op.operands if is_operands else op.results
        if ones is not None and len(values) == len(ones) and segments not in op.properties:
            for constraint, value in zip(ones, values, strict=True):
                if not constraint.accepts(value.type):
                    break
            else:
                return None
        sizes = group_sizes(arities, len(values), op, segments)
        start = 0
        for group, size in zip(groups, sizes, strict=True):
            if group.arity is Arity.OPTIONAL and size > 1:
                return f"{kind} group starting at #{start} requires 0 or 1 element, but found {size}"
            accepts = group.constraint.accepts
            for index in range(start, min(start + size, len(values))):
                type = values[index].type
                if not accepts(type):
                    variadic = "variadic of " if group.arity is Arity.VARIADIC else ""
                    return f"{kind} #{index} must be {variadic}{group.constraint.summary}, but got '{type}'"
            start += size
        return None

    return check


def _distinct(rules: Sequence[TypeRule]) -> list[TypeRule]:
    """One rule for each message and target: those from other sources say the same."""
    distinct: dict[tuple[str, str], TypeRule] = {}
    for rule in rules:
        distinct.setdefault((rule.message, rule.target), rule)
    return list(distinct.values())


def _is_typed(rule: TypeRule, names: frozenset[str]) -> bool:
    """Whether a rule is about types alone, and not about an attribute's value."""
    return rule.target in names and names.issuperset(rule.sources)


def _rule_check(definition: OpDefinition, rule: TypeRule) -> Check:
    def check(op: Operation) -> str | None:
        groups = _types_by_group(definition, op)
        target = groups.get(rule.target)
        if target is None or (rule.optional and not target):
            return None
        sources: list[object] = []
        for name in rule.sources:
            if name in groups:
                sources.append(groups[name])
            elif name in op.properties:
                sources.append([op.properties[name]])
            else:
                return None
        if any(not source for source in sources):
            return None
        inferred = rule.infer(*sources)
        return None if inferred is None or inferred == target else f"failed to verify that {rule.message}"

    return check


def _types_by_group(definition: OpDefinition, op: Operation) -> dict[str, list[Type]]:
    operands = group_sizes([o.arity for o in definition.operands], len(op.operands), op, SEGMENTS["operands"])
    results = group_sizes([r.arity for r in definition.results], len(op.results), op, SEGMENTS["results"])
    return {
        **split_groups([o.name for o in definition.operands], operands, [v.type for v in op.operands]),
        **split_groups([r.name for r in definition.results], results, [v.type for v in op.results]),
    }


# ---- regions


def _region_checks(regions: Sequence[RegionDefinition]) -> list[Check]:
    demands = [region.demand for region in regions]
    if all(not least and most is None for least, most, _ in demands):
        return []

    def check(op: Operation) -> str | None:
        for index, region in enumerate(op.regions):
            at = min(index, len(regions) - 1)
            least, most, words = demands[at]
            if at != index and regions[at].arity is not Arity.VARIADIC:
                break
            count = 1 if region.has_one_block else sum(1 for _ in region.blocks)
            if count < least or (most is not None and count > most):
                named = regions[at].name not in ("", f"_region{at}")
                name = f" ('{regions[at].name}')" if named else ""
                return f"region #{index}{name} failed to verify constraint: {words}"
        return None

    return [check]


def values_wanted(op: Operation, definition: OpDefinition) -> str:
    """What the property may be that is not what it should be, where that is an enumeration; else empty."""
    for prop in definition.properties:
        value = op.properties.get(prop.name)
        if value is not None and (wanted := prop.constraint.wanted(prop.name)) and not prop.constraint.accepts(value):
            return wanted
    return ""
