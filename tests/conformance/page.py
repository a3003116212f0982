"""What pages of figures are written with: paragraphs of Markdown, and cells of its tables."""

from __future__ import annotations

import textwrap


def paragraph(text: str) -> list[str]:
    """The lines of a paragraph, and the empty one behind it."""
    return [*textwrap.wrap(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False), ""]


def cell(text: str) -> str:
    """A text that stands in a table."""
    return text.replace("|", "\\|")


def share(part: int, whole: int) -> str:
    """`98.2 %`, or a dash of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "–"
