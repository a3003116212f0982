"""The readers of the text of the LLVM dialect's types.

Source of the rules: *'llvm' Dialect*, "Type System"; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.types import (
    PTR,
    VOID,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMPPCFP128Type,
    LLVMStructType,
    LLVMTargetExtType,
    LLVMTokenType,
    LLVMType,
    LLVMVoidType,
    LLVMX86AMXType,
    structs_in,
)
from fathom.ir.types import Type
from fathom.irdl.keywords import enclosed
from fathom.irdl.parameter_directives import refusal
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.readers import BodyReader, TypeReader

Read: TypeAlias = "Callable[[BodyReader, Around], Type]"
"""Reads what follows a mnemonic; the second argument says what stands around the place."""


@record
class Around:
    """The names of the identified structs that enclose a place, and the types that may stand there, by mnemonic."""

    structs: tuple[str, ...]
    readers: Mapping[str, Read]


def read_pretty(reader: BodyReader, around: Around) -> Type:
    """A type in a place where those of the dialect need no prefix."""
    readers = around.readers
    mnemonic = reader.optional_mnemonic("!llvm.", readers)
    if mnemonic is not None:
        return readers[mnemonic](reader, around)
    if reader.at_type():
        return reader.type()
    reader.suggest(readers)
    keyword = reader.keyword()
    if keyword not in readers:
        reader.fail(unknown_type(keyword))
    return readers[keyword](reader, around)


def _read_pointer(reader: BodyReader, around: Around) -> LLVMType:
    if not reader.accept("<"):
        return PTR
    space = reader.integer()
    if not -(2**31) <= space < 2**32:
        reader.fail("integer value too large")
    reader.expect(">")
    return LLVMPointerType(space % 2**32)


def _read_size(reader: BodyReader) -> int:
    """`4 x`: of a number that is no extent elsewhere, such as `-1`, 64 bits without a sign."""
    if (size := reader.optional_integer()) is not None:
        if not -(2**63) <= size < 2**64:
            reader.fail("integer value too large")
        if not reader.accept("x"):
            reader.fail("expected 'x'")
        return size % 2**64
    sizes = reader.dimensions("expected 'x'")
    if len(sizes) != 1 or sizes[0] < 0:
        reader.fail("expected 'x'" if sizes else "expected integer value")
    return sizes[0]


def _read_array(reader: BodyReader, around: Around) -> LLVMType:
    size = _read_size(reader)
    element = read_pretty(reader, around)
    if isinstance(element, NO_ELEMENT):
        reader.fail(f"invalid array element type: '{element}'")
    return LLVMArrayType(size, element)


def _read_function(reader: BodyReader, around: Around) -> LLVMType:
    reader.expect("<")
    result = read_pretty(reader, around)
    reader.expect("(")
    params: list[Type] = []
    varargs = False
    while not reader.accept(")"):
        varargs = reader.accept("...")
        if varargs:
            reader.expect(")")
            break
        params.append(read_pretty(reader, around))
        if not reader.at(")"):
            reader.expect(",")
    reader.expect(">")
    if isinstance(result, (LLVMFunctionType, LLVMMetadataType, LLVMLabelType)):
        reader.fail(f"invalid function result type: '{result}'")
    for param in params:
        if isinstance(param, (LLVMVoidType, LLVMFunctionType)):
            reader.fail(f"invalid function argument type: '{param}'")
    return LLVMFunctionType(result, tuple(params), varargs)


def _read_struct(reader: BodyReader, around: Around) -> LLVMType:
    reader.expect("<")
    name: str | None = reader.optional_string()
    if name is not None:
        if reader.accept(">"):
            if name not in around.structs:
                reader.fail("struct without a body only allowed in a recursive struct")
            return LLVMStructType(None, name=name)
        reader.expect(",")
        if reader.accept("opaque"):
            reader.expect(">")
            return _identified(reader, LLVMStructType(None, name=name, opaque=True))
        if name in around.structs:
            reader.fail_here("identifier already used for an enclosing struct")
        around = Around((*around.structs, name), around.readers)
    elif reader.at("opaque"):
        reader.fail_here("only identified structs can be opaque")
    packed = reader.accept("packed")
    reader.expect("(")
    fields: list[Type] = []
    while not reader.accept(")"):
        field = read_pretty(reader, around)
        if isinstance(field, NO_ELEMENT):
            reader.fail(f"invalid LLVM structure element type: '{field}'")
        fields.append(field)
        if not reader.at(")"):
            reader.expect(",")
    reader.expect(">")
    return _identified(reader, LLVMStructType(tuple(fields), packed, name))


def _identified(reader: BodyReader, struct: LLVMStructType) -> LLVMStructType:
    """A struct that was read. Throughout a text, a name stands for one body."""
    if struct.name is None:
        return struct
    body = None if struct.body is None else tuple(map(_by_names, struct.body))
    meaning = LLVMStructType(body, struct.packed, opaque=struct.opaque)
    known = reader.identify(("!llvm.struct", struct.name), meaning)
    if known != meaning:
        reader.fail(
            "redeclaring defined struct as opaque"
            if struct.opaque
            else "identified type already used with a different body"
        )
    return struct


@lru_cache(maxsize=4096)
def _by_names(type: Type) -> Type:
    """A type with the names of identified structs in the place of the structs."""
    match type:
        case _ if not structs_in(type):
            return type
        case LLVMStructType(name=str(name)):
            return LLVMStructType(None, name=name)
        case LLVMStructType(tuple() as body, packed):
            return LLVMStructType(tuple(map(_by_names, body)), packed)
        case LLVMArrayType(size, element):
            return LLVMArrayType(size, _by_names(element))
        case LLVMFunctionType(result, params, varargs):
            return LLVMFunctionType(_by_names(result), tuple(map(_by_names, params)), varargs)
        case LLVMType(wrapped=Type() as inner):
            return type.wrapping(_by_names(inner))
        case _:
            return type


def _read_target(reader: BodyReader, around: Around) -> LLVMType:
    name = reader.part(reader.string, _NO_TARGET_NAME)
    types: list[Type] = []
    integers: list[int] = []
    while reader.accept(","):
        integer: int | None = reader.optional_integer()
        if integer is not None:
            if not -(2**31) <= integer < 2**32:
                reader.fail("integer value too large")
            integers.append(integer % 2**32)
        elif integers:
            reader.fail(_NO_TARGET_PARAMETER)
        else:
            types.append(reader.part(lambda: read_pretty(reader, around), _NO_TARGET_PARAMETER))
    return LLVMTargetExtType(name, tuple(types), tuple(integers))


_NO_TARGET_PARAMETER: Final = "failed to parse parameter list for target extension type"
_NO_TARGET_NAME: Final = refusal("LLVMTargetExtType", "extTypeName", "::llvm::StringRef")


def unknown_type(mnemonic: str) -> str:
    """What is wrong with a type of the dialect that it does not have: it may be a builtin one."""
    builtin = mnemonic in BUILTIN_TYPES or _NUMBERED.fullmatch(mnemonic) is not None
    return "unexpected type, expected keyword" if builtin else f"unknown LLVM type: {mnemonic}"


BUILTIN_TYPES: Final = frozenset("bf16 complex index memref none tensor tf32 tuple vector".split())
_NUMBERED: Final = re.compile(r"(?:[su]?i|f)[0-9]+(?:E[0-9]M[0-9][A-Z0-9]*)?")


def simple(type: LLVMType) -> Read:
    """The reader of a type that has no parameters."""
    return lambda _reader, _around: type


NO_ELEMENT: Final = (LLVMVoidType, LLVMLabelType, LLVMMetadataType, LLVMFunctionType, LLVMTokenType)
"""The types that no array and no struct can hold."""

READERS: Final[Mapping[str, Read]] = {
    "void": simple(VOID),
    "ppc_fp128": simple(LLVMPPCFP128Type()),
    "token": simple(LLVMTokenType()),
    "label": simple(LLVMLabelType()),
    "metadata": simple(LLVMMetadataType()),
    "x86_amx": simple(LLVMX86AMXType()),
    "func": _read_function,
    "ptr": _read_pointer,
    "array": enclosed(_read_array),
    "struct": _read_struct,
    "target": enclosed(_read_target),
}


def types_of(readers: Mapping[str, Read]) -> Mapping[str, TypeReader]:
    """Readers by mnemonic, as a dialect declares them."""
    nothing_around = Around((), readers)

    def from_start(read: Read) -> TypeReader:
        return lambda reader: read(reader, nothing_around)

    return {name: from_start(read) for name, read in readers.items()}


TYPES: Final = types_of(READERS)
"""The readers of the types of MLIR 22."""
