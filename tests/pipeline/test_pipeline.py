"""Pass pipelines: their language, mistakes worded as mlir-opt 22 words them, and what each stage of a run gives."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from fathom.passes.definition import Pass
from fathom.passes.leftovers import History, left_behind
from fathom.passes.pipelines.lower_to_llvm import LowerToLLVMPipeline
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.pipeline.language import Pipeline, parse_pipeline
from fathom.pipeline.lowering import run
from fathom.pipeline.observer import Observer
from fathom.pipeline.segments import segment
from tests.oracles import PASSES, flags, mlir_opt, run_tool
from tests.work import longest_slice

ADD = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
LOOP = """func.func @f(%m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<8xf32>
  }
  return
}
"""
CALL = 'func.func @f(%a: f32) -> f32 {\n  %0 = "math.sin"(%a) : (f32) -> f32\n  return %0 : f32\n}\n'
TWO_FUNCTIONS = "func.func private @f()\nfunc.func private @g()\n"

MISTAKES = [
    "foo",
    "convert-arith-to-llvm",
    "",
    "builtin.module(foo)",
    "builtin.module(,)",
    "builtin.module(convert-arith-to-llvm,)",
    "builtin.module(convert-arith-to-llvm",
    "builtin.module(convert-arith-to-llvm))",
    "builtin.module(convert-arith-to-llvm{index-bitwidth=32)",
    "builtin.module(convert-arith-to-llvm{foo=1})",
    "builtin.module(func.func(convert-func-to-llvm))",
    "builtin.module(builtin.module(func.func(convert-func-to-llvm)))",
    "builtin.module(llvm-request-c-wrappers)",
    "builtin.module(func.func())",
    "builtin.module(func.func{a}(cse))",
    "builtin.module(func.func(cse) canonicalize)",
    "builtin.module(nopass,func.func(cse)",
    "builtin.module(\n  cse,\n  func.func( nopass )\n)",
]


def check_pipeline(source: str | list[str], expected: str) -> None:
    """`source` has no mistakes and means `expected`."""
    pipeline = parse_pipeline(source)
    assert pipeline.errors == ()
    assert str(pipeline) == expected


def check_mistake(text: str, *expected: str) -> None:
    """A pipeline's mistakes."""
    assert parse_pipeline(text).errors == expected


def module_of(text: str) -> Operation:
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    return loaded.module


def test_flags() -> None:
    check_pipeline(
        ["--convert-arith-to-llvm=index-bitwidth=32", "-convert-func-to-llvm"],
        "builtin.module(convert-arith-to-llvm{index-bitwidth=32},convert-func-to-llvm)",
    )


def test_flags_of_passes_on_functions() -> None:
    flags = ["--lower-vector-mask", "--lower-vector-multi-reduction", "--cse"]
    check_pipeline(flags, "builtin.module(func.func(lower-vector-mask),func.func(lower-vector-multi-reduction),cse)")
    told = run_tool("mlir-opt", [*flags, "--dump-pass-pipeline"], TWO_FUNCTIONS)
    assert parse_pipeline(flags).dump() in told.stderr


def test_a_function_goes_through_all_passes_on_functions_before_the_next() -> None:
    text = "builtin.module(func.func(cse),func.func(sccp),cse)"
    seen: list[str] = []

    class Names(Observer):
        def before_pass(self, use: Pass, op: Operation) -> None:
            seen.append(f"{use.name} {op.attributes.get('sym_name') or op.properties.get('sym_name', 'module')}")

    run(parse_pipeline(text), module_of(TWO_FUNCTIONS), default_context(), observers=[Names()])
    assert seen == ['cse "f"', 'sccp "f"', 'cse "g"', 'sccp "g"', "cse module"]


def test_text() -> None:
    text = "builtin.module(func.func(convert-scf-to-cf),any(convert-arith-to-llvm{index-bitwidth=32}))"
    check_pipeline(text, text)


def test_white_space_and_an_empty_pipeline() -> None:
    check_pipeline(" builtin.module( convert-scf-to-cf , convert-arith-to-llvm ) ", "builtin.module(convert-scf-to-cf,"
                   "convert-arith-to-llvm)")  # fmt: skip
    check_pipeline(
        "builtin.module(\n  func.func( cse , canonicalize { max-iterations=2 } ) ,\n  symbol-dce\n)",
        "builtin.module(func.func(cse,canonicalize{max-iterations=2}),symbol-dce)",
    )
    check_pipeline("builtin.module()", "builtin.module()")


def test_options_in_braces_and_flags_without_value() -> None:
    check_pipeline(
        ["--convert-func-to-llvm=use-bare-ptr-memref-call-conv index-bitwidth={64}"],
        "builtin.module(convert-func-to-llvm{index-bitwidth=64 use-bare-ptr-memref-call-conv=true})",
    )


