"""How LLVM declares the intrinsics that programs call most: then nobody waits for LLVM to say so.

What is said here holds for a name and types that LLVM takes as they are; of any other declaration LLVM is asked
(`fathom.translation.intrinsics`), and of these a test asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from fathom.llvmir.attributes import (
    NONE,
    Attribute,
    AttributeList,
    AttributeSet,
    CaptureInfo,
    MemoryEffects,
    attribute_set,
)
from fathom.llvmir.mangling import mangle
from fathom.llvmir.types import FLOAT_BITS, I1, VOID, FunctionType, IntegerType, PointerType, Type, VectorType, scalar

Signature: TypeAlias = "Callable[[FunctionType], tuple[Type, ...] | None]"
"""The types on which the name of an intrinsic is overloaded that has such a type; None where it does not fit."""


def known_attributes(name: str, type: FunctionType) -> AttributeList | None:
    """The attributes that LLVM gives to the declaration of an intrinsic; None where that is not known here."""
    base, overloaded = name, ""
    for _ in range(2):  # No name here has more types in it.
        base, dot, last = base.rpartition(".")
        overloaded = f"{dot}{last}{overloaded}"
        found = KNOWN.get(base)
        if found is not None:
            signature, attributes = found
            types = signature(type) if not type.is_vararg else None
            is_so = types is not None and "".join([f".{mangle(each)}" for each in types]) == overloaded
            return attributes if is_so else None
    return None


def _alike(count: int, is_of: Callable[[Type], bool]) -> Signature:
    """A result, and so many arguments of its type, or of vectors of such."""

    def types(of: FunctionType) -> tuple[Type, ...] | None:
        result = of.result
        fits = is_of(scalar(result)) and of.parameters == (result,) * count
        return (result,) if fits else None

    return types


def _is_float(type: Type) -> bool:
    return type in FLOAT_BITS


def _is_integer(type: Type) -> bool:
    return isinstance(type, IntegerType)


def _mask(vector: VectorType) -> VectorType:
    return VectorType(I1, vector.count, vector.is_scalable)


def _masked_load(of: FunctionType) -> tuple[Type, ...] | None:
    """`<4 x float> (ptr, <4 x i1>, <4 x float>)`."""
    result = of.result
    if not isinstance(result, VectorType) or len(of.parameters) != 3:
        return None
    source, *rest = of.parameters
    return (result, source) if isinstance(source, PointerType) and rest == [_mask(result), result] else None


def _masked_store(of: FunctionType) -> tuple[Type, ...] | None:
    """`void (<4 x float>, ptr, <4 x i1>)`."""
    if of.result is not VOID or len(of.parameters) != 3:
        return None
    value, target, mask = of.parameters
    fits = isinstance(value, VectorType) and isinstance(target, PointerType) and mask == _mask(value)
    return (value, target) if fits else None


def _reduction(is_of: Callable[[Type], bool], *, has_start: bool = False) -> Signature:
    """`float (<4 x float>)`, behind a start `float` if it has one."""

    def types(of: FunctionType) -> tuple[Type, ...] | None:
        vector = of.parameters[-1] if of.parameters else VOID
        if not isinstance(vector, VectorType) or not is_of(vector.element):
            return None
        expected = (vector.element, vector) if has_start else (vector,)
        return (vector,) if of.result == vector.element and of.parameters == expected else None

    return types


def _words(words: str, *others: Attribute) -> AttributeSet:
    return attribute_set([*map(Attribute, words.split()), *others])


_NO_MEMORY: Final = Attribute("memory", MemoryEffects("none"))
_PURE: Final = AttributeList(_words("nocallback nofree nosync nounwind speculatable willreturn", _NO_MEMORY))
_PLAIN: Final = AttributeList(
    _words("nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn", _NO_MEMORY)
)
_NOT_CAPTURED: Final = _words("", Attribute("captures", CaptureInfo(())))


def _accessing(how: str, *parameters: AttributeSet) -> AttributeList:
    """Those of what reads or writes where a pointer among its arguments points, and is told of no other."""
    effects = Attribute("memory", MemoryEffects("none", (("argmem", how),)))
    return AttributeList(_words("nocallback nofree nosync nounwind willreturn", effects), NONE, parameters)


def _rows(names: str, signature: Signature, attributes: AttributeList) -> dict[str, tuple[Signature, AttributeList]]:
    return dict.fromkeys([f"llvm.{name}" for name in names.split()], (signature, attributes))


KNOWN: Final[Mapping[str, tuple[Signature, AttributeList]]] = {
    **_rows(
        "ceil cos exp exp10 exp2 fabs floor log log10 log2 nearbyint rint round roundeven sin sqrt trunc",
        _alike(1, _is_float),
        _PLAIN,
    ),
    **_rows("acos asin atan cosh sinh tan tanh", _alike(1, _is_float), _PURE),
    **_rows("copysign maximum maxnum minimum minnum pow", _alike(2, _is_float), _PLAIN),
    **_rows("atan2", _alike(2, _is_float), _PURE),
    **_rows("fma fmuladd", _alike(3, _is_float), _PLAIN),
    **_rows("bitreverse ctpop", _alike(1, _is_integer), _PLAIN),
    **_rows("sadd.sat smax smin ssub.sat uadd.sat umax umin usub.sat", _alike(2, _is_integer), _PLAIN),
    **_rows("fshl fshr", _alike(3, _is_integer), _PLAIN),
    **_rows("masked.load", _masked_load, _accessing("read", _NOT_CAPTURED, NONE, NONE)),
    **_rows("masked.store", _masked_store, _accessing("write", NONE, _NOT_CAPTURED, NONE)),
    **_rows("vector.reduce.fadd vector.reduce.fmul", _reduction(_is_float, has_start=True), _PURE),
    **_rows("vector.reduce.add vector.reduce.mul", _reduction(_is_integer), _PURE),
}
"""For each intrinsic which types it has, and its attributes then."""
