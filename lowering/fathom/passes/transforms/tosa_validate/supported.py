"""What the specification lets each operation be: its types, and the profiles or extensions that have them so.

Source: *TOSA specification*, "Supported Data Types".
"""

from __future__ import annotations

from functools import cache
from typing import Final

from fathom.records import record

FIRST: Final = (1, 0)
SINCE_SECOND: Final = frozenset(("int64", "mxfp", "shape"))
"""The extensions of version 1.1; what else there is, version 1.0 has, too."""


@record
class Support:
    """Profiles or extensions, of which all are asked for or one; the version that has them so; and the lists of types
    that they are for. Without lists it does not matter what types there are."""

    modes: tuple[str, ...]
    asks_all: bool
    version: tuple[int, int]
    types: tuple[tuple[str, ...], ...]

    @property
    def is_profile(self) -> bool:
        return self.modes[0].startswith("pro_")


@cache
def supports() -> dict[str, list[Support]]:
    """By the name of an operation: first its profiles, then its extensions."""
    supports_by_name: dict[str, list[Support]] = {}
    for line in _TABLE.replace("\n  ", " ").strip().split("\n"):
        names, _, groups = line.partition(": [")
        made = [_read(*group.split("]")) for group in groups.split(" [")]
        supports_by_name.update((f"tosa.{name}", made) for name in names.split())
    return supports_by_name


def _read(modes: str, lists: str) -> Support:
    modes, _, is_later = modes.partition("@")
    names = tuple(modes.replace("/", "+").split("+"))
    version = (1, 1) if is_later or not SINCE_SECOND.isdisjoint(names) else FIRST
    return Support(names, "/" not in modes, version, tuple(tuple(list_.split(",")) for list_ in lists.split()))


