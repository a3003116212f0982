"""The attributes of the LLVM dialect: its enumerations, and the constraints that its operations put on attributes.

Source of the rules: *'llvm' Dialect*, "Attributes" and "Enums". Enumerations with a mnemonic print in full in the
generic form (`#llvm.linkage<internal>`); those without are plain integers there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.ir.attributes import Attribute, DenseArrayAttr, EnumAttr, IntegerAttr
from fathom.ir.types import I1, I32, I64, Speller, Type
from fathom.irdl.constraint import AttributeConstraint, AttributeForm
from fathom.irdl.constraints import dialect_enum, dialect_flags, enum_attribute
from fathom.irdl.enumerations import Enumeration, unknown_case
from fathom.irdl.kinds import Kind
from fathom.irdl.measures import Among, Within
from fathom.irdl.parts import Part
from fathom.irdl.standard_attributes import number_of
from fathom.irdl.terms import AllOf, Exactly, NativeClass, Term
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.readers import AttributeReader, BodyReader


def _numbered(words: str) -> dict[str, int]:
    """Cases that have numbers in their order, from zero."""
    return {name: number for number, name in enumerate(words.split())}


LINKAGES: Final = _numbered(
    "external available_externally linkonce linkonce_odr weak weak_odr appending internal private extern_weak common"
)
CALLING_CONVENTIONS: Final = {
    "ccc": 0,
    "fastcc": 8,
    "coldcc": 9,
    "cc_10": 10,
    "cc_11": 11,
    "anyregcc": 13,
    "preserve_mostcc": 14,
    "preserve_allcc": 15,
    "swiftcc": 16,
    "cxx_fast_tlscc": 17,
    "tailcc": 18,
    "cfguard_checkcc": 19,
    "swifttailcc": 20,
    "x86_stdcallcc": 64,
    "x86_fastcallcc": 65,
    "arm_apcscc": 66,
    "arm_aapcscc": 67,
    "arm_aapcs_vfpcc": 68,
    "msp430_intrcc": 69,
    "x86_thiscallcc": 70,
    "ptx_kernelcc": 71,
    "ptx_devicecc": 72,
    "spir_funccc": 75,
    "spir_kernelcc": 76,
    "intel_ocl_bicc": 77,
    "x86_64_sysvcc": 78,
    "win64cc": 79,
    "x86_vectorcallcc": 80,
    "hhvmcc": 81,
    "hhvm_ccc": 82,
    "x86_intrcc": 83,
    "avr_intrcc": 84,
    "avr_builtincc": 86,
    "amdgpu_vscc": 87,
    "amdgpu_gscc": 88,
    "amdgpu_cscc": 90,
    "amdgpu_kernelcc": 91,
    "x86_regcallcc": 92,
    "amdgpu_hscc": 93,
    "msp430_builtincc": 94,
    "amdgpu_lscc": 95,
    "amdgpu_escc": 96,
    "aarch64_vectorcallcc": 97,
    "aarch64_sve_vectorcallcc": 98,
    "wasm_emscripten_invokecc": 99,
    "amdgpu_gfxcc": 100,
    "m68k_intrcc": 101,
}
TAIL_CALL_KINDS: Final = {"none": 0, "notail": 3, "musttail": 2, "tail": 1}
FRAME_POINTER_KINDS: Final = {"none": 0, '"non-leaf"': 1, "all": 2, "reserved": 3, '"non-leaf-no-reserve"': 4}
"""A keyword that is no identifier is written, and kept here, in quotes."""
ASM_DIALECTS: Final = {"att": 0, "intel": 1}
UWTABLE_KINDS: Final = {"none": 0, "sync": 1, "async": 2}
FASTMATH: Final = {
    "none": 0,
    "nnan": 1,
    "ninf": 2,
    "nsz": 4,
    "arcp": 8,
    "contract": 16,
    "afn": 32,
    "reassoc": 64,
    "fast": 127,
}
VISIBILITIES: Final = {"": 0, "hidden": 1, "protected": 2}
UNNAMED_ADDRESSES: Final = {"": 0, "local_unnamed_addr": 1, "unnamed_addr": 2}
COMDATS: Final = {"any": 0, "exactmatch": 1, "largest": 2, "nodeduplicate": 3, "samesize": 4}
ORDERINGS: Final = {
    "not_atomic": 0,
    "unordered": 1,
    "monotonic": 2,
    "acquire": 4,
    "release": 5,
    "acq_rel": 6,
    "seq_cst": 7,
}
ATOMIC_OPERATIONS: Final = _numbered(
    "xchg add sub _and nand _or _xor max min umax umin fadd fsub fmax fmin uinc_wrap udec_wrap usub_cond usub_sat "
    "fmaximum fminimum"
)
ICMP_PREDICATES: Final = _numbered("eq ne slt sle sgt sge ult ule ugt uge")
FCMP_PREDICATES: Final = _numbered("_false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno _true")
ROUNDING_MODES: Final = {
    "towardzero": 0,
    "tonearest": 1,
    "upward": 2,
    "downward": 3,
    "tonearestaway": 4,
    "dynamic": 7,
}
EXCEPTION_BEHAVIORS: Final = {"ignore": 0, "maytrap": 1, "strict": 2}
OVERFLOW: Final = {"nsw": 1, "nuw": 2}
DYNAMIC_GEP_INDEX: Final = -(2**31)
"""Stands in `rawConstantIndices` of a getelementptr for an index that is an operand."""
GEP_FLAGS: Final = {"inbounds": 3, "nusw": 2, "nuw": 4}
"""The flags of `getelementptr` in the order in which they print; `inbounds` implies `nusw`."""


def _number(type: Type, *further: Term) -> Term:
    """An integer of a type, of which more is asked."""
    return AllOf((Kind("integer attribute"), Part("TypeOf", Exactly(type)), *further))


def _plain_enum(summary: str, cases: Mapping[str, int]) -> AttributeConstraint:
    """An enumeration that is stored as an `i64`."""
    test = _number(I64, Among("value", tuple(cases.values())))
    return AttributeConstraint(summary, test, AttributeForm.KEYWORD, I64, Enumeration("", cases, I64.width))


BRACKETED_TAIL_CALL_KIND: Final = dialect_flags(
    "LLVM Calling Convention specification", "llvm.tailcallkind", TAIL_CALL_KINDS
)
"""The same where it stands in angle brackets."""
FASTMATH_FLAGS: Final = dialect_flags("LLVM fastmath flags", "llvm.fastmath", FASTMATH)


def linkage(keyword: str) -> EnumAttr:
    """`#llvm.linkage<internal>`. An unknown keyword raises KeyError, here and in the functions below."""
    return EnumAttr("llvm.linkage", keyword, LINKAGES[keyword])


def calling_convention(keyword: str) -> EnumAttr:
    return EnumAttr("llvm.cconv", keyword, CALLING_CONVENTIONS[keyword])


def tail_call_kind(keyword: str) -> EnumAttr:
    return EnumAttr("llvm.tailcallkind", keyword, TAIL_CALL_KINDS[keyword])


def fastmath(*flags: str) -> EnumAttr:
    """`fastmath("nnan", "ninf")`; no flags are `none`, and all of them `fast`."""
    number = 0
    for name in flags:
        number |= FASTMATH[name]
    return fastmath_of(number)


def fastmath_of(number: int) -> EnumAttr:
    """The attribute of a bit set, with the flags in the order of their numbers."""
    attribute = enum_attribute(FASTMATH_FLAGS, number)
    assert isinstance(attribute, EnumAttr)
    return attribute


EXTERNAL: Final = linkage("external")
CCC: Final = calling_convention("ccc")
NO_TAIL_CALL_KIND: Final = tail_call_kind("none")
NO_FASTMATH: Final = fastmath()


@record
class VScaleRangeAttr(Attribute):
    """`#llvm.vscale_range<minRange = 1 : i32, maxRange = 16 : i32>`: the bounds of `vscale` in a function."""

    FULL_NAME: ClassVar[str] = "llvm.vscale_range"

    low: IntegerAttr
    high: IntegerAttr

    def spell(self, of: Speller) -> str:
        return f"#llvm.vscale_range<minRange = {of(self.low)}, maxRange = {of(self.high)}>"


def i32(value: int) -> IntegerAttr:
    return IntegerAttr(value, I32)


def i64(value: int) -> IntegerAttr:
    return IntegerAttr(value, I64)


def i32_array(*values: int) -> DenseArrayAttr:
    return DenseArrayAttr(I32, values)


def read_enum(mnemonic: str, cases: Mapping[str, int], noun: str) -> AttributeReader:
    """A reader of `<keyword>` after the mnemonic; `noun` is how messages name the enumeration."""

    def read(reader: BodyReader) -> Attribute:
        reader.expect("<")
        text: str | None = reader.optional_string()
        word = text if text is not None else reader.keyword()
        # A case that is no word has its quotes in the table.
        keyword = next((each for each in (word, f'"{word}"') if each in cases), "")
        if not keyword:
            reader.fail_before(unknown_case(cases, noun, word))
        reader.expect(">")
        return EnumAttr(mnemonic, keyword, cases[keyword])

    return read


_FASTMATH_CASES: Final = Enumeration("::mlir::LLVM::FastmathFlags", FASTMATH, bits=True, separator=", ")


def read_fastmath(reader: BodyReader) -> Attribute:
    """`<nnan, ninf>`."""
    reader.expect("<")
    number = _FASTMATH_CASES.read(reader)
    reader.expect(">")
    return fastmath_of(number)


def _read_overflow(reader: BodyReader) -> Attribute:
    """`<nsw, nuw>`, or `<none>`."""
    reader.expect("<")
    number = 0
    while True:
        keyword = reader.keyword()
        if keyword not in ("none", *OVERFLOW):
            reader.fail_before(unknown_case(("none", *OVERFLOW), "LLVM integer overflow flags", keyword))
        number |= OVERFLOW.get(keyword, 0)
        if not reader.accept(","):
            break
    reader.expect(">")
    return EnumAttr(
        "llvm.overflow", ", ".join(name for name, bit in OVERFLOW.items() if number & bit) or "none", number
    )


def _read_vscale_range(reader: BodyReader) -> Attribute:
    bounds: dict[str, IntegerAttr] = {}
    names = ["minRange", "maxRange"]
    reader.expect("<")
    while names:
        # The bounds may stand in any order.
        name = next((each for each in names if reader.accept(each)), None)
        if name is None:
            reader.expect(names[0])
            break
        names.remove(name)
        reader.expect("=")
        attribute = reader.attribute()
        if not isinstance(attribute, IntegerAttr):
            reader.fail("expected an integer attribute")
        bounds[name] = attribute
        if names:
            reader.expect(",")
    reader.expect(">")
    return VScaleRangeAttr(bounds["minRange"], bounds["maxRange"])


ATTRIBUTES: Final[Mapping[str, AttributeReader]] = {
    "linkage": read_enum("llvm.linkage", LINKAGES, "LLVM linkage types"),
    "cconv": read_enum("llvm.cconv", CALLING_CONVENTIONS, "Calling Conventions"),
    "tailcallkind": read_enum("llvm.tailcallkind", TAIL_CALL_KINDS, "Tail Call Kind"),
    "framePointerKind": read_enum("llvm.framePointerKind", FRAME_POINTER_KINDS, "LLVM FramePointerKind"),
    "uwtableKind": read_enum("llvm.uwtableKind", UWTABLE_KINDS, "LLVM Unwind Behavior"),
    "fastmath": read_fastmath,
    "overflow": _read_overflow,
    "vscale_range": _read_vscale_range,
}
"""The readers by mnemonic, as a dialect declares them; other attributes of the dialect are kept as they are written."""


VSCALE_RANGE: Final = AttributeConstraint(
    "", NativeClass("vscale_range", lambda value: isinstance(value, VScaleRangeAttr)), AttributeForm.STRIPPED
)
BY_NAME: Final = {
    "LLVM_AddressSpace": AttributeConstraint(
        "32-bit signless integer attribute whose value is non-negative",
        _number(I32, Within("value", low=0)),
        AttributeForm.TYPED_LITERAL,
        I32,
    ),
    "LLVM_AsmDialect": _plain_enum("ATT (0) or Intel (1) asm dialect", ASM_DIALECTS),
    "LLVM_AtomicBinOp": _plain_enum("llvm.atomicrmw binary operations", ATOMIC_OPERATIONS),
    "LLVM_AtomicOrdering": _plain_enum("Atomic ordering for LLVM's memory model", ORDERINGS),
    "LLVM_BracketedTailCallKind": BRACKETED_TAIL_CALL_KIND,
    "LLVM_CConv": dialect_enum("LLVM Calling Convention specification", "llvm.cconv", CALLING_CONVENTIONS),
    "LLVM_Comdat": _plain_enum("LLVM Comdat Types", COMDATS),
    "LLVM_FCmpPredicate": _plain_enum("llvm.fcmp comparison predicate", FCMP_PREDICATES),
    "LLVM_FPExceptionBehavior": AttributeConstraint(
        "LLVM Exception Behavior", _number(I64), AttributeForm.KEYWORD, I64, Enumeration("", EXCEPTION_BEHAVIORS)
    ),
    "LLVM_FastmathFlags": FASTMATH_FLAGS,
    "LLVM_FramePointerKind": dialect_enum("", "llvm.framePointerKind", FRAME_POINTER_KINDS),
    "LLVM_FunctionTypeAttr": AttributeConstraint(
        "type attribute of LLVM function type",
        AllOf((Kind("type attribute"), Part("TypeOf", NativeClass("func", lambda t: isinstance(t, LLVMFunctionType))))),
        AttributeForm.TYPE,
    ),
    "LLVM_GEPNoWrapFlags": AttributeConstraint("::mlir::LLVM::GEPNoWrapFlags", _number(I32), type=I32),
    "LLVM_I1Attr": number_of(I1, "1-bit signless integer attribute"),
    "LLVM_ICmpPredicate": _plain_enum("llvm.icmp comparison predicate", ICMP_PREDICATES),
    "LLVM_Linkage": dialect_enum("LLVM Linkage specification", "llvm.linkage", LINKAGES),
    "LLVM_OverflowFlags": AttributeConstraint(
        "LLVM integer overflow flags",
        _number(I32),
        AttributeForm.FLAGS,
        I32,
        Enumeration("", OVERFLOW, bits=True, separator=", "),
    ),
    "LLVM_RoundingMode": AttributeConstraint(
        "LLVM Rounding Mode whose minimum value is 0",
        _number(I64),
        AttributeForm.KEYWORD,
        I64,
        Enumeration("", ROUNDING_MODES),
    ),
    "LLVM_TailCallKind": dialect_enum("LLVM Calling Convention specification", "llvm.tailcallkind", TAIL_CALL_KINDS),
    "LLVM_UWTableKind": dialect_enum("", "llvm.uwtableKind", UWTABLE_KINDS),
    "LLVM_UnnamedAddr": _plain_enum("LLVM GlobalValue UnnamedAddr", UNNAMED_ADDRESSES),
    "LLVM_VScaleRange": VSCALE_RANGE,
    "LLVM_Visibility": _plain_enum("LLVM GlobalValue Visibility", VISIBILITIES),
}
"""The constraints on attributes by the names that the description has for them."""
