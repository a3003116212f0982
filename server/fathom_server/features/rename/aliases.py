"""Other names for aliases, which are known in their split of the document."""

from __future__ import annotations

from fathom.ir.operation import Span
from fathom_server.features.mentions import of_alias
from fathom_server.features.rename.places import line_of
from fathom_server.model.places import Spot
from fathom_server.model.snapshot import Snapshot


def places(snapshot: Snapshot, spot: Spot) -> list[Span]:
    """Where the name of the alias at a spot stands; nowhere if it is that of something that a dialect defines."""
    if "." in spot.token.text:
        return []
    spans = [Span(mention.start, mention.end) for mention in of_alias(snapshot, spot.item, spot.token.text)]
    # In `#test<…>` the name is that of a dialect, whatever alias is called so.
    return spans if any(span.start == spot.start for span in spans) else []


def problem(snapshot: Snapshot, spot: Spot, name: str) -> str | None:
    """Why the alias at a spot cannot have a name, given without its sign."""
    text = spot.token.text[0] + name
    taken = next(of_alias(snapshot, spot.item, text), None) if text != spot.token.text else None
    if taken is None:
        return None
    said = "defined" if taken.is_definition else "used"
    return f"'{text}' is {said} in line {line_of(snapshot, taken.start)} already"
