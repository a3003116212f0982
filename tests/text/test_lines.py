"""Where offsets lie in a text."""

from __future__ import annotations

import pytest

from fathom.text.lines import Lines


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("", ["1:1 ''"]),
        ("ab", ["1:1 'ab'", "1:2 'ab'", "1:3 'ab'"]),
        ("a\r\n", ["1:1 'a'", "1:2 'a'", "1:3 'a'", "2:1 ''"]),
        ("\nü!", ["1:1 ''", "2:1 'ü!'", "2:3 'ü!'", "2:4 'ü!'"]),
    ],
)
def test_places_of_offsets(text: str, places: list[str]) -> None:
    lines = Lines(text)
    found = [lines.place(offset) for offset in range(len(text) + 1)]
    assert [f"{line}:{column} {lines.line(line)!r}" for line, column in found] == places
    assert len(lines) == found[-1][0]
