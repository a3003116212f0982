"""What the analysis found, as attributes: for who looks at it alone.

Source of the rules: `test-analysis-only`, `print-conflicts` and `dump-alias-sets` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fathom.bufferization.functions import ACCESS, FUNCTION_ARGUMENTS, with_argument_attribute
from fathom.bufferization.told import Rule
from fathom.bufferization.uses import Use, any_tensor, is_tensor, owner_of
from fathom.ir.attributes import UNIT, ArrayAttr, StringAttr, i64_attr
from fathom.ir.naming import name_values
from fathom.ir.operation import BlockArgument, OpResult
from fathom.ir.types import TensorType

if TYPE_CHECKING:
    from fathom.bufferization.analysis import OneShotState
    from fathom.bufferization.conflicts import Conflict
    from fathom.ir.operation import Operation, Value

IN_PLACE = "__inplace_operands_attr__"
RESULTS = "__opresult_alias_set_attr__"
ARGUMENTS = "__bbarg_alias_set_attr__"


def mark(op: Operation, state: OneShotState) -> None:
    """Writes what was found on all that is in an operation."""
    if state.options.print_conflicts:
        _mark_conflicts(state)
    for inner in op.walk():
        words = [_word(inner, index, state) for index in range(len(inner.operands))]
        if any(word != "none" for word in words):
            inner.attributes[IN_PLACE] = ArrayAttr(tuple(map(StringAttr, words)))
    if state.options.dump_alias_sets:
        _mark_sets(op, state)
    if state.functions is not None:
        _mark_functions(state)


def _mark_sets(op: Operation, state: OneShotState) -> None:
    """For each tensor the names of all that may share its buffer."""
    names = name_values(op).values

    def shared(values: Iterable[Value]) -> ArrayAttr:
        sets = (state.sharing.members(value) for value in values if is_tensor(value))
        return ArrayAttr(tuple(ArrayAttr(tuple(StringAttr(names[member]) for member in members)) for members in sets))

    for inner in op.walk():
        if any_tensor(result.type for result in inner.results):
            inner.attributes[RESULTS] = shared(inner.results)
        regions = [[block.arguments for block in region.blocks] for region in inner.regions]
        if any(is_tensor(value) for blocks in regions for arguments in blocks for value in arguments):
            inner.attributes[ARGUMENTS] = ArrayAttr(tuple(ArrayAttr(tuple(map(shared, blocks))) for blocks in regions))


def _word(op: Operation, index: int, state: OneShotState) -> str:
    if not isinstance(op.operands[index].type, TensorType):
        return "none"
    return "true" if state.is_in_place(Use(op, index)) else "false"


def _mark_functions(state: OneShotState) -> None:
    assert state.functions is not None, "only where functions bufferize"
    for function, facts in state.functions.found.items():
        for index in facts.tensors:
            words = {(True, True): "read-write", (True, False): "read", (False, True): "write"}
            word = words.get((index in facts.read, index in facts.written), "none")
            with_argument_attribute(function, index, ACCESS, StringAttr(word))
        for end, same in facts.same_by_return.items():
            if any(index >= 0 for index in same):
                end.attributes[FUNCTION_ARGUMENTS] = ArrayAttr(tuple(map(i64_attr, same)))


def _mark_conflicts(state: OneShotState) -> None:
    conflicts = writes = 0
    for shown in (conflict for against in state.against.values() for conflict in _shown(against)):
        if shown.rule is Rule.NOT_WRITABLE:
            _mark(shown.definition, f"W_{writes}[NOT-WRITABLE: {_name(shown.definition)}]")
            writes += 1
        elif shown.read is not None:
            id = f"C_{conflicts}"
            conflicts += 1
            shown.write.op.attributes[f"{id}[CONFL-WRITE: {shown.write.place}]"] = UNIT
            shown.read.op.attributes[f"{id}[READ: {shown.read.place}]"] = UNIT
            _mark(shown.definition, f"{id}[DEF: {_name(shown.definition)}]")


def _shown(conflicts: list[Conflict]) -> list[Conflict]:
    """Of what is in the way of an operand: all values that must not be written, or one read."""
    return conflicts if conflicts[0].rule is Rule.NOT_WRITABLE else conflicts[:1]


def _name(value: Value) -> str:
    if isinstance(value, OpResult):
        return f"result {value.index}"
    assert isinstance(value, BlockArgument), "a value is a result or an argument"
    return f"bbArg {value.index}"


def _mark(value: Value, name: str) -> None:
    owner = owner_of(value)
    if owner is not None:
        owner.attributes[name] = UNIT
