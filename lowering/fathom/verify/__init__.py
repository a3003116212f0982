"""Checks that yield diagnostics. `verify` takes an operation and all that is nested in it."""

from __future__ import annotations

from fathom.verify.live import LiveChecks
from fathom.verify.printing import flags_for
from fathom.verify.symbols import Symbols, redefinitions
from fathom.verify.verifier import verify

__all__ = ["LiveChecks", "Symbols", "flags_for", "redefinitions", "verify"]
