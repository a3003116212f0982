"""Modules, and what stands in them by name.

Source of the rules: *LLVM Language Reference*, "High Level Structure".
"""

from __future__ import annotations

from fathom.llvmir.attributes import EMPTY, NONE, AttributeList, AttributeSet
from fathom.llvmir.instructions import BasicBlock
from fathom.llvmir.metadata import Attachments, Metadata
from fathom.llvmir.types import PTR, FunctionType, PointerType, Type
from fathom.llvmir.values import Argument, Constant
from fathom.llvmir.words import LOCAL_LINKAGES
from fathom.records import field, record


@record(frozen=False, eq=False)
class Comdat:
    """`$name = comdat kind` (`words.SELECTION_KINDS`)."""

    name: str
    selection_kind: str = "any"


@record(frozen=False, eq=False)
class GlobalValue(Constant):
    """What has a name in the module. Its type is a pointer; `value_type` is what it points to."""

    type: Type
    name: str
    value_type: Type
    linkage: str = field(default="external", kw_only=True)
    visibility: str = field(default="default", kw_only=True)
    dll_storage_class: str = field(default="", kw_only=True)
    thread_local: str = field(default="", kw_only=True)
    """One of `words.THREAD_LOCAL_MODELS`, or empty."""
    unnamed_addr: str = field(default="", kw_only=True)
    """One of `words.UNNAMED_ADDRESSES`, or empty."""
    is_dso_local: bool = field(default=False, kw_only=True)
    partition: str = field(default="", kw_only=True)

    @property
    def is_implicitly_local(self) -> bool:
        """Whether it is local to what is linked without that being said."""
        return self.linkage in LOCAL_LINKAGES or (self.visibility != "default" and self.linkage != "extern_weak")


@record(frozen=False, eq=False)
class GlobalObject(GlobalValue):
    """What has a place in memory of its own."""

    section: str = field(default="", kw_only=True)
    comdat: Comdat | None = field(default=None, kw_only=True)
    alignment: int = field(default=0, kw_only=True)
    metadata: Attachments = field(default=(), kw_only=True)


@record(frozen=False, eq=False)
class GlobalVariable(GlobalObject):
    """A variable of the module, or a constant; a declaration without an initializer."""

    initializer: Constant | None = None
    is_constant: bool = False
    is_externally_initialized: bool = False
    code_model: str = ""
    sanitizers: tuple[str, ...] = ()
    """Some of `words.SANITIZERS`."""
    attributes: AttributeSet = NONE


@record(frozen=False, eq=False)
class GlobalAlias(GlobalValue):
    """Another name for a constant; which it is may be said later."""

    aliasee: Constant | None = None


@record(frozen=False, eq=False)
class GlobalIFunc(GlobalObject):
    """A function that is found when the program is loaded."""

    resolver: Constant | None = None


@record(frozen=False, eq=False)
class Function(GlobalObject):
    """A function; a declaration without blocks. A declaration may have arguments, which are not written."""

    value_type: FunctionType  # pyright: ignore[reportIncompatibleVariableOverride]
    arguments: list[Argument] = field(default_factory=list[Argument])
    blocks: list[BasicBlock] = field(default_factory=list[BasicBlock])
    attributes: AttributeList = EMPTY
    calling_convention: int = 0
    gc: str = ""
    prefix_data: Constant | None = None
    prologue_data: Constant | None = None
    personality: Constant | None = None
    made: list[BasicBlock] = field(default_factory=list[BasicBlock])
    """The blocks in the order in which their terminators were made, where that is another: LLVM names the predecessors
    of a block by it."""
    is_unknown_intrinsic: bool = False
    """Whether it has a name that LLVM keeps for itself, but does not know."""

    @property
    def is_intrinsic(self) -> bool:
        """Whether its name is one of those that LLVM keeps for itself."""
        return self.name.startswith("llvm.")


@record(frozen=False, eq=False)
class Module:
    """A module of LLVM IR."""

    source_filename: str = ""
    target_datalayout: str = ""
    target_triple: str = ""
    module_asm: str = ""
    """Lines of assembly, each ended as such."""
    globals: list[GlobalVariable] = field(default_factory=list[GlobalVariable])
    aliases: list[GlobalAlias] = field(default_factory=list[GlobalAlias])
    ifuncs: list[GlobalIFunc] = field(default_factory=list[GlobalIFunc])
    functions: list[Function] = field(default_factory=list[Function])
    named_metadata: dict[str, list[Metadata]] = field(default_factory=dict[str, list[Metadata]])
    """Lists of nodes; of expressions too, which have no number."""

    @property
    def function_pointer(self) -> PointerType:
        """The type of the addresses of functions, whose space the data layout says."""
        spaces = [part[1:] for part in self.target_datalayout.split("-") if part.startswith("P")]
        space = int(spaces[-1]) if spaces and spaces[-1].isdecimal() else 0
        return PointerType(space) if space else PTR

    def global_values(self) -> list[GlobalValue]:
        """All that has a name in the module."""
        return [*self.functions, *self.globals, *self.aliases, *self.ifuncs]
