"""The dialect conversion: makes every operation legal for a target, by folding and by patterns.

Operations are visited outside in, blocks in depth-first order from the entry; what a pattern makes is made legal before
the next operation is visited. Source of the rules: *Dialect Conversion*, and the order seen in mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.diagnostics import (
    FAILED_TO_LEGALIZE,
    ILLEGAL_PRODUCT,
    LOWERING,
    REFUSED_BY_PASS,
    UNRESOLVED,
    Diagnostic,
    Note,
)
from fathom.ir.dismantle import dismantle_alone
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.traversal import reachable_blocks, unreachable_blocks
from fathom.records import replace
from fathom.rewriting.casts import reconcile
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.folding import fold, materialize
from fathom.rewriting.observers import watching
from fathom.rewriting.pattern import Failure, Pattern, sorted_by_root
from fathom.rewriting.target import ConversionTarget
from fathom.rewriting.undoing import restore_operation
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.conversion_rewriter import Replaced

Advice = Callable[[Operation], str | None]
"""What would legalise an operation that was left: a sentence for people, or None."""


def apply_partial_conversion(
    root: Operation,
    target: ConversionTarget,
    patterns: Iterable[Pattern],
    context: Definitions,
    advice: Advice | None = None,
    reasons: dict[Operation, str] | None = None,
    *,
    may_undo: bool = True,
    replaced: Replaced | None = None,
) -> list[Diagnostic]:
    """Converts all that can be, in place. An illegal operation that stays is an error; one of unknown legality is not.

    Unlike mlir-opt, which gives up at the first error, this converts the rest, so that one bad line does not hide all;
    what it says of that is marked as a hint. `reasons` is filled with why the patterns of an operation did not apply.
    A conversion that may not undo what a pattern did ends where it would have to. What is `replaced` by what is told at
    the end.
    """
    return _apply(root, target, patterns, context, advice, False, reasons, may_undo, replaced)


def apply_full_conversion(
    root: Operation,
    target: ConversionTarget,
    patterns: Iterable[Pattern],
    context: Definitions,
    advice: Advice | None = None,
    reasons: dict[Operation, str] | None = None,
    *,
    replaced: Replaced | None = None,
) -> list[Diagnostic]:
    """As `apply_partial_conversion`, but every operation that is not legal is an error."""
    return _apply(root, target, patterns, context, advice, True, reasons, True, replaced)


def _apply(
    root: Operation,
    target: ConversionTarget,
    patterns: Iterable[Pattern],
    context: Definitions,
    advice: Advice | None,
    full: bool,
    reasons: dict[Operation, str] | None,
    may_undo: bool,
    replaced: Replaced | None,
) -> list[Diagnostic]:
    rewriter = ConversionRewriter(context)
    rewriter.told_of_replacement = replaced
    legalizer = _Legalizer(target, patterns, rewriter, may_undo)
    try:
        return _convert(root, legalizer, advice, full, reasons)
    except Exception:
        rewriter.roll_back((0, 0))  # Nobody is to find a program that is half converted.
        raise


def _convert(
    root: Operation,
    legalizer: _Legalizer,
    advice: Advice | None,
    full: bool,
    reasons: dict[Operation, str] | None,
) -> list[Diagnostic]:
    rewriter, target = legalizer.rewriter, legalizer.target
    diagnostics: list[Diagnostic] = []
    said_before: int | None = None
    unreached: list[Block] = []
    for op in _in_order(root, target, unreached, None if full else legalizer.is_idle):
        checkpoint()
        try:
            if legalizer.legalize(op):
                continue
        except NothingUndone as stopped:
            rewriter.commit()
            return _said(rewriter.said, said_before, [*diagnostics, stopped.diagnostic])
        if full or target.is_legal(op) is False:
            diagnostics.append(_not_legalized(op, full, legalizer, advice))
            if said_before is None:
                said_before = len(rewriter.said)
    for op in (op for block in unreached for outer in block for op in outer.walk()):
        legalizer.reasons[op] = UNREACHED
        if full or target.is_legal(op) is False:
            message, notes = f"'{op.name}' was not converted", (Note(UNREACHED, op.span, hint=True),)
            diagnostics.append(
                Diagnostic(message, op.span, severity="warning", code=LOWERING, notes=notes, hint=True, op=op)
            )
    if reasons is not None:
        reasons.update(legalizer.reasons)
    settle = watch.settle(_settle) if (watch := watching()) is not None else _settle
    return _said(rewriter.said, said_before, diagnostics + settle(rewriter))


def _said(by_patterns: list[Diagnostic], before: int | None, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """All that is said, of which MLIR says the first error only, and of what patterns say as much as came before it."""
    first = next((diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"), None)
    before = len(by_patterns) if before is None else before
    return [
        *by_patterns[:before],
        *(diagnostic if diagnostic is first else replace(diagnostic, hint=True) for diagnostic in diagnostics),
        *(replace(pattern, hint=True) for pattern in by_patterns[before:]),
    ]


UNREACHED: Final = "nothing branches to its block, and conversions do not visit such blocks; remove it, or branch to it"


def _not_legalized(op: Operation, full: bool, legalizer: _Legalizer, advice: Advice | None) -> Diagnostic:
    explicit = "" if full else " that was explicitly marked illegal"
    hint = advice(op) if advice is not None else None
    tried = legalizer.attempts.get(op, [])
    numbered = [f"pattern {number} of {len(tried)}: {text}" for number, text in enumerate(tried, 1)]
    texts = numbered if len(tried) > 1 else list(tried)
    texts += [hint] if hint else []
    texts = texts or ["no pattern of this conversion is for it"]
    notes = tuple(Note(text, op.span, hint=True) for text in texts)
    message = f"failed to legalize operation '{op.name}'{explicit}"
    code = ILLEGAL_PRODUCT if op in legalizer.products else FAILED_TO_LEGALIZE
    return Diagnostic(message, op.span, code=code, notes=notes, op=op)


def _not_undone(op: Operation, reason: str) -> Diagnostic:
    message = f"the pattern for '{op.name}' produced IR that could not be legalized"
    notes = (Note(reason, op.span, hint=True), Note("the conversion may not undo it", op.span, hint=True))
    return Diagnostic(message, op.span, code=ILLEGAL_PRODUCT, notes=notes, op=op)


def _in_order(
    root: Operation, target: ConversionTarget, unreached: list[Block], is_idle: Callable[[Operation], bool] | None
) -> list[Operation]:
    """`root` and all nested in it, but for those of names that are idle, the insides of recursively legal ones, and
    unreachable blocks.

    Those blocks are appended to `unreached`.
    """
    ops: list[Operation] = []
    idle: dict[str, bool] = {}
    pending: list[Iterator[Operation]] = [iter((root,))]
    while pending:
        for op in pending[-1]:
            if is_idle is None:
                ops.append(op)
            else:
                name = op.name
                if name not in idle:
                    idle[name] = is_idle(op)
                if not idle[name]:
                    ops.append(op)
            if op.regions and not target.is_recursively_legal(op):
                checkpoint()
                inner: list[Operation] = []
                for region in op.regions:
                    unreached += unreachable_blocks(region)
                    for block in reachable_blocks(region):
                        inside = block.first
                        while inside is not None:
                            inner.append(inside)
                            inside = inside.next
                pending.append(iter(inner))
                break
        else:
            pending.pop()
    return ops


class NothingUndone(Exception):
    """A conversion that may not undo anything would have to; `diagnostic` says where."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


