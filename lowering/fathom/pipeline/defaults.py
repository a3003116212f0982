"""The pipeline that runs where nobody names another, and how one is named. It knows its passes, so who imports it
imports them."""

from __future__ import annotations

import shlex
from typing import Final

from fathom.passes import find
from fathom.pipeline.language import Find, Pipeline, parse_pipeline

LOWER_TO_LLVM: Final = parse_pipeline(["--lower-to-llvm"])


def pipeline_of(text: str, find: Find = find) -> Pipeline:
    """The pipeline that a text names: mlir-opt's flags, or its pipeline language; empty for `lower-to-llvm`."""
    text = text.strip()
    if not text:
        return LOWER_TO_LLVM
    if not text.startswith("-"):
        return parse_pipeline(text, find)
    try:
        flags = shlex.split(text)
    except ValueError:  # a quotation mark that is not closed
        flags = text.split()
    return parse_pipeline(flags, find)
