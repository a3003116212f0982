"""The options of commands that read TableGen files."""

from __future__ import annotations

from typing import Final

from fathom.cli.options import several

INCLUDE: Final = several("I", "a folder in which files that are included are looked up; may be given again", "DIR")
MACRO: Final = several("D", "a macro that is defined; may be given again", "MACRO")
