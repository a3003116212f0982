"""Attributes of functions, parameters, results and calls, from the LLVM dialect's names to LLVM IR's text and order.

Source of the rules: *LLVM Language Reference*, "Parameter Attributes", "Function Attributes"; *'llvm' Dialect*,
"`llvm.func`".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, IntegerAttr, StringAttr, TypeAttr, UnitAttr
from fathom.records import record
from fathom.translation.spelling import TypeSpeller, quote

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

FUNCTION_FLAGS: Final = {
    "always_inline": "alwaysinline",
    "no_inline": "noinline",
    "inline_hint": "inlinehint",
    "optimize_none": "optnone",
    "optsize": "optsize",
    "minsize": "minsize",
    "convergent": "convergent",
    "no_unwind": "nounwind",
    "will_return": "willreturn",
    "noreturn": "noreturn",
    "returns_twice": "returns_twice",
    "hot": "hot",
    "cold": "cold",
    "noduplicate": "noduplicate",
    "nocallback": "nocallback",
    "builtin": "builtin",
}
FUNCTION_STRINGS: Final = {
    "target_cpu": "target-cpu",
    "tune_cpu": "tune-cpu",
    "reciprocal_estimates": "reciprocal-estimates",
    "prefer_vector_width": "prefer-vector-width",
    "denormal_fp_math": "denormal-fp-math",
    "denormal_fp_math_f32": "denormal-fp-math-f32",
    "fp_contract": "fp-contract",
    "instrument_function_entry": "instrument-function-entry",
    "instrument_function_exit": "instrument-function-exit",
    "trap_func_name": "trap-func-name",
    "zero_call_used_regs": "zero-call-used-regs",
}
FUNCTION_BOOLEANS: Final = {
    "no_infs_fp_math": "no-infs-fp-math",
    "no_nans_fp_math": "no-nans-fp-math",
    "no_signed_zeros_fp_math": "no-signed-zeros-fp-math",
}
FUNCTION_MARKS: Final = {
    "arm_streaming": "aarch64_pstate_sm_enabled",
    "arm_locally_streaming": "aarch64_pstate_sm_body",
    "arm_streaming_compatible": "aarch64_pstate_sm_compatible",
    "arm_new_za": "aarch64_new_za",
    "arm_in_za": "aarch64_in_za",
    "arm_out_za": "aarch64_out_za",
    "arm_inout_za": "aarch64_inout_za",
    "arm_preserves_za": "aarch64_preserves_za",
    "no_caller_saved_registers": "no_caller_saved_registers",
    "save_reg_params": "save-reg-params",
    "nooutline": "nooutline",
}
PARAMETERS: Final = {
    "llvm.nocapture": "captures",
    "llvm.signext": "signext",
    "llvm.stackalignment": "alignstack",
    "llvm.allocated_pointer": "allocptr",
}
"""The attributes of parameters whose names differ; the others are LLVM's names after `llvm.`."""

_INSIDE: Final = re.compile(r"<(.*)>\s*$", re.DOTALL)


@lru_cache(maxsize=4096)
def inside(attribute: Attribute) -> str:
    """What stands in the angle brackets of an attribute: the keyword of an enumeration."""
    match = _INSIDE.search(str(attribute))
    return match[1] if match else str(attribute).removeprefix("#llvm.")


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
    """Those of one parameter or result. Attributes of other dialects say nothing to LLVM."""
    if not isinstance(attributes, DictAttr) or not attributes.entries:
        return EMPTY
    known: dict[str, str] = {}
    for name, value in attributes.entries:
        short = PARAMETERS.get(name, name.removeprefix("llvm."))
        if not name.startswith("llvm.") or short not in ORDER:
            continue
        known[short] = "none" if short == "captures" else _argument(value, types)
    return attribute_set(known)


