"""Hovers of aliases: what they stand for."""

from __future__ import annotations

from fathom.ir.types import Type
from fathom_server.features.hover.attributes import attribute_lines
from fathom_server.features.hover.texts import brief, code, together
from fathom_server.features.hover.types import detail_lines, parameter_lines, summary_lines
from fathom_server.model.subjects import Alias


def alias_text(subject: Alias) -> str:
    """An alias with what it stands for."""
    meaning = subject.meaning
    head = code(f"{subject.name} = {brief(meaning)}")
    if not isinstance(meaning, Type):
        return together([head, *attribute_lines(meaning)])
    return together([head, *summary_lines(meaning)], [*parameter_lines(meaning), *detail_lines(meaning)])
