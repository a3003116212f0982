"""MLIR in notebooks: the notebook of the examples, executed by real Jupyter, and what `%%mlir` shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import nbformat
import pytest
from IPython.core.error import UsageError
from nbclient import NotebookClient

from fathom import jupyter

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "library.ipynb"
ADD = "func.func @add(%a: i32, %b: i32) -> i32 { %0 = arith.addi %a, %b : i32  return %0 : i32 }"


class Shell:
    """IPython, as far as it is asked."""

    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {}
        self.magics: dict[str, Callable[..., Any]] = {}

    def register_magic_function(self, func: Callable[..., Any], magic_kind: str, magic_name: str) -> None:
        self.magics[f"{magic_kind} {magic_name}"] = func

    def ev(self, expr: str) -> Any:
        return eval(expr, self.user_ns)


def outputs_of(notebook: Any) -> list[list[str]]:
    """What each cell gave, as text."""
    return [_texts(cell) for cell in notebook.cells if cell.cell_type == "code"]


def _texts(cell: Any) -> list[str]:
    """What a cell gave. What it wrote to one stream comes in as many pieces as chance has it."""
    texts: list[str] = []
    stream = ""
    for output in cell.outputs:
        data = output.get("data", {})
        text = output.get("text") or data.get("text/plain") or "\n".join(output.get("traceback", []))
        if stream and output.get("name") == stream:
            texts[-1] += text
        else:
            texts.append(text)
        stream = output.get("name", "")
    return texts


def shown_by(line: str, cell: str, shell: Shell) -> tuple[object, list[str]]:
    """What a cell gives, or raises, and the HTML that it shows before."""
    shown: list[str] = []

    def show(item: Any) -> None:
        shown.append(item._repr_html_())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jupyter, "display", show)
        try:
            return jupyter.run_cell(shell, line, cell), shown
        except jupyter.NotCompiled as problem:
            return str(problem), shown


def check_cell(line: str, cell: str, *, gives: object = None, shows: tuple[str, ...] = ()) -> Shell:
    """What a cell gives, and what is in the HTML that it shows, in that order."""
    shell = Shell()
    given, shown = shown_by(line, cell, shell)
    assert given == gives
    assert len(shown) == len(shows), shown
    for html, expected in zip(shown, shows, strict=True):
        assert expected in html
    return shell


def check_refused(line: str, says: str) -> None:
    """What is said of a first line that asks for what there is not."""
    with pytest.raises(UsageError, match=re.escape(says)):
        jupyter.run_cell(Shell(), line, ADD)


def test_the_notebook_gives_what_it_shows() -> None:
    notebook = cast(Any, nbformat).read(NOTEBOOK, as_version=4)
    expected = outputs_of(notebook)
    assert sum(map(len, expected)) >= 12
    client = cast(Any, NotebookClient)(notebook, timeout=600, resources={"metadata": {"path": str(NOTEBOOK.parent)}})
    client.execute()
    assert outputs_of(notebook) == expected


def test_functions_are_variables() -> None:
    shell = check_cell("", ADD)
    assert shell.user_ns["add"](40, 2) == 42
    shell = check_cell("sums --here -O 3", ADD)
    assert list(shell.user_ns) == ["sums"]
    assert not shell.user_ns["sums"].is_isolated


def test_what_is_run() -> None:
    check_cell("--run 'add(1, 2)'", ADD, gives=3)


def test_what_is_shown() -> None:
    check_cell(
        "--show llvm --show convert-func-to-llvm",
        ADD,
        shows=(
            "<details open><summary><code>LLVM IR</code></summary>",
            "<details open><summary><code>convert-func-to-llvm</code></summary>",
        ),
    )
    check_cell(
        "--show stages",
        "func.func @f() { return }",
        shows=("<details><summary><code>convert-func-to-llvm</code></summary>",),
    )


def test_a_mistake_is_shown_with_its_line() -> None:
    shell = check_cell(
        "",
        "func.func @f(%a: i32) -> i64 {\n  return %a : i32\n}",
        gives="the cell does not compile: 1 error",
        shows=(
            "<span style='opacity:.6'>&lt;cell&gt;:2:3:</span> <b style='color:#c62828'>error:</b> <b>type of return "
            "operand 0 (&#x27;i32&#x27;) doesn&#x27;t match function result type (&#x27;i64&#x27;) in function @f</b>\n"
            "  return %a : i32\n  ^</pre>",
        ),
    )
    assert shell.user_ns == {}


def test_refused_first_lines() -> None:
    check_refused("--show nothing", "there is no stage 'nothing' to show; there are: llvm, assembly, stages, ")
    check_refused("--nothing", "unrecognized arguments: --nothing")
    check_refused("-O 4", "argument -O: invalid choice: 4")
    check_refused("'", "No closing quotation")


def test_the_extension_registers_the_magic() -> None:
    shell = Shell()
    jupyter.load_ipython_extension(shell)
    assert list(shell.magics) == ["cell mlir"]
    assert "--show" in (shell.magics["cell mlir"].__doc__ or "")
    shell.magics["cell mlir"]("", ADD)
    assert shell.user_ns["add"](1, 1) == 2
