"""What is completed, for a client that puts it in the place of what it takes for a word, whatever range it is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.records import record

if TYPE_CHECKING:
    from fathom.syntax.tree import SyntaxTree
    from fathom_server.features.completion.suggestion import Completions

BEFORE: Final = re.compile(r"\w*\Z")
BEHIND: Final = re.compile(r"\w*")


@record
class Place:
    """What a suggestion takes the place of. Of the suggestion itself, `before` and `behind` already stand around that;
    and `kept` is replaced, but has to stay in front of the suggestion."""

    start: int
    end: int
    before: str = ""
    behind: str = ""
    kept: str = ""

    def written(self, text: str) -> str | None:
        """What has to be written there for `text` to stand there; None if nothing does."""
        length = len(self.before) + len(self.behind)
        if len(text) < length or not (text.startswith(self.before) and text.endswith(self.behind)):
            return None
        return self.kept + text[len(self.before) : len(text) - len(self.behind)]


def word_at(tree: SyntaxTree, offset: int, completions: Completions) -> Place:
    """The word at an offset, of letters, digits and underscores: of `arith.ad`, what is behind the dot."""
    _, line_start, line = tree.line_at(offset)
    column, first, last = offset - line_start, max(completions.start - line_start, 0), completions.end - line_start
    head, tail = line[:column], line[column:]
    before, behind = BEFORE.search(head), BEHIND.match(tail)
    assert before is not None and behind is not None
    start, end = before.start(), column + behind.end()
    return Place(
        line_start + start,
        line_start + end,
        before=line[first:start],
        behind=line[end:last],
        kept=line[start:first],
    )
