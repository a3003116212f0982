"""What is wanted of LLVM: how it optimises, for which machine, and in which form the answer is."""

from __future__ import annotations

import json
import re
from typing import Final, Literal, TypeAlias

from fathom.llvm.codegen.passes import Group, NoPipeline, groups_of
from fathom.llvm.codegen.targets import NoTarget, Target, target_of
from fathom.records import field, record

Form: TypeAlias = Literal["ir", "assembly", "object", "disassembly"]
"""Optimised LLVM IR, assembly, an object file, or that as text."""
_LEVEL: Final = re.compile(r"(?:default<O([0-3sz])>|-?O?([0-3sz]))")


@record
class Optimization:
    """How LLVM optimises: at a level, `0` to `3`, `s` or `z`, or, if that is empty, by these passes."""

    level: str = "2"
    groups: tuple[Group, ...] = ()

    @property
    def speed(self) -> int:
        """The number of the level for LLVM: those for small code are the second. With passes it is the usual one."""
        return int(self.level) if self.level.isdigit() else 2


@record
class Wanted:
    """How code is made."""

    optimization: Optimization = field(default_factory=Optimization)
    target: Target = field(default_factory=Target)

    def question(self, form: Form, *, lines: bool, keeps: bool, remarks: bool = False) -> str:
        """The line that stands before a module in a question to LLVM: whether `lines` are to be found again, whether
        its debug information is its own, which it `keeps`, and whether `remarks` are wanted."""
        how, target = self.optimization, self.target
        return json.dumps(
            {
                "form": form,
                "level": how.level,
                "speed": how.speed,
                "groups": [[group.unit, *group.passes] for group in how.groups],
                "triple": target.triple,
                "cpu": target.cpu,
                "features": target.features,
                "abi": target.abi,
                "lines": lines,
                "keeps": keeps,
                "remarks": remarks,
            }
        )


class NotWanted(ValueError):
    """What a text says of optimisation or of a machine makes no sense; the message says why, and `at` where in the
    text."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


def optimization_of(text: str) -> Optimization:
    """The optimisation that a text names: a level (`2`, `O2`, `s`), or passes as `opt -passes` takes them. Raises
    NotWanted."""
    level = _LEVEL.fullmatch(text.strip())
    if level is not None:
        return Optimization(level[1] or level[2])
    try:
        return Optimization("", groups_of(text))
    except NoPipeline as problem:
        raise NotWanted(str(problem), problem.at) from None


def machine_of(name: str, cpu: str = "", features: str = "") -> Target:
    """The target of a name or a triple. Raises NotWanted."""
    try:
        return target_of(name, cpu, features)
    except NoTarget as problem:
        raise NotWanted(str(problem)) from None
