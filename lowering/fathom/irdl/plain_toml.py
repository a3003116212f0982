"""The most of what descriptions say, read at little cost: `key = value` with strings, lists of strings and words.

Python's own reader of TOML goes through a text character by character, and takes longer to import than most files take
to be read. What stands in a table of a description is nearly always plain: keys, strings on one line in which only
quotes and backslashes are escaped, lists and inline tables of such, `true`, `false` and decimal numbers. That is read
here, by one regular expression a token. Of anything else nothing is said, and whoever asks reads it with `tomllib`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.sections import Table, Value

_TOKEN: Final = re.compile(
    r"[ \t]*(?:#[^\x00-\x08\x0a-\x1f\x7f]*)?"
    r'(?:"(?!"")(?P<basic>(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\["\\])*)"'
    r"|'(?!'')(?P<literal>[^'\x00-\x08\x0a-\x1f\x7f]*)'"
    r"|(?P<word>[A-Za-z_][\w-]*)"
    r"|(?P<number>0|-?[1-9][0-9]*)(?![\w.:+-])"
    r"|(?P<mark>[=\[\]{},\n]|\Z))",
    re.ASCII,
)
_TEXT: Final = r'(?:"[^"\\\x00-\x08\x0a-\x1f\x7f]*"|\'[^\'\x00-\x08\x0a-\x1f\x7f]*\')'
_TEXTS: Final = re.compile(rf"[ \t\n]*(?:{_TEXT}[ \t\n]*(?:,[ \t\n]*|(?=\])))*\]")
"""What follows `[` of the most lists: strings without escapes."""
_ENTRY: Final = re.compile(rf"\n*([A-Za-z_][\w-]*) = (?:({_TEXT})(?=\n|\Z)|\[)", re.ASCII)
"""The most of the entries of a table, without what follows `[`."""
_EACH: Final = re.compile(_TEXT)
_ESCAPE: Final = re.compile(r'\\(["\\])')
_WORDS: Final = {"true": True, "false": False}
_STRINGS: Final = ("basic", "literal")
_END: Final = ("mark", "")
_LINE: Final = ("mark", "\n")
_COMMA: Final = ("mark", ",")


class _NotPlain(Exception):
    """The text has something that is not read here."""


def plain_table(text: str) -> Table | None:
    """The table that the text is; None where it is not plain, or not right."""
    try:
        return _Reader(text).table()
    except (_NotPlain, RecursionError):
        return None


@record(frozen=False)
class _Reader:
    text: str
    position: int = 0

    def token(self) -> tuple[str, str]:
        """The kind of the next token, and its text."""
        match = _TOKEN.match(self.text, self.position)
        if match is None or match.lastgroup is None:
            raise _NotPlain
        self.position = match.end()
        return match.lastgroup, match[match.lastgroup]

    def table(self) -> Table:
        table: Table = {}
        behind = _LINE
        while behind == _LINE:
            plain = _ENTRY.match(self.text, self.position)
            if plain is not None and plain[1] not in table:
                self.position = plain.end()
                table[plain[1]] = self.list() if plain[2] is None else plain[2][1:-1]
                behind = self.token()
                continue
            behind = self.token()
            if behind not in (_LINE, _END):
                self.entry(behind, table)
                behind = self.token()
        if behind != _END:
            raise _NotPlain
        return table

    def entry(self, key: tuple[str, str], into: Table) -> None:
        """`key = value`."""
        kind, name = key
        if (kind != "word" and kind not in _STRINGS) or name in into or self.token() != ("mark", "="):
            raise _NotPlain
        if "\\" in name:
            raise _NotPlain
        into[name] = self.value(self.token())

    def value(self, token: tuple[str, str]) -> Value:
        kind, text = token
        if kind in _STRINGS:
            return _ESCAPE.sub(r"\1", text) if kind == "basic" and "\\" in text else text
        if kind == "number":
            return int(text)
        if kind == "word" and text in _WORDS:
            return _WORDS[text]
        if token == ("mark", "["):
            return self.list()
        if token == ("mark", "{"):
            return self.inline()
        raise _NotPlain

    def list(self) -> list[Value]:
        """What follows `[`, on as many lines as there are."""
        plain = _TEXTS.match(self.text, self.position)
        if plain is not None:
            self.position = plain.end()
            return [text[1:-1] for text in _EACH.findall(plain[0])]
        values: list[Value] = []
        while (token := self.further()) != ("mark", "]"):
            values.append(self.value(token))
            behind = self.further()
            if behind == ("mark", "]"):
                break
            if behind != _COMMA:
                raise _NotPlain
        return values

    def further(self) -> tuple[str, str]:
        """The next token that is no end of a line."""
        while (token := self.token()) == _LINE:
            pass
        return token

    def inline(self) -> Table:
        """What follows `{`, on one line."""
        table: Table = {}
        token = self.token()
        while token != ("mark", "}"):
            self.entry(token, table)
            token = self.token()
            if token == ("mark", "}"):
                break
            if token != _COMMA or (token := self.token()) == ("mark", "}"):
                raise _NotPlain
        return table
