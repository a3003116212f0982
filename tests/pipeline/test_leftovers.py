"""What a pipeline leaves behind: why, which pass in which place would clear it, and the pipeline that does."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.ir.operation import Operation, Span
from fathom.library import lower
from fathom.passes.leftovers import History, left_behind
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import Lowering, corrected, run

LOOP = """\
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<8xf32>
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}
"""
VIEW = """\
func.func @f(%m: memref<8x8xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[%i, 0] [2, 8] [1, 1] : memref<8x8xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
  %v = memref.load %s[%c0, %c0] : memref<2x8xf32, strided<[8, 1], offset: ?>>
  return %v : f32
}
"""
SIN = """\
func.func @f(%a: f32) -> f32 {
  %b = math.sin %a : f32
  return %b : f32
}
"""
ANGLE = """\
func.func @f(%z: complex<f32>) -> f32 {
  %0 = complex.angle %z : complex<f32>
  return %0 : f32
}
"""
RECIPROCAL = """\
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.reciprocal %t : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
"""
INDEX = """\
func.func @f(%n: index) -> index {
  %c = index.constant 1
  %b = index.add %n, %c
  return %b : index
}
"""
UNREACHED = """\
func.func @f(%a: i32) -> i32 {
  return %a : i32
^bb1:
  %b = arith.addi %a, %a : i32
  cf.br ^bb1
}
"""
TENSORS = """\
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.addf %a, %a : tensor<8xf32>
  return %c : tensor<8xf32>
}
"""
ASKEW = """\
func.func @f(%m: memref<8xf32, affine_map<(i) -> (i floordiv 2, i mod 2)>>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<8xf32, affine_map<(i) -> (i floordiv 2, i mod 2)>>
  return %v : f32
}
"""
PAIR = "func.func @f(%a: tuple<i32, f32>) {\n  return\n}\n"
HALF = """\
func.func @f(%z: complex<f16>) -> f16 {
  %0 = complex.abs %z : complex<f16>
  return %0 : f16
}
"""
SINE = """\
func.func @f(%v: vector<2xf128>) -> vector<2xf128> {
  %0 = math.sin %v : vector<2xf128>
  return %0 : vector<2xf128>
}
"""
ROOT = SINE.replace("math.sin", "math.cbrt")
"""Of which there is neither an intrinsic nor a function of C."""
WIDE = """\
func.func @f(%a: i32) -> i32 {
  %wide = arith.extsi %a : i32 to i64
  %positive = math.absi %wide : i64
  %half = arith.trunci %positive : i64 to i32
  return %half : i32
}
"""
STORED = """\
func.func @f(%a: i8) -> i8 {
  %zero = arith.constant 0 : index
  %wide = arith.extsi %a : i8 to i16
  %m = memref.alloc() : memref<1xi16>
  memref.store %wide, %m[%zero] : memref<1xi16>
  %again = memref.load %m[%zero] : memref<1xi16>
  %half = arith.trunci %again : i16 to i8
  return %half : i8
}
"""
UNKNOWN = 'func.func @f(%a: f32) {\n  "shop.sell"(%a) : (f32) -> ()\n  return\n}\n'
DOT = """\
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<f32>) {
  linalg.dot ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%c : memref<f32>)
  return
}
"""
LAUNCH = """\
module attributes {{gpu.container_module}} {{
  gpu.binary @k [#gpu.object<#nvvm.target, "AB">]
  func.func @f(%n: {0}) {{
    gpu.launch_func @k::@f blocks in (%n, %n, %n) threads in (%n, %n, %n) : {0}
    return
  }}
}}
"""

ARITH, CF, FUNC, MEMREF, SCF = (
    "--convert-arith-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-func-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-scf-to-cf",
)
RECONCILE = "--reconcile-unrealized-casts"
WHOLE = (SCF, ARITH, CF, MEMREF, FUNC, RECONCILE)


def module_of(text: str) -> Operation:
    return load(text, default_context()).module


def said(text: str, flags: tuple[str, ...]) -> list[str]:
    """What is left behind, each with its code, its line, and the notes."""
    module, pipeline = module_of(text), parse_pipeline(list(flags))
    assert not pipeline.errors
    source = clone(module)
    lowering = run(pipeline, module, default_context(), verifying="never")
    assert not lowering.failed
    return [
        "; ".join(
            [f"{leftover.code} {text.count(chr(10), 0, leftover.span.start) + 1}", *(n.message for n in leftover.notes)]
        )
        for leftover in lowering.verdict(lambda: source).leftovers
        if leftover.span is not None
    ]


def check_said(text: str, flags: tuple[str, ...], first: str, others: int) -> None:
    """What is said of the first operation that is left, and of how many others something is said."""
    leftovers = said(text, flags)
    assert (leftovers[0], len(leftovers) - 1) == (first, others), leftovers


def test_what_is_left_of_many_is_found_at_the_cost_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 500
    module = module_of("".join(f'"x.y"() : () -> () // {number:03}\n' for number in range(count)))
    compared = 0
    equal = Span.__eq__

    def counted(one: Span, other: object) -> bool:
        nonlocal compared
        compared += 1
        return equal(one, other)

    monkeypatch.setattr(Span, "__eq__", counted)
    assert len(left_behind(module, History(()))) == count
    assert compared < 10 * count


def test_no_pass_of_the_pipeline_lowers_it() -> None:
    check_said(
        SIN,
        WHOLE,
        "missing-pass 2; the pipeline does not run the pass convert-math-to-llvm; "
        "add --convert-math-to-llvm at the beginning",
        0,
    )


def test_the_pass_for_it_leaves_it_to_another() -> None:
    check_said(
        VIEW,
        WHOLE,
        "silent-leftover 3; --finalize-memref-to-llvm has no rule for 'memref.subview'; "
        "'memref.subview' is rewritten by --expand-strided-metadata; "
        "add --expand-strided-metadata at the beginning",
        3,
    )
    check_said(
        ANGLE,
        ("--convert-to-llvm",),
        "silent-leftover 2; --convert-to-llvm has no rule for 'complex.angle'; "
        "'complex.angle' is rewritten by --convert-complex-to-standard; "
        "add --convert-complex-to-standard at the beginning",
        1,
    )


def test_a_pass_whose_work_another_did_is_not_missing() -> None:
    (leftover,) = said(SIN, ("--convert-to-llvm=filter-dialects=func",))
    assert leftover.startswith("silent-leftover 2; --convert-to-llvm has no rule that fits this 'math.sin'")


def test_nothing_leads_to_its_block() -> None:
    check_said(
        UNREACHED,
        WHOLE,
        "silent-leftover 4; --convert-arith-to-llvm does not come to its block, as nothing does; "
        "nothing branches to its block, and conversions do not visit such blocks; remove it, or branch to it; "
        "have the block erased: add --canonicalize before --convert-arith-to-llvm",
        1,
    )
    module = module_of(UNREACHED)
    run(parse_pipeline(["--lower-to-llvm"]), module, default_context())
    assert {op.dialect for op in module.walk()} == {"builtin", "llvm"}


def test_another_pass_made_it() -> None:
    check_said(
        VIEW,
        ("--expand-strided-metadata", *WHOLE),
        "made-by-pass 3; it was made by --expand-strided-metadata, and no pass behind that lowers the 'affine' "
        "dialect; add --lower-affine before --convert-scf-to-cf",
        1,
    )


def test_the_pass_for_it_ran_too_early() -> None:
    check_said(
        LOOP,
        (ARITH, SCF, CF, MEMREF, FUNC, RECONCILE),
        "pass-order 4; it was made by --convert-scf-to-cf, when --convert-arith-to-llvm had run; "
        "run --convert-arith-to-llvm after --convert-scf-to-cf",
        3,
    )


def test_a_cast_survives() -> None:
    leftovers = said(INDEX, ("--convert-index-to-llvm", RECONCILE))
    assert leftovers[-1] == (
        "surviving-cast 3; the cast from index to i64 stands between 'func.func' and 'llvm.add', and 'func.func' was "
        "not converted; add --convert-func-to-llvm before --reconcile-unrealized-casts"
    )
    leftovers = said(INDEX, ("--convert-index-to-llvm", FUNC))
    assert leftovers[-1].endswith("both are converted: add --reconcile-unrealized-casts at the end")
    leftovers = said(INDEX, ("--convert-index-to-llvm", f"{FUNC}=index-bitwidth=32", RECONCILE))
    assert leftovers[0].endswith("give the passes that converted them the same options, such as index-bitwidth")


def test_what_has_a_translation_is_left_until_its_values_are_of_llvm_types() -> None:
    missing = "missing-pass 4; the pipeline does not run the pass gpu-to-llvm; add --gpu-to-llvm at the beginning"
    check_said(LAUNCH.format("index"), WHOLE, missing, 1)
    assert said(LAUNCH.format("i64"), WHOLE) == []
    assert said(LAUNCH.format("index"), ("--gpu-to-llvm", *WHOLE)) == []


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (ASKEW, "layout-not-strided 1; argument #0: the layout of 'memref<8xf32, affine_map<"),
        (PAIR, "unconverted-signature 1; argument #0: LLVM has no value of type 'tuple<i32, f32>'"),
        (TENSORS, "unconverted-signature 1; argument #0: 'tensor<8xf32>' has no memory"),
        (UNKNOWN, "no-translation 2; no pass of Fathom knows the dialect 'shop'"),
    ],
)
def test_a_type_or_a_dialect_is_in_the_way(text: str, start: str) -> None:
    assert said(text, WHOLE)[0].startswith(start)


def test_operations_on_tensors_are_to_be_bufferized() -> None:
    assert any(leftover.startswith("not-bufferized 2; ") for leftover in said(TENSORS, WHOLE))


def test_a_pass_for_such_operations_of_models_left_it() -> None:
    (error,) = lower(RECIPROCAL).diagnostics
    notes = [note.message for note in error.notes]
    assert notes == ["'tosa.reciprocal' has no form with memrefs", "--tosa-to-linalg, for such operations, left it"]


def test_passes_that_left_a_tensor_that_is_waited_for_are_not_advised() -> None:
    (error,) = lower("""
func.func @f(%x: tensor<i32>) -> tensor<i32> {
  %token, %later = async.execute -> !async.value<tensor<i32>> {
    async.yield %x : tensor<i32>
  }
  %0 = async.await %later : !async.value<tensor<i32>>
  return %0 : tensor<i32>
}
""").diagnostics
    assert "has no form with memrefs" in error.notes[0].message
    assert error.notes[1].message == (
        "--async-to-async-runtime and --convert-async-to-llvm, for such operations, left it"
    )


def test_a_body_was_converted_inside_of_what_is_known_by_it() -> None:
    leftovers = said(DOT, WHOLE)
    assert leftovers[0].startswith("linalg-body 2; --convert-arith-to-llvm converted the operations in its body")


# ---- the corrected pipeline


def check_corrected(text: str, flags: tuple[str, ...], *expected: str) -> None:
    """The passes of the corrected pipeline; none where there is none. All is lowered by it."""
    module = module_of(text)
    before = str(module)
    better = corrected(parse_pipeline(list(flags)), module, default_context())
    assert str(module) == before
    assert [f"--{pass_}" for pass_ in better.passes] if better is not None else list(expected) == []
    if better is not None:
        assert said(text, tuple(f"--{pass_}" for pass_ in better.passes)) == []


def test_what_is_missing_is_put_in_its_place() -> None:
    check_corrected(SIN, WHOLE, "--convert-math-to-llvm", *WHOLE)
    check_corrected(VIEW, WHOLE, "--expand-strided-metadata", "--lower-affine", *WHOLE)
    check_corrected(VIEW, ("--expand-strided-metadata", *WHOLE), "--expand-strided-metadata", "--lower-affine", *WHOLE)
    check_corrected(INDEX, (FUNC,), "--convert-index-to-llvm", FUNC, RECONCILE)
    check_corrected(PAIR, WHOLE)


def test_a_pass_that_fails_comes_behind_one_that_has_a_way() -> None:
    libm, to_llvm = "--convert-complex-to-libm", "--convert-complex-to-llvm"
    check_corrected(HALF, (libm, to_llvm, FUNC, RECONCILE), to_llvm, libm, FUNC, RECONCILE)
    check_corrected(HALF, (libm, FUNC, RECONCILE), to_llvm, libm, FUNC, RECONCILE)
    check_corrected(SINE, ("--convert-math-to-libm", FUNC), "--convert-math-to-llvm", "--convert-math-to-libm", FUNC)
    check_corrected(ROOT, ("--convert-math-to-libm", FUNC))


def test_a_pass_that_converts_one_side_gives_way_to_one_that_converts_both() -> None:
    vector, half = "--convert-vector-to-llvm", "arith-emulate-wide-int{widest-int-supported=8}"
    text = f"builtin.module({half},{','.join(flag[2:] for flag in (vector, *WHOLE))})"
    better = corrected(parse_pipeline(text), module_of(STORED), default_context())
    assert str(better) == text.replace("arith-emulate", "memref-emulate")
    assert better is not None
    module = module_of(STORED)
    assert not run(better, module, default_context()).failed
    assert list(left_behind(module, History(tuple(better.passes)))) == []


def test_a_pass_that_converts_one_side_is_taken_out_where_nothing_converts_the_other() -> None:
    math = "--convert-math-to-llvm"
    check_corrected(WIDE, (math, *WHOLE[:1], "--arith-emulate-wide-int", *WHOLE[1:]), math, *WHOLE)
    check_corrected(WIDE, ("--arith-emulate-wide-int", *WHOLE), math, *WHOLE)


@pytest.mark.parametrize("order", random.Random(7).sample(list(permutations(WHOLE)), 12))
def test_any_order_becomes_one_that_lowers_all(order: tuple[str, ...]) -> None:
    better = corrected(parse_pipeline(list(order)), module_of(LOOP), default_context())
    passes = order if better is None else tuple(f"--{pass_}" for pass_ in better.passes)
    assert said(LOOP, passes) == []


@pytest.mark.parametrize("left_out", WHOLE[:-1])
def test_any_pass_that_is_left_out_is_put_in(left_out: str) -> None:
    better = corrected(parse_pipeline([flag for flag in WHOLE if flag != left_out]), module_of(LOOP), default_context())
    assert better is not None
    assert said(LOOP, tuple(f"--{pass_}" for pass_ in better.passes)) == []


def test_casts_that_make_a_circle() -> None:
    circle = """\
%0 = builtin.unrealized_conversion_cast %1 : i32 to i64
%1 = builtin.unrealized_conversion_cast %0 : i64 to i32
"""
    module = load(circle).module
    assert module is not None
    lowering = Lowering(parse_pipeline(["--lower-to-llvm"]), module, default_context())
    assert [leftover.code for leftover in lowering.verdict().leftovers] == ["surviving-cast", "surviving-cast"]


@pytest.mark.parametrize(
    ("flags", "is_to_reach"),
    [
        (["--convert-arith-to-llvm", "--reconcile-unrealized-casts"], True),
        (["--lower-to-llvm"], True),
        (["--reconcile-unrealized-casts"], False),
        (["--convert-arith-to-llvm"], False),
    ],
)
def test_a_pipeline_is_to_reach_the_llvm_dialect(flags: list[str], is_to_reach: bool) -> None:
    assert parse_pipeline(flags).is_to_reach_llvm is is_to_reach


def test_a_nest_does_not_reach_into_a_module_inside() -> None:
    text = "module {\nmodule @inner {\n" + SIN + "}\n}\n"
    pipeline = parse_pipeline(
        "builtin.module(func.func(convert-math-to-llvm),convert-func-to-llvm,reconcile-unrealized-casts)"
    )
    module = module_of(text)
    lowering = run(pipeline, module, default_context())
    (diagnostic,) = lowering.verdict(lambda: module_of(text)).leftovers
    assert [note.message for note in diagnostic.notes] == [
        "--convert-math-to-llvm runs on 'func.func' that stands directly in the module, in which this 'math.sin' does "
        "not",
        "run --convert-math-to-llvm on the whole module",
    ]
    better = corrected(pipeline, module_of(text), default_context())
    assert better is not None
    assert str(better) == "builtin.module(convert-math-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)"
