"""Hovers of aliases: what they stand for."""

from __future__ import annotations

from fathom.ir.types import Type
from fathom_server.features.hover.attributes import attribute_lines
from fathom_server.features.hover.texts import Said, brief, code
from fathom_server.features.hover.types import about_type
from fathom_server.model.subjects import Alias


def alias_text(subject: Alias) -> Said:
    """An alias with what it stands for."""
    meaning = subject.meaning
    about = about_type(meaning) if isinstance(meaning, Type) else Said(tuple(attribute_lines(meaning)))
    return about.after(code(f"{subject.name} = {brief(meaning)}"))
