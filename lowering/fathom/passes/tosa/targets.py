"""`#tosa.target_env`, made of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
from fathom.dialects.tosa import DESCRIPTION
from fathom.irdl.parameters import EnumerationKind

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


class _Unknown(Exception):
    """There is nothing of a name; the message is what MLIR says of that."""


def cases(attribute: str) -> Mapping[str, int]:
    """The words of an enumeration that an attribute of tosa holds, each with its number."""
    kind = DESCRIPTION.attributes[attribute].parameters[0].kind
    return kind.enumeration.cases if isinstance(kind, EnumerationKind) else {}


def attach(
    module: Operation, version: str, level: str, profiles: Sequence[str], extensions: Sequence[str]
) -> list[Diagnostic]:
    """Has a module say what it is for; or says which of the names nothing has."""
    try:
        module.attributes["tosa.target_env"] = DESCRIPTION.attributes["TargetEnvAttr"].make_attribute(
            specification_version=cases("SpecificationVersionAttr")[version],
            level=cases("LevelAttr")[level],
            profiles=_numbers("profile", profiles, cases("ProfileAttr")),
            extensions=_numbers("extension", extensions, cases("ExtensionAttr")),
        )
    except _Unknown as unknown:
        return [Diagnostic(str(unknown), module.span, code=REFUSED_BY_PASS, op=module)]
    return []


def _numbers(what: str, names: Sequence[str], known: Mapping[str, int]) -> tuple[int, ...]:
    for name in names:
        if name not in known:
            others = ", ".join(text for text in known if text != "none")
            raise _Unknown(f"Unknown TOSA {what} name passed in '{name}', supported {what}s are: {others}")
    return tuple(known[name] for name in names)
