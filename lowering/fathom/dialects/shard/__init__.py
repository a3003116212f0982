"""The shard dialect, described in `mlir-22/shard.toml`: tensors that are spread over a grid of devices.

Source of the rules: *'shard' Dialect*; the texts of errors are those of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects import load_described
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.dialect_values import Parameter
from fathom.ir.types import I16, Speller
from fathom.irdl.code import DialectCode
from fathom.irdl.keywords import bracketed
from fathom.irdl.parametric import CustomBody
from fathom.irdl.readers import ParameterReader


def _read_axes(reader: ParameterReader) -> list[Parameter]:
    """`[[0], [1, 2]]`."""
    return [tuple(bracketed(reader, "[]", lambda: DenseArrayAttr(I16, tuple(bracketed(reader, "[]", reader.integer)))))]


def _spell_axes(values: Sequence[Parameter], of: Speller) -> str:
    del of
    (axes,) = values
    lists = axes if isinstance(axes, tuple) else ()
    texts = [f"[{list_.spell_values()}]" for list_ in lists if isinstance(list_, DenseArrayAttr)]
    return f"[{', '.join(texts)}]"


CODE: Final = DialectCode(bodies={"GridAxesArrayAttr": CustomBody(("axes",), _read_axes, _spell_axes, opening="[")})
DIALECT: Final = load_described("shard", CODE)
