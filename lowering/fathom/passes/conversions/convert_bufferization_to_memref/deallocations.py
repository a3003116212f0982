"""`bufferization.dealloc` as deallocations under conditions: part of `convert-bufferization-to-memref`, and all that
`bufferization-lower-deallocations` does.

Source of the rules: *'bufferization' Dialect*, `bufferization.dealloc`; what is made, and in which order, is that of
mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.diagnostics import NOT_FREED, PIPELINE, Diagnostic
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import is_module
from fathom.ir.traversal import ancestors
from fathom.ir.types import DYNAMIC, I1, INDEX, MemRefType
from fathom.irdl.traits import FUNCTION_LIKE, SYMBOL_TABLE
from fathom.ops.bufferization import DeallocOp
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.buffers import allocate, cast, choose, deallocate, load, store
from fathom.passes.conversions.convert_bufferization_to_memref.helper import build_helper
from fathom.rewriting.conversion_driver import apply_partial_conversion
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.rewriter import Rewriter
    from fathom.rewriting.target import ConversionTarget

NO_HELPER: Final = (
    "library function required for generic lowering, but cannot be automatically inserted when operating on functions"
)

Helpers: TypeAlias = Mapping["Operation", str]
"""The name of the function that decides, by the symbol table in which it stands."""


def _table_around(op: Operation) -> Operation | None:
    return next((ancestor for ancestor in ancestors(op) if ancestor.has(SYMBOL_TABLE)), None)


def _is_generic(op: Operation) -> bool:
    """Whether several buffers are deallocated at once."""
    return isinstance(op, DeallocOp) and len(op.memrefs) > 1


def declare_helpers(root: Operation, context: Definitions) -> Helpers:
    """Puts a function into each symbol table of a module in which several buffers are deallocated at once; none where
    the root is a function, beside which nothing can be put."""
    helpers: dict[Operation, str] = {}
    for op in list(root.walk_postorder()) if is_module(root) else ():
        table = _table_around(op) if _is_generic(op) else None
        if table is not None and table not in helpers:
            helpers[table] = build_helper(table, root, context)
    return helpers


def without_helper(root: Operation, helpers: Helpers) -> list[Diagnostic]:
    """An error for each deallocation that needs a function which is not there."""
    return [
        Diagnostic(NO_HELPER, op.span, code=NOT_FREED, op=op)
        for op in root.walk()
        if _is_generic(op) and _table_around(op) not in helpers
    ]


def lower_deallocations(
    root: Operation, target: ConversionTarget, more: Iterable[Pattern], context: Definitions
) -> list[Diagnostic]:
    """Converts the deallocations in a module or a function, and with them what `more` patterns are for."""
    if not is_module(root) and not root.has(FUNCTION_LIKE):
        message = "root operation must be a builtin.module or a function"
        return [Diagnostic(message, root.span, code=PIPELINE, op=root)]
    helpers = declare_helpers(root, context)
    diagnostics = without_helper(root, helpers)
    rewrite = partial(convert_dealloc, helpers=helpers)
    patterns = [*more, Pattern("bufferization.dealloc", rewrite, name="DeallocOpConversion")]
    return diagnostics + apply_partial_conversion(root, target, patterns, context)


def convert_dealloc(
    op: DeallocOp, operands: Sequence[Value], rewriter: Rewriter, *, helpers: Helpers
) -> Failure | None:
    """The fewer buffers there are, the less has to be found out at run time."""
    memrefs, conditions, retained = op.memrefs, op.conditions, op.retained
    if not memrefs:
        rewriter.replace(op, [constant(rewriter, 0, I1)] * len(retained))
    elif len(memrefs) == 1 and not retained:
        rewriter.replace(op, [])
        _deallocate_if(rewriter, conditions[0], memrefs[0])
    elif len(memrefs) == 1:
        rewriter.replace(op, _deallocate_one(rewriter, memrefs[0], conditions[0], retained))
    else:
        table = _table_around(op)
        helper = helpers.get(table) if table is not None else None
        if helper is None:
            return Failure(NO_HELPER)
        rewriter.replace(op, _deallocate_all(rewriter, helper, memrefs, conditions, retained))
    return None


def _pointer(rewriter: Rewriter, memref: Value) -> Value:
    return rewriter.create("memref.extract_aligned_pointer_as_index", [memref], [INDEX]).result


def _deallocate_if(rewriter: Rewriter, condition: Value, memref: Value) -> None:
    """`scf.if %condition { memref.dealloc %memref }`."""

    def body() -> Sequence[Value]:
        deallocate(rewriter, memref)
        return ()

    choose(rewriter, condition, (body,))


def _deallocate_one(rewriter: Rewriter, memref: Value, condition: Value, retained: Sequence[Value]) -> list[Value]:
    """One buffer, if it is none of those that are retained; one that is retained is owned if it is that one."""
    pointer = _pointer(rewriter, memref)
    differ = [compare(rewriter, "ne", pointer, _pointer(rewriter, buffer)) for buffer in retained]
    is_free = differ[0]
    for is_other in differ[1:]:
        is_free = binary(rewriter, "andi", is_free, is_other)
    _deallocate_if(rewriter, binary(rewriter, "andi", is_free, condition), memref)
    true = constant(rewriter, 1, I1)
    return [binary(rewriter, "andi", binary(rewriter, "xori", is_other, true), condition) for is_other in differ]


def _deallocate_all(
    rewriter: Rewriter, helper: str, memrefs: Sequence[Value], conditions: Sequence[Value], retained: Sequence[Value]
) -> list[Value]:
    """Pointers and conditions are handed over in memory, and so is what the function finds out."""
    pointers = allocate(rewriter, MemRefType((len(memrefs),), INDEX))
    wanted = allocate(rewriter, MemRefType((len(conditions),), I1))
    kept = allocate(rewriter, MemRefType((len(retained),), INDEX))
    for position, memref in enumerate(memrefs):
        store(rewriter, _pointer(rewriter, memref), pointers, constant(rewriter, position))
    for position, condition in enumerate(conditions):
        store(rewriter, condition, wanted, constant(rewriter, position))
    for position, memref in enumerate(retained):
        store(rewriter, _pointer(rewriter, memref), kept, constant(rewriter, position))
    given = [_open(rewriter, listed) for listed in (pointers, wanted, kept)]
    dead = allocate(rewriter, MemRefType((len(memrefs),), I1))
    owned = allocate(rewriter, MemRefType((len(retained),), I1))
    answers = [_open(rewriter, listed) for listed in (dead, owned)]
    arguments = [given[0], given[2], given[1], *answers]
    rewriter.create("func.call", arguments, (), {"callee": SymbolRefAttr(helper)})
    for position, memref in enumerate(memrefs):
        _deallocate_if(rewriter, load(rewriter, dead, constant(rewriter, position)), memref)
    values = [load(rewriter, owned, constant(rewriter, position)) for position in range(len(retained))]
    for listed in (pointers, kept, wanted, dead, owned):
        deallocate(rewriter, listed)
    return values


def _open(rewriter: Rewriter, memref: Value) -> Value:
    """The same memref without its size in the type."""
    assert isinstance(memref.type, MemRefType), "what was allocated is a memref"
    return cast(rewriter, memref, MemRefType((DYNAMIC,), memref.type.element))
