"""Rules for what became operands or attributes otherwise: memref, tensor, vector, affine, scf, gpu, bufferization.

Source of the rules: the definitions of operations of the releases, compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.affine import AffineConstant
from fathom.ir.attributes import (
    UNIT,
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    IntegerAttr,
    StringAttr,
)
from fathom.ir.operation import Operation, Value
from fathom.ir.types import (
    DYNAMIC,
    I1,
    I32,
    I64,
    INDEX,
    POISON,
    FloatType,
    IntegerType,
    MemRefType,
    ShapedType,
    TensorType,
    Type,
    VectorType,
    element_type,
)
from fathom.modernising.reading import attribute_of, give_region
from fathom.modernising.rewriting import CannotSay, OpRule, Rewriting

FORMERLY_DYNAMIC: Final = -1
"""The extent of a dimension that is only known at run time, up to LLVM 15; that of a stride or an offset was
`DYNAMIC`."""


def _array(values: tuple[int, ...]) -> DenseArrayAttr:
    return DenseArrayAttr(I64, values)


def _numbers(attribute: Attribute | None) -> tuple[int, ...] | None:
    match attribute:
        case ArrayAttr(elements):
            return tuple(one.value for one in elements if isinstance(one, IntegerAttr))
        case DenseArrayAttr(_, values):
            return tuple(values)
        case _:
            return None


# ---- offsets, sizes, strides


def _sizes(op: Operation, rewriting: Rewriting) -> None:
    """What is dynamic among sizes, and in low and high padding, is written by one number today."""
    for name in ("static_sizes", "static_low", "static_high"):
        numbers = _numbers(op.properties.get(name, op.attributes.get(name)))
        if numbers is not None:
            op.attributes.pop(name, None)
            op.properties[name] = _array(tuple(DYNAMIC if n == FORMERLY_DYNAMIC else n for n in numbers))


def _empty(op: Operation, rewriting: Rewriting) -> None:
    """linalg.init_tensor [4, %n] : tensor<4x?xf32>   ->   tensor.empty(%n) : tensor<4x?xf32>."""
    rewriting.become(op, "tensor.empty", properties={})


def _pad(op: Operation, rewriting: Rewriting) -> None:
    """linalg.pad_tensor   ->   tensor.pad."""
    rewriting.become(op, "tensor.pad")


def _tensor_store(op: Operation, rewriting: Rewriting) -> None:
    """memref.tensor_store %t, %m   ->   bufferization.materialize_in_destination %t in writable %m."""
    rewriting.become(op, "bufferization.materialize_in_destination", properties={"writable": UNIT})


def _to_tensor(op: Operation, rewriting: Rewriting) -> None:
    """It says what tensor it gives."""
    type = op.operands[0].type
    if op.result.type == POISON and isinstance(type, MemRefType):
        op.result.type = TensorType(type.shape, type.element)


def _expand_shape(op: Operation, rewriting: Rewriting) -> None:
    """The shape of the result is an operand: of it, what is dynamic is computed from that of the source."""
    result, source = op.result.type, op.operands[0]
    if "static_output_shape" in op.properties or not isinstance(result, ShapedType) or result.shape is None:
        return
    groups = op.properties.get("reassociation")
    if not isinstance(groups, ArrayAttr):
        return
    dialect = op.dialect
    sizes: list[Value] = []
    for place, group in enumerate(groups.elements):
        dims = _numbers(group) or ()
        unknown = [dim for dim in dims if result.shape[dim] == DYNAMIC]
        if len(unknown) > 1:
            raise CannotSay("the sizes of two dimensions that one became are not known")
        if not unknown:
            continue
        index = rewriting.constant(op, place)
        size: Value = rewriting.make(op, f"{dialect}.dim", [source, index], [INDEX]).result
        known = 1
        for dim in dims:
            known *= result.shape[dim] if dim not in unknown else 1
        if known != 1:
            size = rewriting.make(op, "arith.divui", [size, rewriting.constant(op, known)], [INDEX]).result
        sizes.append(size)
    op.set_operands([source, *sizes])
    op.properties["static_output_shape"] = _array(result.shape)


# ---- vectors


def _extract_element(op: Operation, rewriting: Rewriting) -> None:
    """vector.extractelement %v[%i : i32] : vector<4xf32>   ->   vector.extract %v[%i] : f32 from vector<4xf32>."""
    vector, *positions = op.operands
    _at_position(op, "vector.extract", [vector], positions, rewriting)


def _insert_element(op: Operation, rewriting: Rewriting) -> None:
    source, dest, *positions = op.operands
    _at_position(op, "vector.insert", [source, dest], positions, rewriting)


def _at_position(op: Operation, name: str, operands: list[Value], positions: list[Value], rewriting: Rewriting) -> None:
    indices = [
        position if position.type == INDEX else rewriting.make(op, "arith.index_castui", [position], [INDEX]).result
        for position in positions
    ]
    static = _array((DYNAMIC,) * len(indices))
    rewriting.become(op, name, [*operands, *indices], {"static_position": static})


def _position(op: Operation, rewriting: Rewriting) -> None:
    """`position = [0, 1]` became `static_position = array<i64: 0, 1>`."""
    numbers = _numbers(op.properties.pop("position", op.attributes.pop("position", None)))
    if numbers is not None:
        op.properties["static_position"] = _array(numbers)


def _extract(op: Operation, rewriting: Rewriting) -> None:
    """It says what it gives."""
    _position(op, rewriting)
    type, numbers = op.operands[0].type, op.properties.get("static_position")
    if op.result.type == POISON and isinstance(type, VectorType) and isinstance(numbers, DenseArrayAttr):
        count = len(numbers.values)
        shape, scalable = type.ranked_shape[count:], type.scalable[count:]
        op.result.type = VectorType(shape, type.element, scalable) if shape else type.element


def _transpose(op: Operation, rewriting: Rewriting) -> None:
    numbers = _numbers(op.properties.pop("transp", op.attributes.pop("transp", None)))
    if numbers is not None:
        op.properties["permutation"] = _array(numbers)


def _in_bounds(op: Operation, rewriting: Rewriting) -> None:
    """Whether each dimension is in bounds is always said; it was not where none is."""
    if "masked" in op.attributes or "masked" in op.properties:
        masked = op.attributes.pop("masked", op.properties.pop("masked", None))
        if isinstance(masked, ArrayAttr):
            op.properties["in_bounds"] = ArrayAttr(
                tuple(IntegerAttr(1 - one.value, I1) for one in masked.elements if isinstance(one, IntegerAttr))
            )
    type = op.operands[0].type if op.name == "vector.transfer_write" else op.results[0].type
    map = op.properties.get("permutation_map")
    if isinstance(type, VectorType) and "in_bounds" not in op.properties:
        results = map.map.results if isinstance(map, AffineMapAttr) else (None,) * len(type.ranked_shape)
        op.properties["in_bounds"] = ArrayAttr(tuple(IntegerAttr(int(_is_constant(one)), I1) for one in results))


def _is_constant(result: object) -> bool:
    """Whether a result of a map is a number, along which a vector is broadcast."""
    return isinstance(result, AffineConstant)


_BY_SIGN: Final = {"min": ("minf", "minsi"), "max": ("maxf", "maxsi")}


def _reduction(op: Operation, rewriting: Rewriting) -> None:
    """vector.reduction "add"   ->   vector.reduction <add>, of which the least and the greatest say of what."""
    kind = op.properties.get("kind", op.attributes.get("kind"))
    if not isinstance(kind, StringAttr):
        return
    of_floats, of_integers = _BY_SIGN.get(kind.value, (kind.value, kind.value))
    word = of_floats if isinstance(element_type(op.operands[0].type), FloatType) else of_integers
    now = {"maxf": "maximumf", "minf": "minimumf"}.get(word, word)
    read = attribute_of(f"#vector.kind<{now}>", rewriting.context)
    if read is None:
        raise CannotSay(f"nothing is reduced by '{kind.value}' today")
    op.attributes.pop("kind", None)
    op.properties["kind"] = read


def _multi_reduction(op: Operation, rewriting: Rewriting) -> None:
    """A reduction begins with a value: what makes no difference."""
    if len(op.operands) != 1:
        return
    word = str(op.properties.get("kind", "")).partition("<")[2].rstrip(">")
    type = op.result.type
    element = type.element if isinstance(type, VectorType) else type
    value = _neutral(word, element)
    if value is None:
        raise CannotSay(f"a reduction begins with a value today, and that of '{word}' is not known")
    text = f"dense<{value}> : {type}" if isinstance(type, VectorType) else f"{value} : {element}"
    attribute = attribute_of(text, rewriting.context)
    if attribute is None:
        raise CannotSay("a reduction begins with a value today, and there is none of its type")
    start = rewriting.make(op, "arith.constant", (), [type], {"value": attribute}).result
    op.set_operands([op.operands[0], start])


def _neutral(word: str, element: Type) -> str | None:
    """What makes no difference to a combination."""
    if isinstance(element, IntegerType) or element == INDEX:
        width = element.width if isinstance(element, IntegerType) else 64
        most, least = (1 << (width - 1)) - 1, -(1 << (width - 1))
        if width == 1:
            return {"add": "false", "or": "false", "xor": "false", "and": "true", "mul": "true"}.get(word)
        known = {
            "add": 0,
            "or": 0,
            "xor": 0,
            "mul": 1,
            "and": -1,
            "minsi": most,
            "maxsi": least,
            "maxui": 0,
            "minui": -1,
        }
        return str(known[word]) if word in known else None
    return {"add": "-0.0", "mul": "1.0"}.get(word)


# ---- affine, scf


_BOUNDS: Final = {"lower_bound": "lowerBoundMap", "upper_bound": "upperBoundMap"}


def _affine_for(op: Operation, rewriting: Rewriting) -> None:
    for before, now in _BOUNDS.items():
        value = op.properties.pop(before, op.attributes.pop(before, None))
        if value is not None:
            op.properties[now] = value
    if "operandSegmentSizes" in op.properties:
        return
    counts: list[int] = []
    for name in _BOUNDS.values():
        map = op.properties.get(name)
        if not isinstance(map, AffineMapAttr):
            return
        counts.append(map.map.inputs)
    counts.append(len(op.operands) - sum(counts))
    op.properties["operandSegmentSizes"] = DenseArrayAttr(I32, tuple(counts))


def _assume_alignment(op: Operation, rewriting: Rewriting) -> None:
    """It gives the memref of which it holds, where it was true of all uses behind it."""
    if op.results:
        return
    source = op.operands[0]
    result = op.add_result(source.type)
    rewriting.grown.add(op)
    for user in list(source.uses):
        if user is op:
            continue
        around: Operation | None = user
        while around is not None and around.parent is not op.parent:
            around = around.parent_op
        if around is not None and around is not op and op.is_before_in_block(around):
            for place in source.places_in(user):
                user.set_operand(place, result)


def _parallel(op: Operation, rewriting: Rewriting) -> None:
    """The reductions of a loop are one operation, its terminator; where there are none, an empty one is."""
    block = op.regions[0].first
    last = block.last if block is not None else None
    if block is None or last is None or last.name != "scf.yield":
        return
    reductions = [inner for inner in block if inner.name == "scf.reduce"]
    rewriting.changed.add(last)
    if not reductions:
        rewriting.become(last, "scf.reduce")
        return
    *others, end = reductions
    values = [value for reduction in reductions for value in reduction.operands]
    regions = [region for reduction in reductions for region in reduction.regions]
    for reduction in reductions:
        reduction.regions.clear()
    for region in regions:
        end.add_region(region)
    end.set_operands(values)
    for other in others:
        rewriting.erase(other)
    if end.next is not last:
        end.unlink()
        block.insert_before(end, last)
    rewriting.changed.add(end)
    rewriting.erase(last)


def _reduction_kind(op: Operation, rewriting: Rewriting) -> None:
    """`max` and `min` say of what: `maxsi`, `maximumf`."""
    kind = op.properties.get("op", op.attributes.get("op"))
    word = kind.value if isinstance(kind, StringAttr) else str(kind).partition("op ")[2].rstrip(">")
    if word in ("max", "min") and op.results:
        element = element_type(op.result.type)
        op.attributes.pop("op", None)
        op.properties["op"] = StringAttr(f"{word}imumf" if isinstance(element, FloatType) else f"{word}si")


def _declaration(op: Operation, rewriting: Rewriting) -> None:
    """Func @f()   ->   func.func private @f(), since one without a body must not be public."""
    if op.regions and op.regions[0].first is None:
        op.properties.setdefault("sym_visibility", StringAttr("private"))


# ---- operations whose body goes without saying


def _fill(op: Operation, rewriting: Rewriting) -> None:
    """linalg.fill(%x, %m) : f32, memref<4xf32>   ->   linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)."""
    if not op.regions:
        value, into = op.operands
        result = f" -> {op.result.type}" if op.results else ""
        text = f"linalg.fill ins(%0 : {value.type}) outs(%1 : {into.type}){result}"
        if not give_region(op, text, rewriting.context):
            raise CannotSay("it fills nothing of that type today")
    op.properties["operandSegmentSizes"] = DenseArrayAttr(I32, (1, 1))


def _copy(op: Operation, rewriting: Rewriting) -> None:
    """linalg.copy(%a, %b) : memref<4xf32>, memref<4xf32>   ->   memref.copy %a, %b."""
    if any(op.properties.get(name, op.attributes.get(name)) is not None for name in _PERMUTATIONS):
        raise CannotSay("a copy that permutes dimensions is a 'linalg.transpose' or a 'linalg.generic' today")
    rewriting.become(op, "memref.copy", properties={})
    for region in list(op.regions):
        for block in region.blocks:
            for inner in list(block):
                inner.drop_all_references()
    op.regions.clear()


_PERMUTATIONS: Final = ("inputPermutation", "outputPermutation")


_OF_SIZES: Final = (
    "memref.subview",
    "memref.reinterpret_cast",
    "tensor.extract_slice",
    "tensor.insert_slice",
    "tensor.pad",
    "linalg.pad_tensor",
    "tensor.parallel_insert_slice",
)
RULES: Final[Mapping[tuple[int, str], OpRule]] = {
    **{(16, name): _sizes for name in _OF_SIZES},
    (16, "linalg.init_tensor"): _empty,
    (15, "vector.multi_reduction"): _multi_reduction,
    (15, "vector.reduction"): _reduction,
    (18, "gpu.all_reduce"): _reduction_kind,
    (18, "gpu.subgroup_reduce"): _reduction_kind,
    (18, "vector.extract"): _extract,
    (18, "vector.insert"): _position,
    (19, "vector.transpose"): _transpose,
    (18, "memref.tensor_store"): _tensor_store,
    (20, "bufferization.to_tensor"): _to_tensor,
    (20, "vector.transfer_read"): _in_bounds,
    (20, "vector.transfer_write"): _in_bounds,
    (22, "vector.extractelement"): _extract_element,
    (22, "vector.insertelement"): _insert_element,
    (19, "tensor.expand_shape"): _expand_shape,
    (20, "memref.expand_shape"): _expand_shape,
    (12, "builtin.func"): _declaration,
    (14, "linalg.pad_tensor"): _pad,
    (15, "linalg.fill"): _fill,
    (15, "linalg.copy"): _copy,
    (18, "affine.for"): _affine_for,
    (18, "scf.parallel"): _parallel,
    (21, "memref.assume_alignment"): _assume_alignment,
}
