"""What lowers each operation of the xevm dialect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.types import PTR, VOID, LLVMPointerType
from fathom.ir.attributes import ArrayAttr, Attribute, i32_attr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation
from fathom.ir.types import BF16, F32, I16, I32, Type, VectorType, element_type, element_width
from fathom.irdl.cases import word_of
from fathom.ops import xevm as ops
from fathom.ops.llvm import LoadOp
from fathom.passes.conversions.convert_xevm_to_llvm.device_calls import (
    Known,
    device_call,
    mangled,
    mangled_type,
    memory_effects,
)
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.target import ConversionTarget

    Block2d: TypeAlias = ops.Blockload2dOp | ops.Blockstore2dOp | ops.Blockprefetch2dOp
    Cached: TypeAlias = Block2d | ops.BlockloadOp | ops.BlockstoreOp | ops.PrefetchOp

PAIR: Final = VectorType((2,), I32)


def _become_call(
    rewriter: ConversionRewriter,
    op: Operation,
    name: str,
    arguments: Sequence[Value],
    known: Known,
    result: Type = VOID,
    further: Mapping[str, Attribute] | None = None,
) -> Failure | None:
    """Puts a call in the place of an operation."""
    call = device_call(rewriter, op, name, arguments, known, result, further)
    if isinstance(call, Failure):
        return call
    rewriter.replace(op, call.results)
    return None


# ---- how memory is cached

CACHE_CONTROL: Final = "cache_control"
DECORATION: Final = "xevm.DecorationCacheControl"
_LOAD, _STORE = 6442, 6443
"""SPIR-V's numbers of the decorations."""
_WAYS: Final = {"uc": 1, "c": 2, "wt": 2, "s": 3, "wb": 4}
_LAST_WAYS: Final = {"uc": 1, "c": 2, "wb": 2}
_INVALIDATED: Final = 4


def decorations(control: Attribute | None, *, loads: bool) -> dict[str, Attribute]:
    """How the first and the last level of the cache are used, as attributes."""
    word = word_of(control)
    if not word:
        return {}
    first, last = _INVALIDATED, _INVALIDATED
    if word != "ir":
        levels = [level[2:] for level in word.split("_")]
        first, last = _WAYS[levels[0]], _LAST_WAYS[levels[2]]
    key = _LOAD if loads else _STORE
    both = ((key, level, way, 0) for level, way in enumerate((first, last)))
    lists = tuple(ArrayAttr(tuple(i32_attr(number) for number in numbers)) for numbers in both)
    return {DECORATION: ArrayAttr(lists)}


