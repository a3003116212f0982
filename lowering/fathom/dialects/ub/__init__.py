"""The ub dialect, described in `ub.toml`."""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.irdl.build import with_defaults

DIALECT: Final = load_described("ub")
POISON: Final = with_defaults(DIALECT.operation("ub.poison"), {})["value"]
"""`#ub.poison`."""
