"""How an operation is written, as its format says: with places to fill in, or with the names of what fills them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from fathom.irdl.definition import OpDefinition
from fathom.irdl.expressions import DescriptionError
from fathom.irdl.format import (
    AllOperands,
    AllRegions,
    AllSuccessors,
    Custom,
    Directive,
    FunctionalType,
    Literal,
    OneOf,
    Optional,
    Reference,
    Space,
    TypeOf,
    Variable,
    compile_format,
)
from fathom.records import NamedTuple

_OPENING: Final = ("(", "[", "<", "{")
_CLOSING: Final = (",", ")", "]", ">")


class Part(NamedTuple):
    """A piece of a format: text that stands there, before a place for something of a name, if it has one."""

    text: str
    place: str | None = None
    is_operand: bool = False
    is_region: bool = False


def parts_of(definition: OpDefinition, *, whole: bool = False) -> list[Part]:
    """What follows the name of an operation in its format: without what is optional, unless it is to be the `whole`
    that has to do with operands. None for one whose syntax no format says, or a format with a mistake."""
    if definition.assembly is None or definition.custom is not None:
        return []
    try:
        directives = compile_format(definition.assembly)
    except DescriptionError:
        return []
    return list(_parts(definition, directives, whole=whole))


def _parts(definition: OpDefinition, directives: Sequence[Directive], *, whole: bool) -> Iterator[Part]:
    operands = {operand.name for operand in definition.operands}
    regions = {region.name for region in definition.regions}
    successors = {successor.name for successor in definition.successors}
    for directive in directives:
        match directive:
            case Literal(text) | Space(text):
                yield Part(text)
            case Variable(name) if name in operands:
                yield Part("%", name, is_operand=True)
            case Variable(name) if name in regions:
                yield Part("", name, is_region=True)
            case Variable(name):
                yield Part("^" if name in successors else "", name)
            case FunctionalType():
                yield from (Part("("), Part("", "inputs"), Part(")"), Part("->"), Part("", "results"))
            case TypeOf() | Reference():
                yield Part("", "type")
            case Custom(name):
                yield Part("", name)
            case AllOperands():
                yield Part("%", "operands", is_operand=True)
            case AllRegions():
                yield Part("", "regions")
            case AllSuccessors():
                yield Part("", "successors")
            case Optional(then, otherwise) if whole:
                for branch in (then, otherwise):
                    parts = list(_parts(definition, branch, whole=True))
                    if any(part.is_operand for part in parts):
                        yield from parts
            case OneOf(clauses) if whole:
                for clause in clauses:
                    parts = list(_parts(definition, clause, whole=True))
                    if any(part.is_operand for part in parts):
                        yield from parts
            case _:
                pass


def snippet_of(definition: OpDefinition) -> str:
    """What follows the name of an operation in its format, with places to fill in; without what is optional. Empty for
    one whose syntax no format says, or a format with a mistake."""
    numbers = count(1)

    def text_of(part: Part) -> str:
        if part.is_region:
            return f"{{\n\t${{{next(numbers)}:}}\n}}"
        if part.place is not None:
            return f"{part.text}${{{next(numbers)}:{part.place}}}"
        return part.text.replace("$", "\\$").replace("}", "\\}")

    return "".join(spaced([text_of(part) for part in parts_of(definition)]))


def spaced(parts: Sequence[str]) -> list[str]:
    """The parts of a text, each with a space in front where MLIR writes one: none beside an empty part or one of white
    space, and before an opening bracket only behind punctuation."""
    spaced_parts: list[str] = []
    behind = ""
    for part in parts:
        is_tight = part.startswith(_CLOSING) or (part in _OPENING and behind not in (",", ":", "->", "="))
        is_apart = spaced_parts and part.strip() and behind.strip() and behind not in _OPENING and not is_tight
        spaced_parts.append(f" {part}" if is_apart else part)
        behind = part
    return spaced_parts
