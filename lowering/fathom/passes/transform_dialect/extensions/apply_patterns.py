"""`transform.apply_patterns`: patterns, of which each operation in its region stands for some, until nothing changes.

Source of the rules: *Transform Dialect*, and `ApplyPatternsOp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.application import each
from fathom.passes.transform_dialect.models import PATTERNS, model_of, patterns, transforms
from fathom.rewriting.canonicalization import CANONICALIZATION
from fathom.rewriting.common_subexpressions import eliminate_common_subexpressions
from fathom.rewriting.greedy_driver import GreedyConfig, apply_greedily, apply_on

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Region
    from fathom.passes.transform_dialect.application import Application
    from fathom.rewriting.greedy_driver import PatternsOf
    from fathom.rewriting.pattern import Pattern

PARTS: Final = ("vector_patterns", "other_patterns")
MOST_ROUNDS: Final = 50


@transforms("transform.apply_patterns")
@each()
def apply_patterns(op: ops.ApplyPatternsOp, target: Operation, run: Application) -> None:
    run.refuse_itself(target)
    given = op.patterns
    apply_until_done(
        run,
        target,
        patterns_in(given, run),
        GreedyConfig(
            max_iterations=op.max_iterations.value,
            max_rewrites=op.max_num_rewrites.value,
            tracker=run.tracker,
        ),
        simplifies="apply_cse" in op.properties,
    )


def apply_until_done(
    run: Application, target: Operation, patterns: PatternsOf, config: GreedyConfig, *, simplifies: bool
) -> None:
    """Applies patterns; and, if it also `simplifies`, takes away what is computed twice, as long as there is such."""
    for _ in range(MOST_ROUNDS):
        if target.has(ISOLATED_FROM_ABOVE):
            is_done = apply_greedily(target, patterns, run.context, config)
        else:
            inner = [nested for nested in target.walk_postorder() if nested is not target]
            is_done = apply_on(inner, patterns, run.context, config)
        if not is_done:
            raise run.silenceable("greedy pattern application failed", at=target)
        if not simplifies or not any(eliminate_common_subexpressions(target, run.tracker)):
            return
    raise run.definite("fixpoint iteration did not converge")


def patterns_in(region: Region, run: Application) -> PatternsOf:
    """The patterns that the operations in a region stand for, by the names of what they are for."""
    context = run.context
    sets: list[Sequence[Pattern] | None] = []
    for each_op in region.first or () if not region.is_empty else ():
        model = model_of(each_op, PATTERNS, context)
        if model is None:
            raise run.definite(f"'{each_op.name}' op stands for patterns that are not known", at=each_op)
        sets.append(tuple(model(each_op, context)))
    return of_names([pattern for patterns in sets if patterns is not None for pattern in patterns], context)


def of_names(given: Sequence[Pattern], context: Context) -> PatternsOf:
    """Patterns by the names of operations, those of higher benefit first."""
    known: dict[str, Sequence[Pattern]] = {}

    def of(name: str) -> Sequence[Pattern]:
        of_kind = known.get(name)
        if of_kind is None:
            definition = context.lookup(name)
            fit = [pattern for pattern in given if pattern.is_for(name, definition)]
            of_kind = known[name] = tuple(sorted(fit, key=lambda pattern: -pattern.benefit))
        return of_kind

    return of


@patterns("transform.apply_patterns.canonicalization")
def canonicalization(op: Operation, context: Context) -> list[Pattern]:
    """Those of all dialects."""
    return [pattern for dialect in context.dialect_names() for pattern in context.aspect(CANONICALIZATION, dialect)]
