"""What the lowerings of `scf`, `arith`, `cf`, `math` and `ub` cannot lower, they report at its place, with the reason.

The texts that they print are held against mlir-opt in `test_fixtures.py`.
"""

from __future__ import annotations

import pytest

import fathom
from fathom.elaborate import load
from tests.oracles import PASSES
from tests.passes.running import run_pass

ILLEGAL = "failed to legalize operation '{}' that was explicitly marked illegal"


def check_report(text: str, name: str, message: str, *notes: str, severity: str = "error") -> None:
    """The pass `name` reports the operation between the marks `<|>`, and nothing else."""
    start, inside, end = text.split("<|>")
    loaded = load(start + inside + end)
    assert not loaded.has_errors, loaded.diagnostics
    (diagnostic,) = run_pass(name, loaded.module)
    assert diagnostic.message == message
    assert [note.message for note in diagnostic.notes] == list(notes)
    assert diagnostic.severity == severity
    assert diagnostic.span is not None
    assert (start + inside + end)[diagnostic.span.start : diagnostic.span.end] == inside


def function(body: str, arguments: str) -> str:
    return f"func.func @f({arguments}) {{\n  {body}\n  return\n}}\n"


def test_a_loop_with_shared_outputs() -> None:
    check_report(
        function(
            """%r = <|>scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<4xf32> {<|>
    scf.forall.in_parallel {}
  }""",
            "%n: index, %t: tensor<4xf32>",
        ),
        "convert-scf-to-cf",
        ILLEGAL.format("scf.forall"),
        "only a fully bufferized scf.forall, without shared outputs, can be lowered to scf.parallel",
        "'scf.forall' is lowered by the pass --convert-scf-to-cf",
    )


@pytest.mark.parametrize("use", ["inside", "after"])
def test_a_loop_whose_shared_tensor_is_read(use: str) -> None:
    reads = {"inside": "%one = tensor.extract %o[%i] : tensor<4xf32>", "after": '"t.use"(%r) : (tensor<4xf32>) -> ()'}
    check_report(
        function(
            f"""%r = <|>scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<4xf32> {{<|>
    {reads["inside"] if use == "inside" else ""}
    scf.forall.in_parallel {{}}
  }}
  {reads["after"] if use == "after" else ""}""",
            "%n: index, %t: tensor<4xf32>",
        ),
        "scf-forall-to-for",
        "an 'scf.forall' with shared tensors becomes another loop when it is on buffers",
    )


def test_control_flow_where_blocks_have_no_place() -> None:
    check_report(
        '%c = "t.c"() : () -> i1\n<|>scf.if %c {<|>\n}\n',
        "convert-scf-to-cf",
        ILLEGAL.format("scf.if"),
        "branches need several blocks, and a region of 'builtin.module' has one",
        "'scf.if' is lowered by the pass --convert-scf-to-cf",
    )


def test_a_branch_that_passes_a_tensor() -> None:
    check_report(
        "func.func @f(%t: tensor<4xf32>) {\n"
        "  <|>cf.br ^bb1(%t : tensor<4xf32>)<|>\n^bb1(%u: tensor<4xf32>):\n  return\n}\n",
        "convert-cf-to-llvm",
        ILLEGAL.format("cf.br"),
        "unable to convert type for operand #0, type was 'tensor<4xf32>'",
        "'cf.br' is lowered by the pass --convert-cf-to-llvm",
    )


def test_an_assertion_in_a_structured_operation() -> None:
    check_report(
        function('scf.if %c {\n    <|>cf.assert %c, "no"<|>\n  }', "%c: i1"),
        "convert-cf-to-llvm",
        ILLEGAL.format("cf.assert"),
        "branches need several blocks, and a region of 'scf.if' has one",
        "'cf.assert' is lowered by the pass --convert-cf-to-llvm",
    )


@pytest.mark.parametrize("name", ["puts", "abort"])
def test_an_assertion_calls_functions_by_their_names(name: str) -> None:
    text = f'func.func private @{name}()\nfunc.func @f(%c: i1) {{\n  cf.assert %c, "no"\n  return\n}}\n'
    first = fathom.lower(text, "--convert-cf-to-llvm").diagnostics[0]
    assert (first.severity, first.message) == ("error", f"redefinition of symbol named '{name}'")
    assert first.span is not None and first.span.start == 0


