"""What the passes say of themselves, as people read it: in `fathom opt --help`, and in `docs/passes.md`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from fathom.passes import all_passes, all_pipelines
from fathom.passes.definition import ANY, FUNCTION, Declared, Pass, PassPipeline
from fathom.passes.options import Option

COLUMN: Final = 44
"""Where the summaries begin."""


def options_help(own: Mapping[str, type[Declared]] = MappingProxyType({})) -> str:
    """Each pass and each pipeline with its options, a line each, as mlir-opt lists them. Those of one's `own` dialects
    stand among the library's."""
    passes = {pass_.name: pass_ for pass_ in all_passes()}
    passes |= {name: class_ for name, class_ in own.items() if issubclass(class_, Pass)}
    listed = [passes[name] for name in sorted(passes)]
    return "\n".join([*_lines(listed), "", "pipelines:", *_lines(all_pipelines())])


def _lines(declared: Iterable[type[Declared]]) -> list[str]:
    lines: list[str] = []
    for class_ in declared:
        lines.append(f"  {'--' + class_.name:<{COLUMN - 2}}{class_.summary}")
        for option in class_.options():
            lines.append(f"    {_flag(option):<{COLUMN - 4}}  {option.help}{_default(option)}")
            lines += [f"      {'=' + case:<{COLUMN - 4}}  {help}" for case, help in option.kind.cases]
    return lines


def _flag(option: Option) -> str:
    return f"--{option.name}" + (f"=<{option.kind.word}>" if option.kind.word else "")


def _default(option: Option) -> str:
    return "" if option.kind.many else f" ({option.kind.write(option.default)})"


def _entry(pipeline: type[PassPipeline], name: str) -> str:
    """A pass of a pipeline; of one that has a name there only, the name of the pass and when it runs."""
    own = pipeline.own.get(name)
    return f"`{name}`" if own is None else " ".join(inspect.cleandoc(own.__doc__ or "").split()).removesuffix(".")


def markdown() -> str:
    """The text of `docs/passes.md`."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    yield "# Passes"
    yield ""
    yield "What each pass says of itself in its class (`lowering/fathom/passes`); `make goldens` writes this page."
    yield "Names, options and results are those of mlir-opt 22."
    for pass_ in all_passes():
        yield ""
        yield f"## `{pass_.name}`"
        yield ""
        yield f"{pass_.summary.removesuffix('.')}. Runs on {_anchor(pass_)}; a dump calls it `{pass_.__name__}`."
        yield ""
        yield inspect.cleandoc(pass_.__doc__ or "")
        if pass_.removes:
            yield ""
            yield f"It removes {', '.join(f'`{dialect}`' for dialect in pass_.removes)}."
        if pass_.elsewhere:
            yield ""
            yield "| what it leaves | what rewrites that |"
            yield "|---|---|"
            yield from (f"| `{name}` | {what} |" for name, what in pass_.elsewhere.items())
        yield from _options(pass_)
    yield ""
    yield "# Pipelines"
    for pipeline in all_pipelines():
        yield ""
        yield f"## `{pipeline.name}`"
        yield ""
        yield f"{pipeline.summary.removesuffix('.')}."
        yield ""
        yield inspect.cleandoc(pipeline.__doc__ or "")
        yield ""
        yield from (f"{number}. {_entry(pipeline, name)}" for number, name in enumerate(pipeline.passes, 1))
        yield from _options(pipeline)
    yield ""


def _options(declared: type[Declared]) -> Iterator[str]:
    if declared.options():
        yield ""
        yield "| option | values | default | |"
        yield "|---|---|---|---|"
        yield from (_row(option) for option in declared.options())


def _anchor(class_: type[Pass]) -> str:
    return {ANY: "any operation", FUNCTION: "functions"}.get(class_.anchor, f"`{class_.anchor}`")


def _row(option: Option) -> str:
    values = ", ".join(f"`{case}`" for case, _ in option.kind.cases) or option.kind.word or "true or false"
    values += ", separated by commas" if option.kind.many else ""
    default = f"`{option.kind.write(option.default)}`" if not option.kind.many else "none"
    return f"| `{option.name}` | {values} | {default} | {option.help} |"