_Held: TypeAlias = "tuple[list[Value], dict[str, Attribute], dict[str, Attribute]]"


def _held(op: Operation) -> _Held:
    """The operands, properties and attributes of an operation, as they are now."""
    return list(op.operands), dict(op.properties), dict(op.attributes)


class _Legalizer:
    """Makes one operation legal at a time, and what that makes.

    `reasons` says why one failed, `attempts` what each of its patterns said; `products` has those of which a pattern
    made something that could not be made legal.
    """

    def __init__(
        self, target: ConversionTarget, patterns: Iterable[Pattern], rewriter: ConversionRewriter, may_undo: bool
    ) -> None:
        self.target = target
        self.may_undo = may_undo
        self.rewriter = rewriter
        self.reasons: dict[Operation, str] = {}
        self.attempts: dict[Operation, list[str]] = {}
        self.products: set[Operation] = set()
        self._applying: set[Pattern] = set()
        self._patterns = sorted_by_root(patterns)
        self._idle: dict[str, bool] = {}
        if (watch := watching()) is not None:
            self._rewrite = watch.rewrite(self._rewrite, rewriter)
            self._legalize_changes = watch.legalize(self._legalize_changes)
            self._replace_by = watch.replace_by(self._replace_by, rewriter)

    def is_idle(self, op: Operation) -> bool:
        """Whether there is nothing to be done for operations of this name: they are legal, or nothing is said of them
        and none of them folds or has a pattern."""
        name = op.name
        if (known := self._idle.get(name)) is None:
            action, definition = self.target.action(name), op.definition
            has_way = name in self._patterns or (definition is not None and definition.can_fold)
            known = self._idle[name] = action is True or (action is None and not has_way)
        return known

    def legalize(self, op: Operation) -> bool:
        if self.target.is_legal(op):
            return True
        if op in self.rewriter.replaced:
            return True
        return self._fold(op) or self._apply_patterns(op)

    def _fold(self, op: Operation) -> bool:
        definition = op.definition
        if definition is None or not definition.can_fold:
            return False
        rewriter = self.rewriter
        before = rewriter.checkpoint()
        first = last = _held(op)
        folded = fold(op)
        while folded is not None and not folded:
            last, folded = _held(op), fold(op)
        if last != (op.operands, op.properties, op.attributes):
            # A fold that finds what the results are, or fails, may have changed the operation on the way.
            operands, properties, attributes = last
            restore_operation(op, operands, list(op.successors), properties, attributes)
        if last is not first:
            rewriter.record_modification(op, *first)
        if folded is None:
            return last is not first and self.legalize(op)
        if self._replace_by(op, folded):
            return True
        rewriter.roll_back(before)
        return False

    def _replace_by(self, op: Operation, folded: Sequence[Value | Attribute], /) -> bool:
        """Replaces an operation by what it folds to, unless a constant of that cannot be made, or be made legal."""
        rewriter = self.rewriter
        results = materialize(op, folded, rewriter.context)
        if results is None:
            return False
        rewriter.take_changes()
        rewriter.types = None
        rewriter.set_insertion_before(op)
        constants = [rewriter.insert(result) for result in results if isinstance(result, Operation)]
        rewriter.replace(op, [result.result if isinstance(result, Operation) else result for result in results])
        rewriter.take_changes()
        return all(self.legalize(constant) for constant in constants)

    def _apply_patterns(self, op: Operation) -> bool:
        patterns = self._patterns.get(op.name)
        if not patterns:
            return False
        for pattern in patterns:
            if pattern in self._applying and not pattern.recursive:
                continue
            reason = self._apply(op, pattern)
            if reason is None:
                return True
            self.reasons[op] = reason
            self.attempts.setdefault(op, []).append(reason)
        return False

    def _apply(self, op: Operation, pattern: Pattern) -> str | None:
        """Applies the pattern and makes legal what it made; otherwise undoes it and returns the reason."""
        rewriter = self.rewriter
        before = rewriter.checkpoint()
        rewriter.take_changes()
        rewriter.types = pattern.types
        rewriter.stand_in(op)
        rewriter.set_insertion_before(op)
        outcome = self._rewrite(op, pattern)
        if outcome is None:
            self._applying.add(pattern)
            outcome = self._legalize_changes(op)
            self._applying.discard(pattern)
            if outcome is None:
                return None
            self.products.add(op)
            if not self.may_undo:
                rewriter.roll_back(before)
                raise NothingUndone(_not_undone(op, outcome))
        rewriter.roll_back(before)
        return outcome

    def _rewrite(self, op: Operation, pattern: Pattern, /) -> str | None:
        rewriter = self.rewriter
        operands: Sequence[Value] | list[list[Value]] = op.operands
        if pattern.types is not None:
            remapped = rewriter.remap(op.operands)
            if isinstance(remapped, Failure):
                return remapped.reason
            operands = remapped
            if not pattern.one_to_many:
                if any(len(values) != 1 for values in remapped):
                    return "an operand was converted to several values"
                operands = [values[0] for values in remapped]
        failure = pattern.rewrite(op, operands, rewriter)
        if failure is None:
            return None
        if failure.said_of is not None:
            about = failure.said_of
            shown = None if failure.placed else about
            rewriter.said.append(Diagnostic(failure.reason, about.span, code=REFUSED_BY_PASS, op=shown, fatal=False))
        return failure.reason

    def _legalize_changes(self, op: Operation, /) -> str | None:
        rewriter = self.rewriter
        changes = rewriter.take_changes()
        created = set(changes.created)
        retried: set[Operation] = set()
        for block in changes.blocks:
            parent = block.parent.parent if block.parent is not None else None
            if parent is None or parent is op or not block.arguments:
                continue
            types = rewriter.region_types.get(block.parent) if block.parent is not None else None
            if types is not None:
                conversion = types.convert_block_signature(block)
                if conversion is None:
                    return "could not convert the types of a block's arguments"
                rewriter.types = types
                rewriter.convert_block_signature(block, conversion)
            elif parent not in created and parent not in retried:
                retried.add(parent)
                self.legalize(parent)
        is_legal = self.target.is_legal
        for operation in [*changes.modified, *changes.created]:
            if is_legal(operation):
                continue
            if not self.legalize(operation):
                reason = self.reasons.get(operation)
                return f"failed to legalize generated operation '{operation.name}'" + (f": {reason}" if reason else "")
        return None


