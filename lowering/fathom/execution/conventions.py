"""How a function is called, by the attributes that it has before it is lowered.

    llvm.func fastcc @f(%a: i8 {llvm.signext}, %p: !llvm.ptr {llvm.byval = !llvm.struct<(i32, f64)>})

Source of the rules: *LLVM Language Reference*, "Calling Conventions" and "Parameter Attributes".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.execution.outcome import BY_POINTER, Convention, Parameter
from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, TypeAttr
from fathom.ir.operation import Operation
from fathom.irdl.cases import number_of
from fathom.llvmir.instruction_texts import convention

_WORDS: Final = ("signext", "zeroext", "inreg")
"""Attributes by which a number is passed otherwise."""
_REFUSED: Final = ("inalloca", "preallocated", "swifterror", "nest")
"""Attributes of what only code that LLVM's front ends make can pass."""


def convention_of(function: Operation) -> Convention:
    """How it is called."""
    parameters: dict[int, Parameter] = {}
    for number, attributes in enumerate(_attributes(function, "arg_attrs")):
        parameter = _parameter(attributes)
        if parameter != Parameter():
            parameters[number] = parameter
    results = _attributes(function, "res_attrs")
    words = _words(results[0]) if len(results) == 1 else ""
    return Convention(convention(number_of(function.properties.get("CConv")) or 0).strip(), parameters, words)


def _attributes(function: Operation, name: str) -> list[dict[str, Attribute]]:
    """The attributes of each argument, or of each result, without the prefix `llvm.`."""
    given = function.properties.get(name)
    entries = given.elements if isinstance(given, ArrayAttr) else ()
    return [
        {key.removeprefix("llvm."): value for key, value in entry.entries} if isinstance(entry, DictAttr) else {}
        for entry in entries
    ]


def _words(attributes: Mapping[str, Attribute]) -> str:
    return " ".join(word for word in _WORDS if word in attributes)


def _parameter(attributes: Mapping[str, Attribute]) -> Parameter:
    refused = next((word for word in _REFUSED if word in attributes), "")
    for passing in BY_POINTER:
        pointee = attributes.get(passing)
        if isinstance(pointee, TypeAttr):
            alignment = number_of(attributes.get("align")) or 0
            return Parameter(passing, pointee.type, alignment, _words(attributes), refused)
    return Parameter(words=_words(attributes), refused=refused)
