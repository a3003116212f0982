"""What pages of figures are written with: paragraphs of Markdown, and cells of its tables."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence


def paragraph(text: str) -> list[str]:
    """The lines of a paragraph, and the empty one behind it."""
    return [*textwrap.wrap(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False), ""]


def cell(text: str) -> str:
    """A text that stands in a table."""
    return text.replace("|", "\\|")


def commonest(common: Sequence[tuple[str, int]], most: int, rest: str) -> list[str]:
    """The rows of a table of kinds and how many there are of each, the first so many of them; those that are left out
    are counted in a last one, as further ones of the `rest`."""
    rows = [f"| {count} | {cell(kind)} |" for kind, count in common[:most]]
    if len(common) > most:
        rows.append(f"| {sum(count for _, count in common[most:])} | {len(common) - most} further {rest} |")
    return rows


def share(part: int, whole: int) -> str:
    """`98.2 %`, or a dash of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "–"
