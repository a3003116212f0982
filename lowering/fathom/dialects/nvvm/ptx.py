"""What operations of the nvvm dialect are in PTX, where LLVM has no intrinsic for them.

Most have one, unless a predicate says whether they are to run. Source of the rules: `getPtx` and `getAsmValues` of MLIR
22, and PTX's own description.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count, islice
from typing import TYPE_CHECKING, TypeVar

from fathom.dialects.nvvm.rules import SHARED, extents, space
from fathom.ir.attributes import IntegerAttr, i32_attr
from fathom.ir.operation import Operation
from fathom.ir.types import I1, I32
from fathom.irdl.aspects import attached
from fathom.irdl.cases import number_of, word_of
from fathom.ops import nvvm as ops
from fathom.rewriting.inline_ptx import INLINE_PTX, Ptx, Register

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

OpT = TypeVar("OpT", bound=Operation)


def _gives(
    name: str, *, if_guarded: bool = False, with_numbers: bool = True
) -> Callable[[Callable[[OpT], str]], Callable[[OpT, Rewriter], Ptx | None]]:
    """The function says the text of an instruction, whose registers are what the operation gives, what it takes, and
    the numbers among its attributes, unless these only choose an intrinsic. It is one `if_guarded` alone where without
    a predicate there is an intrinsic."""

    def decorate(function: Callable[[OpT], str]) -> Callable[[OpT, Rewriter], Ptx | None]:
        def give(op: OpT, rewriter: Rewriter) -> Ptx | None:
            if if_guarded and not op.all_of("predicate"):
                return None
            values = [*_each(Register.WRITTEN, op.results), *_each(Register.READ, op.operands)]
            attributes = sorted({**op.properties, **op.attributes}.items()) if with_numbers else ()
            numbers = [_number(rewriter, _value(each)) for _, each in attributes if isinstance(each, IntegerAttr)]
            return Ptx(function(op), [*values, *_each(Register.READ, numbers)], if_guarded)

        return attached(INLINE_PTX, name)(give)

    return decorate


def _each(register: Register, values: Iterable[Value]) -> Iterator[tuple[Value, Register]]:
    return ((value, register) for value in values)


def _number(rewriter: Rewriter, value: int) -> Value:
    return rewriter.create("llvm.mlir.constant", (), [I32], {"value": i32_attr(value)}).result


def _value(number: IntegerAttr) -> int:
    """A number as MLIR reads it: with a sign, if it is a single bit too."""
    return -number.value if number.type == I1 else number.value


def _shared(op: Operation) -> str:
    return ".shared" * (space(op, "addr") == SHARED)


# ---- barriers


@_gives("nvvm.barrier.arrive")
def _arrive(op: ops.BarrierArriveOp) -> str:
    return "bar.arrive %0, %1;" if op.barrierId is not None else "bar.arrive 0, %0;"


@_gives("nvvm.mbarrier.init", if_guarded=True)
def _init(op: ops.MbarrierInitOp) -> str:
    return f"mbarrier.init{_shared(op)}.b64 [%0], %1;"


@_gives("nvvm.mbarrier.arrive.expect_tx", if_guarded=True, with_numbers=False)
def _expect(op: ops.MbarrierArriveExpectTxOp) -> str:
    return f"mbarrier.arrive.expect_tx{_shared(op)}.b64 _, [%0], %1;"


@_gives("nvvm.mbarrier.try_wait.parity")
def _wait(op: ops.MbarrierTryWaitParityOp) -> str:
    """It is tried until the phase is over."""
    return (
        "{\n\t.reg .pred       P1; \n\tLAB_WAIT: \n\t"
        f"mbarrier.try_wait.parity{_shared(op)}.b64 P1, [%0], %1, %2; \n\t"
        "@P1 bra.uni DONE; \n\tbra.uni     LAB_WAIT; \n\tDONE: \n\t}"
    )


# ---- memory


def _listed(registers: Iterable[int]) -> str:
    return "{" + ",".join(f"%{register}" for register in registers) + "}"


@_gives("nvvm.cp.async.bulk.tensor.shared.cluster.global", if_guarded=True, with_numbers=False)
def _load_tensor(op: ops.CpAsyncBulkTensorSharedClusterGlobalOp) -> str:
    kinds = {
        ".im2col": op.im2colOffsets,
        ".multicast::cluster": op.multicastMask is not None,
        ".L2::cache_hint": op.l2CacheHint is not None,
    }
    registers = count(2)
    text = f"cp.async.bulk.tensor.{len(op.coordinates)}d.shared::cluster.global.mbarrier::complete_tx::bytes"
    text += "".join(kind for kind, present in kinds.items() if present)
    text += f" [%0], [%1, {_listed(islice(registers, len(op.coordinates)))} ], [%{next(registers)}]"
    if op.im2colOffsets:
        text += f",{_listed(islice(registers, len(op.im2colOffsets)))}"
    for operand in (op.multicastMask, op.l2CacheHint):
        text += f", %{next(registers)}" if operand is not None else ""
    return f"{text};"


@_gives("nvvm.cp.async.bulk.tensor.global.shared.cta", if_guarded=True)
def _store_tensor(op: ops.CpAsyncBulkTensorGlobalSharedCtaOp) -> str:
    dims = len(op.coordinates)
    at = ", ".join(f"%{register}" for register in range(2, 2 + dims))
    return f"cp.async.bulk.tensor.{dims}d.global.shared::cta.bulk_group [%0, {{{at}}} ], [%1];"


@_gives("nvvm.prefetch", if_guarded=True)
def _prefetch(_op: ops.PrefetchOp) -> str:
    """Only what describes a tensor is fetched under a predicate."""
    return "prefetch.tensormap [%0];"


# ---- what says more


@attached(INLINE_PTX, "nvvm.inline_ptx")
def inline(op: ops.InlinePtxOp, _rewriter: Rewriter) -> Ptx:
    """The text is the operation's own, up to a zero in it."""
    guard = [op.predicate] if op.predicate is not None else []
    values = [
        *_each(Register.CHANGED, op.readWriteArgs),
        *_each(Register.WRITTEN, op.results),
        *_each(Register.READ, [*op.readOnlyArgs, *guard]),
    ]
    return Ptx(op.ptxCode.value.partition("\0")[0], values, bool(guard))


