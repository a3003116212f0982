"""Which named convolution or pooling a `linalg.generic` is.

The named operation's maps are compared with those of the generic one, with the strides and dilations that these have.
Source of the rules: `Utils.cpp` of MLIR 22's linalg; the order of attempts is MLIR's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.bodies import Apply
from fathom.dialects.linalg.named import BODIES, NAMED
from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.types import I64, TensorType
from fathom.ops import arith
from fathom.passes.structured.contractions import ADDITIONS, adds_product, adds_product_of_differences, pools

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.dialects.linalg.named import NamedOp
    from fathom.ir.affine import AffineExpr
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.passes.structured.generics import Form

ORDER: Final = """
conv_1d conv_1d_nwc_wcf conv_1d_ncw_fcw conv_2d conv_2d_nhwc_hwcf conv_2d_nhwc_hwcf_q conv_2d_nhwc_fhwc
conv_2d_nhwc_fhwc_q conv_2d_nchw_fchw conv_2d_nchw_fchw_q conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw
conv_2d_ngchw_gfchw_q conv_2d_nhwgc_gfhwc conv_2d_nhwgc_gfhwc_q conv_3d conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q
conv_3d_ncdhw_fcdhw depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wc depthwise_conv_1d_nwc_wcm
depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm
depthwise_conv_2d_nhwc_hwcm_q depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ncdhw_cdhw
depthwise_conv_3d_ndhwc_dhwcm pooling_nhwc_max pooling_nhwc_min pooling_nhwc_sum pooling_nhwc_max_unsigned
pooling_nhwc_min_unsigned pooling_nchw_sum pooling_nchw_max pooling_nwc_sum pooling_ncw_sum pooling_nwc_max
pooling_nwc_max_unsigned pooling_ncw_max pooling_nwc_min pooling_nwc_min_unsigned pooling_ndhwc_sum
pooling_ndhwc_max pooling_ndhwc_min
""".split()
"""The operations in the order in which they are tried."""

POOLED: Final = {
    BODIES["sum"]: ADDITIONS,
    BODIES["max"]: (arith.MaximumfOp, arith.MaxsiOp),
    BODIES["max_unsigned"]: (arith.MaximumfOp, arith.MaxuiOp),
    BODIES["min"]: (arith.MinimumfOp, arith.MinsiOp),
    BODIES["min_unsigned"]: (arith.MinimumfOp, arith.MinuiOp),
}
"""What bodies of poolings consist of."""


def convolution(op: Operation, form: Form) -> tuple[str, dict[str, Attribute]] | None:
    """The name and properties of the operation that a generic one is; None for none."""
    if len(form.inits) != 1:
        return None
    for name in ORDER:
        named = NAMED[name]
        if len(form.maps) != named.operands or form.loops != named.loops:
            continue
        windows = _windows(named, form)
        if windows is None:
            continue
        strides, dilations = windows
        if tuple(form.maps) == named.maps_for(strides, dilations) and _has_body(op, named):
            return name, {"strides": _dense(strides), "dilations": _dense(dilations)} if strides else {}
    return None


def _dense(numbers: Sequence[int]) -> DenseElementsAttr:
    values = tuple(numbers) if len({*numbers}) > 1 else (numbers[0],)
    return DenseElementsAttr(values, TensorType((len(numbers),), I64))


def _has_body(op: Operation, named: NamedOp) -> bool:
    if named.body == BODIES["multiplied"]:
        return adds_product(op)
    if named.body == BODIES["quantized"]:
        return adds_product_of_differences(op)
    return isinstance(named.body, Apply) and pools(op, POOLED[named.body])


def _windows(named: NamedOp, form: Form) -> tuple[list[int], list[int]] | None:
    """The strides and dilations that the map of the input has where the named operation has some."""
    strides: list[int] = []
    dilations: list[int] = []
    words = named.maps.split(";")[0].split()
    if len(words) != len(form.maps[0].results):
        return None
    for word, expr in zip(words, form.maps[0].results, strict=True):
        if "~" in word:
            outer, inner = map(int, word.split("~"))
            factors = _factors(expr)
            if factors is None or factors.keys() != {outer, inner}:
                return None
            strides.append(factors[outer])
            dilations.append(factors[inner])
    return strides, dilations


def _factors(expr: AffineExpr) -> dict[int, int] | None:
    """The loops of a sum of two, each with its factor."""
    match expr:
        case AffineBinary("+", lhs, rhs):
            factors = dict(term for term in map(_term, (lhs, rhs)) if term is not None)
            return factors if len(factors) == 2 else None
        case _:
            return None


def _term(expr: AffineExpr) -> tuple[int, int] | None:
    match expr:
        case AffineDim(position):
            return position, 1
        case AffineBinary("*", AffineDim(position), AffineConstant(factor)):
            return position, factor
        case _:
            return None
