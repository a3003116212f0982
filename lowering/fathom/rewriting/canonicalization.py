"""The canonicalisation patterns of dialects, found by the names of operations when these are first met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.records import field, record
from fathom.rewriting.pattern import sorted_by_root

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.pattern import Pattern


@record(frozen=False)
class CanonicalizationPatterns:
    """The patterns of the dialects of a context. Those whose names are `disabled` are left out; if any are `enabled`,
    all others are."""

    context: Definitions
    disabled: frozenset[str] = frozenset()
    enabled: frozenset[str] = frozenset()
    _dialects: dict[str, dict[str, list[Pattern]]] = field(default_factory=dict[str, "dict[str, list[Pattern]]"])

    def of(self, name: str) -> Sequence[Pattern]:
        """The patterns for operations of this name, those of higher benefit first."""
        dialect = name.partition(".")[0]
        known = self._dialects.get(dialect)
        if known is None:
            patterns = self.context.canonicalization(dialect)
            known = self._dialects[dialect] = sorted_by_root(each for each in patterns if self._is_wanted(each))
        return known.get(name, ())

    def _is_wanted(self, pattern: Pattern) -> bool:
        names = {pattern.name, pattern.name.rpartition("::")[2]}
        return not names & self.disabled and (not self.enabled or bool(names & self.enabled))
