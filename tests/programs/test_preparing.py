"""A function of a text becomes a program with what it needs, and what stands in the way is said with its place."""

from __future__ import annotations

from pathlib import Path

from fathom.execution import RunOutcome
from fathom.execution.outcome import Failure
from fathom.inputs.loading import Loading
from fathom.inputs.splitting import Chunk
from fathom.ir.printer import print_module
from fathom.irdl.interfaces import symbol_name
from fathom.messages.source import Source
from fathom.pipeline.defaults import pipeline_of
from fathom.programs.functions import callable_functions
from fathom.programs.lowering import lower, lower_checked
from fathom.programs.preparing import Lower, Part, Prepared, Readings, Unprepared, cut, placed, prepare, program_of
from fathom.verify.symbols import operations_in

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CALLS = """\
func.func @leaf(%x: i32) -> i32 { return %x : i32 }
func.func @caller(%x: i32) -> i32 {
  %0 = call @leaf(%x) : (i32) -> i32
  return %0 : i32
}
func.func @wrong(%x: i32) -> i64 { return %x : i32 }
module @inner {
  func.func @g(%m: memref<?xf32>, %i: index) -> f32 {
    %0 = memref.load %m[%i] : memref<?xf32>
    return %0 : f32
  }
}
"""


def check_part(text: str, entry: str, expected: str) -> None:
    """The symbols of the part that an entry needs, with its type."""
    part = cut(Source("f.mlir", text), entry, Loading())
    assert isinstance(part, Part), part
    names = " ".join(f"@{symbol_name(op)}" for op in operations_in(part.module))
    assert f"{part.name}: {part.signature} of {names}" == expected


def check_program(text: str, entry: str, *expected: str, lowered: Lower = lower) -> Prepared:
    """Lines in the LLVM IR of a program."""
    program = program_of(Source("f.mlir", text), entry, Loading(), lowered=lowered)
    assert isinstance(program, Prepared), program
    assert not program.problems
    lines = program.llvm_ir.splitlines()
    assert [line for line in expected if line not in lines] == []
    return program


def check_refused(text: str, entry: str, *expected: str) -> None:
    """What is wrong, with line and column."""
    source = Source("f.mlir", text)
    program = program_of(source, entry, Loading())
    assert isinstance(program, Unprepared), program
    places = [source.location(problem.span.start) for problem in program.problems if problem.span is not None]
    told = [f"{at.line}:{at.column}: {it.message}" for at, it in zip(places, program.problems, strict=True)]
    assert (*told, *([program.absent.message()] if program.absent else [])) == expected
    assert program.message == expected[-1].split(": ", 1)[1] if told else expected[0]


def check_same_parts(text: str) -> None:
    """Each function of a text, cut from a copy of what was read once, is what is cut from the text."""
    source, loading = Source("f.mlir", text), Loading()
    readings = Readings(loading)
    for entry in callable_functions(loading.read(Chunk(text, 0))[0].module):
        own, copied = cut(source, entry, loading), cut(source, entry, loading, readings=readings)
        if isinstance(own, Unprepared) or isinstance(copied, Unprepared):
            assert isinstance(own, Unprepared)
            assert isinstance(copied, Unprepared)
            assert own.problems == copied.problems
            continue
        assert print_module(copied.module) == print_module(own.module)
        assert (copied.name, copied.argument_names, copied.beside) == (own.name, own.argument_names, own.beside)
        one, two = prepare(own, lowered=lower_checked), prepare(copied, lowered=lower_checked)
        assert isinstance(one, Prepared)
        assert isinstance(two, Prepared)
        assert (two.llvm_ir, two.checks, two.problems) == (one.llvm_ir, one.checks, one.problems)


def test_functions_of_a_text_that_is_read_once() -> None:
    check_same_parts(CALLS)
    for file in ("gcd", "nested", "sort", "switch", "views"):
        check_same_parts((EXAMPLES / f"{file}.mlir").read_text(encoding="utf-8"))


def test_part() -> None:
    check_part(CALLS, "leaf", "leaf: (i32) -> i32 of @leaf")
    check_part(CALLS, "caller", "caller: (i32) -> i32 of @leaf @caller")
    check_part(CALLS, "inner::g", "g: (memref<?xf32>, index) -> f32 of @g")
    check_part(CALLS, "g", "g: (memref<?xf32>, index) -> f32 of @g")


def test_part_of_a_split() -> None:
    split = (
        "func.func @f() { return }\n// -----\nfunc.func @f() -> i1 {\n  %c = arith.constant true\n  return %c : i1\n}\n"
    )
    check_part(split, "f#2", "f: () -> i1 of @f")


def test_program() -> None:
    check_program(CALLS, "caller", "define i32 @caller(i32 %0) {", "  %2 = call i32 @leaf(i32 %0)")
    program = check_program(CALLS, "inner::g", "define float @g(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4, i64 %5) {")
    assert program.request([1], 3).argument_types == program.signature.inputs


def test_own_pipeline() -> None:
    part = cut(Source("f.mlir", CALLS), "leaf", Loading())
    assert isinstance(part, Part)
    find = part.loading.context.find_pass
    program = prepare(part, pipeline_of("--convert-arith-to-llvm", find))
    assert isinstance(program, Unprepared)
    assert program.problems[0].message == "'func.func' op was left behind by the lowering to the LLVM dialect"


def test_symbol_that_a_pass_makes() -> None:
    """`malloc` of the source has another type than the one that a pass would declare: the pass has to see it."""
    text = """\
    func.func private @malloc(%n: i64) -> i64 { return %n : i64 }
    func.func @f() -> memref<2xf32> {
      %0 = memref.alloc() : memref<2xf32>
      return %0 : memref<2xf32>
    }
    """
    program = program_of(Source("f.mlir", text), "f", Loading())
    assert isinstance(program, Unprepared), program
    assert "malloc" in program.message


def test_mistakes() -> None:
    check_refused(
        CALLS,
        "wrong",
        "6:36: type of return operand 0 ('i32') doesn't match function result type ('i64') in function @wrong",
    )
    check_refused(CALLS, "none", "no function '@none' with a body; there are: @leaf, @caller, @wrong, @inner::@g")
    check_refused("", "f", "no function '@f' with a body; the input has none")


def test_failed_check_at_its_place() -> None:
    program = check_program(CALLS, "inner::g", lowered=lower_checked)
    (check, *_) = program.checks
    assert check.span is not None
    ran = placed(RunOutcome(Failure("assertion", "it failed", {"check": 0})), program)
    assert ran.outcome.failure is not None
    assert ran.outcome.failure.details == {"line": 9, "column": 10}
    assert ran.failed is not None
    assert ran.failed.span == check.span
