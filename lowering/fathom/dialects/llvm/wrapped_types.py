"""The types of the LLVM dialect as they were before MLIR 12: LLVM's own, wrapped, `!llvm.i64` and `!llvm<"float*">`.

They are read as what became of them: builtin numbers, and types of the dialect. Source of the rules: *LLVM Language
Reference Manual* of LLVM 11, "Type System".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from fathom.dialects.llvm.former_types import FORMER_READERS, LLVMVectorType, TypedPointerType
from fathom.dialects.llvm.type_syntax import Around, Read, read_pretty, types_of
from fathom.dialects.llvm.types import (
    VOID,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPPCFP128Type,
    LLVMStructType,
    LLVMTokenType,
)
from fathom.ir.types import DYNAMIC, FloatType, IntegerType, Type, VectorType, signless
from fathom.irdl.keywords import enclosed

if TYPE_CHECKING:
    from fathom.irdl.readers import BodyReader, TypeReader

V = TypeVar("V")

_FLOATS: Final[Mapping[str, Type]] = {
    "half": FloatType("f16"),
    "bfloat": FloatType("bf16"),
    "float": FloatType("f32"),
    "double": FloatType("f64"),
    "fp128": FloatType("f128"),
    "x86_fp80": FloatType("f80"),
}
_WORDS: Final[Mapping[str, Type]] = {
    **_FLOATS,
    "void": VOID,
    "label": LLVMLabelType(),
    "metadata": LLVMMetadataType(),
    "token": LLVMTokenType(),
    "ppc_fp128": LLVMPPCFP128Type(),
}
_WIDTHS: Final = (1, 8, 16, 32, 64, 128)
_INTEGER: Final = re.compile(r"i([1-9][0-9]{0,7})")
MOST_BITS: Final = 2**24 - 1
_TOKEN: Final = re.compile(r"\s*(%[\w.$-]+|%\"[^\"]*\"|\.\.\.|<\{|\}>|\w+|[\[\]{}<>(),*])")
MOST_DEEP: Final = 64
"""How deep such a type may nest."""
MOST_CHARACTERS: Final = 10_000


def _vector(size: int, element: Type, scalable: bool = False) -> Type:
    is_builtin = isinstance(element, (IntegerType, FloatType)) and size > 0 and not scalable
    return VectorType((size,), element) if is_builtin else LLVMVectorType(size, element, scalable)


class _Mistaken(Exception):
    """The text is no type."""


class _Text:
    """A position in the text of a type."""

    def __init__(self, text: str) -> None:
        self._tokens: Final = self._split(text)
        self._position = 0
        self._depth = 0

    @staticmethod
    def _split(text: str) -> list[str]:
        tokens: list[str] = []
        position, text = 0, text.rstrip()
        if len(text) > MOST_CHARACTERS:
            raise _Mistaken
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise _Mistaken
            tokens.append(match[1])
            position = match.end()
        return tokens

    def whole(self) -> Type:
        """The type that is all of the text."""
        type = self._type()
        if self._position < len(self._tokens):
            raise _Mistaken
        return type

    def _accept(self, text: str) -> bool:
        if self._position < len(self._tokens) and self._tokens[self._position] == text:
            self._position += 1
            return True
        return False

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise _Mistaken

    def _next(self) -> str:
        if self._position >= len(self._tokens):
            raise _Mistaken
        self._position += 1
        return self._tokens[self._position - 1]

    def _number(self) -> int:
        word = self._next()
        if not word.isdecimal() or len(word) > 18:
            raise _Mistaken
        return int(word)

    def _type(self) -> Type:
        self._depth += 1
        if self._depth > MOST_DEEP:
            raise _Mistaken
        type = self._base()
        while (suffixed := self._suffixed(type)) is not None:
            type = suffixed
        self._depth -= 1
        return type

    def _suffixed(self, type: Type) -> Type | None:
        """A pointer to a type, or a function that gives it; None where nothing such follows."""
        if self._accept("*"):
            return TypedPointerType(0, type)
        if self._accept("addrspace"):
            self._expect("(")
            space = self._number()
            self._expect(")")
            self._expect("*")
            return TypedPointerType(space % 2**32, type)
        if self._accept("("):
            parameters, is_variadic = self._list(")")
            return LLVMFunctionType(type, tuple(parameters), is_variadic)
        return None

    def _list(self, end: str) -> tuple[list[Type], bool]:
        """Types up to a bracket, and whether more may follow."""
        types: list[Type] = []
        if self._accept(end):
            return types, False
        while True:
            if self._accept("..."):
                self._expect(end)
                return types, True
            types.append(self._type())
            if not self._accept(","):
                self._expect(end)
                return types, False

    def _base(self) -> Type:
        word = self._next()
        if (known := _WORDS.get(word)) is not None:
            return known
        if word[0] == "i" and word[1:].isdecimal() and len(word) < 9:
            return signless(int(word[1:]))
        if word[0] == "%":
            return LLVMStructType(None, name=word[1:].strip('"'), opaque=True)
        match word:
            case "{":
                return LLVMStructType(tuple(self._list("}")[0]))
            case "<{":
                return LLVMStructType(tuple(self._list("}>")[0]), packed=True)
            case "[":
                return LLVMArrayType(*self._counted("]"))
            case "<":
                return _vector(*self._counted(">"))
            case _:
                raise _Mistaken

    def _counted(self, end: str) -> tuple[int, Type]:
        """`4 x float]`: a number and a type."""
        size = self._number()
        self._expect("x")
        element = self._type()
        self._expect(end)
        return size, element


def _read_quoted(reader: BodyReader) -> Type:
    """`<"float*">`, behind `!llvm`."""
    reader.expect("<")
    text = reader.string()
    reader.expect(">")
    try:
        return _Text(text).whole()
    except _Mistaken:
        _refuse(reader, text)


def _refuse(reader: BodyReader, text: str) -> NoReturn:
    reader.fail(f"expected an LLVM IR type, got '{text}'")


@enclosed
def _read_vector(reader: BodyReader, around: Around) -> Type:
    """`vec<4 x float>` is a builtin vector, since its elements are."""
    sizes = reader.dimensions()
    scalable = len(sizes) == 2 and sizes[0] == DYNAMIC
    if not (scalable or len(sizes) == 1) or sizes[-1] <= 0:
        reader.fail("expected '? x <integer> x <type>' or '<integer> x <type>'")
    return _vector(sizes[-1], read_pretty(reader, around), scalable)


class _Numbers(Mapping[str, V]):
    """Readers, and among them those of integers of any width, `i37`."""

    def __init__(self, readers: Mapping[str, V], plain: Callable[[Type], V]) -> None:
        self._readers = {**readers, **{name: plain(type) for name, type in _FLOATS.items()}}
        self._plain = plain

    @property
    def possible(self) -> Collection[str]:
        """The names that a list of them has."""
        return (*self._readers, *(f"i{width}" for width in _WIDTHS))

    def __getitem__(self, key: str) -> V:
        known = self._readers.get(key)
        if known is not None:
            return known
        match = _INTEGER.fullmatch(key)
        if match is None or int(match[1]) > MOST_BITS:
            raise KeyError(key)
        return self._plain(signless(int(match[1])))

    def __iter__(self) -> Iterator[str]:
        return iter(self.possible)

    def __len__(self) -> int:
        return len(self.possible)


def _read_plain(type: Type) -> Read:
    return lambda _reader, _around: type


def _plain(type: Type) -> TypeReader:
    return lambda _: type


_NESTED: Final = _Numbers({**FORMER_READERS, "vec": _read_vector}, _read_plain)
WRAPPED_TYPES: Final[Mapping[str, TypeReader]] = _Numbers({**types_of(_NESTED), "": _read_quoted}, _plain)
"""The readers of MLIR 13 with those of its predecessors, by mnemonic; one that has none is quoted."""
