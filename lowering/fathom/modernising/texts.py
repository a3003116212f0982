"""The own text of an operation, as it is printed at its place: with the names and aliases that stand in the source,
and with a mark for each region."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from fathom.ir.element_printer import Element
from fathom.ir.language import TODAY, Language
from fathom.ir.naming import Names, name_values
from fathom.ir.operation import Block, Operation, Region
from fathom.ir.operation_printer import Printer
from fathom.ir.printing_flags import PrintingFlags
from fathom.modernising.places import REGION, Token
from fathom.records import record
from fathom.syntax.carried import whole
from fathom.syntax.lexer import tokens_of
from fathom.text.beginnings import MOST_IN_EDITOR

_MARK: Final = "\1"
"""What no text of an operation has: it stands for a region."""
_OWN: Final = PrintingFlags(most=MOST_IN_EDITOR)


@record
class Printed:
    """A text and its tokens, one of which stands for each region."""

    text: str
    tokens: tuple[Token, ...]


class _OwnPrinter(Printer):
    """Prints an operation without its regions."""

    def region(
        self, region: Region, *, entry_arguments: bool = True, terminators: bool = True, empty_block: bool = False
    ) -> None:
        del region, entry_arguments, terminators, empty_block
        self.write(_MARK)

    def op(self, op: Operation) -> None:
        # A call whose results nobody names stands alone.
        if op.results and op in self.result_names:
            self.write(f"{self.result_names[op]} = ")
        self.custom_or_generic(op)

    def predecessor_comment(self, block: Block) -> str:
        del block
        return ""


def own_text(
    op: Operation,
    names: Names,
    aliases: Mapping[Element, str],
    default_dialect: str,
    language: Language = TODAY,
    *,
    generic: bool,
) -> Printed:
    """An operation where that is the dialect that may be left out. TextTooLong where it is too long to be written."""
    printer = _OwnPrinter(names, _flags(language, generic=generic), aliases=dict(aliases))
    printer.default_dialect = f"{default_dialect}."
    try:
        printer.op(op)
    except AttributeError:
        # The form of today may ask for a part that the operation did not have then. What is printed is only compared.
        return own_text(op, names, aliases, default_dialect, language, generic=True) if not generic else printed("")
    return printed("".join(printer.parts))


class _WholePrinter(Printer):
    """Prints an operation with its regions, and without comments."""

    def predecessor_comment(self, block: Block) -> str:
        del block
        return ""


def whole_text(op: Operation, names: Names, default_dialect: str, indent: str) -> str:
    """An operation of today with all that is in it; what has no name in the source gets one of its own."""
    own = name_values(op, _OWN)
    for value, text in own.values.items():
        names.values.setdefault(value, f"%m{text[1:]}" if text[1:].isdecimal() else text)
    for inner, text in own.results.items():
        names.results.setdefault(inner, f"%m{text[1:]}" if text[1:].isdecimal() else text)
    for block, text in own.blocks.items():
        names.blocks.setdefault(block, text)
    printer = _WholePrinter(names, _OWN)
    printer.indent = indent
    printer.default_dialect = f"{default_dialect}."
    printer.op(op)
    return "".join(printer.parts)


def _flags(language: Language, *, generic: bool) -> PrintingFlags:
    return PrintingFlags(generic=generic, most=MOST_IN_EDITOR, language=language)


def behind_name(text: Printed) -> str:
    """What stands behind the name of an operation."""
    tokens = text.tokens
    at = next((at + 1 for at, token in enumerate(tokens) if token.text == "="), 0) if tokens[0].text[0] == "%" else 0
    return text.text[tokens[at].end :] if at < len(tokens) else ""


def label_text(block: Block, names: Names, aliases: Mapping[Element, str]) -> Printed:
    """The label of a block, with its arguments."""
    printer = _OwnPrinter(names, _OWN, aliases=dict(aliases))
    printer.block_header(block)
    return printed("".join(printer.parts).rstrip("\n"))


def element_text(element: Element, names: Names, aliases: Mapping[Element, str]) -> str:
    """A type or an attribute that an alias stands for."""
    return _OwnPrinter(names, _OWN, aliases=dict(aliases)).definition(element)


def printed(text: str) -> Printed:
    """A text in which marks stand for regions."""
    return Printed(text, tuple(_tokens(text)))


def _tokens(text: str) -> Iterator[Token]:
    start = 0
    for part in re.split(f"({_MARK}|\n)", text):
        if part == _MARK:
            yield Token(REGION, start, start + 1)
        elif part != "\n":
            for token in tokens_of(part):
                yield Token(whole(token.text), start + token.column, start + token.end)
        start += len(part)
