"""Where lines of optimised LLVM IR, assembly and object files come from, beside LLVM's tools, on functions of others.

`make hunt HUNT=code_lines`; `python -m tests.hunts.code_lines [--count 500] [--level 2] [--target x86-64] [--show 5]`

A piece is lowered, and its code is made and followed by Fathom. For the other side it is printed with the location of
each operation; `mlir-opt` makes debug information of these, `mlir-translate` LLVM IR, `opt` optimises and `llc` makes
assembly, or an object file, which `llvm-objdump` disassembles, and of which `llvm-symbolizer` tells the lines. What
they attach to an instruction, say in `.loc` or have in the line table is the line of the source that it must lead to.
"""

from __future__ import annotations

import argparse
import difflib
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from fathom.context import default_context
from fathom.elaborate import load
from fathom.llvm.codegen.asking import CodeMaker
from fathom.llvm.codegen.targets import TARGETS
from fathom.llvm.codegen.wanted import Form, Wanted, machine_of, optimization_of
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.pipeline.lowering import Lowering, run
from fathom.records import record
from fathom.text.lines import Lines
from fathom.translation.code import code_of, made_by
from fathom.verify import verify
from tests.cli.running import fathom
from tests.conformance.corpus import Piece, pieces
from tests.oracles import require_tool
from tests.suite.answers import split
from tests.suite.source import NoSource, mlir_source

SECONDS: Final = 60
_LOCATION: Final = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)", re.MULTILINE)
_DBG: Final = re.compile(r",? !dbg !(\d+)")
_NUMBER: Final = re.compile(r"!\d+")
_LABEL: Final = re.compile(r"(L[A-Za-z_]*)\d+")
_CODE: Final = re.compile(r"\s*[0-9a-f]+: ((?:[0-9a-f]{2,8} ?)+)\s*\t")
_COMMENT: Final = re.compile(r"\s+(?:##?|//|;)(?:\s.*)?$")


@record
class Line:
    """An instruction, and the line of the source that it comes from; 0 where nobody says."""

    text: str
    line: int


class Unfit(Exception):
    """A piece of which one of the tools makes nothing."""


def lowered(text: str) -> Lowering:
    """A piece after the whole pipeline. Raises Unfit."""
    loaded = load(text, default_context())
    if loaded.diagnostics or verify(loaded.module, context=default_context()):
        raise Unfit
    lowering = run(LOWER_TO_LLVM, loaded.module, default_context())
    if lowering.failed or lowering.verdict().findings:
        raise Unfit
    return lowering


def ours(text: str, lowering: Lowering, maker: CodeMaker, wanted: Wanted, form: Form) -> list[Line]:
    """The instructions of the code, as Fathom follows them. Raises Unfit."""
    translated = lowering.translated(tracked=Lines(text).number)
    if translated.error is not None:
        raise Unfit
    made = code_of(translated.translation, made_by(maker, translated.translation, wanted, form))
    if made.error is not None:
        raise Unfit
    return [
        Line(said, text.count("\n", 0, spans[0].start) + 1 if spans else 0)
        for line, spans in zip(made.text.split("\n"), made.sources, strict=True)
        if (said := _instruction(line, form)) is not None
    ]


def theirs(text: str, head: str, level: str, target: str, form: Form) -> list[Line]:
    """The same of LLVM's tools. Raises Unfit."""
    status, located, _ = fathom("opt", "--lower-to-llvm", "--mlir-print-debuginfo", text=text)
    if status:
        raise Unfit
    scoped = _through("mlir-opt", ["--ensure-debug-info-scope-on-llvm-func", "--mlir-print-debuginfo"], located)
    plain = _through("mlir-translate", ["--mlir-to-llvmir"], scoped)
    cpu = [f"-mcpu={TARGETS[target].cpu}"] if TARGETS[target].cpu else []
    optimised = _through("opt", [f"-O{level}", "-S", *cpu], f"{head}\n{_without_target(plain)}")
    if form == "ir":
        return [*_of_ir(optimised)]
    if form == "assembly":
        return [*_of_assembly(_through("llc", [f"-O{level}", *cpu], optimised))]
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "object"))
        _through("llc", [f"-O{level}", *cpu, "-filetype=obj", "-o", file], optimised)
        return _of_object(file, _through("llvm-objdump", ["-d", file], ""))


def _through(tool: str, arguments: Sequence[str], text: str) -> str:
    command = [require_tool(tool), *arguments]
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, encoding="utf-8", errors="replace", timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unfit from None
    if done.returncode:
        raise Unfit
    return done.stdout


def _without_target(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("target "))


def _of_ir(text: str) -> Iterator[Line]:
    lines = {number: int(line) for number, line in _LOCATION.findall(text)}
    for line in text.split("\n"):
        if (said := _instruction(_DBG.sub("", line), "ir")) is not None:
            attached = _DBG.search(line)
            yield Line(said, lines.get(attached[1], 0) if attached is not None else 0)


