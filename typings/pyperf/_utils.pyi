"""What Fathom uses of pyperf, which has no types of its own."""

from collections.abc import Sequence

def is_significant(sample1: Sequence[float], sample2: Sequence[float]) -> tuple[bool, float]: ...
