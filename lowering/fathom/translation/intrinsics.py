"""Intrinsics: which LLVM function an operation `llvm.intr.…` calls, and how LLVM declares it.

The name is that of the operation without `intr.`, followed by the overloaded types. Their declarations carry
attributes that only LLVM knows; LLVM itself is asked for them, once for each signature. Source of the rules: *'llvm'
Dialect*, "Intrinsics".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from fathom.ir.types import Type
from fathom.llvm import PRINT
from fathom.llvm.process import Died, Refused, ask
from fathom.records import record
from fathom.translation.spelling import mangle


@record
class Overload:
    """Which results and operands, by position, the name is overloaded on, and which attributes are immediate
    arguments, as (position, attribute). `fields` are the overloaded fields of a struct result."""

    results: tuple[int, ...] = ()
    operands: tuple[int, ...] = ()
    immediates: tuple[tuple[int, str], ...] = ()
    fields: bool = False


NONE: Final = Overload()
FIRST: Final = Overload(operands=(0,))
SECOND: Final = Overload(operands=(1,))
RESULT: Final = Overload(results=(0,))
RESULT_FIRST: Final = Overload((0,), (0,))
FIELDS: Final = Overload((0,), fields=True)

OVERLOADS: Final[dict[str, Overload]] = {
    **dict.fromkeys(
        """
        acos asin atan atan2 bitreverse bswap ceil copysign cos cosh ctpop eh.typeid.for exp exp10 exp2 expect fabs
        floor fma fmuladd fshl fshr is.constant launder.invariant.group lifetime.end lifetime.start log log10 log2
        masked.compressstore maximum maxnum minimum minnum nearbyint pow rint round roundeven sadd.sat sin sincos sinh
        smax smin sqrt ssa.copy sshl.sat ssub.sat stackrestore strip.invariant.group tan tanh threadlocal.address
        trunc uadd.sat umax umin ushl.sat usub.sat vacopy vaend vastart vector.deinterleave2 vector.reduce.add
        vector.reduce.and vector.reduce.fmax vector.reduce.fmaximum vector.reduce.fmin vector.reduce.fminimum
        vector.reduce.mul vector.reduce.or vector.reduce.smax vector.reduce.smin vector.reduce.umax vector.reduce.umin
        vector.reduce.xor
        """.split(),
        FIRST,
    ),
    **dict.fromkeys(
        """
        vector.reduce.fadd vector.reduce.fmul vp.merge vp.reduce.add vp.reduce.and vp.reduce.fadd vp.reduce.fmax
        vp.reduce.fmin vp.reduce.fmul vp.reduce.mul vp.reduce.or vp.reduce.smax vp.reduce.smin vp.reduce.umax
        vp.reduce.umin vp.reduce.xor vp.select
        """.split(),
        SECOND,
    ),
    **dict.fromkeys(
        """
        coro.align coro.size masked.expandload stacksave stepvector vector.interleave2 vp.add vp.and vp.ashr vp.fadd
        vp.fdiv vp.fma vp.fmul vp.fmuladd vp.fneg vp.frem vp.fsub vp.lshr vp.mul vp.or vp.sdiv vp.shl vp.smax vp.smin
        vp.srem vp.sub vp.udiv vp.umax vp.umin vp.urem vp.xor vscale
        """.split(),
        RESULT,
    ),
    **dict.fromkeys(
        """
        get.active.lane.mask llrint llround lrint lround scmp ucmp vp.fpext vp.fptosi vp.fptoui vp.fptrunc vp.inttoptr
        vp.load vp.ptrtoint vp.sext vp.sitofp vp.trunc vp.uitofp vp.zext
        """.split(),
        RESULT_FIRST,
    ),
    **dict.fromkeys(
        """
        sadd.with.overflow smul.with.overflow ssub.with.overflow uadd.with.overflow umul.with.overflow
        usub.with.overflow
        """.split(),
        FIELDS,
    ),
    **dict.fromkeys(
        """
        assume coro.begin coro.end coro.free coro.id coro.promise coro.resume coro.save coro.suspend debugtrap trap
        """.split(),
        NONE,
    ),
    "abs": Overload(operands=(0,), immediates=((1, "is_int_min_poison"),)),
    "ctlz": Overload(operands=(0,), immediates=((1, "is_zero_poison"),)),
    "cttz": Overload(operands=(0,), immediates=((1, "is_zero_poison"),)),
    "is.fpclass": Overload(operands=(0,), immediates=((1, "bit"),)),
    "expect.with.probability": Overload(operands=(0,), immediates=((2, "prob"),)),
    "ldexp": Overload(operands=(0, 1)),
    "powi": Overload(operands=(0, 1)),
    "ptrmask": Overload(operands=(0, 1)),
    "var.annotation": Overload(operands=(0, 1)),
    "vp.store": Overload(operands=(0, 1)),
    "annotation": Overload((0,), (2,)),
    "ptr.annotation": Overload((0,), (2,)),
    "frexp": Overload((0, 1), fields=True),
    "memcpy": Overload(operands=(0, 1, 2), immediates=((3, "isVolatile"),)),
    "memmove": Overload(operands=(0, 1, 2), immediates=((3, "isVolatile"),)),
    "memcpy.inline": Overload(operands=(0, 1, 2), immediates=((2, "len"), (3, "isVolatile"))),
    "memset": Overload(operands=(0, 2), immediates=((3, "isVolatile"),)),
    "memset.inline": Overload(operands=(0, 2), immediates=((2, "len"), (3, "isVolatile"))),
    "prefetch": Overload(operands=(0,), immediates=((1, "rw"), (2, "hint"), (3, "cache"))),
    "ubsantrap": Overload(immediates=((0, "failureKind"),)),
    "vector.extract": Overload((0,), (0,), ((1, "pos"),)),
    "vector.insert": Overload((0,), (1,), ((2, "pos"),)),
    "invariant.start": Overload(operands=(1,), immediates=((0, "size"),)),
    "invariant.end": Overload(operands=(2,), immediates=((1, "size"),)),
    "experimental.vp.strided.load": Overload((0,), (0, 1)),
    "experimental.vp.strided.store": Overload(operands=(0, 1, 2)),
}
"""By the operation's name without `llvm.intr.`."""


