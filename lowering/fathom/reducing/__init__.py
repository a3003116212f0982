"""A smaller text that a test still accepts: what `fathom reduce` finds, and with what a search for a mistake ends.

    reduced = reduce(text, lambda smaller: "boom" in output_of(smaller), context)
    reduced.text, reduced.tests

Nothing is printed anew: the text is edited, so that names and comments of what stays stay.
"""

from __future__ import annotations

from fathom.reducing.bounds import Bounds, Reduced
from fathom.reducing.search import reduce

__all__ = ["Bounds", "Reduced", "reduce"]
