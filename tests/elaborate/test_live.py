"""A text that stays elaborated while it is edited means what it means when it is read from nothing."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from fathom.context import default_context
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.elaborator import Elaborator
from fathom.elaborate.live import Live
from fathom.elaborate.meaning import Aliases
from fathom.elaborate.sites import definition_span
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import PrintingFlags
from fathom.syntax.parse import parse, reparse
from fathom.syntax.tree import Item, SyntaxTree
from tests.elaborate.edits import BIG, LOOPS, Edit, an_edit, difference, lines_after
from tests.properties import examples

CONTEXT = default_context()
GENERIC = PrintingFlags(generic=True, local_scope=True)


def seen(known: Elaborated) -> object:
    """All that can be seen of an elaborated text."""
    findings = sorted(
        (d.span.start, d.message, [(n.message, n.span) for n in d.notes]) for d in known.diagnostics if d.span
    )
    uses = [
        (site.span(token).start, definition_span(value), str(value.type))
        for site in sorted(known.sites.values(), key=lambda site: site.order)
        for token, value in sorted(site.uses.items())
    ]
    spans = [(op.name, op.span) for root in known.operations for op in root.walk()]
    return findings, uses, spans, [print_op(op, GENERIC) for op in known.operations]


def read(item: Item) -> Live:
    live = Live(CONTEXT, Aliases(), item)
    live.read()
    return live


class Editor:
    """A text of one item, with its elaboration kept up to date; `followed` counts the edits that were followed."""

    def __init__(self, text: str) -> None:
        self.tree: SyntaxTree = parse(text, CONTEXT.shapes)
        self.live = read(self.tree.items[0])
        self.followed = 0

    def replace(self, first: int, last: int, lines: list[str]) -> bool:
        """Replaces some lines, and compares; False if the text is not one item any more."""
        self.tree, _, _ = reparse(self.tree, first, last, lines, CONTEXT.shapes)
        if len(self.tree.items) != 1:
            return False
        item = self.tree.items[0]
        if self.live.update(item) is None:
            self.live = read(item)
        else:
            self.followed += 1
        assert seen(self.live.known) == seen(Elaborator(CONTEXT, Aliases()).run([item]))
        return True


def check_edits(edits: list[Edit], text: str = BIG) -> int:
    """Follows edits one after the other; how many were followed without beginning anew."""
    editor = Editor(text)
    former: list[list[str]] = []
    for edit in edits:
        lines = editor.tree.text.splitlines(keepends=True)
        after = lines_after(edit, lines, former)
        former.append(lines)
        first, last = difference(lines, after)
        if not editor.replace(first, len(lines) - last, after[first : len(after) - last]):
            break
    return editor.followed


@examples(40)
@given(st.lists(an_edit(), min_size=1, max_size=8))
@example(
    [("word", 5, 8, 0), ("cut out", 8, 11, 0), ("delete", 1, 0, 0)]
)  # What a broken line names is defined no more.
def test_edits_mean_what_reading_anew_means(edits: list[Edit]) -> None:
    check_edits(edits)


@examples(40)
@given(st.lists(an_edit(), min_size=1, max_size=8))
def test_edits_of_regions_mean_what_reading_anew_means(edits: list[Edit]) -> None:
    check_edits(edits, LOOPS)


def test_a_statement_that_many_follow_is_followed() -> None:
    """Whatever uses what it defines need not be gone through in order, also in a text that was never edited."""
    chain = [f"  %{n} = arith.addi %{n - 1}, %{n - 1} : i32\n" for n in range(1, 40)]
    constant = "  %0 = arith.constant {} : i32\n".format
    editor = Editor("".join(["func.func @f() -> i32 {\n", constant(1), *chain, "  return %39 : i32\n}\n"]))
    assert editor.replace(1, 2, [constant(2)])
    assert editor.replace(20, 21, ["  %19 = arith.muli %18, %18 : i32\n"])
    assert editor.followed == 2


def check_follows(text: str, *edits: tuple[str, str]) -> None:
    """Each edit puts one text in the place of another, and is followed."""
    editor = Editor(text)
    for number, (old, new) in enumerate(edits):
        before = editor.tree.text
        lines, after = before.splitlines(keepends=True), before.replace(old, new, 1).splitlines(keepends=True)
        first, last = difference(lines, after)
        assert editor.replace(first, len(lines) - last, after[first : len(after) - last])
        assert editor.followed == number + 1, f"the edit of {old!r} is not followed"


def test_operations_with_regions_that_come_and_go_are_followed() -> None:
    loop = "  scf.for %k = %zero to %one step %one {\n    memref.store %1, %m[%k] : memref<4xi32>\n  }\n"
    place = "  %3 = scf.execute_region"
    check_follows(LOOPS, (place, loop + place), (loop, ""), (place, "  scf.if %c {}\n" + place), ("{}", "{\n  }"))


def test_edits_of_what_begins_a_region_are_followed() -> None:
    check_follows(
        LOOPS,
        ("%j = %zero to %i", "%j = %zero to %one"),
        ("step %one {\n      memref", "step {\n      memref"),
        ("step {", "step %one {"),
        ("iter_args(%acc = %1) -> (i32)", "iter_args(%acc = %1) -> (i64)"),
        ("(%acc = %1) -> (i64)", "(%acc = %0) -> (i32)"),
        ("    } else {\n      %6 = arith.muli", "      %7 = arith.muli"),
    )


def test_what_a_loop_uses_is_followed_where_its_type_changes() -> None:
    check_follows(LOOPS, ("%zero = arith.constant 0 : index", "%zero = arith.constant 0 : i64"))


def test_labels_that_come_and_go_are_followed() -> None:
    check_follows(
        LOOPS,
        ("    scf.yield %4 : i32\n  ^bb2:", "    cf.br ^bb3\n    scf.yield %4 : i32\n  ^bb2:"),
        ("    scf.yield %4 : i32\n  ^bb2:", "  ^bb3:\n    scf.yield %4 : i32\n  ^bb2:"),
        ("^bb1(%x: i32):", "^bb1(%x: i32, %y: index):"),
        ("%x, %0 : i32", "%x, %y : i32"),
        ("^bb1(%x: i32, %y: index):", "^bb1(%x: i32, %y: i32):"),
        ("  ^bb3:\n", ""),
        ("^bb2:", "^bb3:"),
        ("    scf.yield %2 : i32\n  }\n", "    cf.br ^bb4\n  ^bb4:\n  }\n"),
    )


def test_what_a_broken_beginning_of_a_region_uses_is_found_again() -> None:
    """The name of a value that is defined nowhere for the time of an edit means it again afterwards."""
    editor = Editor(
        BIG.replace("%3 = scf.for %i = %zero to %one step %one", "%3 = scf.for %i = %zero to %one } else { %one")
    )
    assert editor.replace(2, 3, ["%0  %one = arith.constant 1 : index\n"])
    assert editor.replace(2, 3, ["  %one = arith.constant 1 : index\n"])
