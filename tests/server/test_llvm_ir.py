"""`.ll` files in the editor: each is a document with answers of its own, which follow the edits."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from fathom.context import default_context
from fathom.llvmir import attribute_kinds, instructions
from fathom.llvmir import words as llvmir_words
from fathom.text.encodings import Encoding
from fathom_server.features.llvm_ir import attribute_words, words
from fathom_server.features.llvm_ir.document_symbols import document_symbols
from fathom_server.features.llvm_ir.folding import folds
from fathom_server.features.llvm_ir.hover import hover
from fathom_server.features.llvm_ir.navigation import definition
from fathom_server.features.llvm_ir.rename import prepare
from fathom_server.features.llvm_ir.semantic_tokens import changes, tokens
from fathom_server.model.llvm_ir.imported import Imported, instructions_in
from fathom_server.model.llvm_ir.importing import imported
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.text import LlvmText
from fathom_server.model.llvm_ir.units import begins_as_llvm_ir
from tests.server.client import Buffer, capabilities, started
from tests.server.llvm_answers import snapshot_of
from tests.server.told import Told, split

TEXT = """\
%pair = type { i32, ptr }

define i32 @double(i32 %x) {
entry:
  %y = add nsw i32 %x, %x ; é
  br label %end

end:
  ret i32 %y
}

