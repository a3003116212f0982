"""The builtin types, as immutable values that print themselves.

Every type has `spell(of)`: its MLIR text, where `of` spells a nested type or attribute. `str(type)` spells without
aliases; the printer passes an `of` that knows the aliases of the module. Source of the rules: *Builtin Dialect*,
"Types".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from fathom.records import Shared, record
from fathom.text.beginnings import LONGEST_MESSAGE, TextTooLong

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute

Speller: TypeAlias = "Callable[[Type | Attribute], str]"

DYNAMIC: Final = -(2**63)
"""The extent of a dimension, a stride or an offset that is only known at run time (`?` in the text).

The number is that of MLIR, which stands in attributes too; a stride may well be -1."""


MEMREF_ELEMENT: Final = "MemRefElementTypeInterface"
VECTOR_ELEMENT: Final = "VectorElementTypeInterface"
"""The interfaces of types that may be the elements of memrefs, and of vectors."""

MOST_AGAIN: Final = 10_000
"""A text of more characters than this is written once, and its beginning where it comes again."""
MOST_SHOWN: Final = 2 * LONGEST_MESSAGE
"""When so many characters were written, the rest is left out."""


def text_of(element: Type | Attribute) -> str:
    """The text of a type or attribute without aliases, as it is shown in messages: each part is spelt once, since it
    may be met as often as nobody could count, and what is too long is not spelt to its end."""
    return _Spelling().spelt(element)


class _Spelling:
    """The parts of a text so far, by what they are texts of, and how many characters were written. It is no function
    that calls itself: that would be a circle, which keeps these texts until the garbage collector comes."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, str]] = {}
        self._written = 0

    def spelt(self, part: Type | Attribute) -> str:
        try:
            return part.spell(self._of)
        except TextTooLong:
            return "…"

    def _of(self, part: Type | Attribute) -> str:
        if self._written > MOST_SHOWN:
            return "…"
        before, known = self._written, self._known.get(id(part))
        if known is None:
            text = self.spelt(part)
            self._known[id(part)] = part, text if len(text) <= MOST_AGAIN else f"{text[:MOST_AGAIN]}…"
        else:
            text = known[1]
        # What is nested in it has been counted, and is a part of it.
        self._written = before + len(text)
        return text


def whole_text_of(element: Type | Attribute) -> str:
    """The text of a type or attribute without aliases, of which nothing is left out. TextTooLong where something would
    be."""
    text = text_of(element)
    if len(text) > MOST_AGAIN:
        raise TextTooLong(f"a type of more than {MOST_AGAIN:,} characters is not written")
    return text


@record
class Type(Shared):
    """What all types have in common. One of a dialect says its name, `llvm.ptr`."""

    FULL_NAME: ClassVar[str] = ""

    @property
    def full_name(self) -> str:
        """The name by which a dialect defines it, whatever its parameters are: `llvm.ptr`; empty for a builtin one.
        What is kept as it is written may have no more than the name of the dialect."""
        return self.FULL_NAME

    def spell(self, of: Speller) -> str:
        raise TypeError(f"{type(self).__name__} does not spell itself")

    @property
    def interfaces(self) -> frozenset[str]:
        """The names of the interfaces by which a type that is not builtin may stand where others ask for one."""
        return frozenset()

    def __str__(self) -> str:
        return text_of(self)


@record
class IntegerType(Type):
    """`i32` (signless), `si32` (signed), `ui32` (unsigned); 0 <= width < 2**24."""

    width: int
    signedness: str = ""

    def spell(self, of: Speller) -> str:
        return f"{self.signedness}i{self.width}"


@record
class IndexType(Type):
    """`index`: an integer as wide as the target's index, 64 bits unless a pass is told otherwise."""

    def spell(self, of: Speller) -> str:
        return "index"


@record
class FloatType(Type):
    """`f32`, `bf16`, `f8E5M2`, …; the name is a key of `fathom.ir.floats.SEMANTICS`."""

    name: str

    @property
    def width(self) -> int:
        """Storage width in bits."""
        from fathom.ir.floats import SEMANTICS

        return SEMANTICS[self.name].width

    def spell(self, of: Speller) -> str:
        return self.name


@record
class NoneType(Type):
    """`none`, the unit type."""

    def spell(self, of: Speller) -> str:
        return "none"


@record
class FunctionType(Type):
    """`(i32, f32) -> i1`."""

    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def spell(self, of: Speller) -> str:
        inputs = ", ".join(map(of, self.inputs))
        return f"({inputs}) -> {spell_results(self.results, of)}"


def spell_results(results: tuple[Type, ...], of: Speller) -> str:
    """The right-hand side of an arrow: one type bare, unless it is a function type, and any other number in
    parentheses."""
    if len(results) == 1 and not isinstance(results[0], FunctionType):
        return of(results[0])
    return f"({', '.join(map(of, results))})"


@record
class TupleType(Type):
    """`tuple<i32, f32>`."""

    elements: tuple[Type, ...]

    def spell(self, of: Speller) -> str:
        return f"tuple<{', '.join(map(of, self.elements))}>"


@record
class ComplexType(Type):
    """`complex<f32>`."""

    element: Type

    def spell(self, of: Speller) -> str:
        return f"complex<{of(self.element)}>"


