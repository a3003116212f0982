"""Instructions and blocks, by LLVM's names.

What an instruction uses stands in `operands`, in LLVM's order; blocks that it goes to, and what a call calls, are
fields of their own. One without a result is of type `void`.

Source of the rules: *LLVM Language Reference*, "Instruction Reference".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from fathom.llvmir.attributes import EMPTY, AttributeList
from fathom.llvmir.types import LABEL, FunctionType, Type
from fathom.llvmir.values import Value
from fathom.records import field, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.llvmir.metadata import Attachments, DbgRecord


@record(frozen=False, eq=False)
class BasicBlock(Value):
    """A block: instructions, of which the last one is a terminator."""

    name: str = ""
    instructions: list[Instruction] = field(default_factory=list["Instruction"], repr=False)

    @property
    def type(self) -> Type:  # pyright: ignore[reportIncompatibleVariableOverride]
        """That of labels."""
        return LABEL


@record(frozen=False, eq=False)
class Instruction(Value):
    """Any instruction."""

    opcode: ClassVar[str] = ""

    type: Type
    operands: list[Value]
    name: str = field(default="", kw_only=True)
    metadata: Attachments = field(default=(), kw_only=True)
    records: Sequence[DbgRecord] = field(default=(), kw_only=True)
    """What is said of variables before it."""

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        """The blocks that a terminator may go to, in the order in which LLVM comes to use them."""
        return ()


# ---- arithmetic


@record(frozen=False, eq=False)
class UnaryOperator(Instruction):
    """`fneg`."""

    opcode = "fneg"

    flags: tuple[str, ...] = ()


@record(frozen=False, eq=False)
class BinaryOperator(Instruction):
    """An operation on two values of a type: one of `words.INTEGER_OPERATIONS` or `words.FLOAT_OPERATIONS`."""

    opcode: str  # pyright: ignore[reportIncompatibleVariableOverride]
    flags: tuple[str, ...] = ()


@record(frozen=False, eq=False)
class CastInst(Instruction):
    """One of `words.CASTS`."""

    opcode: str  # pyright: ignore[reportIncompatibleVariableOverride]
    flags: tuple[str, ...] = ()


@record(frozen=False, eq=False)
class CmpInst(Instruction):
    """`icmp` or `fcmp`."""

    opcode: str  # pyright: ignore[reportIncompatibleVariableOverride]
    predicate: str
    flags: tuple[str, ...] = ()


@record(frozen=False, eq=False)
class SelectInst(Instruction):
    opcode = "select"

    flags: tuple[str, ...] = ()


@record(frozen=False, eq=False)
class FreezeInst(Instruction):
    opcode = "freeze"


# ---- vectors and aggregates


@record(frozen=False, eq=False)
class ExtractElementInst(Instruction):
    opcode = "extractelement"


@record(frozen=False, eq=False)
class InsertElementInst(Instruction):
    opcode = "insertelement"


@record(frozen=False, eq=False)
class ShuffleVectorInst(Instruction):
    opcode = "shufflevector"

    mask: tuple[int, ...]
    """With -1 for poison."""


@record(frozen=False, eq=False)
class ExtractValueInst(Instruction):
    opcode = "extractvalue"

    indices: tuple[int, ...]


@record(frozen=False, eq=False)
class InsertValueInst(Instruction):
    opcode = "insertvalue"

    indices: tuple[int, ...]


# ---- memory


@record(frozen=False, eq=False)
class AllocaInst(Instruction):
    """Its operand is the number of elements."""

    opcode = "alloca"

    allocated_type: Type
    alignment: int = 0
    is_in_alloca: bool = False
    is_swift_error: bool = False


@record(frozen=False, eq=False)
class LoadInst(Instruction):
    """One with an ordering is atomic."""

    opcode = "load"

    alignment: int = 0
    is_volatile: bool = False
    ordering: str = ""
    sync_scope: str = ""


@record(frozen=False, eq=False)
class StoreInst(Instruction):
    """The value, and the pointer. One with an ordering is atomic."""

    opcode = "store"

    alignment: int = 0
    is_volatile: bool = False
    ordering: str = ""
    sync_scope: str = ""


@record(frozen=False, eq=False)
class FenceInst(Instruction):
    opcode = "fence"

    ordering: str
    sync_scope: str = ""


@record(frozen=False, eq=False)
class AtomicCmpXchgInst(Instruction):
    """The pointer, what is expected, and what is stored."""

    opcode = "cmpxchg"

    success_ordering: str
    failure_ordering: str
    alignment: int
    is_weak: bool = False
    is_volatile: bool = False
    sync_scope: str = ""


@record(frozen=False, eq=False)
class AtomicRMWInst(Instruction):
    """The pointer and the value; `operation` is one of `words.RMW_OPERATIONS`."""

    opcode = "atomicrmw"

    operation: str
    ordering: str
    alignment: int
    is_volatile: bool = False
    sync_scope: str = ""


@record(frozen=False, eq=False)
class GetElementPtrInst(Instruction):
    """The pointer and the indices."""

    opcode = "getelementptr"

    source_type: Type
    flags: tuple[str, ...] = ()


@record(frozen=False, eq=False)
class VAArgInst(Instruction):
    opcode = "va_arg"


# ---- control flow


@record(frozen=False, eq=False)
class PHINode(Instruction):
    """A value for each of `blocks`."""

    opcode = "phi"

    blocks: list[BasicBlock]
    flags: tuple[str, ...] = ()


@record(frozen=False, eq=False)
class ReturnInst(Instruction):
    opcode = "ret"


@record(frozen=False, eq=False)
class BranchInst(Instruction):
    """To one block, or with a condition to the first or the second one."""

    opcode = "br"

    blocks: list[BasicBlock]

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        return tuple(self.blocks)


@record(frozen=False, eq=False)
class SwitchInst(Instruction):
    """The condition and the values of the cases; a block for each case."""

    opcode = "switch"

    default: BasicBlock
    blocks: list[BasicBlock]

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        return (self.default, *self.blocks)


@record(frozen=False, eq=False)
class IndirectBrInst(Instruction):
    opcode = "indirectbr"

    blocks: list[BasicBlock]

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        return tuple(self.blocks)


@record(frozen=False, eq=False)
class UnreachableInst(Instruction):
    opcode = "unreachable"


# ---- calls


Bundles: TypeAlias = "tuple[tuple[str, tuple[Value, ...]], ...]"
"""Operand bundles: their tags and what stands in them."""


@record(frozen=False, eq=False)
class CallBase(Instruction):
    """What calls something. The operands are the arguments; `metadata` stands for one as `MetadataAsValue`."""

    called: Value
    function_type: FunctionType
    attributes: AttributeList = EMPTY
    calling_convention: int = 0
    bundles: Bundles = ()


@record(frozen=False, eq=False)
class CallInst(CallBase):
    """`tail_kind` is one of `words.TAIL_CALL_KINDS`, or empty."""

    opcode = "call"

    flags: tuple[str, ...] = ()
    tail_kind: str = ""


@record(frozen=False, eq=False)
class InvokeInst(CallBase):
    opcode = "invoke"

    normal: BasicBlock = field(kw_only=True)
    unwind: BasicBlock = field(kw_only=True)

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        return (self.normal, self.unwind)


@record(frozen=False, eq=False)
class CallBrInst(CallBase):
    opcode = "callbr"

    default: BasicBlock = field(kw_only=True)
    blocks: list[BasicBlock] = field(kw_only=True)

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        return (self.default, *self.blocks)


CALLS: Final = frozenset((CallInst, InvokeInst, CallBrInst))
"""What calls: to ask for the class first costs less, of instructions most of which do not."""


# ---- exceptions


@record(frozen=False, eq=False)
class ResumeInst(Instruction):
    opcode = "resume"


@record(frozen=False, eq=False)
class LandingPadInst(Instruction):
    """The operands are its clauses: one of an array type is a filter, any other catches."""

    opcode = "landingpad"

    is_cleanup: bool = False


@record(frozen=False, eq=False)
class CatchSwitchInst(Instruction):
    """The operand is the parent: a pad, or none. Without `unwind` it goes to the caller."""

    opcode = "catchswitch"

    handlers: list[BasicBlock]
    unwind: BasicBlock | None = None

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        return (*(() if self.unwind is None else (self.unwind,)), *self.handlers)


@record(frozen=False, eq=False)
class FuncletPadInst(Instruction):
    """`catchpad` or `cleanuppad`: the parent, and behind it the arguments."""

    opcode: str  # pyright: ignore[reportIncompatibleVariableOverride]


@record(frozen=False, eq=False)
class CatchReturnInst(Instruction):
    """From the pad that is the operand."""

    opcode = "catchret"

    block: BasicBlock

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        return (self.block,)


@record(frozen=False, eq=False)
class CleanupReturnInst(Instruction):
    """From the pad that is the operand. Without `unwind` it goes to the caller."""

    opcode = "cleanupret"

    unwind: BasicBlock | None = None

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        return () if self.unwind is None else (self.unwind,)
