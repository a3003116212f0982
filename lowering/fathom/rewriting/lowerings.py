"""How a dialect that comes from elsewhere is lowered: its patterns, what its types become, and what of it has a
translation to LLVM IR as it stands.

A pass `lower-NAME` is made of this (`fathom.passes.own_dialects`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.irdl.aspects import Aspect, said_of
from fathom.irdl.lazy import Joined
from fathom.records import field, record
from fathom.rewriting.llvm_exports import BUILDERS

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.pattern import RewriteFunction
    from fathom.rewriting.rewriter import Rewriter

    Becomes: TypeAlias = Callable[[Type, Definitions], Type]
    """What a type becomes."""
    Make: TypeAlias = Callable[[Operation, Rewriter], None]
    """Makes operations of the LLVM dialect, and replaces an operation by values of theirs."""


@record(eq=False)
class Rule:
    """A pattern for the operations of a full name. It makes such of the dialects `into`. `summary` says for people what
    it does, and `file` and `line` where it stands."""

    root: str
    into: tuple[str, ...]
    rewrite: RewriteFunction
    benefit: int = 1
    summary: str = ""
    file: str = ""
    line: int = 0


@record(eq=False)
class DialectLowering:
    """The patterns of a dialect, and for the full names of its types what these become."""

    rules: tuple[Rule, ...] = ()
    types: Mapping[str, Becomes] = field(default_factory=dict[str, "Becomes"])

    @property
    def into(self) -> frozenset[str]:
        """The dialects of what the patterns make."""
        return frozenset(name for rule in self.rules for name in rule.into)


@record(eq=False)
class LLVMTranslation:
    """An interface, as `LLVMTranslationDialectInterface::convertOperation`: the operation has a translation to LLVM IR
    as it stands, once its types are those of the LLVM dialect."""

    make: Make


LLVM_IR: Final = Aspect["Mapping[str, Make]"]("llvm_ir", {}, Joined)
"""What operations of the library's dialects are in the LLVM dialect, in whose place they stand until then: the code of
an `LLVMTranslation`, by their names."""
INTRINSICS: Final = Aspect[Mapping[str, str]]("intrinsics", {}, Joined, is_table=True)
"""Which intrinsic of LLVM an operation calls, and how (`fathom.dialects.llvm.intrinsic_calls`)."""


def llvm_translation(op: Operation) -> LLVMTranslation | None:
    """What says in code what an operation is in LLVM IR, as it stands."""
    if op.definition is None:
        return None
    make = op.definition.told(LLVM_IR)
    return LLVMTranslation(make) if make is not None else op.interface(LLVMTranslation)


def is_translated(op: Operation) -> bool:
    """Whether an operation of another dialect than LLVM's is in LLVM IR what its dialect says."""
    definition = op.definition
    if definition is None:
        return False
    is_said = definition.told(INTRINSICS) is not None or definition.told(BUILDERS) is not None
    return is_said or llvm_translation(op) is not None


@record(frozen=False)
class Amended:
    """What attributes add to what an operation of the LLVM dialect becomes: `metadata` by its kinds, each with its
    operands, numbers and texts or lists of such; `attributes` of a function, with their values or none, and its calling
    `convention`."""

    metadata: dict[str, Sequence[object]] = field(default_factory=dict[str, "Sequence[object]"])
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    convention: str = ""


Amendment: TypeAlias = "Callable[[Operation, Attribute, Amended], None]"
"""`LLVMTranslationDialectInterface::amendOperation`, for one attribute."""

AMENDMENTS: Final = Aspect[Mapping[str, Amendment]]("amendments", {}, Joined, module="llvm_ir")
"""What attributes of a dialect, which operations of any dialect may have, say in LLVM IR, by their names."""


def pass_name(dialect: str) -> str:
    """The name of the pass that lowers a dialect from elsewhere."""
    return f"lower-{dialect.replace('_', '-')}"


NO_LOWERING: Final = DialectLowering()

LOWERING: Final = Aspect[DialectLowering](
    "lowering",
    NO_LOWERING,
    lambda own, base: DialectLowering((*own.rules, *base.rules), {**base.types, **own.types}),
)
"""How a dialect is lowered."""


def is_lowered(op: Operation) -> bool:
    """Whether the dialect of an operation says how it is lowered."""
    return op.definition is not None and bool(said_of(LOWERING, op.definition.said).rules)
