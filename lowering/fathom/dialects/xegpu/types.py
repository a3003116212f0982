"""The types of the xegpu dialect that only C++ reads and writes: descriptors of tensors and of memory; and the layouts
in them.

Source of the rules: *'xegpu' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from fathom.dialects.xegpu.layouts import cannot_distribute, numbers_of, rank_of
from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import DYNAMIC, MemRefType, ShapedType, Speller, Type, element_width
from fathom.irdl.cases import word_of
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.keywords import enclosed
from fathom.irdl.parametric import CustomBody
from fathom.records import record, replace

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.irdl.readers import BodyReader, ParameterReader, TypeReader

_BLOCK: Final = "xegpu.block_tdesc_attr"
_SCATTER: Final = "xegpu.scatter_tdesc_attr"
_LAYOUT: Final = "xegpu.layout"
_PACKED: Final = 32
"""Narrower numbers are packed in units of so many bits where they are gathered."""


@record
class TensorDescType(ShapedType):
    """`!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<…>, #xegpu.layout<…>>`; without an encoding it is a block
    of global memory."""

    FULL_NAME: ClassVar[str] = "xegpu.tensor_desc"

    encoding: DialectAttr | None = None
    layout: DialectAttr | None = None

    def spell(self, of: Speller) -> str:
        further = "".join(f", {of(part)}" for part in (self.encoding, self.layout) if part is not None)
        return f"!xegpu.tensor_desc<{self.dims}{of(self.element)}{further}>"

    @property
    def is_scattered(self) -> bool:
        return self.encoding is not None and self.encoding.full_name == _SCATTER

    @property
    def space(self) -> int:
        """The number of the memory space."""
        parameter = self._encoded("memory_space")
        return 3 if isinstance(parameter, DialectAttr) and word_of(parameter) == "slm" else 0

    @property
    def chunk(self) -> int:
        """How many elements lie beside each other at each offset."""
        return self._number("chunk_size") if self.is_scattered else 1

    @property
    def array_length(self) -> int:
        return 1 if self.is_scattered else self._number("array_length")

    def _encoded(self, name: str) -> Parameter:
        encoding = self.encoding
        return encoding.parameter(name) if encoding is not None and name in encoding.definition.names else None

    def _number(self, name: str) -> int:
        parameter = self._encoded(name)
        return parameter.value if isinstance(parameter, IntegerAttr) else 1


@record
class MemDescType(ShapedType):
    """`!xegpu.mem_desc<32x64xf16, #xegpu.mem_layout<stride = [1, 32]>>`."""

    FULL_NAME: ClassVar[str] = "xegpu.mem_desc"

    layout: DialectAttr | None = None

    def spell(self, of: Speller) -> str:
        layout = f", {of(self.layout)}" if self.layout is not None else ""
        return f"!xegpu.mem_desc<{self.dims}{of(self.element)}{layout}>"

    @property
    def strides(self) -> tuple[int, ...]:
        return self._numbers("stride") or (*self.ranked_shape[1:], 1)

    @property
    def block(self) -> tuple[int, ...]:
        return self._numbers("block") or self.ranked_shape

    def _numbers(self, name: str) -> tuple[int, ...]:
        entries = self.layout.parameters[0] if self.layout is not None else ()
        for entry in entries if isinstance(entries, tuple) else ():
            if isinstance(entry, tuple) and entry[0] == name and isinstance(entry[1], ArrayAttr):
                return tuple(element.value for element in entry[1].elements if isinstance(element, IntegerAttr))
        return ()


# ---- reading


def _read_tensor(reader: BodyReader) -> Type:
    reader.expect("<")
    shape = tuple(reader.dimensions())
    element = reader.type()
    encoding, layout = None, None
    while reader.accept(","):
        attribute = reader.attribute()
        name = attribute.full_name if isinstance(attribute, DialectAttr) else ""
        if name == _LAYOUT and isinstance(attribute, DialectAttr):
            layout = attribute
        elif name in (_BLOCK, _SCATTER) and isinstance(attribute, DialectAttr):
            encoding = attribute
        else:
            reader.fail_before("invalid kind of attribute specified")
    reader.expect(">")
    type = TensorDescType(shape, element, _plain(encoding), layout)
    if problem := _tensor_problem(type):
        reader.fail(problem)
    return type


_DEFAULTS: Final[Mapping[str, object]] = {
    "memory_space": "global",
    "array_length": 1,
    "boundary_check": 1,
    "chunk_size": 1,
}


def _plain(encoding: DialectAttr | None) -> DialectAttr | None:
    """The encoding without what is so anyway; None for a block of which everything is."""
    if encoding is None:
        return None
    names = encoding.definition.names
    kept = tuple(
        None if _value(parameter) == _DEFAULTS.get(name) else parameter
        for name, parameter in zip(names, encoding.parameters, strict=True)
    )
    if encoding.full_name == _BLOCK and not any(parameter is not None for parameter in kept):
        return None
    return replace(encoding, parameters=kept)


def _value(parameter: Parameter) -> object:
    if isinstance(parameter, IntegerAttr):
        return parameter.value
    return word_of(parameter) if isinstance(parameter, DialectAttr) else parameter


def _tensor_problem(type: TensorDescType) -> str | None:
    shape = type.ranked_shape
    if not shape:
        return "expected non-zero rank tensor"
    last = shape[-1]
    if not type.is_scattered and len(shape) > 1 and type.space:
        return "SLM is only supported for 1D block tensor"
    unit = max(_PACKED // (element_width(type) or _PACKED), 1)
    if type.is_scattered and len(shape) == 1 and type.chunk != 1:
        return "expected non-contiguous elements for 1D tensor"
    if type.is_scattered and type.chunk > 1 and last != type.chunk:
        return "expected last dim of tensor to match chunk size"
    if type.is_scattered and type.chunk > 1 and last % unit:
        return f"expected last dim of tensor to be a multiple of {unit}"
    if type.layout is None:
        return None
    if rank_of(type.layout) != len(shape):
        return "expected layout rank to match tensor rank"
    lanes = numbers_of(type.layout, "lane_data")
    if type.is_scattered and type.chunk > 1 and lanes and lanes[-1] % unit:
        return f"expected last dim of lane_data to be a multiple of: {unit}"
    if cannot_distribute(shape, type.layout):
        return f"cannot distribute [{', '.join(map(str, shape))}] using {type.layout}"
    return None


def _read_memory(reader: BodyReader) -> Type:
    shape = tuple(reader.dimensions())
    if DYNAMIC in shape:
        reader.fail_here("expected static shape")
    element = reader.type()
    layout = None
    if reader.accept(","):
        attribute = reader.attribute()
        if not isinstance(attribute, DialectAttr) or attribute.full_name != "xegpu.mem_layout":
            reader.fail_before("invalid kind of attribute specified")
        layout = attribute
    return MemDescType(shape, element, layout)


TYPES: Final[Mapping[str, TypeReader]] = {"tensor_desc": _read_tensor, "mem_desc": enclosed(_read_memory)}
CONSTRAINTS: Final = {
    "TensorDescType": TypeConstraint(
        "TensorDesc describing regions of interested data.", lambda type: isinstance(type, TensorDescType)
    ),
    "MemDescType": TypeConstraint("MemDesc describing the data in SLM", lambda type: isinstance(type, MemDescType)),
}


# ---- `#xegpu.mem_layout<stride = [1, 32], block = [16, 16]>`


def _read_layout(reader: ParameterReader) -> list[Parameter]:
    entries: dict[str, Attribute] = {}
    while True:
        name = reader.optional_keyword() or reader.fail_here("expected valid attribute name")
        if name in entries:
            reader.fail_here(f"duplicate key '{name} in mem layout attribute")
        reader.expect("=")
        entries[name] = reader.attribute()
        if not reader.accept(","):
            break
    return [tuple(sorted(entries.items(), key=lambda entry: entry[0]))]


def _spell_layout(values: Sequence[Parameter], of: Speller) -> str:
    (entries,) = values
    texts = [
        f"{entry[0]} = {of(entry[1])}"
        for entry in (entries if isinstance(entries, tuple) else ())
        if isinstance(entry, tuple) and isinstance(entry[1], Attribute)
    ]
    return ", ".join(texts)


BODIES: Final = {"MemLayoutAttr": CustomBody(("attrs",), _read_layout, _spell_layout)}


# ---- memory


_SHARED: Final = {"xegpu.memory_space": "slm", "xevm.addr_space": "shared", "gpu.address_space": "workgroup"}
"""What attributes of several dialects call the memory that a group of work items shares."""


def is_shared(rank: int) -> Callable[[object], bool]:
    """Whether a type is that of a buffer of a rank in shared memory."""

    def check(type: object) -> bool:
        if not isinstance(type, MemRefType) or not type.has_static_shape or len(type.ranked_shape) != rank:
            return False
        if isinstance(type.space, IntegerAttr):
            return type.space.value == 3
        return isinstance(type.space, DialectAttr) and _SHARED.get(type.space.full_name) == word_of(type.space)

    return check
