"""A context is what is known: the dialects, their definitions, and what was learned of texts in their light.

A context never changes, so that nothing remembered in it can go stale. A dialect that arrives, changes or goes makes a
new one; who works on a text hands the context down to all that read, check, rewrite or build operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from fathom.cached import cached_property
from fathom.dialects import dialect_names, find_dialect
from fathom.ir.language import TODAY
from fathom.irdl.aspects import said_of
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.interfaces import MODELS, FunctionLike, Symbol, SymbolTable
from fathom.irdl.traits import NO_REGION_ARGUMENTS
from fathom.records import replace
from fathom.slices import checkpoint
from fathom.syntax.shapes import ShapeMemory
from fathom.syntax.vocabulary import OpSyntax

if TYPE_CHECKING:
    from fathom.editions.edition import Edition
    from fathom.irdl.aspects import Aspect
    from fathom.passes.definition import Pass, PassPipeline

T = TypeVar("T")
_GENERATIONS: Final = count()


class Context:
    """The dialects and passes of the library, with others added, put in their place, or taken away.

    It is the `Vocabulary` of the parser and the `Definitions` of everything else. `generation` is its own: no two
    contexts of a process have the same. The library's dialects are imported when their first name is looked up. That of
    an older `edition` of MLIR has the dialects of that in the place of the library's.
    """

    def __init__(
        self,
        dialects: Mapping[str, Dialect | None] = MappingProxyType({}),
        passes: Mapping[str, type[Pass]] = MappingProxyType({}),
        edition: Edition | None = None,
    ) -> None:
        """`dialects` and `passes` are those that differ from the library's, by name; None for a dialect that is not to
        be known."""
        self._own: Final = MappingProxyType(dict(dialects))
        self._passes: Final = MappingProxyType(dict(passes))
        self.edition: Final = edition
        self.language: Final = edition.language if edition is not None else TODAY
        self.generation: Final = next(_GENERATIONS)
        self._in_editions: Final[dict[str, Context]] = {}
        whole = {name: dialect for name, dialect in dialects.items() if dialect is None or not dialect.extends}
        self._dialects: Final[dict[str, Dialect | None]] = whole
        self._definitions: Final[dict[str, OpDefinition | None]] = {}
        self._syntaxes: Final[dict[str, OpSyntax | None]] = {}
        self._said: Final[dict[tuple[Aspect[Any], str], Any]] = {}

    def with_dialect(self, dialect: Dialect) -> Context:
        """A context that knows `dialect`, in place of any other of its name, or with what it extends."""
        own = self._own.get(dialect.name)
        if own is not None and (dialect.extends or own.extends):
            dialect = dialect.added_to(own) if dialect.extends else own.added_to(dialect)
        return Context({**self._own, dialect.name: dialect}, self._passes, self.edition)

    def without_dialect(self, name: str) -> Context:
        """A context that knows no dialect of this name."""
        return Context({**self._own, name: None}, self._passes, self.edition)

    def with_passes(self, *passes: type[Pass]) -> Context:
        """A context that knows these passes, in place of any others of their names."""
        return Context(self._own, {**self._passes, **{pass_.name: pass_ for pass_ in passes}}, self.edition)

    def in_edition(self, name: str) -> Context:
        """The context that knows the same beside the dialects of an edition of MLIR, "19", as this one does beside its
        own; always the same one, for those of folders as long as these are as they are. KeyError where there is no such
        edition."""
        if name == (self.edition.key if self.edition is not None else TODAY.edition):
            return self
        if name not in self._in_editions:
            from fathom.editions.finding import find_edition, folder_of

            folder = folder_of(name)
            if folder:  # Nobody asks any more for what was in it before.
                for former in [other for other in self._in_editions if folder_of(other) == folder]:
                    del self._in_editions[former]
            if folder or self._own or self._passes:
                self._in_editions[name] = Context(self._own, self._passes, find_edition(name))
            else:
                self._in_editions[name] = context_of(name)
        return self._in_editions[name]

    @property
    def newest(self) -> Context:
        """The same in MLIR 22."""
        return self if self.edition is None else self.in_edition("22")

    # ---- passes

    def find_pass(self, name: str) -> type[Pass] | type[PassPipeline] | None:
        """The pass of this name, or None; or a pipeline, if it is another one than the library's. The library's passes
        are imported when they are first asked for: they stand above this module, and are found by name as dialects
        are."""
        class_: type[Pass] | None = self._passes.get(name) or self.own_passes.get(name)
        return class_ or import_module("fathom.passes").find(name)

    @cached_property
    def own_passes(self) -> Mapping[str, Any]:
        """The passes that lower the dialects from elsewhere which say how, by name, and the pipelines that have them
        besides; of an older edition, those too that there are no more."""
        from fathom.rewriting.lowerings import LOWERING

        passes: Mapping[str, Any] = {}
        if any(dialect is not None and dialect.aspects.get(LOWERING) is not None for dialect in self._own.values()):
            passes = import_module("fathom.passes.own_dialects").passes_of(self)
        if self.edition is not None:
            passes = {**import_module("fathom.passes.former").former_pipelines(), **passes}
        return passes

    # ---- definitions

    def dialect(self, name: str) -> Dialect | None:
        """The dialect of this name, or None."""
        try:
            return self._dialects[name]
        except KeyError:
            # Whoever asks for all of them loads them one after the other.
            checkpoint()
            dialect = find_dialect(name) if self.edition is None else self.edition.find_dialect(name)
            own = self._own.get(name)
            if own is not None:
                dialect = own.added_to(dialect) if dialect is not None else own
            return self._dialects.setdefault(name, dialect)

    @property
    def own_dialects(self) -> tuple[str, ...]:
        """The names of the dialects that differ from the library's."""
        return tuple(self._own)

    def added_to(self, name: str) -> Dialect | None:
        """What is added to a dialect of the library, if this is one that is added to and not in its place."""
        own = self._own.get(name)
        return own if own is not None and own.extends else None

    def dialect_names(self) -> list[str]:
        """The names of the dialects that are known, in their order; none is read."""
        gone = {name for name, dialect in self._own.items() if dialect is None}
        names = dialect_names() if self.edition is None else self.edition.dialect_names()
        return sorted({*names, *self._own} - gone)

    def lookup(self, name: str) -> OpDefinition | None:
        """The definition of the operation of this full name, or None for an unknown one."""
        try:
            return self._definitions[name]
        except KeyError:
            pass
        dialect = self.dialect(name.partition(".")[0])
        definition = dialect.by_name.get(name) if dialect is not None else None
        if definition is not None and (models := self._models.get(name)):
            definition = replace(definition, interfaces=(*definition.interfaces, *models))
        return self._definitions.setdefault(name, definition)

    @cached_property
    def _models(self) -> Mapping[str, Sequence[object]]:
        """The models of interfaces that dialects from elsewhere give to operations, by their full names."""
        collected: dict[str, list[object]] = {}
        for dialect in self._own:
            for name, models in self.aspect(MODELS, dialect).items():
                collected.setdefault(name, []).extend(models)
        return collected

    def aspect(self, aspect: Aspect[T], dialect: str) -> T:
        """What a dialect says of an aspect."""
        try:
            return self._said[aspect, dialect]
        except KeyError:
            known = self.dialect(dialect)
            said = said_of(aspect, known.aspects) if known is not None else aspect.nothing
            return self._said.setdefault((aspect, dialect), said)

    # ---- syntax

    def syntax(self, name: str) -> OpSyntax | None:
        """How an operation is written; None where it is not known or has the generic form only."""
        try:
            return self._syntaxes[name]
        except KeyError:
            pass
        definition = self.lookup(name)
        return self._syntaxes.setdefault(name, syntax_of(definition) if definition is not None else None)

    def full_name(self, name: str, default_dialect: str) -> str:
        """The full name of an operation that is written without its dialect, where this one goes without saying."""
        full = f"{default_dialect}.{name}" if default_dialect else name
        if self.language.bare_dialects and self.lookup(full) is None:
            named = (f"{dialect}.{name}" for dialect in self.language.bare_dialects)
            return next((other for other in named if self.lookup(other) is not None), full)
        return full

    def is_defined(self, name: str) -> bool:
        """Whether there is an operation of this full name."""
        return self.lookup(name) is not None

    def today(self, name: str) -> str | None:
        """The full name that an operation has today which an older release of MLIR called otherwise; "" where it is
        gone, and None where none was ever called so."""
        from fathom.editions.renames import today

        return today(name)

    def is_generic(self, name: str) -> bool:
        """Whether the operation of this full name is known to have no form but the generic one."""
        definition = self.lookup(name)
        return definition is not None and definition.is_generic

    def is_complete(self, dialect: str) -> bool:
        """Whether every operation of the dialect is known, so that any other is a mistake."""
        known = self.dialect(dialect)
        return known is not None and known.complete

    @cached_property
    def shapes(self) -> ShapeMemory:
        """What was learned of the shapes of statements, with the operations that are known here."""
        return ShapeMemory(self)


def syntax_of(definition: OpDefinition) -> OpSyntax | None:
    """How an operation is parsed; None for one that has the generic form only."""
    if definition.custom is None and definition.assembly is None:
        return None
    # What stands in a container is read by itself, so nothing in it may belong to the whole, such as an argument.
    is_table = definition.interface(SymbolTable) is not None
    container = is_table and definition.has(NO_REGION_ARGUMENTS)
    has_body = definition.interface(Symbol) is not None and not is_table and bool(definition.regions)
    function = has_body or definition.interface(FunctionLike) is not None
    return OpSyntax(definition.name, definition.read, definition.default_dialect, container, function, is_table)


@cache
def default_context() -> Context:
    """The context of the library's own dialects, shared by all who ask."""
    return Context()


@cache
def context_of(edition: str) -> Context:
    """The context of an edition of MLIR, "19", shared by all who ask; that of "22" is the default. KeyError where there
    is no such edition (`fathom.editions.edition`)."""
    if edition == TODAY.edition:
        return default_context()
    from fathom.editions.finding import find_edition

    return Context(edition=find_edition(edition))
