"""What only code says of dialects that files describe: modules in Python that a person names on the command line.

    CODE = {"shop": DialectCode(operations={"fill": OpCode(verify=verify_fill)})}

A module is run, with all that it may do; so nothing names one but a person.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.code import DialectCode


class WrongCode(Exception):
    """A module that has no code of dialects; its text says why, with the place."""


@record(eq=False, slots=False)
class Code:
    """The code of dialects by their names. What was read of one module stays the same object."""

    of: Mapping[str, DialectCode] = MappingProxyType({})


def read_code(path: str) -> Code:
    """The code in a module. Raises WrongCode where it fails, or has no `CODE`."""
    from fathom.irdl.code import DialectCode

    spec = spec_from_file_location(f"fathom_code_{Path(path).stem}", path)
    if spec is None or spec.loader is None:
        raise WrongCode(f"{path}:1: no module in Python")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        line = error.lineno if isinstance(error, SyntaxError) else frames[-1].lineno if frames else None
        raise WrongCode(f"{path}:{line or 1}: {type(error).__name__}: {error}") from error
    found: object = getattr(module, "CODE", None)
    if not isinstance(found, dict):
        raise WrongCode(f"{path}:1: no `CODE`: a dictionary of `DialectCode` by the names of dialects")
    entries = cast("dict[Any, Any]", found)
    if any(not isinstance(name, str) or not isinstance(code, DialectCode) for name, code in entries.items()):
        raise WrongCode(f"{path}:1: `CODE` is a dictionary of `DialectCode` by the names of dialects")
    return Code(cast("dict[str, DialectCode]", entries))
