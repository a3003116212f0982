"""What is said where the uses and the definitions of a value do not agree: the words that MLIR has for it.

The mistake shows at different times: while a text is elaborated, in what stands beside a function, or around a region
that is isolated from above.
"""

from __future__ import annotations

from typing import Final

from fathom.ir.types import Type

NO_SUCH_RESULT: Final = "reference to invalid result number"


def other_type(text: str, used: Type, known: Type) -> str:
    """A value, `%x` or `%x#1`, is used as one of a type, and is known to be of another one."""
    return f"use of value '{name_in(text)}' expects different type than prior uses: '{used}' vs '{known}'"


def defined_with(name: str, index: int, type: Type) -> str:
    """A value is defined with a type, and was used as one of another type before."""
    return f"definition of SSA value '{name}#{index}' has type '{type}'"


def used_with(type: Type) -> str:
    """The note at that use."""
    return f"previously used here with type '{type}'"


def defined_again(name: str) -> str:
    """A name is given to values that other values have."""
    return f"redefinition of SSA value '{name}'"


def name_in(text: str) -> str:
    """The name in the text of a use: `%x` in `%x#1`."""
    return text.partition("#")[0]


def number_in(text: str) -> int:
    """Which of the values of its name a use means: 1 in `%x#1`; of a very long number the beginning."""
    return int(text.partition("#")[2][:9] or 0)
