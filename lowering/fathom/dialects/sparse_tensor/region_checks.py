"""The checks of operations with regions: what is done with each element, and iteration.

Source of the rules: *'sparse_tensor' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.dialects.scf.common import check_carried, terminator_of
from fathom.dialects.sparse_tensor.encoding import encoding_in, encoding_of, extents
from fathom.dialects.sparse_tensor.iteration import cases_of, extent_of, levels_in
from fathom.ir.operation import BlockArgument, Region, Value, types_of
from fathom.ir.types import I1, INDEX, Type, element_type
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import sparse_tensor as ops
from fathom.ops.arith import ConstantOp


def _yielded(region: Region) -> Sequence[Value] | None:
    """What a region yields; None where it ends in another way."""
    last = terminator_of(region)
    return last.operands if isinstance(last, ops.YieldOp) else None


def _check_region(region: Region, name: str, inputs: Sequence[Type], output: Type) -> str | None:
    """A region that makes one value of others."""
    given = types_of(region.arguments)
    if len(given) != len(inputs):
        return f"{name} region must have exactly {len(inputs)} arguments"
    for index, (left, right) in enumerate(zip(given, inputs, strict=True)):
        if left != right:
            return f"{name} region argument {index + 1} type mismatch"
    yielded = _yielded(region)
    if yielded is None:
        return f"{name} region must end with sparse_tensor.yield"
    return None if types_of(yielded) == [output] else f"{name} region yield type mismatch"


@verifies("sparse_tensor.binary", bare=True)
def _check_binary(op: ops.BinaryOp) -> str | None:
    left, right, output = op.x.type, op.y.type, op.result.type
    both, first, second = op.regions
    if not both.is_empty and (problem := _check_region(both, "overlap", [left, right], output)):
        return problem
    for region, name, type, which in ((first, "left", left, "first"), (second, "right", right, "second")):
        if not region.is_empty:
            if problem := _check_region(region, name, [type], output):
                return problem
        elif f"{name}_identity" in op.properties and type != output:
            return f"{name}=identity requires {which} argument to have the same type as the output"
    return None


@verifies("sparse_tensor.unary", bare=True)
def _check_unary(op: ops.UnaryOp) -> str | None:
    type, output = op.x.type, op.result.type
    present, absent = op.regions
    if not present.is_empty and (problem := _check_region(present, "present", [type], output)):
        return problem
    if absent.is_empty:
        return None
    if problem := _check_region(absent, "absent", [], output):
        return problem
    (value,) = _yielded(absent) or (None,)
    if isinstance(value, BlockArgument) and value.block is op.parent:
        return "absent region cannot yield linalg argument"
    source = value.defining_op if value is not None else None
    is_local = source is not None and source.parent in (absent.first, op.parent)
    if source is not None and is_local and not isinstance(source, ConstantOp):
        return "absent region cannot yield locally computed value"
    return None


@verifies("sparse_tensor.reduce", bare=True)
def _check_reduce(op: ops.ReduceOp) -> str | None:
    type = op.x.type
    return _check_region(op.region, "reduce", [type, type], type)


@verifies("sparse_tensor.select", bare=True)
def _check_select(op: ops.SelectOp) -> str | None:
    return _check_region(op.region, "select", [op.x.type], I1)


@verifies("sparse_tensor.foreach", bare=True)
def _check_foreach(op: ops.ForeachOp) -> str | None:
    tensor, initial = op.tensor.type, op.initArgs
    rank, arguments = len(extents(tensor)), op.region.arguments
    if rank + 1 + len(initial) != len(arguments):
        return "Unmatched number of arguments in the block"
    if len(op.results) != len(initial):
        return "Mismatch in number of init arguments and results"
    if types_of(op.results) != types_of(initial):
        return "Mismatch in types of init arguments and results"
    yielded = _yielded(op.region)
    if yielded is not None and types_of(yielded) != types_of(op.results):
        return "Mismatch in types of yield values and results"
    for index, argument in enumerate(arguments[:rank]):
        if argument.type != INDEX:
            return f"Expecting Index type for argument at index {index}"
    expected, given = element_type(tensor), arguments[rank].type
    if expected != given:
        return f"Unmatched element type between input tensor and block argument, expected:{expected}, got: {given}"
    return None


# ---- iteration


@verifies("sparse_tensor.extract_iteration_space")
def _check_extraction(op: ops.ExtractIterationSpaceOp) -> str | None:
    low = op.loLvl.value
    if low >= op.hiLvl.value:
        return "expected smaller level low than level high"
    before = op.parentIter
    if (before is not None) == (low == 0):
        return "parent iterator should be specified iff level lower bound equals 0"
    space = levels_in(op.result.type)
    parent = levels_in(before.type) if before is not None else None
    if parent is None or space is None:
        return None
    if parent[0] != space[0]:
        return "mismatch in parent iterator encoding and iteration space encoding."
    if space[1] != parent[2]:
        return "parent iterator should be used to extract an iteration space from a consecutive level."
    return None


@verifies("sparse_tensor.extract_value")
def _check_value(op: ops.ExtractValueOp) -> str | None:
    tensor, iterator = op.tensor.type, levels_in(op.iterator.type)
    encoding = encoding_in(tensor)
    if iterator is None or encoding is None:
        return None
    if encoding_of(iterator[0]) != encoding:
        return "mismatch in tensor encoding and iterator encoding."
    if len(encoding.levels) != iterator[2]:
        return "must use last-level iterator to extract values. "
    return None


@verifies("sparse_tensor.iterate", "sparse_tensor.coiterate")
def _check_loop(op: ops.IterateOp | ops.CoiterateOp) -> str | None:
    spaces = [op.iterSpace] if isinstance(op, ops.IterateOp) else op.iterSpaces
    if len(op.initArgs) != len(op.results):
        return "mismatch in number of loop-carried values and defined values"
    extent = max((extent_of(space.type) for space in spaces), default=0)
    if op.crdUsedLvls.value.bit_length() > extent:
        return "required out-of-bound coordinates"
    return None


@verifies("sparse_tensor.iterate", regions=True)
def _verify_iteration(op: ops.IterateOp) -> Complaint:
    carried = op.region.arguments[: len(op.initArgs)]
    return check_carried(op.initArgs, carried, _yielded(op.region) or (), op.results)


@verifies("sparse_tensor.coiterate", regions=True)
def _check_cases(op: ops.CoiterateOp) -> str | None:
    """The regions of a co-iteration fit its results, and no two are for the same spaces."""
    results = types_of(op.results)
    for index, region in enumerate(op.regions):
        arguments, yielded = types_of(region.arguments)[: len(results)], types_of(_yielded(region) or ())
        if not len(arguments) == len(yielded) == len(results):
            return f"number mismatch between iter args and results on {index}th region"
        for place, result in enumerate(results):
            for given, what in ((arguments[place], "iter region arg"), (yielded[place], "yield value")):
                if given != result:
                    return f"types mismatch between {place}th {what} and defined value on {index}th region"
    cases = cases_of(op.properties)
    return "contains duplicated cases." if len({*cases}) != len(op.regions) else None
