"""Attributes of parameters and results, from the LLVM dialect's names to LLVM IR's text and order.

Source of the rules: *LLVM Language Reference*, "Parameter Attributes", "Function Attributes"; *'llvm' Dialect*,
"`llvm.func`".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.llvm.ir_names import PARAMETERS
from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, IntegerAttr, TypeAttr, UnitAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import IntegerType
from fathom.records import record
from fathom.text.escapes import quote
from fathom.translation.constants import integer
from fathom.translation.spelling import TypeSpeller
from fathom.translation.unsaid import Lost

ORDER: Final = {
    name: position
    for position, name in enumerate(
        """
        allocalign allocptr alwaysinline builtin cold convergent coro_only_destroy_when_complete coro_elide_safe
        dead_on_return dead_on_unwind disable_sanitizer_instrumentation fn_ret_thunk_extern hot hybrid_patchable
        immarg inreg inlinehint jumptable minsize mustprogress naked nest noalias nobuiltin nocallback nocf_check
        nocreateundeforpoison nodivergencesource noduplicate noext nofree noimplicitfloat noinline nomerge noprofile
        norecurse noredzone noreturn nosanitize_bounds nosanitize_coverage nosync noundef nounwind nonlazybind nonnull
        null_pointer_is_valid optforfuzzing optdebug optsize optnone presplitcoroutine readnone readonly returned
                returns_twice signext safestack sanitize_address sanitize_alloc_token sanitize_hwaddress
        sanitize_memtag sanitize_memory sanitize_numerical_stability sanitize_realtime
        sanitize_realtime_blocking sanitize_thread sanitize_type shadowcallstack skipprofile speculatable
        speculative_load_hardening ssp sspreq sspstrong strictfp swiftasync swifterror swiftself willreturn writable
        writeonly zeroext byref byval elementtype inalloca preallocated sret align allockind allocsize captures
        dereferenceable dereferenceable_or_null memory nofpclass alignstack uwtable vscale_range range initializes
        """.split()
    )
}
"""LLVM prints the attributes that it knows in the order of their numbers; those with an argument come last."""

TEXTS: Final = frozenset({"nvvm.grid_constant"})
"""Those of other dialects that it translates, as texts."""


@record
class AttributeSet:
    """`known` are the attributes with names of LLVM's own, in order, and `strings` the others, as they stand in a
    group."""

    known: tuple[tuple[str, str], ...] = ()
    strings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.known or self.strings)

    @property
    def inline(self) -> str:
        """The text beside a parameter, and in the comment above a function."""
        return " ".join(_inline(name, argument) for name, argument in self.known)

    @property
    def group(self) -> str:
        """The text between the braces of `attributes #0 = { … }`."""
        return " ".join([*(_grouped(name, argument) for name, argument in self.known), *self.strings])


def _inline(name: str, argument: str) -> str:
    if not argument:
        return name
    return f"align {argument}" if name == "align" else f"{name}({argument})"


def _grouped(name: str, argument: str) -> str:
    return f"{name}={argument}" if name in ("align", "alignstack") and argument else _inline(name, argument)


def attribute_set(known: Mapping[str, str], strings: Mapping[str, str] | None = None) -> AttributeSet:
    """The set of these attributes in LLVM's order; `strings` are the ones in quotes, with their values."""
    ordered = tuple(sorted(known.items(), key=lambda item: ORDER.get(item[0], len(ORDER))))
    texts = [quote(key) + (f"={quote(value)}" if value else "") for key, value in sorted((strings or {}).items())]
    return AttributeSet(ordered, tuple(texts))


EMPTY: Final = AttributeSet()


def parameter_attributes(attributes: Attribute | None, types: TypeSpeller) -> AttributeSet:
    """Those of one parameter or result. Most attributes of other dialects say nothing to LLVM. Raises Lost."""
    if not isinstance(attributes, DictAttr) or not attributes.entries:
        return EMPTY
    known: dict[str, str] = {}
    for name, value in attributes.entries:
        short = PARAMETERS.get(name)
        if short == "range" and _is_full(value):
            continue
        if short is not None:
            known[short] = "none" if short == "captures" else _argument(value, types)
        elif name in TEXTS:
            known[quote(name)] = ""
    return attribute_set(known)


def _is_full(value: Attribute) -> bool:
    """Whether a range is that of all numbers, of which LLVM says nothing."""
    match value:
        case DialectAttr(parameters=(IntegerType() as type, int(lower), int(upper))):
            return lower == upper and integer(type, lower).signed == -1
        case _:
            return False


def _argument(value: Attribute, types: TypeSpeller) -> str:
    match value:
        case UnitAttr():
            return ""
        case IntegerAttr(number):
            return str(number)
        case TypeAttr(type):
            return types(type)
        case DialectAttr(name="constant_range", parameters=(IntegerType() as type, int(lower), int(upper))):
            return f"{types(type)} {integer(type, lower).signed}, {integer(type, upper).signed}"
        case _:
            raise Lost("unsupported parameter attribute type")


def attribute_list(attributes: Attribute | None, count: int, types: TypeSpeller) -> list[AttributeSet]:
    """Those of each of `count` parameters or results."""
    if not isinstance(attributes, ArrayAttr):
        return [EMPTY] * count
    sets = [parameter_attributes(element, types) for element in attributes.elements]
    return sets + [EMPTY] * (count - len(sets))
