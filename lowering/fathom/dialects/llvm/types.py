"""The types of the LLVM dialect: immutable values that print themselves.

A type of the dialect that stands inside another one loses its prefix: `!llvm.struct<(ptr, array<2 x i32>)>`.
Source of the rules: *'llvm' Dialect*, "Type System"; the texts of errors are those of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import prod
from types import MappingProxyType
from typing import ClassVar, Final

from fathom.ir.attributes import Attribute, DenseElementsAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import MEMREF_ELEMENT, VECTOR_ELEMENT, FloatType, IntegerType, Speller, Type, VectorType
from fathom.records import record
from fathom.slices import checkpoint
from fathom.text.beginnings import TextTooLong
from fathom.text.escapes import quote

MOST_AROUND: Final = 1 << 20
"""So many characters are spelt of what stands in an identified struct that it mentions."""


class Enclosing:
    """The identified structs that enclose a type, by name, with whether LLVM has each of them (`is_compatible`); and
    what was spelt inside of them."""

    __slots__ = ("structs", "texts", "written")

    def __init__(self, structs: Mapping[str, bool] = MappingProxyType({}), written: int = 0) -> None:
        self.structs = structs
        self.texts: dict[Type, str] = {}
        self.written = written

    def text(self, type: LLVMType, of: Speller) -> str:
        """The text without `!llvm.` of a type that mentions one of the structs. Raises TextTooLong when there is more
        of such text than anybody writes, as a few structs that mention each other may stand for."""
        text = self.texts.get(type)
        if text is None:
            checkpoint()
            text = self.texts[type] = type.spell_bare(of, self)
        self.written += len(text)
        if self.written > MOST_AROUND:
            raise TextTooLong(f"a struct that mentions itself is not written in more than {MOST_AROUND:,} characters")
        return text


@record
class LLVMType(Type):
    """What all types of the dialect have in common."""

    def spell(self, of: Speller) -> str:
        return f"!llvm.{self.spell_bare(of, Enclosing())}"

    def spell_bare(self, of: Speller, around: Enclosing) -> str:
        """The text without `!llvm.`; the identified structs around it break recursion."""
        return self.full_name.removeprefix("llvm.")

    @property
    def wrapped(self) -> Type | None:
        """The one type that stands in a type of a former release of MLIR (`former_types`); of today's, none."""
        return None

    def wrapping(self, type: Type) -> LLVMType:
        """The same type with another in its place."""
        del type
        return self


def spell_nested(type: Type, of: Speller, around: Enclosing) -> str:
    """A type inside another of the dialect, where `!llvm.` goes without saying; unless LLVM has no such type, or
    the type is `ppc_fp128`, which MLIR does not count among them here."""
    if not isinstance(type, LLVMType):
        return of(type)
    # What mentions no struct around it has one text, which whoever spells it has at hand when it comes again.
    is_alone = not around.structs or structs_in(type).isdisjoint(around.structs)
    bare = of(type).removeprefix("!llvm.") if is_alone else around.text(type, of)
    if isinstance(type, LLVMPPCFP128Type):
        return f"!llvm.{bare}"
    known = around.structs.get(type.name or "") if isinstance(type, LLVMStructType) else None
    return bare if (is_compatible(type) if known is None else known) else f"!llvm.{bare}"


@record
class LLVMVoidType(LLVMType):
    """`!llvm.void`."""

    FULL_NAME: ClassVar[str] = "llvm.void"


@record
class LLVMLabelType(LLVMType):
    """`!llvm.label`."""

    FULL_NAME: ClassVar[str] = "llvm.label"


@record
class LLVMTokenType(LLVMType):
    """`!llvm.token`."""

    FULL_NAME: ClassVar[str] = "llvm.token"


@record
class LLVMMetadataType(LLVMType):
    """`!llvm.metadata`."""

    FULL_NAME: ClassVar[str] = "llvm.metadata"


@record
class LLVMX86AMXType(LLVMType):
    """`!llvm.x86_amx`."""

    FULL_NAME: ClassVar[str] = "llvm.x86_amx"


@record
class LLVMPPCFP128Type(LLVMType):
    """`!llvm.ppc_fp128`."""

    FULL_NAME: ClassVar[str] = "llvm.ppc_fp128"

    @property
    def interfaces(self) -> frozenset[str]:
        return frozenset((MEMREF_ELEMENT, VECTOR_ELEMENT))