def _argument(value: Attribute, types: TypeSpeller) -> str:
    match value:
        case UnitAttr():
            return ""
        case IntegerAttr(number):
            return str(number)
        case TypeAttr(type):
            return types(type)
        case _:
            return _range(value, types)


def _range(value: Attribute, types: TypeSpeller) -> str:
    """`#llvm.constant_range<i32, 0, 5>` as LLVM writes it."""
    return inside(value).replace(",", "", 1)


def attribute_list(attributes: Attribute | None, count: int, types: TypeSpeller) -> list[AttributeSet]:
    """Those of each of `count` parameters or results."""
    if not isinstance(attributes, ArrayAttr):
        return [EMPTY] * count
    sets = [parameter_attributes(element, types) for element in attributes.elements]
    return sets + [EMPTY] * (count - len(sets))


def function_attributes(properties: Mapping[str, Attribute]) -> AttributeSet:
    """Those of a function or a call, from the inherent attributes of its operation."""
    known: dict[str, str] = {}
    strings: dict[str, str] = {}
    for name, value in properties.items():
        if name in FUNCTION_FLAGS:
            known[FUNCTION_FLAGS[name]] = ""
        elif name in FUNCTION_STRINGS and isinstance(value, StringAttr):
            strings[FUNCTION_STRINGS[name]] = value.value
        elif name in FUNCTION_BOOLEANS and isinstance(value, IntegerAttr):
            strings[FUNCTION_BOOLEANS[name]] = "true" if value.value else "false"
        elif name in FUNCTION_MARKS:
            strings[FUNCTION_MARKS[name]] = ""
        elif name == "passthrough" and isinstance(value, ArrayAttr):
            _pass_through(value.elements, known, strings)
        elif name in _FUNCTION_SPECIAL:
            _function_special(name, value, known, strings)
    return attribute_set(known, strings) if known or strings else EMPTY


_FUNCTION_SPECIAL: Final = frozenset(
    {"memory_effects", "frame_pointer", "uwtable_kind", "vscale_range", "target_features", "allocsize"}
)
MEMORY: Final = {
    "argMem": "argmem",
    "inaccessibleMem": "inaccessiblemem",
    "errnoMem": "errnomem",
    "targetMem0": "target_mem0",
    "targetMem1": "target_mem1",
}


def _function_special(name: str, value: Attribute, known: dict[str, str], strings: dict[str, str]) -> None:
    text = inside(value)
    if name == "memory_effects":
        known["memory"] = _memory(text)
    elif name == "frame_pointer":
        strings["frame-pointer"] = text.strip('"')
    elif name == "uwtable_kind" and text != "none":
        known["uwtable"] = "" if text == "async" else text
    elif name == "vscale_range":
        low, high = re.findall(r"=\s*(\d+)", text)
        known["vscale_range"] = f"{low},{high}"
    elif name == "allocsize":
        known["allocsize"] = ",".join(re.findall(r"\d+", text.partition(":")[2]))
    elif name == "target_features":
        strings["target-features"] = ",".join(re.findall(r'"([^"]*)"', text))


def _memory(text: str) -> str:
    """`other = none, argMem = read, …` as LLVM writes it: the access of all other memory, then what differs from it."""
    access = dict(re.findall(r"(\w+)\s*=\s*(\w+)", text))
    other = access.get("other", "readwrite")
    parts = [f"{MEMORY[name]}: {kind}" for name, kind in access.items() if name in MEMORY and kind != other]
    return ", ".join(parts if other == "none" and parts else [other, *parts])


def _pass_through(elements: Iterable[Attribute], known: dict[str, str], strings: dict[str, str]) -> None:
    for element in elements:
        key, value = element, None
        if isinstance(element, ArrayAttr) and len(element.elements) == 2:
            key, value = element.elements
        if not isinstance(key, StringAttr):
            continue
        text = value.value if isinstance(value, StringAttr) else ""
        if key.value in ORDER:
            known[key.value] = text
        else:
            strings[key.value] = text
