"""A whole text, formatted."""

from __future__ import annotations

from fathom.context import Context
from fathom.formatting.change import changed
from fathom.formatting.formatter import format_tree
from fathom.formatting.meaning import same_meaning
from fathom.syntax.parse import parse


class MeaningChanged(Exception):
    """The formatted text would mean something else: a fault of Fathom's own, after which nothing is changed."""


def formatted(text: str, context: Context) -> str:
    """A text with white space and line breaks as they ought to be; raises MeaningChanged instead of changing more."""
    tree = parse(text, context.shapes, splits=True)
    after = changed(text, format_tree(tree))
    if after != text and not same_meaning(tree, after, context):
        raise MeaningChanged("formatting would change the meaning")
    return after
