"""Bufferization across functions: which argument a result of a function is, which arguments it reads and writes. A
function is looked at after those that it calls; of such as call each other in a circle nothing is known.

Source of the rules: *Bufferization*, "Function boundaries", and `OneShotModuleBufferize.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.options import Refusal
from fathom.bufferization.uses import any_tensor, is_ranked, is_tensor
from fathom.ir.attributes import ArrayAttr, DictAttr, StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.types import FunctionType, TensorType
from fathom.irdl.interfaces import symbol_name
from fathom.ops.func import CallOp, FuncOp, ReturnOp
from fathom.records import field, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.bufferization.analysis import OneShotState
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import BlockArgument, Operation, Value

WRITABLE = "bufferization.writable"
LAYOUT = "bufferization.buffer_layout"
ACCESS = "bufferization.access"
FUNCTION_ARGUMENTS = "__equivalent_func_args__"


@record(frozen=False, eq=False)
class Found:
    """What was found of a function: for each argument the results that may share its buffer; for a result the argument
    that it is, and the same at each return; and which of the arguments that are tensors are read and written."""

    sharing: dict[int, list[int]] = field(default_factory=dict[int, "list[int]"])
    same: dict[int, int] = field(default_factory=dict[int, int])
    same_by_return: dict[Operation, list[int]] = field(default_factory=dict["Operation", "list[int]"])
    tensors: list[int] = field(default_factory=list[int])
    read: set[int] = field(default_factory=set[int])
    written: set[int] = field(default_factory=set[int])


class Functions:
    """The functions of a module, by their names, and what is known of those that were looked at."""

    def __init__(self, module: Operation) -> None:
        self.module = module
        self.by_name = {symbol_name(function): function for function in functions_in(module)}
        self.found: dict[Operation, Found] = {}

    def called(self, call: Operation) -> Operation | None:
        """The function that a call calls."""
        callee = call.properties.get("callee")
        return self.by_name.get(callee.root) if isinstance(callee, SymbolRefAttr) and not callee.nested else None

    def of_call(self, call: Operation) -> Found | None:
        """What is known of the function that a call calls; None where it was not looked at."""
        function = self.called(call)
        return self.found.get(function) if function is not None else None

    def analyze(self, state: OneShotState) -> None:
        """Looks at all functions. Raises Refusal."""
        ordered, circular = in_order(self)
        for function in (*ordered, *circular):
            if not state.options.allows(function):
                continue
            state.analyze(function)
            if function not in circular:
                facts = Found()
                _note_results(function, state, facts)
                _note_accesses(function, state, facts)
                self.found[function] = facts


def functions_in(module: Operation) -> list[Operation]:
    """The functions directly in a module."""
    return [op for region in module.regions for block in region.blocks for op in block if isinstance(op, FuncOp)]


def signature(function: Operation) -> FunctionType:
    """The type of a function."""
    attribute = function.properties["function_type"]
    assert isinstance(attribute, TypeAttr) and isinstance(attribute.type, FunctionType), "its definition demands it"
    return attribute.type


def returns_of(function: Operation) -> list[Operation]:
    """The operations that end a function."""
    ends = (block.last for block in function.regions[0].blocks)
    return [end for end in ends if isinstance(end, ReturnOp)]


def argument_attribute(function: Operation, index: int, name: str) -> Attribute | None:
    """A discardable attribute of an argument of a function."""
    attributes = function.properties.get("arg_attrs")
    entry = attributes.elements[index] if isinstance(attributes, ArrayAttr) and attributes.elements else None
    return entry.get(name) if isinstance(entry, DictAttr) else None


def with_argument_attribute(function: Operation, index: int, name: str, value: Attribute) -> None:
    """Gives an argument of a function a discardable attribute."""
    count = len(signature(function).inputs)
    attributes = function.properties.get("arg_attrs")
    entries = list(attributes.elements) if isinstance(attributes, ArrayAttr) else [DictAttr(())] * count
    former = entries[index]
    others = [entry for entry in former.entries if entry[0] != name] if isinstance(former, DictAttr) else []
    entries[index] = DictAttr(tuple(sorted([*others, (name, value)], key=lambda entry: entry[0])))
    function.properties["arg_attrs"] = ArrayAttr(tuple(entries))


def in_order(functions: Functions) -> tuple[list[Operation], list[Operation]]:
    """The functions of a module, callees first, as MLIR has them; and those that call each other in a circle. Calls of
    functions without tensors do not count."""
    callers: dict[Operation, dict[Operation, None]] = {}
    counts: dict[Operation, int] = {}
    for function in functions.by_name.values():
        counts[function] = 0
        for call in function.walk():
            called = functions.called(call) if isinstance(call, CallOp) else None
            if called is None or not any_tensor((*signature(called).inputs, *signature(called).results)):
                continue
            by = callers.setdefault(called, {})
            if function not in by:
                by[function] = None
                counts[function] += 1
    # Of those that do not wait for each other MLIR takes any first; we take the one that stands first.
    pending = [function for function, count in counts.items() if not count][::-1]
    ordered: list[Operation] = []
    while pending:
        function = pending.pop()
        ordered.append(function)
        for caller in callers.get(function, ()):
            counts[caller] -= 1
            if not counts[caller]:
                pending.append(caller)
    return ordered, [function for function in counts if function not in ordered]


def _note_results(function: Operation, state: OneShotState, facts: Found) -> None:
    """Which results may share a buffer with an argument, and which have it."""
    type = signature(function)
    body = function.regions[0].first
    if body is None:
        tensors = [index for index, result in enumerate(type.results) if isinstance(result, TensorType)]
        inputs = (index for index, input_ in enumerate(type.inputs) if isinstance(input_, TensorType))
        facts.sharing |= {index: list(tensors) for index in inputs}
        return
    returns = returns_of(function)
    if not returns:
        raise Refusal(function, "cannot bufferize func.func without func.return", is_bare=True)
    arguments = [argument for argument in body.arguments if is_ranked(argument)]
    for argument in arguments:
        sharing: dict[int, None] = {}
        for end in returns:
            for index, value in enumerate(end.operands):
                if is_ranked(value) and state.may_share(value, argument):
                    sharing[index] = None
        if sharing:
            facts.sharing[argument.index] = list(sharing)
    for end in returns:
        facts.same_by_return[end] = [_same_argument(value, arguments, state) for value in end.operands]
    for index in range(len(returns[0].operands)):
        same = {listed[index] for listed in facts.same_by_return.values()}
        if len(same) == 1 and -1 not in same:
            facts.same[index] = same.pop()


def _same_argument(value: Value, arguments: Sequence[BlockArgument], state: OneShotState) -> int:
    """The number of the argument whose buffer a value has; -1 for none."""
    if not is_tensor(value):
        return -1
    return next((argument.index for argument in arguments if state.are_equivalent(value, argument)), -1)


def _note_accesses(function: Operation, state: OneShotState, facts: Found) -> None:
    """Which arguments are read, and which are written."""
    body = function.regions[0].first
    for index, type in enumerate(signature(function).inputs):
        if not isinstance(type, TensorType):
            continue
        facts.tensors.append(index)
        access = argument_attribute(function, index, ACCESS)
        if isinstance(access, StringAttr):
            is_read, is_written = "read" in access.value, "write" in access.value
        elif body is None:
            is_read = is_written = True
        else:
            is_read, is_written = state.is_read(body.arguments[index]), state.is_written(body.arguments[index])
        if is_read:
            facts.read.add(index)
        if is_written:
            facts.written.add(index)
