"""The canonicalisation patterns of dialects, found by the names of operations when these are first met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fathom.irdl.aspects import Aspect
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.pattern import Pattern


CANONICALIZATION: Final[Aspect[Sequence[Pattern]]] = Aspect("canonicalization", (), lambda own, base: (*own, *base))
"""The canonicalisation patterns of a dialect."""


def dialects_in(op: Operation) -> frozenset[str]:
    """The dialects of the operations nested in `op`."""
    return frozenset(name.partition(".")[0] for name in {operation.name for operation in op.walk()})


@record(frozen=False)
class CanonicalizationPatterns:
    """The patterns of the dialects of a context. Those whose names are `disabled` are left out; if any are `enabled`,
    all others are.

    A dialect may have patterns for operations of others, as one that adds to the accumulator of a `vector.contract` is
    for `arith.addi`; they count where the dialect is among those that are present.
    """

    context: Definitions
    disabled: frozenset[str] = frozenset()
    enabled: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()
    _known: dict[str, Sequence[Pattern]] = field(default_factory=dict[str, "Sequence[Pattern]"])

    def of(self, name: str) -> Sequence[Pattern]:
        """The patterns for operations of this name, those of higher benefit first."""
        known = self._known.get(name)
        if known is None:
            patterns = [pattern for pattern in self._for(name) if self._is_wanted(pattern)]
            known = self._known[name] = tuple(sorted(patterns, key=lambda pattern: -pattern.benefit))
        return known

    def _for(self, name: str) -> Iterator[Pattern]:
        """Those for every operation with a trait come first, then those for this one, dialect by dialect."""
        definition = self.context.lookup(name)
        dialects = sorted({name.partition(".")[0], *self.present})
        if definition is not None:
            has = definition.has
            yield from (pattern for pattern in self._of(dialects) if pattern.trait is not None and has(pattern.trait))
        yield from (pattern for pattern in self._of(dialects) if pattern.root == name)

    def _of(self, dialects: Iterable[str]) -> Iterator[Pattern]:
        for dialect in dialects:
            yield from self.context.aspect(CANONICALIZATION, dialect)

    def _is_wanted(self, pattern: Pattern) -> bool:
        names = {pattern.name, pattern.name.rpartition("::")[2]}
        return not names & self.disabled and (not self.enabled or bool(names & self.enabled))
