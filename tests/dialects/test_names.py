"""Types and attributes of dialects have names, which begin their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fathom.elaborate import load
from fathom.ir.attributes import Attribute, TypeAttr
from fathom.ir.custom_text import CustomText
from fathom.ir.operation import Operation
from fathom.ir.types import Type
from tests.dialects.goldens import fixtures

NAMED = re.compile(r"[!#](\w+)[.<]([\w.]+)")


def elements_of(module: Operation) -> Iterator[Type | Attribute]:
    """All types and attributes in a module, with those that are written in others."""
    seen: dict[int, Type | Attribute] = {}

    def meet(element: Type | Attribute) -> str:
        if id(element) not in seen and not isinstance(element, CustomText):
            seen[id(element)] = element
            element.spell(meet)
        return ""

    for op in module.walk():
        blocks = [block for region in op.regions for block in region.blocks]
        for value in (*op.results, *(argument for block in blocks for argument in block.arguments)):
            meet(value.type)
        for attribute in (*op.properties.values(), *op.attributes.values()):
            meet(attribute)
    yield from seen.values()


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_begins_the_text(path: Path) -> None:
    for element in elements_of(load(path.read_text(encoding="utf-8")).module):
        written = NAMED.match(str(element)) if not isinstance(element, TypeAttr) else None
        dialect, name = written.groups() if written is not None else ("", "")
        name = name.partition("DW_")[0]  # An element of an expression stands right behind its name.
        assert element.full_name == f"{dialect}{'.' * bool(name)}{name}", str(element)