def _of_assembly(text: str) -> Iterator[Line]:
    place = 0
    for line in text.split("\n"):
        if (match := re.match(r"\s*\.loc\s+\d+\s+(\d+)", line)) is not None:
            place = int(match[1])
        elif re.match(r"[.$L_]*func_(?:begin|end)\d+:", line):
            place = 0
        elif (said := _instruction(line, "assembly")) is not None:
            yield Line(said, place)


def _of_object(file: str, text: str) -> list[Line]:
    """Instructions as their bytes. (`llvm-objdump -l` asks the same for lines, and does not say where one is none.)"""
    if text.count("Disassembly of section") > 1:
        raise Unfit
    code = [(line.split(":")[0], said) for line in text.split("\n") if (said := _instruction(line, "disassembly"))]
    asked = "".join(f"0x{address.strip()}\n" for address, _ in code)
    told = _through("llvm-symbolizer", [f"--obj={file}", "--no-inlines", "--output-style=GNU"], asked).split("\n")
    lines = [int(match[1]) if (match := re.search(r":(\d+)", each)) else 0 for each in told[1::2]]
    return [Line(said, line) for (_, said), line in zip(code, lines, strict=True)]


def _instruction(line: str, form: Form) -> str | None:
    """An instruction without what is numbered otherwise where there are locations."""
    if form == "ir":
        return _NUMBER.sub("!", line.strip()) if line.startswith("  ") and not line.startswith("    #dbg") else None
    if form == "disassembly":
        code = _CODE.match(line)
        return code[1].replace(" ", "") if code is not None and ".local" not in line else None
    text = line.strip()
    if not line.startswith("\t") or not text or text.startswith((".", "#", "//", ";")):
        return None
    return _LABEL.sub(r"\1", _COMMENT.sub("", text))


def compare(name: str, own: list[Line], other: list[Line], shown: list[str]) -> Counter[str]:
    """How many instructions lead to the right line, to none, to another; of those that the tools give a line, and that
    are the same."""
    counts: Counter[str] = Counter()
    matcher = difflib.SequenceMatcher(None, [each.text for each in own], [each.text for each in other], autojunk=False)
    for first, second, size in matcher.get_matching_blocks():
        counts["instructions"] += size
        for at in range(size):
            mine, right = own[first + at], other[second + at]
            if not right.line:
                counts["nowhere"] += 1
                counts["of ours"] += bool(mine.line)
                continue
            kind = "right" if mine.line == right.line else "none" if not mine.line else "wrong"
            counts[kind] += 1
            if kind != "right":
                shown.append(f"{name}: {kind}: {mine.text}: {mine.line} for {right.line}")
    counts["other code"] += max(len(own), len(other)) - counts["instructions"]
    return counts


def foreign() -> Iterator[Piece]:
    """Pieces that nobody here wrote: xDSL's, and MLIR's own tests."""
    yield from pieces()[1]
    try:
        tests = mlir_source() / "test"
    except NoSource as problem:
        print(problem, file=sys.stderr)
        return
    for path in sorted(tests.rglob("*.mlir")):
        for piece in split(str(path.relative_to(tests)), path.read_text(encoding="utf-8", errors="replace")):
            yield Piece(f"{piece.file}#{piece.number}", piece.text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--level", default="2")
    parser.add_argument("--target", default="x86-64", choices=[*TARGETS])
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    maker = CodeMaker(SECONDS)
    wanted = Wanted(optimization_of(options.level), machine_of(options.target))
    counts: dict[Form, Counter[str]] = {"ir": Counter(), "assembly": Counter(), "disassembly": Counter()}
    shown: list[str] = []
    functions = taken = 0
    for piece in foreign():
        try:
            lowering = lowered(piece.text)
            defined = len(re.findall("^define ", lowering.translated().translation.text, re.MULTILINE))
            head = _head(lowering, maker, wanted)
            for form in counts:
                own = ours(piece.text, lowering, maker, wanted, form)
                other = theirs(piece.text, head, options.level, options.target, form)
                counts[form] += compare(piece.name, own, other, shown)
        except Unfit:
            continue
        functions, taken = functions + defined, taken + 1
        if functions >= options.count:
            break
    print(f"{functions} functions of {taken} pieces, {options.target}, O{options.level}")
    for form, found in counts.items():
        print(f"{form}: {dict(found)}")
    print("\n".join(shown[: options.show]))
    return int(bool(shown))


def _head(lowering: Lowering, maker: CodeMaker, wanted: Wanted) -> str:
    """The data layout and the triple that the code is made for. Raises Unfit."""
    made = maker.code(lowering.translated().translation.text, wanted, "ir")
    if made.problem:
        raise Unfit
    return "\n".join(line for line in made.text.split("\n") if line.startswith("target "))


if __name__ == "__main__":
    sys.exit(main())
