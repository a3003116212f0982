"""The trampoline: `void @__fathom_call(ptr %args, ptr %results)`, which calls a lowered function on packed buffers.

The lowered function takes and returns structs by value, whose passing no foreign-function library gets right at every
size; so LLVM itself generates the call. Both buffers are rows of eight-byte words: an integer or a float narrower than
a word takes one, a wider one as many as it needs, and an aggregate its leaves one after the other. A ranked memref thus
lies in its buffer as its descriptor does in memory: allocated, aligned, offset, sizes, strides.

Source of the conventions: *LLVM IR Target*, "Calling Conventions" and "Data Layout and Types".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from fathom.execution.callable import in_memory, unfit
from fathom.execution.layouts import check_leaves, integer_width, llvm_float
from fathom.execution.llvm_types import is_array, is_pointer, is_struct
from fathom.execution.outcome import Convention, Parameter, UnsupportedSignature
from fathom.execution.pieces import WORD
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import ComplexType, MemRefType, TensorType, Type, VectorType
from fathom.records import record

if TYPE_CHECKING:
    from fathom.dialects.llvm.types import LLVMStructType

ENTRY: Final = "__fathom_call"
T = TypeVar("T")


@record
class Leaf:
    """A first-class LLVM value: an integer, a float or a pointer; `integer` is the width of an integer, else 0."""

    llvm: str
    words: int = 1
    integer: int = 0


@record
class Aggregate:
    """A struct, array or vector of LLVM."""

    llvm: str
    parts: tuple[Layout, ...]
    is_vector: bool = False

    @property
    def words(self) -> int:
        return sum(part.words for part in self.parts)


Layout: TypeAlias = Leaf | Aggregate
_I64: Final = Leaf("i64", 1, 64)


def struct(parts: Sequence[Layout], *, packed: bool = False, name: str | None = None) -> Layout:
    """A structure of these parts; one without any takes no room."""
    text = f"{{ {', '.join(part.llvm for part in parts)} }}" if parts else "{}"
    text = f"<{text}>" if packed else text
    return Aggregate(text if name is None else f"%{_quoted(name)}", tuple(parts))


def array(part: Layout, count: int) -> Layout:
    """So many values of one layout in a row."""
    return Aggregate(f"[{count} x {part.llvm}]", (part,) * count)


def layout_of(type: Type) -> Layout:
    """The LLVM value that a value of this type becomes, as a result or inside one."""
    if (width := integer_width(type)) is not None:
        return Leaf(f"i{width}", (width + 63) // 64, width)
    if (name := llvm_float(type)) is not None:
        return Leaf(name, 2 if name in ("x86_fp80", "fp128") else 1)
    match type:
        case ComplexType(element):
            return struct((layout_of(element),) * 2)
        case VectorType():
            return _vector(type)
        case TensorType():
            return layout_of(in_memory(type))
        case MemRefType(shape=None):
            return struct((_I64, Leaf("ptr")))
        case MemRefType():
            return struct(_descriptor(type))
        case _ if is_pointer(type):
            return Leaf(f"ptr addrspace({type.address_space})" if type.address_space else "ptr")
        case _ if is_array(type):
            check_leaves(type)
            return array(layout_of(type.element), type.size)
        case _ if is_struct(type):
            return _struct(type)
        case _:
            raise UnsupportedSignature(unfit(type) or f"'{type}' cannot be passed to, or returned from, a program")


def arguments_of(type: Type) -> tuple[Layout, ...]:
    """The LLVM arguments that an argument of this type becomes: a memref comes as the fields of its descriptor."""
    type = in_memory(type)
    if not isinstance(type, MemRefType):
        return (layout_of(type),)
    if type.shape is None:
        return (_I64, Leaf("ptr"))
    return (*_pointers(type), *(_I64,) * (1 + 2 * len(type.shape)))


def _pointers(type: MemRefType) -> tuple[Layout, Layout]:
    space = type.space.value if isinstance(type.space, IntegerAttr) else 0
    pointer = Leaf(f"ptr addrspace({space})" if space else "ptr")
    return pointer, pointer


def _descriptor(type: MemRefType) -> list[Layout]:
    rank = len(type.ranked_shape)
    bounds = [array(_I64, rank)] * 2 if rank else []
    return [*_pointers(type), _I64, *bounds]


def _struct(type: LLVMStructType) -> Layout:
    if (why := unfit(type)) is not None:
        raise UnsupportedSignature(why)
    from fathom.dialects.llvm.types import is_compatible

    if type.name is not None and not is_compatible(type):
        raise UnsupportedSignature(f"{type} cannot be passed to a program: LLVM has another struct in its place")
    check_leaves(type)
    return struct([layout_of(field) for field in type.body or ()], packed=type.packed, name=type.name)


def _vector(type: VectorType) -> Layout:
    if any(type.scalable):
        raise UnsupportedSignature(f"{type} cannot be passed to a program: its length is not known before it runs")
    check_leaves(type)
    shape = type.ranked_shape or (1,)
    lane = layout_of(type.element)
    result: Layout = Aggregate(f"<{shape[-1]} x {lane.llvm}>", (lane,) * shape[-1], is_vector=True)
    for extent in reversed(shape[:-1]):
        result = array(result, extent)
    return result


@record
class Trampoline:
    """The text of the trampoline, the LLVM type its function must have, and the size of its buffers in bytes."""

    text: str
    function_type: str
    arguments_size: int
    results_size: int


def trampoline(
    function: str,
    argument_types: Sequence[Type],
    result_types: Sequence[Type],
    convention: Convention | None = None,
    *,
    makes_memory: bool = False,
) -> Trampoline:
    """The trampoline of a function by its signature before lowering. What goes by way of memory (`llvm.byval`) is in
    the buffers as a pointer to it; with `makes_memory` as itself, that of `llvm.sret` before the results, and the
    trampoline makes the memory. Raises UnsupportedSignature."""
    convention = convention or Convention()
    body = _Body()
    offset, operands, types = 0, list[str](), list[str]()
    written: list[tuple[Layout, str]] = []
    for number, type in enumerate(argument_types):
        parameter, place = convention.parameters.get(number), f"argument #{number} of @{function}"
        layouts = _named(place, partial(_layouts, type, parameter))
        words = _attributes(parameter) if parameter is not None else ""
        types += [layout.llvm for layout in layouts]
        if makes_memory and parameter is not None and parameter.pointee is not None:
            layout = _named(place, partial(layout_of, parameter.pointee))
            memory = body.room(layout, parameter.alignment)
            operands.append(f"ptr {words}{memory}")
            if parameter.passing == "sret":
                written.append((layout, memory))
            else:
                body.lines.append(f"store {layout.llvm} {body.load(layout, offset)}, ptr {memory}")
                offset += WORD * layout.words
            continue
        for layout in layouts:
            operands.append(f"{layout.llvm} {words}{body.load(layout, offset)}")
            offset += WORD * layout.words
    results = [
        _named(f"result #{number} of @{function}", partial(layout_of, type)) for number, type in enumerate(result_types)
    ]
    returned = None if not results else results[0] if len(results) == 1 else struct(results)
    returned_llvm = returned.llvm if returned else "void"
    # Inlining would let the optimiser see which arguments are being passed, and measure another program.
    before = " ".join(filter(None, ("call", convention.name, convention.result, returned_llvm)))
    call = f"{before} @{_quoted(function)}({', '.join(operands)}) noinline"
    if returned:
        call = f"%returned = {call}"
    body.lines.append(call)
    end = 0
    for layout, memory in written:
        body.store(layout, body.value(layout, memory), end)
        end += WORD * layout.words
    if returned:
        body.store(returned, "%returned", end)
        end += WORD * returned.words
    lines = "\n".join(f"  {line}" for line in (*body.lines, "ret void"))
    return Trampoline(
        f"define void @{ENTRY}(ptr %args, ptr %results) {{\n{lines}\n}}\n",
        f"{returned_llvm} ({', '.join(types)})",
        offset,
        end,
    )


def _layouts(type: Type, parameter: Parameter | None) -> tuple[Layout, ...]:
    """The LLVM arguments that an argument becomes; one by way of memory becomes a pointer."""
    if parameter is not None and parameter.refused:
        raise UnsupportedSignature(f"no caller from outside can pass what is '{parameter.refused}'")
    return (Leaf("ptr"),) if parameter is not None and parameter.pointee is not None else arguments_of(type)


def _attributes(parameter: Parameter) -> str:
    """What a call says of an argument, with a blank behind it."""
    words = [parameter.words]
    if parameter.pointee is not None:
        words.append(f"{parameter.passing}({layout_of(parameter.pointee).llvm})")
    if parameter.alignment:
        words.append(f"align {parameter.alignment}")
    return "".join(f"{word} " for word in words if word)


def _named(place: str, make: Callable[[], T]) -> T:
    """What is made of a type; if it cannot be, that says where the type stands."""
    try:
        return make()
    except UnsupportedSignature as problem:
        raise UnsupportedSignature(f"{place}: {problem.failure.message}") from None


def _quoted(name: str) -> str:
    """A symbol's name as LLVM's text has it."""
    if name.replace("_", "").replace(".", "").replace("$", "").isalnum() and name.isascii() and not name[0].isdigit():
        return name
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else f"\\{b:02X}" for b in name.encode()) + '"'


class _Body:
    """The instructions of the trampoline, and fresh names for their results."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def _define(self, instruction: str) -> str:
        self._count += 1
        self.lines.append(f"%v{self._count} = {instruction}")
        return f"%v{self._count}"

    def room(self, layout: Layout, alignment: int) -> str:
        """The address of memory for a value."""
        aligned = f", align {alignment}" if alignment else ""
        return self._define(f"alloca {layout.llvm}{aligned}")

    def value(self, layout: Layout, address: str) -> str:
        """The value at an address."""
        return self._define(f"load {layout.llvm}, ptr {address}")

    def load(self, layout: Layout, offset: int) -> str:
        """The value that lies at `offset` in %args."""
        if isinstance(layout, Aggregate):
            return self._load_parts(layout, offset)
        address = self._define(f"getelementptr i8, ptr %args, i64 {offset}")
        if not layout.integer:
            return self._define(f"load {layout.llvm}, ptr {address}, align {WORD}")
        stored = 64 * layout.words
        value = self._define(f"load i{stored}, ptr {address}, align {WORD}")
        return value if stored == layout.integer else self._define(f"trunc i{stored} {value} to {layout.llvm}")

    def _load_parts(self, layout: Aggregate, offset: int) -> str:
        value = "poison"
        for i, part in enumerate(layout.parts):
            loaded = self.load(part, offset)
            offset += WORD * part.words
            insertion, index = ("insertelement", f"i64 {i}") if layout.is_vector else ("insertvalue", str(i))
            value = self._define(f"{insertion} {layout.llvm} {value}, {part.llvm} {loaded}, {index}")
        return value

    def store(self, layout: Layout, value: str, offset: int) -> None:
        """Store the value at `offset` in %results."""
        if isinstance(layout, Aggregate):
            self._store_parts(layout, value, offset)
            return
        address = self._define(f"getelementptr i8, ptr %results, i64 {offset}")
        stored = 64 * layout.words
        if layout.integer and layout.integer != stored:
            value = self._define(f"sext {layout.llvm} {value} to i{stored}")
        llvm = f"i{stored}" if layout.integer else layout.llvm
        self.lines.append(f"store {llvm} {value}, ptr {address}, align {WORD}")

    def _store_parts(self, layout: Aggregate, value: str, offset: int) -> None:
        for i, part in enumerate(layout.parts):
            extraction, index = ("extractelement", f"i64 {i}") if layout.is_vector else ("extractvalue", str(i))
            self.store(part, self._define(f"{extraction} {layout.llvm} {value}, {index}"), offset)
            offset += WORD * part.words
