"""The random numbers by which C++ shuffles: a seed gives the same order as with MLIR's own tools.

Source of the rules: Matsumoto and Nishimura, *Mersenne Twister* (1998): MT19937.
"""

from __future__ import annotations

from random import Random
from typing import Final

WORDS: Final = 624


class MersenneTwister:
    """`std::mt19937`: numbers of 32 bits."""

    def __init__(self, seed: int) -> None:
        words = [seed & 0xFFFFFFFF]
        for index in range(1, WORDS):
            last = words[-1]
            words.append((1812433253 * (last ^ (last >> 30)) + index) & 0xFFFFFFFF)
        # Python's numbers come from the same twister; only what a seed makes of its state is another.
        self._random = Random()
        self._random.setstate((3, (*words, WORDS), None))

    def next(self) -> int:
        """The next number."""
        return self._random.getrandbits(32)
