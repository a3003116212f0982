"""What the passes that attach targets to GPU modules share.

gpu.module @kernels { … }   ->   gpu.module @kernels [#nvvm.target<chip = "sm_90">] { … }
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fathom.dialects import own_description
from fathom.ir.attributes import UNIT, ArrayAttr, Attribute, DictAttr, StringAttr
from fathom.ops.gpu import ModuleOp

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation


def gpu_modules(op: Operation) -> list[ModuleOp]:
    """The GPU modules directly in the regions of an operation."""
    return [each for region in op.regions for each in region.operations() if isinstance(each, ModuleOp)]


def attach(modules: Iterable[ModuleOp], matching: str, target: Attribute) -> None:
    """Adds a target to the modules whose names the regular expression `matching` finds something in; an empty one takes
    all, and one that is none takes none, as in MLIR. A module has no target twice in a row."""
    try:
        pattern = re.compile(matching)
    except re.error:
        return
    for module in modules:
        if not pattern.search(module.sym_name.value):
            continue
        targets = [*(module.targets.elements if module.targets is not None else ()), target]
        kept = [each for index, each in enumerate(targets) if not index or targets[index - 1] != each]
        module.properties["targets"] = ArrayAttr(tuple(kept))


def target(dialect: str, name: str, **parameters: Parameter) -> Attribute:
    """The target of a dialect, by the name of its class."""
    return own_description(dialect).attributes[name].make_attribute(**parameters)


def flags(words: Mapping[str, bool], tool: str = "", options: str = "") -> DictAttr | None:
    """Those words that hold, and the options for a tool as they are written on a command line; None for nothing."""
    entries: list[tuple[str, Attribute]] = [(word, UNIT) for word, holds in words.items() if holds]
    if options.strip():
        entries.append((tool, ArrayAttr(tuple(StringAttr(word) for word in shlex.split(options)))))
    return DictAttr(tuple(sorted(entries, key=lambda entry: entry[0]))) if entries else None


def files(names: Sequence[str]) -> ArrayAttr | None:
    """The libraries that are linked; None for none."""
    return ArrayAttr(tuple(map(StringAttr, names))) if names else None
