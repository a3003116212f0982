"""The types that a signature may have on the way to LLVM, in the place of one that it may not.

func.func @f(%pair: tuple<i32, f32>)   ->   func.func @f(%pair_0: i32, %pair_1: f32)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fathom.ir.attributes import TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.types import FunctionType, TupleType, Type
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.mentions import of_symbol
from fathom_server.model.scoping import symbols_of

_ARGUMENT: Final = re.compile(r"(%[\w$.-]+)\s*:\s*$")


def unpacked(mistake: Mistake) -> Iterator[Fix]:
    """What a tuple holds, one by one, in the place of an argument that nothing uses, of a function that nobody calls,
    defined or declared: there is no operation that takes a tuple apart."""
    wanted = next((type_ for type_ in mistake.diagnostic.types if isinstance(type_, TupleType)), None)
    op = _function(mistake)
    if wanted is None or op is None or _is_called(mistake):
        return
    types, span, text = _flat(wanted), mistake.span, mistake.text
    if not types or text[span.end :].lstrip().startswith("{"):
        return
    before, block = _ARGUMENT.search(text[: span.start]), op.regions[0].first
    if block is None and before is None:
        shown = ", ".join(map(str, types))
        yield Fix(f"Take `{shown}` one by one", (mistake.replaced(span.start, span.end, shown),))
    arguments = block.arguments if before is not None and block is not None else ()
    argument = next(
        (argument for argument in arguments if before is not None and mistake.name(argument) == before[1]), None
    )
    if before is None or argument is None or any(argument.uses):
        return
    names = [mistake.fresh(f"{before[1]}_{index}") for index in range(len(types))]
    shown = ", ".join(f"{name}: {type}" for name, type in zip(names, types, strict=True))
    yield Fix(f"Take `{shown}` one by one", (mistake.replaced(before.start(), span.end, shown),))


def _function(mistake: Mistake) -> Operation | None:
    """The function in whose arguments the mistake stands."""
    op = mistake.function()
    type = op.properties.get("function_type") if op is not None else None
    if op is None or op.span is None or not isinstance(type, TypeAttr) or not isinstance(type.type, FunctionType):
        return None
    header = mistake.text[mistake.span.start : op.span.end].partition("->")[0]
    return op if header.count(")") > header.count("(") else None


def _is_called(mistake: Mistake) -> bool:
    """Whether the function is named anywhere else."""
    item = mistake.item
    start = mistake.span.start
    symbol = next(
        (symbol for symbol in symbols_of(item) if symbol.start <= start < symbol.end and not symbol.is_open), None
    )
    if symbol is None:
        return True
    return sum(1 for _ in of_symbol(mistake.snapshot, item, symbol.name, symbol)) > 1


def _flat(type: Type) -> list[Type]:
    """What a tuple holds, and what those in it do."""
    return [inner for held in type.elements for inner in _flat(held)] if isinstance(type, TupleType) else [type]
