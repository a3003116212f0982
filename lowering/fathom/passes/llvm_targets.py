"""The target that an operation names by `llvm.target`, and the machine that LLVM has for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
from fathom.ir.attributes import StringAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.llvm.targets import Machine, UnknownTarget, machine
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

TARGET = "llvm.target"


@record
class Target:
    """What `#llvm.target` says: a triple, a processor, and features as LLVM takes them, `+avx,-mmx`."""

    attribute: DialectAttr
    triple: str
    chip: str
    features: str


def target_of(op: Operation) -> Target | None:
    """The target of an operation; None where it names none."""
    attribute = op.attributes.get(TARGET)
    if not isinstance(attribute, DialectAttr) or attribute.full_name != TARGET:
        return None
    triple, chip, features = (attribute.parameter(name) for name in ("triple", "chip", "features"))
    words = features.parameter("features") if isinstance(features, DialectAttr) else ()
    listed = [word.value for word in words if isinstance(word, StringAttr)] if isinstance(words, tuple) else []
    return Target(attribute, _text(triple), _text(chip), ",".join(listed))


def _text(value: object) -> str:
    return value.value if isinstance(value, StringAttr) else ""


def machine_of(target: Target, is_known: bool) -> Machine | None:
    """What LLVM has for a target, if targets are known at all; None for nothing."""
    try:
        return machine(target.triple, target.chip, target.features) if is_known else None
    except UnknownTarget:
        return None


def refused(op: Operation, message: str) -> list[Diagnostic]:
    """What a pass says that cannot do anything with an operation."""
    return [Diagnostic(message, op.span, code=REFUSED_BY_PASS, op=op)]