declare void @other(ptr)
"""


@pytest.mark.asyncio
async def test_answers_about_a_file() -> None:
    async with started() as session:
        buffer = session.open(TEXT, "x.ll")
        client = session.client
        (place,) = await buffer.definition(buffer.at("ret i32 %y", 9))
        assert buffer.slice(place.range) == "%y"
        assert [(symbol.name, len(symbol.children or ())) for symbol in await buffer.symbols()] == [
            ("%pair", 0),
            ("@double", 2),
            ("@other", 0),
        ]
        await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(buffer.identifier))

        buffer.edit(("%y = add", "%sum = add"), ("ret i32 %y", "ret i32 %sum"), ("@double", "@twice"))
        (place,) = await buffer.definition(buffer.at("ret i32 %sum", 9))
        assert buffer.slice(place.range) == "%sum"
        params = types.RenameParams(buffer.identifier, buffer.at("define i32 @twice", 12), "again")
        edit = await client.text_document_rename_async(params)
        assert edit is not None
        assert "again" in str(edit)

        buffer.close()
        assert await buffer.definition(buffer.at("ret i32 %sum", 9)) == []


BROKEN = """\
define i32 @a(i32 %x) {
  %y = add i32 %é, 1
  ret i32 %y
}
define i32 @b(i32 %x) {
  ret i64 %x
}
define void @sound(ptr %p) {
  ret void
}
define void @c() {
  "ä": foo
}
"""
IN_TWO = """\
define i32 @f(i1 %c) {
  br i1 %c, label %one, label %two

one:
  %x = add   i32 1, 2 ; in one branch
  br label %two

two:
  ret i32 %x
}
@x = common global i32 1
"""
OTHERWISE = """\
define double @f(double %x) {
  %b = fadd double %x, %x
  %c = fmul double %a, %b
  %a = fmul double %b, 5.0e-01 ; half
  ret double %c
}
"""


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TEXT, []),
        (
            BROKEN,
            [
                "2 %: expected value token",
                "6 %x: '%x' defined with type 'i32' but expected 'i64'",
                "12 foo: expected instruction opcode",
            ],
        ),
        ("define void @f() {\n  ret void\n", ["2 void: found end of file when expecting more instructions"]),
        ("@x = global i32 foo\n", ["1 foo: expected value token"]),
        (
            IN_TWO,
            [
                "5 %x = add   i32 1, 2: Instruction does not dominate all uses!",
                "11 @x: 'common' global must have a zero initializer!",
            ],
        ),
        (OTHERWISE, ["4 %a = fmul double %b, 5.0e-01: Instruction does not dominate all uses!"]),
        ("define void @f() {\n  br label %0\n}\n", ["1 {: Entry block to function must not have predecessors!"]),
    ],
)
async def test_what_llvm_finds_wrong_is_shown_where_it_is(text: str, expected: list[str]) -> None:
    async with started() as session:
        buffer = session.open(text, "x.ll")
        found = await buffer.raw_diagnostics()
        assert [f"{each.range.start.line + 1} {buffer.slice(each.range)}: {each.message}" for each in found] == expected
        # An edit that mends it is seen, and a file that is closed has no mistakes.
        buffer.set(TEXT)
        assert await buffer.diagnostics() == []
        # The last file takes LLVM with it; the next one has it again.
        buffer.close()
        again = session.open(text, "y.ll")
        assert len(await again.raw_diagnostics()) == len(found)


ENDS_LLVM = """\
define void @f(i1 %0, ptr %1) {
  call void @llvm.assume(i1 %0) [ "align"(ptr %1, i64 16) ]
  ret void
}
declare void @llvm.assume(i1)
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
"""


@pytest.mark.asyncio
async def test_llvm_may_end_and_all_else_goes_on() -> None:
    async with started() as session:
        buffer = session.open(ENDS_LLVM, "x.ll")
        (found,) = await buffer.diagnostics(bool)
        assert found.startswith("1: LLVM ended: ")
        assert [symbol.name for symbol in await buffer.symbols()] == ["@f", "@llvm.assume"]
        buffer.set(TEXT)
        assert await buffer.diagnostics() == []


@pytest.mark.asyncio
async def test_what_nests_too_deep_for_llvm_is_said_where_it_does() -> None:
    depth = 100_000
    opening = "getelementptr (i8, ptr "
    nested = opening * depth + "@x" + ", i64 1)" * depth
    async with started() as session:
        buffer = session.open(f"@x = global i32 1\n@g = global ptr {nested}\n", "x.ll")
        (found,) = await buffer.raw_diagnostics()
        assert found.message == "more than 96 brackets are open"
        assert found.range.start == types.Position(1, len("@g = global ptr ") + 96 * len(opening) + opening.index("("))


@pytest.mark.asyncio
async def test_a_document_is_of_the_kind_that_the_client_says() -> None:
    async with started() as session:
        item = types.TextDocumentItem("untitled:one", "llvm", 1, TEXT)
        session.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        params = types.DocumentSymbolParams(types.TextDocumentIdentifier(item.uri))
        symbols = await session.client.text_document_document_symbol_async(params) or []
        assert [symbol.name for symbol in symbols] == ["%pair", "@double", "@other"]


PROGRAM = """\
define double @half(double %x) {
entry:
  %y = fmul double %x, 5.0e-01
  ret double %y
}

