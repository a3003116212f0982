"""The products of matrices whose operands stand in groups: `nvvm.mma.sync`, with sparse and with scaled operands; which
shapes there are, and in what registers each operand is held.

    nvvm.mma.sync A[%a] B[%b] C[%c0, %c1] {shape = #nvvm.shape<m = 8, n = 8, k = 4>, …} : (f64, f64, f64) -> …

Source of the rules: *'nvvm' Dialect*; the texts are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMStructType
from fathom.dialects.nvvm.rules import extents, members
from fathom.ir.attributes import UNIT, DenseArrayAttr
from fathom.ir.types import F16, F32, F64, I16, I32, IntegerType, Type, VectorType
from fathom.irdl.cases import case_of, word, word_of
from fathom.irdl.checking import bare
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import nvvm as ops
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.ir.operation import Operation
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
        for label, values in zip(_TYPED, typed, strict=True):
            p.write(f" {label}[")
            p.values(values)
            p.write("] " if form.accumulates else "]")
        for label, names in form.further.items():
            p.write(f" {label}[")
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


# ---- checks


_INTEGERS: Final = ("s4", "u4", "s8", "u8", "b1")
_SMALL_FLOATS: Final = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
_DENSE: Final = {"tf32": 4, "bf16": 8, "f16": 8, "s4": 32, "u4": 32, "b1": 128, "s8": 16, "u8": 16}
"""The extent k of a tile, of which one or two make a product of 16 rows, by the type of a."""
_SPARSE_TILES: Final = {name: size for name, size in _DENSE.items() if name != "b1"} | dict.fromkeys(_SMALL_FLOATS, 32)
_SPARSE_DEPTHS: Final = {**{name: (2 * size, 4 * size) for name, size in _SPARSE_TILES.items()}} | dict.fromkeys(
    _SMALL_FLOATS, (64,)
)
_EIGHTS: Final = {"s4": 32, "u4": 32, "s8": 16, "u8": 16, "b1": 128}
"""The extent k of a product of 8 rows, by the type of a."""


def _struct(type: Type, count: int) -> Type:
    return LLVMStructType((type,) * count)


@record
class _Held:
    """What a product of a shape is held in: how many registers of which types each operand may have, and the types of
    the result. Nothing, for a shape that there is not."""

    a: tuple[tuple[int, Type], ...] = ()
    b: tuple[tuple[int, Type], ...] = ()
    c: tuple[tuple[int, Type], ...] = ()
    results: tuple[Type, ...] = ()


_SUMS: Final = ((2, PAIR), (4, F32))


def _of_sixteen(kind: str, shape: tuple[int, ...], sparse: bool) -> _Held:
    _, n, k = shape
    tile = (_SPARSE_TILES if sparse else _DENSE)[kind]
    depths = _SPARSE_DEPTHS[kind] if sparse else (tile, 2 * tile)
    if n != 8 or k not in depths:
        return _Held()
    register = PAIR if kind == "f16" else I32
    count = k // tile
    # Of a sparse factor half is left out.
    a, b = ((count if sparse else 2 * count, register),), ((count, register),)
    if kind in _INTEGERS:
        return _Held(a, b, ((4, I32),), (_struct(I32, 4),))
    results = (_struct(F32, 4),) if kind in ("tf32", "bf16") else (_struct(PAIR, 2), _struct(F32, 4))
    return _Held(a, b, _SUMS, results)


def _of_eight(kind: str, shape: tuple[int, ...], sparse: bool) -> _Held:
    depth = {"f16": 4, "f64": 4, **_EIGHTS}.get(kind)
    if shape[1] != 8 or shape[2] != depth or (sparse and kind == "b1"):
        return _Held()
    if kind == "f16":
        held = ((2, PAIR),)
        return _Held(held, held, ((4, PAIR), (8, F32)), (_struct(PAIR, 4), _struct(F32, 8)))
    one = F64 if kind == "f64" else I32
    held = ((1, one),)
    return _Held(held, held, ((2, one),), (_struct(one, 2),))


def _check_types(op: ops.MmaSpSyncOp | ops.MmaSyncOp, sparse: bool) -> Complaint:
    """What the shape and the type of a demand."""
    kind, shape = word_of(op.multiplicandAPtxType), extents(op)
    if len(shape) != 3 or not kind:
        return None
    held = _Held()
    if shape[0] == 16:
        if kind not in (_SPARSE_TILES if sparse else _DENSE):
            return bare(f"invalid shape or multiplicand type: {kind}")
        sums = [value.type for value in op.operandC[:1]]
        if [element_word(op.result.type, sum=True)] != [element_word(type, sum=True) for type in sums]:
            return "ctype does not match dtype"
        held = _of_sixteen(kind, shape, sparse)
    elif shape[0] == 8:
        held = _of_eight(kind, shape, sparse)
    if not held.a:
        return f"unimplemented variant for MMA shape <{', '.join(map(str, shape))}>"
    for name, expected in (("A", held.a), ("B", held.b), ("C", held.c)):
        types = [value.type for value in op.all_of(f"operand{name}")]
        if not any(types == [register] * count for count, register in expected):
            listed = "".join(f"{count}x{register} " for count, register in expected)
            given = ", ".join(map(str, types))
            return f"Could not match types for the {name} operands; expected one of {listed}but got {given}"
    if op.result.type not in held.results:
        listed = ", ".join(map(str, held.results))
        what = "Could not match allowed types for the result; expected one of"
        return f"{what} {listed} but got {op.result.type}"
    return None


def _overflow(op: ops.MmaSpSyncOp | ops.MmaSyncOp) -> Complaint:
    if word_of(op.multiplicandAPtxType) in ("s4", "u4", "s8", "u8") and op.intOverflowBehavior is None:
        return "op requires intOverflowBehavior attribute"
    return None


@verifies("nvvm.mma.sync")
def dense(op: ops.MmaSyncOp) -> Complaint:
    """`nvvm.mma.sync`."""
    if problems := _check_types(op, sparse=False):
        return problems
    kind, shape = word_of(op.multiplicandAPtxType), extents(op)
    if kind == "b1" and op.b1Op is None:
        return "op requires b1Op attribute"
    if problems := _overflow(op):
        return problems
    plain = word_of(op.layoutA) == "row" and word_of(op.layoutB) == "col"
    if plain or (shape == (8, 8, 4) and kind == "f16"):
        return None
    layouts = "requires layoutA = #nvvm.mma_layout<row> and layoutB = #nvvm.mma_layout<col>"
    types = f"with element types {kind} and {word(op, 'multiplicandBPtxType')}"
    return f"{layouts} for shape <{', '.join(map(str, shape))}> {types}. Only m8n8k4 with f16 supports other layouts."


@verifies("nvvm.mma.sp.sync")
def sparse(op: ops.MmaSpSyncOp) -> Complaint:
    """`nvvm.mma.sp.sync`."""
    return _check_types(op, sparse=True) or _overflow(op)


# ---- scaled


@record
class _Scaled:
    """The shapes of a scaled product: of factors of 4 bits, and of others."""

    narrow: int
    wide: int
    noun: str


_DENSE_SCALED: Final = _Scaled(64, 32, "mma")
_SPARSE_SCALED: Final = _Scaled(128, 64, "sparse mma")
_FOURS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "mxf4": (("x2", "ue8m0"),),
    "mxf4nvf4": (("x2", "ue8m0"), ("x4", "ue4m3")),
}
"""The sizes and formats of scales for each kind of factors of 4 bits."""


def _scaled(op: ops.MmaBlockScaleOp | ops.MmaSpBlockScaleOp, shapes: _Scaled) -> Complaint:
    shape = extents(op)
    if shape == (16, 8, shapes.narrow):
        return _narrow(op, f"mma.m16n8k{shapes.narrow}")
    if shape != (16, 8, shapes.wide):
        return f"unsupported Geom for {shapes.noun} with block scaling"
    words = word_of(op.kind), word_of(op.scaleVecSize), word_of(op.blockScaleFormat)
    attributes = f"Kind, ScaleVecSize and BlockScaleFormat attributes for mma.m16n8k{shapes.wide}"
    return None if words == ("mxf8f6f4", "x1", "ue8m0") else f"unsupported {attributes}"


def _narrow(op: Operation, name: str) -> Complaint:
    kind, scale = word(op, "kind"), (word(op, "scaleVecSize"), word(op, "blockScaleFormat"))
    if any(word(op, f"multiplicand{side}PtxType") != "e2m1" for side in "AB"):
        return f"unsupported MMATypes attribute for {name}.(mxf4nvf4|mxf4)"
    known = _FOURS.get(kind)
    if known is None:
        return f"unsupported Kind attribute for {name}"
    if kind == "mxf4":
        if scale[0] != known[0][0]:
            return f"unsupported ScaleVecSize attribute for {name}.{kind}"
        if scale[1] != known[0][1]:
            return f"unsupported BlockScaleFormat attribute for {name}.{kind}"
    elif scale not in known:
        return f"unsupported ScaleVecSize and BlockScaleFormat attributes for {name}.{kind}"
    return None


@verifies("nvvm.mma.block_scale")
def scaled(op: ops.MmaBlockScaleOp) -> Complaint:
    """`nvvm.mma.block_scale`."""
    return _scaled(op, _DENSE_SCALED)


@verifies("nvvm.mma.sp.block_scale")
def sparse_scaled(op: ops.MmaSpBlockScaleOp) -> Complaint:
    """`nvvm.mma.sp.block_scale`."""
    if op.orderedMetadata is None:
        return "'orderedMetadata' attribute is mandatory"
    return _scaled(op, _SPARSE_SCALED)