@record
class ShapedType(Type):
    """A type with a shape and an element type; a rankless one has the shape `None`."""

    shape: tuple[int, ...] | None
    element: Type

    @property
    def has_static_shape(self) -> bool:
        return self.shape is not None and DYNAMIC not in self.shape

    @property
    def ranked_shape(self) -> tuple[int, ...]:
        """The shape of a type that is known to have a rank."""
        if self.shape is None:
            raise ValueError(f"{self} has no rank")
        return self.shape

    @property
    def dims(self) -> str:
        if self.shape is None:
            return "*x"
        return "".join("?x" if extent == DYNAMIC else f"{extent}x" for extent in self.shape)


@record
class VectorType(ShapedType):
    """`vector<4x[8]xf32>`; `scalable` has a flag for each dimension, or is empty when none is scalable."""

    scalable: tuple[bool, ...] = ()

    def spell(self, of: Speller) -> str:
        shape = self.ranked_shape
        flags = self.scalable or (False,) * len(shape)
        dims = "".join(f"[{n}]x" if flag else f"{n}x" for n, flag in zip(shape, flags, strict=True))
        return f"vector<{dims}{of(self.element)}>"


@record
class TensorType(ShapedType):
    """`tensor<4x?xf32, #encoding>`, or `tensor<*xf32>` with the shape `None`."""

    encoding: Attribute | None = None

    def spell(self, of: Speller) -> str:
        encoding = f", {of(self.encoding)}" if self.encoding is not None else ""
        return f"tensor<{self.dims}{of(self.element)}{encoding}>"


@record
class MemRefType(ShapedType):
    """`memref<4x?xf32, strided<[?, 1], offset: ?>, 1>`, or `memref<*xf32, 1>` with the shape `None`.

    `layout` is None for the identity; `space` is None for the default memory space (`0 : i64` is the same as none).
    """

    layout: Attribute | None = None
    space: Attribute | None = None

    def spell(self, of: Speller) -> str:
        layout = f", {of(self.layout)}" if self.layout is not None else ""
        space = f", {self.space.spell_inside(of)}" if self.space is not None else ""
        return f"memref<{self.dims}{of(self.element)}{layout}{space}>"


def _without_space(one: str, other: str) -> bool:
    """Whether two texts differ in white space only."""
    return one == other or _unspaced(one) == _unspaced(other)


def _unspaced(text: str) -> str:
    return text.replace(" ", "").replace("\n", "")


def name_in(text: str) -> str:
    """The name that a text of a dialect's type or attribute begins with: `foo.bar` of `!foo.bar<1>`, `foo` of
    `#foo<bar 1>`."""
    return text[1:].partition("<")[0].rstrip()


@record
class UnknownType(Type):
    """A type of a dialect that is not known, kept as it was written: `!foo.bar<1, "x">`. White space makes no
    difference."""

    written: str

    @property
    def full_name(self) -> str:
        return name_in(self.written)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, UnknownType) and _without_space(self.written, other.written))

    def __hash__(self) -> int:
        return hash(_unspaced(self.written))

    def spell(self, of: Speller) -> str:
        return self.written


def may_be_one(first: Type, second: Type) -> bool:
    """Whether two types that are not equal may be the same all the same: types that are kept as they are written can be
    written in several ways."""
    if isinstance(first, UnknownType) and isinstance(second, UnknownType):
        names = [type.full_name for type in (first, second)]
        return names[0] == names[1] or any("." not in name for name in names)
    if not isinstance(first, ShapedType) or not isinstance(second, ShapedType):
        return False
    return first.shape == second.shape and type(first) is type(second) and may_be_one(first.element, second.element)


POISON: Final = UnknownType("<<unknown>>")
"""The type of a value whose definition does not say, being broken or unknown; it agrees with every other."""

INDEX: Final = IndexType()
NONE: Final = NoneType()


@lru_cache(maxsize=256)
def signless(width: int) -> IntegerType:
    """The type of integers without a sign: mostly the same object each time, which is equal to itself at once."""
    return IntegerType(width)


I1: Final = signless(1)
I8: Final = signless(8)
I16: Final = signless(16)
I32: Final = signless(32)
I64: Final = signless(64)
BF16: Final = FloatType("bf16")
F16: Final = FloatType("f16")
F32: Final = FloatType("f32")
F64: Final = FloatType("f64")
F80: Final = FloatType("f80")
F128: Final = FloatType("f128")


def element_type(type: Type) -> Type:
    """The element type of a shaped type; any other type is its own element."""
    return type.element if isinstance(type, ShapedType) else type


def element_width(type: Type) -> int:
    """The bits of a number, or of an element of a shaped type; 0 where they are not known."""
    part = element_type(type)
    return part.width if isinstance(part, (IntegerType, FloatType)) else 0


WIDEST_COMPUTED: Final = 4096
"""Nothing is computed of integers of more bits, which would take longer than anybody waits: such a constant counts as a
value that is not known, and an operation on it stays as it is."""


def is_too_wide(type: Type) -> bool:
    """Whether a type is of integers, alone or as elements, of which nothing is computed."""
    element = type.element if isinstance(type, ShapedType) else type
    return isinstance(element, IntegerType) and element.width > WIDEST_COMPUTED
