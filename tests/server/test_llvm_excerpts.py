"""A part of a `.ll` file is imported with what it names, and no more; what is shown of it is as if all of it were."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.context import default_context
from fathom_server.features.llvm_ir.images import shown_functions, shown_preview
from fathom_server.features.preview import MOST_LINES
from fathom_server.features.stages import LLVM_IR, SOURCE, stages
from fathom_server.model.document import Document
from fathom_server.model.llvm_ir.excerpt import Part, excerpt
from fathom_server.model.llvm_ir.imported import Imported
from fathom_server.model.llvm_ir.importing import imported
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.units import UnitKind
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot
from tests.server.client import started
from tests.server.llvm_answers import snapshot_of

FILES = sorted((Path(__file__).resolve().parents[1] / "fixtures" / "importing").glob("*.ll"))

NAMED = """\
; what stands before all else
source_filename = "a.c"
target datalayout = "e-p:64:64"
module asm "nop"
%pair = type { i32, ptr, %inner }
%inner = type { i64 }
%unused = type { %pair }
$one = comdat any
$"other one" = comdat largest
@table = global [2 x ptr] [ptr @callee, ptr @data]
@data = internal constant %inner { i64 5 }
@unused = global ptr @f
@block = global ptr blockaddress(@with_block, %here)
@again = alias i32, ptr @data
@chosen = ifunc i32 (i32), ptr @choose
define internal i32 @callee(i32 %x) #0 comdat($"other one") personality ptr @handler
    !dbg !9 !prof !{!"function_entry_count", i64 4} {
  %unsaid = add i32 %x, 77777
  ret i32 %unsaid
}
define i32 @one(i32 %x) comdat prefix { i32, i32 } { i32 1, i32 2 } { ret i32 %x }
define ptr @with_block(ptr %p) {
  %much = mul i32 88888, 3
  indirectbr ptr %p, [label %here]
here:
  ret ptr %p
}
define ptr @choose() {
  ret ptr @callee
}
define i32 @f(ptr %p, i32 %n) #1 !dbg !10 {
  %a = getelementptr %pair, ptr %p, i64 0, i32 2
  %l = load i32, ptr getelementptr (i8, ptr @table, i64 8), !tbaa !14
  %b = call i32 @callee(i32 %l), !dbg !11
  %c = call i32 @chosen(i32 %b), !prof !16
  store ptr @block, ptr @again, !alias.scope !17
  #dbg_value(i32 %b, !12, !DIExpression(), !11)
  %d = call i32 @one(i32 %c)
  %sum = add i32 %d, %d
  ret i32 %sum

  uselistorder i32 %d, { 1, 0 }
}
declare i32 @handler(...)
declare void @nobody_names_it()
uselistorder ptr @callee, { 2, 1, 0 }
attributes #0 = { nounwind }
attributes #1 = { noinline "target-cpu"="generic" }
!llvm.dbg.cu = !{!0, !20}
!llvm.module.flags = !{!1, !2}
!llvm.ident = !{!3}
!unknown = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !4, emissionKind: FullDebug, enums: !5, globals: !{!21})
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{!"somebody"}
!4 = !DIFile(filename: "a.c", directory: "/")
!5 = !{!6}
!6 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "listed", file: !4, size: 32, identifier: "x")
!7 = !DISubroutineType(types: !{null})
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = distinct !DISubprogram(name: "callee", file: !4, line: 1, type: !7, unit: !0, spFlags: DISPFlagDefinition)
!10 = distinct !DISubprogram(name: "f", file: !4, line: 9, type: !7, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 10, scope: !10)
!12 = !DILocalVariable(name: "b", scope: !10, file: !4, type: !8)
!14 = !{!15, !15, i64 0}
!15 = !{!"int", !19}
!16 = !{!"branch_weights", i32 7}
!17 = !{!18}
!18 = distinct !{!18, !22}
!19 = !{!"root"}
!20 = distinct !DICompileUnit(language: DW_LANG_C, file: !4, emissionKind: FullDebug)
!21 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!22 = distinct !{!22}
!23 = distinct !DIGlobalVariable(name: "listed", scope: !0, file: !4, type: !8)
"""


def text_of(source: LlvmSnapshot, part: Part) -> str:
    found = excerpt(source, part)
    assert found is not None
    return found.text


def image_of(made: Imported) -> Snapshot:
    assert made.problem == ""
    return Document("file:///a.ll", 0, made.text, default_context(), Settings()).snapshot()


def imported_part(source: LlvmSnapshot, part: Part) -> Imported:
    found = excerpt(source, part)
    assert found is not None
    made = imported(found.text, default_context())
    return Imported(found.units, made.text, made.reason, found.outlined)


def check_shown_as_of_the_whole(text: str) -> None:
    """Each function is shown, at its places, as if all of the file were imported."""
    source = snapshot_of(text)
    made = imported(text, default_context())
    if made.problem:
        return
    whole = Imported(source.tree.units, made.text)
    shown = [stage for stage in stages(image_of(whole)) if stage.id in (SOURCE, LLVM_IR)]
    for unit in source.tree.units:
        if unit.kind is UnitKind.FUNCTION:
            name = unit.key[1:]
            part = imported_part(source, Part(name))
            of_part, of_whole = image_of(part), image_of(whole)
            for stage in shown:
                expected = shown_preview(source, whole, of_whole, stage, name)
                assert shown_preview(source, part, of_part, stage, name) == expected


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_function_is_shown_as_it_is_in_its_file(path: Path) -> None:
    for split in path.read_text(encoding="utf-8").split("; // -----\n"):
        check_shown_as_of_the_whole(split)


def test_a_function_is_shown_with_all_that_it_names() -> None:
    check_shown_as_of_the_whole(NAMED)
    assert imported(NAMED, default_context()).problem == ""


def test_what_a_function_does_not_name_is_left_out() -> None:
    text = text_of(snapshot_of(NAMED), Part("f"))
    left_out = ("77777", "nobody_names_it", "%unused = type", "@unused", '"listed"', "!unknown", "!20", "uselistorder")
    assert [each for each in left_out if each in text] == []
    # The address of a block of a function needs all of it.
    assert "88888" in text
    assert "!llvm.dbg.cu = !{!0}\n" in text


def test_the_header_of_a_function_ends_before_its_body() -> None:
    text = text_of(snapshot_of(NAMED), Part("f"))
    assert 'comdat($"other one") personality ptr @handler\n    { unreachable }\n' in text
    assert "comdat prefix { i32, i32 } { i32 1, i32 2 } { unreachable }\n" in text


def test_what_is_run_is_imported_with_what_it_calls() -> None:
    assert "77777" in text_of(snapshot_of(NAMED), Part("f", bodies=True))


def test_functions_are_listed_by_their_headers() -> None:
    source = snapshot_of(NAMED)
    text = text_of(source, Part(None))
    assert "%sum" not in text
    listed = [each.function for each in shown_functions(source, image_of(imported_part(source, Part(None))))]
    assert [(each.name, each.signature, each.symbol.has_body) for each in listed] == [
        ("callee", "(%arg0: i32) -> i32", True),
        ("one", "(%arg0: i32) -> i32", True),
        ("with_block", "(%arg0: !llvm.ptr) -> !llvm.ptr", True),
        ("choose", "() -> !llvm.ptr", True),
        ("f", "(%arg0: !llvm.ptr, %arg1: i32) -> i32", True),
        ("nobody_names_it", "()", False),
    ]


@pytest.mark.parametrize("name", ["nothing", "table", "", '"'])
def test_of_what_is_no_function_there_is_nothing(name: str) -> None:
    assert excerpt(snapshot_of(NAMED), Part(name)) is None


NVPTX = """\
target triple = "nvptx64-nvidia-cuda"
define void @kernel() { ret void }
define void @other() { ret void }
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @other, !"maxntid", i32 5}
!1 = !{ptr @kernel, !"kernel", i32 1}
"""


def test_what_is_said_of_a_function_from_outside_comes_with_it() -> None:
    assert "!nvvm.annotations = !{!1}\n" in text_of(snapshot_of(NVPTX), Part("kernel"))
    check_shown_as_of_the_whole(NVPTX)


ONE_OF_MANY = "".join(f"define i32 @f{n}() {{\n  %x = call i32 @f{n // 2}()\n  ret i32 %x\n}}\n" for n in range(3_000))


def test_an_excerpt_is_as_long_as_what_it_is_about() -> None:
    assert text_of(snapshot_of(ONE_OF_MANY), Part("f2500")).count("\n") == 5


@pytest.mark.asyncio
async def test_a_function_is_shown_whatever_is_wrong_with_others() -> None:
    async with started() as session:
        buffer = session.open(NAMED.replace("mul i32 88888, 3", "mul i32 %nothing, 3"), "x.ll")
        made = await buffer.ask("fathom/preview", stage="llvm-ir", function="one")
        assert not made["stale"], made
        assert {each["name"] for each in await buffer.ask("fathom/functions")} >= {"one", "f", "with_block"}
        # What is wrong is said at its line in the file.
        line = buffer.text[: buffer.text.index("%nothing")].count("\n") + 1
        broken = await buffer.ask("fathom/preview", stage="llvm-ir", function="f")
        assert broken["staleReason"] == f"use of undefined value '%nothing' (line {line})"


@pytest.mark.asyncio
async def test_a_long_file_is_shown_by_functions_only() -> None:
    function = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n"
    async with started() as session:
        buffer = session.open(function + ";\n" * MOST_LINES, "x.ll")
        whole = await buffer.ask("fathom/preview", stage="source")
        assert "is shown by functions only" in whole["staleReason"]
        made = await buffer.ask("fathom/preview", stage="source", position={"line": 0, "character": 0})
        assert made["text"].startswith("module")


UNHANDLED = """\
define void @f() personality ptr null {
  invoke void @g() to label %well unwind label %ill
well:
  ret void
ill:
  %pad   = cleanuppad within none []
  cleanupret from %pad unwind to caller
}
declare void @g()
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (UNHANDLED, "unhandled instruction:   %pad = cleanuppad within none []"),
        ("@a = global i32 1\n@b = global ptr no_cfi @f\ndefine ptr @f() { ret ptr @b }\n", "no_cfi is unsupported"),
    ],
)
def test_what_the_dialect_has_nothing_for_is_said(text: str, reason: str) -> None:
    source = snapshot_of(f"; a comment\n{text}")
    assert reason in imported_part(source, Part("f")).problem