@record
class LLVMPointerType(LLVMType):
    """`!llvm.ptr`, or `!llvm.ptr<3>` in another address space than 0."""

    FULL_NAME: ClassVar[str] = "llvm.ptr"

    address_space: int = 0

    @property
    def interfaces(self) -> frozenset[str]:
        return frozenset((VECTOR_ELEMENT,))

    def layout_problem(self, value: Attribute) -> str | None:
        """What is wrong with the entry of a data layout for this type, or None."""
        numbers = _layout_numbers(value)
        if len(numbers) not in (3, 4):
            count = "with 3 or 4 elements"
            return f"expected layout attribute for '{self}' to be a dense integer elements attribute {count}"
        return _layout_problem(self, value, numbers[1], numbers[2], "parameters")

    def overrides(self, value: Attribute, earlier: Attribute | None) -> bool:
        """Whether an entry may stand in the place of an earlier one: it is as wide, and no more aligned."""
        width, abi = _layout_numbers(value)[:2]
        known_width, known_abi = _layout_numbers(earlier)[:2] if earlier is not None else _UNSAID
        return width == known_width and _divides(abi, known_abi)

    def spell_bare(self, of: Speller, around: Enclosing) -> str:
        return f"ptr<{self.address_space}>" if self.address_space else "ptr"


@record
class LLVMArrayType(LLVMType):
    """`!llvm.array<4 x i32>`."""

    FULL_NAME: ClassVar[str] = "llvm.array"

    size: int
    element: Type

    def spell_bare(self, of: Speller, around: Enclosing) -> str:
        return f"array<{self.size} x {spell_nested(self.element, of, around)}>"


@record
class LLVMFunctionType(LLVMType):
    """`!llvm.func<i32 (ptr, ...)>`."""

    FULL_NAME: ClassVar[str] = "llvm.func"

    result: Type
    params: tuple[Type, ...]
    varargs: bool = False

    @property
    def inputs(self) -> tuple[Type, ...]:
        """The parameters, by the name that a builtin function type has for them."""
        return self.params

    @property
    def results(self) -> tuple[Type, ...]:
        """The result, by the name that a builtin function type has for them; `!llvm.void` is none."""
        return () if isinstance(self.result, LLVMVoidType) else (self.result,)

    def spell_bare(self, of: Speller, around: Enclosing) -> str:
        params = [spell_nested(param, of, around) for param in self.params]
        params += ["..."] * self.varargs
        return f"func<{spell_nested(self.result, of, around)} ({', '.join(params)})>"


@record
class LLVMStructType(LLVMType):
    """A literal struct `!llvm.struct<packed (i8, i32)>`, or an identified one `!llvm.struct<"name", (i8, i32)>`.

    `name` is None for a literal struct. `body` is None for an identified struct that is opaque, and for the mention of
    an enclosing one inside itself; only the former has `opaque` set.
    """

    FULL_NAME: ClassVar[str] = "llvm.struct"

    body: tuple[Type, ...] | None
    packed: bool = False
    name: str | None = None
    opaque: bool = False

    def spell_bare(self, of: Speller, around: Enclosing) -> str:
        head = ""
        if self.name is not None:
            head = quote(self.name)
            if self.name in around.structs or (self.body is None and not self.opaque):
                return f"struct<{head}>"
            head += ", "
        if self.body is None:
            return f"struct<{head}opaque>"
        inside = around
        if self.name is not None:
            inside = Enclosing({**around.structs, self.name: is_compatible(self)}, around.written)
        fields = ", ".join([spell_nested(field, of, inside) for field in self.body])
        around.written = inside.written
        return f"struct<{head}{'packed ' * self.packed}({fields})>"

    def layout_problem(self, value: Attribute) -> str | None:
        """As for pointers; there is an entry for all structs, which `!llvm.struct<()>` stands for."""
        numbers = _layout_numbers(value)
        if len(numbers) not in (1, 2):
            count = "of 1 or 2 elements"
            return f"expected layout attribute for '{self}' to be a dense integer elements attribute {count}"
        problem = _layout_problem(self, value, 0, 0, "entries")
        if problem is None and (self.name is not None or self.body):
            return f"unexpected layout attribute for struct '{self}'"
        return problem or _layout_problem(self, value, numbers[0], numbers[-1], "entries")

    def overrides(self, value: Attribute, earlier: Attribute | None) -> bool:
        """Whether an entry may stand in the place of an earlier one: it is no more aligned."""
        return earlier is None or _divides(_layout_numbers(value)[0], _layout_numbers(earlier)[0])

    def field(self, index: int) -> Type:
        """The type of a field; a mention of this struct in it is replaced by the struct itself."""
        if self.body is None:
            raise IndexError(f"{self} has no fields")
        field = self.body[index]
        return field if self.name is None else _unfold(field, self, {})


_UNSAID: Final = 64, 8
"""The width and the alignment of pointers of which no layout says anything, as MLIR compares them."""


def _divides(alignment: int, other: int) -> bool:
    return alignment <= other and (not alignment or other % alignment == 0)


def _layout_numbers(value: Attribute) -> tuple[int, ...]:
    """The integers of an entry of a data layout, none where it is of another kind."""
    if not isinstance(value, DenseElementsAttr) or not isinstance(value.type.element, IntegerType):
        return ()
    numbers = tuple(number for number in value.values if isinstance(number, int))
    # More elements than an entry can have are not counted out.
    return numbers * min(prod(value.type.ranked_shape), 8) if value.is_splat else numbers


