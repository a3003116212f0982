"""MLIR in notebooks: `%load_ext fathom.jupyter`, and cells that begin with `%%mlir`.

    %%mlir                          its functions are functions of Python from then on
    %%mlir NAME -O 3                the module is NAME, and its functions are NAME's
    %%mlir --show llvm              and shows LLVM IR; or `assembly`, `stages`, or what is after a pass, by its name
    %%mlir --run "f(1, 2)"          and shows what an expression of Python gives, which may call its functions

What is wrong with a cell is shown with its lines, and ends the cell.
"""

from __future__ import annotations

import argparse
import html
import shlex
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol

from IPython.core.error import UsageError
from IPython.display import display  # pyright: ignore[reportUnknownVariableType]

from fathom.library import compile as compile_text
from fathom.messages.source import Source
from fathom.programs.errors import CompileError, rendered
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fathom.diagnostics import Diagnostic
    from fathom.programs.modules import Module

_COLORS: Final = {"error": "#c62828", "warning": "#a15c00", "remark": "#1565c0", "note": "#546e7a"}
_TEXTS: Final = ("llvm", "assembly", "stages")


class Shell(Protocol):
    """What is asked of IPython."""

    user_ns: dict[str, Any]

    def register_magic_function(self, func: Callable[..., Any], magic_kind: str, magic_name: str) -> None: ...

    def ev(self, expr: str) -> Any: ...


@record
class Diagnostics:
    """Diagnostics for a notebook: with the lines of their text, in colours where there is HTML."""

    items: tuple[Diagnostic, ...]
    source: Source

    def __repr__(self) -> str:
        return rendered(self.items, self.source)

    def _repr_html_(self) -> str:
        return "".join(self._one(item) for item in self.items)

    def _one(self, item: Diagnostic) -> str:
        severity = item.severity
        color = _COLORS.get(severity, _COLORS["note"])
        head, _, rest = rendered([item], self.source).partition("\n")
        place, found, text = head.partition(f" {severity}: ")
        shown = f"<span style='opacity:.6'>{html.escape(place)}</span> <b style='color:{color}'>{severity}:</b> "
        first = f"{shown}<b>{html.escape(text)}</b>" if found else html.escape(head)
        style = f"border-left:3px solid {color};padding-left:.8em;margin:.3em 0;white-space:pre-wrap"
        return f"<pre style='{style}'>{first}\n{html.escape(rest)}</pre>"


@record
class Text:
    """A text of a module for a notebook, under a title that folds it."""

    title: str
    text: str
    is_open: bool = True

    def __repr__(self) -> str:
        return f"// {self.title}\n{self.text}"

    def _repr_html_(self) -> str:
        state = " open" if self.is_open else ""
        body = f"<pre style='line-height:1.25'>{html.escape(self.text)}</pre>"
        return f"<details{state}><summary><code>{html.escape(self.title)}</code></summary>{body}</details>"


class NotCompiled(Exception):
    """The end of a cell whose text does not compile; what is wrong with it has been shown."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def load_ipython_extension(shell: Shell) -> None:
    """`%load_ext fathom.jupyter`: cells may begin with `%%mlir` from then on."""

    def mlir(line: str, cell: str) -> Any:
        return run_cell(shell, line, cell)

    mlir.__doc__ = _parser().format_help()
    shell.register_magic_function(mlir, magic_kind="cell", magic_name="mlir")


def run_cell(shell: Shell, line: str, cell: str) -> Any:
    """Compiles a cell, and does what its first line says; the value of what it runs. Raises NotCompiled."""
    try:
        asked = _parser().parse_args(shlex.split(line))
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    try:
        module = compile_text(
            f"{cell}\n",
            optimize=asked.O,
            pipeline=asked.pipeline,
            dialects=asked.dialect,
            isolated=not asked.here,
            timeout=asked.timeout,
        )
    except CompileError as error:
        _refuse(error)
    if module.diagnostics:
        display(Diagnostics(module.diagnostics, _cell(module.source)))
    shell.user_ns.update(_names(module, asked.name))
    for text in _shown(module, asked.show):
        display(text)
    return shell.ev(asked.run) if asked.run else None


def _refuse(error: CompileError) -> NoReturn:
    display(Diagnostics(error.diagnostics, _cell(error.source)))
    count = sum(problem.severity == "error" for problem in error.diagnostics)
    raise NotCompiled(f"the cell does not compile: {count} error{'s' if count != 1 else ''}") from None


def _cell(source: Source) -> Source:
    """The text under the name that messages give it."""
    return Source("<cell>", source.text)


def _names(module: Module, name: str | None) -> dict[str, Any]:
    """The variables that a cell makes."""
    if name is not None:
        return {name: module}
    return {path: module[path] for path in module if path.isidentifier()}


def _shown(module: Module, wanted: Iterable[str]) -> Iterable[Text]:
    """The texts of a module that are asked for. Raises UsageError for a stage that there is not."""
    for name in wanted:
        if name == "llvm":
            yield Text("LLVM IR", module.llvm_ir)
        elif name == "assembly":
            yield Text("assembly", module.assembly)
        else:
            stages = [stage for stage in module.stages if name in ("stages", stage.name)]
            if not stages:
                there = ", ".join((*_TEXTS, *(stage.name for stage in module.stages)))
                raise UsageError(f"there is no stage '{name}' to show; there are: {there}")
            yield from (Text(stage.name, stage.text, is_open=name != "stages") for stage in stages)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end the cell."""
        raise UsageError(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="%%mlir", description="Compiles the functions of a cell.", add_help=False)
    parser.add_argument("name", nargs="?", help="a variable for the module; without it, its functions are variables")
    parser.add_argument("-O", type=int, default=2, choices=range(4), help="the level of optimisation")
    parser.add_argument("--pipeline", default="", help="how it gets to the LLVM dialect; lower-to-llvm by default")
    parser.add_argument(
        "--dialect", action="append", default=[], metavar="FILE", help="describes a dialect of one's own"
    )
    parser.add_argument("--show", action="append", default=[], help="llvm, assembly, stages, or a pass, by its name")
    parser.add_argument("--run", default="", metavar="EXPRESSION", help="what to evaluate then, such as 'f(1, x)'")
    parser.add_argument("--here", action="store_true", help="run in the notebook's process, not in one of its own")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="how long a call may take")
    return parser
