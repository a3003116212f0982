"""The spv dialect of MLIR 15, which is called spirv since MLIR 16: its attributes are kept as they are written, on one
line, as mlir-opt prints them.

Source of the rules: observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, UnknownAttr
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.irdl.dialect import Dialect
    from fathom.irdl.readers import AttributeReader, BodyReader

_MNEMONICS: Final = ("entry_point_abi", "interface_var_abi", "target_env", "vce")
_BLANKS: Final = re.compile(r"(?<=[<(\[{]) | (?=[<>)\]},])|(?<=[0-9]x) ")
"""Those between tokens that no text has."""


def _reader(mnemonic: str) -> Callable[[BodyReader], Attribute]:
    def read(reader: BodyReader) -> Attribute:
        return UnknownAttr(f"#spv.{mnemonic}{_BLANKS.sub('', reader.rest())}")

    return read


_ATTRIBUTES: Final[dict[str, AttributeReader]] = {name: _reader(name) for name in _MNEMONICS}


def completed(dialect: Dialect) -> Dialect:
    """The dialect with the attributes that others' operations have."""
    return replace(dialect, attributes=_ATTRIBUTES, all_attributes=False)
