"""What MLIR's verifiers say of how omp's operations are nested: wrappers of loops, cancellation.

Source of the rules: *'omp' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import Final

from fathom.ir.operation import Operation
from fathom.ir.property_values import elements_property, integer_property
from fathom.ir.traversal import ancestors, closest
from fathom.irdl.cases import word
from fathom.irdl.checking import bare, directly_in
from fathom.irdl.symbols import Lookup, meant
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import omp as ops

WRAPPERS: Final = frozenset(
    f"omp.{name}" for name in ("distribute", "loop", "simd", "taskloop", "workshare.loop_wrapper", "wsloop")
)


def _is_composite(op: Operation) -> bool:
    return op.attribute("omp.composite") is not None


def _in_wrapper(op: Operation) -> bool:
    return op.parent_op is not None and op.parent_op.name in WRAPPERS


def nested_wrapper(op: Operation) -> Operation | None:
    """The wrapper that a wrapper of a loop has in it."""
    return next((inner for inner in directly_in(op)[:1] if inner.name in WRAPPERS), None)


def wraps(op: Operation) -> Complaint:
    """A wrapper has a loop in it, or another wrapper, and nothing else."""
    inside = directly_in(op)
    if len(inside) != 1:
        return "loop wrapper does not contain exactly one nested op"
    if not isinstance(inside[0], ops.LoopNestOp) and inside[0].name not in WRAPPERS:
        return "nested in loop wrapper is not another loop wrapper or `omp.loop_nest`"
    return None


def standalone(op: Operation) -> Complaint:
    if _in_wrapper(op) or nested_wrapper(op) is not None:
        return "expected to be a standalone loop wrapper"
    return None


@verifies("omp.workshare.loop_wrapper")
def in_workshare(op: ops.WorkshareLoopWrapperOp) -> Complaint:
    return None if closest(op, ops.WorkshareOp) is not None else "must be nested in an omp.workshare"


def _composite(op: Operation, *, expected: bool) -> Complaint:
    """A wrapper says that it is composite if it is, and else does not."""
    if _is_composite(op) == expected:
        return None
    state = "missing from composite" if expected else "present in non-composite"
    return bare(f"'omp.composite' attribute {state} wrapper")


def _only_simd(nested: Operation | None) -> Complaint:
    is_one = nested is None or isinstance(nested, ops.SimdOp)
    return None if is_one else bare("only supported nested wrapper is 'omp.simd'")


def wsloop(op: ops.WsloopOp) -> Complaint:
    nested = nested_wrapper(op)
    return _composite(op, expected=nested is not None or _in_wrapper(op)) or _only_simd(nested)


def taskloop(op: ops.TaskloopOp) -> Complaint:
    nested = nested_wrapper(op)
    return _composite(op, expected=nested is not None) or _only_simd(nested)


def distribute_regions(op: ops.DistributeOp) -> Complaint:
    nested, parent = nested_wrapper(op), op.parent_op
    if problem := _composite(op, expected=nested is not None):
        return problem
    if isinstance(nested, ops.WsloopOp) and not (isinstance(parent, ops.ParallelOp) and _is_composite(parent)):
        allowed = "a composite 'omp.parallel' is the direct parent"
        return bare(f"an 'omp.wsloop' nested wrapper is only allowed when {allowed}")
    if nested is None or isinstance(nested, (ops.SimdOp, ops.WsloopOp)):
        return None
    return bare("only supported nested wrappers are 'omp.simd' and 'omp.wsloop'")


def simd_lengths(op: ops.SimdOp) -> Complaint:
    if op.simdlen is None or op.safelen is None or op.simdlen.value <= op.safelen.value:
        return None
    wrong = "the simdlen value is not less than or equal to safelen value"
    return f"simdlen clause and safelen clause are both present, but {wrong}"


def simd(op: ops.SimdOp) -> Complaint:
    return _composite(op, expected=_in_wrapper(op))


def simd_regions(op: Operation) -> Complaint:
    return "must wrap an 'omp.loop_nest' directly" if nested_wrapper(op) is not None else None


@verifies("omp.simd", symbols=True)
def simd_symbols(op: ops.SimdOp, lookup: Lookup) -> Complaint:
    for symbol in elements_property(op, "private_syms"):
        private = meant(lookup, symbol, ops.PrivateOp)
        if private is None:
            return bare(f"Cannot find privatizer '{symbol}'")
        if "firstprivate" in word(private, "data_sharing_type"):
            return bare("FIRSTPRIVATE cannot be used with SIMD")
    return None


@verifies("omp.parallel", regions=True)
def parallel_regions(op: ops.ParallelOp) -> Complaint:
    inside = directly_in(op)
    inner = [nested for nested in inside if isinstance(nested, ops.DistributeOp)]
    if len(inner) > 1:
        return bare("multiple 'omp.distribute' nested inside of 'omp.parallel'")
    if not inner:
        return bare("'omp.composite' attribute present in non-composite operation") if _is_composite(op) else None
    if not _is_composite(op):
        return bare("'omp.composite' attribute missing from composite operation")
    for nested in inside:
        if (
            nested is not inner[0]
            and nested.dialect == "omp"
            and not isinstance(nested, (ops.TerminatorOp, ops.YieldOp))
        ):
            return bare(f"unexpected OpenMP operation inside of composite 'omp.parallel': {nested.name}")
    return None


def teams(op: ops.TeamsOp) -> Complaint:
    if _omp_parent(op) is not None and not isinstance(op.parent_op, ops.TargetOp):
        return bare("expected to be nested inside of omp.target or not nested in any OpenMP dialect operations")
    lower, upper = op.num_teams_lower, op.num_teams_upper
    if lower is None:
        return None
    if upper is None:
        return bare("expected num_teams upper bound to be defined if the lower bound is defined")
    if lower.type != upper.type:
        return bare("expected num_teams upper bound and lower bound to be the same type")
    return None


@verifies("omp.sections", regions=True)
def sections_regions(op: ops.SectionsOp) -> Complaint:
    if all(isinstance(inner, (ops.SectionOp, ops.TerminatorOp)) for inner in directly_in(op)):
        return None
    return "expected omp.section op or terminator op inside region"


def target_regions(op: Operation) -> Complaint:
    if sum(isinstance(inner, ops.TeamsOp) for inner in directly_in(op)) > 1:
        return bare("target containing multiple 'omp.teams' nested ops")
    return None


def taskloop_clauses(op: ops.TaskloopOp) -> Complaint:
    if op.reduction_vars and op.nogroup is not None:
        return bare(
            "if a reduction clause is present on the taskloop directive, the nogroup clause must not be specified"
        )
    if any(value == other for value in op.reduction_vars for other in op.in_reduction_vars):
        return bare("the same list item cannot appear in both a reduction and an in_reduction clause")
    if op.grainsize is not None and op.num_tasks is not None:
        return bare(
            "the grainsize clause and num_tasks clause are mutually exclusive and may not appear on the same taskloop "
            "directive"
        )
    return None


@verifies("omp.loop_nest")
def loop_nest(op: ops.LoopNestOp) -> Complaint:
    lower = op.loop_lower_bounds
    variables = op.region.arguments
    if not lower:
        return "must represent at least one loop"
    if len(lower) != len(variables):
        return "number of range arguments and IVs do not match"
    if any(bound.type != variable.type for bound, variable in zip(lower, variables, strict=True)):
        return "range argument type does not match corresponding IV type"
    if op.collapse_num_loops.value > len(variables):
        return "collapse value is larger than the number of loops"
    if op.tile_sizes is not None and len(op.tile_sizes.values) > len(variables):
        return "too few canonical loops for tile dimensions"
    return None if _in_wrapper(op) else "expects parent op to be a loop wrapper"


@verifies("omp.canonical_loop")
def canonical_loop(op: ops.CanonicalLoopOp) -> Complaint:
    block = op.region.first
    if block is None:
        return None
    if len(block.arguments) != 1:
        return "Canonical loop region must have exactly one argument"
    if block.arguments[0].type != op.tripCount.type:
        return "Region argument must be the same type as the trip count"
    return None


# ---- ordered, cancel, scan


@verifies("omp.ordered.region")
def ordered_parent(op: ops.OrderedRegionOp) -> Complaint:
    nest = closest(op, ops.LoopNestOp)
    if nest is None:
        return None if op.regions else "must be nested inside of a loop"
    wrapper = nest.parent_op
    if not isinstance(wrapper, (ops.WsloopOp, ops.SimdOp)):
        return "must be nested inside of a worksharing, simd or worksharing simd loop"
    if isinstance(wrapper, ops.SimdOp):
        return None
    ordered = integer_property(wrapper, "ordered")
    if ordered is None:
        return "the enclosing worksharing-loop region must have an ordered clause"
    if op.regions and ordered != 0:
        return "the enclosing loop's ordered clause must not have a parameter present"
    if not op.regions and ordered == 0:
        return "the enclosing loop's ordered clause must have a parameter present"
    return None


def ordered(op: Operation) -> Complaint:
    wrapper = closest(op, ops.WsloopOp)
    if wrapper is not None and integer_property(wrapper, "ordered") == integer_property(op, "doacross_num_loops"):
        return None
    return "number of variables in depend clause does not match number of iteration variables in the doacross loop"


def _omp_parent(op: Operation) -> Operation | None:
    return next((ancestor for ancestor in ancestors(op) if ancestor.dialect == "omp"), None)


def _wrongly_cancelled(op: Operation, what: str) -> Complaint:
    """What is cancelled must be around."""
    parent = _omp_parent(op)
    assert parent is not None, "orphans have been told"
    outer = parent.parent_op
    kind = word(op, "cancel_directive")
    outer_name = outer.name if outer is not None else ""
    if kind == "parallel" and not isinstance(parent, ops.ParallelOp):
        return f"{what} parallel must appear inside a parallel region"
    if kind == "loop" and outer_name != "omp.wsloop":
        return f"{what} loop must appear inside a worksharing-loop region"
    is_section = outer_name == "omp.sections" if isinstance(op, ops.CancelOp) else isinstance(parent, ops.SectionOp)
    if kind == "sections" and not is_section:
        return f"{what} sections must appear inside a sections region"
    if kind == "taskgroup" and not isinstance(parent, ops.TaskOp) and outer_name != "omp.taskloop":
        return f"{what} taskgroup must appear inside a task region"
    return None


@verifies("omp.cancel")
def cancel(op: ops.CancelOp) -> Complaint:
    parent, kind = _omp_parent(op), word(op, "cancel_directive")
    if parent is None:
        return "Orphaned cancel construct"
    if complaint := _wrongly_cancelled(op, "cancel"):
        return complaint
    clauses = parent.parent_op.properties if parent.parent_op is not None else {}
    construct = {"loop": "worksharing", "sections": "sections"}.get(kind, "")
    for clause in ("a nowait", "an ordered") if kind == "loop" else ("a nowait",):
        if construct and clause.split()[1] in clauses:
            return bare(f"A {construct} construct that is canceled must not have {clause} clause")
    return None


@verifies("omp.cancellation_point")
def cancellation_point(op: ops.CancellationPointOp) -> Complaint:
    if _omp_parent(op) is None:
        return "Orphaned cancellation point"
    return _wrongly_cancelled(op, "cancellation point")


@verifies("omp.scan")
def scan(op: ops.ScanOp) -> Complaint:
    if bool(op.exclusive_vars) == bool(op.inclusive_vars):
        return bare("Exactly one of EXCLUSIVE or INCLUSIVE clause is expected")
    for kind in (ops.WsloopOp, ops.SimdOp):
        around = closest(op, kind)
        if around is not None and word(around, "reduction_mod") == "inscan":
            return None
    return bare(
        "SCAN directive needs to be enclosed within a parent worksharing loop construct or SIMD construct with INSCAN "
        "reduction modifier"
    )


@verifies("omp.workdistribute")
def workdistribute(op: ops.WorkdistributeOp) -> Complaint:
    region = op.region
    if region.first is None:
        return "region cannot be empty"
    if region.first.is_empty:
        return "region must contain a structured block"
    ends = [block for block in region.blocks if isinstance(block.last, ops.TerminatorOp)]
    if len(ends) > 1:
        return "region must have exactly one terminator"
    if not ends:
        return "region must be terminated with omp.terminator"
    for inner in region.walk():
        if isinstance(inner, ops.BarrierOp):
            return "explicit barriers are not allowed in workdistribute region"
        if isinstance(inner, (ops.ParallelOp, ops.TeamsOp)):
            return f"nested {inner.name.removeprefix('omp.')} constructs not allowed in workdistribute"
    parent = op.parent_op
    return None if isinstance(parent, ops.TeamsOp) else "workdistribute must be nested under teams"
