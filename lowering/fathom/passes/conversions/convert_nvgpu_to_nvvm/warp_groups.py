"""Products of large matrices that four warps compute together, and their accumulators.

An accumulator is a struct for each 64 rows of the matrix, of the values that a thread holds of them. A product of
larger matrices than one instruction takes is several, in groups that are waited for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.llvm.types import LLVMStructType
from fathom.dialects.nvvm import case
from fathom.ir.attributes import FloatAttr, IntegerAttr, i32_attr
from fathom.ir.types import BF16, F16, F32, I1, I32, I64, INDEX, FloatType, IntegerType, ShapedType, Type
from fathom.passes.conversions.convert_nvgpu_to_nvvm.holdings import LOW_BITS, ROWS, described
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.patterns import integer
from fathom.records import record
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, named
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ops import nvgpu as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

# ---- products

_DEPTHS: Final[dict[Type, int]] = {
    FloatType("tf32"): 8,
    F16: 16,
    BF16: 16,
    FloatType("f8E4M3FN"): 32,
    FloatType("f8E5M2"): 32,
    IntegerType(16): 32,
    I1: 256,
}
"""How many columns of the first factor one instruction takes."""
_KINDS: Final[dict[Type, str]] = {
    F16: "f16",
    BF16: "bf16",
    FloatType("f8E4M3FN"): "e4m3",
    FloatType("f8E5M2"): "e5m2",
    I1: "b1",
    IntegerType(8): "s8",
    I32: "s32",
}


def _kind(element: Type, floats: str) -> str | None:
    """What an instruction calls a type of elements."""
    return floats if element in (F32, FloatType("tf32")) else _KINDS.get(element)


@record
class _Product:
    """A product of two matrices that descriptors describe."""

    op: ops.WarpgroupMmaOp
    first: ShapedType
    second: ShapedType
    properties: dict[str, Attribute]
    depth: int

    def parts(self) -> Iterator[list[tuple[int, int]]]:
        """For each 64 rows of the result, by how much the descriptors of the factors are moved in each step."""
        (rows, columns), deep = self.first.ranked_shape, self.second.ranked_shape[0]
        size, other = (_bytes(factor.element) for factor in (self.first, self.second))
        for row in range(rows // ROWS):
            steps = range(columns // self.depth)
            yield [
                (
                    (self.depth * step + columns * columns * row) * size >> LOW_BITS,
                    deep * self.depth * step * other >> LOW_BITS,
                )
                for step in steps
            ]


def _bytes(element: Type) -> int:
    return element.width // 8 if isinstance(element, (IntegerType, FloatType)) else 0


def _product(op: ops.WarpgroupMmaOp) -> _Product | Failure:
    first, second = described(op.descriptorA.type), described(op.descriptorB.type)
    total = described(op.matrixC.type, "fragmented")
    depth = _DEPTHS.get(first.element)
    kinds = [_kind(each.element, "tf32") for each in (first, second)] + [_kind(total.element, "f32")]
    if depth is None or None in kinds or any(len(each.ranked_shape) != 2 for each in (first, second)):
        return Failure("there is no instruction for such elements")
    wide = second.ranked_shape[1]
    shape = own_description("nvvm").attributes["MMAShapeAttr"]
    layouts = (op.transposeA is not None, op.transposeB is None)
    properties: dict[str, Attribute] = {
        "shape": shape.make_attribute(m=ROWS, n=wide, k=depth),
        "scaleD": case("WGMMAScaleOutAttr", "one"),
        "scaleA": case("WGMMAScaleInAttr", "one"),
        "scaleB": case("WGMMAScaleInAttr", "one"),
        "satfinite": case("MMAIntOverflowAttr", "wrapped"),
    }
    for name, kind in zip("ABD", kinds, strict=True):
        properties[f"type{name}"] = case("WGMMATypesAttr", kind or "")
    for name, is_transposed in zip("AB", layouts, strict=True):
        properties[f"layout{name}"] = case("MMALayoutAttr", "col" if is_transposed else "row")
    return _Product(op, first, second, properties, depth)


@named("NVGPUWarpgroupMmaOpLowering")
def multiply(
    op: ops.WarpgroupMmaOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %d = nvgpu.warpgroup.mma %a, %b, %c
    ->
        nvvm.wgmma.fence.aligned
        for each 64 rows, and each part of the columns that are summed over:
            %x = nvvm.wgmma.mma_async (%a + …), (%b + …), %x …
        nvvm.wgmma.commit.group.sync.aligned
        nvvm.wgmma.wait.group.sync.aligned 1
    """
    product = _product(op)
    if isinstance(product, Failure):
        return product
    a, b, accumulator = operands
    assert isinstance(accumulator.type, LLVMStructType)
    (rows, columns), held = product.first.ranked_shape, accumulator.type.body or ()
    if (refused := too_many_operations(op, 5 * (rows // ROWS) * (columns // product.depth))) is not None:
        return refused
    rewriter.create("nvvm.wgmma.fence.aligned")
    whole = emit.poison(rewriter, accumulator.type)
    results: list[Value] = []
    for index, steps in enumerate(product.parts()):
        result = emit.extract(rewriter, accumulator, held[index], index)
        for of_a, of_b in steps:
            checkpoint()
            factors = [_moved(rewriter, a, of_a), _moved(rewriter, b, of_b)]
            result = rewriter.create(
                "nvvm.wgmma.mma_async", [result, *factors], [result.type], product.properties
            ).result
        results.append(result)
    for index, result in enumerate(results):
        whole = emit.insert(rewriter, whole, result, index)
    rewriter.create("nvvm.wgmma.commit.group.sync.aligned")
    groups = integer(op, "waitGroup")
    rewriter.create(
        "nvvm.wgmma.wait.group.sync.aligned", (), (), {"group": IntegerAttr(1 if groups is None else groups, I64)}
    )
    rewriter.replace(op, [whole])
    return None


def _moved(rewriter: ConversionRewriter, descriptor: Value, by: int) -> Value:
    if not by:
        return descriptor
    return emit.add(rewriter, descriptor, emit.constant(rewriter, I64, i32_attr(by)))


# ---- accumulators


def _parts(type: Type | None) -> list[LLVMStructType]:
    """What a thread holds of each 64 rows."""
    held = type.body if isinstance(type, LLVMStructType) else None
    return [part for part in held or () if isinstance(part, LLVMStructType)]


@named("NVGPUWarpgroupMmaInitAccumulatorOpLowering")
def start(
    op: ops.WarpgroupMmaInitAccumulatorOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> Failure | None:
    """All that a thread holds is zero."""
    type = types.convert(op.matrixC.type)
    bodies = _parts(type)
    if type is None or not bodies or not bodies[0].body:
        return Failure("a thread holds nothing of it")
    element = bodies[0].body[0]
    if (refused := too_many_operations(op, sum(len(body.body or ()) for body in bodies))) is not None:
        return refused
    zero = emit.constant(rewriter, element, _zero(element))
    whole = emit.poison(rewriter, type)
    parts: list[Value] = []
    for index, body in enumerate(bodies):
        part = emit.extract(rewriter, whole, body, index)
        for place in range(len(body.body or ())):
            part = emit.insert(rewriter, part, zero, place)
        parts.append(part)
    for index, part in enumerate(parts):
        whole = emit.insert(rewriter, whole, part, index)
    rewriter.replace(op, [whole])
    return None


def _zero(type: Type) -> Attribute:
    return FloatAttr(0, type) if isinstance(type, FloatType) else IntegerAttr(0, type)


@named("NVGPUWarpgroupMmaStoreOpLowering")
def store(
    op: ops.WarpgroupMmaStoreOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Each thread stores what it holds. A warp has 16 rows, in which each thread has two neighbours in a row, and two
    eight rows below; and the same again every eight columns."""
    accumulator = operands[0]
    assert isinstance(accumulator.type, LLVMStructType)
    parts = _parts(accumulator.type)
    if (refused := too_many_operations(op, sum(5 * len(part.body or ()) for part in parts))) is not None:
        return refused
    first_row = 0
    for index, part in enumerate(parts):
        held = emit.extract(rewriter, accumulator, part, index)
        _store_part(rewriter, held, part, op.dstMemref, first_row)
        first_row += len(part.body or ())
    rewriter.erase(op)
    return None


_WARP: Final = 32
_NEIGHBOURS: Final = 2
_STACKED: Final = 2


def _store_part(
    rewriter: ConversionRewriter, held: Value, struct: LLVMStructType, memory: Value, first_row: int
) -> None:
    def number(value: int) -> Value:
        return emit.i32(rewriter, value)

    def binary(kind: str, left: Value, right: Value) -> Value:
        return rewriter.create(f"llvm.{kind}", [left, right], [I32]).result

    def index_of(value: Value) -> Value:
        return rewriter.create("arith.index_cast", [value], [INDEX]).result

    one, two, four, eight, sixteen, warp = map(number, (1, 2, 4, 8, 16, _WARP))
    thread = rewriter.create("nvvm.read.ptx.sreg.tid.x", (), [I32]).result
    lane, of_warp = binary("urem", thread, warp), binary("udiv", thread, warp)
    quad, in_quad = binary("udiv", lane, four), binary("urem", lane, four)
    column = emit.mul(rewriter, in_quad, two)
    row = emit.add(rewriter, quad, emit.mul(rewriter, of_warp, sixteen))
    if first_row:
        row = emit.add(rewriter, row, number(first_row))
    for stacked in range(_STACKED):
        at_row = emit.add(rewriter, row, emit.mul(rewriter, number(stacked), eight))
        for step in range(len(struct.body or ()) // (_STACKED * _NEIGHBOURS)):
            checkpoint()
            at_column = emit.add(rewriter, column, emit.mul(rewriter, number(step), eight))
            place = (stacked + step * _STACKED) * _NEIGHBOURS
            x, y = index_of(at_row), index_of(at_column)
            following = index_of(emit.add(rewriter, at_column, one))
            values = [emit.extract(rewriter, held, struct.field(each), each) for each in (place, place + 1)]
            for value, at in zip(values, (y, following), strict=True):
                rewriter.create("memref.store", [value, memory, x, at])


LOWERINGS: Final[dict[str, Lower]] = {
    "nvgpu.warpgroup.mma": multiply,
    "nvgpu.warpgroup.mma.store": store,
    "nvgpu.warpgroup.mma.init.accumulator": start,
}
