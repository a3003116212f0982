"""Long texts as features show them: their beginning."""

from __future__ import annotations


def beginning(text: str, most: int) -> str:
    """A text of no more than so many characters, and a sign that it goes on."""
    return text if len(text) <= most else f"{text[:most]}…"
