"""The words in which code says what it is for: decorators, whose functions are collected while a module is read.

Outside of that they leave a function as it is, so that a module of such code can be imported and tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from fathom.irdl.faults import line_of
from fathom.irdl.interfaces import Effect, EffectKind
from fathom.records import field, record

if TYPE_CHECKING:
    from types import CodeType

    from fathom.dialect.operation import Op
    from fathom.dialect.rewriter import Rewriter
    from fathom.ir.locations import FileLineColLoc
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.irdl.definition import Problem
    from fathom.rewriting.lowerings import Amended

CO_VARARGS: Final = 0x04
"""The flag of functions that take any number of arguments, as `inspect` has it, which is not imported for it."""

F = TypeVar("F", bound=Callable[..., Any])

Verifier: TypeAlias = "Callable[[Op], str | Problem | Sequence[str | Problem] | None]"
Folder: TypeAlias = "Callable[[Op, Any], Any]"
RewritePattern: TypeAlias = "Callable[[Op, Rewriter], str | None]"
Amending: TypeAlias = "Callable[[Op, Any, Amended], None]"
Affecting: TypeAlias = "Callable[[Op], Sequence[Effect]]"
Inlining: TypeAlias = "Callable[[Op, Op], bool]"
Enclosing: TypeAlias = "Callable[[Op], bool]"
Conversion: TypeAlias = "Callable[[Any], Type | str]"


@record(frozen=False, eq=False)
class Declared:
    """A function, what it is for (`what`, the name of its decorator) and the full name of the operation or type."""

    what: str
    name: str
    function: Callable[..., Any]
    options: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def place(self) -> FileLineColLoc:
        """Where it stands."""
        return line_of(self.function)

    @property
    def dialect(self) -> str:
        return self.name.partition(".")[0]


_NAME: Final = re.compile(r"[A-Za-z_][\w$]*(\.[\w$]+)+")
_COLLECTED: Final[ContextVar[list[Declared] | None]] = ContextVar("collected", default=None)


@contextmanager
def collecting() -> Generator[list[Declared], None, None]:
    """All that is declared inside."""
    declared: list[Declared] = []
    token = _COLLECTED.set(declared)
    try:
        yield declared
    finally:
        _COLLECTED.reset(token)


_TAKES: Final[Mapping[str, Sequence[str]]] = {
    "verifies": ("op",),
    "folds": ("op", "known"),
    "canonicalizes": ("op", "rewriter"),
    "lowers": ("op", "rewriter"),
    "converts": ("type",),
    "translates": ("op", "rewriter"),
    "amends": ("op", "value", "amended"),
    "effects": ("op",),
    "inlines": ("op", "around"),
    "inlines_into": ("op",),
}
"""What the function under each decorator gets."""


def _declare(what: str, name: object, **options: Any) -> Callable[[F], F]:
    if callable(name):
        also = ", into='arith'" if "into" in options else ""
        raise ValueError(f"@{what} is written with what it is for, such as @{what}('shop.total'{also})")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"@{what} is for a full name, such as 'shop.total', not {name!r}")

    def decorate(function: F) -> F:
        taken = _TAKES[what]
        code: CodeType | None = getattr(function, "__code__", None)
        if code is None:
            raise ValueError(f"@{what} stands above a function, not {function!r}")
        if not _takes(code, function, len(taken)):
            raise ValueError(f"under @{what} stands a function of ({', '.join(taken)})")
        collected = _COLLECTED.get()
        if collected is not None:
            collected.append(Declared(what, name, function, options))
        return function

    return decorate


def _takes(code: CodeType, function: Callable[..., Any], count: int) -> bool:
    """Whether a function with this code can be called with so many arguments."""
    most, least = code.co_argcount, code.co_argcount - len(getattr(function, "__defaults__", None) or ())
    by_name = code.co_kwonlyargcount - len(getattr(function, "__kwdefaults__", None) or ())
    return least <= count and (count <= most or bool(code.co_flags & CO_VARARGS)) and by_name <= 0


def verifies(name: str, *, regions: bool = False) -> Callable[[Verifier], Verifier]:
    """The function says what is wrong with an operation, beyond what its description says: nothing, a text, or several.

        @verifies("shop.fill")
        def fill(op):
            if not op.items:
                return "needs items"

    The message has `'shop.fill' op` in front. With `regions`, it is asked when all in the regions is well-formed.
    """
    return _declare("verifies", name, regions=regions)


def folds(name: str) -> Callable[[Folder], Folder]:
    """The function says what an operation is where that is known: for its only result, or in a list for each, a value
    or a constant; None where nothing is known.

        @folds("shop.total")
        def total(op, known):
            if known.left is not None and known.right is not None:
                return known.left + known.right

    `known` has the operands that are constants by their names, as plain values, and None for others. A number becomes
    an `arith.constant`; for a type of the dialect's own, the dialect's operation that is `ConstantLike`: it holds what
    its only attribute is, or the one called `value`, or what a fold of its own gives.
    """
    return _declare("folds", name)


def canonicalizes(name: str, *, benefit: int = 1) -> Callable[[RewritePattern], RewritePattern]:
    """The function rewrites an operation to one that is simpler: a pattern of `canonicalize`. It returns when it has
    changed something; where it changes nothing, it did not apply."""
    return _declare("canonicalizes", name, benefit=_benefit("canonicalizes", benefit))


def lowers(
    name: str, *, into: str | Sequence[str] = (), benefit: int = 1
) -> Callable[[RewritePattern], RewritePattern]:
    """The function replaces an operation by operations of the dialects `into`.

        @lowers("shop.total", into="arith")
        def total(op, rewriter):
            rewriter.replace(op, rewriter.create("arith.addi", op.left, op.right))

    Where it returns a text, that says why it does not apply, and what it has done is undone. Patterns of higher benefit
    are tried first. A pattern into "llvm" alone gets operands of the types of the LLVM dialect; any other gets them as
    they are, or as `converts` says.
    """
    names: object = (into,) if isinstance(into, str) else into
    is_listed = isinstance(names, tuple | list) and all(isinstance(name, str) for name in cast("list[object]", names))
    if (not names or not is_listed) and not callable(name):
        raise ValueError(
            "@lowers has `into`, the dialect that it makes operations of, or several: into=('arith', 'scf')"
        )
    return _declare("lowers", name, into=tuple(cast("Sequence[str]", names)), benefit=_benefit("lowers", benefit))


def converts(name: str) -> Callable[[Conversion], Conversion]:
    """The function gives the type that a type of the dialect becomes when the dialect is lowered, as it is written or
    as an object; of all values, arguments and signatures.

        @converts("shop.price")
        def price(type):
            return "i32"
    """
    return _declare("converts", name)


def translates(name: str) -> Callable[[RewritePattern], RewritePattern]:
    """The operation stays until the LLVM dialect becomes LLVM IR, with types of that dialect, which its description has
    to take besides those of its own. The function says then what it is: it replaces it by operations of the LLVM
    dialect, such as the call of an intrinsic.

        @translates("shop.count")
        def count(op, rewriter):
            bits = rewriter.create("llvm.call_intrinsic", args=[op.set], intrin="llvm.ctpop", results=op.set.type)
            rewriter.replace(op, bits)
    """
    return _declare("translates", name)


def amends(name: str) -> Callable[[Amending], Amending]:
    """The function says what an attribute adds in LLVM IR to the instruction, or the function, that an operation of the
    LLVM dialect becomes which has it: `amended.metadata` takes metadata by their kinds, `amended.attributes` attributes
    of a function.

        @amends("shop.hot")
        def hot(op, value, amended):
            amended.metadata["shop.hot"] = ["sold", value]
    """
    return _declare("amends", name)


def effects(name: str) -> Callable[[Affecting], Affecting]:
    """The function lists what an operation does to memory, where its description cannot say it: `reads(op.basket)`,
    `writes()`, `allocates(op.out)`, `frees(op.basket)`. Nothing in the list: nothing, so that it may go if nobody uses
    its results."""
    return _declare("effects", name)


def inlines(name: str) -> Callable[[Inlining], Inlining]:
    """The function says whether an operation may come, with the function that it is in, where a call stands: into a
    region of the operation `around`; and of a call, one with the trait `CallOpInterface`, whether what it calls may
    come in its place.

        @inlines("shop.total")
        def total(op, around):
            return True

    Without it, a function with such an operation is not inlined.
    """
    return _declare("inlines", name)


def inlines_into(name: str) -> Callable[[Enclosing], Enclosing]:
    """The function says whether calls in the regions of an operation may be inlined there.

    @inlines_into("shop.each")
    def each(op):
        return True
    """
    return _declare("inlines_into", name)


def reads(value: Value | None = None) -> Effect:
    """That memory is read: that behind a value, or any."""
    return Effect(EffectKind.READ, value)


def writes(value: Value | None = None) -> Effect:
    """That memory is written."""
    return Effect(EffectKind.WRITE, value)


def allocates(value: Value | None = None) -> Effect:
    """That memory is made."""
    return Effect(EffectKind.ALLOCATE, value)


def frees(value: Value | None = None) -> Effect:
    """That memory is given back."""
    return Effect(EffectKind.FREE, value)


def _benefit(what: str, benefit: object) -> int:
    if not isinstance(benefit, int):
        raise ValueError(f"the benefit of @{what} is a number, not {benefit!r}")
    return benefit
