"""The LLVM dialect becomes the LLVM IR that mlir-translate 22 prints, each line knows its source, and what has no
translation is a diagnostic at its own place."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.elaborate import load
from fathom.elaborate.locator import locator
from fathom.translation import Translation, translate, verify_ir
from tests.oracles import mlir_translate
from tests.translation.goldens import SOURCES, golden_path

by_source = pytest.mark.parametrize("source", SOURCES, ids=[path.stem for path in SOURCES])


def translation_of(text: str) -> Translation:
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    return translate(loaded.module, locate=locator(text, "<stdin>"))


def check_text(text: str, expected: str) -> None:
    """The translation of `text`, without diagnostics, is `expected`."""
    translation = translation_of(text)
    assert translation.diagnostics == []
    assert translation.text.splitlines() == expected.splitlines()
    assert translation.text == expected


EQUAL = """\
llvm.mlir.global private constant @few(dense<2.0> : tensor<3xf32>) : !llvm.array<3 x f32>
llvm.mlir.global private constant @many(dense<1.0> : tensor<70xf32>) : !llvm.array<70 x f32>
llvm.mlir.global private constant @nested(dense<1> : tensor<2x70xi8>) : !llvm.array<2 x array<70 x i8>>
llvm.mlir.global private constant @rows(dense<1> : tensor<70x2xi16>) : !llvm.array<70 x array<2 x i16>>
llvm.mlir.global private constant @lanes(dense<1> : vector<70xi8>) : vector<70xi8>
llvm.mlir.global private constant @vectors(dense<1> : vector<3x70xi32>) : !llvm.array<3 x vector<70xi32>>
llvm.func @insert() -> !llvm.array<100 x i32> {
  %0 = llvm.mlir.constant(dense<7> : tensor<100xi32>) : !llvm.array<100 x i32>
  %1 = llvm.mlir.constant(1 : i32) : i32
  %2 = llvm.insertvalue %1, %0[5] : !llvm.array<100 x i32>
  llvm.return %2 : !llvm.array<100 x i32>
}
llvm.func @extract() -> i32 {
  %0 = llvm.mlir.constant(dense<7> : tensor<100xi32>) : !llvm.array<100 x i32>
  %1 = llvm.extractvalue %0[99] : !llvm.array<100 x i32>
  llvm.return %1 : i32
}
llvm.func @lane(%c: vector<80xi32>) -> vector<80xi32> {
  %0 = llvm.mlir.constant(dense<7> : vector<80xi32>) : vector<80xi32>
  %1 = llvm.mlir.constant(dense<9> : vector<80xi32>) : vector<80xi32>
  %2 = llvm.mul %0, %1 : vector<80xi32>
  %3 = llvm.icmp "slt" %0, %1 : vector<80xi32>
  %4 = llvm.select %3, %2, %c : vector<80xi1>, vector<80xi32>
  %5 = llvm.select %3, %2, %1 : vector<80xi1>, vector<80xi32>
  %6 = llvm.add %4, %5 : vector<80xi32>
  llvm.return %6 : vector<80xi32>
}
"""


def test_many_equal_elements() -> None:
    check_text(EQUAL, mlir_translate(EQUAL))


def check_lines(text: str, *expected: tuple[str, str]) -> None:
    """Each expected pair is a line of LLVM IR and the first line of the source that it came from."""
    translation = translation_of(text)
    lines = translation.text.splitlines()
    assert len(lines) == len(translation.line_spans)
    sources = {
        line.strip(): text[span.start : span.end].splitlines()[0].strip() if span is not None else ""
        for line, span in zip(lines, translation.line_spans, strict=True)
    }
    for line, source in expected:
        assert sources[line].startswith(source)


def check_refused(text: str, message: str, place: str, *notes: str) -> None:
    """The translation of `text` has one diagnostic, with this message, at `place`, whose notes contain `notes`."""
    (diagnostic,) = translation_of(text).diagnostics
    assert diagnostic.message == message
    assert diagnostic.span is not None
    assert text[diagnostic.span.start : diagnostic.span.end].startswith(place)
    for note, told in zip(notes, diagnostic.notes, strict=True):
        assert note in told.message


@by_source
def test_text_is_that_of_mlir(source: Path) -> None:
    check_text(source.read_text(encoding="utf-8"), golden_path(source).read_text(encoding="utf-8"))


@by_source
def test_goldens_are_those_of_the_oracle(source: Path) -> None:
    expected = golden_path(source).read_text(encoding="utf-8")
    assert mlir_translate(source.read_text(encoding="utf-8")) == expected


@by_source
def test_llvm_accepts_the_text(source: Path) -> None:
    assert verify_ir(translation_of(source.read_text(encoding="utf-8")).text) == []


@by_source
def test_the_command_line_accepts_it(source: Path) -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    assert main(["translate", str(source)], io.StringIO(), stdout, stderr) == 0, stderr.getvalue()
    assert stdout.getvalue() == golden_path(source).read_text(encoding="utf-8")


def test_an_empty_module() -> None:
    check_text("", golden_head() + golden_tail())


def golden_head() -> str:
    return "; ModuleID = 'LLVMDialectModule'\nsource_filename = \"LLVMDialectModule\"\n"


def golden_tail() -> str:
    return '\n!llvm.module.flags = !{!0}\n\n!0 = !{i32 2, !"Debug Info Version", i32 3}\n'


def test_lines_know_their_source() -> None:
    check_lines(
        "llvm.func @f(%x: i32, %c: i1) -> i32 {\n"
        "  %0 = llvm.add %x, %x : i32\n"
        "  llvm.cond_br %c, ^a, ^b(%0 : i32)\n"
        "^a:\n"
        "  llvm.br ^b(%x : i32)\n"
        "^b(%y: i32):\n"
        "  llvm.return %y : i32\n"
        "}\n",
        ("define i32 @f(i32 %0, i1 %1) {", "llvm.func @f"),
        ("%3 = add i32 %0, %0", "llvm.add"),
        ("br i1 %1, label %4, label %5", "llvm.cond_br"),
        ("br label %5", "llvm.br"),
        ("ret i32 %6", "llvm.return"),
    )


def test_the_module_is_left_as_it_was() -> None:
    text = golden_path(SOURCES[0]).with_suffix(".mlir").read_text(encoding="utf-8")
    module = load(text).module
    assert translate(module).text == translate(module).text


def test_an_operation_of_another_dialect() -> None:
    check_refused(
        "func.func @f() {\n  return\n}\n",
        "cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: "
        "func.func",
        "func.func @f",
        "only operations of the LLVM dialect",
        "convert-func-to-llvm",
    )


def test_an_operation_of_another_dialect_within_a_function() -> None:
    check_refused(
        "llvm.func @f(%x: i32) -> i32 {\n  %0 = arith.addi %x, %x : i32\n  llvm.return %0 : i32\n}\n",
        "cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: "
        "arith.addi",
        "arith.addi",
        "only operations of the LLVM dialect",
        "convert-arith-to-llvm",
    )


def test_a_cast_that_was_left_behind() -> None:
    check_refused(
        "llvm.func @f(%x: i64) -> i32 {\n"
        "  %0 = builtin.unrealized_conversion_cast %x : i64 to i32\n"
        "  llvm.return %0 : i32\n"
        "}\n",
        "LLVM Translation failed for operation: builtin.unrealized_conversion_cast",
        "builtin.unrealized_conversion_cast",
        "this cast stands between",
        "reconcile-unrealized-casts",
    )


def test_the_other_functions_are_translated() -> None:
    translation = translation_of("func.func @f() {\n  return\n}\nllvm.func @g() {\n  llvm.return\n}\n")
    assert "define void @g() {" in translation.text
    assert len(translation.diagnostics) == 1


def test_a_module_within_the_module_is_passed_over() -> None:
    function = "llvm.func @g() {\n  llvm.return\n}\n"
    translation = translation_of(f"module {{\n  llvm.func @f()\n}}\n{function}")
    assert translation.text == translation_of(function).text
    assert [(diagnostic.severity, diagnostic.message) for diagnostic in translation.diagnostics] == [
        ("warning", "a module within the module is not translated")
    ]


def test_llvm_says_what_is_wrong() -> None:
    (problem,) = verify_ir("define i32 @f() {\n  ret i64 0\n}\n")
    assert "value doesn't match function result type 'i32'" in problem


@pytest.mark.parametrize(
    ("type", "element", "message"),
    [
        ("4xf32", "f32", "raw data size does not match element type size"),
        ("4xi24", "i24", "no known conversion for innermost element type"),
    ],
)
def test_a_resource_that_does_not_fit(type: str, element: str, message: str) -> None:
    constant = f"llvm.mlir.global constant @a(dense_resource<w> : tensor<{type}>) : !llvm.array<4 x {element}>\n"
    metadata = '{-# dialect_resources: { builtin: { w: "0x0400000000010001" } } #-}\n'
    check_refused(constant + metadata, message, "llvm.mlir.global")


def test_a_resource_that_is_not_there() -> None:
    constant = "llvm.mlir.global constant @a(dense_resource<w> : tensor<4xf32>) : !llvm.array<4 x f32>\n"
    check_refused(constant, "resource does not exist", "llvm.mlir.global")


CHOSEN = """
llvm.mlir.ifunc external @f : !llvm.func<void (ptr, i32)>, !llvm.ptr @choose {dso_local}
llvm.mlir.ifunc weak hidden @g : !llvm.func<f32 (i64)>, !llvm.ptr @choose
llvm.func @call(%p: !llvm.ptr, %n: i32) {
  llvm.call @f(%p, %n) : (!llvm.ptr, i32) -> ()
  llvm.return
}
llvm.func internal @choose() -> !llvm.ptr {
  %0 = llvm.mlir.addressof @call : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
"""
RESOURCE = """
llvm.mlir.global internal constant @a(dense_resource<three> : tensor<3xf32>) : !llvm.array<3 x f32>
llvm.mlir.global internal constant @b(dense_resource<three> : vector<3xi32>) : vector<3xi32>
{-#
  dialect_resources: { builtin: { three: "0x08000000041A503E183382BEFCEEBABE" } }
#-}
"""
BESIDE = """
gpu.module @device {
  func.func @kernel() { return }
}
llvm.func @host() {
  llvm.return
}
"""


@pytest.mark.parametrize("text", [CHOSEN, RESOURCE], ids=["ifuncs", "resources"])
def test_what_is_at_the_top(text: str) -> None:
    check_text(text, mlir_translate(text))


def test_a_module_for_a_device_is_left_as_it_is() -> None:
    translation = translation_of(BESIDE)
    assert translation.text == mlir_translate(BESIDE)
    assert [each.severity for each in translation.diagnostics] == ["warning"]


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ('llvm.module_asm = "foo"', "expected an array attribute for a module level asm"),
        ("llvm.module_asm = [42]", "expected a string attribute for each entry of a module level asm"),
        (
            "dlti.dl_spec = #dlti.dl_spec<ui64 = dense<[64, 128]> : vector<2xi64>>",
            "unsupported data layout for non-signless integer 'ui64'",
        ),
        (
            "dlti.dl_spec = #dlti.dl_spec<bf16 = dense<[64, 128]> : vector<2xi64>>",
            "unsupported type in data layout: 'bf16'",
        ),
    ],
)
def test_what_a_module_says_is_refused(attribute: str, message: str) -> None:
    check_refused(f"module attributes {{{attribute}}} {{}}\n", message, "module")


def test_what_is_no_module_is_refused() -> None:
    function = load("llvm.func @f() {\n  llvm.return\n}\n").module.regions[0].first
    assert function is not None and function.first is not None
    (told,) = translate(function.first).diagnostics
    assert told.message == "'llvm.func' op can not be translated to an LLVMIR module"


BESIDES = """
llvm.mlir.global external @g() {target_specific_attrs = [["memory", "0"], "norecurse", ["bss-section", "b"]]} : f64
llvm.mlir.global external @undefined() : i32 {
  %0 = llvm.mlir.undef : i32
  llvm.return %0 : i32
}
llvm.mlir.global extern_weak @weak(1 : i32) : i32
llvm.mlir.global external constant @s(sparse<[[0, 1], [1, 0]], [4, 2]> : tensor<2x2xi32>) :
  !llvm.array<2 x array<2 x i32>>
llvm.func @alloc(i64, i64) attributes {passthrough = [["allocsize", "4294967297"]]}
llvm.func @f(%p: !llvm.ptr<42>, %x: f32) -> vector<4xf32> {
  %0 = llvm.call %p(%x) : !llvm.ptr<42>, (f32) -> i32
  %1 = llvm.dso_local_equivalent @alloc : !llvm.ptr
  llvm.call %1(%0, %0) : !llvm.ptr, (i32, i32) -> ()
  %2 = llvm.mlir.constant(sparse<[2], [4.2e+01]> : vector<4xf32>) : vector<4xf32>
  llvm.return %2 : vector<4xf32>
}
"""


def test_sparse_constants_attributes_of_globals_and_calls_in_other_spaces() -> None:
    check_text(BESIDES, mlir_translate(BESIDES))


def test_a_comdat_is_of_one_kind() -> None:
    text = (
        "llvm.comdat @a {\n  llvm.comdat_selector @c any\n}\nllvm.comdat @b {\n  llvm.comdat_selector @c largest\n}\n"
    )
    message = "comdat selection symbols must be unique even in different comdat regions"
    check_refused(text, message, "llvm.comdat_selector @c largest")


def test_a_resource_is_of_a_tensor_or_a_vector() -> None:
    constant = "llvm.mlir.global constant @a(dense_resource<w> : memref<1xi32>) : !llvm.array<1 x i32>\n"
    metadata = '{-# dialect_resources: { builtin: { w: "0x0400000000010001" } } #-}\n'
    check_refused(constant + metadata, "unsupported dense_resource type", "llvm.mlir.global")
