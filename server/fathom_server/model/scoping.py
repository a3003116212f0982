"""What is known of symbols, scopes and the values beside functions, as features ask for it.

Its parts stand in modules of their own: what an item defines (`symbols.py`), what a name means (`lookup.py`), what
clients call a symbol (`paths.py`), what is known of it elsewhere in its document (`outlines.py`) and in other files
(`linkage.py`), and values that items share (`outer_values.py`). Who asks need not know which of them knows.
"""

from __future__ import annotations

from fathom.ir.operation import Operation
from fathom.syntax.tree import Item
from fathom_server.model import linkage
from fathom_server.model.lookup import (
    Scope,
    by_scope,
    header,
    is_divided,
    meant,
    scope_at,
    scope_in,
    scope_of_symbol,
    scopes_beside,
    split_in,
    symbol,
)
from fathom_server.model.outer_values import free_names, is_outer, nearest_beside, region_of_scope
from fathom_server.model.outlines import declaration, declaration_of
from fathom_server.model.paths import find, name_of, normalized
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import (
    Role,
    Symbol,
    Unit,
    end_of,
    ends_in,
    item_of,
    mentions_in,
    mentions_of,
    role_of,
    symbols_of,
    unit_of,
)

__all__ = [
    "Role",
    "Scope",
    "Symbol",
    "Unit",
    "declaration_of",
    "declared_at",
    "end_of",
    "ends_in",
    "find",
    "free_names",
    "is_declaration",
    "is_function",
    "is_linked",
    "is_outer",
    "item_of",
    "meant",
    "mentions_in",
    "mentions_of",
    "name_of",
    "named_at",
    "nearest_beside",
    "normalized",
    "region_of_scope",
    "role",
    "scope_at",
    "scope_in",
    "scope_of_symbol",
    "scopes_beside",
    "symbol",
    "symbols_in",
    "symbols_of",
    "unit_of",
]


def role(snapshot: Snapshot, symbol: Symbol) -> Role:
    """What the operation of a symbol is to others."""
    return role_of(symbol, snapshot.context)


def is_function(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a symbol has a signature and is called."""
    return role(snapshot, symbol) is Role.FUNCTION


def named_at(item: Item, offset: int) -> Symbol | None:
    """The symbol of an item whose name is defined at an offset."""
    return next((defined for defined in symbols_of(item) if defined.name_start == offset), None)


def symbols_in(snapshot: Snapshot, scope: Scope, name: str) -> tuple[Symbol, ...]:
    """The symbols of a name that a scope has, of which the first is meant by it; in the order of the text."""
    return by_scope(snapshot, name).get(scope, ())


def declared_at(snapshot: Snapshot, item: Item, offset: int, name: str) -> Operation | None:
    """The operation, without its body, of the symbol that `@name` means at an offset of an item; None where there is
    none, or while it is broken."""
    scope = scope_at(snapshot, item, offset)
    known = header(snapshot, scope, name)
    return declaration(snapshot, known, split_in(scope)) if known is not None else None


def is_declaration(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a symbol says of something that it is defined elsewhere."""
    return linkage.is_declaration(symbol, role(snapshot, symbol))


def is_linked(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a symbol may be that of another file."""
    return not is_divided(snapshot) and linkage.is_linked(symbol, role(snapshot, symbol))
