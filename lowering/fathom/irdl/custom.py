"""The functions behind `custom<Name>(…)` in assembly formats, by name.

A parser gets `(cursor, parsed, arguments)`, a printer `(op, printer, arguments)`; the arguments are the directives in
the parentheses. Dialect modules add theirs as they are imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

CUSTOM_PARSERS: Final[dict[str, Callable[[Any, Any, Any], None]]] = {}
CUSTOM_PRINTERS: Final[dict[str, Callable[[Any, Any, Any], None]]] = {}
