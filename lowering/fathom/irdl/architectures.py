"""The traits by which an operation asks for an architecture: `NVVMRequiresSM<90>`, `NVVMRequiresSMa<100, 101>`.

Such an operation may stand only in GPU modules whose targets, if they are to be checked, have it. Source of the rules:
`NVVMRequiresSMTraits.td` of MLIR 22.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.declared import Trait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.ir.operation import Operation

_CHIP: Final = re.compile(r".{3}(\d+)")


TARGETS: Final = "targets"
"""The property with which an operation says for which machines what is in it is made."""


def chip_version(chip: str) -> int | None:
    """The version of an architecture: 90 for `sm_90a`."""
    match = _CHIP.match(chip)
    return int(match[1][:9]) if match is not None else None


def checked_chips(module: Operation) -> Iterator[str]:
    """The chips of a GPU module's targets that are to be checked."""
    targets = module.properties.get(TARGETS)
    for target in targets.elements if isinstance(targets, ArrayAttr) else ():
        if isinstance(target, DialectAttr) and target.full_name == "nvvm.target" and _is_checked(target):
            chip = target.parameter("chip")
            if isinstance(chip, str):
                yield chip


def _is_checked(target: DialectAttr) -> bool:
    """Whether a target asks for it; those of older editions of MLIR cannot."""
    return "verifyTarget" in target.definition.names and bool(target.parameter("verifyTarget"))


def requires(name: str, versions: tuple[int, ...], *, accelerated: bool) -> Trait:
    """The trait of an operation that needs this version or a later one; or, `accelerated`, exactly one of these, of
    whose features none comes back in later ones."""

    def has_it(chip: str) -> bool:
        version = chip_version(chip)
        if version is None:
            return True  # What this chip has nobody says.
        return chip.endswith("a") and version in versions if accelerated else version >= versions[0]

    def verify(op: Operation) -> str | None:
        around = op.parent_op
        while around is not None and TARGETS not in around.properties:
            around = around.parent_op
        lacking = next((chip for chip in checked_chips(around) if not has_it(chip)), None) if around else None
        return f"is not supported on {lacking}" if lacking is not None else None

    return Trait(name, verify)
