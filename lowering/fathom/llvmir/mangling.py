"""How types stand in the names of overloaded intrinsics: `v4f32`, `p0`.

Source of the rules: *LLVM Language Reference*, "Intrinsic Functions"; LLVM's own names.
"""

from __future__ import annotations

from typing import Final

from fathom.llvmir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    FP128,
    HALF,
    METADATA,
    PPC_FP128,
    VOID,
    X86_AMX,
    X86_FP80,
    ArrayType,
    FunctionType,
    IdentifiedStructType,
    IntegerType,
    PointerType,
    PrimitiveType,
    StructType,
    TargetExtType,
    Type,
    VectorType,
)

_PRIMITIVES: Final[dict[Type, str]] = {
    HALF: "f16",
    BFLOAT: "bf16",
    FLOAT: "f32",
    DOUBLE: "f64",
    X86_FP80: "f80",
    FP128: "f128",
    PPC_FP128: "ppcf128",
    X86_AMX: "x86amx",
    METADATA: "Metadata",
    VOID: "isVoid",
}


def mangle(of: Type) -> str:
    """A type, as it stands in a name."""
    match of:
        case PrimitiveType(name):
            return _PRIMITIVES.get(of, name)
        case IntegerType(bits):
            return f"i{bits}"
        case PointerType(space):
            return f"p{space}"
        case VectorType(element, count, is_scalable):
            return f"{'nx' * is_scalable}v{count}{mangle(element)}"
        case ArrayType(element, count):
            return f"a{count}{mangle(element)}"
        case StructType(elements):
            return f"sl_{''.join(map(mangle, elements))}s"
        case IdentifiedStructType(name):
            return f"s_{name}s"
        case FunctionType(result, parameters, is_vararg):
            return f"f_{mangle(result)}{''.join(map(mangle, parameters))}{'vararg' * is_vararg}f"
        case TargetExtType(name, types, numbers):
            return f"t{name}{''.join(f'_{mangle(type_)}' for type_ in types)}{''.join(f'_{n}' for n in numbers)}t"
        case _:
            raise ValueError(f"no type: {of!r}")
