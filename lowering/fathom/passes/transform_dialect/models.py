"""What operations say of what they do when a schedule is interpreted: aspects, by their names.

    @transforms("transform.structured.match")
    def match(op: StructuredMatchOp, run: Application) -> None: ...

    @patterns("transform.apply_patterns.vector.lower_contraction")
    def lower_contraction(op: Operation, context: Context) -> Iterable[Pattern]: ...

Of the operations of transform itself the library's models stand beside this module, those of an extension in the module
of its name. They are imported when such an operation is first applied. A dialect that is made elsewhere says what its
operations do by these aspects in its code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from fathom.irdl.aspects import Aspect, attached, said_in
from fathom.irdl.lazy import Joined
from fathom.records import record
from fathom.text.files import modules_in

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.transform_dialect.application import Application
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.target import ConversionTarget

T = TypeVar("T", bound=Callable[..., Any])

Apply: TypeAlias = "Callable[[Any, Application], None]"
Populate: TypeAlias = "Callable[[Any, Context], Iterable[Pattern]]"

TRANSFORMS: Final = Aspect["Mapping[str, Apply]"]("transforms", {}, Joined)
"""How an operation applies: it sets its results, or raises a failure."""
PATTERNS: Final = Aspect["Mapping[str, Populate]"]("transform_patterns", {}, Joined, module="transforms")
"""The patterns that an operation stands for."""


def transforms(*names: str) -> Callable[[T], T]:
    """Makes a function what applies the operations with these names."""
    return attached(TRANSFORMS, *names)


@record
class Conversion:
    """A dialect conversion that is being put together: what becomes of types, what is legal, and an operation that is
    to be converted."""

    types: LLVMTypeConverter
    target: ConversionTarget
    root: Operation
    context: Context


Convert: TypeAlias = "Callable[[Any, Conversion], Iterable[Pattern]]"
Build: TypeAlias = "Callable[[Any, Operation], LLVMTypeConverter]"

CONVERSIONS: Final = Aspect["Mapping[str, Convert]"]("transform_conversions", {}, Joined, module="transforms")
"""The patterns that an operation stands for in a dialect conversion."""
CONVERTERS: Final = Aspect["Mapping[str, Build]"]("transform_converters", {}, Joined, module="transforms")
"""What becomes of types, as an operation says it."""


def conversions(*names: str) -> Callable[[T], T]:
    """Makes a function what gives the patterns of a conversion that the operations with these names stand for."""
    return attached(CONVERSIONS, *names)


def converters(*names: str) -> Callable[[T], T]:
    """Makes a function what gives the type converter that the operations with these names stand for."""
    return attached(CONVERTERS, *names)


def patterns(*names: str) -> Callable[[T], T]:
    """Makes a function what gives the patterns that the operations with these names stand for."""
    return attached(PATTERNS, *names)


def always(table: Mapping[str, Iterable[Pattern]]) -> Mapping[str, Populate]:
    """The patterns by the names of operations that stand for the same ones whatever they say, as `TRANSFORM_PATTERNS`
    of a module."""
    return {name: lambda _op, _context, of_name=of_name: of_name for name, of_name in table.items()}


_FOLDER: Final = f"{__package__}.extensions"
_CORE: Final = "core"


@cache
def _modules() -> frozenset[str]:
    return frozenset(name for path in import_module(_FOLDER).__path__ for name in modules_in(path))


@cache
def _said_by(name: str, aspect: Aspect[Any]) -> Mapping[str, Any]:
    """What the module of an extension says."""
    module = import_module(f"{_FOLDER}.{name}")
    parts: tuple[str, ...] = getattr(module, "PARTS", ())
    return said_in([module, *(import_module(f"{_FOLDER}.{part}") for part in parts)], aspect) or {}


def model_of(op: Operation, aspect: Aspect[Mapping[str, T]], context: Context) -> T | None:
    """What an operation says; None where it says nothing."""
    told = context.aspect(aspect, op.dialect).get(op.name)
    if told is not None:
        return told
    dialect, _, name = op.name.partition(".")
    if dialect != "transform":
        return None
    extension, _, _ = name.partition(".")
    model: T | None = _said_by(extension if extension in _modules() else _CORE, aspect).get(op.name)
    return model
