"""`fathom graph`, held against goldens, against LLVM's own picture of control flow, and against hostile input."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from fathom.context import default_context
from fathom.graphs.graph import Limits
from fathom.graphs.making import OF_FUNCTION, of_function
from fathom.graphs.printed import Printed
from fathom.inputs.loading import Loading
from fathom.inputs.splitting import Chunk
from fathom.programs.functions import find_function
from tests.cli.running import fathom
from tests.graphs.goldens import ASKED, FOLDER, made
from tests.oracles import require_tool

EXAMPLES: Final = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.mlir"))
NODE: Final = re.compile(r'^\t(Node\w+) \[.*label="\{(.*?):\\l')
EDGE: Final = re.compile(r"^\t(Node\w+)(?::s(\d+))? -> (Node\w+);")


@pytest.mark.parametrize("name", ASKED)
def test_goldens(name: str) -> None:
    assert made(name) == (FOLDER / name).read_text(encoding="utf-8")


def graph_of(file: Path, *words: str) -> dict[str, Any]:
    status, stdout, stderr = fathom("graph", str(file), "--format=json", *words)
    assert (status, stderr) == (0, "")
    return json.loads(stdout)


def functions_of(file: Path) -> list[str]:
    calls = graph_of(file, "--kind=calls")
    return [node["title"][1:] for node in calls["nodes"] if node["kind"] == "function" and "::" not in node["title"]]


def drawn_by_llvm(text: str, folder: Path) -> dict[str, list[tuple[str, int, str]]]:
    """The edges of each function by the labels of blocks, as LLVM draws them, each with its number among those of its
    block."""
    opt = require_tool("opt")
    subprocess.run(
        [opt, "-passes=dot-cfg", "-disable-output", "-"],
        input=text,
        cwd=folder,
        text=True,
        check=True,
        capture_output=True,
        timeout=120,
    )
    drawn: dict[str, list[tuple[str, int, str]]] = {}
    for file in folder.glob(".*.dot"):
        lines = file.read_text(encoding="utf-8").splitlines()
        nodes = {found[1]: found[2] for line in lines if (found := NODE.match(line))}
        edges = [found for line in lines if (found := EDGE.match(line))]
        drawn[file.name[1:-4]] = sorted((nodes[edge[1]], int(edge[2] or 0), nodes[edge[3]]) for edge in edges)
    return drawn


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_control_flow_in_llvm_ir_is_what_llvm_draws(file: Path, tmp_path: Path) -> None:
    require_tool("opt")
    for name in functions_of(file):
        graph = graph_of(file, "--stage=llvm-ir", f"--function={name}")
        _, lowered, _ = fathom("opt", "--lower-to-llvm", str(file))
        _, text, _ = fathom("translate", "--mlir-to-llvmir", text=lowered)
        titles = [node["title"].removeprefix("%") for node in graph["nodes"]]
        numbers: dict[int, int] = {}
        ours: list[tuple[str, int, str]] = []
        for edge in graph["edges"]:
            number = numbers[edge["start"]] = numbers.get(edge["start"], -1) + 1
            ours.append((titles[edge["start"]], number, titles[edge["end"]]))
        theirs = drawn_by_llvm(text, tmp_path)[name]
        first = next((start for start, _, _ in theirs if start not in titles), "entry")
        assert sorted((start.replace("entry", first), number, end) for start, number, end in ours) == theirs


def test_places_are_those_of_the_blocks() -> None:
    lines = (FOLDER / "branches.mlir").read_text(encoding="utf-8").splitlines()
    graph = graph_of(FOLDER / "branches.mlir")
    first = [lines[node["source"]["line"] - 1].strip() for node in graph["nodes"]]
    assert first == [
        "%zero = arith.constant 0 : i32",
        "%done = arith.cmpi sge, %i, %n : i32",
        "cf.switch %n : i32, [",
        "cf.br ^end(%n : i32)",
        "return %r : i32",
    ]


def drawn(text: str, kind: str, limits: Limits = Limits()) -> Any:  # noqa: B008 - a value
    loaded, _ = Loading(allow_unregistered=True).told(Chunk(text, 0))
    function = find_function(loaded.module, "f")
    assert function is not None
    return of_function(kind, function, Printed.of(loaded.module), "f", limits, default_context())


def blocks(count: int) -> str:
    """A function of many blocks, each of which goes to the next one or to the first."""
    body = "".join(f"  cf.cond_br %c, ^b{n}, ^b1\n^b{n}:\n" for n in range(1, count))
    return f"func.func @f(%c: i1) {{\n{body}  return\n}}\n"


def test_what_is_too_much_is_left_out_and_said() -> None:
    graph = drawn(blocks(30), "cfg", Limits(nodes=10, edges=12))
    assert (len(graph.nodes), len(graph.edges)) == (10, 12)
    assert graph.omitted == "20 nodes are left out: at most 10 are drawn; 7 edges are left out: at most 12 are drawn"
    assert all(node.is_reachable for node in graph.nodes), "what leads to it may have been left out"


@pytest.mark.parametrize("kind", OF_FUNCTION)
def test_nesting_of_any_depth_is_drawn(kind: str) -> None:
    deep = 60
    text = "func.func @f(%a: index) {\n" + "scf.for %i = %a to %a step %a {\n" * deep + "}\n" * deep + "return\n}\n"
    graph = drawn(text, kind)
    assert sum(node.kind == "loop" for node in graph.nodes) == deep


def test_names_mean_themselves_in_the_language_of_graphviz(tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text('func.func @"a\\22];x->y[\\5C\\0A\\1B<b>"() {\n  return\n}\n', encoding="utf-8")
    status, stdout, _ = fathom("graph", str(file))
    assert status == 0
    assert stdout.splitlines()[0] == r"""digraph "cfg @\"a\\22];x->y[\\\\\\0A\\1B<b>\"" {"""


def check_refused(file: Path, words: tuple[str, ...], message: str) -> None:
    assert fathom("graph", str(file), *words) == (1, "", message)


def test_mistakes_are_told(tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text("func.func @f() {\n  return\n}\n", encoding="utf-8")
    check_refused(
        file,
        ("--stage=nowhere", "--convert-arith-to-llvm", "--convert-func-to-llvm"),
        "fathom graph: there is no stage 'nowhere'; there are: source, convert-arith-to-llvm, llvm-dialect, llvm-ir\n",
    )
    check_refused(file, ("--function=g",), f"{file}: error: no function '@g' with a body; there are: @f\n")
    check_refused(file, ("--stage=llvm-ir", "--kind=loops"), "fathom graph: of LLVM IR there are: cfg, calls\n")
    file.write_text("func.func @f() {\n  %0 = arith.addi %x, %x : i32\n  return\n}\n", encoding="utf-8")
    status, stdout, stderr = fathom("graph", str(file))
    assert (status, stdout) == (1, "")
    assert stderr.startswith(f"{file}:2:19: error: use of undeclared SSA value name")
