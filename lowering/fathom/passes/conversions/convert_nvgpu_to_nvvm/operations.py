"""What lowers each operation of the nvgpu dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.conversions.convert_nvgpu_to_nvvm import barriers, copies, products, warp_groups

if TYPE_CHECKING:
    from fathom.passes.to_llvm.patterns import Lower

LOWERINGS: Final[dict[str, Lower]] = {
    **barriers.LOWERINGS,
    **copies.LOWERINGS,
    **warp_groups.LOWERINGS,
    **products.LOWERINGS,
}
