"""How long tests wait."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 300.0
"""Seconds to wait for what should take a fraction of one: the machines that run tests are busy."""
