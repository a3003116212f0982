"""The context that knows what files say of dialects, for programs: descriptions, and modules with code."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.descriptions.code import WrongCode, context_with, mistakes_in_names, read_code
from fathom.descriptions.files import CODE
from fathom.descriptions.includes import Includes
from fathom.descriptions.reading import DialectReader

if TYPE_CHECKING:
    from fathom.context import Context


def context_of(files: Iterable[str], includes: Iterable[str] = ()) -> Context:
    """The library's dialects and those that files describe, with what modules in Python say of them. Raises ValueError,
    whose text says each mistake with its place, and OSError for a file that is not there."""
    paths = list(files)
    for path in paths:
        Path(path).stat()
    try:
        modules = [read_code(path) for path in paths if path.endswith(CODE)]
    except WrongCode as error:
        raise ValueError(str(error)) from error
    described = [path for path in paths if not path.endswith(CODE)]
    known = DialectReader().read(described, Includes(tuple(includes)))
    mistakes = [str(finding) for finding in known.findings if finding.severity == "error"]
    context = context_with(known.dialects.values(), modules)
    mistakes = mistakes or [str(mistake) for module in modules for mistake in mistakes_in_names(module, context)]
    if mistakes:
        raise ValueError("\n".join(mistakes))
    return context
