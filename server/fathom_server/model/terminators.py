"""What ends the regions of an operation."""

from __future__ import annotations

from fathom.context import Context
from fathom.irdl.traits import TERMINATOR


def terminator_in(context: Context, around: str) -> str | None:
    """The operation that ends the regions of one of this name and goes to no block: the one that its definition
    implies, the one of its dialect that stands in it alone, or else the one that returns or yields."""
    definition = context.lookup(around)
    dialect = context.dialect(definition.dialect) if definition is not None else None
    if definition is None or dialect is None:
        return None
    names = (definition.implicit_terminator, *dialect.by_name)
    names += (f"{definition.dialect}.return", f"{definition.dialect}.yield")
    for index, name in enumerate(names):
        named = context.lookup(name)
        if named is not None and named.has(TERMINATOR) and not named.successors:
            if around in named.parents or (index >= len(names) - 2 and not named.parents):
                return name
    return None
