"""What completion suggests, as plain data."""

from __future__ import annotations

from typing import Literal

from fathom.records import record

Kind = Literal[
    "value",
    "argument",
    "function",
    "table",
    "data",
    "block",
    "type",
    "attribute",
    "keyword",
    "operation",
    "pass",
    "dialect",
    "word",
]


@record
class Suggestion:
    """What may take the place of the word at the cursor: `text`, or `label` itself if that is empty; with places to go
    to where it `is_snippet`. `detail` says in one line what it is; more is said of its `subject`, an operation or
    a pass, when somebody asks. Those that come first fit best; what `is_deprecated` should not be used any more."""

    label: str
    kind: Kind
    detail: str = ""
    documentation: str = ""
    text: str = ""
    is_snippet: bool = False
    subject: str = ""
    is_deprecated: bool = False


@record
class Completions:
    """The suggestions for the word between two offsets. There are more if they are not all."""

    start: int
    end: int
    suggestions: tuple[Suggestion, ...]
    is_incomplete: bool
