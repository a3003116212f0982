"""What operations of `test` fold to, how its branches pass operands on, and how it is canonicalised and inlined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import TRUE, ArrayAttr, Attribute, DictAttr, IntegerAttr, StringAttr
from fathom.ir.operation import Region
from fathom.ir.types import I32
from fathom.irdl.build import create
from fathom.irdl.code import OpCode
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.irdl.interfaces import (
    Effect,
    EffectKind,
    MemoryEffects,
    RegionBranch,
    RegionEdge,
    branch_by_groups,
    effects_on,
)
from fathom.rewriting.inlining_rules import InliningRules
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Span, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.rewriter import Rewriter


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation:
    """Any attribute is a constant of any type."""
    return create(context, "test.constant", (), [type], {"value": attribute}, span=span)


def takes_constants(region: Region) -> bool:
    """Constants stand where they are used."""
    return region.parent is not None and region.parent.name == "test.one_region_op"


# ---- folds


def _operands(op: Operation, constants: Constants) -> Folded:
    return op.operands


def _weighted_sum(op: Operation, constants: Constants) -> Folded:
    """Operands count once, twice or three times by their groups; a block counts four."""
    weights = [weight for name, weight in _WEIGHTS.items() for _ in op.all_of(name)]
    numbers = [constant.value if isinstance(constant, IntegerAttr) else 0 for constant in constants]
    total = sum(weight * number for weight, number in zip(weights, numbers, strict=True))
    return [IntegerAttr(total + 4 * len(list(op.regions[0].blocks)), op.result.type)]


_WEIGHTS: Final = {"op": 1, "variadic": 2, "var_of_var": 3}


def _keep_constant(op: Operation, constants: Constants) -> Folded:
    if not isinstance(constants[0], IntegerAttr) or "attr" in op.properties:
        return None
    op.properties["attr"] = constants[0]
    return []


def _mark(op: Operation, constants: Constants) -> Folded:
    if "folded" in op.properties:
        return None
    op.properties["folded"] = TRUE
    return []


def _allocated_and_written(op: Operation) -> list[Effect]:
    return [Effect(kind, op.result) for kind in (EffectKind.ALLOCATE, EffectKind.WRITE)]


def _listed_effects(op: Operation) -> list[Effect]:
    """Those that its attribute `effects` lists, on the result or on memory of which nothing is known."""
    listed = op.attribute("effects")
    effects: list[Effect] = []
    for element in listed.elements if isinstance(listed, ArrayAttr) else ():
        kind = element.get("effect") if isinstance(element, DictAttr) else None
        if isinstance(element, DictAttr) and isinstance(kind, StringAttr):
            on_result = element.get("on_result") is not None
            effects.append(Effect(_KINDS[kind.value], op.results[0] if on_result else None))
    return effects


_KINDS: Final = {
    "allocate": EffectKind.ALLOCATE,
    "free": EffectKind.FREE,
    "read": EffectKind.READ,
    "write": EffectKind.WRITE,
}

FOLDS: Final[Mapping[str, Fold]] = {
    "test.fold_with_fold_adaptor": _weighted_sum,
    "test.op_in_place_fold": _keep_constant,
    "test.op_in_place_self_fold": _mark,
    "test.op_with_region_fold": _operands,
    "test.op_with_variadic_results_and_folder": _operands,
}
OPERATIONS: Final = {
    "br": OpCode(interfaces=(branch_by_groups("targetOperands"),)),
    "internal_br": OpCode(interfaces=(branch_by_groups("successOperands", "errorOperands"),)),
    "test_effects_result": OpCode(interfaces=(MemoryEffects(_allocated_and_written),)),
    "read_buffer": OpCode(interfaces=(effects_on((EffectKind.READ, "buffer"), (EffectKind.WRITE, "")),)),
    "side_effect_op": OpCode(interfaces=(MemoryEffects(_listed_effects),)),
    "producing_br": OpCode(interfaces=(branch_by_groups("secondOperands", "firstOperands"),)),
}


# ---- where control goes


def _enter(op: Operation, constants: Constants) -> list[RegionEdge]:
    return [RegionEdge(region, op.operands) for region in op.regions[:2]]


def _leave(op: Operation, end: Operation, constants: Constants) -> list[RegionEdge]:
    last = op.regions[2]
    return [RegionEdge(None if end.parent_region is last else last, end.operands)]


JOINED: Final = RegionBranch(_enter, _leave)
"""One of the first two regions, then the third."""


# ---- patterns


def _erase(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    rewriter.erase(op)
    return None


def _call(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    rewriter.replace_with(op, "func.call", (), (), {"callee": op.properties["callee"]})
    return None


def _answer(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    rewriter.replace_with(op, "arith.constant", (), [I32], {"value": IntegerAttr(42, I32)})
    return None


PATTERNS: Final = (
    Pattern("test.dialect_canonicalizable", _answer),
    Pattern("test.fold_to_call_op", _call),
    Pattern("test.op_with_region_pattern", _erase, name="TestRemoveOpWithInnerOps"),
)

RULES: Final = InliningRules(takes=lambda target, body, given: True, holds=lambda op, target: True)
