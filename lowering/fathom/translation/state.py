"""What the functions of a module share while it is translated: the module that is made, symbols, types, nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import Diagnostic
from fathom.dialects.llvm.data_layout import DataLayout
from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.ir.attributes import Attribute, FloatAttr, IntegerAttr, StringAttr, TypeAttr
from fathom.ir.operation import Block, Operation, Span
from fathom.ir.property_values import integer_property
from fathom.irdl.cases import word_of
from fathom.llvmir.instructions import BasicBlock
from fathom.llvmir.metadata import MDNode
from fathom.llvmir.module import Comdat, Function, GlobalAlias, GlobalIFunc, GlobalValue, GlobalVariable, Module
from fathom.llvmir.names import SymbolTable
from fathom.llvmir.types import PTR, FunctionType, PointerType, Type
from fathom.llvmir.unique_nodes import UniqueNodes
from fathom.llvmir.values import Constant
from fathom.llvmir.words import METADATA_KINDS
from fathom.records import field, record
from fathom.translation.attribute_constants import constant_of
from fathom.translation.debug_info import DebugInfo
from fathom.translation.intrinsics import declaration
from fathom.translation.types import Types
from fathom.translation.unsaid import Unsaid

if TYPE_CHECKING:
    from fathom.context import Context


@record(frozen=False)
class ModuleState:
    """What the parts of a module share while they are translated."""

    layout: DataLayout
    context: Context
    """What dialects say of their operations and attributes in LLVM IR."""
    types: Types
    module: Module
    """What is made."""
    nodes: UniqueNodes
    debug: DebugInfo
    attribute_nodes: dict[Attribute, MDNode] = field(default_factory=dict[Attribute, MDNode])
    """The nodes of attributes of which each has one: loops, groups and scopes of accesses, types of TBAA."""
    symbols: dict[str, GlobalValue] = field(default_factory=dict[str, GlobalValue])
    names: SymbolTable = field(default_factory=lambda: SymbolTable("."))
    """The names that are taken, for what gets one that nothing else has; empty until then."""
    shared: dict[Constant, GlobalVariable] = field(default_factory=dict[Constant, GlobalVariable])
    """Constants without names, by their values."""
    made: dict[Operation, GlobalValue] = field(default_factory=dict[Operation, GlobalValue])
    """What stands for operations that define symbols."""
    blocks: dict[Block, BasicBlock] = field(default_factory=dict[Block, BasicBlock])
    """What stands for blocks, as soon as somebody asks."""
    tagged: dict[Function, dict[Attribute, Block]] = field(default_factory=dict[Function, dict[Attribute, Block]])
    """The blocks of functions by their tags, of functions whose blocks somebody asked for."""
    extents: dict[GlobalValue, int] = field(default_factory=dict[GlobalValue, int])
    """How many bytes are known to be at a variable."""
    declarations: list[Function] = field(default_factory=list[Function])
    """Functions that are called and that no operation stands for."""
    variables: list[GlobalVariable] = field(default_factory=list[GlobalVariable])
    """Those that stand behind the variables of the source: the lists of what runs before and after the program, and
    what operations make."""
    comdats: dict[str, Comdat] = field(default_factory=dict[str, Comdat])
    spans: dict[object, Span | None] = field(default_factory=dict[object, "Span | None"])
    """Where the operations stand that parts of the module come from: globals, blocks, instructions, named lists."""
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    unsaid: Unsaid = field(default_factory=Unsaid)
    _intrinsics: dict[tuple[str, FunctionType], Function] = field(
        default_factory=dict[tuple[str, FunctionType], Function]
    )
    _declared: dict[str, Function] = field(default_factory=dict[str, Function])
    _kinds: dict[str, int] = field(default_factory=dict[str, int])
    _numbers: dict[tuple[Attribute, Type], Constant | None] = field(
        default_factory=dict[tuple[Attribute, Type], "Constant | None"]
    )
    _met_numbers: dict[tuple[int, int], tuple[Attribute, Type, Constant | None]] = field(
        default_factory=dict[tuple[int, int], "tuple[Attribute, Type, Constant | None]"]
    )
    """The same by the identities of both, which it keeps."""

    def kind(self, name: str) -> int:
        """The number of a kind of metadata: LLVM's own, or the next for one that is met for the first time."""
        known = METADATA_KINDS.get(name)
        return known if known is not None else self._kinds.setdefault(name, len(METADATA_KINDS) + len(self._kinds))

    def constant(self, attribute: Attribute, type: Type) -> Constant | None:
        """The constant of this type that an attribute stands for; None when it stands for none. Of numbers, which
        programs repeat, there is one for each."""
        if not isinstance(attribute, (IntegerAttr, FloatAttr)):
            return constant_of(attribute, type)
        met = self._met_numbers.get((id(attribute), id(type)))
        if met is not None:
            return met[2]
        key = attribute, type
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = constant_of(attribute, type)
        self._met_numbers[id(attribute), id(type)] = attribute, type, known
        return known

    def intrinsic(self, name: str, type: FunctionType) -> Function:
        """An intrinsic of this type, declared unless the module does so itself."""
        known = self._intrinsics.get((name, type))
        if known is None:
            known = self._intrinsics[name, type] = self._declare(name, type)
        return known

    def _declare(self, name: str, type: FunctionType) -> Function:
        own = self.symbols.get(name)
        if isinstance(own, Function):
            return own
        made = declaration(name, type)
        made.type = self.module.function_pointer
        if made.name not in self._declared:
            self._declared[made.name] = made
            self.declarations.append(made)
        return self._declared[made.name]

    def collect(self, op: Operation) -> None:
        """Notes the symbol that an operation at the top level defines."""
        attribute = op.properties.get("sym_name")
        if isinstance(attribute, StringAttr) and (collect := _SYMBOLS.get(op.name)) is not None:
            made = collect(self, op, attribute.value)
            if made is not None:
                made.linkage = linkage(op)
                self.symbols[attribute.value] = self.made[op] = made
                self.spans[made] = op.span


