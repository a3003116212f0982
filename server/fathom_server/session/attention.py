"""What a client looks at, of a document: for how long it is open, though it be read again."""

from __future__ import annotations

from fathom.records import field, record
from fathom_server.session.asked import Asked
from fathom_server.session.previews import Previews


@record(frozen=False)
class Attention:
    """What somebody asked about in a document, the previews of it, and what the client does not know of its lenses."""

    asked: Asked = field(default_factory=Asked)
    previews: Previews = field(default_factory=Previews)
    stuck: int = 0
    """Of how many items it was found that they do not lower, since the lenses were asked for."""
