"""The page that explains a code: a file of the checkout, or of the installed package, so that it is of this version."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lsprotocol import types

import fathom


@cache
def folder() -> Path:
    """Where the pages are."""
    checkout = Path(__file__).resolve().parents[3] / "docs" / "errors"
    return checkout if checkout.is_dir() else Path(fathom.__file__).resolve().parent / "errors"


@cache
def explained(code: str) -> types.CodeDescription | None:
    """The link to the page of a code; None where there is none."""
    page = folder() / f"{code}.md"
    return types.CodeDescription(page.as_uri()) if code and page.is_file() else None
