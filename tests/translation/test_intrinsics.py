"""What operations call, of LLVM's intrinsics: the tables that `make dialects` makes of MLIR's definitions, and what
they become, as mlir-translate 22 prints it."""

from __future__ import annotations

import pytest

from fathom.context import Context
from fathom.dialects.llvm.intrinsic_calls import Argument, Call, Overload, call_of
from fathom.elaborate import load
from fathom.rewriting.lowerings import INTRINSICS
from fathom.translation import translate
from tests.oracles import mlir_translate

DIALECTS = ("arm_neon", "arm_sme", "arm_sve", "llvm", "nvvm", "rocdl")


def check(text: str) -> None:
    """The translation is that of mlir-translate."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    made = translate(loaded.module)
    assert ([each.message for each in made.all_told], made.text) == ([], mlir_translate(text))


def test_a_call_is_read() -> None:
    call = call_of("llvm.memcpy.{dst}.{res.1}(dst, i32 7, rest...) -> {dst}")
    dst, second = Overload("dst"), Overload("res", 1)
    arguments = (Argument("dst"), Argument("7", width=32), Argument("rest", many=True))
    assert call == Call("llvm.memcpy", (dst, second), arguments, dst)
    assert call.arguments[1].number == 7
    with pytest.raises(ValueError, match="is no call"):
        call_of("memcpy(dst)")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_tables_name_what_the_descriptions_do(dialect: str) -> None:
    context = Context()
    table = context.aspect(INTRINSICS, dialect)
    assert table
    for name, text in table.items():
        definition, call = context.lookup(name), call_of(text)
        assert definition is not None, name
        values = {each.name for each in (*definition.operands, *definition.properties)}
        results = {each.name for each in definition.results}
        assert {each.name for each in call.arguments if each.number is None} <= values, name
        assert {each.name for each in call.overloads} <= values | results, name
        assert {each.name for each in call.arguments if each.many} <= {each.name for each in definition.operands}


def test_overloads_immediates_and_fields_of_results() -> None:
    check("""
llvm.func @f(%a: f32, %p: !llvm.ptr, %n: i32, %v: vector<4xf32>, %w: vector<[16]xi1>) -> f32 {
  %0 = llvm.intr.sqrt(%a) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
  %1 = llvm.mlir.constant(3 : i8) : i8
  "llvm.intr.memset"(%p, %1, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i32) -> ()
  %2 = "llvm.intr.sadd.with.overflow"(%n, %n) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %3 = "llvm.intr.frexp"(%a) : (f32) -> !llvm.struct<(f32, i32)>
  %4 = llvm.intr.vector.extract %v[0] : vector<2xf32> from vector<4xf32>
  %5 = "arm_sve.intr.convert.from.svbool"(%w) : (vector<[16]xi1>) -> vector<[4]xi1>
  llvm.return %0 : f32
}
""")


def test_ranges_and_numbers() -> None:
    check("""
llvm.func @f() -> i32 {
  nvvm.barrier0
  nvvm.cp.async.wait.group 4
  rocdl.s.waitcnt 3
  %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
  %1 = rocdl.workitem.id.x range <i32, 0, 64> : i32
  llvm.return %0 : i32
}
""")


def test_results_that_the_operation_says_otherwise_or_not_at_all() -> None:
    check("""
