"""`reconcile-unrealized-casts`: removes the casts that undo each other, which passes leave between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fathom.rewriting.casts import reconcile
from fathom.rewriting.type_converter import CAST

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


def run(root: Operation, options: Mapping[str, str], context: Context) -> list[Diagnostic]:
    """Never fails; a cast that stays is for what comes after to report."""
    reconcile([op for op in root.walk() if op.name == CAST])
    return []
