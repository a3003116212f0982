"""What the types and memory spaces of the amdgpu dialect become.

!amdgpu.tdm_base<i32>, !amdgpu.tdm_gather_base<i32, i16>  ->  vector<4xi32>
!amdgpu.tdm_descriptor                                    ->  vector<4xi32>, vector<8xi32>, vector<4xi32> twice
#amdgpu.address_space<fat_raw_buffer>                     ->  7
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.types import I32, Type, VectorType
from fathom.irdl.cases import word_of
from fathom.passes.gpu_to_llvm.spaces import number_spaces

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.passes.to_llvm.llvm_types import LLVMTypes

FOUR: Final = VectorType((4,), I32)
EIGHT: Final = VectorType((8,), I32)
_TYPES: Final[dict[str, Type | Sequence[Type]]] = {
    "amdgpu.tdm_base": FOUR,
    "amdgpu.tdm_gather_base": FOUR,
    "amdgpu.tdm_descriptor": (FOUR, EIGHT, FOUR, FOUR),
}
_SPACES: Final = {"fat_raw_buffer": 7, "buffer_rsrc": 8, "fat_structured_buffer": 9}


def add_types(types: LLVMTypes) -> None:
    """Lets the converter convert the types of the dialect, and its memory spaces and those of gpu."""
    types.conversions.insert(0, _convert)
    types.spaces.insert(0, _number)
    number_spaces(types, {"global": 1, "workgroup": 3, "private": 5})


def _convert(type: Type) -> Type | Sequence[Type] | None:
    return _TYPES.get(type.full_name) if isinstance(type, DialectType) else None


def _number(space: Attribute) -> int | None:
    is_space = isinstance(space, DialectAttr) and space.full_name == "amdgpu.address_space"
    return _SPACES[word_of(space)] if is_space else None
