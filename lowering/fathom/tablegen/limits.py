"""What a file may ask for at most, so that no text makes a reader hang or fill the memory.

Each is far above what LLVM's and MLIR's own files need, and is reported as a mistake of the place that goes beyond.
"""

from __future__ import annotations

from typing import Final

LONGEST_LIST: Final = 1_000_000
"""Elements of a list."""
LONGEST_STRING: Final = 4_000_000
"""Characters of a string."""
WIDEST_BITS: Final = 65_536
"""Bits of a `bits<n>`."""
DEEPEST_INCLUDE: Final = 100
"""Files that include each other; also where a file includes itself."""
DEEPEST_NESTING: Final = 100
"""Values within values, statements within statements, directives within directives, and records that a record makes
while it is being made."""
MOST_FILES: Final = 10_000
"""Files that are included, each time counted."""
LARGEST_VALUE: Final = 2_000_000
"""Values that a value is made of, each counted as often as it is in it; ten characters of a string are one more."""
MOST_ANCESTORS: Final = 10_000
"""Classes that a record or a class is made of, each counted as often as it is reached."""
MOST_WORK: Final = 10_000_000
"""Steps of evaluation, and what they make: a step for each value that is looked through or kept in a record, each
element of a list and each ten characters of a string that is made, 50 for a record and 4 for each of its fields."""