define i32 @pick(i1 %c) {
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %r = phi i32 [ 1, %0 ], [ 2, %then ]
  ret i32 %r
}
"""


@pytest.mark.asyncio
async def test_previews_follow_from_the_import() -> None:
    async with started() as session:
        buffer = session.open(PROGRAM, "x.ll")
        stages = await buffer.ask("fathom/stages")
        assert [stage["id"] for stage in stages] == [
            "source",
            "llvm-dialect",
            "llvm-ir",
            "llvm-optimized",
            "assembly",
            "object",
        ]
        at_pick = {"line": 9, "character": 2}
        imported = await buffer.ask("fathom/preview", stage="source", position=at_pick)
        assert (imported["function"], imported["stale"], imported["languageId"]) == ("pick", False, "mlir")
        assert linked(buffer, imported) == [
            "define i32 @pick(i1 %c) -> llvm.func @pick(%arg0: i1) -> i32 {",
            "br i1 %c, label %then, label %end -> llvm.cond_br %arg0, ^bb1, ^bb2(%0 : i32)",
            "br label %end -> llvm.br ^bb2(%1 : i32)",
            "ret i32 %r -> llvm.return %2 : i32",
        ]
        exported = await buffer.ask("fathom/preview", stage="llvm-ir", function="half")
        assert linked(buffer, exported)[2:] == [
            "%y = fmul double %x, 5.0e-01 -> %2 = fmul double %0, 5.000000e-01",
            "ret double %y -> ret double %2",
        ]

        # While the file is broken the last good text stays.
        buffer.edit(("ret i32 %r", "rte i32 %r"))
        await session.until(lambda: session.previews or None)
        stale = await buffer.ask("fathom/preview", stage="source", position=at_pick)
        assert (stale["stale"], stale["text"], stale["version"]) == (True, imported["text"], 1)
        assert stale["staleReason"] == "expected instruction opcode (line 13)"
        buffer.edit(("rte i32 %r", "ret i32 0"))
        mended = await buffer.ask("fathom/preview", stage="source", position=at_pick)
        assert (mended["stale"], mended["version"]) == (False, 3)


@pytest.mark.asyncio
async def test_graphs_follow_from_the_import_and_have_their_places_in_the_file() -> None:
    async with started() as session:
        buffer = session.open(PROGRAM + "declare i32 @other()\n", "x.ll")
        lines = buffer.text.split("\n")

        async def drawn(**asked: object) -> list[tuple[str, str, str]]:
            graph = await buffer.ask("fathom/graph", **asked)
            return [
                (node["title"], *(lines[node["source"][side]["line"]].strip() for side in ("start", "end")))
                for node in graph["nodes"]
            ]

        for stage, titles in (("source", ["^bb0(%arg0)", "^bb1", "^bb2(%2)"]), ("llvm-ir", ["entry", "%2", "%3"])):
            assert await drawn(kind="cfg", stage=stage, position={"line": 9, "character": 2}) == [
                (titles[0], *["br i1 %c, label %then, label %end"] * 2),
                (titles[1], *["br label %end"] * 2),
                (titles[2], *["ret i32 %r"] * 2),
            ]
        calls = await buffer.ask("fathom/graph", kind="calls", stage="source")
        assert [node["title"] for node in calls["nodes"]] == ["@half", "@pick", "@other"]
        flow = await buffer.ask("fathom/graph", kind="data-flow", stage="source", function="half")
        assert [node["title"] for node in flow["nodes"]][-2:] == ["%1 = llvm.fmul", "llvm.return"]
        buffer.edit(("ret double", "rte double"))
        broken = await buffer.ask("fathom/graph", kind="cfg", stage="source", function="half")
        assert broken["problem"] == "expected instruction opcode (line 4)"


def linked(buffer: Buffer, preview: Any) -> list[str]:
    """What became of what, the first line of each."""
    lines: list[str] = preview["text"].split("\n")
    source = buffer.text.split("\n")
    shown: list[str] = []
    for link in preview["map"]:
        at, line = link["source"]["start"], int(link["target"]["start"]["line"])
        begun = source[int(at["line"])][int(at["character"]) :]
        shown.append(f"{begun.removesuffix(' {')} -> {lines[line].strip()}")
    return shown


@pytest.mark.asyncio
async def test_a_function_is_run() -> None:
    async with started() as session:
        buffer = session.open(PROGRAM, "x.ll")
        listed = await buffer.ask("fathom/functions")
        assert [(each["name"], each["signature"], each["range"]["start"]["line"]) for each in listed] == [
            ("half", "(%arg0: f64) -> f64", 0),
            ("pick", "(%arg0: i1) -> i32", 6),
        ]
        assert (await buffer.run("half", 3.0))["results"] == [{"type": "f64", "value": 1.5}]
        assert (await buffer.run("pick", False))["results"] == [{"type": "i32", "value": 1}]
        assert (await buffer.run("nothing"))["message"] == "the function @nothing does not exist"
        buffer.edit(("double %x, 5.0e-01", "double %x, %z"))
        outcome = await buffer.run("half", 3.0)
        assert (outcome["status"], outcome["message"]) == ("error", "use of undefined value '%z' (line 3)")


@pytest.mark.asyncio
async def test_a_hover_says_what_an_instruction_is_in_the_llvm_dialect() -> None:
    async with started() as session:
        buffer = session.open(PROGRAM, "x.ll")
        # When the import is known, hovers have it too.
        await buffer.ask("fathom/stages")
        assert "%1 = llvm.fmul %arg0, %0 : f64" in await buffer.hover(buffer.at("%y = fmul", 1))
        assert "llvm.cond_br" in await buffer.hover(buffer.at("br i1", 1))


@pytest.mark.asyncio
@pytest.mark.parametrize("resolves", [True, False])
async def test_llvm_ir_in_a_document_of_mlir_is_imported(resolves: bool) -> None:
    async with started(capabilities(resolve=resolves, document_changes=False)) as session:
        buffer = session.open("; from a compiler\n\n" + PROGRAM)
        start = types.Position(0, 0)
        (action,) = [each for each in await buffer.actions(start) if each.title.startswith("Import this LLVM IR")]
        if resolves:
            action = await session.client.code_action_resolve_async(action)
        assert action.edit is not None
        (edit,) = [edit for edits in (action.edit.changes or {}).values() for edit in edits]
        assert buffer.slice(edit.range) == buffer.text
        assert "llvm.func @half(%arg0: f64) -> f64 {" in edit.new_text

        # What LLVM refuses stays, and it is said why.
        buffer.edit(("ret i32 %r", "rte i32 %r"))
        (action,) = [each for each in await buffer.actions(start) if each.title.startswith("Import this LLVM IR")]
        if resolves:
            action = await session.client.code_action_resolve_async(action)
        assert action.disabled == types.CodeActionDisabled("expected instruction opcode (line 15)")
        buffer.set(edit.new_text)
        assert await buffer.diagnostics() == []
        assert not [each for each in await buffer.actions(start) if each.title.startswith("Import this LLVM IR")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("; ModuleID = 'a'\nsource_filename = \"a.c\"\n", True),
        ("\n  define void @f() {\n", True),
        ('target triple = "x"\n', True),
        ("@x = global i32 0\n", True),
        ("!alias = i32\n", False),
        ("#map = affine_map<() -> ()>\n", False),
        ("module attributes {a} {\n", False),
        ("func.func @f() {\n", False),
        ("// a comment\n%x = arith.constant 1 : i32\n", False),
        ("", False),
    ],
)
def test_llvm_ir_is_told_from_mlir(text: str, expected: bool) -> None:
    assert begins_as_llvm_ir(text) is expected


MANY_BLOCKS = """\
%pair = type { i32, i64 }
@g = global [2 x i32] zeroinitializer
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare %pair @"other one"(ptr)

