"""The spirv dialect, described in `mlir-22/spirv.toml`: its types, and the operations that C++ reads and writes.

Source of the rules: *'spirv' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.spirv import (
    composites,
    constants,
    control,
    functions,
    images,
    memory,
    numbers,
    words,
    wrapped,
)
from fathom.dialects.spirv.attributes import ATTRIBUTES
from fathom.dialects.spirv.relations import MATCHES, PREDICATES, RELATIONS, TYPE_FUNCTIONS
from fathom.dialects.spirv.type_syntax import TYPES, unknown_type
from fathom.irdl.code import DialectCode
from fathom.irdl.dialect import Dialect
from fathom.irdl.lazy import Joined
from fathom.records import replace

CODE: Final = DialectCode(
    operations={
        **composites.CODE,
        **constants.CODE,
        **control.CODE,
        **functions.CODE,
        **memory.CODE,
        **numbers.CODE,
        **wrapped.CODE,
    },
    predicates=PREDICATES,
    type_functions=TYPE_FUNCTIONS,
    matches=MATCHES,
    relations=RELATIONS,
    directives={
        **constants.DIRECTIVES,
        **control.DIRECTIVES,
        **functions.DIRECTIVES,
        **images.DIRECTIVES,
        **memory.DIRECTIVES,
        **words.DIRECTIVES,
    },
)


def _unknown_attribute(mnemonic: str) -> str:
    return f"unknown SPIR-V attribute kind: {mnemonic}"


DESCRIPTION: Final = description_of("spirv", CODE)


def completed(described: Dialect) -> Dialect:
    """The dialect that a description of it makes, with what code reads."""
    return replace(
        described,
        types=TYPES,
        attributes=Joined(ATTRIBUTES, described.attributes),
        unknown_type=unknown_type,
        unknown_attribute=_unknown_attribute,
    )


DIALECT: Final = completed(DESCRIPTION.dialect())
VERIFY_PARTS: Final = (
    "composites",
    "constants",
    "control",
    "functions",
    "groups",
    "images",
    "memory",
    "numbers",
    "pointers",
    "wrapped",
)
