"""Nothing is left out of LLVM IR without a word: what mlir-translate leaves out too is a list, held against it; what it
says and the translation does not is told; and what an emitter is said to say, it reads."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.dialects.llvm.attributes import cases
from fathom.elaborate import load
from fathom.ir.attributes import Attribute
from fathom.translation import translate
from fathom.translation.attachments import ACCESS
from fathom.translation.definitions import ALL_EMITTERS
from fathom.translation.unsaid import IGNORED, SAID_BY_OTHERS
from tests.oracles import mlir_translate
from tests.translation.goldens import SOURCES
from tests.translation.leaving_out import TRIED, program, said_by_mlir

LEFT_OUT = "plain, gpu.something, llvm.something = 1 : i32, acc.something, test.something, ptr.something"
SAID = {"nvvm", "rocdl", "xevm"}
"""The dialects whose attributes are said, as `mlir-translate` says them."""
OF_ARGUMENTS = "llvm.something, gpu.something, rocdl.something, test.something"


def test_what_mlir_leaves_out_is_left_out() -> None:
    bare = mlir_translate(program())
    held = (
        program(
            NAME="@named",
            MODULE=" attributes {gpu.container_module, llvm.something, test.something}",
            ARGUMENT=OF_ARGUMENTS,
            FUNCTION=f'attributes {{sym_visibility = "private", {LEFT_OUT}, llvm.emit_c_interface}}',
            DATA="@g",
        )
        .replace("(1 : i32) {}", f"(1 : i32) {{{LEFT_OUT}}}")
        .replace("%p {}", f"%p {{{LEFT_OUT}}}")
    )
    assert mlir_translate(held) == bare
    made = translate(load(held).module)
    assert (made.all_told, made.text) == ([], bare)
    # Each operation of the list is in the program, constructors for destructors.
    assert all(name.removeprefix("builtin.").replace("dtors", "ctors") in held for name in IGNORED)


def test_whose_attributes_mlir_says() -> None:
    assert said_by_mlir() == SAID_BY_OTHERS | SAID


@pytest.mark.parametrize("dialect", sorted(SAID))
def test_what_attributes_of_other_dialects_are(dialect: str) -> None:
    made = translate(load(TRIED[dialect]).module)
    assert (made.all_told, made.text) == ([], mlir_translate(TRIED[dialect]))


@pytest.mark.parametrize("dialect", sorted(SAID_BY_OTHERS))
def test_what_mlir_says_of_other_dialects_is_told(dialect: str) -> None:
    (told,) = translate(load(TRIED[dialect]).module).unsaid
    assert (told.severity, told.code) == ("error", "not-carried")
    assert told.message.endswith("which the translation to LLVM IR does not carry")


PAGES = Path(__file__).parents[2] / "docs" / "errors"


@pytest.mark.parametrize("code", ["not-carried", "llvm"])
def test_the_page_says_what_the_command_says(code: str) -> None:
    page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    text = page.partition("```mlir\n")[2].partition("```")[0]
    message = page.partition("\n> error: ")[2].strip()
    stdout, stderr = io.StringIO(), io.StringIO()
    assert main(["translate"], io.StringIO(text), stdout, stderr) == 1
    (line,) = [line for line in stderr.getvalue().splitlines() if " error: " in line]
    assert line.partition(" error: ")[2] == message


@pytest.mark.parametrize(
    ("kind", "number", "said"),
    [
        ("memory", 85, "memory(read, target_mem0: none, target_mem1: none)"),
        ("memory", 21, "memory(argmem: read, inaccessiblemem: read, errnomem: read)"),
        ("allockind", 9, 'allockind("alloc,uninitialized")'),
        ("vscale_range", (1 << 32) + 2, "vscale_range(1,2)"),
        ("uwtable", 3, "uwtable(sync)"),
        ("uwtable", 2, "uwtable"),
    ],
)
def test_a_number_stands_for_what_it_does_in_llvm(kind: str, number: int, said: str) -> None:
    text = f'llvm.func @f() attributes {{passthrough = [["{kind}", "{number}"]]}}\n'
    made = translate(load(text).module)
    assert made.text == mlir_translate(text)
    assert f"attributes #0 = {{ {said} }}" in made.text


def test_what_would_mean_something_else_is_refused() -> None:
    text = 'llvm.func @f() attributes {passthrough = [["captures", "5"]]}\n'
    made = translate(load(text).module)
    assert ([diagnostic.severity for diagnostic in made.as_warnings], made.unsaid) == (["error"], [])


def test_a_run_goes_on_without_hints_and_says_so(tmp_path: Path) -> None:
    source = tmp_path / "hinted.mlir"
    source.write_text(
        "llvm.func @main() -> i32 attributes {omp.declare_target = 1 : i32} {\n"
        "  %0 = llvm.mlir.constant(7 : i32) : i32\n  llvm.return %0 : i32\n}\n"
    )
    stdout, stderr = io.StringIO(), io.StringIO()
    assert main(["run", str(source)], io.StringIO(), stdout, stderr) == 0
    assert stdout.getvalue() == "7\n"
    assert "warning: 'llvm.func' op has 'omp.declare_target', which the translation to LLVM IR does not carry" in (
        stderr.getvalue()
    )


def test_calling_conventions() -> None:
    text = "".join(f"llvm.func {name} @{name}()\n" for name in cases("CConv"))
    assert translate(load(text).module).text == mlir_translate(text)


class Noted(dict[str, Attribute]):
    """Properties that note what is read of them."""

    def __init__(self, properties: dict[str, Attribute], note: Callable[[str], None]) -> None:
        super().__init__(properties)
        self.note = note

    def get(self, key: str, default: object = None) -> object:  # type: ignore[override]
        self.note(key)
        return super().get(key, default)  # type: ignore[arg-type]

    def __getitem__(self, key: str) -> Attribute:
        self.note(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.note(str(key))
        return super().__contains__(key)

    def items(self) -> Iterator[tuple[str, Attribute]]:  # type: ignore[override]
        for key, value in super().items():
            self.note(key)
            yield key, value


def test_what_an_emitter_says_it_reads() -> None:
    read: set[tuple[str, str]] = set()
    there: set[tuple[str, str]] = set()
    for source in SOURCES:
        module = load(source.read_text(encoding="utf-8")).module
        for op in module.walk():
            emitter = ALL_EMITTERS.get(op.name)
            if emitter is not None:
                there |= {(op.name, name) for name in emitter.says.intersection(op.properties) - ACCESS}
                name = op.name
                op.properties = Noted(op.properties, lambda key, name=name: read.add((name, key)))
        translate(module)
    # What frexp gives is no float, so LLVM has no flags for it; sizes are read where there is something of a size.
    there.discard(("llvm.intr.frexp", "fastmathFlags"))
    assert {prop for prop in there - read if not prop[1].endswith("SegmentSizes")} == set()
