"""What a word that nobody knows was most likely meant to be."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

LIKE: Final = 0.75
"""From where on two words are taken for one; below, no suggestion is better than a wrong one."""
LONGEST: Final = 100
"""A longer word is not compared with others, which costs the square of its length."""

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-"


def slips(word: str) -> Iterator[str]:
    """The words of which a word may be a misspelling by one slip, the likelier kinds first: two letters in the wrong
    order, one too many, one that is missing, one for another. So few that they may be looked up among any number."""
    if len(word) > LONGEST:
        return
    splits = [(word[:index], word[index:]) for index in range(len(word) + 1)]
    yield from (left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1)
    yield from (left + right[1:] for left, right in splits if right)
    yield from (left + letter + right for left, right in splits for letter in _LETTERS)
    yield from (left + letter + right[1:] for left, right in splits if right for letter in _LETTERS)


def nearest(word: str, known: Collection[str]) -> str | None:
    """The word that is most like another one, of a few hundred at most; None where nothing is like it."""
    if len(word) > LONGEST:
        return None
    from difflib import get_close_matches  # few texts need it, and it takes a while to load

    words = frozenset(known)
    slip = next((text for text in slips(word) if text in words and text != word), None) if len(word) > 1 else None
    return slip or next(iter(get_close_matches(word, known, 1, LIKE)), None)
