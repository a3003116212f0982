"""The products of matrices whose operands stand in groups: `nvvm.mma.sync`, with sparse and with scaled operands.

    nvvm.mma.sync A[%a] B[%b] C[%c0, %c1] {shape = #nvvm.shape<m = 8, n = 8, k = 4>, …} : (f64, f64, f64) -> …

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.nvvm.rules import members
from fathom.ir.attributes import UNIT, DenseArrayAttr
from fathom.ir.types import F16, F32, F64, I16, I32, IntegerType, VectorType
from fathom.irdl.cases import case_of
from fathom.irdl.definition import CustomSyntax
from fathom.ops import nvvm as ops
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.ir.types import Type
    from fathom.irdl.parametric import Parametric
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

PAIR: Final = VectorType((2,), F16)
_SEGMENTS: Final = "operandSegmentSizes"
_FACTORS: Final = ("multiplicandAPtxType", "multiplicandBPtxType")
_TYPED: Final = {"A": "operandA", "B": "operandB", "C": "operandC"}
"""The groups whose types the text has, by the words in front of them."""
_SPARSE: Final = {"sparseMetadata": ("sparseMetadata",), "selector": ("sparsitySelector",)}
_SCALED: Final = {f"scale{side}": (f"scale{side}Data", f"byteId{side}", f"threadId{side}") for side in ("A", "B")}
_SCALE_TYPES: Final = (I32, I16, I16)


@record
class _Form:
    """What differs from one product to the other: the groups besides A, B and C, and what is implied."""

    further: dict[str, tuple[str, ...]]
    accumulates: bool = False
    """Whether the factors' elements are taken for those of a sum where they are read, and white space surrounds
    groups: the eldest of the family."""
    ordered: bool = False
    """Whether the sparse operand's metadata is ordered in any case."""
    exact: str = ""
    """What is said of another number of types than three, where they stand."""


@record
class _Read:
    groups: tuple[tuple[Ref, ...], ...]
    types: tuple[Node, ...]
    result: Node


def element_word(type: Type, *, sum: bool) -> str | None:
    """What PTX calls the elements that are held in registers of a type, of a factor or of a sum; None where that does
    not follow."""
    if type == F64:
        return "f64"
    if type in (F16, PAIR):
        return "f16"
    if type == F32:
        return "f32" if sum else "tf32"
    if isinstance(type, IntegerType):
        return "s32" if sum else None
    body = members(type)
    return element_word(body[0], sum=sum) if body else None


def _syntax(form: _Form, element: Callable[[], Parametric]) -> CustomSyntax[_Read]:
    def parse(parser: OpParser, parsed: ParsedOp) -> _Read:
        groups: list[tuple[Ref, ...]] = []
        for name in (*_TYPED, *form.further):
            parser.expect(name)
            groups.append(tuple(parser.value_list("[", "]") if parser.at("[") else ()))
        parser.attr_dict(parsed)
        parser.expect(":")
        parser.expect("(")
        types = parser.type_list()
        if len(types) != 3 and form.exact:
            parser.fail(f"custom op '{parsed.name}' {form.exact}")
        parser.expect(")")
        if len(types) != 3:
            count = f"expected one type for each operand segment but got {len(types)} types"
            parser.fail(f"custom op '{parsed.name}' {count}", parsed.name_token)
        parser.expect("->")
        (result, *_) = parser.arrow_types() or [parser.plain_type()]
        return _Read(tuple(groups), tuple(types), result)

    def resolve(resolver: Resolver, parsed: ParsedOp, read: _Read) -> None:
        types = resolver.types(read.types)
        operands = [
            resolver.operand_list(group, [type] * len(group))
            for group, type in zip(read.groups[:3], types, strict=True)
        ]
        for group, names in zip(read.groups[3:], form.further.values(), strict=True):
            operands.append(resolver.operand_list(group, _SCALE_TYPES[: len(names)]))
        resolver.operands = [value for group in operands for value in group]
        resolver.result_types = [resolver.type(read.result)]
        for name, type in zip(_FACTORS, types[:2], strict=True):
            if name in resolver.properties:
                continue
            word = element_word(type, sum=form.accumulates)
            attribute = case_of(element(), word) if word is not None else None
            if attribute is not None:
                resolver.properties[name] = attribute
            elif not form.exact:
                missing = f"attribute {name} is not provided explicitly and cannot be inferred"
                resolver.fail(f"custom op '{parsed.name}' {missing}")
        if form.ordered:
            resolver.properties.setdefault("orderedMetadata", UNIT)
        sizes = [len(group) for group in read.groups[:3]] + [1 for names in form.further.values() for _ in names]
        resolver.properties[_SEGMENTS] = DenseArrayAttr(I32, tuple(sizes))

    def write(op: ops.MmaBlockScaleOp | ops.MmaSpBlockScaleOp | ops.MmaSpSyncOp | ops.MmaSyncOp, p: OpPrinter) -> None:
        typed = [op.all_of(name) for name in _TYPED.values()]
        for word, values in zip(_TYPED, typed, strict=True):
            p.write(f" {word}[")
            p.values(values)
            p.write("] " if form.accumulates else "]")
        for word, names in form.further.items():
            p.write(f" {word}[")
            p.values([value for name in names for value in op.all_of(name)])
            p.write("]")
        types = [values[0].type for values in typed if values]
        # The eldest asks the first operand about both factors.
        asked = types[:1] * 2 if form.accumulates else types
        elided = [name for name, type in zip(_FACTORS, asked, strict=False) if element_word(type, sum=False)]
        p.attr_dict(op, (_SEGMENTS, *elided))
        p.write(" : (")
        p.types(types)
        p.write(") -> ")
        p.type(op.result.type)

    return CustomSyntax(parse, write, resolve)


def syntaxes(element: Callable[[], Parametric]) -> dict[str, CustomSyntax[_Read]]:
    """The syntaxes of the products; `element` gives the definition of the attribute that names types of elements."""
    return {
        "mma.sync": _syntax(_Form({}, accumulates=True), element),
        "mma.sp.sync": _syntax(_Form(_SPARSE), element),
        "mma.block_scale": _syntax(_Form(_SCALED, exact="expected exactly 3 types"), element),
        "mma.sp.block_scale": _syntax(
            _Form({**_SPARSE, **_SCALED}, ordered=True, exact="expected exactly 3 types"), element
        ),
    }
