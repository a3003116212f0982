"""Intrinsics: which function of LLVM's own an operation calls, and how LLVM declares it.

The name of an intrinsic is followed by the overloaded types. Their declarations carry attributes that only LLVM knows;
LLVM itself is asked for them, once for each signature. Source of the rules: *'llvm' Dialect*, "Intrinsics".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from fathom.llvm import PRINT
from fathom.llvm.process import Died, Refused, ask
from fathom.llvmir import types as ir
from fathom.llvmir.attributes import AttributeList, attribute_set
from fathom.llvmir.mangling import mangle
from fathom.llvmir.module import Function, Module
from fathom.llvmir.writer import write


def mangled(base: str, types: Sequence[ir.Type]) -> str:
    """An intrinsic's full name: `llvm.masked.load.v4f32.p0`."""
    return ".".join([base, *map(mangle, types)])


def declaration(name: str, type: ir.FunctionType) -> Function:
    """The declaration of an intrinsic of this type: with what its name is overloaded on, if that was left out, and the
    attributes that LLVM gives it."""
    declared = Function(ir.PTR, name, type)
    known = _declared(write(Module(functions=[declared])).strip())
    if known is not None:
        declared.name, declared.attributes = known.name, known.attributes
        declared.is_unknown_intrinsic = known.is_unknown_intrinsic
    return declared


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
