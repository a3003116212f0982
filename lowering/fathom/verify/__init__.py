"""Checks that yield diagnostics. `verify` takes an operation and all that is nested in it."""

from __future__ import annotations

from fathom.verify.verifier import verify

__all__ = ["verify"]
