"""What the parser needs to know of operations; a context supplies it from their definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.language import Language
    from fathom.syntax.cursor import Cursor
    from fathom.syntax.nodes import ParsedOp


@record(eq=False)
class OpSyntax:
    """The syntax of one operation. `parse` reads what follows the name, and returns what its elaboration needs besides.

    `default_dialect` is the prefix that may be left out directly inside its regions. `container` tells that its region
    holds independent operations, as a module's does, so that each of them is an item of the document. `function` tells
    that it is a function-like symbol, which cannot stand directly inside another. `table` tells that it holds symbols,
    functions among them, be it a container or not.
    """

    name: str
    parse: Callable[[Cursor, ParsedOp], object]
    default_dialect: str = ""
    container: bool = False
    function: bool = False
    table: bool = False


class Vocabulary(Protocol):
    """The operations that are known."""

    @property
    def language(self) -> Language:
        """What the language itself is in the edition of MLIR that is read."""
        ...

    def syntax(self, name: str) -> OpSyntax | None:
        """The syntax of the operation of this full name, or None where it is not known."""
        ...

    def full_name(self, name: str, default_dialect: str) -> str:
        """The full name of an operation that is written without its dialect, where this one goes without saying."""
        ...

    def is_defined(self, name: str) -> bool:
        """Whether there is an operation of this full name; its syntax may be known to nobody."""
        ...

    def today(self, name: str) -> str | None:
        """The full name that an operation has today which an older release of MLIR called otherwise; "" where it is
        gone, and None where none was ever called so."""
        ...

    def is_generic(self, name: str) -> bool:
        """Whether the operation of this full name is known to have no form but the generic one."""
        ...

    def is_complete(self, dialect: str) -> bool:
        """Whether every operation of the dialect is known, so that any other is a mistake."""
        ...