def _function(state: ModuleState, op: Operation, name: str) -> GlobalValue | None:
    kind = op.properties.get("function_type")
    if isinstance(kind, TypeAttr) and isinstance(kind.type, LLVMFunctionType):
        return Function(state.module.function_pointer, name, state.types.function(kind.type))
    return None


def _global(state: ModuleState, op: Operation, name: str) -> GlobalValue | None:
    kind, space = op.properties.get("global_type"), integer_property(op, "addr_space", 0)
    if not isinstance(kind, TypeAttr):
        return None
    made = GlobalVariable(PointerType(space) if space else PTR, name, state.types(kind.type))
    if linkage(op) != "extern_weak":
        state.extents[made] = _extent(state.layout, kind)
    return made


def _alias(state: ModuleState, op: Operation, name: str) -> GlobalValue | None:
    kind = op.properties.get("alias_type")
    return GlobalAlias(PTR, name, state.types(kind.type)) if isinstance(kind, TypeAttr) else None


def _ifunc(state: ModuleState, op: Operation, name: str) -> GlobalValue | None:
    kind = op.properties.get("i_func_type")
    return GlobalIFunc(PTR, name, state.types(kind.type)) if isinstance(kind, TypeAttr) else None


_SYMBOLS: Final[Mapping[str, Callable[[ModuleState, Operation, str], GlobalValue | None]]] = {
    "llvm.func": _function,
    "llvm.mlir.global": _global,
    "llvm.mlir.alias": _alias,
    "llvm.mlir.ifunc": _ifunc,
}
"""What stands for the symbols that operations define."""


def _extent(layout: DataLayout, kind: TypeAttr) -> int:
    try:
        return layout.size(kind.type)
    except ValueError:
        return 0


def linkage(op: Operation) -> str:
    """The linkage by its name in LLVM IR; external if nothing is said."""
    attribute = op.properties.get("linkage")
    return word_of(attribute) or "external"
