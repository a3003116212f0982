"""What the patterns of `convert-complex-to-standard` build from: floats, and the numbers that they are parts of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import FASTMATH, FASTMATH_FLAGS
from fathom.ir.attributes import EnumAttr
from fathom.ir.types import ComplexType
from fathom.irdl.constraints import enum_attribute
from fathom.passes.float_arithmetic import Floats

if TYPE_CHECKING:
    from typing import Self

    from fathom.ir.operation import Value
    from fathom.passes.complex_division import Parts

NO_SPECIAL_VALUES: Final = FASTMATH_FLAGS["nnan"] | FASTMATH_FLAGS["ninf"]
"""The flags that promise that there are no NaNs and no infinities."""


class Numbers(Floats):
    """Makes operations of `arith`, `math` and `complex` on one type of floats and on numbers that are made of them."""

    @property
    def rules_out_special_values(self) -> bool:
        """Whether the flags promise that there are no NaNs and no infinities."""
        return self._bits & NO_SPECIAL_VALUES == NO_SPECIAL_VALUES

    def with_special_values(self) -> Self:
        """The same arithmetic without the promises that there are no NaNs and no infinities."""
        return self.with_flags(enum_attribute(FASTMATH, self._bits & ~NO_SPECIAL_VALUES))

    @property
    def _bits(self) -> int:
        return self.flags.value if isinstance(self.flags, EnumAttr) else 0

    def parts(self, number: Value) -> Parts:
        """The real and the imaginary part, in this order."""
        return self.re(number), self.im(number)

    def re(self, number: Value) -> Value:
        return self.rewriter.create("complex.re", [number], [self.type]).result

    def im(self, number: Value) -> Value:
        return self.rewriter.create("complex.im", [number], [self.type]).result

    def create(self, real: Value, imaginary: Value) -> Value:
        return self.rewriter.create("complex.create", [real, imaginary], [ComplexType(self.type)]).result

    def abs_of(self, number: Value) -> Value:
        """`complex.abs`, which the conversion rewrites in turn; `abs` is that of a float."""
        return self.rewriter.create("complex.abs", [number], [self.type], self.properties).result

    def complex(self, name: str, *operands: Value) -> Value:
        """An operation on numbers that the conversion rewrites in turn."""
        return self.make(f"complex.{name}", *operands)

    def math(self, name: str, *operands: Value) -> Value:
        return self.make(f"math.{name}", *operands)

    def neg(self, value: Value) -> Value:
        return self.make("arith.negf", value)

    def maximum(self, lhs: Value, rhs: Value) -> Value:
        """The larger one, or a NaN if there is one."""
        return self.make("arith.maximumf", lhs, rhs)

    def minimum(self, lhs: Value, rhs: Value) -> Value:
        """The smaller one, or a NaN if there is one."""
        return self.make("arith.minimumf", lhs, rhs)
