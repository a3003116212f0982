"""What was seen of code of a workspace when it was run."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.descriptions.files import DialectFile
from fathom.descriptions.places import Finding
from fathom.records import field, record


@record
class Seen:
    """What code says: of which dialects, and what is wrong with it. While something is, it counts for nothing."""

    spoken: Mapping[str, tuple[str, ...] | None] = field(default_factory=dict[str, "tuple[str, ...] | None"])
    findings: tuple[Finding, ...] = ()
    code: tuple[DialectFile, ...] = ()
