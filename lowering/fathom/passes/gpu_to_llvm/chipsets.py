"""AMD's GPUs by their names: `gfx942` is 9.4.2."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_NAME: Final = re.compile(r"gfx([0-9]+)([0-9a-f])([0-9a-f])", re.ASCII | re.IGNORECASE)


class Chipset(NamedTuple):
    """The version of a GPU's instructions; later ones are greater."""

    major: int
    minor: int
    stepping: int

    @staticmethod
    def read(name: str) -> Chipset | None:
        """The one of a name; the last two digits are hexadecimal. None where it is no such name."""
        match = _NAME.fullmatch(name)
        return Chipset(int(match[1]), int(match[2], 16), int(match[3], 16)) if match is not None else None
