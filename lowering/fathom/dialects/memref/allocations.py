"""Where memory may be taken instead."""

from __future__ import annotations

from typing import Final

from fathom.bufferization.allocations import Allocation

ALLOCATIONS: Final = {
    "memref.alloc": Allocation(to_dominators=True, out_of_loops=True, on_stack="memref.alloca"),
    "memref.alloca": Allocation(out_of_loops=True),
    "memref.realloc": Allocation(),
}