def _layout_problem(type: Type, value: Attribute, abi: int, preferred: int, noun: str) -> str | None:
    assert isinstance(value, DenseElementsAttr)
    if not isinstance(value.type.element, IntegerType) or value.type.element.width != 64:
        return f"expected i64 {noun} for '{type}'"
    return "preferred alignment is expected to be at least as large as ABI alignment" if abi > preferred else None


def _unfold(type: Type, struct: LLVMStructType, known: dict[Type, Type]) -> Type:
    """The type with an identified struct in the place of its mentions; `known` has what was made already."""
    if struct.name not in structs_in(type):
        return type
    type_ = known.get(type)
    if type_ is None:
        type_ = known[type] = _unfolded(type, struct, known)
    return type_


def _unfolded(type: Type, struct: LLVMStructType, known: dict[Type, Type]) -> Type:
    match type:
        case LLVMStructType(body=None, opaque=False) if type.name == struct.name:
            return struct
        case LLVMStructType(body=tuple() as body):
            return LLVMStructType(tuple(_unfold(t, struct, known) for t in body), type.packed, type.name)
        case LLVMArrayType(size, element):
            return LLVMArrayType(size, _unfold(element, struct, known))
        case LLVMType(wrapped=Type() as inner):
            return type.wrapping(_unfold(inner, struct, known))
        case _:
            return type


@lru_cache(maxsize=4096)
def structs_in(type: Type) -> frozenset[str]:
    """The names of the identified structs that stand in a type, or are mentioned there."""
    match type:
        case LLVMStructType(body, _, name):
            own: frozenset[str] = frozenset() if name is None else frozenset((name,))
            return own.union(*map(structs_in, body or ()))
        case LLVMArrayType(_, element):
            return structs_in(element)
        case LLVMFunctionType(result, params):
            return structs_in(result).union(*map(structs_in, params))
        case LLVMType(wrapped=Type() as inner):
            return structs_in(inner)
        case _:
            return frozenset()


@record
class LLVMTargetExtType(LLVMType):
    """`!llvm.target<"spirv.Image", !llvm.ptr, 0>`: types, then integers."""

    FULL_NAME: ClassVar[str] = "llvm.target"

    name: str
    types: tuple[Type, ...] = ()
    integers: tuple[int, ...] = ()

    def spell_bare(self, of: Speller, around: Enclosing) -> str:
        parts = [f'"{self.name}"', *map(of, self.types), *map(str, self.integers)]
        return f"target<{', '.join(parts)}>"


def lies_in_memory(type: LLVMTargetExtType) -> bool:
    """Whether values of a target's own type can be stored."""
    return type.name.startswith("spirv.") or type.name == "aarch64.svcount"


def has_zero(type: LLVMTargetExtType) -> bool:
    """Whether a target's own type has a zero value."""
    return type.name.startswith("spirv.")


PTR: Final = LLVMPointerType()
VOID: Final = LLVMVoidType()
SCALABLE_ELEMENTS: Final = (IntegerType, FloatType, LLVMPointerType)


@lru_cache(maxsize=1024)
def struct_of(*fields: Type, packed: bool = False) -> LLVMStructType:
    """A literal struct: mostly the same object each time, which is equal to itself at once."""
    return LLVMStructType(fields, packed)


@lru_cache(maxsize=4096)
def is_compatible(type: Type) -> bool:
    """Whether the LLVM dialect can use a type: its own types over compatible ones, signless integers, the floats that
    LLVM IR has, pointers of the ptr dialect into its address spaces, and vectors of one dimension over those or
    pointers."""
    match type:
        case IntegerType(_, signedness):
            return signedness == ""
        case FloatType(name):
            return name in LLVM_FLOATS
        case VectorType():
            return (
                len(type.ranked_shape) == 1
                and (is_foreign_pointer(type.element) or isinstance(type.element, SCALABLE_ELEMENTS))
                and is_compatible(type.element)
            )
        case LLVMStructType(body):
            return body is None or all(map(is_compatible, body))
        case LLVMArrayType(_, element):
            return is_compatible(element)
        case LLVMFunctionType(result, params):
            return is_compatible(result) and all(map(is_compatible, params))
        case _:
            return isinstance(type, LLVMType) or is_foreign_pointer(type)


def is_foreign_pointer(type: Type) -> bool:
    """Whether a type is a pointer of the ptr dialect into an address space of LLVM's."""
    if not isinstance(type, DialectType) or type.full_name != "ptr.ptr":
        return False
    space = type.parameters[0]
    return isinstance(space, Attribute) and space.full_name.partition(".")[0] in ("llvm", "nvvm")


LLVM_FLOATS: Final = frozenset({"f16", "bf16", "f32", "f64", "f80", "f128"})
