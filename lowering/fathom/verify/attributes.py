"""Checks of attributes that no definition makes: those of the dialects that the names of discardable attributes begin
with, on operations and on the arguments and results of functions.

Source of the rules: *MLIR Language Reference*, "Attributes", and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr
from fathom.ir.types import Type
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import FunctionLike
from fathom.irdl.verifying import ATTRIBUTE_CHECKS

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions
    from fathom.irdl.verifying import AttributeChecks

_OF_SIGNATURES: Final = frozenset(("arg_attrs", "res_attrs"))


@runtime_checkable
class Signature(Protocol):
    """The type of a function, whatever dialect it is of."""

    @property
    def inputs(self) -> tuple[Type, ...]: ...

    @property
    def results(self) -> tuple[Type, ...]: ...


def discardable_problem(op: Operation, context: Definitions) -> Problem | None:
    """What the dialects of an operation's discardable attributes have against them."""
    for name, value in op.attributes.items():
        check = _checks_of(name, context).on_operation
        problem = check(op, name, value) if check is not None else None
        if problem is not None:
            return problem
    return None


def signature_problem(op: Operation, context: Definitions) -> Problem | None:
    """What is wrong with the signature of a function, or with the attributes of its arguments and results; None for
    other operations."""
    function = op.interface(FunctionLike)
    if function is None:
        return None
    problem = function.type_problem(op)
    if problem is not None:
        return Problem(problem)
    if not op.properties.keys() & _OF_SIGNATURES:
        return None
    return next(_signature_problems(op, function.type(op), context), None)


def _signature_problems(op: Operation, type: Type | None, context: Definitions) -> Iterator[Problem]:
    if not isinstance(type, Signature):
        return
    for name, noun, types in (("arg_attrs", "argument", type.inputs), ("res_attrs", "result", type.results)):
        array = op.properties.get(name)
        if not isinstance(array, ArrayAttr):
            continue
        if len(array.elements) != len(types):
            yield Problem(
                f"expects {noun} attribute array to have the same number of elements as the number of function "
                f"{noun}s, got {len(array.elements)}, but expected {len(types)}"
            )
            return
        for entry, of in zip(array.elements, types, strict=True):
            if not isinstance(entry, DictAttr):
                yield Problem(f"expects {noun} attribute dictionary to be a DictionaryAttr, but got `{entry}`")
                return
            for key, value in entry.entries:
                yield from _entry_problems(op, noun, of, key, value, context)


def _entry_problems(
    op: Operation, noun: str, type: Type, key: str, value: Attribute, context: Definitions
) -> Iterator[Problem]:
    if "." not in key:
        yield Problem(f"{noun}s may only have dialect attributes")
        return
    checks = _checks_of(key, context)
    check = checks.on_argument if noun == "argument" else checks.on_result
    problem = check(op, type, key, value) if check is not None else None
    if problem is not None:
        yield problem


def _checks_of(name: str, context: Definitions) -> AttributeChecks:
    prefix, dot, _ = name.partition(".")
    return context.aspect(ATTRIBUTE_CHECKS, prefix) if dot else ATTRIBUTE_CHECKS.nothing
