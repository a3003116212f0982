"""The numbers of the format: its versions, its sections, the parts of an operation.

Source of the rules: *MLIR Bytecode Format*, and what mlir-opt 22 writes.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

MAGIC: Final = b"ML\xefR"
"""What a file begins with."""
PADDING: Final = 0xCB
"""The byte that stands before what is aligned."""


class Version(IntEnum):
    """The versions of the format, by what each brought."""

    FIRST = 0
    DIALECT_VERSIONS = 1
    ISOLATED_REGIONS = 2
    """Regions that are isolated from above are sections, so that they can be passed over."""
    USE_LISTS = 3
    UNKNOWN_LOCATIONS = 4
    """Unknown locations of arguments are left out."""
    PROPERTIES = 5
    """Properties have a section; before, they were attributes."""
    SEGMENTS = 6
    """The sizes of groups are numbers in the properties; before, an attribute."""


NEWEST: Final = Version.SEGMENTS


class Section(IntEnum):
    """What a section holds, by the number that it begins with."""

    STRING = 0
    DIALECT = 1
    ATTR_TYPE = 2
    ATTR_TYPE_OFFSET = 3
    IR = 4
    RESOURCE = 5
    RESOURCE_OFFSET = 6
    DIALECT_VERSIONS = 7
    PROPERTIES = 8

    @property
    def title(self) -> str:
        """As messages name it: `AttrType (2)`."""
        words = {Section.IR: "IR"}.get(self, self.name.title().replace("_", ""))
        return f"{words} ({self.value})"


class Part(IntFlag):
    """The parts that an operation has, beside its name and location."""

    ATTRIBUTES = 1
    RESULTS = 2
    OPERANDS = 4
    SUCCESSORS = 8
    REGIONS = 16
    USE_LISTS = 32
    PROPERTIES = 64


class ResourceKind(IntEnum):
    """What a resource holds."""

    BLOB = 0
    BOOL = 1
    STRING = 2
