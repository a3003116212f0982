"""Diagnostics as plain data: what is wrong, where in the source, why, and what would mend it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fathom.ir.operation import Span

Severity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that belongs to a diagnostic, with a place of its own where it has one."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """`message` is in MLIR's own words; `code` names the kind (`parse`, `verify`, `lowering`, …) for quick fixes;
    `notes` say the cause and the fix. `span` is in offsets of the text that was elaborated, None where there is no
    place."""

    message: str
    span: Span | None = None
    severity: Severity = "error"
    code: str = ""
    notes: tuple[Note, ...] = field(default=())
