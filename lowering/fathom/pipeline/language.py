"""The language of pass pipelines.

    --convert-arith-to-llvm=index-bitwidth=32 -convert-func-to-llvm
    builtin.module(func.func(convert-scf-to-cf),any(convert-arith-to-llvm{index-bitwidth=32}),convert-func-to-llvm)
    builtin.module(lower-to-llvm{index-bitwidth=32})

A mistake in a pipeline is data: `Pipeline.errors`, worded as mlir-opt words it. Source of the rules: *Pass
Infrastructure*, "Textual Pass Pipeline Specification" and "Options Specification".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from fathom.context import default_context
from fathom.ir.operation import MODULE
from fathom.irdl.interfaces import FunctionLike
from fathom.passes import find, find_pipeline
from fathom.passes.definition import ANY, FUNCTION, Pass, PassPipeline
from fathom.pipeline.elements import Element, Malformed, elements
from fathom.records import record, replace

ROOT: Final = (MODULE, "module", ANY)
UNKNOWN_PLACE: Final = "<unknown>:0: error: "
RECONCILE: Final = "reconcile-unrealized-casts"
TO_LLVM: Final = "-to-llvm"
"""How the names of passes end that convert to the LLVM dialect."""
NOT_WRAPPED: Final = "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'"


@record
class Nest:
    """`anchor(…)`: the passes run on each operation with this name that stands directly in the one around it; `any`
    is the operation itself, whatever it is."""

    anchor: str
    items: tuple[Item, ...]

    def __str__(self) -> str:
        return f"{self.anchor}({','.join(map(str, self.items))})"

    def spelled_out(self, indent: str = "") -> str:
        """Each pass on a line of its own, with all its options, as mlir-opt dumps a pipeline."""
        body = ",\n".join(_spelled_out(self.items, indent + "  "))
        return f"{indent}{self.anchor}(\n{body}\n{indent})"


@record
class Named:
    """A pipeline that has a name, in the place where it runs: its passes. Where it is one that is `only_named`, each
    of them runs only where there is anything for it to do (`Pass.is_for`)."""

    named: PassPipeline
    items: tuple[Item, ...]

    def __str__(self) -> str:
        return str(self.named)


Item: TypeAlias = "Pass | Nest | Named"
"""What stands in a nest."""


def _spelled_out(items: Iterable[Item], indent: str) -> Iterator[str]:
    for item in items:
        if isinstance(item, Named):
            yield from _spelled_out(item.items, indent)
        elif isinstance(item, Nest):
            yield item.spelled_out(indent)
        else:
            yield f"{indent}{item.spelled_out()}"


@record
class Pipeline:
    """A nest at the root, and what is wrong with the text; a pipeline with errors does not run. `misplaced` is the name
    of the first pass in a text that cannot run where it stands, and why."""

    root: Nest
    errors: tuple[str, ...] = ()
    misplaced: tuple[str, str] | None = None

    def __str__(self) -> str:
        return str(self.root)

    def dump(self) -> str:
        """What mlir-opt prints for `--dump-pass-pipeline`."""
        count = sum(len(item.items) if isinstance(item, Named) else 1 for item in self.root.items)
        return f"Pass Manager with {count} passes:\n{self.root.spelled_out()}\n\n"

    @property
    def is_to_reach_llvm(self) -> bool:
        """Whether nothing but the LLVM dialect is to be left."""
        return is_to_reach_llvm(pass_.name for pass_ in self.passes)

    @property
    def passes(self) -> list[Pass]:
        """All passes, in order, those of pipelines that have a name among them."""
        return [use for use, _ in _flatten(self.root)]

    @property
    def nests(self) -> tuple[tuple[str, ...], ...]:
        """The anchors inside the root that each of the passes stands in, the outermost first."""
        return tuple(anchors for _, anchors in _flatten(self.root))


def is_to_reach_llvm(names: Iterable[str]) -> bool:
    """Whether passes of these names are to leave nothing but the LLVM dialect: something is converted to it, and casts
    between that and what is not converted are to be gone."""
    known = list(names)
    return RECONCILE in known and any(name.endswith(TO_LLVM) for name in known)


def _flatten(group: Nest | Named, anchors: tuple[str, ...] = ()) -> Iterator[tuple[Pass, tuple[str, ...]]]:
    """The passes in a group, each with the anchors of the nests in it that it stands in."""
    for item in group.items:
        if isinstance(item, Pass):
            yield item, anchors
        else:
            yield from _flatten(item, (*anchors, item.anchor) if isinstance(item, Nest) else anchors)


Find: TypeAlias = Callable[[str], "type[Pass] | type[PassPipeline] | None"]
"""The pass of a name: `Context.find_pass`, or `fathom.passes.find` for the library's. A pipeline that is found so takes
the place of the library's."""


def parse_pipeline(source: str | Sequence[str], find: Find = find) -> Pipeline:
    """A pipeline from its text (`builtin.module(…)`), or from mlir-opt's flags (`--name`, `-name=option=value`). A flag
    of a pass that does not run on modules stands for a nest with the pass in it."""
    if isinstance(source, str):
        return _Reader(source, find).pipeline()
    uses: list[Item] = []
    errors: list[str] = []
    for flag in source:
        name, _, text = flag.lstrip("-").partition("=")
        class_ = find(name) or find_pipeline(name)
        if class_ is None:
            errors.append(f"Unknown command line argument '{flag}'.")
            continue
        use = class_.read(text)
        if isinstance(use, str):
            errors.append(use)
        elif isinstance(use, PassPipeline):
            uses.append(configured(use, find, errors))
        else:
            uses.append(use if use.anchor in (ANY, FUNCTION, MODULE) else Nest(use.anchor, (use,)))
    return Pipeline(Nest(MODULE, tuple(uses)), tuple(errors))


