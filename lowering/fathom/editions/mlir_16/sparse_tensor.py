"""The sparse_tensor dialect of MLIR 16: an encoding is kept as it is written.

Source of the rules: observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import Attribute, UnknownAttr
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.irdl.dialect import Dialect
    from fathom.irdl.readers import BodyReader


def _read_encoding(reader: BodyReader) -> Attribute:
    return UnknownAttr(f"#sparse_tensor.encoding{reader.rest()}")


def completed(dialect: Dialect) -> Dialect:
    """The dialect with encodings of former releases."""
    return replace(dialect, attributes={**dialect.attributes, "encoding": _read_encoding})