NAMES: Final = {"vacopy": "va_copy", "vaend": "va_end", "vastart": "va_start"}
"""The intrinsics that are not called as their operations are."""


def mangled(base: str, types: list[Type]) -> str:
    """An intrinsic's full name: `llvm.masked.load.v4f32.p0`."""
    return ".".join([f"llvm.{base}", *map(mangle, types)])


@record
class Declaration:
    """How LLVM prints a declaration: the name, with the overloaded types if they were left out; the line without its
    attribute group; and what that group says, as the comment above spells it and as the group does."""

    name: str
    line: str
    comment: str
    group: str


@lru_cache(maxsize=1024)
def declaration(result: str, name: str, parameters: tuple[str, ...]) -> Declaration:
    """The declaration of an intrinsic with this signature, with the attributes that LLVM gives it."""
    plain = f"declare {result} @{name}({', '.join(parameters)})"
    try:
        text = ask(PRINT, plain)
    except (Refused, Died):
        return Declaration(name, plain, "", "")
    line = next((line for line in text.splitlines() if line.startswith("declare ")), plain)
    comment = _COMMENT.search(text)
    group = _GROUP.search(text)
    full = _NAME.search(line)
    return Declaration(
        full[1] if full else name, _USE.sub("", line), comment[1] if comment else "", group[1] if group else ""
    )


_COMMENT: Final = re.compile(r"^; Function Attrs: (.*)$", re.MULTILINE)
_GROUP: Final = re.compile(r"^attributes #0 = \{ (.*) \}$", re.MULTILINE)
_NAME: Final = re.compile(r"@([-\w.$]+)\(")
_USE: Final = re.compile(r" #\d+$")
