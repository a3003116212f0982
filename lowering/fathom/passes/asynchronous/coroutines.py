"""Functions as coroutines, which LLVM splits where they are suspended.

    func.func @f(…) -> (!async.token, !async.value<f32>) attributes {passthrough = ["presplitcoroutine"]} {
      %token = async.runtime.create : !async.token
      %value = async.runtime.create : !async.value<f32>
      %id = async.coro.id
      %handle = async.coro.begin %id
      cf.br ^body
    ^body:
      …
      cf.br ^cleanup
    ^set_error:                           only where something may fail
      async.runtime.set_error %token : !async.token
      async.runtime.set_error %value : !async.value<f32>
      cf.br ^cleanup
    ^cleanup:
      async.coro.free %id, %handle
      cf.br ^suspend
    ^destroy:                             the same, for a coroutine that is not resumed
      async.coro.free %id, %handle
      cf.br ^suspend
    ^suspend:
      async.coro.end %handle
      return %token, %value : !async.token, !async.value<f32>
    }

Source of the rules: *Coroutines in LLVM*, "Switched-Resume Lowering", and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import ArrayAttr, StringAttr
from fathom.ir.operation import Region
from fathom.ir.traversal import closest
from fathom.ops.func import FuncOp
from fathom.passes.asynchronous.types import TOKEN, type_of
from fathom.passes.branches import branch
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Block, Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter


@record(frozen=False)
class Coroutine:
    """What the lowering of a coroutine's body goes by: the token that says that it is done, if it has one, the values
    that it makes, and its blocks."""

    function: Operation
    token: Value | None
    values: Sequence[Value]
    handle: Value
    entry: Block
    cleanup: Block
    destroy: Block
    suspend: Block
    _set_error: Block | None = None

    @property
    def body(self) -> Region:
        return self.function.regions[0]

    def set_error(self, rewriter: Rewriter) -> Block:
        """The block that says of the token and of all values that they are in error, which is made when it is first
        asked for. The insertion point stays."""
        if self._set_error is None:
            with rewriter.elsewhere():
                rewriter.stand_in(self.function)
                self._set_error = rewriter.create_block(self.body, self.cleanup)
                for value in self._given():
                    rewriter.create("async.runtime.set_error", [value])
                branch(rewriter, self.cleanup)
        return self._set_error

    def finish(self, rewriter: Rewriter, results: Sequence[Value]) -> None:
        """Ends a block of the body: gives the values what they hold, and says that they are there."""
        for result, value in zip(results, self.values, strict=False):
            rewriter.create("async.runtime.store", [result, value])
            rewriter.create("async.runtime.set_available", [value])
        if self.token is not None:
            rewriter.create("async.runtime.set_available", [self.token])
        branch(rewriter, self.cleanup)

    def suspend_into(self, rewriter: Rewriter, state: Value, resume: Block) -> None:
        """Ends a block where the coroutine stands still, to go on at `resume`."""
        rewriter.create("async.coro.suspend", [state], successors=[self.suspend, resume, self.destroy])

    def save(self, rewriter: Rewriter) -> Value:
        """Remembers where the coroutine is to go on."""
        return rewriter.create("async.coro.save", [self.handle], [type_of("CoroStateType")]).result

    def _given(self) -> list[Value]:
        return [*([self.token] if self.token is not None else []), *self.values]


Coroutines = dict["Operation", Coroutine]
"""The functions that are coroutines already."""


def around(op: Operation, coroutines: Coroutines) -> Coroutine | None:
    """The coroutine in whose body an operation stands."""
    function = closest(op, FuncOp)
    return coroutines.get(function) if function is not None else None


def make_coroutine(rewriter: Rewriter, function: Operation, results: Sequence[Type]) -> Coroutine:
    """Makes a coroutine of a function of `func`, which has a body and gives tokens and values of these types. The
    insertion point stays."""
    with rewriter.elsewhere():
        rewriter.stand_in(function)
        body = function.regions[0]
        entry = body.entry
        first = rewriter.split_block(entry, entry.first)
        rewriter.set_insertion_to_end(entry)
        given: list[Value] = [rewriter.create("async.runtime.create", (), [each]).result for each in results]
        id = rewriter.create("async.coro.id", (), [type_of("CoroIdType")]).result
        handle = rewriter.create("async.coro.begin", [id], [type_of("CoroHandleType")]).result
        branch(rewriter, first)
        cleanup, destroy, suspend = (rewriter.create_block(body) for _ in range(3))
        for block in (cleanup, destroy):
            rewriter.set_insertion_to_end(block)
            rewriter.create("async.coro.free", [id, handle])
            branch(rewriter, suspend)
        rewriter.set_insertion_to_end(suspend)
        rewriter.create("async.coro.end", [handle])
        rewriter.create("func.return", given)
    passthrough = ArrayAttr((StringAttr("presplitcoroutine"),))
    rewriter.modify(function, lambda: function.attributes.update(passthrough=passthrough))
    has_token = results[0].full_name == TOKEN
    token, values = (given[0], given[1:]) if has_token else (None, given)
    return Coroutine(function, token, values, handle, entry, cleanup, destroy, suspend)
