"""Reading and writing the elements of memrefs.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import (
    ALIGNMENT,
    INDICES,
    NONTEMPORAL,
    element_rule,
    rank_of,
)
from fathom.ir.attributes import FALSE, TRUE, IntegerAttr, i32_attr
from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC, I32, I64, FloatType, IntegerType, MemRefType
from fathom.irdl.constraint import AttributeConstraint, AttributeForm
from fathom.irdl.constraints import (
    ANY,
    ANY_MEMREF,
    ANY_RANKED_OR_UNRANKED_MEMREF,
    BOOL,
    SIGNLESS_INTEGER_OR_FLOAT,
    integer_enum,
)
from fathom.irdl.definition import CustomSyntax, OpDefinition, Operand, Problem, Property, RegionDefinition, Result
from fathom.irdl.infer import same_types
from fathom.irdl.interfaces import EffectKind, effects_on
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.traits import PURE, RETURN_LIKE, SINGLE_BLOCK, TERMINATOR, Trait, has_parent
from fathom.rewriting.effects import is_memory_effect_free

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

MEMREF: Final = Operand("memref", ANY_MEMREF)


def _verify_load(op: Operation) -> list[Problem]:
    rank, given = rank_of(op.operands[0]), len(op.operands) - 1
    if rank is None or rank == given:
        return []
    return [Problem(f"incorrect number of indices for load, expected {rank} but got {given}")]


def _verify_store(op: Operation) -> list[Problem]:
    if rank_of(op.operands[1]) in (None, len(op.operands) - 2):
        return []
    return [Problem("store index operand count not equal to memref rank")]


LOAD: Final = OpDefinition(
    "memref.load",
    interfaces=(effects_on((EffectKind.READ, "memref")),),
    operands=(MEMREF, INDICES),
    results=(Result("result", ANY),),
    properties=(NONTEMPORAL, ALIGNMENT),
    rules=(element_rule("result", "memref", "result type matches element type of 'memref'"),),
    assembly="$memref `[` $indices `]` attr-dict `:` type($memref)",
    verify=_verify_load,
    summary="an element, read",
)


STORE: Final = OpDefinition(
    "memref.store",
    interfaces=(effects_on((EffectKind.WRITE, "memref")),),
    operands=(Operand("value", ANY), MEMREF, INDICES),
    properties=(NONTEMPORAL, ALIGNMENT),
    rules=(element_rule("value", "memref", "type of 'value' matches element type of 'memref'"),),
    assembly="$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)",
    verify=_verify_store,
    summary="an element, written",
)


def _same_shape(op: Operation) -> str | None:
    shapes = [v.type.shape for v in op.operands if isinstance(v.type, MemRefType)]
    if any(shape is None for shape in shapes) or len(shapes) != 2:
        return None
    source, target = shapes
    assert source is not None
    assert target is not None
    fits = len(source) == len(target) and all(a == b or DYNAMIC in (a, b) for a, b in zip(source, target, strict=True))
    return None if fits else "requires the same shape for all operands"


def _same_elements(op: Operation) -> str | None:
    elements = {v.type.element for v in op.operands if isinstance(v.type, MemRefType)}
    return None if len(elements) <= 1 else "requires the same element type for all operands"


COPY: Final = OpDefinition(
    "memref.copy",
    interfaces=(effects_on((EffectKind.READ, "source"), (EffectKind.WRITE, "target")),),
    operands=(Operand("source", ANY_RANKED_OR_UNRANKED_MEMREF), Operand("target", ANY_RANKED_OR_UNRANKED_MEMREF)),
    traits=(Trait("SameOperandsElementType", _same_elements), Trait("SameOperandsShape", _same_shape)),
    assembly="$source `,` $target attr-dict `:` type($source) `to` type($target)",
    summary="all elements, copied",
)

# ---- read-modify-write

KINDS: Final = {
    name: number
    for number, name in enumerate(
        "addf addi andi assign maximumf maxnumf maxs maxu minimumf minnumf mins minu mulf muli ori xori".split()
    )
}
FLOAT_KINDS: Final = frozenset(("addf", "maximumf", "maxnumf", "minimumf", "minnumf", "mulf"))
INTEGER_KINDS: Final = frozenset(KINDS) - FLOAT_KINDS - {"assign"}


def kind_of(op: Operation) -> str:
    """The keyword of an `atomic_rmw`."""
    attribute = op.properties.get("kind")
    number = attribute.value if isinstance(attribute, IntegerAttr) else -1
    return next((name for name, value in KINDS.items() if value == number), "")


def _verify_atomic(op: Operation) -> list[Problem]:
    if rank_of(op.operands[1]) not in (None, len(op.operands) - 2):
        return [Problem("expects the number of subscripts to be equal to memref rank")]
    kind, type = kind_of(op), op.operands[0].type
    if kind in FLOAT_KINDS and not isinstance(type, FloatType):
        return [Problem(f"with kind '{kind}' expects a floating-point type")]
    if kind in INTEGER_KINDS and not isinstance(type, IntegerType):
        return [Problem(f"with kind '{kind}' expects an integer type")]
    return []


ATOMIC_RMW: Final = OpDefinition(
    "memref.atomic_rmw",
    interfaces=(effects_on((EffectKind.READ, "memref"), (EffectKind.WRITE, "memref")),),
    operands=(Operand("value", SIGNLESS_INTEGER_OR_FLOAT), MEMREF, INDICES),
    results=(Result("result", SIGNLESS_INTEGER_OR_FLOAT),),
    properties=(Property("kind", integer_enum(KINDS, I64)),),
    rules=(
        *same_types("value", "result"),
        element_rule("value", "memref", "value type matches element type of memref"),
    ),
    assembly="$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` "
    "`->` type($result)",
    verify=_verify_atomic,
    summary="an element, replaced in one step by what an operation makes of it",
)


def _parse_generic_atomic(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.operands["memref"] = [cursor.value_use()]
    parsed.operands["indices"] = cursor.value_list("[", "]")
    cursor.expect(":")
    parsed.types["memref"] = [cursor.type()]
    cursor.region(parsed)
    cursor.attr_dict(parsed)


def _print_generic_atomic(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.operand("memref"))
    p.write("[")
    p.values(op.group("indices"))
    p.write("] : ")
    p.type(op.operands[0].type)
    p.write(" ")
    p.region(op.regions[0])
    p.attr_dict(op)


def _verify_generic_atomic(op: Operation) -> list[Problem]:
    body = op.regions[0].first
    if body is None or len(body.arguments) != 1:
        return [Problem("expected single number of entry block arguments")]
    if body.arguments[0].type != op.result.type:
        return [Problem("expected block argument of the same type result type")]
    message = f"body of '{op.name}' should contain only operations with no side effects"
    for inner in op.regions[0].walk():
        if not is_memory_effect_free(inner):
            return [Problem(message, at=inner, bare=True)]
    return []


GENERIC_ATOMIC_RMW: Final = OpDefinition(
    "memref.generic_atomic_rmw",
    interfaces=(effects_on((EffectKind.READ, "memref"), (EffectKind.WRITE, "memref")),),
    operands=(MEMREF, INDICES),
    results=(Result("result", SIGNLESS_INTEGER_OR_FLOAT),),
    regions=(RegionDefinition("atomic_body"),),
    traits=(SINGLE_BLOCK,),
    rules=(element_rule("result", "memref", "result type matches element type of memref"),),
    custom=CustomSyntax(_parse_generic_atomic, _print_generic_atomic),
    verify=_verify_generic_atomic,
    summary="an element, replaced in one step by what a region makes of it",
)


def _verify_atomic_yield(op: Operation) -> list[Problem]:
    parent = op.parent_op
    if parent is None or not parent.results or parent.result.type == op.operands[0].type:
        return []
    types = f"'{op.operands[0].type}' and its parent: '{parent.result.type}'"
    return [Problem(f"types mismatch between yield op: {types}")]


ATOMIC_YIELD: Final = OpDefinition(
    "memref.atomic_yield",
    operands=(Operand("result", ANY),),
    traits=(has_parent("memref.generic_atomic_rmw"), PURE, TERMINATOR, RETURN_LIKE),
    assembly="$result attr-dict `:` type($result)",
    verify=_verify_atomic_yield,
    summary="the new value of an element",
)

# ---- prefetch

LOCALITY: Final = AttributeConstraint(
    "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    lambda a: isinstance(a, IntegerAttr) and a.type == I32 and 0 <= a.value <= 3,
    AttributeForm.TYPED_LITERAL,
    I32,
)


def _parse_prefetch(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.operands["memref"] = [cursor.value_use()]
    parsed.operands["indices"] = cursor.value_list("[", "]")
    cursor.expect(",")
    word = cursor.keyword(("read", "write"), f"custom op '{parsed.name}' rw specifier has to be 'read' or 'write'")
    parsed.attributes["isWrite"] = TRUE if word == "write" else FALSE
    cursor.expect(",")
    expect_keyword(cursor, parsed, "locality")
    cursor.expect("<")
    parsed.attributes["localityHint"] = i32_attr(cursor.integer_literal())
    cursor.expect(">")
    cursor.expect(",")
    word = cursor.keyword(("data", "instr"), f"custom op '{parsed.name}' cache type has to be 'data' or 'instr'")
    parsed.attributes["isDataCache"] = TRUE if word == "data" else FALSE
    cursor.attr_dict(parsed)
    cursor.expect(":")
    parsed.types["memref"] = [cursor.type()]


def _print_prefetch(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.operand("memref"))
    p.write("[")
    p.values(op.group("indices"))
    hint = op.properties["localityHint"]
    assert isinstance(hint, IntegerAttr)
    direction = "write" if op.properties["isWrite"] == TRUE else "read"
    cache = "data" if op.properties["isDataCache"] == TRUE else "instr"
    p.write(f"], {direction}, locality<{hint.value}>, {cache}")
    p.attr_dict(op, elide=("localityHint", "isWrite", "isDataCache"))
    p.write(" : ")
    p.type(op.operands[0].type)


PREFETCH: Final = OpDefinition(
    "memref.prefetch",
    interfaces=(effects_on((EffectKind.WRITE, "memref")),),
    operands=(MEMREF, INDICES),
    properties=(
        Property("isWrite", BOOL),
        Property("localityHint", LOCALITY),
        Property("isDataCache", BOOL),
    ),
    custom=CustomSyntax(_parse_prefetch, _print_prefetch),
    verify=lambda op: [] if rank_of(op.operands[0]) in (None, len(op.operands) - 1) else [Problem("too few indices")],
    summary="an element that will be used soon",
)


OPERATIONS: Final = (
    LOAD,
    STORE,
    COPY,
    ATOMIC_RMW,
    GENERIC_ATOMIC_RMW,
    ATOMIC_YIELD,
    PREFETCH,
)
