"""What bufferization is asked to do, and the types that buffers get where nothing else says so.

Source of the rules: `BufferizationOptions` and `OneShotBufferizationOptions` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from fathom.diagnostics import NOT_BUFFERIZED, NOT_FREED, NOT_IN_PLACE, Diagnostic, Note
from fathom.ir.attributes import Attribute, StridedLayoutAttr
from fathom.ir.types import DYNAMIC, MemRefType, TensorType
from fathom.ops.func import FuncOp
from fathom.records import record
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from fathom.bufferization.models import Bufferizable
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions

INFER: Final = "infer-layout-map"
DYNAMIC_LAYOUT: Final = "fully-dynamic-layout-map"
IDENTITY: Final = "identity-layout-map"


class Refusal(Exception):
    """Bufferization ends: what is wrong with which operation, in MLIR's words. `is_bare` says that the operation is not
    named in front; with a `value`, that is what is pointed at."""

    notes: tuple[Note, ...] = ()
    code: ClassVar[str] = NOT_BUFFERIZED

    def __init__(self, op: Operation, message: str, *, is_bare: bool = False, value: Value | None = None) -> None:
        super().__init__(message)
        self.op = op
        self.message = message
        self.is_bare = is_bare
        self.value = value


class NoForm(Refusal):
    """An operation has no form with memrefs."""

    def __init__(self, op: Operation) -> None:
        super().__init__(op, "op was not bufferized", is_bare=True)


class NotInPlace(Refusal):
    """What has to be in place is not. `places` are operations that keep it from that, each with what it does there."""

    code = NOT_IN_PLACE

    def __init__(
        self, op: Operation, message: str, places: Sequence[tuple[str, Operation]] = (), *, is_bare: bool = False
    ) -> None:
        super().__init__(op, message, is_bare=is_bare)
        self.notes = tuple(Note(does, at.span, hint=True) for does, at in places)


class NotFreed(Refusal):
    """It cannot be found out who is to free a buffer."""

    code = NOT_FREED

    def __init__(self, op: Operation, message: str, value: Value | None = None) -> None:
        super().__init__(op, message, is_bare=True, value=value)


class Refusals(Exception):
    """Several, of which all are told."""

    def __init__(self, refusals: list[Refusal]) -> None:
        super().__init__(refusals[0].message)
        self.refusals = refusals


def refusals_of(work: Callable[[], object]) -> list[Diagnostic]:
    """Does some work, and tells why it ended, if it did before it was done."""
    try:
        work()
    except Refusal as refusal:
        return [_told(refusal)]
    except Refusals as refusals:
        return [_told(refused) for refused in refusals.refusals]
    return []


def _told(refusal: Refusal) -> Diagnostic:
    if refusal.value is not None:
        return Diagnostic(refusal.message, source_of(refusal.value)[0], code=refusal.code)
    named = "" if refusal.is_bare else f"'{refusal.op.name}' op "
    return Diagnostic(
        f"{named}{refusal.message}", refusal.op.span, notes=refusal.notes, code=refusal.code, op=refusal.op
    )


@record
class Options:
    """The options of `one-shot-bufferize`, by its names."""

    allow_return_allocs_from_loops: bool = False
    allow_unknown_ops: bool = False
    analysis_fuzzer_seed: int = 0
    analysis_heuristic: str = "bottom-up"
    bufferize_function_boundaries: bool = False
    buffer_alignment: int = 64
    check_parallel_regions: bool = True
    copy_before_write: bool = False
    dialect_filter: tuple[str, ...] = ()
    dump_alias_sets: bool = False
    function_boundary_type_conversion: str = INFER
    must_infer_memory_space: bool = False
    use_encoding_for_memory_space: bool = False
    no_analysis_func_filter: tuple[str, ...] = ()
    print_conflicts: bool = False
    test_analysis_only: bool = False
    unknown_type_conversion: str = DYNAMIC_LAYOUT
    skipped_functions: frozenset[str] = frozenset()
    """Functions of which, with all that is in them, nothing is analysed."""

    def allows(self, op: Operation) -> bool:
        """Whether an operation may be bufferized at all."""
        if not self.bufferize_function_boundaries and op.dialect == "func":
            return False
        if self.skipped_functions and _function_around(op) in self.skipped_functions:
            return False
        return not self.dialect_filter or op.dialect in self.dialect_filter

    def model(self, op: Operation | None, context: Definitions) -> Bufferizable | None:
        """How an operation bufferizes; None where nothing says so, or it must not be."""
        from fathom.bufferization.models import model_of

        return model_of(op, context) if op is not None and self.allows(op) else None

    # ---- types

    def memory_space(self, type: TensorType) -> Attribute | Unknown | None:
        """The memory space of a new buffer; `UNKNOWN` where it must follow from something."""
        if self.use_encoding_for_memory_space:
            return type.encoding if type.shape is not None else UNKNOWN
        return UNKNOWN if self.must_infer_memory_space else None

    def unknown_type(self, type: TensorType, space: Attribute | None = None) -> MemRefType:
        """The buffer of a tensor of which nothing is known."""
        return with_identity(type, space) if self.unknown_type_conversion == IDENTITY else with_any_layout(type, space)

    def boundary_type(self, type: TensorType) -> MemRefType:
        """The buffer of an argument or a result of a function."""
        space = self.memory_space(type)
        space = space if isinstance(space, Attribute) else None
        if self.function_boundary_type_conversion == IDENTITY:
            return with_identity(type, space)
        return with_any_layout(type, space)


class Unknown:
    """The memory space of a buffer that must follow from something else."""


UNKNOWN: Final = Unknown()


def _function_around(op: Operation | None) -> str:
    from fathom.irdl.interfaces import symbol_name

    while op is not None and not isinstance(op, FuncOp):
        op = op.parent_op
    return symbol_name(op) if op is not None else ""


def with_identity(type: TensorType, space: Attribute | None) -> MemRefType:
    """A buffer whose elements lie one behind the other."""
    return MemRefType(type.shape, type.element, None, space)


def with_any_layout(type: TensorType, space: Attribute | None) -> MemRefType:
    """A buffer whose offset and strides are known at run time."""
    if type.shape is None:
        return MemRefType(None, type.element, None, space)
    layout = StridedLayoutAttr((DYNAMIC,) * len(type.shape), DYNAMIC)
    return MemRefType(type.shape, type.element, layout, space)
