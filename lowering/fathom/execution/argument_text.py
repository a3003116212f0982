"""The arguments of a call as a person types them."""

from __future__ import annotations

import json
import math
import re
from typing import Final

from fathom.execution.outcome import ArgumentProblem, Json
from fathom.text.beginnings import beginning

_WHOLE: Final = r"(?:zeros|ones|iota|random|eye)\s*\([^()\[\]{}\"]*\)|[^\s,:\[\]{}()\"]+\.npz\[[^\s\[\]\"]+\]"
"""What is one word with its parentheses: a fill, and an array in a file."""
_TOKEN: Final = re.compile(rf'"(?:[^"\\]|\\.)*"|{_WHOLE}|[^\s,:\[\]{{}}()"]+|[,:\[\]{{}}()"]')
_SHOWN: Final = 100
"""So many characters are shown of a text that cannot be read."""
_SPECIAL: Final = {"true": "true", "false": "false", "null": "null"}
_PARENTHESES: Final = {"(": "[", ")": "]"}


def parse_arguments(text: str) -> list[Json]:
    """The arguments in `1, 2.5, [[1, 2], [3, 4]], {shape: [4], fill: nan}`: JSON, but tolerant.

    Numbers may be written `1.`, `.5`, `0x1F`, `nan`, `inf`; keys may go without quotes. Raises ArgumentProblem.
    """
    tokens = [token if token[0] in '",:[]{}' else _word(token) for token in _TOKEN.findall(text)]
    try:
        return json.loads(f"[{' '.join(tokens)}]")
    except (ValueError, RecursionError):
        expected = "values separated by commas, such as 1, 2.5, [[1, 2], [3, 4]]"
        raise ArgumentProblem("arguments", expected, f"`{beginning(text, _SHOWN)}`") from None


def _word(word: str) -> str:
    """A JSON token for a bare word: a number, a literal, or else a string (`nan`, `0x1F`, a key)."""
    if re.fullmatch(_WHOLE, word):
        return json.dumps(word)
    if word in _SPECIAL or word in _PARENTHESES:
        return _PARENTHESES.get(word, word)
    if re.fullmatch(r"[+-]?\d+", word):
        sign, digits = "-" if word[0] == "-" else "", word.lstrip("+-").lstrip("0")
        return f"{sign}{digits or 0}"
    if re.fullmatch(r"[+-]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?", word):
        return repr(float(word)) if math.isfinite(float(word)) else json.dumps(word)
    return json.dumps(word)
