"""What operations are validated for: `#tosa.target_env`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectAttr
from fathom.ir.traversal import ancestors
from fathom.passes.tosa.targets import cases
from fathom.passes.transforms.tosa_validate.supported import FIRST, SINCE_SECOND
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation


@record
class Level:
    """The greatest that operations of a level may have: ranks, kernels, strides, scales, the logarithm of sizes in
    bytes, regions in regions, and lists of tensors."""

    rank: int
    kernel: int
    stride: int
    scale: int
    size: int
    nesting: int
    list: int


_LEVEL_8K: Final = Level(6, 8192, 8192, 256, 31, 6, 64)


@record
class Target:
    """A level, or none at all; a version of the specification, which since 1.1 lets sizes be open; and profiles and
    extensions."""

    level: Level | None = _LEVEL_8K
    version: tuple[int, int] = FIRST
    modes: tuple[str, ...] = ("pro_int", "pro_fp")


def target_of(module: Operation) -> Target:
    """What a module says, or one around it."""
    for outer in (module, *ancestors(module)):
        attribute = outer.attributes.get("tosa.target_env")
        if isinstance(attribute, DialectAttr) and attribute.full_name == "tosa.target_env":
            return _read(attribute)
    return Target()


def check_target(target: Target) -> str | None:
    """Why there cannot be such a target: it has extensions that its version does not have."""
    extension = next((mode for mode in target.modes if mode in SINCE_SECOND), None)
    if extension is None or target.version != FIRST:
        return None
    return f"extension '{extension}' is not compatible with the target version 1.0, minimum required version is 1.1"


def _read(attribute: DialectAttr) -> Target:
    version, level, profiles, extensions = attribute.parameters
    modes = (*_names("ProfileAttr", profiles), *_names("ExtensionAttr", extensions))
    return Target(_LEVEL_8K if level else None, (1, 1) if version else FIRST, modes)


def _names(attribute: str, numbers: Parameter) -> Iterator[str]:
    names = {number: name for name, number in cases(attribute).items()}
    known = numbers if isinstance(numbers, tuple) else ()
    return (names[parameter] for parameter in known if isinstance(parameter, int))
