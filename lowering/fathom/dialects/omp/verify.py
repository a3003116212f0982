"""What MLIR's verifiers say of the operations of omp, of checks that are made of others."""

from __future__ import annotations

from typing import Final

from fathom.dialects.omp import checks as c
from fathom.dialects.omp import nesting_checks as n
from fathom.dialects.omp.host_values import host_values
from fathom.irdl import atomics
from fathom.irdl.checking import all_of
from fathom.irdl.verifying import Checks, SymbolChecks

PARTS: Final = ("checks", "nesting_checks", "recipe_checks")
_REDUCED: Final = (c.block_arguments, c.allocators, c.reduction())
_MAPPED: Final = all_of(c.depend, c.maps)


VERIFY_REGIONS: Final[Checks] = {
    "omp.atomic.capture": atomics.atomic_capture_regions,
    "omp.atomic.update": atomics.atomic_update_regions,
    "omp.distribute": all_of(n.wraps, n.distribute_regions),
    "omp.loop": all_of(n.wraps, n.standalone),
    "omp.simd": all_of(n.wraps, n.simd_regions),
    "omp.target": all_of(n.target_regions, host_values),
    "omp.taskloop": all_of(n.wraps, n.taskloop),
    "omp.workshare.loop_wrapper": all_of(n.wraps, n.standalone),
    "omp.wsloop": all_of(n.wraps, n.wsloop),
}


VERIFY: Final[Checks] = {
    "omp.atomic.read": all_of(atomics.atomic_read, c.hint),
    "omp.atomic.update": all_of(atomics.atomic_update, c.hint),
    "omp.atomic.write": all_of(atomics.atomic_write, c.hint),
    "omp.distribute": all_of(c.block_arguments, n.distribute, c.allocators),
    "omp.loop": all_of(c.block_arguments, c.reduction()),
    "omp.map.info": c.defined_by_maps("members", "members"),
    "omp.ordered": all_of(n.ordered_parent, n.ordered),
    "omp.parallel": all_of(c.block_arguments, c.allocators, c.private, c.reduction()),
    "omp.sections": all_of(*_REDUCED),
    "omp.simd": all_of(c.block_arguments, n.simd_lengths, c.aligned, c.nontemporal, n.simd, c.linear),
    "omp.single": all_of(c.block_arguments, c.allocators, c.copyprivate),
    "omp.target": all_of(
        c.block_arguments,
        c.depend,
        c.defined_by_maps("has_device_addr", "has_device_addr_vars"),
        c.maps,
        c.private_maps,
    ),
    "omp.target_data": all_of(
        c.block_arguments,
        c.some_map,
        c.defined_by_maps("use_device_ptr", "use_device_ptr_vars"),
        c.defined_by_maps("use_device_addr", "use_device_addr_vars"),
        c.maps,
    ),
    "omp.target_enter_data": _MAPPED,
    "omp.target_exit_data": _MAPPED,
    "omp.target_update": _MAPPED,
    "omp.task": all_of(c.block_arguments, c.depend, c.reduction("in_reduction")),
    "omp.taskgroup": all_of(c.block_arguments, c.reduction("task_reduction")),
    "omp.taskloop": all_of(*_REDUCED, c.reduction("in_reduction"), n.taskloop_clauses),
    "omp.teams": all_of(c.block_arguments, n.teams, c.allocators, c.reduction()),
    "omp.wsloop": all_of(c.block_arguments, c.linear, c.reduction()),
}


VERIFY_SYMBOLS: Final[SymbolChecks] = {
    "omp.loop": c.reduction_symbols(),
    "omp.parallel": c.all_of_symbols(c.private_symbols, c.reduction_symbols()),
    "omp.sections": c.reduction_symbols(),
    "omp.task": c.reduction_symbols("in_reduction"),
    "omp.taskgroup": c.reduction_symbols("task_reduction"),
    "omp.taskloop": c.all_of_symbols(c.reduction_symbols(), c.reduction_symbols("in_reduction")),
    "omp.teams": c.reduction_symbols(),
    "omp.wsloop": c.reduction_symbols(),
}
