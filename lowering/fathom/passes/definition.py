"""A pass as it declares itself: one frozen class for each, whose fields are its options.

    @record
    class ConvertControlFlowToLLVMPass(Pass):
        name = "convert-cf-to-llvm"
        summary = "lowers cf to the LLVM dialect"
        anchor = MODULE
        removes = ("cf",)

        index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)

        def run(self, op: Operation, context: Context) -> list[Diagnostic]: …

The command line, the language of pipelines, advice about what was left behind, and `docs/passes.md` all derive from
this. An object of the class is a use of the pass, with the options that it runs with. Source of the rules: *Pass
Infrastructure*, "Operation Pass".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from fathom.passes.options import Option, Refused, Value, arguments, options_of
from fathom.records import record

if TYPE_CHECKING:
    from typing import Self

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

    Held: TypeAlias = Mapping[str, Sequence[Operation]]
    """The operations below one, by their names."""
    Translate: TypeAlias = Callable[[Operation, Context], "tuple[str | None, Sequence[Diagnostic]]"]
    """Gives LLVM IR for an operation, or none, and what is said of it."""
    RunOn: TypeAlias = Callable[[Operation], list[Diagnostic]]
    Prepare: TypeAlias = Callable[[str, str], RunOn | Sequence[str] | None]
    """Gives what runs the pass, or the pipeline, of a name with options; what is wrong with these; or None, where
    nothing has the name."""

ANY: Final = "any"
FUNCTION: Final = "FunctionOpInterface"


@record
class Declared:
    """What has a name in the language of pipelines, and options: a pass, or a pipeline of several."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @classmethod
    @cache
    def options(cls) -> tuple[Option, ...]:
        """Its options, sorted by name."""
        return options_of(cls)

    @classmethod
    def read(cls, text: str) -> Self | str:
        """It with the options in `a=1 b={c d}`; or what is wrong with them, as mlir-opt says it."""
        known = {option.name: option for option in cls.options()}
        values: dict[str, object] = {}
        for name, given in arguments(text):
            declared = known.get(name)
            if declared is None:
                return f"<unknown>:0: error: <Pass-Options-Parser>: no such option {name}\n"
            try:
                values[declared.field] = declared.read(given)
            except Refused as refused:
                return f"fathom: for the --{name} option: {refused}\n<unknown>:0: error: "
        return cls(**values)

    def given(self) -> list[tuple[Option, Value]]:
        """The options that differ from the defaults, with their values."""
        values = [(option, getattr(self, option.field)) for option in self.options()]
        return [(option, value) for option, value in values if value != option.default]

    @property
    def spelled_options(self) -> str:
        """The options that differ from the defaults, as they stand behind the name: `{a=1 b=2}`, or nothing."""
        given = " ".join(option.spell(value) for option, value in self.given())
        return f"{{{given}}}" if given else ""

    def __str__(self) -> str:
        """As it is written in the language of pipelines, with the options that differ from the defaults."""
        return f"{self.name}{self.spelled_options}"

    def spelled_out(self) -> str:
        """It with all its options, as mlir-opt dumps a pipeline."""
        known = self.options()
        return self.name + (
            f"{{{' '.join(declared.spell(getattr(self, declared.field)) for declared in known)}}}" if known else ""
        )


@record
class Pass(Declared, ABC):
    """A pass with its options. `run` changes `op` in place and returns what went wrong.

    `anchor` is the operation that it runs on: one name, `ANY` or any function (`FUNCTION`). `removes` names the
    dialects of which it leaves nothing that it has a rule for; `elsewhere` says, for single operations of these that
    it has none for, or not for all, what rewrites them. `handles` names further operations that it is for. What one
    that goes `by_function` makes of a function follows from that, and from declarations of what it names; what it adds,
    it declares at the beginning of the module. One that
    `shows_locations` writes into the program where operations come from. One that `gives_to_llvm` has patterns that
    lower its dialects to the LLVM dialect, which `convert-to-llvm` takes. `statistics` say what it counts
    (`fathom.passes.counting`), by the names under which it does. The class has the name that mlir-opt's
    dumps give the pass.
    """

    anchor: ClassVar[str] = ANY
    removes: ClassVar[tuple[str, ...]] = ()
    elsewhere: ClassVar[Mapping[str, str]] = MappingProxyType({})
    handles: ClassVar[tuple[str, ...]] = ()
    by_function: ClassVar[bool] = False
    shows_locations: ClassVar[bool] = False
    gives_to_llvm: ClassVar[bool] = False
    statistics: ClassVar[Mapping[str, str]] = MappingProxyType({})

    @abstractmethod
    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        """Runs on `op`, which is what `anchor` says."""

    @classmethod
    def is_for(cls, held: Held) -> bool:
        """Whether there is anything for it to do where these operations are."""
        if any(name in held for name in cls.handles):
            return True
        # Many ask this of each function, and most of them in vain.
        removed = tuple(f"{dialect}." for dialect in cls.removes)
        return bool(removed) and any(name not in cls.elsewhere for name in held if name.startswith(removed))


@record
class TranslatingPass(Pass):
    """A pass that needs LLVM IR of what it runs on. The translation is no business of passes: whoever runs it hands
    that in (`fathom.pipeline.lowering`)."""

    @abstractmethod
    def run_with(self, op: Operation, context: Context, translate: Translate) -> list[Diagnostic]:
        """Runs on `op`, which is what `anchor` says."""

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic

        message = f"the pass {self.name} needs the translation to LLVM IR, which is not at hand here"
        return [Diagnostic(message, op.span, code=PIPELINE)]


@record
class NestingPass(Pass):
    """A pass that runs others, which are named in the program. Whoever runs it hands in how (`fathom.pipeline.nested`);
    where nobody does, none is known."""

    @abstractmethod
    def run_with(self, op: Operation, context: Context, prepare: Prepare) -> list[Diagnostic]:
        """Runs on `op`, which is what `anchor` says."""

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        return self.run_with(op, context, lambda _name, _options: None)


@record
class ShowingPass(Pass):
    """A pass that says something of an operation and leaves that as it is. What it says whoever looks on writes
    (`fathom.pipeline.showing`)."""

    @abstractmethod
    def shown(self, op: Operation) -> str:
        """What it says."""

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        return []


@record
class PassPipeline(Declared):
    """A pipeline that has a name, with its options.

    `passes` are its passes in their order, in the language of pipelines, each with the options that the pipeline was
    given and that it knows too. `own` are those of them that have a name in this pipeline only. Of one that is
    `only_as_needed`, each pass runs only where there is anything for it to do.
    """

    passes: ClassVar[tuple[str, ...]]
    only_as_needed: ClassVar[bool] = False
    own: ClassVar[Mapping[str, type[Pass]]] = MappingProxyType({})
