"""What is said of a suggestion when somebody looks at it."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.irdl.definition import OpDefinition
from fathom.passes import find, find_pipeline
from fathom_server.features.completion.written import parts_of, spaced
from fathom_server.model.snapshot import Snapshot


def documentation(snapshot: Snapshot, subject: str) -> str:
    """What an operation of a full name is and how it is written, or what a pass does, in Markdown; empty for one that
    is not known."""
    if "." not in subject:
        declared = find(subject) or find_pipeline(subject)
        return declared.summary if declared is not None else ""
    definition = snapshot.context.lookup(subject)
    return "\n\n".join(_said(definition)) if definition is not None else ""


def _said(definition: OpDefinition) -> Iterator[str]:
    if definition.summary:
        yield definition.summary
    parts = [f"{part.text}{part.place or ''}" for part in parts_of(definition, whole=True)]
    if parts:
        yield f"```mlir\n{definition.name} {''.join(spaced(parts)).strip()}\n```"
    for title, groups in (("Operands", definition.operands), ("Results", definition.results)):
        if groups:
            yield f"{title}: " + ", ".join(f"`{group.name}` ({group.constraint.summary})" for group in groups)
    if definition.properties:
        yield "Attributes: " + ", ".join(f"`{prop.name}`" for prop in definition.properties)
    if definition.description:
        yield definition.description
