"""Diagnostics as plain data: what is wrong, where in the source, why, and what would mend it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from fathom.ir.operation import Operation, Span
from fathom.ir.types import Type
from fathom.records import field, record, replace
from fathom.text.beginnings import LONGEST_MESSAGE, beginning

if TYPE_CHECKING:
    from fathom.ir.locations import FileLineColLoc

Severity = Literal["error", "warning", "information", "hint"]

# The codes: what kind of finding a diagnostic is.
PARSE: Final = "parse"
FURTHER: Final = "further"
"""What MLIR adds to another message about the same mistake, which this one follows from."""
STRAY: Final = "stray"
"""Something where an operation had to begin, and which begins none."""
OVERRUN: Final = "overrun"
"""What shows only behind the last token of a statement: MLIR shows it at the token that follows."""
ELABORATE: Final = "elaborate"
TYPE_MISMATCH: Final = "type-mismatch"
"""A value that is used with another type than it has."""
UNCLOSED: Final = "unclosed"
"""A region that is still open where the text ends."""
UNDECLARED_VALUE: Final = "undeclared-value"
UNDECLARED_BLOCK: Final = "undeclared-block"
VERIFY: Final = "verify"
DOMINANCE: Final = "dominance"
"""A use that can be reached without passing what defines the value."""
MISSING_TERMINATOR: Final = "missing-terminator"
UNKNOWN_FUNCTION: Final = "unknown-function"
"""A call of a function that is not there."""
UNREGISTERED: Final = "unregistered"
"""An operation that a known dialect does not have, or what belongs to no known dialect and cannot be kept."""
UNKNOWN_OP: Final = "unknown-op"
"""An operation of a dialect that nobody has described: kept as it is written, and refused on the command line."""
ROUNDTRIP: Final = "roundtrip"
"""What was printed does not read as what was printed."""
PIPELINE: Final = "pipeline"
"""A mistake in a pipeline, or in how it is run."""
PIPELINE_NESTING: Final = "pipeline-nesting"
"""A pass at an operation that it does not run on."""
LOWERING: Final = "lowering"
MISSING_PASS: Final = "missing-pass"
"""An operation of a dialect that no pass of the pipeline lowers."""
MADE_BY_PASS: Final = "made-by-pass"
"""An operation that a pass made, and that none lowers behind it."""
PASS_ORDER: Final = "pass-order"
"""An operation that was made when the pass that lowers such had run."""
SILENT_LEFTOVER: Final = "silent-leftover"
"""An operation that the pass for its dialect ran on, and left."""
NOT_BUFFERIZED: Final = "not-bufferized"
"""An operation on tensors, which have no memory."""
SIGNATURE: Final = "unconverted-signature"
"""A function whose signature has a type that LLVM has not."""
LAYOUT: Final = "layout-not-strided"
"""A memref whose layout is not one of strides."""
LINALG_BODY: Final = "linalg-body"
"""A structured operation whose body does not compute what the operation says it does."""
FAILED_TO_LEGALIZE: Final = "failed-to-legalize"
"""An operation that a conversion has to remove, and that no pattern rewrote."""
ILLEGAL_PRODUCT: Final = "illegal-product"
"""One whose pattern made something that could not be legalised."""
TOO_MANY_OPERATIONS: Final = "too-many-operations"
"""An operation for whose elements more operations would be made than there may be."""
UNRESOLVED: Final = "unresolved-materialization"
"""A value of one type where another is wanted, which a conversion leaves between two operations."""
SURVIVING_CAST: Final = "surviving-cast"
"""A cast between what was converted and what was not."""
NOT_IN_PLACE: Final = "not-in-place"
"""What has to be written in place, and cannot be."""
NOT_FREED: Final = "not-freed"
"""What keeps a pass from finding out who is to free which buffer."""
REFUSED_BY_PASS: Final = "refused-by-pass"
"""An operation that a pass objects to, in words of its own."""
NO_TRANSLATION: Final = "no-translation"
"""An operation that nobody has described, and that so has no way to LLVM IR."""
NOT_LOWERED: Final = "not-lowered"
"""What is said of a function that does not become LLVM IR where nobody asked that it should: one finding for all that
would be left behind."""
LEFTOVERS: Final = frozenset(
    {
        LOWERING,
        MISSING_PASS,
        MADE_BY_PASS,
        PASS_ORDER,
        SILENT_LEFTOVER,
        NOT_BUFFERIZED,
        SIGNATURE,
        LAYOUT,
        LINALG_BODY,
        SURVIVING_CAST,
        NO_TRANSLATION,
    }
)
"""What is left behind by a lowering."""
UNABLE: Final = LEFTOVERS | {
    FAILED_TO_LEGALIZE,
    ILLEGAL_PRODUCT,
    UNRESOLVED,
    NOT_FREED,
    NOT_IN_PLACE,
    TOO_MANY_OPERATIONS,
    PIPELINE,
    PIPELINE_NESTING,
}
"""What a pipeline cannot do with a program in which nothing is wrong."""
TRANSLATION: Final = "translation"
NOT_CARRIED: Final = "not-carried"
"""What a module holds and its translation to LLVM IR does not say."""
LLVM: Final = "llvm"
"""What LLVM itself says of the text that it was given."""
REMARK: Final = "remark"
"""What LLVM did as it made code, or did not, and why."""
RUN: Final = "run"
MISSING_SYMBOL: Final = "missing-symbol"
"""A function that is only declared, and that the libraries of a run do not define."""
MAIN_ARGUMENTS: Final = "main-arguments"
"""A function that is run without arguments, and wants some."""
UNUSED_VALUE: Final = "unused-value"
"""A value that nothing uses, of an operation without effects."""
UNUSED_SYMBOL: Final = "unused-symbol"
"""A private symbol that nothing names."""
UNUSED_ALIAS: Final = "unused-alias"
UNUSED: Final = frozenset({UNUSED_VALUE, UNUSED_SYMBOL, UNUSED_ALIAS})
"""What could go without a loss."""
DEPRECATED: Final = "deprecated"
"""An operation whose definition says that it should not be used any more."""
NO_COUNTERPART: Final = "no-counterpart"
"""What an older release of MLIR had, and MLIR 22 has not."""
OLDER_EDITION: Final = "older-edition"
"""A document that reads without a mistake as an older release of MLIR."""
MODERNISE: Final = "modernise"
"""What was rewritten to MLIR 22 and is not right there."""
OWN_CODE: Final = "own-code"
"""A fault in the code that a person wrote for a dialect of their own."""
INTERNAL: Final = "internal"
"""A fault of Fathom's own."""


