"""The operations on floats that operations on complex numbers become, in the words of either dialect.

The same arithmetic is made of `arith` and `math` by one pass and of the LLVM dialect by another. What makes it says
what is computed, in order:

    floats = Floats(rewriter, STANDARD, F32, fastmath)
    norm = floats.add(floats.mul(real, real), floats.mul(imaginary, imaginary))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import CMPF_PREDICATES
from fathom.ir.attributes import FloatAttr, i64_attr
from fathom.ir.floats import from_float, infinity, nan
from fathom.ir.types import I1, FloatType, Type
from fathom.records import record

if TYPE_CHECKING:
    from typing import Self

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


@record
class Words:
    """What a dialect calls the operations, and the property that holds their fast-math flags."""

    add: str
    sub: str
    mul: str
    div: str
    abs: str
    copysign: str
    compare: str
    select: str
    both: str
    either: str
    constant: str
    fastmath: str


STANDARD: Final = Words(
    add="arith.addf",
    sub="arith.subf",
    mul="arith.mulf",
    div="arith.divf",
    abs="math.absf",
    copysign="math.copysign",
    compare="arith.cmpf",
    select="arith.select",
    both="arith.andi",
    either="arith.ori",
    constant="arith.constant",
    fastmath="fastmath",
)
LLVM: Final = Words(
    add="llvm.fadd",
    sub="llvm.fsub",
    mul="llvm.fmul",
    div="llvm.fdiv",
    abs="llvm.intr.fabs",
    copysign="llvm.intr.copysign",
    compare="llvm.fcmp",
    select="llvm.select",
    both="llvm.and",
    either="llvm.or",
    constant="llvm.mlir.constant",
    fastmath="fastmathFlags",
)


class Floats:
    """Makes operations on values of one type of floats, with the same flags, where the rewriter stands."""

    def __init__(self, rewriter: Rewriter, words: Words, type: FloatType, flags: Attribute | None) -> None:
        self.rewriter: Final = rewriter
        self.words: Final = words
        self.type: Final = type
        self.flags: Final = flags

    def with_flags(self, flags: Attribute | None) -> Self:
        """The same arithmetic with other flags."""
        return type(self)(self.rewriter, self.words, self.type, flags)

    def without_flags(self) -> Self:
        """The same arithmetic without flags."""
        return self.with_flags(None)

    @property
    def properties(self) -> dict[str, Attribute]:
        """What says the flags of an operation."""
        return {self.words.fastmath: self.flags} if self.flags is not None else {}

    # Constants.

    def constant(self, value: float) -> Value:
        """A Python float, rounded to the type."""
        return self._constant(from_float(value, self.type.name))

    def infinity(self, *, negative: bool = False) -> Value:
        return self._constant(infinity(self.type.name, negative=negative))

    def nan(self) -> Value:
        return self._constant(nan(self.type.name))

    def _constant(self, bits: int) -> Value:
        value = FloatAttr(bits, self.type)
        return self.rewriter.create(self.words.constant, (), [self.type], {"value": value}).result

    # Operations.

    def make(self, name: str, *operands: Value) -> Value:
        """The operation of this name, which has flags and whose result has the type of its first operand."""
        return self.rewriter.create(name, operands, [operands[0].type], self.properties).result

    def add(self, lhs: Value, rhs: Value) -> Value:
        return self.make(self.words.add, lhs, rhs)

    def sub(self, lhs: Value, rhs: Value) -> Value:
        return self.make(self.words.sub, lhs, rhs)

    def mul(self, lhs: Value, rhs: Value) -> Value:
        return self.make(self.words.mul, lhs, rhs)

    def div(self, lhs: Value, rhs: Value) -> Value:
        return self.make(self.words.div, lhs, rhs)

    def abs(self, value: Value) -> Value:
        return self.make(self.words.abs, value)

    def copysign(self, magnitude: Value, sign: Value) -> Value:
        return self.make(self.words.copysign, magnitude, sign)

    def compare(self, predicate: str, lhs: Value, rhs: Value) -> Value:
        """`compare("oeq", a, b)`; both dialects number the predicates alike."""
        properties = {"predicate": i64_attr(CMPF_PREDICATES[predicate]), **self.properties}
        return self.rewriter.create(self.words.compare, [lhs, rhs], [I1], properties).result

    # Operations without flags.

    def select(self, condition: Value, true: Value, false: Value) -> Value:
        return self._plain(self.words.select, true.type, condition, true, false)

    def both(self, lhs: Value, rhs: Value) -> Value:
        """Of two truth values, whether both hold."""
        return self._plain(self.words.both, I1, lhs, rhs)

    def either(self, lhs: Value, rhs: Value) -> Value:
        """Of two truth values, whether one holds."""
        return self._plain(self.words.either, I1, lhs, rhs)

    def _plain(self, name: str, type: Type, *operands: Value) -> Value:
        return self.rewriter.create(name, operands, [type]).result
