"""The operations of x86vector (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

Avx512CvtPackedF32ToBf16Op = OpClass("x86vector.avx512.cvt.packed.f32_to_bf16")
Avx512DotOp = OpClass("x86vector.avx512.dot")
Avx512MaskCompressOp = OpClass("x86vector.avx512.mask.compress")
Avx512MaskRndscaleOp = OpClass("x86vector.avx512.mask.rndscale")
Avx512MaskScalefOp = OpClass("x86vector.avx512.mask.scalef")
Avx512Vp2intersectOp = OpClass("x86vector.avx512.vp2intersect")
AvxBcstToF32PackedOp = OpClass("x86vector.avx.bcst_to_f32.packed")
AvxCvtPackedEvenIndexedToF32Op = OpClass("x86vector.avx.cvt.packed.even.indexed_to_f32")
AvxCvtPackedOddIndexedToF32Op = OpClass("x86vector.avx.cvt.packed.odd.indexed_to_f32")
AvxDotI8Op = OpClass("x86vector.avx.dot.i8")
AvxIntrDotOp = OpClass("x86vector.avx.intr.dot")
AvxRsqrtOp = OpClass("x86vector.avx.rsqrt")