@record
class Note:
    """A remark that belongs to a diagnostic, with a place of its own where it has one.

    `op` is the operation that it points at; one that `shows` it MLIR writes with its text after the message. A `hint`
    is Fathom's own: MLIR does not say it.
    """

    message: str
    span: Span | None = None
    hint: bool = False
    op: Operation | None = field(default=None, compare=False, repr=False)
    shows: bool = False


@record
class Diagnostic:
    """`message` is in MLIR's own words; `code` names the kind, one of the constants above; `notes` say the cause
    and the fix. `span` is in offsets of the text that was elaborated, None where there is no place. `op` is the
    operation that it is about, if it is about one as a whole. A `hint` is Fathom's own: MLIR does not say it.
    `follows_from` is another one without which this might not be there; who shows that may leave this out. `types` are
    those that it is about: that of a value, and the one that is wanted. Of what a lowering leaves behind, `left` is the
    name of the operation.
    `place` is where it is to be mended, of a mistake that is not in the text, but in another file.
    An error that is not `fatal` is one that a pass says and goes on, as MLIR's do where a pattern does not apply; one
    that is `unplaced` MLIR says of no place at all.
    """

    message: str
    span: Span | None = None
    severity: Severity = "error"
    code: str = ""
    notes: tuple[Note, ...] = field(default=())
    hint: bool = False
    op: Operation | None = field(default=None, compare=False, repr=False)
    follows_from: Diagnostic | None = None
    types: tuple[Type, ...] = ()
    left: str = ""
    fatal: bool = True
    unplaced: bool = False
    place: FileLineColLoc | None = None

    def __post_init__(self) -> None:
        if len(self.message) > _LONG:
            object.__setattr__(self, "message", _kept(self.message))


_LONG: Final = 1000


@lru_cache(maxsize=256)
def _kept(message: str) -> str:
    """What is kept of a long message: as much as is shown, and once for all mistakes of which it is said."""
    return beginning(message, LONGEST_MESSAGE)


def is_failure(diagnostic: Diagnostic) -> bool:
    """Whether a finding of a lowering is a *failure*: what a pass made is not valid, or a pass, the translation or LLVM
    objects to the program. All others are *leftovers*, what the pipeline cannot do, or remarks."""
    return diagnostic.severity == "error" and diagnostic.code not in UNABLE


def alone(diagnostic: Diagnostic) -> Diagnostic:
    """A diagnostic that keeps no IR alive: without operations, and with places that know no statement."""
    notes = diagnostic.notes
    if any(note.op is not None or note.span is not None for note in notes):
        notes = tuple(replace(note, op=None, span=_alone(note.span)) for note in notes)
    follows = alone(diagnostic.follows_from) if diagnostic.follows_from is not None else None
    return replace(diagnostic, op=None, span=_alone(diagnostic.span), notes=notes, follows_from=follows)


def _alone(span: Span | None) -> Span | None:
    return Span(span.start, span.end) if span is not None else None


def order_in_text(diagnostic: Diagnostic) -> int:
    """Where it begins; what is said further of a mistake comes with the mistake."""
    while diagnostic.code == FURTHER and diagnostic.follows_from is not None:
        diagnostic = diagnostic.follows_from
    return diagnostic.span.start if diagnostic.span is not None else 0
