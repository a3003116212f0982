"""A few lines of aliases that say of what is shared what would fill the memory if it were copied."""

from __future__ import annotations

import pytest

from fathom.syntax import stream
from fathom_server.features.actions import actions_at, edit_of
from fathom_server.features.edits import Refusal, edited
from fathom_server.features.formatting import document_formatting
from fathom_server.features.hover import hover
from fathom_server.features.preview import preview
from fathom_server.features.selection import selections
from fathom_server.features.stages import LLVM_IR, stage_called
from fathom_server.features.symbols import outline
from fathom_server.model.lowered import stalled
from fathom_server.model.mistakes import diagnostics
from tests.server.fixture import snapshot_of

BESIDE = "func.func @g(%a: i32) -> i32 {\n  return %a : i32\n}\n"
ATTRIBUTES = "#t0 = [1, 2]\n" + "".join(f"#t{i} = [#t{i - 1}, #t{i - 1}]\n" for i in range(1, 25))
TYPES = "!t0 = tuple<i32, i32>\n" + "".join(f"!t{i} = tuple<!t{i - 1}, !t{i - 1}>\n" for i in range(1, 41))
CHAIN = "!t0 = i32\n" + "".join(f"!t{i} = !t{i - 1}\n" for i in range(1, 5000))


STRUCTS = "!t0 = !llvm.struct<(i32, i32)>\n" + "".join(
    f"!t{i} = !llvm.struct<(!t{i - 1}, !t{i - 1})>\n" for i in range(1, 41)
)


@pytest.mark.parametrize(
    "text",
    [
        f"{ATTRIBUTES}func.func private @f() attributes {{a = #t24}}\n",
        f"{TYPES}func.func private @f(!t40)\n",
        f"{STRUCTS}func.func private @f(!t40)\n",
        f"{CHAIN}func.func private @f(!t4999)\n",
    ],
    ids=["attributes", "types", "structs", "a chain"],
)
def test_what_is_shared_is_gone_through_once(text: str) -> None:
    """It ends: spelt out, the attribute would have 2^25 numbers, and the type 2^41."""
    snapshot = snapshot_of(text + BESIDE)
    for item in snapshot.tree.items:
        assert diagnostics(snapshot, item) == ()
        assert stalled(snapshot, item) is not None
    assert [entry.symbol.name for entry in outline(snapshot) if entry.symbol] == ["f", "g"]
    assert hover(snapshot, len(text) + BESIDE.index("return %a") + 8) is not None


@pytest.mark.parametrize(
    "form",
    [
        "!llvm.struct<({0}, {0}, array<2 x {0}>)>",
        '!llvm.struct<"{1}", ({0}, {0}, struct<({0}, {0})>)>',
        "!llvm.func<ptr (ptr, {0}, {0})>",
        '!llvm.target<"spirv.X", {0}, {0}>',
    ],
    ids=["structs", "structs with names", "functions", "target"],
)
def test_a_message_shows_the_beginning(form: str) -> None:
    aliases = "!t0 = i32\n" + "".join(f"!t{i + 1} = {form.format(f'!t{i}', i)}\n" for i in range(40))
    body = "  %0 = llvm.mlir.undef : !t40\n  %1 = llvm.insertvalue %a, %0[0] : !t40\n  llvm.return\n"
    snapshot = snapshot_of(f"{aliases}llvm.func @f(%a: !t40) {{\n{body}}}\n")
    messages = [diagnostic.message for item in snapshot.tree.items for diagnostic in diagnostics(snapshot, item)]
    assert messages
    assert max(map(len, messages)) < 2_000_000


def test_the_fields_of_a_struct_that_mentions_itself() -> None:
    pairs = "!t0 = i32\n" + "".join(f"!t{i + 1} = !llvm.struct<(!t{i}, !t{i})>\n" for i in range(40))
    struct = '!llvm.struct<"list", (ptr, !t40, struct<"list">)>'
    body = "  %0 = llvm.mlir.undef : !s\n  %1 = llvm.extractvalue %0[2, 0] : !s\n  llvm.return\n"
    snapshot = snapshot_of(f"{pairs}!s = {struct}\nllvm.func @f() {{\n{body}}}\n")
    assert [diagnostics(snapshot, item) for item in snapshot.tree.items] == [()] * len(snapshot.tree.items)


