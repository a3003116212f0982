"""How C declares a function of MLIR: as it is called by default, with bare pointers, and through its C interface.

    struct memref_1d_f32 { float *allocated, *aligned; int64_t offset, sizes[1], strides[1]; };
    float f(float *m_allocated, float *m_aligned, int64_t m_offset, int64_t m_size0, int64_t m_stride0);
    float f(float *m);                               // with bare pointers
    float _mlir_ciface_f(struct memref_1d_f32 *m);   // with the attribute llvm.emit_c_interface

Source of the rules: *LLVM IR Target*, "Calling Conventions".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.types import (
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    Type,
    VectorType,
)
from fathom.passes.conversions.convert_func_to_llvm.wrappers import PREFIX
from fathom.passes.to_llvm.llvm_types import LLVMTypes

_FLOATS: Final = {"f16": "_Float16", "bf16": "__bf16", "f32": "float", "f64": "double", "f128": "_Float128"}
_WORDS: Final = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while".split()
)


class _NoSuchType(Exception):
    """C has no type like it."""


def prototypes(name: str, type: FunctionType, names: Sequence[str], *, with_all: bool) -> str:
    """The declarations of a function with these names of arguments, and the types that they need; with_all conventions,
    or only the default where they are the same. Empty where C has no such type, or no such name."""
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        return ""
    written = _C(name)
    try:
        lines = [written.default(type, names)]
    except _NoSuchType:
        return ""
    if with_all:
        others = (written.bare, "with bare pointers"), (written.interface, "with llvm.emit_c_interface")
        for declare, comment in others:
            try:
                lines.append(f"{declare(type, names)}  // {comment}")
            except _NoSuchType:
                continue
    return "\n".join([*written.structs.values(), *lines])


class _C:
    """Writes declarations of one function; `structs` are the types that these need, by name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.structs: dict[str, str] = {}

    # ---- functions

    def default(self, type: FunctionType, names: Sequence[str]) -> str:
        """A memref comes as the fields of its descriptor."""
        given: list[str] = []
        for input, name in zip(type.inputs, map(_name, names), strict=True):
            given += self._fields(input, name) if isinstance(input, MemRefType) else [self._named(input, name)]
        return (
            f"{self._result([self.value(result) for result in type.results])}{self.name}({', '.join(given) or 'void'});"
        )

    def bare(self, type: FunctionType, names: Sequence[str]) -> str:
        """A memref is a pointer to its first element."""
        given: list[str] = []
        for input, name in zip(type.inputs, map(_name, names), strict=True):
            given.append(f"{self._bare(input)}{name}" if isinstance(input, MemRefType) else self._named(input, name))
        results = [
            self._bare(result) if isinstance(result, MemRefType) else self.value(result) for result in type.results
        ]
        return f"{self._result(results, 'pointers')}{self.name}({', '.join(given) or 'void'});"

    def interface(self, type: FunctionType, names: Sequence[str]) -> str:
        """A memref is a pointer to its descriptor; a struct that is returned comes through a pointer in front."""
        results = [self.value(result) for result in type.results]
        is_struct = len(results) > 1 or any(isinstance(result, (MemRefType, ComplexType)) for result in type.results)
        given = [f"{self._result(results)}*result"] if is_struct else []
        for input, name in zip(type.inputs, map(_name, names), strict=True):
            pointer = "*" if isinstance(input, MemRefType) else ""
            given.append(f"{_before(self.value(input))}{pointer}{name}")
        result = "void " if is_struct else self._result(results)
        return f"{result}{PREFIX}{self.name}({', '.join(given) or 'void'});"

    def _result(self, types: Sequence[str], kind: str = "results") -> str:
        """What is returned, of which more than one thing is a struct."""
        if not types:
            return "void "
        if len(types) == 1:
            return _before(types[0])
        key = f"{self.name}_{kind}"
        fields = " ".join(f"{_before(type_)}field{number};" for number, type_ in enumerate(types))
        self.structs[key] = f"struct {key} {{ {fields} }};"
        return f"struct {key} "

    # ---- types

    def value(self, type: Type) -> str:
        """The type of a value."""
        match type:
            case IntegerType(1):
                return "bool"
            case IntegerType(width):
                return f"int{width}_t" if width in (8, 16, 32, 64) else f"_BitInt({width})"
            case IndexType():
                return "int64_t"
            case FloatType(name) if name in _FLOATS:
                return _FLOATS[name]
            case LLVMPointerType() | FunctionType():
                return "void *"
            case ComplexType(element):
                inner, key = self.value(element), f"complex_{_key(element)}"
                self.structs[key] = f"struct {key} {{ {_before(inner)}re, im; }};"
                return f"struct {key}"
            case VectorType() if not any(type.scalable) and len(type.ranked_shape) == 1:
                return self._vector(type)
            case MemRefType():
                return self._descriptor(type)
            case _:
                raise _NoSuchType

    def _vector(self, type: VectorType) -> str:
        element, count = self.value(type.element), type.ranked_shape[0]
        key = f"vector_{count}_{_key(type.element)}"
        if count & (count - 1) or not isinstance(type.element, (IntegerType, FloatType)):
            raise _NoSuchType
        size = f"{count} * sizeof({element})"
        self.structs[key] = f"typedef {element} {key} __attribute__((vector_size({size})));"
        return key

    def _descriptor(self, type: MemRefType) -> str:
        """The struct of a memref."""
        if type.shape is None:
            self.structs["memref"] = "struct memref { int64_t rank; void *descriptor; };"
            return "struct memref"
        element, rank = self._element(type), len(type.shape)
        key = f"memref_{rank}d_{_key(type.element)}"
        arrays = f", sizes[{rank}], strides[{rank}]" if rank else ""
        fields = f"{_before(element)}*allocated, *aligned; int64_t offset{arrays};"
        self.structs[key] = f"struct {key} {{ {fields} }};"
        return f"struct {key}"

    def _element(self, type: MemRefType) -> str:
        """The type of the elements; of such as C has not, any."""
        try:
            return self.value(type.element)
        except _NoSuchType:
            return "void"

    def _bare(self, type: MemRefType) -> str:
        if LLVMTypes().bare_pointer(type) is None:
            raise _NoSuchType
        return f"{_before(self._element(type))}*"

    def _fields(self, type: MemRefType, name: str) -> list[str]:
        if type.shape is None:
            return [f"int64_t {name}_rank", f"void *{name}_descriptor"]
        element = _before(self._element(type))
        pointers = [f"{element}*{name}_{field}" for field in ("allocated", "aligned")]
        rank = len(type.shape)
        numbers = ["offset", *(f"size{n}" for n in range(rank)), *(f"stride{n}" for n in range(rank))]
        return [*pointers, *(f"int64_t {name}_{field}" for field in numbers)]

    def _named(self, type: Type, name: str) -> str:
        return f"{_before(self.value(type))}{name}"


def _before(type: str) -> str:
    """A type, and the space between it and a name."""
    return type if type.endswith("*") else f"{type} "


def _key(type: Type) -> str:
    """A type as a part of a name."""
    return re.sub(r"\W+", "_", str(type)).strip("_")[:40]


def _name(text: str) -> str:
    """The name of an argument as C may have it."""
    name = re.sub(r"\W", "_", text)
    return f"arg{name}" if not re.match(r"[A-Za-z_]", name) or name in _WORDS else name
