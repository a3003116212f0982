"""The descriptions of the library's dialects: which files they are, and what makes them."""

from pathlib import Path
from typing import Final

import fathom.dialects

LIBRARY: Final = sorted(
    path
    for path in Path(fathom.dialects.__file__).parent.glob("*/*.toml")
    if path.parent.name in (path.stem, Path(fathom.dialects.DESCRIBED).name)
)
"""The descriptions; other tables in the folder of a dialect (`linalg/named.toml`) have names of their own."""