def _settle(rewriter: ConversionRewriter) -> list[Diagnostic]:
    """Ends a conversion."""
    rewriter.commit()
    return _settle_casts(rewriter)


def _settle_casts(rewriter: ConversionRewriter) -> list[Diagnostic]:
    """Removes the conversion's casts that cancel out, and lets the type converter make what the others stand for."""
    diagnostics: list[Diagnostic] = []
    for cast in reconcile(list(rewriter.materializations)):
        kind = rewriter.materializations[cast]
        rewriter.stand_in(cast)
        rewriter.set_insertion_before(cast)
        values: Sequence[Value] | None = None
        if kind.types is not None and kind.to_source:
            value = kind.types.materialize_source(rewriter, cast.results[0].type, cast.operands)
            values = None if value is None else [value]
        elif kind.types is not None:
            types = [result.type for result in cast.results]
            values = kind.types.materialize_target(rewriter, types, cast.operands, kind.original)
        if values is not None:
            cast.replace_all_uses_with(values)
            cast.erase()
            dismantle_alone(cast)
            continue
        inputs = ", ".join(f"'{operand.type}'" for operand in cast.operands)
        outputs = ", ".join(f"'{result.type}'" for result in cast.results)
        message = (
            f"failed to legalize unresolved materialization from ({inputs}) to ({outputs}) "
            "that remained live after conversion"
        )
        diagnostics.append(Diagnostic(message, cast.span, code=UNRESOLVED, notes=_sides(cast), op=cast))
    return diagnostics


def _sides(cast: Operation) -> tuple[Note, ...]:
    """What gives the value and what takes it, each with the type that it has there."""
    gives = next((operand.defining_op for operand in cast.operands if operand.defining_op is not None), None)
    takes = next((user for result in cast.results for user in result.uses), None)
    notes: list[Note] = []
    if takes is not None:
        notes.append(Note("see existing live user here", takes.span, op=takes, shows=True))
    if gives is not None:
        given = ", ".join(f"'{operand.type}'" for operand in cast.operands)
        notes.append(Note(f"'{gives.name}' gives {given}: it was converted", gives.span, hint=True))
    if takes is not None:
        wanted = ", ".join(f"'{result.type}'" for result in cast.results)
        notes.append(Note(f"'{takes.name}' takes {wanted}: it was not, or to another type", takes.span, hint=True))
    return tuple(notes)
