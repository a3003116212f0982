"""The named operations whose maps, loops and bodies are fixed: a line for each.

    "matvec": NamedOp(MULTIPLIED, "pr", "0 1; 1; 0")

A `p` is a parallel loop, an `r` one that reduces. A map stands for each operand, and in it a loop for each dimension of
the operand; `0+1` is a sum, and `1~4` the next window: loop 1 times the stride, and loop 4 times the dilation.
Source of the facts: `LinalgNamedStructuredOps.yaml` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from fathom.dialects.linalg.bodies import UNARY, Constant, Formula, Index, apply
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, add, multiply
from fathom.ir.attributes import FloatAttr, IntegerAttr
from fathom.ir.floats import from_float
from fathom.ir.types import F64, I64
from fathom.records import record


@record
class NamedOp:
    """What a named operation computes, its loops, and the maps of its operands; without maps it is elementwise, over
    the dimensions of its output."""

    body: Formula
    loops: str = ""
    maps: str = ""
    arity: int = 0

    @property
    def operands(self) -> int:
        """How many operands it has, with the output."""
        return self.arity or self.maps.count(";") + 1

    @property
    def windows(self) -> int:
        """How many strides and dilations it has."""
        return self.maps.count("~")

    def maps_for(self, strides: Sequence[int], dilations: Sequence[int]) -> tuple[AffineMap, ...]:
        """The maps with these strides and dilations, of which there are enough."""
        return _maps(self, tuple(strides), tuple(dilations))


@lru_cache(256)
def _maps(named: NamedOp, strides: tuple[int, ...], dilations: tuple[int, ...]) -> tuple[AffineMap, ...]:
    windows = iter(zip(strides, dilations, strict=True))
    found: list[AffineMap] = []
    for text in named.maps.split(";"):
        results: list[AffineExpr] = []
        for word in text.split():
            if "~" not in word:
                first, *others = (AffineDim(int(loop)) for loop in word.split("+"))
                results.append(add(first, others[0]) if others else first)
                continue
            stride, dilation = next(windows)
            outer, inner = (AffineDim(int(loop)) for loop in word.split("~"))
            results.append(add(multiply(outer, AffineConstant(stride)), multiply(inner, AffineConstant(dilation))))
        found.append(AffineMap(len(named.loops), 0, tuple(results)))
    return tuple(found)


def _integer(value: int) -> Constant:
    return Constant(IntegerAttr(value, I64))


def _random(seed: Formula) -> Formula:
    """The next number of a linear congruential generator."""
    scaled = apply("mul", seed, apply("to_i32", _integer(1103515245)))
    return apply("add", scaled, apply("to_i32", _integer(12345)))


_STEP: Final = Constant(FloatAttr(from_float(2.3283063999999999e-10, "f64"), F64))
_NEXT: Final = _random(apply("add", apply("to_i32", Index(1)), _random(apply("add", apply("to_i32", Index(0)), 2))))
_BETWEEN: Final = apply(
    "mul",
    apply("add", apply("to_f64", _integer(2147483647)), apply("to_f64", _NEXT)),
    apply("mul", apply("sub", 1, 0), apply("to_f64", _STEP)),
)
_RANDOM: Final = apply("cast_signed", apply("add", _BETWEEN, 0))

MULTIPLIED: Final = apply("add", 2, apply("mul", apply("cast_signed", 0), apply("cast_signed", 1)))
QUANTIZED: Final = apply(
    "add",
    4,
    apply(
        "mul",
        apply("sub", apply("cast_signed", 0), apply("cast_signed", 2)),
        apply("sub", apply("cast_signed", 1), apply("cast_signed", 3)),
    ),
)
SUM: Final = apply("add", 2, apply("cast_signed", 0))
MAX: Final = apply("max_signed", 2, apply("cast_signed", 0))
MAX_UNSIGNED: Final = apply("max_unsigned", 2, apply("cast_unsigned", 0))
MIN: Final = apply("min_signed", 2, apply("cast_signed", 0))
MIN_UNSIGNED: Final = apply("min_unsigned", 2, apply("cast_unsigned", 0))

NAMED: Final[Mapping[str, NamedOp]] = {
    "copy": NamedOp(apply("cast", 0), arity=2),
    "fill": NamedOp(0, arity=2),
    **{name: NamedOp(apply(name, 0), arity=2) for name in UNARY},
    **{
        name: NamedOp(apply(function, 0, 1), arity=3)
        for name, function in {
            "add": "add",
            "sub": "sub",
            "mul": "mul",
            "div": "div",
            "div_unsigned": "div_unsigned",
            "max": "max_signed",
            "min": "min_signed",
            "powf": "powf",
        }.items()
    },
    "select": NamedOp(apply("select", 0, 1, 2), arity=4),
    "fill_rng_2d": NamedOp(_RANDOM, "pp", "; ; ; 0 1"),
    "quantized_matmul": NamedOp(QUANTIZED, "ppr", "0 2; 2 1; ; ; 0 1"),
    "mmt4d": NamedOp(MULTIPLIED, "pprppr", "0 2 3 5; 1 2 4 5; 0 1 3 4"),
    "batch_mmt4d": NamedOp(MULTIPLIED, "ppprppr", "0 1 3 4 6; 0 2 3 5 6; 0 1 2 4 5"),
    "quantized_batch_matmul": NamedOp(QUANTIZED, "pppr", "0 1 3; 0 3 2; ; ; 0 1 2"),
    "matvec": NamedOp(MULTIPLIED, "pr", "0 1; 1; 0"),
    "vecmat": NamedOp(MULTIPLIED, "pr", "1; 1 0; 0"),
    "batch_matvec": NamedOp(MULTIPLIED, "ppr", "0 1 2; 0 2; 0 1"),
    "batch_vecmat": NamedOp(MULTIPLIED, "ppr", "0 2; 0 2 1; 0 1"),
    "dot": NamedOp(MULTIPLIED, "r", "0; 0; "),
    "conv_1d": NamedOp(MULTIPLIED, "pr", "0+1; 1; 0"),
    "conv_2d": NamedOp(MULTIPLIED, "pprr", "0+2 1+3; 2 3; 0 1"),
    "conv_3d": NamedOp(MULTIPLIED, "ppprrr", "0+3 1+4 2+5; 3 4 5; 0 1 2"),
    "conv_1d_nwc_wcf": NamedOp(MULTIPLIED, "ppprr", "0 1~3 4; 3 4 2; 0 1 2"),
    "conv_1d_ncw_fcw": NamedOp(MULTIPLIED, "ppprr", "0 3 2~4; 1 3 4; 0 1 2"),
    "conv_2d_nhwc_hwcf": NamedOp(MULTIPLIED, "pppprrr", "0 1~4 2~5 6; 4 5 6 3; 0 1 2 3"),
    "conv_2d_nhwc_fhwc": NamedOp(MULTIPLIED, "pppprrr", "0 1~4 2~5 6; 3 4 5 6; 0 1 2 3"),
    "conv_2d_nhwc_hwcf_q": NamedOp(QUANTIZED, "pppprrr", "0 1~4 2~5 6; 4 5 6 3; ; ; 0 1 2 3"),
    "conv_2d_nhwc_fhwc_q": NamedOp(QUANTIZED, "pppprrr", "0 1~4 2~5 6; 3 4 5 6; ; ; 0 1 2 3"),
    "conv_2d_nchw_fchw_q": NamedOp(QUANTIZED, "pppprrr", "0 4 2~5 3~6; 1 4 5 6; ; ; 0 1 2 3"),
    "conv_2d_nchw_fchw": NamedOp(MULTIPLIED, "pppprrr", "0 4 2~5 3~6; 1 4 5 6; 0 1 2 3"),
    "conv_2d_ngchw_fgchw": NamedOp(MULTIPLIED, "ppppprrr", "0 1 5 3~6 4~7; 2 1 5 6 7; 0 1 2 3 4"),
    "conv_2d_ngchw_gfchw": NamedOp(MULTIPLIED, "ppppprrr", "0 1 5 3~6 4~7; 1 2 5 6 7; 0 1 2 3 4"),
    "conv_2d_nhwgc_gfhwc": NamedOp(MULTIPLIED, "ppppprrr", "0 1~5 2~6 3 7; 3 4 5 6 7; 0 1 2 3 4"),
    "conv_2d_nhwgc_gfhwc_q": NamedOp(QUANTIZED, "ppppprrr", "0 1~5 2~6 3 7; 3 4 5 6 7; ; ; 0 1 2 3 4"),
    "conv_2d_ngchw_gfchw_q": NamedOp(QUANTIZED, "ppppprrr", "0 1 5 3~6 4~7; 1 2 5 6 7; ; ; 0 1 2 3 4"),
    "conv_3d_ndhwc_dhwcf": NamedOp(MULTIPLIED, "ppppprrrr", "0 1~5 2~6 3~7 8; 5 6 7 8 4; 0 1 2 3 4"),
    "conv_3d_ndhwc_dhwcf_q": NamedOp(QUANTIZED, "ppppprrrr", "0 1~5 2~6 3~7 8; 5 6 7 8 4; ; ; 0 1 2 3 4"),
    "conv_3d_ncdhw_fcdhw": NamedOp(MULTIPLIED, "ppppprrrr", "0 5 2~6 3~7 4~8; 1 5 6 7 8; 0 1 2 3 4"),
    "depthwise_conv_1d_nwc_wc": NamedOp(MULTIPLIED, "pppr", "0 1~3 2; 3 2; 0 1 2"),
    "depthwise_conv_1d_ncw_cw": NamedOp(MULTIPLIED, "pppr", "0 2 1~3; 2 3; 0 2 1"),
    "depthwise_conv_1d_nwc_wcm": NamedOp(MULTIPLIED, "ppppr", "0 1~4 2; 4 2 3; 0 1 2 3"),
    "depthwise_conv_2d_nhwc_hwc": NamedOp(MULTIPLIED, "pppprr", "0 1~4 2~5 3; 4 5 3; 0 1 2 3"),
    "depthwise_conv_2d_nchw_chw": NamedOp(MULTIPLIED, "pppprr", "0 3 1~4 2~5; 3 4 5; 0 3 1 2"),
    "depthwise_conv_2d_nhwc_hwc_q": NamedOp(QUANTIZED, "pppprr", "0 1~4 2~5 3; 4 5 3; ; ; 0 1 2 3"),
    "depthwise_conv_2d_nhwc_hwcm": NamedOp(MULTIPLIED, "ppppprr", "0 1~5 2~6 3; 5 6 3 4; 0 1 2 3 4"),
    "depthwise_conv_2d_nhwc_hwcm_q": NamedOp(QUANTIZED, "ppppprr", "0 1~5 2~6 3; 5 6 3 4; ; ; 0 1 2 3 4"),
    "depthwise_conv_3d_ndhwc_dhwc": NamedOp(MULTIPLIED, "pppprrrp", "0 1~4 2~5 3~6 7; 4 5 6 7; 0 1 2 3 7"),
    "depthwise_conv_3d_ncdhw_cdhw": NamedOp(MULTIPLIED, "pppprrrp", "0 7 1~4 2~5 3~6; 7 4 5 6; 0 7 1 2 3"),
    "depthwise_conv_3d_ndhwc_dhwcm": NamedOp(MULTIPLIED, "ppppprrrp", "0 1~5 2~6 3~7 8; 5 6 7 8 4; 0 1 2 3 8 4"),
    "pooling_nhwc_sum": NamedOp(SUM, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nchw_sum": NamedOp(SUM, "pppprr", "0 1 2~4 3~5; 4 5; 0 1 2 3"),
    "pooling_nhwc_max": NamedOp(MAX, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nhwc_max_unsigned": NamedOp(MAX_UNSIGNED, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nchw_max": NamedOp(MAX, "pppprr", "0 1 2~4 3~5; 4 5; 0 1 2 3"),
    "pooling_nhwc_min": NamedOp(MIN, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nhwc_min_unsigned": NamedOp(MIN_UNSIGNED, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nwc_sum": NamedOp(SUM, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_ncw_sum": NamedOp(SUM, "pppr", "0 1 2~3; 3; 0 1 2"),
    "pooling_nwc_max": NamedOp(MAX, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_nwc_max_unsigned": NamedOp(MAX_UNSIGNED, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_ncw_max": NamedOp(MAX, "pppr", "0 1 2~3; 3; 0 1 2"),
    "pooling_nwc_min": NamedOp(MIN, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_nwc_min_unsigned": NamedOp(MIN_UNSIGNED, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_ndhwc_sum": NamedOp(SUM, "ppppprrr", "0 1~5 2~6 3~7 4; 5 6 7; 0 1 2 3 4"),
    "pooling_ndhwc_max": NamedOp(MAX, "ppppprrr", "0 1~5 2~6 3~7 4; 5 6 7; 0 1 2 3 4"),
    "pooling_ndhwc_min": NamedOp(MIN, "ppppprrr", "0 1~5 2~6 3~7 4; 5 6 7; 0 1 2 3 4"),
}
"""The operations, by their names without the dialect's."""
