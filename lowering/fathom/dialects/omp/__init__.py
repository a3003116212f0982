"""The omp dialect, OpenMP: described in `mlir-22/omp.toml`; here what its clauses say, its loops, and what
MLIR's verifiers say.

Source of the rules: *'omp' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects import description_of
from fathom.dialects.omp import block_arguments
from fathom.dialects.omp import checks as c
from fathom.dialects.omp import nesting_checks as n
from fathom.dialects.omp import recipe_checks as recipes
from fathom.dialects.omp.clauses import CLAUSES
from fathom.dialects.omp.host_values import host_values
from fathom.dialects.omp.loops import CANONICAL_LOOP, LOOP_NEST, LOOPS, TARGET_ALLOCMEM, UNROLL_HEURISTIC
from fathom.dialects.omp.names import info_names, variable_names
from fathom.irdl import atomics
from fathom.irdl.checking import all_of
from fathom.irdl.code import DialectCode, OpCode

_REDUCED: Final = (c.block_arguments, c.allocators, c.reduction())
_MAPPED: Final = all_of(c.depend, c.maps)

OPERATIONS: Final[Mapping[str, OpCode]] = {
    "allocate_dir": OpCode(verify=c.alignment),
    "atomic.capture": OpCode(verify=c.hint, verify_regions=atomics.atomic_capture_regions),
    "atomic.read": OpCode(verify=all_of(atomics.atomic_read, c.hint)),
    "atomic.update": OpCode(verify=all_of(atomics.atomic_update, c.hint), verify_regions=atomics.atomic_update_regions),
    "atomic.write": OpCode(verify=all_of(atomics.atomic_write, c.hint)),
    "cancel": OpCode(verify=n.cancel),
    "cancellation_point": OpCode(verify=n.cancellation_point),
    "canonical_loop": OpCode(custom=CANONICAL_LOOP, verify=n.canonical_loop, region_argument_names=variable_names),
    "critical": OpCode(verify_symbols=c.critical),
    "critical.declare": OpCode(verify=c.hint),
    "declare_mapper": OpCode(verify_regions=recipes.declare_mapper),
    "declare_mapper.info": OpCode(verify=c.maps),
    "declare_reduction": OpCode(verify_regions=recipes.declare_reduction),
    "distribute": OpCode(
        verify=all_of(c.block_arguments, n.distribute, c.allocators),
        verify_regions=all_of(n.wraps, n.distribute_regions),
    ),
    "loop": OpCode(
        verify=all_of(c.block_arguments, c.reduction()),
        verify_regions=all_of(n.wraps, n.standalone),
        verify_symbols=c.reduction_symbols(),
    ),
    "loop_nest": OpCode(custom=LOOP_NEST, verify=n.loop_nest),
    "map.bounds": OpCode(verify=c.bounds),
    "map.info": OpCode(verify=c.defined_by_maps("members", "members"), verify_symbols=c.mapper),
    "new_cli": OpCode(verify=c.info, result_names=info_names),
    "ordered": OpCode(verify=all_of(n.ordered_parent, n.ordered)),
    "ordered.region": OpCode(verify=n.ordered_parent),
    "parallel": OpCode(
        verify=all_of(c.block_arguments, c.allocators, c.private, c.reduction()),
        verify_regions=n.parallel_regions,
        verify_symbols=c.all_of_symbols(c.private_symbols, c.reduction_symbols()),
    ),
    "private": OpCode(verify_regions=recipes.private_recipe),
    "scan": OpCode(verify=n.scan),
    "section": OpCode(verify=c.section),
    "sections": OpCode(
        verify=all_of(*_REDUCED), verify_regions=n.sections_regions, verify_symbols=c.reduction_symbols()
    ),
    "simd": OpCode(
        verify=all_of(c.block_arguments, n.simd_lengths, c.aligned, c.nontemporal, n.simd, c.linear),
        verify_regions=all_of(n.wraps, n.simd_regions),
        verify_symbols=n.simd_symbols,
    ),
    "single": OpCode(
        verify=all_of(c.block_arguments, c.allocators, c.copyprivate), verify_symbols=c.copyprivate_symbols
    ),
    "target": OpCode(
        verify=all_of(
            c.block_arguments,
            c.depend,
            c.defined_by_maps("has_device_addr", "has_device_addr_vars"),
            c.maps,
            c.private_maps,
        ),
        verify_regions=all_of(n.target_regions, host_values),
    ),
    "target_allocmem": OpCode(custom=TARGET_ALLOCMEM),
    "target_data": OpCode(
        verify=all_of(
            c.block_arguments,
            c.some_map,
            c.defined_by_maps("use_device_ptr", "use_device_ptr_vars"),
            c.defined_by_maps("use_device_addr", "use_device_addr_vars"),
            c.maps,
        )
    ),
    "target_enter_data": OpCode(verify=_MAPPED),
    "target_exit_data": OpCode(verify=_MAPPED),
    "target_update": OpCode(verify=_MAPPED),
    "task": OpCode(
        verify=all_of(c.block_arguments, c.depend, c.reduction("in_reduction")),
        verify_symbols=c.reduction_symbols("in_reduction"),
    ),
    "taskgroup": OpCode(
        verify=all_of(c.block_arguments, c.reduction("task_reduction")),
        verify_symbols=c.reduction_symbols("task_reduction"),
    ),
    "taskloop": OpCode(
        verify=all_of(*_REDUCED, c.reduction("in_reduction"), n.taskloop_clauses),
        verify_regions=all_of(n.wraps, n.taskloop),
        verify_symbols=c.all_of_symbols(c.reduction_symbols(), c.reduction_symbols("in_reduction")),
    ),
    "teams": OpCode(
        verify=all_of(c.block_arguments, n.teams, c.allocators, c.reduction()),
        verify_symbols=c.reduction_symbols(),
    ),
    "tile": OpCode(verify=c.tile),
    "unroll_heuristic": OpCode(custom=UNROLL_HEURISTIC),
    "workdistribute": OpCode(verify=n.workdistribute),
    "workshare.loop_wrapper": OpCode(verify=n.in_workshare, verify_regions=all_of(n.wraps, n.standalone)),
    "wsloop": OpCode(
        verify=all_of(c.block_arguments, c.linear, c.reduction()),
        verify_regions=all_of(n.wraps, n.wsloop),
        verify_symbols=c.reduction_symbols(),
    ),
}
CODE: Final = DialectCode(
    operations=OPERATIONS,
    predicates={"PointerLikeType": c.may_be_pointer},
    directives={
        **CLAUSES,
        **dict.fromkeys(block_arguments.NAMES, block_arguments.REGION),
        "LoopTransformClis": LOOPS,
    },
)
DESCRIPTION: Final = description_of("omp", CODE)
DIALECT: Final = DESCRIPTION.dialect()
