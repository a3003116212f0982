"""What an edit tells of itself: which items gave way to which, and inside one item, which statements."""

from __future__ import annotations

from fathom.context import Context
from fathom_server.model.document import Change, Document
from fathom_server.model.settings import Settings

TEXT = """\
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %0, %a : i32
  // A comment.
  %2 = arith.addi %1, %a : i32
  return %2 : i32
}
func.func @g() {
  return
}
"""


def edited(text: str, marked: str) -> tuple[Document, Change]:
    """A document after the edit that a text with marks asks for: `<|` what is replaced `|` what comes instead `|>`."""
    before, _, rest = marked.partition("<|")
    old, _, rest = rest.partition("|")
    new, _, after = rest.partition("|>")
    assert before + old + after == text
    document = Document("file:///a.mlir", 0, text, Context(), Settings())

    def point(part: str) -> tuple[int, int]:
        return part.count("\n"), len(part) - part.rfind("\n") - 1

    return document, document.edit(point(before), point(before + old), new)


def check_splice(marked: str, text: str, gone: list[str], came: list[str]) -> None:
    """The statements that an edit inside one item took away and those it brought; all others stay the same objects."""
    document, change = edited(text, marked)
    (before,), (after,) = change.removed, change.added
    old, new = before.pieces, after.pieces
    first, removed, added = old.difference(new)
    assert [piece.text.strip() for piece in old[first : first + removed]] == gone
    assert [piece.text.strip() for piece in new[first : first + added]] == came
    assert list(map(id, old[:first])) == list(map(id, new[:first]))
    assert list(map(id, old[first + removed :])) == list(map(id, new[first + added :]))
    assert after is document.tree.items[change.first]


def test_a_key_in_a_line_changes_that_statement() -> None:
    check_splice(
        TEXT.replace("%0, %a", "%<|0|00|>, %a"),
        TEXT,
        ["%1 = arith.addi %0, %a : i32"],
        ["%1 = arith.addi %00, %a : i32"],
    )


def test_a_line_that_goes_takes_nothing_else_with_it() -> None:
    line = "  %1 = arith.addi %0, %a : i32\n"
    check_splice(TEXT.replace(line, f"<|{line}||>"), TEXT, [line.strip()], [])


def test_a_line_that_comes_leaves_all_others() -> None:
    check_splice(TEXT.replace("  // A", "<||  %5 = foo.bar %a\n|>  // A"), TEXT, [], ["%5 = foo.bar %a"])


def test_the_last_brace_of_an_item() -> None:
    check_splice(TEXT.replace("}\nfunc.func @g", "}<|| |>\nfunc.func @g"), TEXT, ["}"], ["}"])


def test_nothing_happens_when_the_text_stays_the_same() -> None:
    document, change = edited(TEXT, TEXT.replace("%0, %a", "%<|0|0|>, %a"))
    assert (change.removed, change.added) == ((), ())
    assert document.tree.text == TEXT


def test_an_item_that_is_split_gives_way_to_two() -> None:
    _, change = edited(TEXT, TEXT.replace("  // A comment.\n", "<|  // A comment.\n|}\nfunc.func @h() {\n|>"))
    assert (len(change.removed), len(change.added)) == (1, 2)