def unnested(text: str, find: Find = find) -> Pipeline | None:
    """A pipeline from its text, whose passes need not stand where they can run; None if anything else is wrong."""
    read = _Reader(text, find, strict=False).pipeline()
    return read if not read.errors else None


def configured(named: PassPipeline, find: Find, errors: list[str], anchor: str = MODULE) -> Named:
    """The passes of a pipeline on `anchor`, each with the options that the pipeline was given and that it knows."""
    read = _Reader(f"{anchor}({','.join(named.passes)})", lambda name: named.own.get(name) or find(name)).pipeline()
    errors += read.errors
    given = named.given()

    def with_options(items: tuple[Item, ...]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, Pass):
                known = item.options()
                yield replace(
                    item, **{option.field: value for option, value in given if option.name in {o.name for o in known}}
                )
            else:
                yield replace(item, items=tuple(with_options(item.items)))

    return Named(named, tuple(with_options(read.root.items)))


def runs_on(class_: type[Pass], anchor: str) -> bool:
    """Whether a pass runs on the operation of a name."""
    if class_.anchor in (ANY, anchor) or anchor == ANY:
        return True
    if class_.anchor == FUNCTION:
        definition = default_context().lookup(anchor)
        return definition is not None and definition.interface(FunctionLike) is not None
    return class_.anchor == MODULE and anchor in ROOT


class _Reader:
    """Reads the textual form; places in messages count from the first character in the outermost parentheses. With
    `strict`, a pass must stand where it can run."""

    def __init__(self, text: str, find: Find, *, strict: bool = True) -> None:
        self.find = find
        self.strict = strict
        self.text = text.strip()
        self.errors: list[str] = []
        self.misplaced: tuple[str, str] | None = None
        self.inner = ""

    def pipeline(self) -> Pipeline:
        anchor, bracket, inner = self.text.partition("(")
        anchor = anchor.rstrip()
        if not anchor or not bracket or not inner.endswith(")"):
            return Pipeline(Nest(MODULE, ()), (UNKNOWN_PLACE + NOT_WRAPPED,))
        self.inner = inner[:-1]
        try:
            listed = elements(self.inner) if self.inner else []
        except Malformed as malformed:
            self.fail(malformed.offset, malformed.message)
            listed = []
        unknown = next((leaf for leaf in _leaves(listed) if self.lookup(leaf.name) is None), None)
        if unknown is not None:
            self.fail(unknown.start, f"'{unknown.name}' does not refer to a registered pass or pass pipeline")
            listed = []
        root = Nest(anchor, self.items(listed, anchor))
        return Pipeline(root, tuple(self.errors), self.misplaced)

    def lookup(self, name: str) -> type[Pass] | type[PassPipeline] | None:
        return self.find(name) or find_pipeline(name)

    def items(self, listed: Sequence[Element], anchor: str) -> tuple[Item, ...]:
        """What the elements in a nest mean, up to the first that is wrong."""
        made: list[Item] = []
        for element in listed:
            item = self.nest(element) if element.inner else self.use(element, anchor)
            if self.errors or item is None:
                break
            made.append(item)
        return tuple(made)

    def nest(self, element: Element) -> Nest:
        nest = Nest(element.name, self.items(element.inner, element.name))
        if self.errors:
            self.errors[-1] += f"\nfailed to add `{element.name}` with options `{element.options}` to inner pipeline"
        return nest

    def use(self, element: Element, anchor: str) -> Pass | Named | None:
        class_ = self.lookup(element.name)
        if class_ is None:
            return None
        if self.strict and issubclass(class_, Pass) and not runs_on(class_, anchor):
            where = f"'{class_.anchor}'" if class_.anchor != FUNCTION else "operations that are functions"
            why = (
                f"Can't add pass '{class_.__name__}' restricted to {where} on a PassManager "
                f"intended to run on '{anchor}', did you intend to nest?"
            )
            self.misplaced = element.name, why
            return self.refuse(element, UNKNOWN_PLACE + why)
        use = class_.read(element.options)
        if isinstance(use, str):
            return self.refuse(element, use)
        return configured(use, self.find, self.errors, anchor) if isinstance(use, PassPipeline) else use

    def refuse(self, element: Element, problem: str) -> None:
        self.errors.append(f"{problem}\nfailed to add `{element.name}` with options `{element.options}`")

    def fail(self, offset: int, message: str) -> None:
        before = self.inner[:offset]
        line, column = before.count("\n") + 1, offset - (before.rfind("\n") + 1)
        shown = self.inner.split("\n")[line - 1]
        head = f"{UNKNOWN_PLACE}MLIR Textual PassPipeline Parser:{line}:{column + 1}: error: "
        self.errors.append(f"{head}{message}\n{shown}\n{' ' * column}^\n")


def _leaves(listed: Iterable[Element]) -> Iterator[Element]:
    """The elements that have nothing inside: passes, and pipelines that have a name."""
    for element in listed:
        if element.inner:
            yield from _leaves(element.inner)
        else:
            yield element
