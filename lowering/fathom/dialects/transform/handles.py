"""Handles: what the types of transform stand for, and which of its operands an operation consumes.

A handle stands for operations, for values or for parameters, as the interface of its type says. Of an operation that
consumes a handle, the handle means nothing any more; all others read theirs. Of an operation of an extension that only
C++ knows, nobody knows more than its traits say.

Source of the rules: *Transform Dialect*, "Handle Invalidation", and the memory effects of MLIR 22's operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.types import Type, UnknownType
from fathom.irdl.interfaces import EffectKind, MemoryEffects, SymbolTable
from fathom.irdl.symbols import symbol_in
from fathom.irdl.terms import Test
from fathom.ops import transform as ops

OPERATIONS: Final = "TransformHandleTypeInterface"
VALUES: Final = "TransformValueHandleTypeInterface"
PARAMETERS: Final = "TransformParamTypeInterface"
KINDS: Final = (OPERATIONS, PARAMETERS, VALUES)


def stands_for(*kinds: str) -> Callable[[object], bool]:
    """Whether a type is a handle of one of these kinds; one that nobody knows may be one."""

    def accepts(type: object) -> bool:
        if isinstance(type, UnknownType):
            return True
        if not isinstance(type, DialectType):
            return False
        # The extension for pdl makes its operations handles.
        return not {*kinds}.isdisjoint(type.definition.traits) or (
            OPERATIONS in kinds and type.full_name == "pdl.operation"
        )

    return accepts


IS_OPERATION: Final = stands_for(OPERATIONS)
IS_VALUE: Final = stands_for(VALUES)
IS_PARAMETER: Final = stands_for(PARAMETERS)
IS_ANY: Final = stands_for(*KINDS)


def are_of_one_kind(one: Type, other: Type) -> bool:
    """Whether two handles stand for the same kind of thing."""
    return any(accepts(one) and accepts(other) for accepts in (IS_OPERATION, IS_PARAMETER, IS_VALUE))


def implements(op: Operation, *names: str) -> bool:
    """Whether an operation has one of these traits or interfaces; one that nobody defines may have any."""
    return op.definition is None or any(trait.name in names for trait in op.definition.traits)


def is_transform(op: Operation) -> bool:
    """Whether an operation is one that the interpreter applies."""
    return implements(op, "TransformOpInterface", "MatchOpInterface")


# ---- what is consumed

_FIRST: Final = frozenset((0,))
_NONE: Final = frozenset[int]()

_CONSUME_FIRST: Final = frozenset(
    """
    affine.simplify_bounded_affine_ops affine.simplify_min_max_affine_ops apply_registered_pass foreach_match
    func.deduplicate_func_args func.replace_func_signature loop.promote_if_one_iteration memref.alloca_to_global
    nvgpu.create_async_groups structured.fuse structured.fuse_into_containing_op structured.pack
    structured.pack_greedily structured.pad structured.pad_tiling_interface structured.replace structured.split
    structured.tile_using_for structured.tile_using_forall structured.vectorize xegpu.set_desc_layout
    """.split()
)
"""The operations that consume the first of their operands and read the others."""

_SPARED_BY: Final = {
    "apply_conversion_patterns": "preserve_handles",
    "structured.bufferize_to_allocation": "bufferize_destination_only",
}
"""Those that consume their first operand unless they have this property."""


def consumed(op: Operation) -> frozenset[int]:
    """The places of the operands that an operation consumes, as far as is known."""
    name = op.name.removeprefix("transform.")
    if name in _CONSUME_FIRST:
        return _FIRST if op.operands else _NONE
    if name in _SPARED_BY:
        return _NONE if _SPARED_BY[name] in op.properties else _FIRST
    if name in _BY_REGION:
        return _BY_REGION[name](op)
    effects = op.interface(MemoryEffects)
    if effects is not None:
        return _freed(op, effects)
    if name == "alternatives" or (op.definition is not None and implements(op, "FunctionalStyleTransformOpTrait")):
        return frozenset(range(len(op.operands)))
    return _NONE


def _freed(op: Operation, effects: MemoryEffects) -> frozenset[int]:
    """What an operation says that it frees, whatever its traits say."""
    freed = [effect.value for effect in effects.effects(op) if effect.kind is EffectKind.FREE]
    return frozenset(index for index, operand in enumerate(op.operands) if any(operand is gone for gone in freed))


def consumed_arguments(block: Block) -> frozenset[int]:
    """The arguments of a block that something directly in it consumes."""
    places: dict[Value, int] = {argument: argument.index for argument in block.arguments}
    values = (op.operands[place] for op in block for place in consumed(op) if place < len(op.operands))
    return frozenset(places[value] for value in values if value in places)


def _in_body(op: Operation) -> frozenset[int]:
    """What the body of an operation consumes, whose arguments are its operands."""
    body = op.regions[0].first if op.regions else None
    if body is None or not op.operands:
        return _NONE
    return frozenset(place for place in consumed_arguments(body) if place < len(op.operands))


def _by_callee(op: Operation) -> frozenset[int]:
    """What the sequence that is included says that it consumes."""
    callee = included(op)
    if callee is None:
        return _NONE
    return frozenset(i for i in range(len(op.operands)) if has_argument_attribute(callee, i, "transform.consumed"))


def included(op: Operation) -> Operation | None:
    """The sequence that `transform.include` names, in the symbol tables around it."""
    target = op.properties.get("target")
    around = op.parent_op
    while isinstance(target, SymbolRefAttr) and around is not None:
        if around.interface(SymbolTable) is not None:
            sequence = symbol_in(around, target.root, *target.nested)
            if sequence is not None:
                return sequence if isinstance(sequence, ops.NamedSequenceOp) else None
        around = around.parent_op
    return None


def has_argument_attribute(function: Operation, index: int, name: str) -> bool:
    """Whether an argument of a function has an attribute."""
    from fathom.dialects.func.signatures import attributes_at

    return any(key == name for key, _ in attributes_at(function, "arg_attrs", index).entries)


_BY_REGION: Final[Mapping[str, Callable[[Operation], frozenset[int]]]] = {
    "foreach": _in_body,
    "include": _by_callee,
    "sequence": _in_body,
    "with_pdl_patterns": _in_body,
}


def consumers(value: Value) -> list[tuple[Operation, int]]:
    """The uses of a handle that may consume it. What is no transform is taken to."""
    users: list[tuple[Operation, int]] = []
    for user in value.uses:
        places = [index for index, operand in enumerate(user.operands) if operand is value]
        if user.definition is None:
            continue
        taken = consumed(user) if is_transform(user) else frozenset(places)
        users += [(user, place) for place in places if place in taken]
    return users


# ---- constraints that only C++ says


def _handle_to(name: str) -> Callable[[object], bool]:
    """A handle to operations of one name."""

    def accepts(type: object) -> bool:
        if isinstance(type, UnknownType):
            return True
        return isinstance(type, DialectType) and type.full_name == "transform.op" and type.parameters[0] == name

    return accepts


PREDICATES: Final[Mapping[str, Test]] = {
    OPERATIONS: IS_OPERATION,
    PARAMETERS: IS_PARAMETER,
    VALUES: IS_VALUE,
    "TransformAnyHandle": stands_for(OPERATIONS, VALUES),
    "TransformAnyParamTypeOrAnyHandle": stands_for(OPERATIONS, PARAMETERS),
    "Transform_AnyHandleOrParamType": IS_ANY,
    "Transform_AnyHandleType": stands_for(OPERATIONS, VALUES),
    "Transform_AllocTensorOp": _handle_to("bufferization.alloc_tensor"),
    "Transform_EmptyOp": _handle_to("tensor.empty"),
    "Transform_MemRefAllocOp": _handle_to("memref.alloc"),
    "Transform_MemRefAllocaOp": _handle_to("memref.alloca"),
    "Transform_ScfForOp": _handle_to("scf.for"),
}
"""What decides each constraint."""
