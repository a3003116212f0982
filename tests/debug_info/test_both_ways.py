"""Nodes of LLVM IR become attributes and locations, and these the same nodes again."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from fathom.debug_info.attributes import DebugAttributes
from fathom.debug_info.locations import DebugLocations
from fathom.debug_info.nodes import DebugNodes
from fathom.llvmir.metadata import DbgLabelRecord, DbgRecord, DbgVariableRecord, MDNode, SpecializedMDNode
from fathom.llvmir.module import Module
from fathom.llvmir.node_flags import DI_FLAGS, DISP_FLAGS, FlagSet
from fathom.llvmir.reader import read
from fathom.llvmir.unique_nodes import UniqueNodes
from fathom.llvmir.writer import write
from fathom.records import replace

MODULES = sorted((Path(__file__).parent / "modules").glob("*.ll"))


class Renewal:
    """Makes the nodes of a module anew, each from the attribute that stands for it."""

    def __init__(self, module: Module) -> None:
        units = module.named_metadata["llvm.dbg.cu"]
        units.clear()
        unique = UniqueNodes()
        self.attributes = DebugAttributes(count())
        self.nodes = DebugNodes(unique, units)
        self.locations = DebugLocations(unique, self.nodes)
        for function in module.functions:
            function.metadata = self.attached(function.metadata)
            for block in function.blocks:
                for instruction in block.instructions:
                    instruction.records = [self.record(of) for of in instruction.records]
                    instruction.metadata = self.attached(instruction.metadata)

    def attached(self, metadata: tuple[tuple[str, MDNode], ...]) -> tuple[tuple[str, MDNode], ...]:
        return tuple((kind, self.node(node)) for kind, node in metadata)

    def node(self, node: object) -> MDNode:
        """What the attribute or the location of a node is."""
        assert isinstance(node, SpecializedMDNode)
        if node.kind.name == "DILocation":
            made = self.locations.location(self.attributes.location(node), None)
        else:
            made = self.nodes.node(self.attributes.attribute(node))
        assert made is not None
        return made

    def record(self, of: DbgRecord) -> DbgRecord:
        match of:
            case DbgVariableRecord(variable=variable, debug_loc=where, expression=expression):
                again = self.nodes.expression(self.attributes.expression(expression))
                return replace(of, variable=self.node(variable), debug_loc=self.node(where), expression=again)
            case DbgLabelRecord(label=label, debug_loc=where):
                return replace(of, label=self.node(label), debug_loc=self.node(where))
            case _:
                return of


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_modules(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    module = read(text)
    Renewal(module)
    assert write(module) == text


@pytest.mark.parametrize(
    ("flags", "number", "words"),
    [
        (DI_FLAGS, 0, ()),
        (DI_FLAGS, 3, ("DIFlagPublic",)),
        (DI_FLAGS, (1 << 2) | (1 << 5) | (1 << 11), ("DIFlagIndirectVirtualBase", "DIFlagVector")),
        (DI_FLAGS, (2 << 16) | 1, ("DIFlagPrivate", "DIFlagMultipleInheritance")),
        (DI_FLAGS, (1 << 31) | (1 << 6), ("DIFlagArtificial", 1 << 31)),
        (DISP_FLAGS, 3 | (1 << 3), ("DISPFlagVirtual", "DISPFlagPureVirtual", "DISPFlagDefinition")),
    ],
)
def test_flags(flags: FlagSet, number: int, words: tuple[str | int, ...]) -> None:
    assert flags.words(number) == words
    assert flags.number(words) == number
