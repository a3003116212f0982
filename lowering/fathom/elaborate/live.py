"""A text that stays elaborated while it is edited: what an edit changed is elaborated again, and what depends on it.

There is one IR for the present version of the text, which changes in place. An edit in the middle of a block is
followed (`fathom.elaborate.live_edit`); its result is that of reading the text from nothing. After any other edit the
text has to be, when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.context import Context
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.elaborator import Elaborator
from fathom.elaborate.live_edit import Edit, Update
from fathom.elaborate.meaning import Aliases
from fathom.elaborate.nesting import NotFollowed
from fathom.elaborate.sites import home_of
from fathom.elaborate.templates import Template
from fathom.ir.operation import Operation
from fathom.syntax.tree import Item


class Live:
    """The elaborated text of one item, kept up to date. It is made by `read` before anything else."""

    def __init__(self, context: Context, aliases: Aliases, item: Item) -> None:
        self.context = context
        self.item = item
        self.elaborator = Elaborator(context, aliases)
        self.known: Elaborated = self.elaborator.result
        self.known.is_live = True

    def read(self) -> None:
        """Elaborates the text."""
        self.elaborator.run([self.item])

    def prepare(self) -> None:
        """Does ahead what the first edit would need."""
        for names in {id(names): names for names in self.known.scopes.values()}.values():
            names.regions_of("")

    def update(self, item: Item) -> Update | None:
        """Goes on to the text as it is now. None if that cannot be followed: it is of no use any more then."""
        former, self.item = self.item, item
        if item.frame is not former.frame:
            return None
        try:
            return Edit(self.elaborator, former, item).run()
        except (NotFollowed, RecursionError):
            return None

    # ---- what is known of its operations

    def likeness(self, op: Operation) -> Template | None:
        """What an operation was made by, if it was made like others."""
        return self.known.template(op)

    def operations(self) -> Iterator[tuple[Operation, Template | None]]:
        """The operations whose names stand in the text, in no order, each with its template if it has no regions, and
        those of regions that the text leaves out."""
        for site in self.known.sites.values():
            if site.template is not None and site.op is not None:
                yield site.op, site.template
            else:
                for op in site.operations.values():
                    yield op, None
                    yield from ((implied, None) for implied in _implied_in(op))

    @property
    def is_in_order(self) -> bool:
        """Whether all values are defined before they are used, in a text that is one operation."""
        known = self.known
        return len(known.operations) == 1 and not any(names.ordered for names in known.scopes.values())

    def stands_before(self, one: Operation, other: Operation) -> bool:
        """Whether an operation stands before another one of its block, as their text does."""
        if other.next is None:
            # It may be a terminator that the text leaves out, whose place in it is that of the operation around it.
            return one is not other
        first, second = home_of(one), home_of(other)
        if first is None or second is None or first is second:
            return one.is_before_in_block(other)
        return first.order < second.order


def _implied_in(op: Operation) -> Iterator[Operation]:
    """What stands in the regions of an operation without a text of its own: it has the span of that operation."""
    for region in op.regions:
        first = region.first.first if region.first is not None else None
        if first is not None and first.span == op.span:
            yield from region.walk()
