"""The pipeline that runs where nobody names another, and how one is named. It knows its passes, so who imports it
imports them."""

from __future__ import annotations

import shlex
from typing import Final

from fathom.passes import find
from fathom.pipeline.language import Find, Named, Pipeline, parse_pipeline

_WHOLE: Final = "lower-to-llvm"
LOWER_TO_LLVM: Final = parse_pipeline(["--lower-to-llvm"])


def pipeline_of(text: str, find: Find = find) -> Pipeline:
    """The pipeline that a text names: mlir-opt's flags, or its pipeline language; empty for `lower-to-llvm`."""
    text = text.strip()
    if not text:
        return whole_lowering(find)
    if not text.startswith("-"):
        return parse_pipeline(text, find)
    try:
        flags = shlex.split(text)
    except ValueError:  # a quotation mark that is not closed
        flags = text.split()
    return parse_pipeline(flags, find)


def whole_lowering(find: Find) -> Pipeline:
    """`lower-to-llvm`, with the passes of dialects of one's own in it if there are such."""
    return LOWER_TO_LLVM if find(_WHOLE) is None else parse_pipeline([f"--{_WHOLE}"], find)


def is_whole(pipeline: Pipeline) -> bool:
    """Whether a pipeline is that one, which has all passes that there are."""
    items = pipeline.root.items
    named = items[0].named if len(items) == 1 and isinstance(items[0], Named) else None
    return named is not None and named.name == _WHOLE and not named.given()
