"""How a dialect that comes from elsewhere is lowered: its patterns, and what its types become.

A pass `lower-NAME` is made of this (`fathom.passes.own_dialects`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.irdl.aspects import Aspect
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.pattern import RewriteFunction

    Becomes: TypeAlias = Callable[[Type, Definitions], Type]
    """What a type becomes."""


@record(eq=False)
class Rule:
    """A pattern for the operations of a full name. It makes such of the dialects `into`. `summary` says for people what
    it does, and `file` and `line` where it stands."""

    root: str
    into: tuple[str, ...]
    rewrite: RewriteFunction
    benefit: int = 1
    summary: str = ""
    file: str = ""
    line: int = 0


@record(eq=False)
class DialectLowering:
    """The patterns of a dialect, and for the full names of its types what these become."""

    rules: tuple[Rule, ...] = ()
    types: Mapping[str, Becomes] = field(default_factory=dict[str, "Becomes"])

    @property
    def into(self) -> frozenset[str]:
        """The dialects of what the patterns make."""
        return frozenset(name for rule in self.rules for name in rule.into)


NO_LOWERING: Final = DialectLowering()

LOWERING: Final = Aspect[DialectLowering](
    "lowering",
    NO_LOWERING,
    lambda own, base: DialectLowering((*own.rules, *base.rules), {**base.types, **own.types}),
)
"""How a dialect is lowered."""