@attached(INLINE_PTX, "nvvm.wgmma.mma_async")
def multiply(op: ops.WgmmaMmaAsyncOp, rewriter: Rewriter) -> Ptx:
    """The registers of the accumulator are counted twice, as what is written and as what is read; then come two
    descriptors, and what scales and lays out the factors."""
    m, n, k = extents(op)
    kinds = [word_of(kind) for kind in (op.typeD, op.typeA, op.typeB)]
    is_float, may_be_transposed = kinds[0] != "s32", kinds[1] in ("f16", "bf16")
    held = n // 4 if kinds[0] == "f16" else n // 2
    numbers = [number_of(op.scaleD) or 0]
    if is_float:
        numbers += [-1 if word_of(scale) == "neg" else 1 for scale in (op.scaleA, op.scaleB)]
    if may_be_transposed:
        numbers += [number_of(op.layoutA) or 0, 1 - (number_of(op.layoutB) or 0)]
    values = [
        (op.results[0], Register.WRITTEN),
        (op.inouts, Register.CHANGED),
        *_each(Register.READ, [op.descriptorA, op.descriptorB]),
        *_each(Register.READ, [_number(rewriter, number) for number in numbers]),
    ]
    first = 2 * held
    saturated = ".satfinite" * (word_of(op.satfinite) == "satfinite")
    text = (
        f"{{\n.reg .pred p;\nsetp.ne.b32 p, ${first + 2}, 0;\n"
        f"wgmma.mma_async.sync.aligned.m{m}n{n}k{k}.{'.'.join(kinds)}{saturated} "
        f"{{{', '.join(f'${register}' for register in range(held))}}}, ${first}, ${first + 1}, p"
    )
    text += f", ${first + 3},  ${first + 4}" * is_float
    text += f", ${first + 5},  ${first + 6}" * may_be_transposed
    return Ptx(f"{text};\n}}\n", values, is_numbered=True)
