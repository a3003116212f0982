"""What dialects are in older editions: texts of their operations, printed as their own mlir-opt prints them.

`tests/fixtures/editions/dialects` has a text for each edition, and beside it what mlir-opt of that edition made of it;
`tests/fixtures/editions/documents` what documents of three times have: MLIR 10 with std and loop, 11 with LLVM's own
types wrapped, 13 with pointers that say what they point to. Each is read in the oldest edition.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.context import context_of
from fathom.elaborate import Loaded
from fathom.inputs.loading import Loading
from fathom.inputs.splitting import Chunk
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags

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


@pytest.mark.parametrize("name", ["13", "14", "15"])
def test_operations_are_printed_as_their_edition_does(name: str) -> None:
    check_printed(name)


@pytest.mark.parametrize("document", ["std", "wrapped", "typed"])
def test_what_old_documents_have_is_read_in_the_oldest_edition(document: str) -> None:
    loaded, errors = read("13", (FIXTURES / "documents" / f"{document}.mlir").read_text(encoding="utf-8"))
    assert errors == []
    again, errors = read("13", print_module(loaded.module, PrintingFlags(language=context_of("13").language)))
    assert errors == []
    assert print_module(again.module) == print_module(loaded.module)


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
            "13",
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
