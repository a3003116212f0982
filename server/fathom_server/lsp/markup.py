"""Texts for people to read, which are written in Markdown, as the client shows them: as they are, or plain."""

from __future__ import annotations

import re
from typing import Final

from lsprotocol import types

_CODE: Final = re.compile(r"(`+) ?(.+?) ?\1")
_STRONG: Final = re.compile(r"\*\*(.+?)\*\*")
_LINE: Final = re.compile(r"\[(line \d+)\]\((#L\d+)\)")
"""How features write that a line of the document is meant."""
_RULE: Final = re.compile(r"(?:\| *-+ *)*\|?|---")
"""A rule, or the line under the head of a table."""


def markup(markdown: str, *, is_markdown: bool) -> types.MarkupContent:
    """A text in the kind of markup that the client takes."""
    if is_markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, markdown)
    return types.MarkupContent(types.MarkupKind.PlainText, plain_text(markdown))


def with_lines(markdown: str, uri: str, *, are_links: bool) -> str:
    """A text in which lines of a document are links, or just named."""
    return _LINE.sub(lambda match: f"[{match[1]}]({uri}{match[2]})" if are_links else match[1], markdown)


def plain_text(markdown: str) -> str:
    """The text without marks: code as it is, a row of a table with its cells side by side."""
    lines: list[str] = []
    is_code = False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            is_code = not is_code
        elif is_code:
            lines.append(line)
        elif not line or not _RULE.fullmatch(line):
            lines.append(_plain(line))
        elif line == "---":
            del lines[-1:]  # The rule stands between two empty lines.
    return "\n".join(lines)


def _plain(line: str) -> str:
    if line.startswith("| "):
        cells = re.split(r"(?<!\\)\|", line.strip("| "))
        line = "  ".join(filter(None, (cell.strip().replace("\\|", "|") for cell in cells)))
    return _STRONG.sub(r"\1", _CODE.sub(r"\2", line))
