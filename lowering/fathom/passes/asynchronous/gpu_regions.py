"""Operations on GPUs one after the other without waiting for each: they hand on a token, and the host waits where it
has to.

Source of the rules: `AsyncRegionRewriter.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.gpu.directives import is_async
from fathom.dialects.gpu.types import ASYNC_TOKEN
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Region
from fathom.irdl.build import segment_sizes
from fathom.irdl.definition import Trait
from fathom.irdl.groups import SEGMENTS
from fathom.irdl.traits import TERMINATOR
from fathom.ops import async_ as ops
from fathom.ops.gpu import LaunchOp, WaitOp
from fathom.passes.asynchronous.types import payload_of
from fathom.rewriting.effects import is_memory_effect_free
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Value

_ASYNC: Final = Trait("GPU_AsyncOpInterface")


def _ends(op: Operation) -> bool:
    return op.definition is None or op.has(TERMINATOR)


def _is_waited_for(op: Operation) -> bool:
    """Whether the host is in step with the GPU before an operation: it ends a block, or has effects."""
    return _ends(op) or not is_memory_effect_free(op)


def _add_dependency(op: Operation, token: Value) -> None:
    """Has an operation wait for a token, before those for which it does, unless it is one of them."""
    if token in op.all_of("asyncDependencies"):
        return
    sizes = op.properties.get(SEGMENTS["operands"])
    op.set_operands([token, *op.operands])
    if isinstance(sizes, DenseArrayAttr):
        first, *rest = map(int, sizes.values)
        op.properties[SEGMENTS["operands"]] = segment_sizes(first + 1, *rest)


def _replace_by(made: Operation, op: Operation, rewriter: Rewriter) -> None:
    """Puts an operation in the place of one that has fewer results."""
    for old, new in zip(op.results, made.results, strict=False):
        new.name_hint = old.name_hint
        rewriter.replace_all_uses(old, new)
    rewriter.erase(op)


# ---- tokens


class _Tokens:
    """The token that the next operation on a GPU is to wait for. It is none before the first of a block, and after the
    host has waited."""

    def __init__(self, context: Context) -> None:
        self._rewriter = Rewriter(context)
        self._current: Value | None = None

    def thread(self, region: Region) -> Operation | None:
        """Hands a token on in each block of a region, inner ones first; the launch that is in the way, if one is."""
        for block in list(region.blocks):
            for op in list(block):
                for inner in op.regions:
                    if (launch := self.thread(inner)) is not None:
                        return launch
            for op in list(block):
                if isinstance(op, LaunchOp):
                    return op
                self._visit(op)
        return None

    def _visit(self, op: Operation) -> None:
        if isinstance(op, WaitOp):
            if self._current is not None:
                _add_dependency(op, self._current)
            self._current = op.asyncToken
            return
        self._rewriter.set_insertion_before(op)
        self._rewriter.stand_in(op)
        if op.definition is not None and op.has(_ASYNC):
            self._make_asynchronous(op)
        elif self._current is not None and _is_waited_for(op):
            self._rewriter.create("gpu.wait", [self._current])
            self._current = None

    def _make_asynchronous(self, op: Operation) -> None:
        if self._current is None:
            self._current = self._rewriter.create("gpu.wait", (), [ASYNC_TOKEN]).result
        _add_dependency(op, self._current)
        if is_async(op):
            self._current = op.results[-1]
            return
        types = [*(result.type for result in op.results), ASYNC_TOKEN]
        made = self._rewriter.create(op.name, op.operands, types, op.properties, op.attributes, op.successors)
        _replace_by(made, op, self._rewriter)
        self._current = made.results[-1]


# ---- `async.execute`


def _executes(region: Region) -> list[ops.ExecuteOp]:
    return [op for op in region.walk_postorder() if isinstance(op, ops.ExecuteOp)]


def _with_results(execute: ops.ExecuteOp, values: Sequence[Value], rewriter: Rewriter) -> ops.ExecuteOp:
    """An `async.execute` that gives further values of its body."""
    body = execute.bodyRegion.first
    last = body.last if body is not None else None
    assert last is not None, "a body ends"
    last.set_operands([*last.operands, *values])
    value = own_description("async").types["ValueType"]
    types = [result.type for result in execute.results]
    types += [value.make_type(valueType=each.type) for each in values]
    rewriter.set_insertion_before(execute)
    rewriter.stand_in(execute)
    made = rewriter.create("async.execute", execute.operands, types, execute.properties, execute.attributes)
    assert isinstance(made, ops.ExecuteOp)
    made.add_region(Region()).take_blocks(execute.bodyRegion)
    _replace_by(made, execute, rewriter)
    return made


def _only_awaited(token: Value) -> bool:
    """Whether a token is for operations of async alone, so that what they wait for may be told to them."""
    users = list(token.uses)
    return bool(users) and all(isinstance(user, (ops.AwaitOp, ops.ExecuteOp)) for user in users)


class _Deferred:
    """The waits at the ends of bodies of `async.execute`, which those wait for that wait for the body."""

    def __init__(self, context: Context) -> None:
        self._rewriter = Rewriter(context)
        self._waits: list[WaitOp] = []

    def collect(self, execute: ops.ExecuteOp) -> None:
        """Takes the last wait of a body, if nothing with effects comes behind it."""
        body = execute.bodyRegion.first
        if body is None or not _only_awaited(execute.token):
            return
        for op in reversed(list(body)[:-1]):
            if isinstance(op, WaitOp):
                if op.asyncToken is None:
                    self._waits.append(op)
                return
            if not is_memory_effect_free(op):
                return

    def move(self) -> None:
        """Each body gives what its wait waited for."""
        for wait in self._waits:
            execute = wait.parent_op
            assert isinstance(execute, ops.ExecuteOp), "the wait of a body stands in it"
            tokens = wait.asyncDependencies
            self._rewriter.erase(wait)
            made = _with_results(execute, tokens, self._rewriter)
            given = made.results[len(made.results) - len(tokens) :]
            for user in list(made.token.uses):
                self._add_behind(user, given)

    def _add_behind(self, user: Operation, values: Sequence[Value]) -> None:
        """What follows a user of a body's token waits for its other tokens too."""
        rewriter = self._rewriter
        rewriter.stand_in(user)
        if isinstance(user, ops.ExecuteOp):
            block = user.bodyRegion.first
            assert block is not None, "a body has a block"
            user.set_operands([*user.operands, *values])
            user.properties[SEGMENTS["operands"]] = segment_sizes(
                len(user.operands) - len(values) - len(user.bodyOperands), len(user.bodyOperands) + len(values)
            )
            tokens: Sequence[Value] = rewriter.add_arguments(block, [ASYNC_TOKEN] * len(values))
            following = block.first
        else:
            rewriter.set_insertion_behind(user)
            tokens = [rewriter.create("async.await", [value], [ASYNC_TOKEN]).result for value in values]
            following = rewriter.anchor
        while following is not None and not _is_waited_for(following):
            following = following.next
        assert following is not None, "a block ends"
        if following.definition is not None and following.has(_ASYNC):
            for token in tokens:
                _add_dependency(following, token)
            return
        rewriter.set_insertion_before(following)
        wait = rewriter.create("gpu.wait", tokens)
        execute = following.parent_op
        if isinstance(execute, ops.ExecuteOp) and _only_awaited(execute.token) and following.next is None:
            assert isinstance(wait, WaitOp)
            self._waits.append(wait)