_TABLE: Final = """
argmax: [pro_int] i8,i32 [pro_fp] f16,i32 f32,i32 [int16] i16,i32 [int64] i8,i64 i16,i64 i32,i64 i64,i64 f16,i64
  f32,i64 [fp8e4m3] fp8e4m3,i32 [fp8e5m2] fp8e5m2,i32 [bf16] bf16,i32 [fp8e4m3+int64] fp8e4m3,i64 [fp8e5m2+int64]
  fp8e5m2,i64 [bf16+int64] bf16,i64
avg_pool2d: [pro_int] i8,i8,i8,i32,i8 [pro_fp] f16,f16,f16,f16,f16 f16,f16,f16,f32,f16 f32,f32,f32,f32,f32 [int16]
  i16,i16,i16,i32,i16 [fp8e4m3] fp8e4m3,fp8e4m3,fp8e4m3,f16,fp8e4m3 [fp8e5m2] fp8e5m2,fp8e5m2,fp8e5m2,f16,fp8e5m2
  [bf16] bf16,bf16,bf16,f32,bf16
conv2d conv3d depthwise_conv2d transpose_conv2d: [pro_int] i8,i8,i32,i8,i8,i32,i32 [pro_fp]
  f16,f16,f16,f16,f16,f16,f16 f16,f16,f16,f16,f16,f32,f16 f32,f32,f32,f32,f32,f32,f32 [int4] i8,i4,i32,i8,i4,i32,i32
  [int16] i16,i8,i48,i16,i8,i48,i48 [fp8e4m3] fp8e4m3,fp8e4m3,f16,fp8e4m3,fp8e4m3,f16,f16 [fp8e5m2]
  fp8e5m2,fp8e5m2,f16,fp8e5m2,fp8e5m2,f16,f16 [bf16] bf16,bf16,bf16,bf16,bf16,f32,bf16
matmul: [pro_int] i8,i8,i8,i8,i32 [pro_fp] f16,f16,f16,f16,f16 f16,f16,f16,f16,f32 f32,f32,f32,f32,f32 [int16]
  i16,i16,i16,i16,i48 [fp8e4m3] fp8e4m3,fp8e4m3,fp8e4m3,fp8e4m3,f16 [fp8e4m3@1.1] fp8e4m3,fp8e4m3,fp8e4m3,fp8e4m3,f32
  [fp8e5m2] fp8e5m2,fp8e5m2,fp8e5m2,fp8e5m2,f16 [fp8e5m2@1.1] fp8e5m2,fp8e5m2,fp8e5m2,fp8e5m2,f32
  [fp8e4m3+fp8e5m2@1.1] fp8e4m3,fp8e5m2,fp8e4m3,fp8e5m2,f16 fp8e4m3,fp8e5m2,fp8e4m3,fp8e5m2,f32
  fp8e5m2,fp8e4m3,fp8e5m2,fp8e4m3,f16 fp8e5m2,fp8e4m3,fp8e5m2,fp8e4m3,f32 [bf16] bf16,bf16,bf16,bf16,f32
max_pool2d: [pro_int] i8,i8 [pro_fp] f16,f16 f32,f32 [int16] i16,i16 [fp8e4m3] fp8e4m3,fp8e4m3 [fp8e5m2]
  fp8e5m2,fp8e5m2 [bf16] bf16,bf16
clamp: [pro_int] i8,i8 [pro_fp] f16,f16 f32,f32 [int16] i16,i16 [bf16] bf16,bf16
erf sigmoid tanh ceil cos exp floor log reciprocal rsqrt sin reduce_product: [pro_fp] f16,f16 f32,f32 [bf16] bf16,bf16
add sub: [pro_int/pro_fp] i32,i32,i32 [pro_fp] f16,f16,f16 f32,f32,f32 [int64] i64,i64,i64 [bf16] bf16,bf16,bf16
arithmetic_right_shift bitwise_and bitwise_or bitwise_xor: [pro_int] i8,i8,i8 i16,i16,i16 i32,i32,i32 [int64]
  i64,i64,i64
intdiv: [pro_int/pro_fp] i32,i32,i32 [int64] i64,i64,i64
logical_and logical_or logical_xor: [pro_int/pro_fp] i1,i1,i1
logical_left_shift logical_right_shift: [pro_int/pro_fp] i8,i8,i8 i16,i16,i16 i32,i32,i32 [int64] i64,i64,i64
maximum minimum: [pro_int] i32,i32,i32 [pro_fp] f16,f16,f16 f32,f32,f32 [int64] i64,i64,i64 [bf16] bf16,bf16,bf16
mul: [pro_int] i8,i8,i32 i16,i16,i32 [pro_int/pro_fp] i32,i32,i32 [pro_fp] f16,f16,f16 f32,f32,f32 [int64] i64,i64,i64
  [bf16] bf16,bf16,bf16
pow: [pro_fp] f16,f16,f16 f32,f32,f32 [bf16] bf16,bf16,bf16
table: [pro_int] i8,i8,i8 [int16] i16,i16,i32
abs reduce_sum: [pro_int] i32,i32 [pro_fp] f16,f16 f32,f32 [int64] i64,i64 [bf16] bf16,bf16
bitwise_not: [pro_int] i8,i8 i16,i16 i32,i32 [int64] i64,i64
clz: [pro_int] i32,i32 [int64] i64,i64
logical_not reduce_all reduce_any: [pro_int/pro_fp] i1,i1
negate: [pro_int] i8,i8,i8,i8 i16,i16,i16,i16 i32,i32,i32,i32 [pro_fp] f16,f16,f16,f16 f32,f32,f32,f32 [int64]
  i64,i64,i64,i64 [bf16] bf16,bf16,bf16,bf16
select: [pro_int/pro_fp] i1,i1,i1 [pro_int] i8,i8,i8 i16,i16,i16 i32,i32,i32 [pro_fp] f16,f16,f16 f32,f32,f32 [int64]
  i64,i64,i64 [bf16] bf16,bf16,bf16
equal greater greater_equal: [pro_int] i32,i32,i1 [pro_fp] f16,f16,i1 f32,f32,i1 [int64] i64,i64,i1 [bf16]
  bf16,bf16,i1
reduce_max reduce_min: [pro_int] i8,i8 i16,i16 i32,i32 [pro_fp] f16,f16 f32,f32 [int64] i64,i64 [bf16] bf16,bf16
concat: [pro_int/pro_fp] i1,i1 [pro_int] i8,i8 i32,i32 [pro_fp] f16,f16 f32,f32 [int16] i16,i16 [int64] i64,i64
  [fp8e4m3] fp8e4m3,fp8e4m3 [fp8e5m2] fp8e5m2,fp8e5m2 [bf16] bf16,bf16
pad: [pro_int/pro_fp] i1,i1,i1 [pro_int] i8,i8,i8 i16,i16,i16 i32,i32,i32 [pro_fp] f16,f16,f16 f32,f32,f32 [int64]
  i64,i64,i64 [fp8e4m3] fp8e4m3,fp8e4m3,fp8e4m3 [fp8e5m2] fp8e5m2,fp8e5m2,fp8e5m2 [bf16] bf16,bf16,bf16
reshape reverse slice tile transpose: [pro_int/pro_fp] i1,i1 [pro_int] i8,i8 i16,i16 i32,i32 [pro_fp] f16,f16 f32,f32
  [int64] i64,i64 [fp8e4m3] fp8e4m3,fp8e4m3 [fp8e5m2] fp8e5m2,fp8e5m2 [bf16] bf16,bf16
gather: [pro_int] i8,i32,i8 i16,i32,i16 i32,i32,i32 [pro_fp] f16,i32,f16 f32,i32,f32 [fp8e4m3] fp8e4m3,i32,fp8e4m3
  [fp8e5m2] fp8e5m2,i32,fp8e5m2 [bf16] bf16,i32,bf16 [int64] i8,i64,i8 i16,i64,i16 i32,i64,i32 i64,i64,i64 f16,i64,f16
  f32,i64,f32 [fp8e4m3+int64] fp8e4m3,i64,fp8e4m3 [fp8e5m2+int64] fp8e5m2,i64,fp8e5m2 [bf16+int64] bf16,i64,bf16
scatter: [pro_int] i8,i32,i8,i8 i16,i32,i16,i16 i32,i32,i32,i32 [pro_fp] f16,i32,f16,f16 f32,i32,f32,f32 [fp8e4m3]
  fp8e4m3,i32,fp8e4m3,fp8e4m3 [fp8e5m2] fp8e5m2,i32,fp8e5m2,fp8e5m2 [bf16] bf16,i32,bf16,bf16 [int64] i8,i64,i8,i8
  i16,i64,i16,i16 i32,i64,i32,i32 i64,i64,i64,i64 f16,i64,f16,f16 f32,i64,f32,f32 [fp8e4m3+int64]
  fp8e4m3,i64,fp8e4m3,fp8e4m3 [fp8e5m2+int64] fp8e5m2,i64,fp8e5m2,fp8e5m2 [bf16+int64] bf16,i64,bf16,bf16
resize: [pro_int] i8,i32 i8,i8 [pro_fp] f16,f16 f32,f32 [int16] i16,i48 i16,i16 [bf16] bf16,bf16
cast: [pro_int] i1,i8 i1,i16 i1,i32 i8,i1 i8,i16 i8,i32 i16,i1 i16,i8 i16,i32 i32,i1 i32,i8 i32,i16 [pro_fp] i8,f16
  i8,f32 i16,f16 i16,f32 i32,f16 i32,f32 f16,i8 f16,i16 f16,i32 f16,f32 f32,i8 f32,i16 f32,i32 f32,f16 [bf16] i8,bf16
  i16,bf16 i32,bf16 bf16,i8 bf16,i16 bf16,i32 bf16,f32 f32,bf16 [int64] i32,i64 i64,i32 [bf16+fp8e4m3] bf16,fp8e4m3
  fp8e4m3,bf16 [bf16+fp8e5m2] bf16,fp8e5m2 fp8e5m2,bf16 [fp8e4m3] fp8e4m3,f16 fp8e4m3,f32 f16,fp8e4m3 f32,fp8e4m3
  [fp8e5m2] fp8e5m2,f16 fp8e5m2,f32 f16,fp8e5m2 f32,fp8e5m2
rescale: [pro_int] i8,i8,i8,i8 i8,i8,i16,i16 i8,i8,i32,i32 i16,i16,i8,i8 i16,i16,i16,i16 i16,i16,i32,i32 i32,i32,i8,i8
  i32,i32,i16,i16 i32,i32,i32,i32 [int16] i48,i48,i8,i8 i48,i48,i16,i16 i48,i48,i32,i32
const: [pro_int/pro_fp] i1 i8 i16 i32 [pro_fp] f16 f32 [int4] i4 [int16] i48 [int64] i64 [fp8e4m3] fp8e4m3 [fp8e5m2]
  fp8e5m2 [bf16] bf16 [mxfp] fp8e8m0 fp6e3m2 fp6e2m3 fp4e2m1 mxint8
identity: [pro_int/pro_fp] i1,i1 i8,i8 i16,i16 i32,i32 [pro_fp] f16,f16 f32,f32 [int4] i4,i4 [int16] i48,i48 [int64]
  i64,i64 [fp8e4m3] fp8e4m3,fp8e4m3 [fp8e5m2] fp8e5m2,fp8e5m2 [bf16] bf16,bf16
variable variable_write variable_read: [pro_int] i8 [pro_fp] f16 f32 [variable] i8 f16 f32
fft2d: [fft] f32,f32,f32,f32
matmul_t_block_scaled: [pro_fp] [mxfp] fp4e2m1,fp8e8m0,fp4e2m1,fp8e8m0,f32 fp6e2m3,fp8e8m0,fp6e2m3,fp8e8m0,f32
  fp6e3m2,fp8e8m0,fp6e3m2,fp8e8m0,f32 fp8e4m3,fp8e8m0,fp8e4m3,fp8e8m0,f32 fp8e5m2,fp8e8m0,fp8e5m2,fp8e8m0,f32
  mxint8,fp8e8m0,mxint8,fp8e8m0,f32
rfft2d: [fft] f32,f32,f32
cast_from_block_scaled: [pro_fp] [bf16+mxfp] fp4e2m1,fp8e8m0,bf16 fp6e2m3,fp8e8m0,bf16 fp6e3m2,fp8e8m0,bf16
  fp8e4m3,fp8e8m0,bf16 fp8e5m2,fp8e8m0,bf16 mxint8,fp8e8m0,bf16 [mxfp] fp4e2m1,fp8e8m0,f32 fp6e2m3,fp8e8m0,f32
  fp6e3m2,fp8e8m0,f32 fp8e4m3,fp8e8m0,f32 fp8e5m2,fp8e8m0,f32 mxint8,fp8e8m0,f32
cast_to_block_scaled: [pro_fp] [mxfp] bf16,fp4e2m1,fp8e8m0 f32,fp4e2m1,fp8e8m0 f32,fp6e2m3,fp8e8m0 f32,fp6e3m2,fp8e8m0
  f32,fp8e4m3,fp8e8m0 f32,fp8e5m2,fp8e8m0 f32,mxint8,fp8e8m0 [bf16+mxfp] bf16,fp6e2m3,fp8e8m0 bf16,fp6e3m2,fp8e8m0
  bf16,fp8e4m3,fp8e8m0 bf16,fp8e5m2,fp8e8m0 bf16,mxint8,fp8e8m0
dim: [pro_int/pro_fp] [shape] i1 i8 i16 i32 f16 f32 [fp8e4m3+shape] fp8e4m3 [fp8e5m2+shape] fp8e5m2 [bf16+shape] bf16
  [mxfp+shape] fp6e3m2 fp6e2m3 fp4e2m1 mxint8 fp8e8m0 [int64+shape] i64
const_shape custom: [pro_int/pro_fp]
cond_if while_loop: [controlflow]
add_shape concat_shape div_ceil_shape div_floor_shape exp2_shape log2_ceil_shape log2_floor_shape max_shape min_shape
  mod_shape mul_shape slice_shape sub_shape: [pro_int/pro_fp] [shape]
"""
"""Operations, and after `[MODES]` the lists of types that those have: of `a/b` one is enough, of `a+b` both are needed,
and `@1.1` is what only that version has."""
