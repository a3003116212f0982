"""A text that stays elaborated while it is edited means what it means when it is read from nothing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.context import default_context
from fathom.elaborate.elaborated import Elaborated, definition_span
from fathom.elaborate.elaborator import Elaborator
from fathom.elaborate.live import Live
from fathom.elaborate.meaning import Aliases
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import PrintingFlags
from fathom.syntax.parse import parse, reparse
from fathom.syntax.tree import SyntaxTree
from tests.elaborate.edits import BIG, Edit, an_edit, lines_after

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


class Editor:
    """A text of one item, with its elaboration kept up to date; `followed` counts the edits that were followed."""

    def __init__(self, text: str) -> None:
        self.tree: SyntaxTree = parse(text, CONTEXT.shapes)
        self.live = Live(CONTEXT, Aliases(), self.tree.items[0])
        self.followed = 0

    def replace(self, first: int, last: int, lines: list[str]) -> bool:
        """Replaces some lines, and compares; False if the text is not one item any more."""
        self.tree, _, _ = reparse(self.tree, first, last, lines, CONTEXT.shapes)
        if len(self.tree.items) != 1:
            return False
        item = self.tree.items[0]
        if self.live.update(item) is None:
            self.live = Live(CONTEXT, Aliases(), item)
        else:
            self.followed += 1
        assert seen(self.live.known) == seen(Elaborator(CONTEXT, Aliases()).run([item]))
        return True


def check_edits(edits: list[Edit]) -> int:
    """Follows edits one after the other; how many were followed without beginning anew."""
    editor = Editor(BIG)
    former: list[list[str]] = []
    for edit in edits:
        lines = editor.tree.text.splitlines(keepends=True)
        after = lines_after(edit, lines, former)
        former.append(lines)
        first = next(
            (i for i, (a, b) in enumerate(zip(lines, after, strict=False)) if a != b), min(len(lines), len(after))
        )
        last = 0
        while last < min(len(lines), len(after)) - first and lines[-1 - last] == after[-1 - last]:
            last += 1
        if not editor.replace(first, len(lines) - last, after[first : len(after) - last]):
            break
    return editor.followed


@settings(max_examples=120, deadline=None)
@given(st.lists(an_edit(), min_size=1, max_size=8))
def test_edits_mean_what_reading_anew_means(edits: list[Edit]) -> None:
    check_edits(edits)


def test_a_statement_that_many_follow_is_followed() -> None:
    """Whatever uses what it defines need not be gone through in order, also in a text that was never edited."""
    chain = [f"  %{n} = arith.addi %{n - 1}, %{n - 1} : i32\n" for n in range(1, 40)]
    constant = "  %0 = arith.constant {} : i32\n".format
    editor = Editor("".join(["func.func @f() -> i32 {\n", constant(1), *chain, "  return %39 : i32\n}\n"]))
    assert editor.replace(1, 2, [constant(2)])
    assert editor.replace(20, 21, ["  %19 = arith.muli %18, %18 : i32\n"])
    assert editor.followed == 2
