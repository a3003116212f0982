"""The ptr dialect, described in `mlir-22/ptr.toml`: the types that follow from others, and its effects.

Source of the rules: *'ptr' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.ir.attributes import FALSE, IntegerAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import MemRefType, ShapedType, TensorType, Type, VectorType
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import TypeRule
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import ParsedOp, Resolver


def is_pointer(type: Type) -> bool:
    return isinstance(type, DialectType) and type.full_name == "ptr.ptr"


def _sum_type(base: list[Type], offset: list[Type]) -> list[Type] | None:
    """The type of a pointer that an offset is added to, element by element."""
    (pointer,), (number,) = base, offset
    if isinstance(pointer, ShapedType) or not isinstance(number, ShapedType):
        return [pointer]
    if isinstance(number, VectorType):
        return [VectorType(number.shape, pointer, number.scalable)]
    return [TensorType(number.shape, pointer, number.encoding)] if isinstance(number, TensorType) else [pointer]


def _metadata_of(types: list[Type]) -> list[Type] | None:
    return [DESCRIPTION.types["PtrMetadataType"].make_type(type=types[0])]


def space_of(type: Type) -> Attribute | None:
    """The memory space of a memref, or of what a pointer points to."""
    if isinstance(type, MemRefType):
        return type.space
    space = type.parameters[0] if isinstance(type, DialectType) and is_pointer(type) else None
    return space if not isinstance(space, (Type, int, str, tuple)) else None


# ---- accesses

ORDERINGS: Final = ("not_atomic", "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")


def _effects(pointer: str, value: str) -> MemoryEffects:
    """Those of an access by a pointer to what a value is of."""
    kind = EffectKind.WRITE if value else EffectKind.READ

    def effects(op: Operation) -> Sequence[Effect]:
        own, ordering = Effect(kind, op.one_of(pointer)), op.properties.get("ordering")
        is_volatile = op.properties.get("volatile_") not in (None, FALSE)
        if not is_volatile and not (
            isinstance(ordering, IntegerAttr) and ordering.value > ORDERINGS.index("unordered")
        ):
            return (own,)
        return (own, Effect(EffectKind.WRITE), Effect(EffectKind.READ))

    return MemoryEffects(effects)


def sum_problem(base: Type, offset: Type) -> str | None:
    if not isinstance(base, ShapedType) or not isinstance(offset, ShapedType):
        return None
    if base.shape != offset.shape:
        return "shapes of base and offset must match"
    return None if type(base) is type(offset) else "the shaped containers type must match"


def _resolve_sum(resolver: Resolver, parsed: ParsedOp) -> None:
    """What is added up fits before a type follows from it."""
    base, offset = (resolver.type(parsed.types[name][0]) for name in ("base", "offset"))
    if problem := sum_problem(base, offset):
        resolver.fail(problem)
    resolver.resolve_by_rules()


_BITS: Final = 8


def _spec_problem(parameters: Mapping[str, Parameter]) -> str | None:
    for name in ("size", "abi", "preferred", "index"):
        value = parameters[name]
        if isinstance(value, int) and value % _BITS:
            return f"{name} entry must be divisible by 8"
    abi, preferred = parameters["abi"], parameters["preferred"]
    if isinstance(abi, int) and isinstance(preferred, int) and abi > preferred:
        return "preferred alignment is expected to be at least as large as ABI alignment"
    return None


ACCESSES: Final = {
    "gather": ("ptrs", ""),
    "load": ("ptr", ""),
    "masked_load": ("ptr", ""),
    "masked_store": ("ptr", "value"),
    "scatter": ("ptrs", "value"),
    "store": ("ptr", "value"),
}
"""The pointer and what is written, if anything is."""
CODE: Final = DialectCode(
    operations={
        **{name: OpCode(interfaces=(_effects(*groups),)) for name, groups in ACCESSES.items()},
        "get_metadata": OpCode(rules=(TypeRule("result", ("ptr",), _metadata_of, ""),)),
        "ptr_add": OpCode(rules=(TypeRule("result", ("base", "offset"), _sum_type, ""),), resolve=_resolve_sum),
    },
    parameters={"SpecAttr": _spec_problem},
)
DESCRIPTION: Final = description_of("ptr", CODE)
DIALECT: Final = DESCRIPTION.dialect()