@pytest.mark.parametrize("form", ["tuple<{0}, {0}>", "({0}, {0}) -> {0}", "!llvm.struct<({0}, {0})>"])
def test_what_is_too_long_is_not_offered(form: str) -> None:
    aliases = "!t0 = i32\n" + "".join(f"!t{i + 1} = {form.format(f'!t{i}')}\n" for i in range(45))
    use = '  "x.y"(%a) : (!t45) -> ()\n  func.call @g(%a) : (!t45) -> !t45\n'
    text = f"{aliases}func.func @f(%a: !t45) {{\n{use}  return\n}}\n"
    snapshot = snapshot_of(text)
    for line in use.splitlines():
        at = text.index(line) + 4
        for action in actions_at(snapshot, at, at, ()):
            edit = action.edit if action.later is None else edit_of(snapshot, action.later)
            assert isinstance(edit, Refusal) or all("…" not in replacement.text for replacement in edit)
            assert isinstance(edit, Refusal) or sum(len(replacement.text) for replacement in edit) < 20_000


def test_what_is_too_long_is_formatted() -> None:
    text = f'{TYPES}func.func @f(%a: !t40) {{\n   "x.y"(%a) : (!t40) -> ()\n  return\n}}\n'
    snapshot = snapshot_of(text)
    edit = document_formatting(snapshot)
    assert edited(text, edit) == text.replace('   "x', '  "x')


def test_a_hover_shows_the_beginning() -> None:
    at = "func.func @f(%a: "
    text = f"{TYPES}{at}!t40) {{\n  return\n}}\n"
    shown = hover(snapshot_of(text), len(TYPES) + len(at) - 4)
    assert shown is not None
    assert "tuple<tuple<tuple<" in shown.markdown
    assert len(shown.markdown) < 10_000


GIANTS = """\
llvm.mlir.global private @numbers(dense<1.0> : tensor<60000x60000xf32>) : !llvm.array<60000 x array<60000 x f32>>
llvm.mlir.global private constant @text(dense<65> : tensor<4000000000xi8>) : !llvm.array<4000000000 x i8>
llvm.func @f() -> i32 {
  %array = llvm.mlir.undef : !llvm.array<4000000000 x i32>
  %one = llvm.mlir.constant(1 : i32) : i32
  %other = llvm.insertvalue %one, %array[5] : !llvm.array<4000000000 x i32>
  %second = llvm.extractvalue %array[5] : !llvm.array<4000000000 x i32>
  llvm.return %second : i32
}
"""


def test_the_beginning_of_a_giant_array_is_previewed() -> None:
    snapshot = snapshot_of(GIANTS)
    shown = preview(snapshot, stage_called(snapshot, LLVM_IR), None)
    assert shown.problem is None
    assert shown.text is not None
    numbers, text = (line for line in shown.text.splitlines() if line.startswith("@"))
    one = "[60000 x float] [" + "float 1.000000e+00, " * 100
    assert numbers.startswith(f"@numbers = private global [60000 x [60000 x float]] [{one}")
    assert text.startswith('@text = private constant [4000000000 x i8] c"' + "A" * 1000)
    assert numbers.endswith("…")
    assert text.endswith("…")
    assert "  ret i32 undef" in shown.text


@pytest.mark.parametrize("opening", ["tuple<", "("])
def test_a_statement_of_too_many_tokens_is_looked_at(opening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of which the tokens in one line are many, and what comes behind it is not read."""
    monkeypatch.setattr(stream, "MOST_TOKENS", 1000)
    closing = ">" if opening == "tuple<" else ") -> i32"
    text = f"func.func @f(%a: {opening * 1000}i32{closing * 1000}) {{\n\n  return\n}}\n"
    snapshot = snapshot_of(text)
    for at in (5, 50, text.index("\n") + 1, text.index("return")):
        hover(snapshot, at)
        assert selections(snapshot, [at])
        assert actions_at(snapshot, at, at, ()) is not None
    for piece in snapshot.tree.items[0].pieces:
        assert len(piece.tokens()) == len(piece.token_spans())


def test_regions_that_are_nested_too_deep_are_not_lowered() -> None:
    text = "func.func @f() {\n" + "  foo.a {\n" * 3000 + "}" * 3000 + "\n  return\n}\n"
    snapshot = snapshot_of(text)
    at = text.index("foo")
    lower = [
        action for action in actions_at(snapshot, at, at, ("refactor.rewrite",)) if action.title.startswith("Lower")
    ]
    for action in lower:
        assert action.later is not None
        assert isinstance(edit_of(snapshot, action.later), Refusal)
    assert lower
