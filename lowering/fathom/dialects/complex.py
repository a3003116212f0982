"""The complex dialect, as far as builtin types reach: the attribute of a complex number.

Source of the rules: *Complex Dialect*, "Attributes".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, FloatAttr
from fathom.ir.types import ComplexType, FloatType, Speller
from fathom.irdl.dialect import Dialect

if TYPE_CHECKING:
    from fathom.irdl.protocols import BodyReader


@dataclass(frozen=True, slots=True)
class NumberAttr(Attribute):
    """`#complex.number<:f32 1.0, 2.0> : complex<f32>`; both parts have one type."""

    real: FloatAttr
    imaginary: FloatAttr

    def spell(self, of: Speller) -> str:
        element = self.real.type
        parts = f"{self.real.spell_value()}, {self.imaginary.spell_value()}"
        return f"#complex.number<:{of(element)} {parts}> : {of(ComplexType(element))}"


def _read_number(reader: BodyReader) -> NumberAttr:
    reader.expect("<")
    reader.expect(":")
    element = reader.type()
    if not isinstance(element, FloatType):
        reader.fail("element type must be a floating point type")
    real = reader.number(element)
    reader.expect(",")
    imaginary = reader.number(element)
    reader.expect(">")
    assert isinstance(real, FloatAttr) and isinstance(imaginary, FloatAttr), "a literal of a float type is a float"
    return NumberAttr(real, imaginary)


DIALECT: Final = Dialect("complex", attributes={"number": _read_number})
