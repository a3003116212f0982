"""What a cast between types computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.interpreting.casts import cast
from fathom.interpreting.machine import Interpret

INTERPRETATION: Final[Mapping[str, Interpret]] = {"builtin.unrealized_conversion_cast": cast}