llvm.func @f(%a: vector<8xf16>, %c: vector<4xf32>, %n: i32, %x: f32, %p: !llvm.ptr<8>) -> f32 {
  %1 = llvm.mlir.constant(42 : i32) : i32
  rocdl.raw.ptr.buffer.atomic.fadd %x, %p, %n, %n, %1 : f32
  %0 = llvm.intr.fabs(%x) : (f32) -> f32
  %2 = rocdl.mfma.f32.16x16x32.f16 %a, %a, %c, %1, %1, %1 :
    (vector<8xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xi32>
  llvm.return %0 : f32
}
""")


def test_sizes_barriers_and_kernels_of_rocdl() -> None:
    check("""
llvm.func @f() attributes {rocdl.kernel, rocdl.max_flat_work_group_size = 128 : index,
    rocdl.reqd_work_group_size = array<i32: 16, 4, 2>, rocdl.unsafe_fp_atomics = true} {
  rocdl.barrier
  %0 = rocdl.workgroup.dim.y range <i32, 1, 65> : i64
  %1 = rocdl.grid.dim.x : i64
  llvm.return
}
""")


def test_attributes_of_accesses_are_metadata() -> None:
    check("""
llvm.func @f(%p: !llvm.ptr {nvvm.grid_constant, llvm.byval = i32}, %i: i32) -> i32 attributes {nvvm.kernel,
    nvvm.reqntid = array<i32: 1, 23, 32>, nvvm.minctasm = 16 : index, nvvm.cluster_dim = array<i32: 3, 5, 7>,
    nvvm.blocksareclusters} {
  %0 = llvm.load %p {rocdl.last_use, xevm.DecorationCacheControl = [[6442 : i32, 0 : i32, 1 : i32, 0 : i32],
    [6442 : i32, 1 : i32, 1 : i32, 0 : i32]]} : !llvm.ptr -> i32
  llvm.return %0 : i32
}
""")


def test_conversions_that_are_rounded_as_said() -> None:
    check("""
llvm.func @f(%i: i32, %d: f64, %v: vector<4xf32>) -> f32 {
  %0 = llvm.intr.experimental.constrained.sitofp %i towardzero strict : i32 to f32
  %1 = llvm.intr.experimental.constrained.fptrunc %d tonearest maytrap : f64 to f32
  %2 = llvm.intr.experimental.constrained.fpext %v ignore : vector<4xf32> to vector<4xf64>
  llvm.return %0 : f32
}
""")


def test_matrices_in_memory() -> None:
    check("""
llvm.func @f(%p: !llvm.ptr, %stride: i64) {
  %0 = llvm.intr.matrix.column.major.load %p, <stride=%stride>
    {isVolatile = 0: i1, rows = 3: i32, columns = 16: i32} : vector<48xf64> from !llvm.ptr stride i64
  llvm.intr.matrix.column.major.store %0, %p, <stride=%stride>
    {isVolatile = 1: i1, rows = 3: i32, columns = 16: i32} : vector<48xf64> to !llvm.ptr stride i64
  llvm.return
}
""")


def test_arguments_that_are_explained() -> None:
    check("""
llvm.func @f(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %b: i64, %i: i32, %e: i1) {
  nvvm.tcgen05.mma %d, %a, %b, %i, %e {kind = #nvvm.tcgen05_mma_kind<tf32>, ctaGroup = #nvvm.cta_group<cta_1>,
    collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
  llvm.return
}
""")


def test_instructions_of_users() -> None:
    check("""
llvm.func @f(%v: vector<[4]xf32>, %w: vector<4xf32>, %x: i64, %l: i32) -> vector<4xf32> {
  %0 = "vcix.v.sv"(%v, %x, %l) <{opcode = 3 : i64}> : (vector<[4]xf32>, i64, i32) -> vector<[4]xf32>
  %1 = "vcix.v.iv"(%w) <{opcode = 3 : i64, imm = 5 : i64}> : (vector<4xf32>) -> vector<4xf32>
  llvm.return %1 : vector<4xf32>
}
""")


def test_an_intrinsic_that_takes_any_number_of_arguments() -> None:
    text = """
    llvm.func @f(%x: i32) {
      %one = llvm.mlir.constant(1 : i8) : i8
      %p = llvm.alloca %one x f32 : (i8) -> !llvm.ptr
      llvm.call_intrinsic "llvm.localescape"(%p, %p) : (!llvm.ptr, !llvm.ptr) -> ()
      llvm.call_intrinsic "llvm.fake.use"(%x) : (i32) -> ()
      llvm.return
    }
    """
    made = translate(load(text).module)
    assert (made.all_told, made.text) == ([], mlir_translate(text))


def test_an_intrinsic_that_llvm_does_not_have() -> None:
    text = 'llvm.func @f() {\n  llvm.call_intrinsic "llvm.does_not_exist"() : () -> ()\n  llvm.return\n}\n'
    assert [diagnostic.message for diagnostic in translate(load(text).module).diagnostics] == [
        'could not find LLVM intrinsic: "llvm.does_not_exist"',
        "LLVM Translation failed for operation: llvm.call_intrinsic",
    ]
