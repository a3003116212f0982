"""What the modules of the acc dialect share: its attributes by name, and what is pointer-like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects import own_description
from fathom.ir.attributes import Attribute
from fathom.ir.types import MemRefType, Type, UnknownType
from fathom.irdl.cases import case_of, word_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import Node, OpParser, OpPrinter


NO_TYPE = UnknownType("<<NULL TYPE>>")
"""What a pointer to nothing in particular points to."""


def attribute(name: str, word: str) -> Attribute:
    """The attribute of the dialect that a word of an enumeration stands for; `name` is that of its definition."""
    made = case_of(own_description("acc").attributes[name], word)
    assert made is not None, f"{word} is a case of {name}"
    return made


def any_device() -> Attribute:
    """The device type of what is said without one."""
    return attribute("DeviceTypeAttr", "none")


def is_any_device(value: Attribute) -> bool:
    return word_of(value) == "none"


def is_for_any_device(devices: Sequence[Attribute]) -> bool:
    """Whether device types say nothing but that there is no device type."""
    return len(devices) == 1 and is_any_device(devices[0])


def is_pointer_like(type: Type) -> bool:
    """Whether a type is known to have the interface of pointers."""
    return isinstance(type, MemRefType) or type.full_name == "llvm.ptr"


def may_be_pointer(type: object) -> bool:
    """Whether a type may have the interface of pointers; one that nobody knows may."""
    return isinstance(type, UnknownType) or (isinstance(type, Type) and is_pointer_like(type))


def pointee(type: Type) -> Type:
    """What is behind a pointer, as far as its type says; of what is no pointer, the type itself."""
    if isinstance(type, MemRefType):
        return type.element
    return NO_TYPE if is_pointer_like(type) else type


# ---- types of devices in the text


def device(parser: OpParser) -> Node | Attribute:
    """`[#acc.device_type<nvidia>]`, or nothing."""
    if not parser.accept("["):
        return any_device()
    listed = parser.attribute()
    parser.expect("]")
    return listed


def print_device(p: OpPrinter, device: Attribute) -> None:
    """Writes ` [#acc.device_type<nvidia>]`, or nothing for any device."""
    if not is_any_device(device):
        p.write(" [")
        p.attribute(device)
        p.write("]")