def stages_of(text: str, pipeline: Pipeline = LOWER_TO_LLVM) -> list[str]:
    """The passes that ran; nothing was left behind."""
    module = module_of(text)
    result = run(pipeline, module, default_context())
    assert not result.failed
    assert left_behind(module, History(())) == []
    return [stage.name for stage in result.stages]


def test_a_pass_of_the_lowering_runs_where_there_is_something_for_it() -> None:
    assert stages_of(LOOP) == list(PASSES)
    assert stages_of(ADD) == ["convert-arith-to-llvm", "convert-func-to-llvm"]
    assert stages_of(CALL) == ["convert-math-to-llvm", "convert-func-to-llvm"]
    assert stages_of(CALL.replace("sin", "erf")) == ["convert-math-to-libm", "convert-func-to-llvm"]
    assert stages_of(ADD.replace("addi", "ceildivsi")) == ["arith-expand", *stages_of(ADD)]
    assert stages_of("") == []


def test_what_a_pass_makes_is_lowered_by_those_after_it() -> None:
    text = "func.func @f(%z: complex<f64>) -> f64 {\n  %0 = complex.angle %z : complex<f64>\n  return %0 : f64\n}\n"
    assert stages_of(text)[:3] == ["convert-complex-to-standard", "convert-math-to-llvm", "convert-complex-to-llvm"]
    text = (
        "func.func @f(%m: memref<4x8xf32>, %i: index) -> memref<2x8xf32, strided<[8, 1], offset: ?>> {\n"
        "  %0 = memref.subview %m[%i, 0] [2, 8] [1, 1]\n"
        "    : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>\n"
        "  return %0 : memref<2x8xf32, strided<[8, 1], offset: ?>>\n}\n"
    )
    assert stages_of(text)[:3] == ["expand-strided-metadata", "lower-affine", "convert-arith-to-llvm"]


def test_powers_by_vectors_and_wide_integers_are_calls_of_functions() -> None:
    text = (
        "func.func @f(%a: TYPE, %b: EXPONENT) -> TYPE {\n"
        "  %0 = math.fpowi %a, %b : TYPE, EXPONENT\n  return %0 : TYPE\n}\n"
    )

    def stages(type: str, exponent: str) -> list[str]:
        return stages_of(text.replace("TYPE", type).replace("EXPONENT", exponent))

    assert stages("f32", "i32") == ["convert-math-to-llvm", "convert-func-to-llvm"]
    assert stages("f32", "i64")[0] == "convert-math-to-funcs"
    assert stages("vector<4xf32>", "vector<4xi32>")[0] == "convert-math-to-funcs"


def test_the_text_is_that_of_mlir_opt_s_passes() -> None:
    module = module_of(LOOP)
    run(LOWER_TO_LLVM, module, default_context())
    assert print_module(module) == mlir_opt(LOOP, *flags(PASSES))


def test_options_of_the_lowering_reach_its_passes() -> None:
    narrow = parse_pipeline(["--lower-to-llvm=index-bitwidth=32"])
    check_pipeline("builtin.module(lower-to-llvm{index-bitwidth=32})", str(narrow))
    widths = {pass_.name: getattr(pass_, "index_bitwidth", None) for pass_ in narrow.passes}
    assert {name for name, width in widths.items() if width == 32} == {
        "convert-arith-to-llvm",
        "convert-cf-to-llvm",
        "convert-func-to-llvm",
        "convert-index-to-llvm",
        "convert-ub-to-llvm",
        "declared-functions",
        "finalize-memref-to-llvm",
    }
    module = module_of(LOOP)
    run(parse_pipeline(["--lower-to-llvm=use-bare-ptr-memref-call-conv=1"]), module, default_context())
    assert "llvm.func @f(%arg0: !llvm.ptr, %arg1: f32)" in print_module(module)


def test_a_dump_of_the_lowering_shows_its_passes() -> None:
    dumped = parse_pipeline(["--cse", "--lower-to-llvm"]).dump()
    assert dumped.startswith(
        f"Pass Manager with {1 + len(LowerToLLVMPipeline.passes)} passes:\nbuiltin.module(\n  cse,\n"
    )
    assert dumped.endswith("  reconcile-unrealized-casts\n)\n\n")


def test_a_segment_of_the_lowering_runs_what_it_needs() -> None:
    count = len(LOWER_TO_LLVM.passes)
    for middle in range(count + 1):
        module = module_of(LOOP)
        parts = [segment(LOWER_TO_LLVM, 0, middle), segment(LOWER_TO_LLVM, middle, count)]
        assert [s.name for part in parts for s in run(part, module, default_context()).stages] == list(PASSES)


