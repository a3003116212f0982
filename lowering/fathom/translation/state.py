"""What the functions of a module share while it is translated: symbols, types, metadata, groups, declarations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import Diagnostic
from fathom.dialects.llvm.data_layout import DataLayout
from fathom.dialects.llvm.types import LLVMFunctionType, LLVMPointerType
from fathom.ir.attributes import Attribute, IntegerAttr, StringAttr, TypeAttr
from fathom.ir.operation import Operation, Span
from fathom.irdl.cases import word_of
from fathom.records import field, record
from fathom.translation.constants import Symbol
from fathom.translation.intrinsics import Declaration, declaration
from fathom.translation.metadata import Metadata, Node
from fathom.translation.spelling import TypeSpeller
from fathom.translation.unsaid import Unsaid

if TYPE_CHECKING:
    from fathom.context import Context


@record(frozen=False)
class Line:
    """A line of the result and the source that it came from."""

    text: str
    span: Span | None = None


@record(frozen=False)
class ModuleState:
    """What the parts of a module share while they are translated, and what they leave to be printed after them."""

    layout: DataLayout
    types: TypeSpeller
    context: Context
    """What dialects say of their operations and attributes in LLVM IR."""
    metadata: Metadata = field(default_factory=Metadata)
    symbols: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    functions: dict[str, LLVMFunctionType] = field(default_factory=dict[str, LLVMFunctionType])
    nodes: dict[Attribute, Node] = field(default_factory=dict[Attribute, Node])
    """The nodes of attributes of which each has one: loops, groups and scopes of accesses, types of TBAA."""
    named: dict[str, list[Node]] = field(default_factory=dict[str, list[Node]])
    """The lists of nodes that have names, such as `llvm.ident`, in the order in which MLIR makes them."""
    named_spans: dict[str, Span] = field(default_factory=dict[str, Span])
    """Where the first operation stands that adds to such a list."""
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    unsaid: Unsaid = field(default_factory=Unsaid)
    intrinsics: dict[str, Declaration] = field(default_factory=dict[str, Declaration])
    groups: dict[str, int] = field(default_factory=dict[str, int])
    """The numbers of attribute groups, by what stands between their braces."""
    comdats: dict[str, str] = field(default_factory=dict[str, str])

    def address(self, name: str) -> Symbol | None:
        return self.symbols.get(name)

    def group(self, text: str) -> str:
        """The name of an attribute group: `#0`."""
        return f"#{self.groups.setdefault(text, len(self.groups))}"

    def declare_intrinsic(self, result: str, name: str, parameters: tuple[str, ...]) -> str:
        """Declares an intrinsic, unless the module does, and gives its full name."""
        if name in self.functions:
            return name
        declared = declaration(result, name, parameters)
        self.intrinsics.setdefault(declared.name, declared)
        return declared.name

    def collect(self, op: Operation) -> None:
        """Notes the symbol that an operation at the top level defines."""
        attribute = op.properties.get("sym_name")
        if not isinstance(attribute, StringAttr):
            return
        collect = _SYMBOLS.get(op.name)
        if collect is not None:
            collect(self, op, attribute.value)


def _function(state: ModuleState, op: Operation, name: str) -> None:
    kind = op.properties.get("function_type")
    if isinstance(kind, TypeAttr) and isinstance(kind.type, LLVMFunctionType):
        state.functions[name] = kind.type
        state.symbols[name] = Symbol(LLVMPointerType(), name, may_be_null=linkage(op) == "extern_weak")


def _global(state: ModuleState, op: Operation, name: str) -> None:
    kind, space = op.properties.get("global_type"), op.properties.get("addr_space")
    weak = linkage(op) == "extern_weak"
    if isinstance(kind, TypeAttr):
        pointer = LLVMPointerType(space.value if isinstance(space, IntegerAttr) else 0)
        extent = 0 if weak else _extent(state.layout, kind)
        state.symbols[name] = Symbol(pointer, name, extent, weak)


def _other_name(state: ModuleState, op: Operation, name: str) -> None:
    kind = op.properties.get("i_func_type")
    if isinstance(kind, TypeAttr) and isinstance(kind.type, LLVMFunctionType):
        state.functions[name] = kind.type
    state.symbols[name] = Symbol(LLVMPointerType(), name)


_SYMBOLS: Final[Mapping[str, Callable[[ModuleState, Operation, str], None]]] = {
    "llvm.func": _function,
    "llvm.mlir.global": _global,
    "llvm.mlir.alias": _other_name,
    "llvm.mlir.ifunc": _other_name,
}
"""How the symbols are noted that operations define."""


def _extent(layout: DataLayout, kind: TypeAttr) -> int:
    try:
        return layout.size(kind.type)
    except ValueError:
        return 0


def linkage(op: Operation) -> str:
    """The linkage by its name in LLVM IR; external if nothing is said."""
    attribute = op.properties.get("linkage")
    return word_of(attribute) or "external"
