"""`linalg.generic` as the named operation that does the same.

    linalg.generic {… (d0, d1, d2) -> (d0, d2) … ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) { … }
->
    linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>)

Source of the rules: `Specialize.cpp` and `LinalgInterfaces.cpp` of MLIR 22; the order of attempts is MLIR's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.structured import dims_of
from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.types import I64, MemRefType, ShapedType, TensorType
from fathom.ops import arith, complex, math
from fathom.passes.structured import named
from fathom.passes.structured.contractions import PAIRS, contraction_loops, has_contraction_body, is_contraction
from fathom.passes.structured.convolutions import convolution
from fathom.passes.structured.generics import body_of, form_of, is_alone, reads, yielded
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.structured.generics import Form
    from fathom.rewriting.rewriter import Rewriter

Named = tuple[str, Sequence["Value"], dict[str, Attribute]]
"""A named operation: its name, what it reads, and its properties."""


def specialize(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    form = form_of(op)
    if form is None:
        return NO_MATCH
    for attempt in ATTEMPTS:
        recognised = attempt(op, form)
        if recognised is not None:
            name, inputs, properties = recognised
            made = named(rewriter, name, inputs, form.inits, properties)
            rewriter.replace(op, list(made.results))
            return None
    return NO_MATCH


def _copy(op: Operation, form: Form) -> Named | None:
    if _passes_on(op, form) and all(map.is_identity for map in form.maps):
        return "copy", form.inputs, {}
    return None


def _passes_on(op: Operation, form: Form) -> bool:
    """Whether the only input is the only output, element for element."""
    if not form.is_parallel or not form.is_one_to_one or not is_alone(body_of(op)):
        return False
    return list(yielded(op)) == [body_of(op).arguments[0]]


def _fill(op: Operation, form: Form) -> Named | None:
    if not form.is_parallel or len(form.inits) != 1:
        return None
    if not form.inputs and not reads(op, 0) and is_alone(body_of(op)) and len(yielded(op)) == 1:
        maker = yielded(op)[0].defining_op
        is_constant = isinstance(maker, (arith.ConstantOp, complex.ConstantOp))
        return ("fill", yielded(op), {}) if is_constant else None
    if _passes_on(op, form) and not reads(op, 1) and not isinstance(form.inputs[0].type, ShapedType):
        return "fill", form.inputs, {}
    return None


def _broadcast(op: Operation, form: Form) -> Named | None:
    if not _passes_on(op, form) or not all(isinstance(value.type, (MemRefType, TensorType)) for value in form.values):
        return None
    source, target = form.maps
    dims = dims_of(source)
    if not target.is_identity or dims is None or len(dims) >= len(target.results):
        return None
    if any(one >= other for one, other in pairwise(dims)):
        return None
    added = tuple(dim for dim in range(source.dims) if dim not in dims)
    return "broadcast", form.inputs, {"dimensions": DenseArrayAttr(I64, added)}


def _transpose(op: Operation, form: Form) -> Named | None:
    if not _passes_on(op, form):
        return None
    source, target = form.maps
    dims = dims_of(source)
    if not target.is_identity or dims is None or sorted(dims) != list(range(source.dims)):
        return None
    places = tuple(dims.index(dim) for dim in range(source.dims))
    return "transpose", form.inputs, {"permutation": DenseArrayAttr(I64, places)}


UNARY: Final = ((math.ExpOp, "exp"),)
BINARY: Final = ((arith.AddfOp, "add"), (arith.SubfOp, "sub"), (arith.MulfOp, "mul"), (arith.DivfOp, "div"))


def _elementwise(op: Operation, form: Form) -> Named | None:
    """One operation of the elements of all inputs."""
    count = len(form.inputs)
    if not form.is_parallel or not form.loops or len(form.inits) != 1 or reads(op, count):
        return None
    if not all(map.is_identity for map in form.maps) or not all(reads(op, place) for place in range(count)):
        return None
    block = body_of(op)
    first, values = block.first, yielded(op)
    if first is None or first.next is not block.last or len(first.operands) != count or len(first.results) != 1:
        return None
    if len(values) != 1 or values[0].defining_op is not first:
        return None
    kinds = UNARY if count == 1 else BINARY if count == 2 else ()
    name = next((name for kind, name in kinds if isinstance(first, kind)), None)
    if name is None:
        return None
    is_swapped = count == 2 and first.operands[0] is not block.arguments[0]
    return name, form.inputs[::-1] if is_swapped else form.inputs, {}


def _matmul(op: Operation, form: Form) -> Named | None:
    """`linalg.matmul` or `linalg.batch_matmul`. MLIR's own looks at transposed operands too, and forgets that they are:
    what is made then is another computation, and not valid for most shapes. Such are left alone."""
    if not is_contraction(op, form) or not has_contraction_body(op, PAIRS[:3]):
        return None
    loops = contraction_loops(form.maps, form.loops)
    count = len(loops.batch)
    if any(len(loop) != 1 for loop in loops[1:]) or any(len(map.results) != count + 2 for map in form.maps):
        return None
    if len(form.loops) != count + 3:
        return None
    (m,), (n,), (k,) = loops[1:]
    expected = ([m, k], [k, n], [m, n])
    dims = [dims_of(map) or [] for map in form.maps]
    if any(dim[:count] != list(range(count)) for dim in dims):
        return None
    if any(dim[count:] != wanted for dim, wanted in zip(dims, expected, strict=True)):
        return None
    return "batch_matmul" if count else "matmul", form.inputs, {}


def _convolution(op: Operation, form: Form) -> Named | None:
    recognised = convolution(op, form)
    return (recognised[0], form.inputs, recognised[1]) if recognised is not None else None


ATTEMPTS: Final[Sequence[Callable[[Operation, Form], Named | None]]] = (
    _copy,
    _fill,
    _broadcast,
    _transpose,
    _elementwise,
    _matmul,
    _convolution,
)
PATTERNS: Final = (Pattern("linalg.generic", specialize, name="LinalgSpecializationPattern"),)
