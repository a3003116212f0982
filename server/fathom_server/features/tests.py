"""The tests in a document: each command that a comment `// RUN:` gives, each claim of a comment `// FATHOM:`, and what
is to be run for it.

Nothing is given to a shell. A command is read as a shell would read its words, pipes and redirections; of programs
there are Fathom's own in the place of MLIR's, and those of LLVM that look at what these print.
Source of the rules: *lit*, "Test Format" and "Substitutions".
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from fathom.pipeline.defaults import is_whole
from fathom.pipeline.run_lines import MOST_LINES, RunLine
from fathom.records import record
from fathom.text.comments import marked
from fathom_server.model.claims import claims
from fathom_server.model.pipelines import commands_in, pipeline
from fathom_server.model.snapshot import Snapshot

OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "mlir-opt": ("opt",),
    "mlir-translate": ("translate",),
    "mlir-runner": ("run",),
    "mlir-cpu-runner": ("run",),
}
"""The commands of Fathom that stand in for MLIR's tools."""
OF_LLVM: Final = ("FileCheck", "count", "split-file")
"""The programs of LLVM that are run where they are installed."""

WRITING: Final = frozenset(
    """
    html o junit mlir-generate-reproducer mlir-pass-pipeline-crash-reproducer mlir-print-ir-tree-dir object-filename
    plot record save
    """.split()
)
"""Options of Fathom's commands that name a file, or a folder, that is written."""

_MARKS: Final = ("DEFINE:", "REDEFINE:")
_DEFINED: Final = re.compile(r"(%\{[\w:-]+\})\s*=\s*")
_SUBSTITUTION: Final = re.compile(r"%%|%\{[\w:-]+\}|%\w+")
_VERSION: Final = re.compile(r"-\d+$")


@record
class Test:
    """A command, or a claim, with where it stands in the document, and its line there. Its text is what it is known
    by."""

    command: str
    start: int
    end: int
    line: int
    is_claim: bool = False


@record
class Step:
    """One program that is run: a command of Fathom, if it is its `own`, or one of LLVM's. It reads the file `reads`, or
    if `is_piped` what the step before it printed. What it prints goes to the file `writes`, if there is one, and what
    it says of mistakes to `errors`, or the same way if both are `joined`. It is to fail if it is `negated`."""

    name: str
    arguments: tuple[str, ...]
    own: bool
    is_piped: bool = False
    reads: str = ""
    writes: str = ""
    errors: str = ""
    joined: bool = False
    negated: bool = False


@record
class Unsupported:
    """Why a command is not run, in one sentence."""

    reason: str


@record
class Surroundings:
    """What the names in a command stand for: the file with the text of the document, the folder that the document is
    in, and the folder that may be written to."""

    file: str
    folder: str
    scratch: str
    libraries: Mapping[str, str]


def tests(snapshot: Snapshot) -> list[Test]:
    """The tests of a document, in the order of the text."""
    listed: list[Test] = []
    for line in commands_in(snapshot.tree):
        words = [word for command in line.commands for word in command.words]
        if words:
            number, start = snapshot.tree.line_of(words[0].start)
            length = len(snapshot.tree.line(number).rstrip("\r\n"))
            listed.append(Test(_text(line), words[0].start, min(words[-1].end, start + length), number))
    return sorted([*listed, *_claims(snapshot)], key=lambda test: test.start)


def _claims(snapshot: Snapshot) -> Iterator[Test]:
    tree = snapshot.tree
    for index, claim in claims(tree):
        start, line = tree.start(index), tree.first_line(index)
        yield Test(claim.text, start + claim.start, start + claim.end, line + claim.line, is_claim=True)


def test_at(snapshot: Snapshot, line: int) -> Test | None:
    """The test that begins in a line."""
    return next((test for test in tests(snapshot) if test.line == line), None)


def steps(snapshot: Snapshot, test: Test, around: Surroundings) -> list[Step] | Unsupported:
    """What is run for a test: its own steps, after those of the tests before it that make files if it looks at any."""
    if test.is_claim:
        chosen = pipeline(snapshot)
        passes = () if is_whole(chosen) else (f"--pass-pipeline={chosen}",)
        return [Step("check", (around.file, "--line", str(test.line + 1), *passes), own=True)]
    every = [test for test in tests(snapshot) if not test.is_claim]
    before = every[: every.index(test)] if "%t" in test.command else []
    substitutions = {**_named(around), **_defined(snapshot)}
    all_steps: list[Step] = []
    for run in [*(earlier for earlier in before if "%t" in earlier.command), test]:
        made = _steps(run.command, substitutions)
        if isinstance(made, Unsupported):
            return made
        all_steps += made
    outside = next(
        (path for step in all_steps for path in _written(step) if not _is_inside(path, around.scratch)), None
    )
    return all_steps if outside is None else Unsupported(f"it writes to {outside}, and a test may only write to %t")


def _text(line: RunLine) -> str:
    return " | ".join(" ".join(word.raw for word in command.words) for command in line.commands)


# ---- what the names in a command stand for