def _use_once(execute: ops.ExecuteOp, rewriter: Rewriter) -> None:
    """A body gives a token once for each who uses it, since whoever waits for it is done with it."""
    tokens = [result for result in execute.bodyResults if payload_of(result.type) == ASYNC_TOKEN]
    several = [token.index for token in tokens if len(_uses(token)) > 1]
    for index in several:
        body = execute.bodyRegion.first
        last = body.last if body is not None else None
        assert last is not None, "a body ends"
        further = _uses(execute.results[index])[1:]
        execute = _with_results(execute, [last.operands[index - 1]] * len(further), rewriter)
        given = execute.results[len(execute.results) - len(further) :]
        for (user, place), value in zip(further, given, strict=True):
            user.set_operand(place, value)


def _uses(value: Value) -> list[tuple[Operation, int]]:
    return [(user, place) for user in value.uses for place in value.places_in(user)]


def make_asynchronous(function: Operation, context: Context) -> Operation | None:
    """Has a function's operations on GPUs hand on tokens; the launch that is in the way, if one is."""
    region = function.regions[0]
    if (launch := _Tokens(context).thread(region)) is not None:
        return launch
    deferred = _Deferred(context)
    for execute in _executes(region):
        deferred.collect(execute)
    deferred.move()
    for execute in _executes(region):
        _use_once(execute, Rewriter(context))
    return None
