"""The builtin attributes, as immutable values that print themselves like types do (`fathom.ir.types`).

Source of the rules: *Builtin Dialect*, "Attributes".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from fathom.ir.affine import AffineMap, IntegerSet
from fathom.ir.floats import spell_float, to_float
from fathom.ir.spelling import spell_element, spell_integer, spell_key, spell_symbol
from fathom.ir.types import (
    DYNAMIC,
    I1,
    I32,
    I64,
    INDEX,
    FloatType,
    ShapedType,
    Speller,
    Type,
    name_in,
    text_of,
)
from fathom.records import Shared, record
from fathom.text.escapes import quote


@record
class Attribute(Shared):
    """What all attributes have in common. One of a dialect says its name, `llvm.vscale_range`."""

    FULL_NAME: ClassVar[str] = ""

    @property
    def full_name(self) -> str:
        """The name by which a dialect defines it, `arith.fastmath`, whatever its parameters are; empty for a builtin
        one. What is kept as it is written may have the name of the dialect alone."""
        return self.FULL_NAME

    def spell(self, of: Speller) -> str:
        raise TypeError(f"{type(self).__name__} does not spell itself")

    def spell_inside(self, of: Speller) -> str:
        """The text in an array, and as the memory space of a memref, where the types `i64` and `f64` of numbers go
        without saying."""
        return of(self)

    def __str__(self) -> str:
        return text_of(self)


@record
class UnitAttr(Attribute):
    """`unit`; in a dictionary the name alone."""

    def spell(self, of: Speller) -> str:
        return "unit"


@record
class IntegerAttr(Attribute):
    """`5 : i32`; `true` and `false` for `i1`. The value is signed, but for `i1` (0 or 1) and unsigned types."""

    value: int
    type: Type

    def spell(self, of: Speller) -> str:
        bare = self.spell_value()
        return bare if self.type == I1 else f"{bare} : {of(self.type)}"

    def spell_inside(self, of: Speller) -> str:
        return self.spell_value() if self.type == I64 else of(self)

    def spell_value(self) -> str:
        if self.type == I1:
            return "true" if self.value else "false"
        return spell_integer(self.value)


@record
class FloatAttr(Attribute):
    """`1.5 : f32`; `bits` is the pattern that the type's semantics give the value."""

    bits: int
    type: FloatType

    @property
    def value(self) -> float:
        return to_float(self.bits, self.type.name)

    def spell(self, of: Speller) -> str:
        return f"{self.spell_value()} : {of(self.type)}"

    def spell_inside(self, of: Speller) -> str:
        # Digits of a hexadecimal number without a type would be those of an integer.
        text = self.spell_value()
        return text if self.type.name == "f64" and not text.startswith("0x") else of(self)

    def spell_value(self) -> str:
        return spell_float(self.bits, self.type.name)


@record
class StringAttr(Attribute):
    """`"text"`, or `"text" : type`. The value is text whose characters below U+0100 may also stand for raw bytes."""

    value: str
    type: Type | None = None

    def spell(self, of: Speller) -> str:
        return quote(self.value) + (f" : {of(self.type)}" if self.type is not None else "")


@record
class SymbolRefAttr(Attribute):
    """`@root::@nested`."""

    root: str
    nested: tuple[str, ...] = ()

    @property
    def path(self) -> tuple[str, ...]:
        """The names, the outermost first."""
        return (self.root, *self.nested)

    def spell(self, of: Speller) -> str:
        return "::".join(spell_symbol(name) for name in self.path)


@record
class TypeAttr(Attribute):
    """A type in the place of an attribute."""

    type: Type

    def spell(self, of: Speller) -> str:
        return of(self.type)


@record
class ArrayAttr(Attribute):
    """`[1, 2]`."""

    elements: tuple[Attribute, ...]

    def spell(self, of: Speller) -> str:
        return f"[{', '.join(element.spell_inside(of) for element in self.elements)}]"


@record
class DictAttr(Attribute):
    """`{a = 1, b}`; the entries are sorted by name."""

    entries: tuple[tuple[str, Attribute], ...]

    def spell(self, of: Speller) -> str:
        return "{" + ", ".join(spell_entry(name, value, of) for name, value in self.entries) + "}"

    def get(self, name: str) -> Attribute | None:
        return next((value for key, value in self.entries if key == name), None)


@record
class DenseElementsAttr(Attribute):
    """`dense<[1, 2]> : tensor<2xi32>`.

    `values` has one entry for a splat, otherwise one for each element in row-major order: a signed integer (unsigned
    for unsigned types), the bit pattern of a float, or a pair of those for a complex element type. A shape without
    elements has none. Many of them may be packed (`fathom.ir.packed`): asking for them all has its price.
    """

    values: Sequence[int | tuple[int, int]]
    type: ShapedType

    def __hash__(self) -> int:
        values = self.values
        return hash((len(values), values[0], values[-1], self.type) if values else self.type)

    @property
    def is_splat(self) -> bool:
        return len(self.values) == 1

    def spell(self, of: Speller) -> str:
        from fathom.ir.dense import spell_dense

        return f"dense<{spell_dense(self)}> : {of(self.type)}"


@record
class DenseStringsAttr(Attribute):
    """`dense<["a", "b"]> : tensor<2x!foo.string>`; one entry for a splat."""

    values: tuple[str, ...]
    type: ShapedType

    def spell(self, of: Speller) -> str:
        from fathom.ir.dense import spell_nested

        return f"dense<{spell_nested([quote(v) for v in self.values], self.type.ranked_shape)}> : {of(self.type)}"


