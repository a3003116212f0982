"""What MLIR's verifiers say of the clauses of omp's operations: their numbers, their symbols, and what stands around.

Source of the rules: *'omp' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fathom.dialects.omp.block_arguments import arguments_by_clause, clauses_of
from fathom.dialects.omp.clauses import flag_bits
from fathom.dialects.omp.names import applied_by, generated_by, generator_of
from fathom.ir.attributes import IntegerAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Operation, Region, Value
from fathom.ir.property_values import elements_property
from fathom.ir.types import MemRefType, Type, UnknownType
from fathom.irdl.cases import bits, word
from fathom.irdl.checking import all_of, as_many, bare, group, is_given, only_with
from fathom.irdl.symbols import Lookup, meant
from fathom.irdl.verifying import Check, Complaint, SymbolCheck, verifies
from fathom.ops import func, llvm
from fathom.ops import omp as ops


def argument_type(regions: Sequence[Region]) -> Type | None:
    """The type of the first argument that one of a recipe's regions has; None where there is none."""
    return next((argument.type for region in regions for argument in region.arguments[:1]), None)


# ---- numbers


def may_be_pointer(type: object) -> bool:
    """Whether a type may have the interface of pointers; one that nobody knows may."""
    return isinstance(type, (MemRefType, UnknownType)) or (isinstance(type, Type) and type.full_name == "llvm.ptr")


def block_arguments(op: Operation) -> Complaint:
    """The entry block has an argument for each operand of the clauses that name such."""
    known = clauses_of(op)
    expected = sum(len(op.all_of(clause.variables)) for clause, _ in arguments_by_clause(op)) if known else 0
    return _arguments(op, expected)


def _arguments(op: Operation, expected: int) -> Complaint:
    block = op.regions[0].first if op.regions else None
    if block is None or len(block.arguments) >= expected:
        return None
    return f"expected at least {expected} entry block argument(s)"


@verifies("omp.section")
def section(op: ops.SectionOp) -> Complaint:
    """A section has the arguments that the clauses of the sections around it name."""
    around = op.parent_op
    if not isinstance(around, ops.SectionsOp):
        return None
    return _arguments(op, len(around.private_vars) + len(around.reduction_vars))


def depend(op: Operation) -> Complaint:
    kinds, variables = elements_property(op, "depend_kinds"), group(op, "depend_vars")
    if variables and len(kinds) != len(variables):
        return "expected as many depend values as depend variables"
    return "unexpected depend values" if kinds and not variables else None


def reduction(clause: str = "reduction") -> Check:
    """What can be said of a reduction without looking its symbols up."""
    symbols, variables, byref = f"{clause}_syms", f"{clause}_vars", f"{clause}_byref"
    as_flags = bare("expected as many reduction variable by reference attributes as reduction variables")
    as_symbols = "expected as many reduction symbol references as reduction variables"
    return all_of(
        only_with("unexpected reduction symbol references", symbols, variables),
        as_many(as_symbols, variables, symbols),
        lambda op: as_many(as_flags, byref, variables)(op) if is_given(op, variables) else None,
    )


def reduction_symbols(clause: str = "reduction") -> SymbolCheck:
    """The symbols of a reduction are those of declarations of the right types."""

    def check(op: Operation, lookup: Lookup) -> Complaint:
        seen: list[Value] = []
        for value, symbol in zip(group(op, f"{clause}_vars"), elements_property(op, f"{clause}_syms"), strict=False):
            if any(value == earlier for earlier in seen):
                return "accumulator variable used more than once"
            seen.append(value)
            recipe = meant(lookup, symbol, ops.DeclareReductionOp)
            if recipe is None:
                return f"expected symbol reference {symbol} to point to a reduction declaration"
            type = argument_type(recipe.regions[3:4])
            if type is not None and type != value.type:
                declared = f"('{value.type}') to be the same type as reduction declaration ('{type}')"
                return f"expected accumulator {declared}"
        return None

    return check


def private(op: ops.ParallelOp) -> Complaint:
    variables, symbols = op.private_vars, elements_property(op, "private_syms")
    if len(variables) == len(symbols):
        return None
    counts = f"private vars: {len(variables)} vs. privatizer op symbols: {len(symbols)}"
    return bare(f"inconsistent number of private variables and privatizer op symbols, {counts}")


