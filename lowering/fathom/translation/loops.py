"""Hints on loops: `#llvm.loop_annotation<…>` as the metadata that a loop's branch carries.

Source of the names: *LLVM Language Reference*, "'llvm.loop' Metadata", and *'llvm' Dialect*, "LoopAnnotationAttr".
"""

from __future__ import annotations

import re
from typing import Final

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation
from fathom.translation.function import FunctionEmitter, Untranslatable
from fathom.translation.metadata import Node

SIMPLE_LOOP_HINTS: Final = {
    "disableNonforced": ("llvm.loop.disable_nonforced", False),
    "mustProgress": ("llvm.loop.mustprogress", False),
    "isVectorized": ("llvm.loop.isvectorized", True),
}
NESTED_LOOP_HINTS: Final[dict[str, dict[str, str]]] = {
    "vectorize": {
        "disable": "llvm.loop.vectorize.enable",
        "predicateEnable": "llvm.loop.vectorize.predicate.enable",
        "scalableEnable": "llvm.loop.vectorize.scalable.enable",
        "width": "llvm.loop.vectorize.width",
    },
    "interleave": {"count": "llvm.loop.interleave.count"},
    "unroll": {
        "disable": "llvm.loop.unroll.disable",
        "count": "llvm.loop.unroll.count",
        "runtimeDisable": "llvm.loop.unroll.runtime.disable",
        "full": "llvm.loop.unroll.full",
    },
    "licm": {"disable": "llvm.licm.disable", "versioningDisable": "llvm.loop.licm_versioning.disable"},
    "distribute": {"disable": "llvm.loop.distribute.enable"},
    "pipeline": {
        "disable": "llvm.loop.pipeline.disable",
        "initiationinterval": "llvm.loop.pipeline.initiationinterval",
    },
}
WITH_VALUE: Final = frozenset({"llvm.loop.pipeline.disable", "llvm.loop.unroll.runtime.disable"})
"""The hints that say themselves whether they hold."""


def loop_node(out: FunctionEmitter, op: Operation, annotation: Attribute) -> Node:
    """The loop's own distinct node; equal annotations share it, as in MLIR."""
    found = out.module.loops.get(annotation)
    if found is not None:
        return found
    metadata = out.module.metadata
    hints: list[str | Node] = []
    text = str(annotation)
    for name, (key, numeric) in SIMPLE_LOOP_HINTS.items():
        if (match := re.search(rf"\b{name}\s*=\s*(true|false)", text)) and match[1] == "true":
            hints.append(metadata.node(f'!"{key}"', *(["i32 1"] if numeric else [])))
    for name, options in NESTED_LOOP_HINTS.items():
        if (match := re.search(rf"\b{name}\s*=\s*(?:#llvm\.loop_\w+)?<([^>]*)>", text)) is not None:
            hints += _nested_hints(out, match[1], options)
    if re.search(r"=\s*#loop_", text) or "#llvm.loop_annotation<" not in text:
        raise Untranslatable(op, "unsupported loop annotation: its parts must be written out")
    node = Node((), distinct=True)
    node.operands = (node, *hints)
    out.module.loops[annotation] = node
    return node


def _nested_hints(out: FunctionEmitter, text: str, options: dict[str, str]) -> list[Node]:
    hints: list[Node] = []
    for option, key in options.items():
        match = re.search(rf"\b{option}\s*=\s*(true|false|-?\d+\s*:\s*i32)", text)
        if match is None:
            continue
        value = match[1]
        if value[-1] == "2":
            number = value.partition(":")[0].strip()
            hints.append(out.module.metadata.node(f'!"{key}"', f"i32 {number}"))
        elif key.endswith(".enable"):
            enabled = (value == "true") != (option == "disable")
            hints.append(out.module.metadata.node(f'!"{key}"', f"i1 {str(enabled).lower()}"))
        elif key in WITH_VALUE:
            hints.append(out.module.metadata.node(f'!"{key}"', f"i1 {value}"))
        elif key == "llvm.loop.unroll.disable" and value == "false":
            hints.append(out.module.metadata.node('!"llvm.loop.unroll.enable"'))
        elif value == "true":
            hints.append(out.module.metadata.node(f'!"{key}"'))
    return hints
