"""Which symbols of one file are, by their names, those of others: as a linker has it.

Files of a workspace are no program, and most symbols of one name in two files have nothing to do with each other. A
symbol *is linked* if it stands at the top level of its file, or in a module there, in a file that lines `// -----` do
not divide, and is either a definition that is public or a declaration.
"""

from __future__ import annotations

from typing import Final

from fathom.elaborate.literals import unquote
from fathom.ir.attributes import StringAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import MODULE
from fathom.irdl.cases import word_of
from fathom.syntax.nodes import StringToken
from fathom_server.model.symbols import Role, Symbol, tables_of

_MUCH_SPACE: Final = 1000
"""So many characters of a body are looked at to find out whether it is empty."""
_LOCAL_LINKAGE: Final = ("internal", "private")
_VALUE_OF: Final = {"memref.global": "initial_value", "llvm.mlir.global": "value"}
"""Of operations that are no functions, what a definition has and a declaration has not."""


_OTHER_NAMES: Final = ("llvm.mlir.alias", "llvm.mlir.ifunc")


def is_declaration(symbol: Symbol, role: Role) -> bool:
    """Whether a symbol says of something that it is defined elsewhere."""
    if symbol.has_body and not _is_empty(symbol):
        return False
    value = _VALUE_OF.get(symbol.op_name)
    return role is Role.FUNCTION or (value is not None and value not in symbol.parsed.attributes)


def _is_empty(symbol: Symbol) -> bool:
    """Whether the body of a symbol is the empty region that a declaration has in the generic form."""
    begins = symbol.item.text_between(symbol.end, min(symbol.end + _MUCH_SPACE, symbol.full_end))
    return symbol.parsed.generic and begins.lstrip().startswith("}")


def is_other_name(symbol: Symbol) -> bool:
    """Whether a symbol is another name of one in its file, which has to be defined there."""
    return symbol.op_name in _OTHER_NAMES


def is_linked(symbol: Symbol, role: Role) -> bool:
    """Whether a symbol may be that of another file, in a file that is not divided."""
    if role not in (Role.FUNCTION, Role.DATA) or not _is_at_top(symbol):
        return False
    return is_declaration(symbol, role) or _is_public(symbol)


def _is_at_top(symbol: Symbol) -> bool:
    if symbol.depth != 1:
        return not symbol.depth
    item = symbol.item
    if symbol.tables:
        return any(table.op_name == MODULE for table in tables_of(item) if table.within == symbol.tables)
    frame = item.frame
    for _ in range(symbol.left):
        frame = frame.parent or frame
    around = frame.open.parsed if frame.open is not None else None
    return around is not None and around.name == MODULE


def _is_public(symbol: Symbol) -> bool:
    linkage = symbol.parsed.attributes.get("linkage")
    if isinstance(linkage, DialectAttr) and word_of(linkage) in _LOCAL_LINKAGE:
        return False
    return _visibility(symbol) == "public"


def _visibility(symbol: Symbol) -> str:
    """The visibility that a symbol states: in its syntax, or in the generic form as a property or an attribute."""
    text = symbol.piece.texts(symbol.base)
    match symbol.parsed.attributes.get("sym_visibility"):
        case StringAttr(value=str(value)):
            return value
        case StringToken(token=int(token)):
            return unquote(text(token))
        case _:
            pass
    for node in (symbol.parsed.properties, symbol.parsed.attr_dict):
        for entry in node.walk() if node is not None else ():
            if entry.kind == "entry" and entry.leaves[0] in ("sym_visibility", '"sym_visibility"'):
                leaves = (leaf for node in entry.nodes for leaf in node.all_leaves() if leaf.type == "STRING")
                return next((unquote(text(leaf.ref)) for leaf in leaves), "public")
    return "public"
