"""The instructions of WebAssembly, by their opcodes, and what stands behind these.

Source: the core specification 3.0, *Binary Format*, *Instructions*, and the proposal of threads for those of atomics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

Immediate: TypeAlias = Literal[
    "block", "index", "two indices", "type index", "table", "memory", "i32", "i64", "f32", "f64",
    "v128", "lanes", "lane", "memory lane", "types", "heap type", "zero", "catches",
]  # fmt: skip
"""What is behind an opcode."""
Named: TypeAlias = "Mapping[int, tuple[str, Immediate | None]]"

_INTEGER_TESTS: Final = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"
_FLOAT_TESTS: Final = "eq ne lt gt le ge"
_INTEGER: Final = "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr"
_FLOAT: Final = "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign"
_CONVERSIONS: Final = (
    "i32.wrap_i64 i32.trunc_f32_s i32.trunc_f32_u i32.trunc_f64_s i32.trunc_f64_u i64.extend_i32_s i64.extend_i32_u "
    "i64.trunc_f32_s i64.trunc_f32_u i64.trunc_f64_s i64.trunc_f64_u f32.convert_i32_s f32.convert_i32_u "
    "f32.convert_i64_s f32.convert_i64_u f32.demote_f64 f64.convert_i32_s f64.convert_i32_u f64.convert_i64_s "
    "f64.convert_i64_u f64.promote_f32 i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 "
    "f64.reinterpret_i64 i32.extend8_s i32.extend16_s i64.extend8_s i64.extend16_s i64.extend32_s"
)
_LOADS_AND_STORES: Final = (
    "i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u i64.load8_s i64.load8_u "
    "i64.load16_s i64.load16_u i64.load32_s i64.load32_u i32.store i64.store f32.store f64.store i32.store8 "
    "i32.store16 i64.store8 i64.store16 i64.store32"
)


def _from(start: int, names: str, prefix: str = "") -> Iterator[tuple[int, str]]:
    """Names from an opcode on; `-` is none."""
    for number, name in enumerate(names.split(), start):
        if name != "-":
            yield number, f"{prefix}{name}"


def _with(immediate: Immediate | None, *parts: Iterator[tuple[int, str]]) -> dict[int, tuple[str, Immediate | None]]:
    return {number: (name, immediate) for part in parts for number, name in part}


MAIN: Final[Named] = {
    **_with(None, _from(0x00, "unreachable nop"), _from(0x05, "else"), _from(0x0B, "end"), _from(0x0F, "return")),
    **_with("block", _from(0x02, "block loop if"), _from(0x06, "try")),
    **_with("index", _from(0x07, "catch throw rethrow"), _from(0x0C, "br br_if"), _from(0x10, "call")),
    0x0A: ("throw_ref", None),
    0x0E: ("br_table", "table"),
    0x11: ("call_indirect", "type index"),
    0x12: ("return_call", "index"),
    0x13: ("return_call_indirect", "type index"),
    0x18: ("delegate", "index"),
    **_with(None, _from(0x19, "catch_all drop select")),
    0x1C: ("select", "types"),
    0x1F: ("try_table", "catches"),
    **_with("index", _from(0x20, "local.get local.set local.tee global.get global.set table.get table.set")),
    **_with("memory", _from(0x28, _LOADS_AND_STORES)),
    **_with("zero", _from(0x3F, "memory.size memory.grow")),
    0x41: ("i32.const", "i32"),
    0x42: ("i64.const", "i64"),
    0x43: ("f32.const", "f32"),
    0x44: ("f64.const", "f64"),
    **_with(
        None,
        _from(0x45, f"eqz {_INTEGER_TESTS}", "i32."),
        _from(0x50, f"eqz {_INTEGER_TESTS}", "i64."),
        _from(0x5B, _FLOAT_TESTS, "f32."),
        _from(0x61, _FLOAT_TESTS, "f64."),
        _from(0x67, _INTEGER, "i32."),
        _from(0x79, _INTEGER, "i64."),
        _from(0x8B, _FLOAT, "f32."),
        _from(0x99, _FLOAT, "f64."),
        _from(0xA7, _CONVERSIONS),
    ),
    0xD0: ("ref.null", "heap type"),
    0xD1: ("ref.is_null", None),
    0xD2: ("ref.func", "index"),
}
"""Opcodes of one byte."""
_SATURATING: Final = (
    "i32.trunc_sat_f32_s i32.trunc_sat_f32_u i32.trunc_sat_f64_s i32.trunc_sat_f64_u i64.trunc_sat_f32_s "
    "i64.trunc_sat_f32_u i64.trunc_sat_f64_s i64.trunc_sat_f64_u"
)
MORE: Final[Named] = {
    **_with(None, _from(0, _SATURATING)),
    **_with("two indices", _from(8, "memory.init"), _from(10, "memory.copy"), _from(12, "table.init - table.copy")),
    **_with("index", _from(9, "data.drop - memory.fill - elem.drop - table.grow table.size table.fill")),
}
"""Behind the byte `FC`."""
_VECTOR_LOADS: Final = (
    "load load8x8_s load8x8_u load16x4_s load16x4_u load32x2_s load32x2_u load8_splat load16_splat load32_splat "
    "load64_splat store"
)
_VECTORS: Final = (
    (0x0E, "swizzle", "i8x16."),
    (0x0F, "i8x16.splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat", ""),
    (0x23, _INTEGER_TESTS, "i8x16."),
    (0x2D, _INTEGER_TESTS, "i16x8."),
    (0x37, _INTEGER_TESTS, "i32x4."),
    (0x41, _FLOAT_TESTS, "f32x4."),
    (0x47, _FLOAT_TESTS, "f64x2."),
    (0x4D, "not and andnot or xor bitselect any_true", "v128."),
    (0x5E, "f32x4.demote_f64x2_zero f64x2.promote_low_f32x4", ""),
    (0x60, "abs neg popcnt all_true bitmask narrow_i16x8_s narrow_i16x8_u", "i8x16."),
    (0x67, "ceil floor trunc nearest", "f32x4."),
    (0x6B, "shl shr_s shr_u add add_sat_s add_sat_u sub sub_sat_s sub_sat_u", "i8x16."),
    (0x74, "f64x2.ceil f64x2.floor i8x16.min_s i8x16.min_u i8x16.max_s i8x16.max_u f64x2.trunc i8x16.avgr_u", ""),
    (0x7C, "extadd_pairwise_i8x16_s extadd_pairwise_i8x16_u", "i16x8."),
    (0x7E, "extadd_pairwise_i16x8_s extadd_pairwise_i16x8_u", "i32x4."),
    (0x80, "abs neg q15mulr_sat_s all_true bitmask narrow_i32x4_s narrow_i32x4_u", "i16x8."),
    (0x87, "extend_low_i8x16_s extend_high_i8x16_s extend_low_i8x16_u extend_high_i8x16_u", "i16x8."),
    (0x8B, "shl shr_s shr_u add add_sat_s add_sat_u sub sub_sat_s sub_sat_u", "i16x8."),
    (0x94, "f64x2.nearest", ""),
    (0x95, "mul min_s min_u max_s max_u - avgr_u", "i16x8."),
    (0x9C, "extmul_low_i8x16_s extmul_high_i8x16_s extmul_low_i8x16_u extmul_high_i8x16_u", "i16x8."),
    (0xA0, "abs neg - all_true bitmask", "i32x4."),
    (0xA7, "extend_low_i16x8_s extend_high_i16x8_s extend_low_i16x8_u extend_high_i16x8_u", "i32x4."),
    (0xAB, "shl shr_s shr_u add - - sub - - - mul min_s min_u max_s max_u dot_i16x8_s", "i32x4."),
    (0xBC, "extmul_low_i16x8_s extmul_high_i16x8_s extmul_low_i16x8_u extmul_high_i16x8_u", "i32x4."),
    (0xC0, "abs neg - all_true bitmask", "i64x2."),
    (0xC7, "extend_low_i32x4_s extend_high_i32x4_s extend_low_i32x4_u extend_high_i32x4_u", "i64x2."),
    (0xCB, "shl shr_s shr_u add - - sub - - - mul eq ne lt_s gt_s le_s ge_s", "i64x2."),
    (0xDC, "extmul_low_i32x4_s extmul_high_i32x4_s extmul_low_i32x4_u extmul_high_i32x4_u", "i64x2."),
    (0xE0, "abs neg - sqrt add sub mul div min max pmin pmax", "f32x4."),
    (0xEC, "abs neg - sqrt add sub mul div min max pmin pmax", "f64x2."),
    (0xF8, "i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u f32x4.convert_i32x4_s f32x4.convert_i32x4_u", ""),
    (0xFC, "i32x4.trunc_sat_f64x2_s_zero i32x4.trunc_sat_f64x2_u_zero", ""),
    (0xFE, "f64x2.convert_low_i32x4_s f64x2.convert_low_i32x4_u", ""),
    (0x100, "i8x16.relaxed_swizzle i32x4.relaxed_trunc_f32x4_s i32x4.relaxed_trunc_f32x4_u", ""),
    (0x103, "i32x4.relaxed_trunc_f64x2_s_zero i32x4.relaxed_trunc_f64x2_u_zero", ""),
    (0x105, "f32x4.relaxed_madd f32x4.relaxed_nmadd f64x2.relaxed_madd f64x2.relaxed_nmadd", ""),
    (0x109, "i8x16.relaxed_laneselect i16x8.relaxed_laneselect i32x4.relaxed_laneselect i64x2.relaxed_laneselect", ""),
    (0x10D, "f32x4.relaxed_min f32x4.relaxed_max f64x2.relaxed_min f64x2.relaxed_max", ""),
    (0x111, "i16x8.relaxed_q15mulr_s i16x8.relaxed_dot_i8x16_i7x16_s i32x4.relaxed_dot_i8x16_i7x16_add_s", ""),
)
VECTOR: Final[Named] = {
    **_with("memory", _from(0x00, _VECTOR_LOADS, "v128."), _from(0x5C, "load32_zero load64_zero", "v128.")),
    0x0C: ("v128.const", "v128"),
    0x0D: ("i8x16.shuffle", "lanes"),
    **_with(
        "lane",
        _from(0x15, "extract_lane_s extract_lane_u replace_lane", "i8x16."),
        _from(0x18, "extract_lane_s extract_lane_u replace_lane", "i16x8."),
        _from(0x1B, "i32x4.extract_lane i32x4.replace_lane i64x2.extract_lane i64x2.replace_lane"),
        _from(0x1F, "f32x4.extract_lane f32x4.replace_lane f64x2.extract_lane f64x2.replace_lane"),
    ),
    **_with(
        "memory lane",
        _from(0x54, "load8_lane load16_lane load32_lane load64_lane", "v128."),
        _from(0x58, "store8_lane store16_lane store32_lane store64_lane", "v128."),
    ),
    **_with(None, *(_from(start, names, prefix) for start, names, prefix in _VECTORS)),
}
"""Behind the byte `FD`."""
_ATOMIC: Final = (
    "i32.atomic.load i64.atomic.load i32.atomic.load8_u i32.atomic.load16_u i64.atomic.load8_u i64.atomic.load16_u "
    "i64.atomic.load32_u i32.atomic.store i64.atomic.store i32.atomic.store8 i32.atomic.store16 i64.atomic.store8 "
    "i64.atomic.store16 i64.atomic.store32"
)
_RMW: Final = ("i32", "", ""), ("i64", "", ""), *((of, at, "_u") for of, at in (
    ("i32", "8"), ("i32", "16"), ("i64", "8"), ("i64", "16"), ("i64", "32")
))  # fmt: skip
_CHANGES: Final = "add sub and or xor xchg cmpxchg"
ATOMIC: Final[Named] = {
    **_with("memory", _from(0x00, "memory.atomic.notify memory.atomic.wait32 memory.atomic.wait64")),
    0x03: ("atomic.fence", "zero"),
    **_with("memory", _from(0x10, _ATOMIC)),
    **_with(
        "memory",
        _from(0x1E, " ".join(f"{of}.atomic.rmw{at}.{do}{end}" for do in _CHANGES.split() for of, at, end in _RMW)),
    ),
}
"""Behind the byte `FE`."""
PREFIXED: Final[Mapping[int, Named]] = {0xFC: MORE, 0xFD: VECTOR, 0xFE: ATOMIC}
TYPES: Final[Mapping[int, str]] = {
    0x7F: "i32", 0x7E: "i64", 0x7D: "f32", 0x7C: "f64", 0x7B: "v128", 0x70: "funcref", 0x6F: "externref",
    0x69: "exnref",
}  # fmt: skip