def private_symbols(op: ops.ParallelOp, lookup: Lookup) -> Complaint:
    for value, symbol in zip(op.private_vars, elements_property(op, "private_syms"), strict=False):
        recipe = meant(lookup, symbol, ops.PrivateOp)
        if recipe is None:
            return bare(f"failed to lookup privatizer op with symbol: '{symbol}'")
        type = argument_type(recipe.regions)
        if type is not None and type != value.type:
            kind = word(recipe, "data_sharing_type").rpartition(" ")[2]
            types = f"var type: '{value.type}' vs. privatizer op type: '{type}'"
            return bare(f"type mismatch between a {kind} variable and its privatizer op, {types}")
    return None


def copyprivate(op: ops.SingleOp) -> Complaint:
    variables, functions = op.copyprivate_vars, elements_property(op, "copyprivate_syms")
    if len(variables) == len(functions):
        return None
    counts = f"vars (= {len(variables)}) and functions (= {len(functions)})"
    return f"inconsistent number of copyprivate {counts}, both must be equal"


@verifies("omp.single", symbols=True)
def copyprivate_symbols(op: ops.SingleOp, lookup: Lookup) -> Complaint:
    for value, symbol in zip(op.copyprivate_vars, elements_property(op, "copyprivate_syms"), strict=False):
        function = lookup(symbol) if isinstance(symbol, SymbolRefAttr) else None
        if not isinstance(function, (func.FuncOp, llvm.FuncOp)):
            return f"expected symbol reference {symbol} to point to a copy function"
        type = function.properties.get("function_type")
        whole = type.type if isinstance(type, TypeAttr) else None
        inputs: Sequence[Type] = getattr(whole, "inputs", None) or getattr(whole, "parameters", None) or ()
        if len(inputs) != 2:
            return f"expected copy function {symbol} to have 2 operands"
        if inputs[0] != inputs[1]:
            return f"expected copy function {symbol} arguments to have the same type"
        if inputs[0] != value.type:
            types = f"('{inputs[0]}') to be the same as copyprivate variable's type ('{value.type}')"
            return f"expected copy function arguments' type {types}"
    return None


@verifies("omp.atomic.capture", "omp.critical.declare")
def hint(
    op: ops.AtomicCaptureOp | ops.AtomicReadOp | ops.AtomicUpdateOp | ops.AtomicWriteOp | ops.CriticalDeclareOp,
) -> Complaint:
    if op.hint.value & 3 == 3:
        return "the hints omp_sync_hint_uncontended and omp_sync_hint_contended cannot be combined"
    if op.hint.value & 12 == 12:
        return "the hints omp_sync_hint_nonspeculative and omp_sync_hint_speculative cannot be combined."
    return None


def aligned(op: ops.SimdOp) -> Complaint:
    alignments = op.alignments.elements if op.alignments is not None else ()
    if not op.aligned_vars:
        return "unexpected alignment values attribute" if op.alignments is not None else None
    if len(alignments) != len(op.aligned_vars):
        return "expected as many alignment values as aligned variables"
    if _is_repeated(op.aligned_vars):
        return "aligned variable used more than once"
    for listed in alignments:
        if not isinstance(listed, IntegerAttr):
            return "expected integer alignment"
        if listed.value <= 0:
            return "alignment should be greater than 0"
    return None


def nontemporal(op: ops.SimdOp) -> Complaint:
    return "nontemporal variable used more than once" if _is_repeated(op.nontemporal_vars) else None


def _is_repeated(values: Sequence[Value]) -> bool:
    return any(value == other for index, value in enumerate(values) for other in values[:index])


# ---- maps


