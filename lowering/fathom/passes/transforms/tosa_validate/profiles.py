"""Whether the target has the profiles and the extensions that an operation asks for with its types.

Source: *TOSA specification*, "Profiles", "Extensions"; the texts are those of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.transforms.tosa_validate.data_types import types_of
from fathom.passes.transforms.tosa_validate.supported import supports

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.passes.transforms.tosa_validate.supported import Support
    from fathom.passes.transforms.tosa_validate.target import Target

_OF_INTEGERS: Final = frozenset("int16 int4 doubleround inexactround".split())
_OF_FLOATS: Final = frozenset("bf16 fp8e4m3 fp8e5m2 fft mxfp".split())
"""The extensions that add to one profile only."""


def check_profiles(op: Operation, target: Target) -> str | None:
    """Why the target does not have an operation: first its profiles count, then its extensions."""
    known = supports().get(op.name, ())
    profiles = [support for support in known if support.is_profile]
    extensions = [support for support in known if not support.is_profile]
    return _check(op, profiles, target) or _check(op, extensions, target)


def _check(op: Operation, known: Sequence[Support], target: Target) -> str | None:
    if not known:
        return None
    if not known[0].types:
        return _missing(known[0], target)
    types = types_of(op)
    support = next((candidate for candidate in known if types in candidate.types), None)
    if support is None:
        return None
    missing = _missing(support, target)
    if missing is not None:
        return missing
    for mode in () if support.is_profile else support.modes:
        beside = _profiles_with(mode)
        if not any(needed in target.modes for needed in beside):
            return f"illegal: requires [{', '.join(beside)}] to work with but not enabled in target\n"
    if support.version > target.version:
        return (
            f"illegal: the target specification version ({_number(target.version)}) is not backwards compatible with "
            f"the op compliance specification version ({_number(support.version)})\n"
        )
    return None


def _missing(support: Support, target: Target) -> str | None:
    has = [mode in target.modes for mode in support.modes]
    if all(has) if support.asks_all else any(has):
        return None
    how = "" if len(has) == 1 else " all of" if support.asks_all else " any of"
    return f"illegal: requires{how} [{', '.join(support.modes)}] but not enabled in target\n"


def _profiles_with(extension: str) -> tuple[str, ...]:
    """The profiles to one of which an extension adds."""
    if extension in _OF_INTEGERS:
        return ("pro_int",)
    return ("pro_fp",) if extension in _OF_FLOATS else ("pro_fp", "pro_int")


def _number(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
