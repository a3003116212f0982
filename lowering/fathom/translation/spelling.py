"""How LLVM IR spells types, names and strings.

Source of the rules: *LLVM Language Reference*, "Identifiers" and "Type System".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMPPCFP128Type,
    LLVMStructType,
    LLVMTargetExtType,
    LLVMTokenType,
    LLVMVoidType,
    LLVMX86AMXType,
)
from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.llvmir.spelling import spell_name
from fathom.text.beginnings import MOST_OUTPUT, MOST_REPEATED, TextTooLong
from fathom.text.escapes import quote

FLOATS: Final = {
    "f16": "half",
    "bf16": "bfloat",
    "f32": "float",
    "f64": "double",
    "f80": "x86_fp80",
    "f128": "fp128",
}
SIMPLE: Final[dict[type[Type], str]] = {
    LLVMVoidType: "void",
    LLVMLabelType: "label",
    LLVMTokenType: "token",
    LLVMMetadataType: "metadata",
    LLVMX86AMXType: "x86_amx",
    LLVMPPCFP128Type: "ppc_fp128",
}


class NoLLVMType(Exception):
    """A type that LLVM IR does not have."""

    def __init__(self, type: Type) -> None:
        super().__init__(f"type '{type}' has no equivalent in LLVM IR")


class TypeSpeller:
    """Spells types; remembers the named structs in the order in which they first occur, for the head of the module, and
    how much was written of constants: of each as many characters as are `shown` if that is given."""

    def __init__(self, shown: int | None = None) -> None:
        self._known: dict[Type, str] = {}
        self.structs: dict[str, LLVMStructType] = {}
        self.shown: Final = shown
        self._written = self._repeated = 0
        self._long: list[str] = []

    def wanted(self, count: int, length: int) -> int:
        """How many of so many elements, each of so many characters, are to be written. Raises TextTooLong if
        types and constants have more characters than a text can have."""
        if self.shown is not None:
            return min(count, self.shown // max(length, 1) + 1)
        self._count(count * length)
        return count

    def repeated(self, count: int, length: int) -> int:
        """As `wanted`, of equal elements: a few characters of the source say how many."""
        if self.shown is None:
            self._count_repeated(count * length)
        return self.wanted(count, length)

    def kept(self, text: str) -> str:
        """The text of a constant, which is noted if not all of it may be there."""
        if self.shown is not None and len(text) > self.shown:
            self._long.append(text)
        return text

    def without_long(self, text: str) -> str:
        """The text of a module with `poison`, which may have any type, for each constant that is not there as a
        whole."""
        for type_ in sorted(self._long, key=len, reverse=True):
            text = text.replace(type_, "poison")
        return text

    def _count(self, length: int) -> None:
        self._written += length
        if self._written > MOST_OUTPUT:
            raise TextTooLong(f"types and constants of more than {MOST_OUTPUT:,} characters are not written")

    def _count_repeated(self, length: int) -> None:
        self._repeated += length
        if self._repeated > MOST_REPEATED:
            raise TextTooLong(f"repeated types and elements of more than {MOST_REPEATED:,} characters are not written")

    def __call__(self, type: Type) -> str:
        text = self._known.get(type)
        if text is None:
            text = self._known[type] = self._spell(type)
        else:
            self._count_repeated(len(text))
        # It is a part of what is written, at least once.
        self._count(len(text))
        return text

    def _spell(self, type: Type) -> str:
        match type:
            case IntegerType(width):
                return f"i{width}"
            case FloatType(name):
                return FLOATS.get(name, f"i{type.width}")
            case LLVMPointerType(space):
                return f"ptr addrspace({space})" if space else "ptr"
            case VectorType():
                (count,) = type.ranked_shape
                scale = "vscale x " if any(type.scalable) else ""
                return f"<{scale}{count} x {self(type.element)}>"
            case LLVMArrayType(size, element):
                return f"[{size} x {self(element)}]"
            case LLVMStructType(name=None):
                return self.body(type)
            case LLVMStructType(name=str(name)):
                if name not in self.structs and (type.body is not None or type.opaque):
                    self.structs[name] = type
                    for member in type.body or ():
                        self(member)
                return "%" + spell_name(name)
            case LLVMFunctionType(result, params, varargs):
                return f"{self(result)} ({', '.join([*map(self, params), *(['...'] * varargs)])})"
            case LLVMTargetExtType(name, types, integers):
                return f"target({', '.join([quote(name), *map(self, types), *map(str, integers)])})"
            case _ if type.__class__ in SIMPLE:
                return SIMPLE[type.__class__]
            case _:
                raise NoLLVMType(type)

    def body(self, struct: LLVMStructType) -> str:
        """What stands between the braces of a struct, with them."""
        if struct.body is None:
            return "opaque"
        fields = f"{{ {', '.join(map(self, struct.body))} }}" if struct.body else "{}"
        return f"<{fields}>" if struct.packed else fields

    def definitions(self) -> list[str]:
        """The `%name = type …` lines."""
        return [f"%{spell_name(name)} = type {self.body(struct)}" for name, struct in self.structs.items()]


def mangle(type: Type) -> str:
    """The part of an intrinsic's name that stands for an overloaded type: `v4f32`, `p0`."""
    match type:
        case IntegerType(width):
            return f"i{width}"
        case FloatType(name):
            return name
        case LLVMPointerType(space):
            return f"p{space}"
        case VectorType():
            return f"{'nx' if any(type.scalable) else ''}v{type.ranked_shape[0]}{mangle(type.element)}"
        case LLVMArrayType(size, element):
            return f"a{size}{mangle(element)}"
        case LLVMStructType(body, name=None):
            return f"sl_{''.join(map(mangle, body or ()))}s"
        case LLVMStructType(name=str(name)):
            return f"s_{name}s"
        case LLVMMetadataType():
            return "Metadata"
        case _:
            return "isVoid" if isinstance(type, LLVMVoidType) else str(type)
