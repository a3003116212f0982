"""Running functions of the fixtures by name, with signatures in a few letters of MLIR."""

from __future__ import annotations

import re
from functools import cache

from fathom.execution import Json, Limits, RunOutcome, RunRequest, Worker
from fathom.ir.attributes import Attribute, StridedLayoutAttr, i64_attr
from fathom.ir.types import (
    DYNAMIC,
    INDEX,
    ComplexType,
    FloatType,
    FunctionType,
    IntegerType,
    MemRefType,
    Type,
    VectorType,
)
from tests.execution.goldens import FIXTURES

QUICK = Limits(seconds=300.0, memory=256 << 20)


@cache
def program(name: str) -> str:
    """The LLVM IR of a fixture."""
    return (FIXTURES / f"{name}.ll").read_text(encoding="utf-8")


@cache
def signatures(name: str) -> dict[str, FunctionType]:
    """The signatures of the functions of a fixture, from its MLIR text."""
    text = (FIXTURES / f"{name}.mlir").read_text(encoding="utf-8")
    matches = re.finditer(r"func\.func @(\w+)\((.*?)\)(?: -> (.*?))?(?: attributes .*?)? \{(?:\n| return)", text)
    return {match[1]: FunctionType(_arguments(match[2]), _results(match[3] or "")) for match in matches}


def run(
    worker: Worker, name: str, function: str, *arguments: Json, limits: Limits = QUICK, optimization: int = 2
) -> RunOutcome:
    """Run a function of a fixture."""
    signature = signatures(name)[function]
    request = RunRequest(program(name), function, signature.inputs, signature.results, arguments, optimization)
    return worker.run(request, limits)


def _arguments(text: str) -> tuple[Type, ...]:
    return tuple(type_of(part.split(": ", 1)[1]) for part in _split(text))


def _results(text: str) -> tuple[Type, ...]:
    return tuple(type_of(part) for part in _split(text.removeprefix("(").removesuffix(")")))


def _split(text: str) -> list[str]:
    """The parts between commas that stand outside of brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "<[(") - (character in ">])")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def type_of(text: str) -> Type:
    """A type from its text: those that the fixtures use."""
    if text == "index":
        return INDEX
    if re.fullmatch(r"i\d+", text):
        return IntegerType(int(text[1:]))
    if text.startswith("complex<"):
        return ComplexType(type_of(text[8:-1]))
    if text.startswith("vector<"):
        return VectorType(*_shaped(text[7:-1]))
    if text.startswith("memref<"):
        body, *rest = _split(text[7:-1])
        layout: Attribute | None = None
        space: Attribute | None = None
        if rest and rest[0].startswith("strided"):
            numbers = [DYNAMIC if n == "?" else int(n) for n in re.findall(r"\?|-?\d+", rest[0])]
            has_offset = "offset" in rest[0]
            layout = StridedLayoutAttr(tuple(numbers[:-1] if has_offset else numbers), numbers[-1] if has_offset else 0)
        elif rest:
            space = i64_attr(int(rest[0]))
        return MemRefType(*_shaped(body), layout, space)
    return FloatType(text)


def _shaped(text: str) -> tuple[tuple[int, ...] | None, Type]:
    if text.startswith("*x"):
        return None, type_of(text[2:])
    extents = re.match(r"(?:(?:\?|\d+)x)*", text)
    assert extents is not None
    shape = tuple(DYNAMIC if n == "?" else int(n) for n in extents[0].split("x")[:-1])
    return shape, type_of(text[extents.end() :])
