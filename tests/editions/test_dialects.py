"""What dialects are in older editions: texts of their operations, printed as their own mlir-opt prints them.

`tests/fixtures/editions/dialects` has a text for each edition, and beside it what mlir-opt of that edition made of it.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fathom.context import context_of
from fathom.elaborate import Loaded
from fathom.inputs.loading import Loading
from fathom.inputs.splitting import Chunk
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags
from tests.editions.pieces import ROAD
from tests.oracles import require_program

FIXTURES = Path(__file__).parents[1] / "fixtures" / "editions"


def read(name: str, text: str) -> tuple[Loaded, list[str]]:
    """What a text is in an edition, verified, and the errors in it."""
    loaded, problems = Loading(allow_unregistered=True, context=context_of(name)).told(Chunk(text, 0))
    return loaded, [problem.message for problem in problems if problem.severity == "error"]


def check_printed(name: str) -> None:
    """A text is read without an error, and printed as its edition's mlir-opt prints it."""
    loaded, errors = read(name, (FIXTURES / "dialects" / f"{name}.mlir").read_text(encoding="utf-8"))
    assert errors == []
    expected = (FIXTURES / "dialects" / f"{name}.out").read_text(encoding="utf-8")
    assert print_module(loaded.module, PrintingFlags(language=context_of(name).language)) == expected


@pytest.mark.parametrize("name", ["13", "14", "15", "16", "19"])
def test_operations_are_printed_as_their_edition_does(name: str) -> None:
    check_printed(name)


@pytest.mark.parametrize("name", ["13", "14", "15", "16", "19"])
def test_what_is_expected_is_what_the_editions_tool_prints(name: str) -> None:
    tool = require_program(f"mlir-opt-{name}")
    file = FIXTURES / "dialects" / f"{name}.mlir"
    command = [tool, "--allow-unregistered-dialect", str(file)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    assert answer.stdout == file.with_suffix(".out").read_text(encoding="utf-8")


KEPT = {
    "13": {"gpu.shuffle", "linalg.tiled_loop", "nvvm.shfl.sync.bfly", "nvvm.wmma.m16n16k16.mma.row.row.f16.f16"},
    "14": {"linalg.tiled_loop"},
}
"""Operations on the road to LLVM of which an edition knows the text alone."""


@pytest.mark.parametrize("name", ["13", "14", "15", "16", "19"])
def test_hardly_any_operation_is_known_by_its_text_alone(name: str) -> None:
    known = (context_of(name).dialect(dialect) for dialect in sorted(ROAD))
    operations = [op for dialect in known if dialect is not None for op in dialect.by_name.values()]
    kept = {op.name for op in operations if op.opaque and op.custom is None and op.assembly is None}
    assert kept == KEPT.get(name, set())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i1", "i1"),
        ("float*", "!llvm.ptr<f32>"),
        ("i8 addrspace(3)*", "!llvm.ptr<i8, 3>"),
        ("{ float*, i64, [2 x i64] }", "!llvm.struct<(ptr<f32>, i64, array<2 x i64>)>"),
        ("<{ i8, i32 }>", "!llvm.struct<packed (i8, i32)>"),
        ("<4 x float>", "vector<4xf32>"),
        ("<2 x i8*>", "!llvm.vec<2 x ptr<i8>>"),
        ("void (i8*, ...)*", "!llvm.ptr<func<void (ptr<i8>, ...)>>"),
        ("%node*", '!llvm.ptr<struct<"node", opaque>>'),
    ],
)
def test_a_wrapped_type_is_what_became_of_it(text: str, expected: str) -> None:
    loaded, errors = read("13", f'%0 = "x.y"() : () -> !llvm<"{text}">\n')
    assert errors == []
    results = [op.results[0].type for op in loaded.module.walk() if op.results]
    assert list(map(str, results)) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!llvm.i37", "i37"),
        ("!llvm.double", "f64"),
        ("!llvm.ptr<double>", "!llvm.ptr<f64>"),
        ("!llvm.vec<8 x half>", "vector<8xf16>"),
        ("!llvm.vec<? x 4 x float>", "!llvm.vec<? x 4 x f32>"),
        ("!llvm.vec<8 x ptr<float>>", "!llvm.vec<8 x ptr<f32>>"),
        ("!llvm.struct<(float, array<2 x i37>)>", "!llvm.struct<(f32, array<2 x i37>)>"),
        ("!llvm.func<i64 (i32, bfloat)>", "!llvm.func<i64 (i32, bf16)>"),
    ],
)
def test_numbers_of_llvms_own_are_builtin_ones(text: str, expected: str) -> None:
    loaded, errors = read("13", f'%0 = "x.y"() : () -> {text}\n')
    assert errors == []
    assert [str(op.results[0].type) for op in loaded.module.walk() if op.results] == [expected]


@pytest.mark.parametrize("text", ["!llvm.ptr<flat>", "!llvm.ptr<i16777216>", "!llvm.vec<0 x i8>"])
def test_what_is_no_number_of_llvms_is_a_mistake(text: str) -> None:
    assert read("13", f'%0 = "x.y"() : () -> {text}\n')[1]


@pytest.mark.parametrize(
    "text",
    [
        "llvm.func @f(%p: !llvm.ptr<func<f64 (i32)>>, %x: i32) -> f64 {\n"
        "  %0 = llvm.call %p(%x) : (i32) -> f64\n  llvm.return %0 : f64\n}\n",
        "llvm.func @p(!llvm.ptr<i8>, ...)\nllvm.func @f(%p: !llvm.ptr<i8>, %x: i32) {\n"
        "  llvm.call @p(%p, %x) : (!llvm.ptr<i8>, i32) -> ()\n  llvm.return\n}\n",
    ],
)
@pytest.mark.parametrize("name", ["13", "14", "15", "16"])
def test_calls_say_no_type_of_their_pointer(name: str, text: str) -> None:
    loaded, errors = read(name, text)
    assert errors == []
    printed = print_module(loaded.module, PrintingFlags(language=context_of(name).language))
    again, errors = read(name, printed)
    assert errors == []
    assert print_module(again.module, PrintingFlags(language=context_of(name).language)) == printed


@pytest.mark.parametrize("text", ["", "float", "{ i32", "[4 x", "i32 i32", "x" * 50_000, "{" * 5_000, "*", "é"])
def test_what_is_no_type_of_llvms_is_a_mistake(text: str) -> None:
    _, errors = read("13", f'%0 = "x.y"() : () -> !llvm<"{text}">\n')
    assert (errors == []) == (text == "float")


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        (
            "14",
            "func @f(%a: i32) { %0 = addi %a, %a : i32 return }",
            "custom op 'addi' is unknown",
        ),
        ("15", "func @f() { func.return }", "custom op 'func' is unknown (tried 'builtin.func' as well)"),
        ("13", "llvm.func @f(%p: !llvm.ptr<void>)", "invalid pointer element type: '!llvm.void'"),
        (
            "14",
            "llvm.func @f(%v: !llvm.vec<4 x f32>)",
            "cannot use !llvm.vec for built-in primitives, use 'vector' instead",
        ),
        (
            "15",
            "llvm.func @f(%s: !llvm.struct<(i32)>) {\n  %0 = llvm.extractvalue %s[1 : i32] : !llvm.struct<(i32)>\n}",
            "custom op 'llvm.extractvalue' position out of bounds: 1",
        ),
    ],
)
def test_what_an_edition_does_not_have_is_a_mistake(name: str, text: str, error: str) -> None:
    assert error in read(name, text)[1]