@record
class DenseArrayAttr(Attribute):
    """`array<i32: 1, 2>`; the values as in `DenseElementsAttr`."""

    element: Type
    values: tuple[int, ...]

    def spell(self, of: Speller) -> str:
        if not self.values:
            return f"array<{of(self.element)}>"
        return f"array<{of(self.element)}: {self.spell_values()}>"

    def spell_values(self) -> str:
        element = self.element
        if isinstance(element, FloatType) or element == I1:
            return ", ".join([spell_element(value, element) for value in self.values])
        return ", ".join(map(spell_integer, self.values))


@record
class SparseElementsAttr(Attribute):
    """`sparse<[[0, 0]], [1]> : tensor<3x4xi32>`."""

    indices: DenseElementsAttr
    values: DenseElementsAttr
    type: ShapedType

    def spell(self, of: Speller) -> str:
        from fathom.ir.dense import spell_dense

        if not self.values.values:
            return f"sparse<> : {of(self.type)}"
        return f"sparse<{spell_dense(self.indices)}, {spell_dense(self.values)}> : {of(self.type)}"


@record(eq=False)
class Blob:
    """A resource of a file: its alignment and its elements as so many hexadecimal digits, which are copied only when
    `digits` is called."""

    count: int
    digits: Callable[[], str]


@record
class DenseResourceAttr(Attribute):
    """`dense_resource<key> : tensor<4xf32>`; `blob` is what the metadata of the file has under the key, if anything."""

    key: str
    type: ShapedType
    blob: Blob | None = None

    def spell(self, of: Speller) -> str:
        return f"dense_resource<{spell_key(self.key)}> : {of(self.type)}"


@record
class AffineMapAttr(Attribute):
    """`affine_map<(d0) -> (d0)>`."""

    map: AffineMap

    def spell(self, of: Speller) -> str:
        return f"affine_map<{self.map}>"


@record
class IntegerSetAttr(Attribute):
    """`affine_set<(d0) : (d0 >= 0)>`."""

    set: IntegerSet

    def spell(self, of: Speller) -> str:
        return f"affine_set<{self.set}>"


@record
class StridedLayoutAttr(Attribute):
    """`strided<[?, 1], offset: ?>`; an unknown stride or offset is DYNAMIC. Strides and offset count elements."""

    strides: tuple[int, ...]
    offset: int = 0

    def spell(self, of: Speller) -> str:
        strides = ", ".join("?" if s == DYNAMIC else str(s) for s in self.strides)
        offset = f", offset: {'?' if self.offset == DYNAMIC else self.offset}" if self.offset != 0 else ""
        return f"strided<[{strides}]{offset}>"


@record
class DistinctAttr(Attribute):
    """`distinct[0]<42 : i32>`: an attribute that equals only those with its number. A printer numbers them anew, in the
    order in which it meets them."""

    number: int
    referenced: Attribute

    def spell(self, of: Speller) -> str:
        return self.spell_numbered(self.number, of)

    def spell_numbered(self, number: int, of: Speller) -> str:
        referenced = "" if isinstance(self.referenced, UnitAttr) else of(self.referenced)
        return f"distinct[{number}]<{referenced}>"


@record
class EnumAttr(Attribute):
    """A case, or a set of flags, of a dialect's enumeration: `#arith.fastmath<nnan,ninf>`.

    `mnemonic` is `arith.fastmath`, `word` what stands in the angle brackets, and `value` its number (the flags' bits).
    """

    mnemonic: str
    word: str
    value: int

    @property
    def full_name(self) -> str:
        return self.mnemonic

    def spell(self, of: Speller) -> str:
        return f"#{self.mnemonic}<{self.word}>"


@record
class UnknownAttr(Attribute):
    """An attribute of a dialect that is not known, kept as it was written: `#foo.bar<1>`, or `#foo.bar<1> : i32`."""

    written: str
    type: Type | None = None

    @property
    def alias(self) -> str:
        """The stem of the alias under which MLIR prints metadata of the LLVM dialect: `#llvm.loop_annotation<…>`."""
        dialect, _, name = self.full_name.partition(".")
        is_metadata = dialect == "llvm" and name.startswith(("access_group", "alias_scope", "di_", "loop_", "tbaa_"))
        parameters = self.written.partition("<")[2]
        return name if is_metadata and parameters and "#" not in parameters else ""

    @property
    def full_name(self) -> str:
        return name_in(self.written)

    def spell(self, of: Speller) -> str:
        return self.written if self.type is None else f"{self.written} : {of(self.type)}"


UNIT: Final = UnitAttr()
TRUE: Final = IntegerAttr(1, I1)
FALSE: Final = IntegerAttr(0, I1)


def i32_attr(value: int) -> IntegerAttr:
    """`value : i32`."""
    return IntegerAttr(value, I32)


def i64_attr(value: int) -> IntegerAttr:
    """`value : i64`."""
    return IntegerAttr(value, I64)


def index_attr(value: int) -> IntegerAttr:
    """`value : index`."""
    return IntegerAttr(value, INDEX)


def dict_attr(entries: dict[str, Attribute]) -> DictAttr:
    """The dictionary of these entries, put in order."""
    return DictAttr(tuple(sorted(entries.items())))


def spell_entry(name: str, value: Attribute, of: Speller) -> str:
    """An entry of a dictionary: `name = value`, or the name alone for `unit`."""
    key = spell_key(name)
    return key if isinstance(value, UnitAttr) else f"{key} = {of(value)}"