def test_what_another_pass_lowers_is_not_left_behind() -> None:
    text = CALL.replace("  return %0", '  %1 = "math.erf"(%0) : (f32) -> f32\n  return %1')
    assert run(LOWER_TO_LLVM, module_of(text), default_context()).diagnostics == []
    left = run(parse_pipeline(["--convert-math-to-llvm"]), module_of(text), default_context()).diagnostics
    assert [diagnostic.message for diagnostic in left] == ["'math.erf' was not lowered by --convert-math-to-llvm"]


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_worded_as_the_oracle_words_them(text: str) -> None:
    answer = run_tool("mlir-opt", [f"--pass-pipeline={text}"], "")
    assert answer.status == 1
    assert answer.stderr.strip() == "\n".join(parse_pipeline(text).errors).strip()


def test_a_pass_that_does_not_exist() -> None:
    check_mistake(
        "builtin.module(foo)",
        "<unknown>:0: error: MLIR Textual PassPipeline Parser:1:1: error: 'foo' does not refer to a registered pass or "
        "pass pipeline\nfoo\n^\n",
    )


def test_a_value_that_does_not_fit() -> None:
    check_mistake(
        "builtin.module(convert-arith-to-llvm{index-bitwidth=abc})",
        "fathom: for the --index-bitwidth option: 'abc' value invalid for uint argument!\n<unknown>:0: error: \n"
        "failed to add `convert-arith-to-llvm` with options `index-bitwidth=abc`",
    )


@pytest.mark.parametrize("option", ["index-bitwidth", "index-bitwidth = 32"])
def test_a_value_that_is_missing(option: str) -> None:
    check_mistake(
        f"builtin.module(convert-arith-to-llvm{{{option}}})",
        "fathom: for the --index-bitwidth option: requires a value!\n<unknown>:0: error: \n"
        f"failed to add `convert-arith-to-llvm` with options `{option}`",
    )


def test_a_nest_on_an_operation_that_is_not_isolated() -> None:
    text = "func.func @f(%c: i1) {\n  scf.if %c {\n  }\n  return\n}\n"
    result = run(parse_pipeline("builtin.module(func.func(scf.if(cse)))"), module_of(text), default_context())
    (said,) = result.diagnostics
    message = "'scf.if' op trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'"
    assert result.failed and said.message == message
    assert said.span is not None and text[said.span.start :].startswith("scf.if")


def test_mistakes_become_diagnostics_of_a_run() -> None:
    result = run(parse_pipeline("builtin.module(foo)"), module_of(ADD), default_context())
    assert result.failed
    assert result.stages == []


def test_an_anchor_that_does_not_fit() -> None:
    result = run(parse_pipeline("func.func(convert-arith-to-llvm)"), module_of(ADD), default_context())
    assert [d.message for d in result.diagnostics] == ["can't run 'func.func' pass manager on 'builtin.module' op"]


def test_a_nest_runs_on_what_it_names() -> None:
    seen: list[tuple[str, str]] = []

    class Notes(Observer):
        def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
            seen.append((use.name, op.name))

    pipeline = parse_pipeline("builtin.module(func.func(convert-scf-to-cf),convert-arith-to-llvm)")
    module = module_of(ADD + ADD.replace("@f", "@g"))
    assert not run(pipeline, module, default_context(), observers=[Notes()]).failed
    assert seen == [
        ("convert-scf-to-cf", "func.func"),
        ("convert-scf-to-cf", "func.func"),
        ("convert-arith-to-llvm", "builtin.module"),
    ]


def test_nothing_is_left_behind() -> None:
    module = module_of(ADD)
    assert not run(LOWER_TO_LLVM, module, default_context()).failed
    assert left_behind(module, History(())) == []


def test_what_is_left_behind_is_reported_where_it_stands() -> None:
    module = module_of(CALL)
    run(parse_pipeline(flags(PASSES)), module, default_context())
    (diagnostic,) = left_behind(module, History(()))
    assert diagnostic.message == "'math.sin' op was left behind by the lowering to the LLVM dialect"
    assert diagnostic.span is not None
    assert CALL[diagnostic.span.start : diagnostic.span.end].startswith('"math.sin"(%a)')
    assert "convert-math-to-llvm" in diagnostic.notes[-1].message


MOST_CALLS = 20_000
"""What may be done between two checkpoints: some milliseconds."""


def test_what_one_operation_becomes_is_made_in_slices() -> None:
    context = default_context()

    def lowering(results: int) -> int:
        listed = ", ".join(f"d0 + {number}" for number in range(results))
        line = f"%0 = affine.max affine_map<(d0) -> ({listed})>(%a)"
        module = load(f"func.func @f(%a: index) -> index {{\n  {line}\n  return %0 : index\n}}\n", context).module
        return longest_slice(lambda: run(LOWER_TO_LLVM, module, context, verifying="made"))

    lowering(2)  # What is imported and known by the first is none of this.
    assert lowering(900) < MOST_CALLS
