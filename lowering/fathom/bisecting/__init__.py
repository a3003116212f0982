"""Which pass of a pipeline changes what a function does, and which of its steps: what `fathom bisect` finds.

found = bisect(source, Question("f", [1, 2], pipeline), context)
found.guilty, found.step, found.reduced
"""

from __future__ import annotations

from fathom.bisecting.search import Found, Guilty, Question, bisect

__all__ = ["Found", "Guilty", "Question", "bisect"]