def test_a_branch_that_is_never_reached() -> None:
    check_report(
        "func.func @f() {\n  return\n^bb1:\n  <|>cf.br ^bb1<|>\n}\n",
        "convert-cf-to-llvm",
        "'cf.br' was not converted",
        "nothing branches to its block, and conversions do not visit such blocks; remove it, or branch to it",
        severity="warning",
    )


@pytest.mark.parametrize(
    ("line", "name", "notes"),
    [
        (
            "%0 = <|>arith.addi %t, %t : tensor<4xi32><|>",
            "addi",
            (
                "operand #0: 'tensor<4xi32>' has no memory",
                "--convert-elementwise-to-linalg and --one-shot-bufferize=bufferize-function-boundaries "
                "give tensors memory",
            ),
        ),
        (
            "%0 = <|>arith.addf %e, %e : f8E5M2<|>",
            "addf",
            ("operand #0: LLVM carries 'f8E5M2' as an integer and cannot compute with it; extend it to f32 first",),
        ),
        (
            "%0, %1 = <|>arith.mulsi_extended %v, %v : vector<2x3xi32><|>",
            "mulsi_extended",
            ("vectors of several dimensions have no counterpart for this operation",),
        ),
    ],
)
def test_arithmetic_that_stays(line: str, name: str, notes: tuple[str, ...]) -> None:
    check_report(
        function(line, "%t: tensor<4xi32>, %e: f8E5M2, %v: vector<2x3xi32>"),
        "convert-arith-to-llvm",
        f"'arith.{name}' was not lowered by --convert-arith-to-llvm",
        *notes,
        severity="warning",
    )


@pytest.mark.parametrize(
    ("line", "name", "note"),
    [
        (
            "%0 = <|>math.exp %e : f8E5M2<|>",
            "exp",
            "operand #0: LLVM carries 'f8E5M2' as an integer and cannot compute with it; extend it to f32 first",
        ),
        (
            "%0 = <|>math.ctlz %v : vector<2x3xi32><|>",
            "ctlz",
            "vectors of several dimensions have no counterpart for this operation",
        ),
        ("%0 = <|>math.erf %x : f32<|>", "erf", "'math.erf' is rewritten by --convert-math-to-libm"),
    ],
)
def test_functions_that_stay(line: str, name: str, note: str) -> None:
    check_report(
        function(line, "%x: f32, %e: f8E5M2, %v: vector<2x3xi32>"),
        "convert-math-to-llvm",
        f"'math.{name}' was not lowered by --convert-math-to-llvm",
        note,
        severity="warning",
    )


def test_functions_that_stay_when_everything_is_converted() -> None:
    check_report(
        "func.func @f(%x: f32) {\n  %0 = <|>math.erf %x : f32<|>\n  return\n}\n",
        "convert-to-llvm",
        "'math.erf' was not lowered by --convert-to-llvm",
        "'math.erf' is rewritten by --convert-math-to-libm",
        severity="warning",
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("foo", "dialect not loaded: foo"),
        ("affine", "dialect does not implement ConvertToLLVMPatternInterface: affine"),
    ],
)
def test_a_dialect_that_nothing_converts_to_the_llvm_dialect(name: str, problem: str) -> None:
    (diagnostic,) = run_pass("convert-to-llvm", load("").module, f"filter-dialects=index,{name}")
    assert (diagnostic.message, diagnostic.severity) == (problem, "error")


def test_a_function_that_the_c_library_does_not_have() -> None:
    check_report(
        function("%0 = <|>math.ctlz %n : i32<|>", "%n: i32"),
        "convert-math-to-libm",
        ILLEGAL.format("math.ctlz"),
        "'math.ctlz' is lowered by the pass --convert-math-to-llvm",
    )


def test_a_function_that_the_c_library_does_not_have_for_the_type() -> None:
    check_report(
        function("%0 = <|>math.exp %t : tensor<4xf32><|>", "%t: tensor<4xf32>"),
        "convert-math-to-libm",
        ILLEGAL.format("math.exp"),
        "pattern 1 of 3: not a vector",
        "pattern 2 of 3: not a float of 16 bits",
        "pattern 3 of 3: the C library has functions of f32 and f64, not of tensor<4xf32>",
    )


def test_poison_that_stays() -> None:
    check_report(
        function("%0 = <|>ub.poison : tensor<4xi32><|>", ""),
        "convert-ub-to-llvm",
        "'ub.poison' was not lowered by --convert-ub-to-llvm",
        "result #0: 'tensor<4xi32>' has no memory",
        severity="warning",
    )


