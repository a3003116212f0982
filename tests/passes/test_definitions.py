"""What a pass declares, and what derives from it: discovery, options, dumps, documentation, suggestions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fathom.context import Context, default_context
from fathom.diagnostics import Diagnostic
from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.passes import all_passes, find, names
from fathom.passes.definition import Pass
from fathom.passes.documentation import markdown
from fathom.passes.mlir import LOWERED_BY, NAMES, OWN
from fathom.passes.options import BOOL, INT, LONG, STRING, UINT, list_of, one_of, option
from fathom.passes.suggestions import nearest, not_here
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.records import record
from tests.oracles import run_tool
from tests.passes.goldens import PAGE

ROOT = Path(__file__).resolve().parents[2]


@record
class Sampler(Pass):
    """A pass with an option of each kind."""

    name = "sample"
    summary = "Takes options"

    flag: bool = option(False, "A flag", BOOL)
    count: int = option(1, "A count", INT)
    size: int = option(0, "A size", UINT)
    limit: int = option(-1, "A limit", LONG)
    label: str = option("", "A label", STRING)
    level: str = option("low", "A level", one_of({"low": "little", "high": "much"}))
    only: tuple[str, ...] = option((), "Some labels", list_of(STRING))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        return [Diagnostic(f"sampled {self.label} {op.name}", op.span, severity="warning")]


def check_options(text: str, **expected: object) -> None:
    """`text` gives these options their values, and leaves the others at their defaults."""
    assert Sampler.read(text) == Sampler(**expected)  # type: ignore[arg-type]


def check_mistake(text: str, message: str) -> None:
    assert Sampler.read(text) == message


def check_dump(*flags: str) -> None:
    """`--dump-pass-pipeline` prints what mlir-opt prints, before it refuses passes on functions in a module's place."""
    answer = run_tool("mlir-opt", [*flags, "--dump-pass-pipeline"], "")
    dump, _, _ = answer.stderr.partition("\n)\n")
    dump += "\n)\n"
    assert parse_pipeline(list(flags)).dump().strip() == dump.strip()


def test_options_of_each_kind() -> None:
    check_options("")
    check_options("flag", flag=True)
    check_options("flag=0 count=-7 size=0x10 limit=010", flag=False, count=-7, size=16, limit=8)
    check_options("label='two words' level=high", label="two words", level="high")
    check_options("only=a,{b c},d count={3}", only=("a", "b c", "d"), count=3)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("flag=yes", "for the --flag option: 'yes' is invalid value for boolean argument! Try 0 or 1"),
        ("count=1.5", "for the --count option: '1.5' value invalid for integer argument!"),
        ("size=-1", "for the --size option: '-1' value invalid for uint argument!"),
        ("limit=x", "for the --limit option: 'x' value invalid for long argument!"),
        ("level=middle", "for the --level option: Cannot find option named 'middle'!"),
    ],
)
def test_a_value_that_does_not_fit(text: str, problem: str) -> None:
    check_mistake(text, f"fathom: {problem}\n<unknown>:0: error: ")


def test_an_option_that_does_not_exist() -> None:
    check_mistake("flag other=1", "<unknown>:0: error: <Pass-Options-Parser>: no such option other\n")


def test_a_pass_is_written_with_the_options_that_were_given() -> None:
    assert str(Sampler()) == "sample"
    assert str(Sampler(flag=True, only=("a", "b c"))) == "sample{flag=true only={a,{b c}}}"
    assert Sampler.read("flag=true only={a,{b c}}") == Sampler(flag=True, only=("a", "b c"))


def test_a_pass_of_a_context_runs_in_pipelines() -> None:
    context = default_context().with_passes(Sampler)
    pipeline = parse_pipeline("builtin.module(sample{label=it})", context.find_pass)
    assert pipeline.errors == ()
    result = run(pipeline, load("", context).module, context)
    assert [diagnostic.message for diagnostic in result.diagnostics] == ["sampled it builtin.module"]
    assert parse_pipeline("builtin.module(sample)").errors


def test_dumps_of_pipelines_are_mlir_opt_s() -> None:
    check_dump("--convert-scf-to-cf", "--convert-arith-to-llvm=index-bitwidth=32", "--reconcile-unrealized-casts")
    check_dump(*(f"--{name}" for name in names() if name not in OWN))


def test_a_dump_of_nested_passes_is_mlir_opt_s() -> None:
    text = "builtin.module(func.func(convert-scf-to-cf,convert-arith-to-llvm),any(convert-scf-to-cf))"
    answer = run_tool("mlir-opt", [f"--pass-pipeline={text}", "--dump-pass-pipeline"], "")
    assert parse_pipeline(text).dump().strip() == answer.stderr.strip()