define %pair @f(i32 %x, ptr %p) !dbg !4 {
  call void @llvm.dbg.value(metadata i32 %x, metadata !6, metadata !DIExpression()), !dbg !7
  %a = insertvalue %pair { i32 1, i64 2 }, i32 %x, 0
  switch i32 %x, label %b [
    i32 1, label %c
    i32 2, label %d
  ]
b: ; a comment
  %l = load i32, ptr getelementptr (i8, ptr @g, i64 4), !tbaa !8
  br label %c
c:
  %r = phi i32 [ 1, %0 ], [ %l, %b ]
  %s = tail call %pair @"other one"(
    ptr %p)
  %t = atomicrmw add ptr %p, i32 %r
      seq_cst
  unreachable
d:
  ret %pair %a, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "a.c", directory: "/")
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !DILocalVariable(name: "x", scope: !4, type: !5)
!7 = !DILocation(line: 2, scope: !4)
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10}
!10 = !{!"root"}
"""


@pytest.mark.parametrize("text", [PROGRAM, MANY_BLOCKS], ids=["short", "many blocks"])
def test_all_instructions_are_found_in_the_import(text: str) -> None:
    tree = LlvmText.read(text)
    made = imported(text, default_context())
    assert made.reason == ""
    paired = [
        pair.unit.text[pair.start : pair.end] for pair in Imported(tree.units, made.text).pairs.values() if pair.start
    ]
    written = [unit.text[start:end] for unit in tree.units for _, start, end in instructions_in(unit)]
    assert sorted(paired) == sorted(written)


PIECES = (
    *(
        "define void @f() {\n",
        "}\n",
        "\n",
        "entry:\n",
        "  ret void\n",
        "declare void @g()\n",
        '@"a b" = global i32 0\n',
    ),
    *(
        "!0 = !{",
        "}",
        "; text",
        "%t = type { i32 }\n",
        "attributes #0 = { nounwind }\n",
        " ",
        "%x = add i32 %0, 1",
        '"',
    ),
    *("é𝄞", "\r\n", "define", "@", "=", "#0", "{"),
)


def check_same(tree: LlvmText, text: str) -> None:
    """What follows edits is what is read from nothing."""
    anew = LlvmText.read(text)
    assert tree.text == text
    assert [(unit.kind, unit.text) for unit in tree.units] == [(unit.kind, unit.text) for unit in anew.units]
    one, other = LlvmSnapshot("", 1, tree), LlvmSnapshot("", 1, anew)
    assert tokens(one, "utf-16") == tokens(other, "utf-16")
    assert document_symbols(one) == document_symbols(other)
    assert folds(one) == folds(other)
    assert [tree.line_at(offset) for offset in range(len(text) + 1)] == [
        anew.line_at(offset) for offset in range(len(text) + 1)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_any_edits_give_what_reading_the_text_gives(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choices(PIECES, k=chance.randrange(30)))
    tree = LlvmText.read(text)
    for _ in range(30):
        start = chance.randrange(len(text) + 1)
        end = min(start + chance.choice((0, 0, 1, 5, 40)), len(text))
        new = "".join(chance.choices(PIECES, k=chance.randrange(3)))
        text, tree = text[:start] + new + text[end:], tree.edited(start, end, new)
        check_same(tree, text)


ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


@pytest.mark.parametrize("seed", range(20))
def test_changes_of_tokens_make_of_what_was_told_what_a_new_file_has(seed: int) -> None:
    chance = random.Random(seed)
    encoding = ENCODINGS[seed % 3]
    text = "".join(chance.choices(PIECES, k=chance.randrange(60))) * chance.choice((1, 20))
    snapshot = LlvmSnapshot("", 1, LlvmText.read(text))
    told = Told(tokens(snapshot, encoding))
    for version in range(2, 30):
        start = chance.randrange(len(text) + 1)
        end = min(start + chance.choice((0, 0, 1, 5, 40)), len(text))
        new = "".join(chance.choices(PIECES, k=chance.randrange(3)))
        text = text[:start] + new + text[end:]
        snapshot = LlvmSnapshot("", version, snapshot.tree.edited(start, end, new), told=snapshot.told)
        if chance.random() < 0.6:
            told.take(changes(snapshot, told.version, encoding))
            assert told.numbers == split(tokens(LlvmSnapshot("", 1, LlvmText.read(text)), encoding).numbers)


FUNCTIONS = "".join(f"define i32 @f{n}() {{\n  ret i32 {n}\n}}\n" for n in range(500))


@pytest.mark.asyncio
async def test_a_key_is_told_by_the_tokens_that_it_changes() -> None:
    async with started() as session:
        buffer = session.open(FUNCTIONS, "x.ll")
        whole = await session.client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(buffer.identifier)
        )
        assert whole is not None
        assert whole.result_id is not None
        buffer.edit(("ret i32 250", "\n  ret i64 250"))
        params = types.SemanticTokensDeltaParams(buffer.identifier, whole.result_id)
        news = await session.client.text_document_semantic_tokens_full_delta_async(params)
        assert isinstance(news, types.SemanticTokensDelta)
        (edit,) = news.edits
        before = FUNCTIONS[: FUNCTIONS.index("ret i32 250")].split("\n")
        # The `ret` stands a line further down; all else about it is as it was.
        assert (edit.start, edit.delete_count, list(edit.data or ())) == (_numbers_before(before), 1, [2])
        # Of what the client was never told there are no changes.
        params = types.SemanticTokensDeltaParams(buffer.identifier, "0")
        anew = await session.client.text_document_semantic_tokens_full_delta_async(params)
        assert isinstance(anew, types.SemanticTokens)


def _numbers_before(lines: list[str]) -> int:
    """How many numbers tell the tokens of these lines: `define`, `i32` and a name; `ret`, `i32` and a number."""
    return 5 * sum(3 for line in lines if line.strip(" }"))


def test_an_edit_leaves_other_units_as_they_are() -> None:
    text = FUNCTIONS
    before = LlvmText.read(text)
    start = text.index("ret i32 250")
    after = before.edited(start, start + 3, "foo")
    changed = [index for index, unit in enumerate(after.units) if unit is not before.units[index]]
    assert changed == [250]


def test_lines_are_those_of_the_text() -> None:
    tree = snapshot_of(TEXT).tree
    lines = TEXT.splitlines(keepends=True)
    assert [tree.line(number) for number in range(tree.line_count)] == lines
    assert tree.line_and_start(len(lines)) == ("", len(TEXT))


def test_there_are_words_for_all_that_the_tables_have() -> None:
    assert sorted(attribute_words.ATTRIBUTES) == sorted(attribute_kinds.KINDS)
    assert set(attribute_words.MEMORY) == set(attribute_kinds.MEMORY_LOCATIONS)
    assert set(attribute_words.ACCESS) == set(attribute_kinds.MEMORY_ACCESS)
    assert set(attribute_words.FLOATS) == set(attribute_kinds.FP_CLASSES)
    assert set(attribute_words.CAPTURES) == {"none", *attribute_kinds.CAPTURE_COMPONENTS}
    assert set(words.OPERATIONS) == set(llvmir_words.OPERATIONS)
    assert set(words.FLAGS) == {"fast", *(flag for flags in llvmir_words.FLAGS.values() for flag in flags)}
    assert set(words.PREDICATES) == set(llvmir_words.INTEGER_PREDICATES)
    assert set(words.FLOAT_PREDICATES) == set(llvmir_words.FLOAT_PREDICATES)
    assert set(words.ORDERINGS) == set(llvmir_words.ORDERINGS)
    assert set(words.LINKAGES) == set(llvmir_words.LINKAGES)
    assert set(words.VISIBILITIES) == set(llvmir_words.VISIBILITIES)
    assert set(llvmir_words.TAIL_CALL_KINDS) <= set(words.MEANINGS)


def test_the_operations_are_those_of_the_model() -> None:
    classes = [each for each in vars(instructions).values() if isinstance(each, type)]
    opcodes = {each.opcode for each in classes if issubclass(each, instructions.Instruction)}
    assert {opcode for opcode in opcodes if isinstance(opcode, str) and opcode} <= set(llvmir_words.OPERATIONS)


MODULES = sorted((Path(__file__).resolve().parents[1] / "llvm_ir" / "modules").glob("*.ll"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_everything_answers_at_every_place_of_a_text_with_pieces_missing(path: Path) -> None:
    chance = random.Random(path.stem)
    text = path.read_text(encoding="utf-8")[:4000]
    for _ in range(3):
        start = chance.randrange(len(text))
        text = text[:start] + text[start + chance.randrange(60) :]
        snapshot = snapshot_of(text)
        tokens(snapshot, "utf-16")
        document_symbols(snapshot)
        folds(snapshot)
        for offset in range(0, len(text), 7):
            hover(snapshot, offset)
            definition(snapshot, offset)
            prepare(snapshot, offset)
