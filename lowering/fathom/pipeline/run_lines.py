r"""The commands in the comments of a text that say how it is run, and the pipelines in them.

    // RUN: mlir-opt %s --convert-scf-to-cf --convert-func-to-llvm \
    // RUN:   | mlir-translate --mlir-to-llvmir

Source of the rules: *lit*, "Test Format", and the options of MLIR's tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.cached import cached_property
from fathom.passes import find, names, pipeline_names
from fathom.passes.definition import Pass, PassPipeline
from fathom.passes.foreign import find_any
from fathom.passes.mlir import NAMES
from fathom.pipeline.language import Item, Nest, Pipeline, is_to_reach_llvm, parse_pipeline
from fathom.records import record
from fathom.text.comments import marked

if TYPE_CHECKING:
    from fathom.context import Context

MOST_LINES: Final = 64
"""In so many lines at the beginning of a text commands are looked for."""
TEST: Final = "test-"
"""How the names of passes begin that MLIR has for its own tests."""
LONGEST: Final = 4_000
"""So many characters a command may have whose pipeline is looked at."""

_KEPT: Final = 16
"""Of so many texts the commands are remembered."""
_MARK: Final = "RUN:"
_WORD: Final = re.compile(r"""(?:[^\s|"']|"[^"]*"|'[^']*')+|\|&?""")
_FLAG_OR_NAME: Final = re.compile(r"\w[\w-]*")
_VERSION: Final = re.compile(r"-\d+$")


@record
class Word:
    """A word of a command as it is written, and where it stands in the text."""

    raw: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.raw)

    @property
    def text(self) -> str:
        """The word without its quotation marks."""
        return self.raw.replace('"', "").replace("'", "")


@record
class Command:
    """A program that is run, with its arguments."""

    words: tuple[Word, ...]

    @property
    def tool(self) -> str:
        """The name of the program, without folder and version: `mlir-opt`; `opt` of `fathom opt`."""
        names = [word.text.rpartition("/")[2] for word in self.words[:2]]
        if names[0] == "fathom" and len(names) > 1:
            return {"opt": "mlir-opt", "translate": "mlir-translate", "run": "mlir-runner"}.get(names[1], names[1])
        return _VERSION.sub("", names[0])

    def has(self, name: str) -> bool:
        """Whether a flag is given."""
        return any(_flag(word) == name for word in self.words)


@record(slots=False)
class RunLine:
    """What one command line runs, each program reading what the one before it writes. Its passes are those of the
    library, or of a context that has others."""

    commands: tuple[Command, ...]
    context: Context | None = None

    @cached_property
    def pipeline(self) -> Written | None:
        """The pipeline of its mlir-opt, if there is one and no more; none of a command that nobody would write, and
        none that has passes of MLIR's own tests, which lower what they like."""
        optimizer = self._optimizer
        if optimizer is None or sum(len(word.raw) for word in optimizer.words) > LONGEST:
            return None
        if any(_flag(word).startswith(TEST) for word in optimizer.words):
            return None
        whole = tuple(word for word in optimizer.words if _flag(word) in ("pass-pipeline", "p") and "=" in word.raw)
        own = self.context.own_passes if self.context is not None else ()
        words = whole or tuple(word for word in optimizer.words if _is_pass(word) or _flag(word) in own)
        return Written(words, bool(whole), not optimizer.words[0].text.endswith("fathom"), self.context)

    @cached_property
    def is_to_reach_llvm(self) -> bool:
        """Whether what comes out is to be all LLVM dialect: because it is translated or run, or because casts between
        what is converted and what is not are to be gone. A test of what is said of mistakes wants no such thing."""
        optimizer, written = self._optimizer, self.pipeline
        if optimizer is None or written is None or optimizer.has("verify-diagnostics") or self._fails:
            return False
        others = {command.tool for command in self.commands}
        if others & {"mlir-runner", "mlir-cpu-runner"} or any(
            command.has("mlir-to-llvmir") for command in self.commands
        ):
            return True
        return is_to_reach_llvm(_FLAG_OR_NAME.findall(written.text))

    @property
    def _optimizer(self) -> Command | None:
        optimizers = [command for command in self.commands if command.tool == "mlir-opt"]
        return optimizers[0] if len(optimizers) == 1 else None

    @property
    def _fails(self) -> bool:
        return any(command.tool == "not" for command in self.commands)


@record
class Written:
    """A pipeline in a command: one word in its own language, if it is `whole`, or a word for each pass. It `is_of_mlir`
    if MLIR's own tool runs it, which has passes that are not here. `context` is that of the command."""

    words: tuple[Word, ...]
    whole: bool
    is_of_mlir: bool = True
    context: Context | None = None

    def find(self, name: str) -> type[Pass] | type[PassPipeline] | None:
        """The pass of a name."""
        return self.context.find_pass(name) if self.context is not None else find(name)

    def find_any(self, name: str) -> type[Pass] | type[PassPipeline] | None:
        """The pass of a name, here or in MLIR."""
        return self.find(name) or find_any(name)

    @property
    def pipeline(self) -> Pipeline:
        return parse_pipeline(self.source, self.find)

    @property
    def source(self) -> str | tuple[str, ...]:
        """The pipeline as it is read: a text, or flags."""
        return self.text if self.whole else tuple(word.text for word in self.words)

    @property
    def text(self) -> str:
        """The text of the pipeline, or the flags."""
        return self.words[0].text.partition("=")[2] if self.whole else " ".join(word.raw for word in self.words)


def run_lines(lines: Iterable[str], context: Context | None = None) -> tuple[RunLine, ...]:
    """The commands in the first lines of a text, each of which ends with its line break."""
    remarks: list[tuple[str, int]] = []
    offset = 0
    for _, line in zip(range(MOST_LINES), lines, strict=False):
        if _MARK in line:
            remarks.append((line, offset))
        offset += len(line)
    return _read(tuple(remarks), context) if remarks else ()


@lru_cache(maxsize=_KEPT)
def _read(remarks: tuple[tuple[str, int], ...], context: Context | None) -> tuple[RunLine, ...]:
    """The commands in lines, each with its place. They are asked for again and again, and seldom others."""
    lines: list[RunLine] = []
    words: list[Word] = []
    for line, offset in remarks:
        if (said := marked(line, _MARK)) is None:
            continue
        words += (Word(word[0], offset + word.start()) for word in _WORD.finditer(line, said.start, said.end))
        if not said.goes_on:
            lines += [RunLine(tuple(_commands(words)), context)] if words else []
            words = []
    return tuple(lines)


def _commands(words: Sequence[Word]) -> Iterator[Command]:
    command: list[Word] = []
    for word in (*words, Word("|", 0)):
        if not word.raw.startswith("|"):
            command.append(word)
            continue
        if command:
            yield Command(tuple(command))
        command = []


def _flag(word: Word) -> str:
    """The name of a flag, without dashes and value; empty for another word."""
    return word.text.lstrip("-").partition("=")[0] if word.text.startswith("-") else ""


def _is_pass(word: Word) -> bool:
    flag = _flag(word)
    return flag in NAMES or flag in names() or flag in pipeline_names()


# ---- another pipeline in its place


def rewritten(written: Written, pipeline: Pipeline) -> list[tuple[int, int, str]] | None:
    """What puts another pipeline in the place of one in a command: parts of the text, by where they begin and end, and
    what comes in their places. None where it cannot be said there."""
    if written.whole:
        word, text = written.words[0], written.text
        place = word.raw.find(text) if text else -1
        return [(word.start + place, word.start + place + len(text), str(pipeline))] if place >= 0 else None
    flags = flags_of(pipeline)
    if flags is None or not written.words:
        return None
    # Words of passes that stay keep their own spelling.
    present = flags_of(parse_pipeline([word.text for word in written.words], written.find_any))
    if present is None or len(present) != len(written.words):
        return None
    edits: list[tuple[int, int, str]] = []
    for kind, first, last, begin, end in SequenceMatcher(None, present, flags).get_opcodes():
        if kind == "equal":
            continue
        new = " ".join(flags[begin:end])
        if kind == "insert":
            place = written.words[first].start if first < len(present) else written.words[-1].end
            edits.append((place, place, f"{new} " if first < len(present) else f" {new}"))
            continue
        start, stop = written.words[first].start, written.words[last - 1].end
        if kind == "delete" and first > 0:
            start = written.words[first - 1].end
        elif kind == "delete":
            stop = written.words[last].start
        edits.append((start, stop, new))
    return edits


def flags_of(pipeline: Pipeline) -> list[str] | None:
    """The pipeline as flags; None if it nests passes otherwise than flags do."""
    flags: list[str] = []
    items: list[Item] = []
    for item in pipeline.root.items:
        items += item.items if isinstance(item, Nest) and _is_implied(item) else (item,)
    for item in items:
        if isinstance(item, Nest):
            return None
        name, brace, options = str(item).partition("{")
        options = options.removesuffix("}")
        value = f'="{options}"' if " " in options else f"={options}"
        flags.append(f"--{name}{value}" if brace else f"--{name}")
    return flags


def _is_implied(nest: Nest) -> bool:
    """Whether flags for the passes of a nest stand for the nest too."""
    return all(isinstance(item, Pass) and item.anchor == nest.anchor for item in nest.items)
