"""Rules for what branches of the LLVM dialect say of loops.

    llvm.br ^loop {llvm.loop = {options = #llvm.loopopts<disable_unroll = true>}}
    llvm.br ^loop {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}

Source of the rules: *'llvm' Dialect* of MLIR 16 and of today, "Attributes".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fathom.ir.attributes import Attribute, DictAttr
from fathom.ir.operation import Operation
from fathom.modernising.reading import attribute_of
from fathom.modernising.rewriting import CannotSay, OpRule, Rewriting

_SAID: Final = {
    "disable_licm": ("licm", "disable"),
    "disable_unroll": ("unroll", "disable"),
    "disable_pipeline": ("pipeline", "disable"),
    "interleave_count": ("interleave", "count"),
    "pipeline_initiation_interval": ("pipeline", "initiationinterval"),
}
"""The part of an annotation in which an option is today, and what it is called there."""
_OPTION: Final = re.compile(r"(\w+)\s*=\s*(\w+)")


def _annotate(op: Operation, rewriting: Rewriting) -> None:
    loop = op.attributes.get("llvm.loop")
    if not isinstance(loop, DictAttr):
        return
    entries = dict(loop.entries)
    if "parallel_access" in entries:
        raise CannotSay("the accesses of a loop are named by '#llvm.access_group' today, not by symbols")
    annotation = _annotation(str(entries.get("options", "")), rewriting)
    op.attributes.pop("llvm.loop")
    if annotation is not None:
        op.properties["loop_annotation"] = annotation


def _annotation(options: str, rewriting: Rewriting) -> Attribute | None:
    """What options are today; None where there are none. Raises CannotSay for one that is not known."""
    parts: dict[str, list[str]] = {}
    for name, value in _OPTION.findall(options):
        part, called = _SAID.get(name, ("", ""))
        if not part:
            raise CannotSay(f"the option '{name}' of a loop is gone")
        parts.setdefault(part, []).append(f"{called} = {value}{' : i32' if value.isdecimal() else ''}")
    if not parts:
        return None
    text = ", ".join(f"{part} = <{', '.join(said)}>" for part, said in parts.items())
    annotation = attribute_of(f"#llvm.loop_annotation<{text}>", rewriting.context)
    if annotation is None:
        raise CannotSay("what its options say of the loop cannot be said today")
    return annotation


RULES: Final[Mapping[tuple[int, str], OpRule]] = {(17, "llvm.br"): _annotate, (17, "llvm.cond_br"): _annotate}
