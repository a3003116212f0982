"""What MLIR's verifiers say of the operations of omp, of checks that are made of others."""

from __future__ import annotations

from typing import Final

from fathom.dialects.omp import checks as c
from fathom.dialects.omp import nesting_checks as n
from fathom.dialects.omp.host_values import host_values
from fathom.irdl import atomics
from fathom.irdl.checking import all_of, as_many, bare, only_with, some
from fathom.irdl.verifying import Checks, SymbolChecks

_PAIRS: Final = bare("expected equal sizes for allocate and allocator variables")
_ALLOCATORS: Final = all_of(
    as_many(_PAIRS, "allocate_vars", "allocator_vars"), as_many(_PAIRS, "allocator_vars", "allocate_vars")
)
_LINEAR: Final = as_many(bare("Ill-formed type attributes for linear variables"), "linear_vars", "linear_var_types")
_REDUCED: Final = (c.block_arguments, _ALLOCATORS, c.reduction())
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
    "omp.distribute": all_of(
        c.block_arguments,
        only_with(
            "chunk size set without dist_schedule_static being present",
            *("dist_schedule_chunk_size", "dist_schedule_static"),
        ),
        _ALLOCATORS,
    ),
    "omp.loop": all_of(c.block_arguments, c.reduction()),
    "omp.map.bounds": some(bare("expected extent or upperbound."), "extent", "upper_bound"),
    "omp.map.info": c.defined_by_maps("members", "members"),
    "omp.ordered": all_of(n.ordered_parent, n.ordered),
    "omp.parallel": all_of(c.block_arguments, _ALLOCATORS, c.private, c.reduction()),
    "omp.sections": all_of(*_REDUCED),
    "omp.simd": all_of(c.block_arguments, n.simd_lengths, c.aligned, c.nontemporal, n.simd, _LINEAR),
    "omp.single": all_of(c.block_arguments, _ALLOCATORS, c.copyprivate),
    "omp.target": all_of(
        c.block_arguments,
        c.depend,
        c.defined_by_maps("has_device_addr", "has_device_addr_vars"),
        c.maps,
        as_many(
            bare("sizes of `private` operand range and `private_maps` attribute mismatch"),
            *("private_maps", "private_vars"),
        ),
    ),
    "omp.target_data": all_of(
        c.block_arguments,
        some(
            bare("At least one of map, use_device_ptr_vars, or use_device_addr_vars operand must be present"),
            *("map_vars", "use_device_ptr_vars", "use_device_addr_vars"),
        ),
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
    "omp.teams": all_of(c.block_arguments, n.teams, _ALLOCATORS, c.reduction()),
    "omp.wsloop": all_of(c.block_arguments, _LINEAR, c.reduction()),
}


VERIFY_SYMBOLS: Final[SymbolChecks] = {
    "omp.loop": c.reduction_symbols(),
    "omp.parallel": all_of(c.private_symbols, c.reduction_symbols()),
    "omp.sections": c.reduction_symbols(),
    "omp.task": c.reduction_symbols("in_reduction"),
    "omp.taskgroup": c.reduction_symbols("task_reduction"),
    "omp.taskloop": all_of(c.reduction_symbols(), c.reduction_symbols("in_reduction")),
    "omp.teams": c.reduction_symbols(),
    "omp.wsloop": c.reduction_symbols(),
}
