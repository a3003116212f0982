"""Checks in a program that is to be run: what its operations take for granted is looked at before they run.

They are those of the pass `generate-runtime-verification`, those of accesses of vectors, of their lanes and at affine
subscripts, of sizes, of views, of the steps of loops, and of divisions, in affine maps too; but where the pass makes
assertions, which print and abort, these call a function with a number, and the number says which check failed, where,
and with what values. So nothing that the program prints has to be understood, and a check costs two operations of the
LLVM dialect. Of an assertion of the program itself it is noted, before it fails, which one it is.

    %0 = memref.load %m[%i] : memref<?xf32>
becomes
    %d = memref.dim %m, %c0                                  where %m comes from
    …
    %1 = arith.cmpi ult, %i, %d
    llvm.call @fathom_check(%1, %number, %i', %d')           `out-of-bounds access: 7 is not in [0, 4)`
    %0 = memref.load %m[%i] : memref<?xf32>
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Final

from fathom.elaborate import load
from fathom.execution.accesses import ACCESSES
from fathom.execution.affine_divisions import AFFINE_DIVISIONS
from fathom.execution.divisions import DIVISIONS
from fathom.execution.lanes import LANES
from fathom.execution.outcome import Check
from fathom.execution.sizes import SIZES
from fathom.execution.steps import STEPS
from fathom.execution.views import VIEWS
from fathom.ir.attributes import FALSE, TRUE, IntegerAttr, i64_attr
from fathom.ir.clone import clone
from fathom.ir.operation import Block, Operation, Span, Value
from fathom.ir.types import I1, I64, INDEX
from fathom.irdl.interfaces import Assertion, FunctionLike, symbol_name
from fathom.passes.to_llvm import emit
from fathom.rewriting.folding import constant_value, create_or_fold
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.runtime_checks import EQ, RUNTIME_VERIFICATION, SGE, SLE, RuntimeChecks, dim_of

if TYPE_CHECKING:
    from fathom.context import Context

CHECK: Final = "fathom_check"
CLAIM: Final = "fathom_claim"
_FUNCTIONS: Final = f"""
llvm.func @fathom_failed(i64, i64, i64)
llvm.func @fathom_claimed(i64)
llvm.func internal @{CHECK}(%holds: i1, %number: i64, %value: i64, %limit: i64) attributes {{always_inline}} {{
  llvm.cond_br %holds weights([2000, 1]), ^done, ^failed
^failed:
  llvm.call @fathom_failed(%number, %value, %limit) : (i64, i64, i64) -> ()
  llvm.unreachable
^done:
  llvm.return
}}
llvm.func internal @{CLAIM}(%holds: i1, %number: i64) attributes {{always_inline}} {{
  llvm.cond_br %holds weights([2000, 1]), ^done, ^failed
^failed:
  llvm.call @fathom_claimed(%number) : (i64) -> ()
  llvm.br ^done
^done:
  llvm.return
}}
"""
_OWN: Final = (SIZES, STEPS, AFFINE_DIVISIONS, DIVISIONS)
"""What is checked first: accesses are computed with it."""
_ULT: Final = i64_attr(6)
_NOT_WITHIN: Final = ": {0} is not in [0, {1})"
_TOLD: Final = {EQ: ": {0} instead of {1}", SLE: ": {0} is more than {1}", SGE: ": {0} is less than {1}"}
"""What is told of comparisons that do not hold, by their predicates."""


@cache
def _functions() -> tuple[Operation, ...]:
    """What the checks call; the functions without a body are the worker's (`fathom.execution.runtime`)."""
    return tuple(op for region in load(_FUNCTIONS).module.regions for op in region.operations())


def add_checks(module: Operation, context: Context) -> tuple[Check, ...]:
    """Adds checks to the functions directly in `module`, and says what each is. Where the names of what they call are
    taken, there are none."""
    (body,) = module.regions[0].blocks
    if {symbol_name(op) for op in body} & {symbol_name(op) for op in _functions()}:
        return ()
    maker = _Maker(Rewriter(context))
    functions = [op for op in body if op.interface(FunctionLike) is not None]
    for op in [op for function in functions for op in function.walk() if op is not function]:
        for table in (*_OWN, context.aspect(RUNTIME_VERIFICATION, op.dialect), ACCESSES, LANES, VIEWS):
            if (make_checks := table.get(op.name)) is not None:
                make_checks(op, _RunChecks(op, maker))
        if (assertion := op.interface(Assertion)) is not None:
            _RunChecks(op, maker).claim(assertion)
    for constant in maker.constants.values():
        if not constant.uses and constant.defining_op is not None:
            constant.defining_op.erase()
    if maker.checks:
        for function in _functions():
            body.append(clone(function))
    return tuple(maker.checks)


