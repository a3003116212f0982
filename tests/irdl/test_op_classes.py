"""The classes by which code reads operations (`fathom.ops`) say what the definitions do, and it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir import attributes
from fathom.ir.operation import Block, Operation, OpResult, Region, Value
from fathom.irdl.aspects import Aspect
from fathom.irdl.constraints import ANY
from fathom.irdl.definition import OpDefinition, Operand
from fathom.irdl.folding import FOLDS
from fathom.irdl.verifying import VERIFY, VERIFY_REGIONS, VERIFY_SYMBOLS
from fathom.ops.arith import AddiOp, ExtuiOp
from fathom.ops.scf import ForOp, IfOp
from fathom.rewriting.canonicalization import CANONICALIZATION
from tests.described.op_classes import FOLDER, class_name, dialects, parts, paths, texts
from tests.dialects.goldens import fixtures

CLASSES: dict[str, type] = {
    **{name: getattr(attributes, name) for name in dir(attributes) if name.endswith("Attr")},
    "Attribute": attributes.Attribute,
    "Block": Block,
    "OpResult": OpResult,
    "Region": Region,
    "Value": Value,
}


@pytest.mark.parametrize("dialect", dialects())
def test_the_modules_are_those_of_the_definitions(dialect: str) -> None:
    assert tuple(path.read_text(encoding="utf-8") for path in paths(dialect)) == texts(dialect)


def test_there_are_no_others() -> None:
    expected = {path for dialect in dialects() for path in paths(dialect)}
    assert {*FOLDER.glob("[a-z]*.py"), *FOLDER.glob("[a-z]*.pyi")} == expected


def module_of(text: str) -> Operation:
    return load(text).module


def is_of(value: object, kind: str) -> bool:
    """Whether a value is of a class, as Python writes it."""
    if kind.endswith(" | None"):
        return value is None or is_of(value, kind.removesuffix(" | None"))
    if kind.startswith("list["):
        return isinstance(value, list) and all(is_of(unknown, kind[5:-1]) for unknown in value)
    return isinstance(value, CLASSES[kind])


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_each_part_is_of_its_class(path: Path) -> None:
    for piece in path.read_text(encoding="utf-8").split("// -----"):
        for op in module_of(piece).walk():
            if op.definition is not None:
                for name, kind in parts(op.definition).items():
                    part = getattr(op, name)
                    assert is_of(part, kind), f"{op.name}: {name} is {part!r}, and no {kind}"


def test_parts_are_read_by_their_names() -> None:
    text = """
      func.func @f(%n: index, %c: i1) -> index {
        %s = arith.constant 2 : index
        %r = scf.for %i = %n to %n step %s iter_args(%a = %n) -> (index) {
          %t = arith.addi %a, %i overflow<nsw> : index
          scf.if %c {
          }
          scf.yield %t : index
        }
        return %r : index
      }
    """
    ops = list(module_of(text).walk())
    (loop,) = (op for op in ops if isinstance(op, ForOp))
    assert loop.lowerBound is loop.operands[0]
    assert loop.initArgs == loop.operands[3:]
    assert loop.unsignedCmp is None
    (sum,) = (op for op in ops if isinstance(op, AddiOp))
    assert (sum.lhs, sum.rhs) == tuple(sum.operands)
    assert str(sum.overflowFlags) == "#arith.overflow<nsw>"
    (branch,) = (op for op in ops if isinstance(op, IfOp))
    assert [branch.thenRegion, branch.elseRegion] == branch.regions
    assert not isinstance(None, IfOp)


def test_a_part_that_the_definition_does_not_have_is_none() -> None:
    text = """
      %0 = arith.constant 1 : i32
      %1 = memref.alloc() : memref<4xf32>
      %2 = memref.cast %1 : memref<4xf32> to memref<*xf32>
    """
    ops = {op.name: op for op in module_of(text).walk()}
    assert ops["memref.cast"].operands == [getattr(ops["memref.cast"], "source")]  # noqa: B009
    with pytest.raises(AttributeError, match=r"'arith\.constant' has no part 'source'"):
        getattr(ops["arith.constant"], "source")  # noqa: B009
    with pytest.raises(AttributeError):
        getattr(ops["arith.constant"], "what_nobody_has")  # noqa: B009


def test_a_description_does_not_change_what_operations_are() -> None:
    names = ("parent_op", "replace_all_uses_with", "__bool__", "__eq__", "operands")
    OpDefinition("mine.op", operands=tuple(Operand(name, ANY) for name in names))
    (module, op) = module_of("%0 = arith.constant 1 : i32").walk()
    assert op
    assert op.parent_op is module
    assert op.operands == []
    assert op != module


def test_a_word_of_python_has_a_line_behind_it() -> None:
    ops = list(module_of("%0 = arith.constant 1 : i32\n%1 = arith.extui %0 : i32 to i64").walk())
    (wide,) = (op for op in ops if isinstance(op, ExtuiOp))
    assert (wide.in_, wide.out) == (wide.operands[0], wide.result)


ASPECTS = (VERIFY, VERIFY_REGIONS, VERIFY_SYMBOLS, FOLDS)


def functions() -> Iterator[tuple[str, str, Callable[..., object]]]:
    """What the library says of operations in functions: the aspect, the operation's name, the function."""
    context = default_context()
    for dialect in dialects():
        aspects = cast("tuple[Aspect[Mapping[str, Callable[..., object]]], ...]", ASPECTS)
        for aspect in aspects:
            for name, function in context.aspect(aspect, dialect).items():
                yield aspect.name, name, function
        for pattern in context.aspect(CANONICALIZATION, dialect):
            yield "canonicalization", pattern.root, pattern.rewrite


def test_functions_are_said_of_operations_of_the_class_that_they_take() -> None:
    wrong: list[str] = []
    for aspect, name, function in functions():
        taken = [
            annotation for annotation in getattr(function, "__annotations__", {}).items() if annotation[0] != "return"
        ][:1]
        classes = set(re.findall(r"\w+\b(?!\.)", taken[0][1])) if taken else set[str]()
        if classes and all(cls.endswith("Op") for cls in classes) and class_name(name) not in classes:
            wrong.append(f"{aspect} of {name} takes {taken[0][1]}")
    assert wrong == []