@named("LLVMLoadStoreToOCLPattern")
def decorate(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """An access of the LLVM dialect."""
    if CACHE_CONTROL not in op.attributes:
        return NO_MATCH
    attributes = dict(op.attributes)
    control = attributes.pop(CACHE_CONTROL)
    loads = isinstance(op, LoadOp)
    wanted = "xevm.load_cache_control" if loads else "xevm.store_cache_control"
    if not isinstance(control, DialectAttr) or control.full_name != wanted:
        return Failure("it does not say how it is cached")
    rewriter.modify(op, lambda: setattr(op, "attributes", attributes | decorations(control, loads=loads)))
    return None


# ---- blocks of memory


@named("LoadStorePrefetchToOCLPattern")
def block_2d(op: Block2d, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """A block is read to the stack, or written from there.

        %v = xevm.blockload2d %p, %width, %height, %pitch, %x, %y <{…}>
    ->
        %at = [%x, %y] : vector<2xi32>
        %room = llvm.alloca …
        llvm.call @_Z…intel_sub_group_2d_block_read_…(%p, %width, %height, %pitch, %at, %room)
        %v = llvm.load %room
    """
    held: VectorType | None = None
    letter: str | Failure = ""
    if isinstance(op, (ops.Blockload2dOp, ops.Blockstore2dOp)):
        type = op.res.type if isinstance(op, ops.Blockload2dOp) else op.stored_val.type
        assert isinstance(type, VectorType)
        held = type
        letter = (
            mangled_type(held.element, unsigned=True)
            if isinstance(op, ops.Blockload2dOp)
            else {32: "j", 16: "t"}.get(element_width(held), "h")
        )
    if isinstance(letter, Failure):
        return letter
    place = rewriter.create("llvm.mlir.undef", (), [PAIR]).result
    lanes = [emit.i32(rewriter, 0), emit.i32(rewriter, 1)]
    for coordinate, lane in zip((op.x, op.y), lanes, strict=True):
        place = emit.insert_element(rewriter, place, coordinate, lane)
    arguments = [op.ptr, op.base_width, op.base_height, op.base_pitch, place]
    room: Value | None = None
    if held is not None:
        room = emit.alloca(rewriter, held.element, emit.i32(rewriter, held.ranked_shape[0]), PTR)
        arguments.append(room)
    kind, known = _kind_of_block(op)
    if isinstance(op, ops.Blockstore2dOp) and room is not None:
        emit.store(rewriter, op.stored_val, room)
    blocks = 1 if isinstance(op, ops.Blockstore2dOp) else op.v_blocks.value
    size = f"{op.elem_size_in_bits.value}b_{op.tile_height.value}r{op.tile_width.value}x{blocks}c"
    name = f"intel_sub_group_2d_block_{kind}_{size}"
    pointer = "P" if held is not None else ""
    full = f"_Z{len(name)}{name}PU3AS1viiiDv2_i{pointer}{letter}"
    further = decorations(op.cache_control, loads=not isinstance(op, ops.Blockstore2dOp))
    call = device_call(rewriter, op, full, arguments, known, further=further)
    if isinstance(call, Failure):
        return call
    loaded = [emit.load(rewriter, held, room)] if op.results and held is not None and room is not None else []
    rewriter.replace(op, loaded)
    return None


def _kind_of_block(op: Block2d) -> tuple[str, Known]:
    reads, writes = ("llvm.nonnull", "llvm.readonly"), ("llvm.nonnull", "llvm.writeonly")
    if isinstance(op, ops.Blockprefetch2dOp):
        return "prefetch", Known(("no_unwind",), 1, {0: ("llvm.nonnull",)})
    if isinstance(op, ops.Blockstore2dOp):
        return "write", Known(arguments={0: writes, 5: reads})
    way = "_transform" if op.pack_register.value else "_transpose" if op.transpose.value else ""
    return f"read{way}", Known(arguments={0: reads, 5: writes})


@named("BlockLoadStore1DToOCLPattern")
def block(
    op: ops.BlockloadOp | ops.BlockstoreOp, operands: Sequence[Value], rewriter: ConversionRewriter
) -> Failure | None:
    """What the lanes of a subgroup hold one after the other; numbers have no sign for OpenCL."""
    stored = [op.val] if isinstance(op, ops.BlockstoreOp) else []
    held = stored[0].type if stored else op.results[0].type
    of_element = mangled_type(element_type(held))
    letter = mangled_type(element_type(held), unsigned=True)
    value = mangled_type(held, unsigned=True) if stored else ""
    if isinstance(of_element, Failure) or isinstance(letter, Failure) or isinstance(value, Failure):
        return Failure("OpenCL has no function for it")
    count = held.ranked_shape[0] if isinstance(held, VectorType) else ""
    name = f"intel_sub_group_block_{'write' if stored else 'read'}_u{of_element}{count}"
    space = op.ptr.type.address_space if isinstance(op.ptr.type, LLVMPointerType) else 0
    full = f"_Z{len(name)}{name}PU3AS{space}{letter}{value}"
    further = decorations(op.cache_control, loads=not stored)
    return _become_call(rewriter, op, full, [op.ptr, *stored], Known(), VOID if stored else held, further)


@named("PrefetchToOCLPattern")
def prefetch(op: ops.PrefetchOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """One byte is fetched."""
    one = emit.i64(rewriter, 1)
    further = decorations(op.cache_control, loads=True)
    known = Known(("no_unwind",), 1)
    return _become_call(rewriter, op, "_Z8prefetchPU3AS1Kcm", [op.ptr, one], known, further=further)


# ---- fences


@named("MemfenceToOCLPattern")
def fence(op: ops.MemfenceOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    space = {"shared": 1, "global": 2}.get(word_of(op.addrspace))
    scope = {"workgroup": 1, "device": 2}.get(word_of(op.scope))
    if space is None:
        return Failure("Fence only supports global and shared address spaces.")
    if scope is None:
        return Failure("Fence only supports workgroup and device memory scopes.")
    acquire_release, of_scope, of_space = (emit.i32(rewriter, number) for number in (4, scope, space))
    name = "_Z22atomic_work_item_fenceiii"
    return _become_call(rewriter, op, name, [of_space, acquire_release, of_scope], Known(("no_unwind",)))


# ---- products

_ELEMENTS: Final = {8: "bf16", 9: "f16", 10: "s8", 11: "u8", 12: "s4", 13: "u4", 14: "tf32", 15: "f32", 16: "s32"}
_IN_A_WORD: Final = {"tf32": 1, "bf16": 2, "f16": 2, "u8": 4, "s8": 4}
"""How many elements 32 bits hold."""
_DEPTH: Final = 8


@named("MMAToOCLPattern")
def multiply(op: ops.MmaOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The factors are handed on as numbers of 16 and of 32 bits, or as floats; bf16 as numbers too."""
    if op.c is None:
        return Failure("OCL requires C operand")
    types = op.types
    assert isinstance(types, DialectAttr)
    numbers = [types.parameter(name) for name in "abcd"]
    a, b, c, d = (_ELEMENTS.get(number) if isinstance(number, int) else None for number in numbers)
    if c != d:
        return Failure("type of C and D need to match")
    if c not in ("s32", "f32", "f16", "bf16"):
        return Failure("type of C and D must be S32, F32, F16 or BF16")
    for name, kind in (("A", a), ("B", b)):
        if kind in ("s32", "f32"):
            return Failure(f"type of {name} cannot be S32 or F32")
    if a not in _IN_A_WORD:
        return Failure("OpenCL has no product of such elements")
    first = _packed(rewriter, op.a, F32 if a == "tf32" else I16)
    second = _packed(rewriter, op.b, F32 if b == "tf32" else I32)
    total, result = op.c, op.d.type
    if isinstance(result, VectorType) and result.element == BF16:
        total = emit.cast(rewriter, "llvm.bitcast", total, VectorType(result.ranked_shape, I16))
    arguments = [first, second, total]
    base = f"intel_sub_group_{a}_{b}_matrix_mad_k{_DEPTH * _IN_A_WORD[a]}"
    name = mangled(base, [value.type for value in arguments])
    if isinstance(name, Failure):
        return name
    known = Known(("convergent", "no_unwind", "will_return"), 0)
    call = device_call(rewriter, op, name, arguments, known, total.type)
    if isinstance(call, Failure):
        return call
    given = call.result
    rewriter.replace(op, [given if given.type == result else emit.cast(rewriter, "llvm.bitcast", given, result)])
    return None


def _packed(rewriter: ConversionRewriter, value: Value, element: Type) -> Value:
    """A vector as one of other elements."""
    assert isinstance(value.type, VectorType)
    bits = value.type.ranked_shape[0] * element_width(value.type)
    type = VectorType((bits // element_width(element),), element)
    return value if value.type == type else emit.cast(rewriter, "llvm.bitcast", value, type)


# ---- what a thread asks about itself


def _asks(function: str, axis: int | None = None) -> Callable[..., Failure | None]:
    """
    %0 = xevm.group_id.y : i64   ->   %0 = llvm.call spir_funccc @_Z12get_group_idj(1)
    """

    @named("LaunchConfigOpToOCLPattern" if axis is not None else "SubgroupOpWorkitemOpToOCLPattern")
    def ask(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        arguments = [emit.i32(rewriter, axis)] if axis is not None else []
        name = mangled(function, [value.type for value in arguments], unsigned=True)
        if isinstance(name, Failure):
            return name
        call = device_call(rewriter, op, name, arguments, Known(), op.results[0].type)
        if isinstance(call, Failure):
            return call
        call.properties["memory_effects"] = memory_effects(0)
        rewriter.replace(op, call.results)
        return None

    return ask


_ASKED: Final = {
    "local_id": "get_local_id",
    "local_size": "get_local_size",
    "group_id": "get_group_id",
    "group_count": "get_num_groups",
}

PATTERNS: Final = [
    Pattern(name, function)
    for name, function in {
        "xevm.blockload2d": block_2d,
        "xevm.blockstore2d": block_2d,
        "xevm.blockprefetch2d": block_2d,
        "xevm.mma": multiply,
        "xevm.memfence": fence,
        "xevm.prefetch": prefetch,
        "llvm.load": decorate,
        "llvm.store": decorate,
        "xevm.blockload": block,
        "xevm.blockstore": block,
        **{
            f"xevm.{name}.{letter}": _asks(function, axis)
            for name, function in _ASKED.items()
            for axis, letter in enumerate("xyz")
        },
        "xevm.lane_id": _asks("get_sub_group_local_id"),
        "xevm.subgroup_id": _asks("get_sub_group_id"),
        "xevm.subgroup_size": _asks("get_sub_group_size"),
    }.items()
]


def restrict(target: ConversionTarget) -> ConversionTarget:
    """Nothing of the dialect may stay, nor may accesses that say in its words how they are cached."""
    target.dynamically_legal(lambda op: CACHE_CONTROL not in op.attributes, "llvm")
    return target.illegal("xevm")