def _named(around: Surroundings) -> dict[str, str]:
    name = around.file.replace("\\", "/").rpartition("/")[2]
    return {
        "%s": around.file,
        "%S": around.folder,
        "%p": around.folder,
        "%t": f"{around.scratch}/{name}.tmp",
        "%T": around.scratch,
        "%basename_t": f"{name}.tmp",
        "%%": "%",
        "%shlibext": ".so",
        **{f"%{name}": path for name, path in around.libraries.items()},
    }


def _defined(snapshot: Snapshot) -> dict[str, str]:
    """The substitutions that comments `// DEFINE:` give."""
    substitutions: dict[str, str] = {}
    open = ""
    for _, line in zip(range(MOST_LINES), snapshot.tree.lines_from(0), strict=False):
        said = next(filter(None, (marked(line, mark) for mark in _MARKS if mark in line)), None)
        if said is None:
            open = ""
            continue
        begun = _DEFINED.match(line, said.start, said.end)
        if begun is not None:
            open = begun[1]
            substitutions[open] = line[begun.end() : said.end]
        elif open:
            substitutions[open] += f" {line[said.start : said.end]}"
        if not said.goes_on:
            open = ""
    return substitutions


def _substituted(text: str, substitutions: Mapping[str, str]) -> str | Unsupported:
    """The text with its substitutions made. Those in substitutions are made up to a depth."""
    for _ in range(8):
        unknown: list[str] = []

        def value(match: re.Match[str], unknown: list[str] = unknown) -> str:
            name = match[0]
            for length in range(len(name), 1, -1):
                known = substitutions.get(name[:length])
                if known is not None:
                    return known + name[length:] if name != "%%" else "%%"
            unknown.append(name)
            return name

        made = _SUBSTITUTION.sub(value, text)
        if unknown:
            return Unsupported(f"nothing says what {unknown[0]} stands for")
        if made == text or len(made) > 1 << 16:
            break
        text = made
    return text.replace("%%", "%")


# ---- the words of a command


def _steps(command: str, substitutions: Mapping[str, str]) -> list[Step] | Unsupported:
    text = _substituted(command, substitutions)
    if isinstance(text, Unsupported):
        return text
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError as problem:
        return Unsupported(f"it cannot be read: {str(problem).lower()}")
    parsed: list[Step] = []
    for is_piped, part in _programs(words):
        step = _step(part, is_piped)
        if isinstance(step, Unsupported):
            return step
        parsed.append(step)
    return parsed


def _programs(words: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """The words of each program, and whether it reads what the one before it prints."""
    part: list[str] = []
    is_piped = False
    for word in words:
        if word in ("|", "&&", ";"):
            yield is_piped, part
            part, is_piped = [], word == "|"
        else:
            part.append(word)
    yield is_piped, part


def _step(words: Sequence[str], is_piped: bool) -> Step | Unsupported:
    rest: list[str] = []
    files = {"<": "", ">": "", "2>": ""}
    joined = False
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if set(word) <= set("|&;<>()"):
            target = pending.pop(0) if pending else ""
            of_errors = bool(rest) and rest[-1] == "2" and word in (">", ">&")
            if of_errors:
                rest.pop()
            if word == ">&" and of_errors and target == "1":
                joined = True
            elif word in ("<", ">") and target:
                files[f"2{word}" if of_errors else word] = target
            elif word == "&>" and target:
                files[">"], joined = target, True
            else:
                return Unsupported(f"{word} is not understood")
        else:
            rest.append(word)
    negated = False
    while rest[:1] == ["not"]:
        negated = not negated
        del rest[: 2 if rest[1:2] == ["--crash"] else 1]
    if not rest:
        return Unsupported("there is no program to run")
    name = rest[0].replace("\\", "/").rpartition("/")[2]
    name = _VERSION.sub("", name)
    own = OWN.get(name)
    arguments = rest[1:]
    if name == "fathom" and arguments[:1] and arguments[0] in ("opt", "translate", "run"):
        own = (arguments.pop(0),)
    if own == OWN["mlir-runner"]:
        # It calls functions that give nothing as well.
        arguments = [argument for argument in arguments if argument.lstrip("-") != "entry-point-result=void"]
    if own is None and name not in OF_LLVM:
        return Unsupported(f"{name} is not run, only {', '.join([*OWN, *OF_LLVM])}")
    return Step(
        own[0] if own is not None else name,
        tuple(arguments),
        own is not None,
        is_piped,
        files["<"],
        files[">"],
        files["2>"],
        joined,
        negated,
    )


def _written(step: Step) -> Iterator[str]:
    """The files and folders that a step says it writes."""
    yield from filter(None, (step.writes, step.errors))
    if step.name == "split-file":
        yield from step.arguments[1:2]
    for word, following in pairwise((*step.arguments, "")):
        name, equals, value = word.lstrip("-").partition("=")
        if word.startswith("-") and name in WRITING:
            yield value if equals else following


def _is_inside(path: str, folder: str) -> bool:
    return path == "-" or (path.startswith(f"{folder}/") and ".." not in path.replace("\\", "/").split("/"))
