"""The memory spaces of the gpu dialect, as numbers that a target gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.cases import word_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.attributes import Attribute
    from fathom.passes.to_llvm.llvm_types import LLVMTypes


def number_spaces(types: LLVMTypes, numbers: Mapping[str, int]) -> None:
    """Has a type converter know the numbers of `global`, `workgroup` and `private` memory."""

    def number(space: Attribute) -> int | None:
        is_space = isinstance(space, DialectAttr) and space.full_name == "gpu.address_space"
        return numbers[word_of(space)] if is_space else None

    types.spaces.append(number)
