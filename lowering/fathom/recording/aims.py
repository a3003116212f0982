"""What passes do to operations, in one word each: *why was this not folded?* can be asked of what outlives a pass.

It is known of a pass and an operation alone, so that it costs nothing to offer the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.types import TensorType
from fathom.irdl.interfaces import Call, LoopLike
from fathom.irdl.traits import SYMBOL, SYMBOL_TABLE, TERMINATOR
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


@record
class Aim:
    """What a pass does to operations: `word`, as in *not folded*, and whether it may do so to one."""

    word: str
    concerns: Callable[[Operation], bool]


def aims(names: Iterable[str], op: Operation) -> tuple[str, ...]:
    """What passes of these names may do to an operation, each once, in the order of the passes."""
    if op.has(SYMBOL) or op.has(SYMBOL_TABLE) or op.has(TERMINATOR):
        return ()
    found = (aim for name in names if (aim := AIMS.get(name)) is not None)
    return tuple(dict.fromkeys(aim.word for aim in found if aim.concerns(op)))


def _any(_op: Operation) -> bool:
    return True


def _has_results(op: Operation) -> bool:
    return bool(op.results)


def _is_in_loop(op: Operation) -> bool:
    around = op.parent_op
    while around is not None and around.interface(LoopLike) is None:
        around = around.parent_op
    return around is not None


def _is_loop(op: Operation) -> bool:
    return op.interface(LoopLike) is not None


def _is_call(op: Operation) -> bool:
    return op.interface(Call) is not None


def _is_affine(op: Operation) -> bool:
    return op.dialect == "affine" or (op.parent_op is not None and op.parent_op.dialect == "affine")


def _is_affine_loop(op: Operation) -> bool:
    return op.dialect == "affine" and _is_loop(op)


def _is_structured(op: Operation) -> bool:
    return op.dialect == "linalg"


def _is_on_tensors(op: Operation) -> bool:
    return any(isinstance(value.type, TensorType) for value in (*op.operands, *op.results))


def _is_on_stack(op: Operation) -> bool:
    """Whether an operation makes memory on the stack."""
    return op.name.endswith(".alloca")


def _is_about_stack(op: Operation) -> bool:
    return _is_on_stack(op) or any(_is_on_stack(definer) for definer in op.definers)


_FOLDED: Final = Aim("folded", _any)
_HOISTED: Final = Aim("hoisted", _is_in_loop)
AIMS: Final[Mapping[str, Aim]] = {
    "canonicalize": _FOLDED,
    "sccp": Aim("folded", _has_results),
    "int-range-optimizations": Aim("folded", _has_results),
    "cse": Aim("merged with an equal one", _has_results),
    "loop-invariant-code-motion": _HOISTED,
    "affine-loop-invariant-code-motion": _HOISTED,
    "inline": Aim("inlined", _is_call),
    "mem2reg": Aim("turned into values", _is_about_stack),
    "sroa": Aim("divided into its parts", _is_on_stack),
    "affine-super-vectorize": Aim("vectorised", _is_affine),
    "affine-loop-fusion": Aim("fused", _is_affine_loop),
    "affine-loop-unroll": Aim("unrolled", _is_affine_loop),
    "affine-loop-unroll-jam": Aim("unrolled and jammed", _is_affine_loop),
    "affine-parallelize": Aim("made parallel", _is_affine_loop),
    "affine-scalrep": Aim("forwarded", _is_affine),
    "linalg-fuse-elementwise-ops": Aim("fused", _is_structured),
    "scf-parallel-loop-fusion": Aim("fused", _is_loop),
    "one-shot-bufferize": Aim("bufferized", _is_on_tensors),
}
"""The passes that are meant to change what there is for the better, not to convert all of it."""
