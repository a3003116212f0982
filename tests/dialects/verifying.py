"""What the verify functions of definitions say about a text, for the tests of dialects."""

from __future__ import annotations

from fathom.elaborate import load
from fathom.ir.operation import Operation


def problems(text: str) -> list[str]:
    """The messages of the definitions' own checks, and of those on symbols, for every operation of `text` in order.

    A message is as MLIR prints it behind `error: `.
    """
    module = load(text).module
    symbols = {
        name.value: op
        for op in module.walk()
        if (name := op.properties.get("sym_name")) is not None and op is not module
    }
    found: list[str] = []
    for op in module.walk():
        found += check(op, symbols)
    return found


def check(op: Operation, symbols: dict[str, Operation]) -> list[str]:
    definition = op.definition
    if definition is None:
        return []
    given = list(definition.verify(op)) if definition.verify is not None else []
    if not given and definition.verify_symbols is not None:
        given = list(definition.verify_symbols(op, symbols.get))
    return [each.message if each.bare else f"'{op.name}' op {each.message}" for each in given]
