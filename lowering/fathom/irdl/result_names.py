"""What the results of an operation are called, as its description says: `extracted`, `thread_id_{dimension}`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, IntegerAttr, StringAttr, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import I1
from fathom.irdl.declared import Result

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

_HOLE: Final = re.compile(r"\{(\w+)\}")


def names_by(results: Sequence[Result], patterns: Mapping[str, str]) -> Callable[[Operation], Sequence[str | None]]:
    """What suggests the names of results: for the first of each group its pattern, in which `{name}` stands for what a
    property says."""

    def suggest(op: Operation) -> Sequence[str | None]:
        definition = op.definition
        groups = definition.result_groups(op) if definition is not None else {}
        names: list[str | None] = []
        for result in results:
            name = _filled(op, patterns.get(result.name, ""))
            names += [name if index == 0 else None for index in range(len(groups.get(result.name, ())))]
        return names

    return suggest


def _filled(op: Operation, pattern: str) -> str | None:
    return _HOLE.sub(lambda hole: _word(op.properties.get(hole[1])), pattern) or None


def _word(value: Attribute | None) -> str:
    """What an attribute says, as part of a name."""
    match value:
        case IntegerAttr(number, type):
            return ("true" if number else "false") if type == I1 else str(number)
        case StringAttr(text):
            return text
        case SymbolRefAttr(root, nested):
            return (root, *nested)[-1]
        case DialectAttr():
            return value.spell_stripped(str).strip("<> ")
        case _:
            return ""
