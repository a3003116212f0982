"""Which functions can do without layouts, and their signatures and calls: part of `normalize-memrefs`.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.attributes import SymbolRefAttr, TypeAttr
from fathom.ir.operation import Block, Operation, Region, Value, types_of
from fathom.ir.strides import is_identity
from fathom.ir.traversal import closest
from fathom.ir.types import FunctionType, MemRefType
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.traits import RETURN_LIKE
from fathom.ops.func import CallOp, FuncOp
from fathom.ops.memref import AllocaOp, AllocOp, ReinterpretCastOp
from fathom.passes.transforms.normalize_memrefs.allocations import normalize_allocation, normalize_reinterpretation
from fathom.passes.transforms.normalize_memrefs.layouts import layout_map, normalized
from fathom.passes.transforms.normalize_memrefs.uses import follows, replace_uses
from fathom.rewriting.dead_symbols import references_in

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter

ALLOCATIONS: Final = (AllocOp, AllocaOp)
"""In the order in which their layouts are taken away."""
Users: TypeAlias = "dict[str, list[Operation]]"
"""The operations that refer to each symbol."""


def normalize(module: Operation, rewriter: Rewriter) -> None:
    """Takes the layouts away in all functions that can do without."""
    functions = [op for op in module.walk_postorder() if isinstance(op, FuncOp)]
    users = _users(module)
    able = dict.fromkeys(functions)
    for function in functions:
        if function in able and not _is_able(function):
            _exclude(function, users, able)
    for function in able:
        _Normalization(function, users, rewriter).run()


# ---- which functions


def _is_able(function: FuncOp) -> bool:
    """Whether all users of memrefs with layouts can take others: of what is allocated, comes from calls, or is an
    argument."""
    body = function.body.first
    if body is None:
        return True
    values: list[Value] = [*body.arguments]
    for op in function.walk():
        if isinstance(op, (CallOp, *ALLOCATIONS)):
            values += op.results
    return all(_can_change(value) for value in values)


def _can_change(value: Value) -> bool:
    type = value.type
    if not isinstance(type, MemRefType) or type.shape is None or is_identity(type):
        return True
    return all(map(follows, value.uses))


def _exclude(function: FuncOp, users: Users, able: dict[FuncOp, None]) -> None:
    """Takes a function out, and those that call it or are called by it."""
    named: dict[str, list[FuncOp]] = {}
    for excluded in able:
        named.setdefault(symbol_name(excluded), []).append(excluded)
    pending = [function]
    while pending:
        current = pending.pop()
        if current not in able:
            continue
        del able[current]
        around = (closest(op, FuncOp) for op in users.get(symbol_name(current), ()))
        pending += (caller for caller in around if caller is not None)
        for op in current.walk():
            if isinstance(op, CallOp):
                pending += named.get(op.callee.root, ())


def _users(module: Operation) -> Users:
    users: Users = {}
    for op in module.walk():
        for name in {reference.root for reference in _references(op)}:
            users.setdefault(name, []).append(op)
    return users


def _references(op: Operation) -> Iterator[SymbolRefAttr]:
    for attribute in (*op.properties.values(), *op.attributes.values()):
        yield from references_in(attribute)


def _signature(function: FuncOp) -> FunctionType:
    type = function.function_type.type
    assert isinstance(type, FunctionType), "a function has the type of one"
    return type


# ---- one function


class _Normalization:
    """Takes the layouts away in a function, and in what its callers see of it."""

    def __init__(self, function: FuncOp, users: Users, rewriter: Rewriter) -> None:
        self._function = function
        self._users = users
        self._rewriter = rewriter

    def run(self) -> None:
        function = self._function
        made = list(function.walk_postorder())
        for kind in ALLOCATIONS:
            for op in made:
                if isinstance(op, kind):
                    normalize_allocation(op, self._rewriter)
        for op in made:
            if isinstance(op, ReinterpretCastOp):
                normalize_reinterpretation(op, self._rewriter)
        body = function.body.first
        if body is None:
            self._normalize_declaration()
        else:
            self._normalize_arguments(body)
            self._normalize_results()
        self._update(function)

    def _normalize_declaration(self) -> None:
        type = _signature(self._function)
        inputs, results = (tuple(map(normalized, group)) for group in (type.inputs, type.results))
        self._function.properties["function_type"] = TypeAttr(FunctionType(inputs, results))

    def _normalize_arguments(self, body: Block) -> None:
        for index in range(len(body.arguments)):
            old = body.arguments[index]
            type, map = normalized(old.type), layout_map(old.type)
            if type == old.type or map is None:
                continue
            new = body.insert_argument(index, type, old.span)
            new.location, new.name_hint = old.location, old.name_hint
            is_done = replace_uses(old, new, map, self._rewriter, deallocations=True)
            body.erase_arguments({index + 1 if is_done else index})

    def _normalize_results(self) -> None:
        """Those of other operations than allocations and calls, which can follow."""
        for op in list(self._function.walk_postorder()):
            if op.parent is None or not op.results or isinstance(op, CallOp) or not follows(op):
                continue
            types = [normalized(result.type) for result in op.results]
            if types == types_of(op.results):
                continue
            self._rewriter.set_insertion_before(op)
            self._rewriter.stand_in(op)
            regions = [Region() for _ in op.regions]
            for new, old in zip(regions, op.regions, strict=True):
                new.take_blocks(old)
            made = self._rewriter.create(op.name, op.operands, types, op.properties, op.attributes, (), regions)
            if all(self._replace(old, new) for old, new in zip(op.results, made.results, strict=True)):
                self._rewriter.replace(op, made.results)
            else:
                made.erase()

    def _replace(self, old: Value, new: Value) -> bool:
        """Whether the users of a memref took the other one."""
        map = layout_map(old.type)
        return old.type == new.type or (
            map is not None and replace_uses(old, new, map, self._rewriter, deallocations=True)
        )

    def _update(self, function: FuncOp) -> None:
        """Makes the type of a function what its block and its returns say, and the calls of it new; then those of
        functions that call it and so have changed."""
        pending = [function]
        while pending:
            function = pending.pop()
            self._update_signature(function)
            users = self._users.get(symbol_name(function), [])
            renewed = [self._renew(user, function) for user in users]
            self._users[symbol_name(function)] = [call for call, _ in renewed]
            pending += reversed(dict.fromkeys(caller for _, caller in renewed if caller is not None))

    def _update_signature(self, function: FuncOp) -> None:
        body = function.body.first
        if body is None:
            return
        results = [*_signature(function).results]
        for block in function.body.blocks:
            terminator = block.last
            if terminator is None or not terminator.has(RETURN_LIKE):
                continue
            for index, operand in enumerate(terminator.operands):
                type = operand.type
                if isinstance(type, MemRefType) and type.shape is not None and is_identity(type):
                    results[index] = type
        inputs = tuple(argument.type for argument in body.arguments)
        function.properties["function_type"] = TypeAttr(FunctionType(inputs, tuple(results)))

    def _renew(self, call: Operation, function: FuncOp) -> tuple[Operation, FuncOp | None]:
        """Replaces a call by one with the results that the function has now. Returns what is there afterwards, and the
        function around it if the results are others than before."""
        if not isinstance(call, CallOp):
            return call, None
        types = _signature(function).results
        self._rewriter.set_insertion_before(call)
        self._rewriter.stand_in(call)
        made = self._rewriter.create(call.name, call.operands, types, {"callee": call.callee})
        changed = [(old, new) for old, new in zip(call.results, made.results, strict=True) if old.type != new.type]
        if not all(self._replace(old, new) for old, new in changed):
            made.erase()
            return call, None
        self._rewriter.replace(call, made.results)
        return made, closest(made, FuncOp) if changed else None
