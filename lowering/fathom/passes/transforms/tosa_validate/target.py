"""What operations are validated for: `#tosa.target_env`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectAttr
from fathom.ir.traversal import ancestors
from fathom.passes.tosa.targets import cases
from fathom.records import record

if TYPE_CHECKING:
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
    """A level, or none at all; whether sizes may be open, as they may since version 1.1; and extensions."""

    level: Level | None = _LEVEL_8K
    may_be_open: bool = False
    extensions: frozenset[str] = frozenset()


def target_of(module: Operation) -> Target:
    """What a module says, or one around it."""
    for each in (module, *ancestors(module)):
        found = each.attributes.get("tosa.target_env")
        if isinstance(found, DialectAttr) and found.full_name == "tosa.target_env":
            return _read(found)
    return Target()


def _read(attribute: DialectAttr) -> Target:
    version, level, _, extensions = attribute.parameters
    names = {number: name for name, number in cases("ExtensionAttr").items()}
    known = extensions if isinstance(extensions, tuple) else ()
    return Target(
        _LEVEL_8K if level else None,
        bool(version),
        frozenset(names[each] for each in known if isinstance(each, int)),
    )
