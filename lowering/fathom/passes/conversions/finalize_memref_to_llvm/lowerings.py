"""What lowers each operation of the `memref` dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.passes.conversions.finalize_memref_to_llvm.access import ACCESSES
from fathom.passes.conversions.finalize_memref_to_llvm.allocation import aligned_alloc, alloc, alloca, dealloc
from fathom.passes.conversions.finalize_memref_to_llvm.atomics import ATOMICS
from fathom.passes.conversions.finalize_memref_to_llvm.casts import CASTS
from fathom.passes.conversions.finalize_memref_to_llvm.copies import copy
from fathom.passes.conversions.finalize_memref_to_llvm.globals import get_global, global_
from fathom.passes.conversions.finalize_memref_to_llvm.metadata import METADATA
from fathom.passes.conversions.finalize_memref_to_llvm.reshape import reshape
from fathom.passes.conversions.finalize_memref_to_llvm.scopes import alloca_scope

if TYPE_CHECKING:
    from fathom.passes.to_llvm.llvm_types import LoweringOptions
    from fathom.passes.to_llvm.patterns import Lower

LOWERINGS: Final[dict[str, Lower]] = {
    "memref.alloca": alloca,
    "memref.alloca_scope": alloca_scope,
    "memref.copy": copy,
    "memref.dealloc": dealloc,
    "memref.get_global": get_global,
    "memref.global": global_,
    "memref.reshape": reshape,
    **ACCESSES,
    **ATOMICS,
    **CASTS,
    **METADATA,
}


def lowerings(options: LoweringOptions) -> Mapping[str, Lower]:
    """All of them, with the allocation that the options ask for."""
    return {"memref.alloc": aligned_alloc if options.use_aligned_alloc else alloc, **LOWERINGS}
