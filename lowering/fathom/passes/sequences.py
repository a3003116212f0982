"""Passes that run one after another on one operation, as an option of a pass names them: `canonicalize,cse`.

Source of the rules: *Pass Infrastructure*, "Textual Pass Pipeline Specification".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import PassPipeline

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.passes.definition import Pass


def read_sequence(text: str, context: Context) -> list[Pass] | str:
    """The passes that a text names, with their options; or what is wrong with it. They are not nested."""
    passes: list[Pass] = []
    for part in _parts(text):
        name, _, options = part.partition("{")
        known = context.find_pass(name.strip())
        if known is None:
            return f"'{name.strip()}' does not refer to a registered pass or pass pipeline"
        use = known.read(options.removesuffix("}"))
        if isinstance(use, str):
            return use
        if isinstance(use, PassPipeline):
            return f"'{use.name}' is a pipeline, not a pass"
        passes.append(use)
    return passes


def _parts(text: str) -> list[str]:
    """What stands between the commas that are in no braces."""
    parts, depth, start = list[str](), 0, 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]