def test_every_operation_that_is_made_has_a_place() -> None:
    text = function(
        """%r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (index) {
    %q = arith.ceildivsi %a, %i : index
    scf.yield %q : index
  }
  cf.assert %c, "no"
""",
        "%n: index, %x: index, %c: i1",
    )
    loaded = load(text)
    for name in PASSES:
        assert run_pass(name, loaded.module) == []
    # What is declared, and not in the text, comes from the module.
    ops = [
        op
        for op in loaded.module.walk()
        if op is not loaded.module and not (op.name == "llvm.func" and op.regions[0].is_empty)
    ]
    assert ops
    assert [op.name for op in ops if op.span is None] == []


def test_a_function_of_a_complex_number() -> None:
    check_report(
        "func.func @f(%z: complex<f32>) -> complex<f32> {\n"
        "  %r = <|>complex.sin %z : complex<f32><|>\n  return %r : complex<f32>\n}\n",
        "convert-complex-to-llvm",
        ILLEGAL.format("complex.sin"),
        "'complex.sin' is rewritten by --convert-complex-to-standard",
    )


def test_complex_numbers_that_llvm_cannot_compute_with() -> None:
    check_report(
        function("%r = <|>complex.add %z, %z : complex<f8E5M2><|>", "%z: complex<f8E5M2>"),
        "convert-complex-to-llvm",
        ILLEGAL.format("complex.add"),
        "LLVM cannot compute with 'f8E5M2'",
        "'complex.add' is lowered by the pass --convert-complex-to-llvm",
    )


def test_a_function_that_the_c_library_has_not_of_this_type() -> None:
    check_report(
        function("%r = <|>complex.sin %z : complex<f16><|>", "%z: complex<f16>"),
        "convert-complex-to-libm",
        ILLEGAL.format("complex.sin"),
        "the C library has functions of f32 and f64, not of f16",
        "'complex.sin' is rewritten by --convert-complex-to-standard",
    )


def test_parts_of_a_number_that_an_unknown_operation_makes() -> None:
    loaded = load(function("%z = foo.bar\n  %r = complex.re %z : complex<f32>", ""))
    assert run_pass("convert-complex-to-llvm", loaded.module) == []
    assert "llvm.extractvalue" in {op.name for op in loaded.module.walk()}


def test_an_image_that_no_scale_leaves_a_size() -> None:
    shapes = "(tensor<1x8x8x8xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x?x?x?xf32>"
    text = f"""func.func @f(%a: tensor<1x8x8x8xf32>) {{
  %scale = tosa.const_shape {{values = dense<[4, 2, 4, 2]> : tensor<4xindex>}} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {{values = dense<[50, 0]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %border = tosa.const_shape {{values = dense<[2, 2]> : tensor<2xindex>}} : () -> !tosa.shape<2>
  %r = <|>tosa.resize %a, %scale, %offset, %border {{mode = BILINEAR}} : {shapes}<|>
  return
}}
"""
    message = "calculated output height and width must be non-negative, got height = -9, width = 16"
    start, inside, end = text.split("<|>")
    loaded = load(start + inside + end)
    (function,) = loaded.module.regions[0].operations()
    (diagnostic,) = run_pass("tosa-infer-shapes", function)
    assert (diagnostic.message, diagnostic.fatal) == (message, False)
    assert diagnostic.span is not None and (start + inside)[diagnostic.span.start : diagnostic.span.end] == inside


def test_a_quantised_image_has_no_zero_to_stand_around_it() -> None:
    image, kernel = (f"tensor<{shape}x!quant.uniform<i8:f32, 0.5>>" for shape in ("1x4x4x4", "8x1x1x4"))
    text = f"""func.func @f(%a: {image}, %w: {kernel}, %b: tensor<8xi32>) {{
  %z = "tosa.const"() {{values = dense<0> : tensor<1xi8>}} : () -> tensor<1xi8>
  %r = tosa.conv2d %a, %w, %b, %z, %z {{acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>,
    stride = array<i64: 1, 1>}} : ({image}, {kernel}, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x8xi32>
  return
}}
"""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    (function,) = loaded.module.regions[0].operations()
    assert "failed to legalize operation 'tosa.conv2d'" in run_pass("tosa-to-linalg-named", function)[0].message
