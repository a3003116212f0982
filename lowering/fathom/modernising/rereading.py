"""Operations of which an edition knows the text alone, read again by the definitions of today.

llvm.load %0 : !llvm.ptr<f32>  ->  llvm.load %0 : !llvm.ptr -> f32         as the table of renames writes it
"""

from __future__ import annotations

import re
from typing import Final

from fathom.context import Context
from fathom.editions.renames import Modern, modernised, type_today
from fathom.elaborate import load
from fathom.ir.custom_text import CUSTOM_TEXT, CustomText
from fathom.ir.naming import Names
from fathom.ir.operation import BlockArgument, Operation
from fathom.ir.operation_printer import Printer

_LINE = "\n"


def only_way(name: str, text: str, behind: int) -> Modern | None:
    """What an operation of a text is today, if that is another text, and there is one and no other that means the
    same."""
    ways = [way for way in modernised(name, text, behind=behind) if (way.name, way.text) != (name, text)]
    different = {(way.name, " ".join(way.text.split())) for way in ways}
    return ways[0] if len(different) == 1 and ways[0].exact else None


def reread(op: Operation, behind: int, today: Context) -> bool:
    """Makes an operation what its text says today, where its operands have their types of today already. False where
    that has no meaning, and for one with regions or successors."""
    text = op.properties.get(CUSTOM_TEXT)
    if op.regions or op.successors or not isinstance(text, CustomText):
        return False
    way = only_way(op.name, _text(op, text), behind)
    name, written = (way.name, way.text) if way is not None else (op.name, _with_types(_text(op, text)))
    made = _read(op, f"{name} {written}", today)
    if made is None or len(made.results) != len(op.results):
        return False
    places = [value.index for value in made.operands if isinstance(value, BlockArgument)]
    if len(places) != len(made.operands):
        return False
    op.name, op.definition = made.name, made.definition
    values = list(dict.fromkeys(op.operands))
    op.set_operands([values[place] for place in places])
    op.properties.clear()
    op.properties.update(made.properties)
    op.attributes.clear()
    op.attributes.update(made.attributes)
    implied, made.regions = list(made.regions), []
    for region in implied:
        op.add_region(region)
    for result, other in zip(op.results, made.results, strict=True):
        result.type = other.type
    return True


_TYPE: Final = re.compile(r"(?<![\w.])(!llvm\.(?:ptr|vec)|memref)(?=<)")


def _with_types(text: str) -> str:
    """A text with the types of today in the place of those that are written otherwise."""
    out, last = "", 0
    for match in _TYPE.finditer(text):
        end = _behind(text, match.end())
        today = type_today(match[0], text[match.end() : end]) if end > 0 and match.start() >= last else None
        if today is not None:
            out += text[last : match.start()] + today[0]
            last = end
    return out + text[last:]


def _behind(text: str, start: int) -> int:
    """Behind what a bracket opens; -1 where it does not close."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "<") - (text[place] == ">" and text[place - 1] != "-")
        if not depth:
            return place + 1
    return -1


def _text(op: Operation, text: CustomText) -> str:
    """What stands behind the name, with numbers for operands."""
    names = Names()
    for number, value in enumerate(dict.fromkeys(op.operands)):
        names.values[value] = f"%{number}"
    printer = Printer(names)
    printer.default_dialect = "."
    printer.custom_text(op, text)
    return "".join(printer.parts).removeprefix(op.name).strip()


def _read(op: Operation, text: str, today: Context) -> Operation | None:
    values = list(dict.fromkeys(op.operands))
    arguments = ", ".join(f"%{number}: {value.type}" for number, value in enumerate(values))
    results = f"%r:{len(op.results)} = " if op.results else ""
    loaded = load(f"func.func @f({arguments}) {{{_LINE}{results}{text}{_LINE}return{_LINE}}}{_LINE}", today)
    if loaded.has_errors:
        return None
    function = next((inner for inner in loaded.module.walk() if inner.regions and inner is not loaded.module), None)
    block = function.regions[0].first if function is not None else None
    return block.first if block is not None and block.first is not None and block.first.definition is not None else None