def test_every_module_has_the_pass_of_its_name() -> None:
    assert [pass_.name for pass_ in all_passes()] == list(names())
    for pass_ in all_passes():
        assert pass_.summary
        assert pass_.__doc__
        assert pass_.name in NAMES | OWN
    assert not NAMES & OWN


def listed(output: str) -> dict[str, list[str]]:
    """For each pass in mlir-opt's help: the names of its options, with what they take, and of their values."""
    options_by_pass: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in output.splitlines():
        match = re.match(r"      --([\w-]+)\S*\s+-   (.*)", line)
        if match is not None:
            lines = options_by_pass[match[1]] = []
        elif (match := re.match(r"\s+(--\S+|=\S+)( +-|$)", line)) is not None:
            lines.append(match[1])
        elif (match := re.match(r"\s+-(\w) (<\w+>)", line)) is not None:
            lines.append(f"--{match[1]}={match[2]}")
        else:
            lines = []
    return options_by_pass


def test_options_and_their_values_are_those_of_mlir_opt() -> None:
    oracle = listed(run_tool("mlir-opt", ["--help"], "").stdout)
    for class_ in (pass_ for pass_ in all_passes() if pass_.name not in OWN):
        lines: list[str] = []
        for declared in class_.options():
            lines.append(f"--{declared.name}=<{declared.kind.word}>" if declared.kind.word else f"--{declared.name}")
            lines += [f"={case}" for case, _ in declared.kind.cases]
        assert lines == oracle[class_.name]


def test_names_are_known_without_importing_the_passes() -> None:
    code = "import sys, fathom.passes as p; p.names(); print([m for m in sys.modules if 'convert_' in m])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_a_name_that_no_pass_has() -> None:
    assert find("no-such-pass") is None
    assert find("__init__") is None


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("convert-cf-to-llmv", "convert-cf-to-llvm"),
        ("scf-to-cf", "convert-scf-to-cf"),
        ("convert-scf-to-controlflow", "convert-scf-to-cf"),
        ("lower-memref", "finalize-memref-to-llvm"),
        ("convert-memref-to-llvm", "finalize-memref-to-llvm"),
        ("convert-std-to-llvm", "convert-func-to-llvm"),
        ("reconcile-casts", "reconcile-unrealized-casts"),
        ("lower-to-lvm", "lower-to-llvm"),
        ("frobnicate", None),
    ],
)
def test_the_pass_that_was_meant(given: str, meant: str | None) -> None:
    assert nearest(given) == meant


def test_a_pass_that_only_mlir_has() -> None:
    assert not_here("sparse-assembler") == "'sparse-assembler' is a pass of MLIR that Fathom does not have yet"
    assert not_here("convert-cf-to-llvm") is None
    assert not_here("frobnicate") is None


def test_advice_names_passes_that_there_are() -> None:
    removed = {dialect for pass_ in all_passes() for dialect in pass_.removes}
    assert removed >= {"arith", "cf", "func", "memref", "scf"}
    assert set(LOWERED_BY.values()) <= NAMES


def test_the_page_of_passes_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(), "run `make goldens`"


def test_the_recipe_for_a_new_pass_is_a_pass() -> None:
    module = "lowering/fathom/passes/transforms/symbol_privatize.py"
    recipe = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    assert f"`{module}`:\n\n```python\n{(ROOT / module).read_text(encoding='utf-8')}```\n" in recipe
    assert "symbol-privatize" in names()


def test_a_module_in_the_folder_is_a_pass_everywhere(tmp_path: Path) -> None:
    """In a process of its own, whose folder of passes has one module more."""
    (tmp_path / "say_hello.py").write_text(HELLO, encoding="utf-8")
    code = (
        f"import sys, fathom.passes.transforms as t; t.__path__.append({str(tmp_path)!r}); import fathom.cli as cli; "
        "sys.exit(cli.main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr))"
    )

    def fathom(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, "opt", *arguments], input="", capture_output=True, text=True, check=False
        )

    assert "--say-hello" in fathom("--help").stdout
    assert "warning: hello, world" in fathom("--say-hello=whom=world").stderr
    assert "warning: hello, all" in fathom("--pass-pipeline=builtin.module(say-hello)").stderr
    assert "say-hello{whom=you}" in fathom("--say-hello=whom=you", "--dump-pass-pipeline").stderr
    assert "Did you mean '--say-hello'?" in fathom("--say-helo").stderr


HELLO = '''
from fathom.records import record
from fathom.diagnostics import Diagnostic
from fathom.passes.definition import Pass
from fathom.passes.options import STRING, option

@record
class SayHello(Pass):
    """Greets."""
    name = "say-hello"
    summary = "Say hello"
    whom: str = option("all", "Who is greeted", STRING)

    def run(self, op, context):
        return [Diagnostic(f"hello, {self.whom}", op.span, severity="warning")]
'''
