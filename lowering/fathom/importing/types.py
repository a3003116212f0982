"""The types of LLVM IR as those of the LLVM dialect.

Source of the rules: *'llvm' Dialect*, "Type System".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm import types as dialect
from fathom.ir.attributes import TypeAttr
from fathom.ir.types import (
    BF16,
    F16,
    F32,
    F64,
    F80,
    F128,
    FloatType,
    IntegerType,
    TensorType,
    Type,
    VectorType,
    signless,
)
from fathom.llvmir import types as llvm
from fathom.llvmir.tokens import MOST_NESTED

_PRIMITIVES: Final[dict[str, Type]] = {
    "void": dialect.VOID,
    "half": F16,
    "bfloat": BF16,
    "float": F32,
    "double": F64,
    "x86_fp80": F80,
    "fp128": F128,
    "ppc_fp128": dialect.LLVMPPCFP128Type(),
    "label": dialect.LLVMLabelType(),
    "metadata": dialect.LLVMMetadataType(),
    "x86_amx": dialect.LLVMX86AMXType(),
    "token": dialect.LLVMTokenType(),
}


class TooDeep(Exception):
    """A type in which others are nested that others are nested in, and so on, by their names."""

    def __init__(self, of: llvm.Type) -> None:
        name = f" '%{of.name}'" if isinstance(of, llvm.IdentifiedStructType) else ""
        super().__init__(f"types nest more than {MOST_NESTED} deep in type{name}")


class Types:
    """The types of one module, each made once. Structs have names that no other struct has, as in MLIR."""

    def __init__(self, *, as_literals: bool = False) -> None:
        self._known: dict[llvm.Type, Type] = {}
        self._depths: dict[llvm.Type, int] = {}
        self._by_id: dict[int, tuple[llvm.Type, Type]] = {}
        """What was asked for, by its identity, which is found faster."""
        self._attributes: dict[int, TypeAttr] = {}
        self._names: set[str] = set()
        self._as_literals: Final = as_literals

    def __call__(self, of: llvm.Type) -> Type:
        """The type that stands for one of LLVM IR. What is in it is made first, and nothing calls itself for that."""
        found = self._by_id.get(id(of))
        if found is not None:
            return found[1]
        known = self._known
        stack = [of]
        while stack:
            current = stack[-1]
            if current in known:
                stack.pop()
                continue
            missing = [part for part in llvm.subtypes(current) if part not in known]
            if missing:
                stack += reversed(missing)
                continue
            depth = 1 + max((self._depths[part] for part in llvm.subtypes(current)), default=0)
            if depth > MOST_NESTED:
                raise TooDeep(of)
            self._depths[current] = depth
            known[current] = self._made(current)
            stack.pop()
        made = known[of]
        self._by_id[id(of)] = (of, made)
        return made

    def attribute(self, of: llvm.Type) -> TypeAttr:
        """The type that stands for one of LLVM IR, as an attribute."""
        made = self(of)
        known = self._attributes.get(id(made))
        if known is None:
            known = self._attributes[id(made)] = TypeAttr(made)
        return known

    def _made(self, of: llvm.Type) -> Type:
        known = self._known
        match of:
            case llvm.IntegerType(bits):
                return signless(bits)
            case llvm.PointerType(space):
                return dialect.LLVMPointerType(space) if space else dialect.PTR
            case llvm.PrimitiveType(name):
                return _PRIMITIVES[name]
            case llvm.VectorType(element, count, is_scalable):
                return VectorType((count,), known[element], (True,) if is_scalable else ())
            case llvm.ArrayType(element, count):
                return dialect.LLVMArrayType(count, known[element])
            case llvm.FunctionType(result, parameters, is_vararg):
                return dialect.LLVMFunctionType(known[result], tuple(known[each] for each in parameters), is_vararg)
            case llvm.StructType(elements, is_packed):
                return dialect.LLVMStructType(tuple(known[each] for each in elements), is_packed)
            case llvm.IdentifiedStructType():
                return self._identified(of)
            case llvm.TargetExtType(name, types, numbers):
                return dialect.LLVMTargetExtType(name, tuple(known[each] for each in types), numbers)
            case _:
                raise TypeError(f"{of} is no type of LLVM IR")

    def _identified(self, of: llvm.IdentifiedStructType) -> Type:
        body = of.body
        if self._as_literals:
            body = body or llvm.StructType(())
            return dialect.LLVMStructType(tuple(self._known[each] for each in body.elements), body.is_packed)
        if body is None:
            return dialect.LLVMStructType(None, name=of.name, opaque=True)
        fields = tuple(self._known[each] for each in body.elements)
        name, count = of.name, 0
        while name in self._names:
            count += 1
            name = f"{of.name}.{count}"
        self._names.add(name)
        return dialect.LLVMStructType(fields, body.is_packed, name)


def type_for_attribute(of: Type) -> Type | None:
    """The builtin type that a constant of a type has as an attribute, which may be dense: a number's, a vector's of
    fixed length, or a tensor's or longer vector's for arrays. None for any other."""
    shape: list[int] = []
    while isinstance(of, dialect.LLVMArrayType):
        shape.append(of.size)
        of = of.element
    if isinstance(of, VectorType):
        if any(of.scalable) or not isinstance(of.element, IntegerType | FloatType):
            return None
        return VectorType((*shape, *of.ranked_shape), of.element) if shape else of
    if not isinstance(of, IntegerType | FloatType):
        return None
    return TensorType(tuple(shape), of) if shape else of
