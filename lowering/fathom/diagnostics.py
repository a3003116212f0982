"""Diagnostics as plain data: what is wrong, where in the source, why, and what would mend it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from fathom.ir.operation import Span

Severity = Literal["error", "warning", "information", "hint"]

# The codes: what kind of finding a diagnostic is.
PARSE: Final = "parse"
ELABORATE: Final = "elaborate"
VERIFY: Final = "verify"
UNREGISTERED: Final = "unregistered"
"""An operation or dialect without a definition, where that is an error."""
UNKNOWN_OP: Final = "unknown-op"
"""An operation without a definition, where that is none: it is kept as it is written."""
PIPELINE: Final = "pipeline"
"""A mistake in a pipeline, or in how it is run."""
LOWERING: Final = "lowering"
TRANSLATION: Final = "translation"
LLVM: Final = "llvm"
"""What LLVM itself says of the text that it was given."""
RUN: Final = "run"
INTERNAL: Final = "internal"
"""A fault of Fathom's own."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that belongs to a diagnostic, with a place of its own where it has one."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """`message` is in MLIR's own words; `code` names the kind, one of the constants above;
    `notes` say the cause and the fix. `span` is in offsets of the text that was elaborated, None where there is no
    place."""

    message: str
    span: Span | None = None
    severity: Severity = "error"
    code: str = ""
    notes: tuple[Note, ...] = field(default=())