class _Maker:
    """What is kept from operation to operation: the checks, and the sizes and constants that are at hand."""

    def __init__(self, rewriter: Rewriter) -> None:
        self.rewriter = rewriter
        self.checks: list[Check] = []
        self.constants: dict[tuple[Block, int], Value] = {}
        self.sizes: dict[tuple[Value, int], Value] = {}


class _RunChecks(RuntimeChecks):
    """Makes the checks of one operation as a run needs them: with as few operations as may be, since each of them is
    lowered and compiled before anything runs."""

    known_sizes = True
    uses_index_dialect = False

    def __init__(self, op: Operation, maker: _Maker) -> None:
        super().__init__(op, maker.rewriter, lambda _op, reason: reason)
        self._maker = maker
        self._values: dict[Value, tuple[str, Value, Value]] = {}
        """What is told of a condition that does not hold, and the two values that this speaks of."""
        self._given: Value | None = None
        """The condition under which it is checked, if there is one."""

    def check(self, condition: Value, reason: str) -> None:
        if constant_value(condition) == TRUE or (self._given is not None and constant_value(self._given) == FALSE):
            return
        told, *values = self._values.get(condition, ("", None, None))
        number = self._note(f"'{self.op.name}' op {reason}", told)
        words = [self._word(value) for value in values]
        if self._given is not None:
            condition = self.choose(self._given, lambda: condition, self._true)
        emit.call(self.rewriter, CHECK, [condition, number, *words])

    def check_all(self, conditions: Iterable[Value], reason: str) -> None:
        made = list(conditions)
        for position, condition in enumerate(made):
            self.check(condition, f"{reason} in dimension {position}" if len(made) > 1 else reason)

    def claim(self, assertion: Assertion) -> None:
        """Notes which assertion of the program's own is about to fail."""
        said = assertion.words(self.op).partition("\n")[0]
        number = self._note(f"assertion failed: {said}" if said else "an assertion failed")
        emit.call(self.rewriter, CLAIM, [assertion.condition(self.op), number])

    def _note(self, message: str, told: str = "") -> Value:
        """The number of a new check."""
        checks, span = self._maker.checks, self.op.span
        checks.append(Check(message, told, Span(span.start, span.end) if span is not None else None))
        return emit.constant(self.rewriter, I64, i64_attr(len(checks) - 1))

    def _word(self, value: Value | None) -> Value:
        if value is None:
            return emit.constant(self.rewriter, I64, i64_attr(0))
        constant = constant_value(value)
        if isinstance(constant, IntegerAttr):
            return emit.constant(self.rewriter, I64, i64_attr(constant.value))
        return self.rewriter.create("arith.index_cast", [value], [I64]).result

    # What conditions are made of.

    def index(self, value: int) -> Value:
        block = self.rewriter.block
        assert block is not None, "there is an insertion point"
        known = self._maker.constants.get((block, value))
        if known is None:
            known = self._maker.constants[block, value] = super().index(value)
        return known

    def indexed(self, name: str, *operands: Value) -> Value:
        return create_or_fold(self.rewriter, name, operands, INDEX)

    def size(self, shaped: Value, position: int) -> Value:
        """Asked for where the memref comes from, once: what it costs is not spent in loops."""
        known = self._maker.sizes.get((shaped, position))
        if known is None:
            with self.rewriter.elsewhere():
                self.rewriter.set_insertion_behind(shaped)
                operands = [shaped, RuntimeChecks.index(self, position)]
                known = create_or_fold(self.rewriter, dim_of(shaped), operands, INDEX)
            self._maker.sizes[shaped, position] = known
        return known

    def compare(self, predicate: IntegerAttr, lhs: Value, rhs: Value) -> Value:
        condition = create_or_fold(self.rewriter, "arith.cmpi", [lhs, rhs], I1, {"predicate": predicate})
        told = _TOLD.get(predicate)
        if told is not None:
            self._values[condition] = (told, lhs, rhs)
        return condition

    def in_bounds(self, value: Value, low: Value, high: Value) -> Value:
        # No size is negative, so without a sign what is below zero is beyond it.
        condition = create_or_fold(self.rewriter, "arith.cmpi", [value, high], I1, {"predicate": _ULT})
        self.tell(condition, value, high)
        return condition

    def tell(self, condition: Value, value: Value, limit: Value) -> None:
        self._values[condition] = (_NOT_WITHIN, value, limit)

    def choose(self, condition: Value, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
        # Neither side does anything, so both can be worked out.
        values = [condition, then(), otherwise()]
        return create_or_fold(self.rewriter, "arith.select", values, I1)

    @contextmanager
    def where(self, condition: Value) -> Generator[None]:
        # What is calculated there does nothing, so it can be outside.
        self._given = condition
        yield
        self._given = None

    def _true(self) -> Value:
        return self.rewriter.create("arith.constant", (), [I1], {"value": TRUE}).result
