"""What the checks are made of that an operation is to pass when it runs: conditions, and `cf.assert`.

A dialect says for its operations what to check, in its module `runtime_verification`.
Source of the rules: *Passes*, `-generate-runtime-verification`, and what mlir-opt 22 makes there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from fathom.ir.attributes import IntegerAttr, StringAttr, i64_attr, index_attr
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.types import I1, INDEX, TensorType
from fathom.irdl.aspects import Aspect
from fathom.irdl.lazy import Joined
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.rewriter import Rewriter

EQ: Final = i64_attr(0)
NE: Final = i64_attr(1)
SLT: Final = i64_attr(2)
SLE: Final = i64_attr(3)
SGT: Final = i64_attr(4)
SGE: Final = i64_attr(5)

ErrorMessage: TypeAlias = Callable[[Any, str], str]
"""What a program says when the check of an operation fails for this reason."""


class RuntimeChecks:
    """Makes the checks of one operation in front of it, as the pass does."""

    known_sizes = False
    """Whether sizes, offsets and strides that a type knows are constants at once."""

    uses_index_dialect = True
    """Whether what is calculated with the loops of an operation is of the index dialect, and not of arith."""

    def __init__(self, op: Operation, rewriter: Rewriter, message: ErrorMessage) -> None:
        self.rewriter = rewriter
        self.op = op
        self._message = message
        rewriter.stand_in(op)
        rewriter.set_insertion_before(op)

    def check(self, condition: Value, reason: str) -> None:
        """The program ends where the condition does not hold."""
        message = StringAttr(self._message(self.op, reason))
        self.rewriter.create("cf.assert", [condition], (), {"msg": message})

    def check_all(self, conditions: Iterable[Value], reason: str) -> None:
        """The program ends where one of the conditions, each of which is combined with those before, does not hold."""
        joined: Value | None = None
        for condition in conditions:
            both = [joined, condition] if joined is not None else []
            joined = create_or_fold(self.rewriter, "arith.andi", both, I1) if both else condition
        if joined is not None:
            self.check(joined, reason)

    def index(self, value: int) -> Value:
        """A constant."""
        return self.rewriter.constant(index_attr(value), INDEX)

    def indexed(self, name: str, *operands: Value) -> Value:
        """The only result of an operation, an index."""
        return self.rewriter.create(name, operands, [INDEX]).result

    def size(self, shaped: Value, position: int) -> Value:
        """A size of a memref or a tensor; folded."""
        return create_or_fold(self.rewriter, dim_of(shaped), [shaped, self.index(position)], INDEX)

    def compare(self, predicate: IntegerAttr, lhs: Value, rhs: Value) -> Value:
        return self.rewriter.create("arith.cmpi", [lhs, rhs], [I1], {"predicate": predicate}).result

    def in_bounds(self, value: Value, low: Value, high: Value) -> Value:
        """Whether `low <= value < high`; folded."""
        not_below = create_or_fold(self.rewriter, "arith.cmpi", [value, low], I1, {"predicate": SGE})
        not_beyond = create_or_fold(self.rewriter, "arith.cmpi", [value, high], I1, {"predicate": SLT})
        return create_or_fold(self.rewriter, "arith.andi", [not_below, not_beyond], I1)

    def tell(self, condition: Value, value: Value, limit: Value) -> None:
        """Of a condition that is no comparison: where it does not hold, the value is not in `[0, limit)`."""

    def choose(self, condition: Value, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
        """One condition or another, in the regions of an `scf.if`."""
        blocks = [Block(), Block()]
        chosen = self.rewriter.create("scf.if", [condition], [I1], regions=[Region([block]) for block in blocks])
        for block, make in zip(blocks, (then, otherwise), strict=True):
            with self.rewriter.elsewhere():
                self.rewriter.set_insertion_to_end(block)
                self.rewriter.create("scf.yield", [make()])
        return chosen.result

    @contextmanager
    def where(self, condition: Value) -> Generator[None]:
        """What is checked there is checked where the condition holds: in the region of an `scf.if`."""
        block = Block()
        self.rewriter.create("scf.if", [condition], (), regions=[Region([block]), Region()])
        with self.rewriter.elsewhere():
            self.rewriter.set_insertion_to_end(block)
            yield
            self.rewriter.create("scf.yield")


def dim_of(shaped: Value) -> str:
    """The operation that asks for a size."""
    return "tensor.dim" if isinstance(shaped.type, TensorType) else "memref.dim"


RuntimeCheck: TypeAlias = "Callable[[Any, RuntimeChecks], None]"
"""Makes the checks of an operation."""

RUNTIME_VERIFICATION: Final = Aspect[Mapping[str, RuntimeCheck]]("runtime_verification", {}, Joined)
"""What makes the checks for the operations of a dialect, by their names."""
