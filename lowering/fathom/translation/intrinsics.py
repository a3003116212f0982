"""Intrinsics: which function of LLVM's own an operation calls, and how LLVM declares it.

The name of an intrinsic is followed by the overloaded types. Their declarations carry attributes that only LLVM knows;
LLVM itself is asked for them, once for each signature, but for those of `known_intrinsics`. Source of the rules:
*'llvm' Dialect*, "Intrinsics".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from fathom.llvm import PRINT
from fathom.llvm.process import Died, Refused, ask
from fathom.llvmir import types as ir
from fathom.llvmir.attributes import EMPTY, AttributeList, attribute_set
from fathom.llvmir.mangling import mangle
from fathom.llvmir.module import Function, Module
from fathom.llvmir.writer import write
from fathom.translation.known_intrinsics import known_attributes


def mangled(base: str, types: Sequence[ir.Type]) -> str:
    """An intrinsic's full name: `llvm.masked.load.v4f32.p0`."""
    return ".".join([base, *map(mangle, types)])


def declaration(name: str, type: ir.FunctionType) -> Function:
    """The declaration of an intrinsic that is called with these types: with what its name is overloaded on, if that was
    left out, and the attributes that LLVM gives it."""
    declared = Function(ir.PTR, name, type)
    attributes = known_attributes(name, type)
    if attributes is not None:
        declared.attributes = attributes
        return declared
    for tried in _signatures(name, type):
        known = _declared(write(Module(functions=[Function(ir.PTR, name, tried)])).strip())
        if known is not None and (known.attributes != EMPTY or tried is type):
            declared.name, declared.attributes = known.name, known.attributes
            declared.is_unknown_intrinsic = known.is_unknown_intrinsic
            declared.value_type = tried
        if known is None or known.attributes != EMPTY or known.is_unknown_intrinsic:
            break
    return declared


def _signatures(name: str, type: ir.FunctionType) -> Iterator[ir.FunctionType]:
    """The types that an intrinsic may have that is called with these: one that takes any number of arguments gets its
    attributes from LLVM where it says so."""
    yield type
    if name.startswith("llvm."):
        for count in range(len(type.parameters), -1, -1):
            yield ir.FunctionType(type.result, type.parameters[:count], True)


def complete(function: Function) -> None:
    """Gives a function that is declared with an intrinsic's name what LLVM says of it besides what is said already."""
    known = declaration(function.name, function.value_type)
    function.is_unknown_intrinsic = known.is_unknown_intrinsic
    given, own = known.attributes, function.attributes
    if not given:
        return
    count = max(len(given.parameters), len(own.parameters))
    function.attributes = AttributeList(
        attribute_set((*given.function, *own.function)),
        attribute_set((*given.result, *own.result)),
        tuple(attribute_set((*given.parameter(number), *own.parameter(number))) for number in range(count)),
    )


@lru_cache(maxsize=1024)
def _declared(text: str) -> Function | None:
    """What LLVM makes of a declaration; None if it does not take it."""
    from fathom.llvmir.reader import read
    from fathom.llvmir.tokens import Mistake

    try:
        read_back = read(ask(PRINT, text))
    except (Refused, Died, Mistake):
        return None
    return read_back.functions[0] if read_back.functions else None