@verifies("omp.declare_mapper.info")
def maps(op: Operation) -> Complaint:
    """What is mapped may be mapped so here."""
    flags = flag_bits()
    written: list[Value] = []
    read: list[Value] = []
    for value in group(op, "map_vars"):
        info = value.defining_op
        if info is None:
            return bare("missing map operation")
        if not isinstance(info, ops.MapInfoOp):
            is_declared = isinstance(op, ops.DeclareMapperInfoOp)
            return None if is_declared else bare("map argument is not a map entry operation")
        kind = bits(info, "map_type")
        to, from_, delete = (bool(kind & flags[flag]) for flag in ("to", "from", "delete"))
        if isinstance(op, (ops.TargetDataOp, ops.TargetOp)) and delete:
            return bare("to, from, tofrom and alloc map types are permitted")
        if isinstance(op, ops.TargetEnterDataOp) and (from_ or delete):
            return bare("to and alloc map types are permitted")
        if isinstance(op, ops.TargetExitDataOp) and to:
            return bare("from, release and delete map types are permitted")
        if not isinstance(op, ops.TargetUpdateOp):
            continue
        if delete or not (to or from_):
            return bare("at least one of to or from map types must be specified, other map types are not permitted")
        variable = info.var_ptr
        both = (to and any(variable == earlier for earlier in read)) or (
            from_ and any(variable == earlier for earlier in written)
        )
        if (to and from_) or both:
            return bare("either to or from map types can be specified, not both")
        if any(kind & flags[flag] for flag in ("always", "close", "implicit")):
            return bare("present, mapper and iterator map type modifiers are permitted")
        (written if to else read).append(variable)
    return None


def defined_by_maps(clause: str, operands: str) -> Check:
    """The operands of a clause are results of `omp.map.info`."""

    def check(op: Operation) -> Complaint:
        infos = [value.defining_op for value in op.all_of(operands)]
        if all(isinstance(info, ops.MapInfoOp) for info in infos):
            return None
        return f"'{clause}' arguments must be defined by 'omp.map.info' ops"

    return check


@verifies("omp.map.info", symbols=True)
def mapper(op: ops.MapInfoOp, lookup: Lookup) -> Complaint:
    is_known = op.mapper_id is None or meant(lookup, op.mapper_id, ops.DeclareMapperOp) is not None
    return None if is_known else bare("invalid mapper id")


# ---- critical, allocate_dir, tiles


@verifies("omp.new_cli")
def info(op: ops.NewCliOp) -> Complaint:
    """What stands for a loop has one operation that makes the loop, and one that transforms it, at most."""
    users = list(op.result.uses)
    makers = [user for user in users if op.result in generated_by(user)]
    takers = [user for user in users if op.result in applied_by(user)]
    if len(makers) > 1:
        return "CLI must have at most one generator"
    if len(takers) > 1:
        return "CLI must have at most one consumer"
    return "CLI has no generator" if takers and not makers else None


@verifies("omp.critical", symbols=True)
def critical(op: ops.CriticalOp, lookup: Lookup) -> Complaint:
    symbol = op.properties.get("name")
    if symbol is None or meant(lookup, symbol, ops.CriticalDeclareOp) is not None:
        return None
    return f"expected symbol reference {symbol} to point to a critical declaration"


@verifies("omp.allocate_dir")
def alignment(op: ops.AllocateDirOp) -> Complaint:
    number = op.align.value if op.align is not None else 0
    return bare(f"ALIGN value : {number} must be power of 2") if number > 0 and number & (number - 1) else None


@verifies("omp.tile")
def tile(op: ops.TileOp) -> Complaint:
    applied, generated, sizes = op.applyees, op.generatees, op.sizes
    if not applied:
        return "must apply to at least one loop"
    if len(sizes) != len(applied):
        return "there must be one tile size for each applyee"
    if generated and len(generated) != 2 * len(sizes):
        return "expecting two times the number of generatees than applyees"
    variables: list[Value] = []
    for outer, inner in pairwise(applied):
        parent, loop = generator_of(outer), generator_of(inner)
        if parent is None or loop is None:
            return "applyee CLI has no generator"
        if not isinstance(loop, ops.CanonicalLoopOp) or not isinstance(parent, ops.CanonicalLoopOp):
            return "currently only supports omp.canonical_loop as applyee"
        block = parent.region.first
        if block is not None:
            variables += block.arguments
        is_alone = block is not None and block is parent.region.last and block.first == loop
        last = loop.next
        if not is_alone or not isinstance(last, ops.TerminatorOp) or last.next is not None:
            return "tiled loop nest must be perfectly nested"
        if any(loop.tripCount == variable for variable in variables):
            return "tiled loop nest must be rectangular"
    return None
