"""What LLVM remarks while it optimises and makes code: what it did, what it did not, and why."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

_REMARK: Final = re.compile(r"^remark: ([^\n]*?):(\d+):(\d+): ", re.MULTILINE)
UNKNOWN: Final = re.compile(r"'[^']*' is not a recognized (?:processor|feature) for this target")
"""What LLVM says of a machine that it does not have, and goes on with another."""
_END: Final = re.compile(r"^(?:warning|error|note): ", re.MULTILINE)
_MOST: Final = 2_000
"""So many are told of a module."""
Remark: TypeAlias = tuple[int, int, str]
"""The line and the column that a remark is about, 0 where it is about none, and what it says."""


def remarks_in(printed: str) -> list[Remark]:
    """The remarks in what LLVM printed, each once, in their order."""
    found: dict[Remark, None] = {}
    starts = list(_REMARK.finditer(printed))
    for match, following in zip(starts, [*starts[1:], None], strict=True):
        said = printed[match.end() : following.start() if following is not None else len(printed)]
        said = " ".join(_END.split(said, 1)[0].split())
        if said and "virtual registers copies" not in said:
            found[int(match[2]), int(match[3]), said] = None
        if len(found) == _MOST:
            break
    return list(found)
