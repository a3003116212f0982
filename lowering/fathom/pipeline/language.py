"""The language of pass pipelines.

    --convert-arith-to-llvm=index-bitwidth=32 -convert-func-to-llvm
    builtin.module(func.func(convert-scf-to-cf),any(convert-arith-to-llvm{index-bitwidth=32}),convert-func-to-llvm)
    builtin.module(lower-to-llvm{index-bitwidth=32})

A mistake in a pipeline is data: `Pipeline.errors`, worded as mlir-opt words it. Source of the rules: *Pass
Infrastructure*, "Textual Pass Pipeline Specification" and "Options Specification".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from fathom.context import default_context
from fathom.ir.operation import MODULE
from fathom.irdl.interfaces import FunctionLike
from fathom.passes import find, find_pipeline
from fathom.passes.definition import ANY, FUNCTION, Pass, PassPipeline
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
class AsNeeded:
    """A pipeline that has a name, in the place where it runs: its passes, each of which runs only where there is
    anything for it to do (`Pass.is_for`)."""

    named: PassPipeline
    items: tuple[Item, ...]

    def __str__(self) -> str:
        return str(self.named)


Item: TypeAlias = "Pass | Nest | AsNeeded"
"""What stands in a nest."""


def _spelled_out(items: Iterable[Item], indent: str) -> Iterator[str]:
    for item in items:
        if isinstance(item, AsNeeded):
            yield from _spelled_out(item.items, indent)
        elif isinstance(item, Nest):
            yield item.spelled_out(indent)
        else:
            yield f"{indent}{item.spelled_out()}"


@record
class Pipeline:
    """A nest at the root, and what is wrong with the text; a pipeline with errors does not run."""

    root: Nest
    errors: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.root)

    def dump(self) -> str:
        """What mlir-opt prints for `--dump-pass-pipeline`."""
        count = sum(len(item.items) if isinstance(item, AsNeeded) else 1 for item in self.root.items)
        return f"Pass Manager with {count} passes:\n{self.root.spelled_out()}\n\n"

    @property
    def is_to_reach_llvm(self) -> bool:
        """Whether nothing but the LLVM dialect is to be left."""
        return is_to_reach_llvm(each.name for each in self.passes)

    @property
    def passes(self) -> list[Pass]:
        """All passes, in order, those of pipelines that have a name among them."""
        return list(_flatten(self.root))


def is_to_reach_llvm(names: Iterable[str]) -> bool:
    """Whether passes of these names are to leave nothing but the LLVM dialect: something is converted to it, and casts
    between that and what is not converted are to be gone."""
    known = list(names)
    return RECONCILE in known and any(name.endswith(TO_LLVM) for name in known)


def _flatten(group: Nest | AsNeeded) -> Iterator[Pass]:
    for item in group.items:
        if isinstance(item, Pass):
            yield item
        else:
            yield from _flatten(item)


Find: TypeAlias = Callable[[str], "type[Pass] | None"]
"""The pass of a name: `Context.find_pass`, or `fathom.passes.find` for the library's."""


def parse_pipeline(source: str | Sequence[str], find: Find = find) -> Pipeline:
    """A pipeline from its text (`builtin.module(…)`), or from mlir-opt's flags (`--name`, `-name=option=value`). A flag
    of a pass that does not run on modules stands for a nest with the pass in it."""
    if isinstance(source, str):
        return _Reader(source, find).pipeline()
    uses: list[Item] = []
    errors: list[str] = []
    for flag in source:
        name, _, text = flag.lstrip("-").partition("=")
        found = find(name) or find_pipeline(name)
        if found is None:
            errors.append(f"Unknown command line argument '{flag}'.")
            continue
        use = found.read(text)
        if isinstance(use, str):
            errors.append(use)
        elif isinstance(use, PassPipeline):
            uses.append(_as_needed(use, find, errors))
        else:
            uses.append(use if use.anchor in (ANY, FUNCTION, MODULE) else Nest(use.anchor, (use,)))
    return Pipeline(Nest(MODULE, tuple(uses)), tuple(errors))


def unnested(text: str, find: Find = find) -> Pipeline | None:
    """A pipeline from its text, whose passes need not stand where they can run; None if anything else is wrong."""
    read = _Reader(text, find, strict=False).pipeline()
    return read if not read.errors else None


