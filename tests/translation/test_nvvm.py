"""What operations of nvvm are in LLVM IR that only code says: as mlir-translate 22 prints it."""

from __future__ import annotations

import pytest

from tests.translation.test_intrinsics import check

ARGUMENTS = (
    "%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %t: !llvm.ptr<6>, %n: i32, %l: i64, %h: i16, "
    "%b: i1, %f: f32, %v: vector<2xf16>"
)
BODIES = {
    "barriers": """
nvvm.barrier
nvvm.barrier id = %n number_of_threads = %n
%0 = nvvm.barrier #nvvm.reduction<popc> %n -> i32
%1 = nvvm.barrier #nvvm.reduction<and> %n -> i32
nvvm.cluster.arrive {aligned}
nvvm.cluster.wait
nvvm.memory.barrier #nvvm.mem_scope<gpu>
nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
%2 = llvm.mlir.constant(128 : i32) : i32
nvvm.fence.proxy.acquire #nvvm.mem_scope<sys> %p, %2
""",
    "a warp": """
%0 = nvvm.elect.sync -> i1
%1 = nvvm.shfl.sync bfly %n, %f, %n, %n : f32 -> f32
%2 = nvvm.shfl.sync up %n, %n, %n, %n {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
%3 = nvvm.vote.sync ballot %n, %b -> i32
%4 = nvvm.match.sync all %n, %l : i64 -> !llvm.struct<(i32, i1)>
%5 = nvvm.redux.sync fmin %f, %n {abs = true, nan = true} : f32 -> f32
%6 = nvvm.redux.sync add %n, %n : i32 -> i32
""",
    "barriers in memory": """
nvvm.mbarrier.init %s, %n : !llvm.ptr<3>, i32
%0 = nvvm.mbarrier.arrive %p : !llvm.ptr -> i64
%1 = nvvm.mbarrier.arrive %s, %n {scope = #nvvm.mem_scope<cluster>, relaxed = true} : !llvm.ptr<3> -> i64
nvvm.mbarrier.arrive %c, %n : !llvm.ptr<7>
nvvm.mbarrier.arrive %s, %n : !llvm.ptr<3>
%2 = nvvm.mbarrier.test.wait %p, %n : !llvm.ptr, i32 -> i1
%3 = nvvm.mbarrier.try_wait %s, %l, %n {relaxed = true} : !llvm.ptr<3>, i64, i32 -> i1
""",
    "copies": """
nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
nvvm.cp.async.shared.global %s, %g, 4, cache = ca, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
nvvm.cp.async.bulk.wait_group 3 {read}
nvvm.cp.async.bulk.prefetch %g, %n l2_cache_hint = %l : !llvm.ptr<1>
nvvm.cp.async.bulk.shared.cluster.global %c, %g, %s, %n multicast_mask = %h : !llvm.ptr<7>, !llvm.ptr<1>
nvvm.cp.async.bulk.tensor.prefetch %p, box[%n, %n] : !llvm.ptr
nvvm.cp.async.bulk.tensor.reduce %p, %s, box[%n, %n, %n] {redKind = #nvvm.tma_redux_kind<inc>} :
  !llvm.ptr, !llvm.ptr<3>
""",
    "conversions": """
%0 = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
%1 = nvvm.convert.f32x2.to.f6x2 %f, %f : vector<2xi8> (f6E2M3FN)
%2 = nvvm.convert.f8x2.to.f16x2 %1 {relu = true} : vector<2xi8> (f8E5M2) -> vector<2xf16>
%3 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
""",
    "matrices": """
%0 = nvvm.ldmatrix %s {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>,
  eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
%1 = nvvm.mma.sync A[%v, %v] B[%v] C[%v, %v] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
  shape = #nvvm.shape<m = 16, n = 8, k = 8>} :
  (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
%2 = nvvm.mma.sync A[%n, %n] B[%n] C[%n, %n, %n, %n] {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>,
  layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>,
  multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} :
  (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
""",
    "tensor cores": """
nvvm.tcgen05.alloc %s, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
%0 = nvvm.tcgen05.ld %t {pack, shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<4xi32>
nvvm.tcgen05.cp %t, %l {shape = #nvvm.tcgen05_cp_shape<shape_64x128b>,
  multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
nvvm.tcgen05.mma %t, %l, %l, %n, %b {kind = #nvvm.tcgen05_mma_kind<tf32>, ctaGroup = #nvvm.cta_group<cta_1>} :
  (!llvm.ptr<6>, i64, i64, i32, i1)
nvvm.tcgen05.wait #nvvm.tcgen05_wait<store>
""",
    "addresses": """
nvvm.prefetch level = L2, evict_priority = evict_last, %g : !llvm.ptr<1>
nvvm.prefetch level = L1, %p : !llvm.ptr
%0 = nvvm.mapa %s, %n : !llvm.ptr<3> -> !llvm.ptr<7>
nvvm.st.bulk %s, size = %l : !llvm.ptr<3>
%1 = nvvm.prmt #nvvm.permute_mode<f4e> %n, %n, %n : i32
nvvm.pmevent id = 3
nvvm.setmaxregister increase 232
""",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_operations_are_what_mlir_makes_of_them(body: str) -> None:
    check(f"llvm.func @f({ARGUMENTS}) {{{body}llvm.return\n}}\n")
