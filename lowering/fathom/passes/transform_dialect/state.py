"""What handles stand for while a schedule is interpreted, and which of them mean nothing any more.

A handle stands for operations, values or parameters of the payload, in order; it is known while its region is
interpreted. Source of the rules: *Transform Dialect*, "Handle Invalidation", and `TransformState` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.budget import MOST_OPERATIONS, counted
from fathom.dialects.transform.handles import IS_OPERATION, IS_PARAMETER, IS_VALUE, consumed
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import BlockArgument, Operation, OpResult, Value
from fathom.ir.traversal import is_inside, outermost
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.passes.transform_dialect.application import Application
from fathom.passes.transform_dialect.models import TRANSFORMS, model_of
from fathom.passes.transform_dialect.outcomes import DefiniteFailure, SilenceableFailure, said
from fathom.rewriting.pattern import Operations
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Region
    from fathom.passes.definition import Prepare
    from fathom.passes.transform_dialect.outcomes import Place

    Payload: TypeAlias = Operation | Value | Attribute

INVALIDATED: Final = "op uses a handle invalidated by a previously executed transform op"
REPEATS: Final = Operations("transform.foreach_match")
"""What may be given one entity several times, and consume it."""


class State:
    """What is known while one schedule runs on a payload. `prepare` gives passes by their names, `extra` is what the
    arguments behind the first of the entry stand for, and `diagnostics` what was said."""

    def __init__(
        self,
        top_level: Operation,
        context: Context,
        prepare: Prepare,
        extra: Sequence[Sequence[Payload]] = (),
        *,
        checks_handles: bool = True,
    ) -> None:
        self.top_level = top_level
        self.context = context
        self.prepare = prepare
        self.extra = extra
        self.checks_handles = checks_handles
        self.diagnostics: list[Diagnostic] = []
        self.objects: dict[Value, list[Payload]] = {}
        self.handles: dict[Payload, dict[Value, None]] = {}
        """The handles of operations and values."""
        self.current: dict[Region, Operation] = {}
        """What is applied in each region that is interpreted, those around others first."""
        self._invalid: dict[Value, Callable[[Operation], Diagnostic]] = {}
        self.roots: set[Operation] = set()
        """Operations that stand in no block, and that handles stand for all the same."""

    # What handles stand for.

    @contextmanager
    def scope(self, region: Region) -> Generator[None, None, None]:
        """Forgets what handles of a region stand for, and that they are invalid, when it was interpreted."""
        try:
            yield
        finally:
            self.current.pop(region, None)
            for block in region.blocks:
                for handle in [*block.arguments, *(result for op in block for result in op.results)]:
                    self._forget(handle)
                    self._invalid.pop(handle, None)

    def associate(self, handle: Value, objects: Iterable[Payload]) -> None:
        """Has a handle stand for these. Raises a definite failure where its type does not let it."""
        payloads = list(islice(objects, MOST_OPERATIONS + 1))
        if len(payloads) > MOST_OPERATIONS:
            limit = f"the limit is {counted(MOST_OPERATIONS)}"
            raise DefiniteFailure(said(f"a handle stands for too many payload entities; {limit}", handle))
        self._check(handle, payloads)
        self._forget(handle)
        self.objects[handle] = payloads
        if not IS_PARAMETER(handle.type):
            for payload in payloads:
                self.handles.setdefault(payload, {})[handle] = None

    def _check(self, handle: Value, objects: Sequence[Payload]) -> None:
        type = handle.type
        if not isinstance(type, DialectType):
            return
        wanted = type.parameters[0] if type.full_name == "transform.op" else None
        for member in objects:
            if isinstance(member, Operation) and wanted is not None and member.name != wanted:
                message = f"incompatible payload operation name: expected {wanted} vs {member.name}"
                raise DefiniteFailure(said(message, handle, ("payload operation", member)))
        if type.full_name == "transform.param":
            of = type.parameters[0]
            for member in objects:
                given = getattr(member, "type", None)
                if given != of:
                    message = f"expected the type of the parameter attribute ('{given}') to match the parameter type"
                    raise DefiniteFailure(said(f"{message} ('{of}')", handle))

    def _forget(self, handle: Value) -> None:
        for payload in self.objects.pop(handle, ()):
            known = self.handles.get(payload)
            if known is not None:
                known.pop(handle, None)
                if not known:
                    del self.handles[payload]

    def replace(self, old: Payload, new: Payload | None) -> None:
        """Has all handles to an operation or a value stand for another one, or no longer for it."""
        for handle in self.handles.pop(old, ()):
            payloads = self.objects[handle]
            if new is None:
                self.objects[handle] = [payload for payload in payloads if payload is not old]
            else:
                self.objects[handle] = [new if payload is old else payload for payload in payloads]
                self.handles.setdefault(new, {})[handle] = None

    def _drop_erased(self) -> None:
        """Forgets what is gone."""
        roots = {outermost(self.top_level), *self.roots}
        for payload in list(self.handles):
            op = _holder(payload)
            if op is not None and outermost(op) not in roots:
                self.replace(payload, None)

    # Applying.

    def apply(self, op: Operation) -> None:
        """Applies one operation; its results stand for what it gave. Raises a failure."""
        checkpoint()
        region = op.parent_region
        if region is not None:
            self.current[region] = op
        taken = [op.operands[place] for place in sorted(consumed(op)) if place < len(op.operands)]
        if self.checks_handles:
            self._check_handles(op, taken)
        model = model_of(op, TRANSFORMS, self.context)
        if model is None:
            raise DefiniteFailure(said(f"'{op.name}' op is not known how to apply", op))
        behind = list(self._behind(taken))
        run = Application(op, self)
        failure: SilenceableFailure | None = None
        try:
            model(op, run)
        except SilenceableFailure as silenceable:
            failure = silenceable
        self._drop_erased()
        failure = run.with_tracking(failure)
        for handle in taken:
            self._forget(handle)
        for payload in behind:
            self.replace(payload, None)
        for result in op.results:
            self.associate(result, run.results.get(result.index, ()))
        if failure is not None:
            raise failure

    def _behind(self, taken: Iterable[Value]) -> Iterator[Payload]:
        """What no handle stands for any more when these are consumed."""
        for handle in taken:
            for payload in self.objects.get(handle, ()):
                if isinstance(payload, Operation):
                    yield from payload.results
                elif isinstance(payload, OpResult):
                    yield payload.op
                elif isinstance(payload, BlockArgument):
                    yield from payload.block

    # Which handles mean nothing any more.

    def _check_handles(self, op: Operation, taken: Sequence[Value]) -> None:
        newly: dict[Value, Callable[[Operation], Diagnostic]] = {}
        try:
            for place, handle in enumerate(op.operands):
                if (tell := self._invalid.get(handle)) is not None:
                    raise DefiniteFailure(tell(op))
                if op not in REPEATS and (tell := newly.get(handle)) is not None:
                    raise DefiniteFailure(tell(op))
                if handle in taken:
                    self._invalidate(op, place, newly)
        finally:
            for handle, tell in newly.items():
                self._invalid.setdefault(handle, tell)
        if op in REPEATS:
            return
        for place, handle in enumerate(op.operands):
            seen: set[Payload] = set()
            for payload in self.objects.get(handle, ()) if handle in taken else ():
                if payload in seen and isinstance(payload, (Operation, Value)):
                    what = "repeated target op" if isinstance(payload, Operation) else "repeated target value"
                    of = "and consumed by this operation points to a payload entity more than once"
                    message = f"a handle passed as operand #{place} {of}"
                    raise SilenceableFailure([said(message, op, (what, payload))])
                seen.add(payload)

    def _invalidate(self, op: Operation, place: int, newly: dict[Value, Callable[[Operation], Diagnostic]]) -> None:
        handle = op.operands[place]
        objects = list(self.objects.get(handle, ()))
        if IS_OPERATION(handle.type):
            ops = [payload for payload in objects if isinstance(payload, Operation)]
            self._invalidate_below(op, place, ops, None, newly)
        elif IS_VALUE(handle.type):
            for value in objects:
                if isinstance(value, Value):
                    self._invalidate_value(op, place, value, newly)

    def _invalidate_value(
        self, op: Operation, place: int, value: Value, newly: dict[Value, Callable[[Operation], Diagnostic]]
    ) -> None:
        by = f"invalidated by this transform op that consumes its operand #{place} and invalidates handles to the same"
        for other in self.handles.get(value, ()):
            notes = (
                ("invalidated handle", other),
                (f"{by} values as associated with it", op),
                ("payload value", value),
            )
            newly[other] = lambda user, notes=notes: said(INVALIDATED, user, *notes)
        if isinstance(value, OpResult):
            self._invalidate_below(op, place, [value.op], value, newly)
        elif isinstance(value, BlockArgument):
            for inner in value.block:
                self._invalidate_below(op, place, [inner], value, newly)

    def _invalidate_below(
        self,
        op: Operation,
        place: int,
        ancestors: Sequence[Operation],
        through: Value | None,
        newly: dict[Value, Callable[[Operation], Diagnostic]],
    ) -> None:
        """Handles to what is one of these, or stands in it, mean nothing any more."""
        if not ancestors:
            message = (
                "op uses a handle associated with empty payload and invalidated by a previously executed transform op"
            )
            note = (f"invalidated by this transform op that consumes its operand #{place}", op)
            newly[op.operands[place]] = lambda user: said(message, user, note)
            return
        of = "and invalidates all handles to payload IR entities associated with this operand and entities nested in"
        by = (f"invalidated by this transform op that consumes its operand #{place} {of} them", op)
        for payload, handles in self.handles.items():
            holder = _holder(payload)
            above = next((a for a in ancestors if holder is not None and is_inside(holder, a)), None)
            for other in handles if above is not None and holder is not None else ():
                if other in self._invalid or other in newly or not self._is_visible(other, op):
                    continue
                if isinstance(payload, Operation):
                    notes: list[tuple[str, Place]] = [
                        ("handle to invalidated ops", other),
                        by,
                        ("ancestor payload op", above),
                    ]
                    notes.append(("nested payload op", payload))
                    if through is not None:
                        notes.append(("consumed handle points to this payload value", through))
                else:
                    notes = [
                        ("invalidated handle", other),
                        by,
                        ("ancestor op associated with the consumed handle", above),
                    ]
                    assert isinstance(payload, Value), "a handle that is no parameter stands for one of the two"
                    notes += [(_described(payload), holder), ("payload value", payload)]
                newly[other] = lambda user, notes=tuple(notes): said(INVALIDATED, user, *notes)

    def _is_visible(self, handle: Value, op: Operation) -> bool:
        """Whether a handle belongs to the regions that are interpreted up to one that sees nothing outside."""
        block = handle.parent_block
        wanted = block.parent if block is not None else None
        for region in reversed(self.current):
            if region is wanted:
                return True
            if region.parent is not None and region.parent.has(ISOLATED_FROM_ABOVE):
                return False
        return False


def _holder(payload: Payload) -> Operation | None:
    """The operation that defines a value, or around it."""
    if isinstance(payload, OpResult):
        return payload.op
    if isinstance(payload, BlockArgument):
        return payload.block.parent.parent if payload.block.parent is not None else None
    return payload if isinstance(payload, Operation) else None


def _described(value: Payload) -> str:
    if isinstance(value, OpResult):
        return f"op defining the value as result #{value.index}"
    assert isinstance(value, BlockArgument) and value.block.parent is not None, "a value is one of the two"
    region = value.block.parent
    numbers = [*region.blocks].index(value.block), region.parent.regions.index(region) if region.parent else 0
    where = f"#{value.index} of block #{numbers[0]} in region #{numbers[1]}"
    return f"op defining the value as block argument {where}"
