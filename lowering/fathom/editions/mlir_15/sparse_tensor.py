"""The sparse_tensor dialect of MLIR 15: the widths of numbers are always printed.

Source of the rules: observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from fathom.editions.mlir_16.sparse_tensor import ENCODING, spell_encoding
from fathom.irdl.code import DialectCode
from fathom.records import replace

CODE: Final = DialectCode(
    bodies={"SparseTensorEncodingAttr": replace(ENCODING, spell=partial(spell_encoding, says_widths=True))}
)