def _as_needed(named: PassPipeline, find: Find, errors: list[str], anchor: str = MODULE) -> AsNeeded:
    """The passes of a pipeline on `anchor`, each with the options that the pipeline was given and that it knows."""
    read = _Reader(f"{anchor}({','.join(named.passes)})", find).pipeline()
    errors += read.errors
    given = named.given()

    def configured(items: tuple[Item, ...]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, Pass):
                known = item.options()
                yield replace(
                    item, **{each.field: value for each, value in given if each.name in {o.name for o in known}}
                )
            else:
                yield replace(item, items=tuple(configured(item.items)))

    return AsNeeded(named, tuple(configured(read.root.items)))


def runs_on(found: type[Pass], anchor: str) -> bool:
    """Whether a pass runs on the operation of a name."""
    if found.anchor in (ANY, anchor) or anchor == ANY:
        return True
    if found.anchor == FUNCTION:
        definition = default_context().lookup(anchor)
        return definition is not None and definition.interface(FunctionLike) is not None
    return found.anchor == MODULE and anchor in ROOT


class _Reader:
    """Reads the textual form; columns in messages count from the first character in the outermost parentheses. With
    `strict`, a pass must stand where it can run."""

    def __init__(self, text: str, find: Find, *, strict: bool = True) -> None:
        self.find = find
        self.strict = strict
        self.text = text.strip()
        self.errors: list[str] = []
        self.position = 0
        self.inner = ""

    def pipeline(self) -> Pipeline:
        anchor, bracket, inner = self.text.partition("(")
        anchor = anchor.strip()
        if not bracket or not inner.endswith(")") or not re.fullmatch(r"[\w.]+", anchor):
            return Pipeline(Nest(MODULE, ()), (UNKNOWN_PLACE + NOT_WRAPPED,))
        self.inner = inner[:-1]
        items = self.items(anchor, depth=0) if self.inner.strip() else ()
        return Pipeline(Nest(anchor, items), tuple(self.errors))

    def items(self, anchor: str, depth: int) -> tuple[Item, ...]:
        found: list[Item] = []
        while not self.errors:
            start = self.position
            while self.position < len(self.inner) and self.inner[self.position] not in ",(){":
                self.position += 1
            name = self.inner[start : self.position].strip()
            stop = self.inner[self.position : self.position + 1]
            if stop == "(":
                self.position += 1
                found.append(Nest(name, self.items(name, depth + 1)))
            else:
                use = self.use(name, start, anchor, braces=stop == "{")
                if use is not None:
                    found.append(use)
            if self.errors:
                break
            stop = self.inner[self.position : self.position + 1]
            self.position += 1
            if stop == ",":
                continue
            if stop == ")" and depth == 0:
                self.fail(
                    self.position - 1,
                    "encountered extra closing ')' creating unbalanced parentheses while parsing pipeline",
                )
            elif stop == "" and depth:
                self.fail(len(self.inner), "encountered unbalanced parentheses while parsing pipeline")
            elif stop not in ("", ")"):
                self.fail(self.position - 1, "expected ',' after parsing pipeline")
            break
        return tuple(found)

    def use(self, name: str, start: int, anchor: str, *, braces: bool) -> Pass | AsNeeded | None:
        text = ""
        if braces:
            end = self.closing_brace()
            if end is None:
                self.fail(self.position, "missing closing '}' while processing pass options")
                return None
            text = self.inner[self.position + 1 : end]
            self.position = end + 1
        found = self.find(name) or find_pipeline(name)
        if found is None:
            self.fail(start, f"'{name}' does not refer to a registered pass or pass pipeline")
            return None
        if self.strict and issubclass(found, Pass) and not runs_on(found, anchor):
            where = f"'{found.anchor}'" if found.anchor != FUNCTION else "operations that are functions"
            self.errors.append(
                f"{UNKNOWN_PLACE}Can't add pass '{found.__name__}' restricted to {where} on a PassManager "
                f"intended to run on '{anchor}', did you intend to nest?\n"
                f"failed to add `{name}` with options `{text}`\n"
                f"failed to add `{anchor}` with options `` to inner pipeline"
            )
            return None
        use = found.read(text)
        if isinstance(use, str):
            self.errors.append(f"{use}\nfailed to add `{name}` with options `{text}`")
            return None
        return _as_needed(use, self.find, self.errors, anchor) if isinstance(use, PassPipeline) else use

    def closing_brace(self) -> int | None:
        depth = 0
        for index in range(self.position, len(self.inner)):
            depth += (self.inner[index] == "{") - (self.inner[index] == "}")
            if depth == 0:
                return index
        return None

    def fail(self, offset: int, message: str) -> None:
        head = f"{UNKNOWN_PLACE}MLIR Textual PassPipeline Parser:1:{offset + 1}: error: "
        self.errors.append(f"{head}{message}\n{self.inner}\n{' ' * offset}^\n")
