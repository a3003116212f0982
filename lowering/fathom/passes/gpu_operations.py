"""Operations and words of the gpu dialect, as several passes make them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects import own_description
from fathom.ir.types import INDEX
from fathom.irdl.cases import case_of

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def case(name: str, word: str) -> Attribute:
    """The attribute of a kind, such as `ShuffleModeAttr`, that a word stands for."""
    made = case_of(own_description("gpu").attributes[name], word)
    assert made is not None, f"{word} is a case of {name}"
    return made


def dimension(rewriter: Rewriter, name: str, axis: str) -> Value:
    """`gpu.thread_id x` and the like."""
    return rewriter.create(name, (), [INDEX], {"dimension": case("DimensionAttr", axis)}).result
