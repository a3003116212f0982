"""The linalg dialect of MLIR 13: paddings and reshapes of tensors, copies, and an operation for each type and layout of
products.

Source of the rules: *'linalg' Dialect* of MLIR 13, "Operations"; observed behaviour of mlir-opt 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.named import BODIES, NAMED
from fathom.editions.mlir_14.linalg import resolve_plain
from fathom.editions.mlir_14.memref import RESHAPE
from fathom.editions.named_operations import named_code
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

_PRODUCTS: Final = (
    "batch_matmul_i16_i16_i32 batch_matmul_i32_i32_i32 batch_matmul_i8_i8_i32 conv_1d_input_ncw_filter_wcf "
    "conv_1d_input_nwc_filter_wcf conv_1d_ncw conv_1d_nwc conv_2d_input_nchw_filter_hwcf "
    "conv_2d_input_nhwc_filter_hwcf conv_2d_input_nhwc_filter_ohwi_poly conv_2d_nchw conv_2d_nhwc "
    "conv_3d_input_ncdhw_filter_dhwcf conv_3d_input_ndhwc_filter_dhwcf conv_3d_ncdhw conv_3d_ndhwc "
    "depthwise_conv_2d_input_nhwc_filter_hwc depthwise_conv_2d_input_nhwc_filter_hwc_poly "
    "depthwise_conv_2d_input_nhwc_filter_hwcf dot_i16_i16_i32 dot_i32_i32_i32 dot_i8_i8_i32 matmul_column_major "
    "matmul_i16_i16_i32 matmul_i32_i32_i32 matmul_i8_i8_i32 matvec_i16_i16_i32 matvec_i32_i32_i32 matvec_i8_i8_i32 "
    "vecmat_i16_i16_i32 vecmat_i32_i32_i32 vecmat_i8_i8_i32"
)
_PAD: Final = (
    "$source `low` `` custom<OperandsOrIntegersSizesList>($low, $static_low) `high` `` "
    "custom<OperandsOrIntegersSizesList>($high, $static_high) (`into` $output^)? ` ` $region attr-dict `:` "
    "type($source) `to` type($result) custom<InferType>(ref($output), type($output), ref(type($result)))"
)


def _parse_inferred(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """What a tensor is written into has the type of the result."""
    del parser
    operands, types, result = arguments
    parsed.types[types] = list(parsed.types[result]) if parsed.operands.get(operands) else []


def _print_nothing(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    del op, p, arguments


CODE: Final = DialectCode(
    {
        **dict.fromkeys(_PRODUCTS.split(), named_code(BODIES["multiplied"], 3)),
        "conv_2d_input_nhwc_filter_ohwi_poly_q": named_code(BODIES["quantized"], 5),
        "copy": OpCode(
            custom=two_way(
                "`(` $input `,` $output `)` attr-dict `:` type($input) `,` type($output) ` `",
                resolve_plain,
                completes=False,
            )
        ),
        "pad_tensor": OpCode(custom=two_way(_PAD)),
        "tensor_collapse_shape": RESHAPE,
        "tensor_expand_shape": RESHAPE,
    },
    directives={"InferType": CustomDirective(_parse_inferred, _print_nothing)},
)
_CONTRACTIONS: Final = ("batch_matmul", "batch_matvec", "dot", "matmul", "matvec", "mmt4d", "vecmat")
WITHOUT: Final = ("linalg.yield", *(f"linalg.{name}" for name in (*NAMED, *_CONTRACTIONS)))
"""What ends the region of a padding too; and what today's MLIR looks for arithmetic in whose names were others."""
