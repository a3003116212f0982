"""What operations are in PTX, the assembly language of NVIDIA's GPUs, where LLVM has no intrinsic for them.

An operation gives the text of an instruction and the values that it reads and writes. How these become registers is a
matter of `convert-nvvm-to-llvm`. What a dialect's operations give is an aspect (`ptx.py`). Source of the rules:
`BasicPtxBuilderInterface` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.irdl.aspects import Aspect
from fathom.irdl.lazy import Joined
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


class Register(Enum):
    """What an instruction does with a value."""

    READ = auto()
    WRITTEN = auto()
    CHANGED = auto()


@record
class Ptx:
    """An instruction. In its `text`, `%0` or `$0` is a register by its number, and `{$r0}`, `{$w0}`, `{$rw0}` are those
    that are read, written and changed, each kind by its own numbers; one that `is_numbered` has none of the latter.

    `values` are those that it takes, in the order of their registers; results of the operation are among them, those
    that are `WRITTEN`. It is `guarded` if the last one says whether it is to run at all.
    """

    text: str
    values: Sequence[tuple[Value, Register]]
    guarded: bool = False
    is_numbered: bool = False


GivePtx: TypeAlias = "Callable[[Any, Rewriter], Ptx | None]"
"""The instruction that an operation is, for which constants may be made; None for one that has an intrinsic."""

INLINE_PTX: Final = Aspect[Mapping[str, GivePtx]]("ptx", {}, Joined)
"""What operations of a dialect are in PTX, by their names."""
