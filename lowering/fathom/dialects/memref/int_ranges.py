"""Between which numbers the sizes of a memref lie."""

from __future__ import annotations

from typing import Final

from fathom.rewriting.int_ranges import SIZE

INT_RANGES: Final = {"memref.dim": SIZE}
