"""What is too long to be read: a mistake at its place, and what stands around it is read as ever."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.syntax import carried, stream
from fathom.syntax.parse import parse, reparse
from fathom.syntax.tree import SyntaxTree

AFTER = "func.func private @after()\n"
LINE = f"a line of more than {carried.MOST_IN_LINE:,} characters is not read"
STATEMENT = f"of one statement no more than {stream.MOST_TOKENS:,} tokens are read"


def tree_of(text: str) -> SyntaxTree:
    return parse(text, default_context().shapes)


def check_mistakes(tree: SyntaxTree, *expected: tuple[int, str]) -> None:
    """The mistakes of a tree: the line of each, and its message. Its text is whole, and what is last is read."""
    mistakes = [
        (tree.line_of(start + mistake.start)[0], mistake.message)
        for item, start in tree.items.with_offsets()
        for mistake in item.errors
    ]
    assert mistakes == list(expected)
    assert not tree.items[len(tree.items) - 1].has_errors
    assert tree.text.endswith(AFTER)


@pytest.mark.parametrize("word", ["x", "word ", "return ", "!#%^@", "(", "é"])
def test_a_line_that_is_too_long(word: str) -> None:
    long = word * (carried.MOST_IN_LINE // len(word) + 1)
    tree = tree_of(f"func.func private @before()\n{long}\n{AFTER}")
    check_mistakes(tree, (1, LINE))
    assert tree.text == f"func.func private @before()\n{long}\n{AFTER}"


def test_a_line_is_as_long_as_what_is_not_carried() -> None:
    long = "x" * carried.MOST_IN_LINE
    numbers = ", ".join(["1"] * (carried.MOST_IN_LINE // 2))
    check_mistakes(tree_of(f'func.func private @f() attributes {{a = "{long}"}}\n{AFTER}'))
    check_mistakes(tree_of(f"// {long}\n{AFTER}"))
    check_mistakes(tree_of(f"#a = dense<[{numbers}]> : tensor<{carried.MOST_IN_LINE // 2}xi8>\n{AFTER}"))


def test_a_line_becomes_too_long_and_short_again() -> None:
    memory = default_context().shapes
    long = "x" * carried.MOST_IN_LINE
    tree = tree_of(f"func.func private @f()\n{AFTER}")
    tree, _, _ = reparse(tree, 0, 1, [carried.carry(f"func.func private @f() {long}\n")], memory)
    check_mistakes(tree, (0, LINE))
    tree, _, _ = reparse(tree, 0, 1, ["func.func private @f()\n"], memory)
    check_mistakes(tree)


def test_a_statement_of_too_many_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST_TOKENS", 1000)
    numbers = ",\n".join(map(str, range(3000)))
    text = f"#a = dense<[{numbers}\n]> : tensor<3000xi32>\n{AFTER}"
    tree = tree_of(text)
    check_mistakes(tree, (498, STATEMENT))
    assert tree.text == text
    assert len(tree.items) == 2
