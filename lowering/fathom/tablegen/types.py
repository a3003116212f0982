"""The types of TableGen, and what converts to what.

There is one object for each type, so that types are compared by identity. A type of records is that of the classes
which a record of it has, none of them a superclass of another; `{}` is that of any record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fathom.tablegen.definitions import Definition


class Type:
    """A type; `text` is how it is written."""

    __slots__ = ("_list", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._list: ListType | None = None

    @property
    def listed(self) -> ListType:
        """The type of lists of this type."""
        if self._list is None:
            self._list = ListType(self)
        return self._list

    def converts_to(self, other: Type) -> bool:
        """Whether some values of the type can be made values of the other."""
        return self is other

    def is_a(self, other: Type) -> bool:
        """Whether each value of the type is a value of the other."""
        return self is other


class BitType(Type):
    __slots__ = ()

    def converts_to(self, other: Type) -> bool:
        return other is self or other is INT or (isinstance(other, BitsType) and other.width == 1)


class IntType(Type):
    __slots__ = ()

    def converts_to(self, other: Type) -> bool:
        return other is self or other is BIT or isinstance(other, BitsType)


class BitsType(Type):
    __slots__ = ("width",)

    def __init__(self, width: int) -> None:
        super().__init__(f"bits<{width}>")
        self.width = width

    def converts_to(self, other: Type) -> bool:
        return other is self or other is INT or (other is BIT and self.width == 1)


class ListType(Type):
    __slots__ = ("element",)

    def __init__(self, element: Type) -> None:
        super().__init__(f"list<{element.text}>")
        self.element = element

    def converts_to(self, other: Type) -> bool:
        return isinstance(other, ListType) and self.element.converts_to(other.element)

    def is_a(self, other: Type) -> bool:
        return isinstance(other, ListType) and self.element.is_a(other.element)


class RecordType(Type):
    """Made by `record_type`, or by a class of itself."""

    __slots__ = ("classes",)

    def __init__(self, classes: tuple[Definition, ...]) -> None:
        names = ", ".join(class_.written_name for class_ in classes)
        super().__init__(names if len(classes) == 1 else f"{{{names}}}")
        self.classes = classes

    def has_class(self, of: Definition) -> bool:
        """Whether each record of the type is one of this class."""
        return any(class_ is of or of in class_.ancestors for class_ in self.classes)

    def converts_to(self, other: Type) -> bool:
        if self is other:
            return True
        return isinstance(other, RecordType) and all(self.has_class(class_) for class_ in other.classes)

    def is_a(self, other: Type) -> bool:
        return self.converts_to(other)


BIT: Final = BitType("bit")
INT: Final = IntType("int")
STRING: Final = Type("string")
DAG: Final = Type("dag")
UNKNOWN: Final = Type("?")
"""Of what is unset."""
ANY_RECORD: Final = RecordType(())
_BITS: Final[dict[int, BitsType]] = {}


def bits_type(width: int) -> BitsType:
    """`bits<width>`."""
    type_ = _BITS.get(width)
    if type_ is None:
        type_ = _BITS[width] = BitsType(width)
    return type_


def record_type(classes: list[Definition]) -> RecordType:
    """The type of the records that have all these classes."""
    if not classes:
        return ANY_RECORD
    ordered = sorted(classes, key=lambda class_: class_.written_name)
    return ordered[0].type_with(tuple(ordered))


def common_type(one: Type, other: Type) -> Type | None:
    """The type that values of both are of, or can be made of; None where there is none."""
    if one is other:
        return one
    if isinstance(one, RecordType) and isinstance(other, RecordType):
        return _common_classes(one, other)
    if one.converts_to(other):
        return other
    if other.converts_to(one):
        return one
    if isinstance(one, ListType) and isinstance(other, ListType):
        element = common_type(one.element, other.element)
        return element.listed if element is not None else None
    return None


def _common_classes(one: RecordType, other: RecordType) -> RecordType:
    common: list[Definition] = []
    left = list(one.classes)
    while left:
        class_ = left.pop()
        if other.has_class(class_):
            common.append(class_)
        else:
            left.extend(class_.superclasses)
    return record_type(common)
