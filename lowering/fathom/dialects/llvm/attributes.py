"""The attributes of the LLVM dialect as code reads and makes them: its enumerations, which `llvm.toml` describes, and
the constraints on attributes that no description says.

Source of the rules: *'llvm' Dialect*, "Attributes" and "Enums". Enumerations with a mnemonic print in full in the
generic form (`#llvm.linkage<internal>`); those without are plain integers there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr, i64_attr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import I32
from fathom.irdl.cases import word_of
from fathom.irdl.constraint import AttributeConstraint, AttributeForm
from fathom.irdl.declared import CustomDirective
from fathom.irdl.enumerations import Enumeration
from fathom.irdl.kinds import Kind
from fathom.irdl.parts import Part
from fathom.irdl.standard_attributes import number_of
from fathom.irdl.terms import AllOf, NativeClass

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

DYNAMIC_GEP_INDEX: Final = -(2**31)
"""Stands in `rawConstantIndices` of a getelementptr for an index that is an operand."""
GEP_FLAGS: Final = {"inbounds": 3, "nusw": 2, "nuw": 4}
"""The flags of `getelementptr` in the order in which they print; `inbounds` implies `nusw`."""


def cases(enumeration: str) -> Mapping[str, int]:
    """The keywords of an enumeration with their numbers."""
    return own_description("llvm").enumerations[enumeration].cases


@cache
def _keywords(enumeration: str) -> Mapping[int, str]:
    """The first keyword of each number."""
    words: dict[int, str] = {}
    for word, number in cases(enumeration).items():
        words.setdefault(number, word)
    return words


@cache
def ir_words(enumeration: str) -> Mapping[int, str]:
    """LLVM IR's words by the numbers of an enumeration. MLIR has `_` before those that are none in C++."""
    return {number: word.removeprefix("_") for word, number in cases(enumeration).items()}


@cache
def ir_numbers(enumeration: str) -> Mapping[str, int]:
    """The numbers of an enumeration by LLVM IR's words."""
    return {word: number for number, word in ir_words(enumeration).items()}


@lru_cache(maxsize=128)
def _case(name: str, keyword: str) -> DialectAttr:
    """The attribute of an enumeration for a keyword; an unknown one raises KeyError."""
    definition = own_description("llvm").attributes[f"{name}Attr"]
    return definition.make_attribute(**{definition.names[0]: cases(name)[keyword]})


def spell_case(attribute: IntegerAttr | None, enumeration: str) -> str:
    """The keyword of a plain integer, empty where there is none."""
    return _keywords(enumeration).get(attribute.value, "") if attribute is not None else ""


def linkage(keyword: str) -> DialectAttr:
    """`#llvm.linkage<internal>`."""
    return _case("Linkage", keyword)


def calling_convention(number: int = 0) -> DialectAttr:
    """A calling convention by LLVM's number for it; there may be others than MLIR has words for."""
    return own_description("llvm").attributes["CConvAttr"].make_attribute(CallingConv=number)


def tail_call_kind(keyword: str = "none") -> DialectAttr:
    return _case("TailCallKind", keyword)


def fastmath_of(number: int = 0) -> DialectAttr:
    """The attribute of a bit set, with the flags in the order of their numbers."""
    return own_description("llvm").attributes["FastmathFlagsAttr"].make_attribute(value=number)


_MOST_WORDS: Final = 128
"""So many attributes are remembered by what is written for them."""


def _keyword(enumeration: str, default: str = "", *, shown: bool = False) -> CustomDirective:
    """The code behind `custom<Linkage>($linkage)` and the like: a keyword, or nothing for the default, which is written
    only if it is `shown`."""

    def parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
        word = parser.optional_keyword([case for case in cases(enumeration) if case]) or default
        is_number = f"{enumeration}Attr" not in own_description("llvm").attributes
        parsed.attributes[arguments[0]] = i64_attr(cases(enumeration)[word]) if is_number else _case(enumeration, word)

    @lru_cache(maxsize=_MOST_WORDS)
    def text(attribute: Attribute | None) -> str:
        word = spell_case(attribute, enumeration) if isinstance(attribute, IntegerAttr) else word_of(attribute)
        if not word:
            return " " if isinstance(attribute, DialectAttr) else ""  # What has no word is written all the same.
        return f" {word}" if shown or word != default else ""

    def spell(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> str:
        return text(op.properties.get(arguments[0]))

    return CustomDirective(parse, spell=spell, spaced=True)


DIRECTIVES: Final = {
    "CConv": _keyword("CConv", "ccc"),
    "Linkage": _keyword("Linkage", "external"),
    "ShownLinkage": _keyword("Linkage", "external", shown=True),
    "TailCallKind": _keyword("TailCallKind", "none"),
    "UnnamedAddr": _keyword("UnnamedAddr"),
    "Visibility": _keyword("Visibility"),
}


def i32_array(*values: int) -> DenseArrayAttr:
    return DenseArrayAttr(I32, values)


_I32: Final = number_of(I32, "").term
CONSTRAINTS: Final = {
    "LLVM_FunctionTypeAttr": AttributeConstraint(
        "type attribute of LLVM function type",
        AllOf((Kind("type attribute"), Part("TypeOf", NativeClass("func", lambda t: isinstance(t, LLVMFunctionType))))),
        AttributeForm.TYPE,
    ),
    "LLVM_GEPNoWrapFlags": AttributeConstraint("::mlir::LLVM::GEPNoWrapFlags", _I32, type=I32),
    "LLVM_OverflowFlags": AttributeConstraint(
        "LLVM integer overflow flags",
        _I32,
        AttributeForm.FLAGS,
        I32,
        Enumeration("", {"nsw": 1, "nuw": 2}, bits=True, separator=", "),
    ),
}
"""Constraints by the names that the description has for them."""
