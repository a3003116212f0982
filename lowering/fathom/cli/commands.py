"""Command lines as data: a command is a table of options (`options.py`), by which its words are read.

    SPLIT = text("split-input-file", "take the parts of the input each on its own", bare="// -----")
    parsed = Command("opt", "Runs passes.", EXAMPLE, (Group("input", (SPLIT,)),)).parse(["-split-input-file"], streams)
    parsed[SPLIT]  # "// -----", a str

LLVM's tools take long options with one dash or two, and a value behind `=` or as the next word; so do these, and they
word mistakes as LLVM's do. Passes are options too, whose order counts; they are kept apart in `Parsed.passes`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar, cast

from fathom.cli.options import Option, Refusal, Takes, flag
from fathom.cli.streams import Exit, Streams
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.passes.definition import Declared

T = TypeVar("T")
U = TypeVar("U")

HELP: Final = flag("help", "show this, and end", default=False)
"""Understood by every command."""


@record
class Group:
    """Options that the help shows together under a title; those of a hidden group it leaves out."""

    title: str
    options: Sequence[Option[bool] | Option[str] | Option[int | None] | Option[float] | Option[tuple[str, ...]]]
    hidden: bool = False


@record(frozen=False)
class Parsed:
    """A command line that was understood. `passes` are the pass flags, in order, as they were given."""

    file: str = "-"
    files: list[str] = field(default_factory=list[str])
    """All files that were given, of a command that takes several."""
    passes: list[str] = field(default_factory=list[str])
    values: dict[str, object] = field(default_factory=dict[str, object])

    def __getitem__(self, option: Option[T]) -> T:
        return cast("T", self.values.get(option.name, option.default))

    def get(self, option: Option[T], otherwise: U) -> T | U:
        """The value that was given; `otherwise` where none was."""
        if option not in self:
            return otherwise
        return self[option]

    def __contains__(self, option: Option[T]) -> bool:
        """Whether the option was given."""
        return option.name in self.values


_OPTION: Final = re.compile(r"--?(?=[A-Za-z])(?!inf\b)([^=]+)(?:=(.*))?", re.DOTALL)
"""A word that is an option: not `-`, nor a number below zero."""

_LEVEL: Final = re.compile(r"--?(O)(\d)")
"""A level of optimisation, whose number stands behind the letter."""


@record
class Command:
    """A command of the program: what `--help` says of it, its options, and whether it takes passes and a file, or
    several of these. `own_passes` are those of the dialects that a command line names."""

    name: str
    description: str
    example: str
    groups: Sequence[Group] = ()
    file_help: str = ""
    takes_passes: bool = False
    several_files: bool = False
    own_passes: Callable[[Parsed, Streams], Mapping[str, type[Declared]]] | None = None
    argument: str = "FILE"
    """What the help calls the word that is no option; what is no file has to be given."""

    @property
    def program(self) -> str:
        return f"fathom {self.name}"

    def parse(self, arguments: Sequence[str], streams: Streams) -> Parsed:
        """Understands a command line. Raises Exit after a mistake in it was reported, or the help was shown."""
        return _Reader(self, streams, list(arguments)).run()

    def table(self) -> Mapping[str, Option[object]]:
        """All options by name and short name."""
        options: dict[str, Option[object]] = {"help": cast("Option[object]", HELP), "h": cast("Option[object]", HELP)}
        for group in self.groups:
            for declared in group.options:
                option = cast("Option[object]", declared)
                options[option.name] = option
                if option.alias:
                    options[option.alias] = option
        return options

    def help(self, own: Mapping[str, type[Declared]] = MappingProxyType({})) -> str:
        """What `--help` prints, with passes of a command line's own."""
        file = f" [{self.argument}]" if self.argument == "FILE" else f" {self.argument}"
        file = (" FILE..." if self.several_files else file) if self.file_help else ""
        lines = [f"usage: {self.program} [OPTIONS]{file}", "", self.description, ""]
        if self.file_help:
            lines += [*_entry(self.argument, self.file_help), ""]
        for group in self.groups:
            if not group.hidden:
                lines.append(f"{group.title}:")
                for option in group.options:
                    lines += _entry(option.usage, option.help)
                lines.append("")
        if self.takes_passes:
            lines += [passes_help(own), ""]
        return "\n".join([*lines, f"example:\n{self.example}"])


class _Reader:
    """Reads one command line."""

    def __init__(self, command: Command, streams: Streams, arguments: list[str]) -> None:
        self.command = command
        self.streams = streams
        self.table = command.table()
        self.words = arguments
        self.parsed = Parsed()
        self.files: list[str] = []
        self.asks_help = False
        self.strange: list[str] = []
        """The words that no option is called, which passes of dialects may be called that the command line names."""
        self.strange_passes: list[tuple[Option[object], str]] = []
        """The names of passes that options were given, and that no pass of the library has."""

    def run(self) -> Parsed:
        while self.words:
            word = self.words.pop(0)
            if word == "--":
                self.files += self.words
                break
            match = _OPTION.fullmatch(word)
            if match is None:
                self.files.append(word)
                continue
            self.option(word, match[1], match[2])
        if self.asks_help or self.strange or self.strange_passes:
            self.ask_dialects()
        if self.files:
            self.file()
        return self.parsed

    def ask_dialects(self) -> None:
        """What waits until it is known which dialects the command line names, if it names such."""
        own: Mapping[str, type[Declared]] = {}
        if self.command.own_passes is not None:
            own = self.command.own_passes(self.parsed, self.streams)
        if self.asks_help:
            self.streams.stdout.write(self.command.help(own))
            raise Exit(0)
        for word in self.strange:
            if _name(word) not in own:
                self.unknown(word, own)
        for option, name in self.strange_passes:
            if name not in own:
                self.refuse(option, f"Cannot find option named '{name}'!")

    def file(self) -> None:
        if not self.command.file_help:
            self.fail(f"{self.command.program}: it takes no file, but was given '{self.files[0]}'")
        self.parsed.files = self.files
        if len(self.files) > 1 and not self.command.several_files:
            program = self.command.program
            self.fail(
                f"{program}: Too many positional arguments specified!\n"
                f"Can specify at most 1 positional arguments: See: {program} --help"
            )
        self.parsed.file = self.files[0]

    def option(self, word: str, name: str, value: str | None) -> None:
        if (level := _LEVEL.fullmatch(word)) is not None:
            name, value = level[1], level[2]
        elif (letter := self.table.get(word[1])) is not None and letter.joined and len(word) > 2:
            name, value = word[1], word[2:]
        option = self.table.get(name)
        if option is HELP:
            self.asks_help = True
            return
        if option is None and self.command.takes_passes and name in _names_of_passes():
            self.parsed.passes.append("--" + word.lstrip("-"))
            return
        if option is None:
            self.strange.append(word)
            self.parsed.passes.append("--" + word.lstrip("-"))
            return
        if option.takes is Takes.REST:
            for argument in [value] if value is not None else self.take_rest(option.until):
                self.store(option, argument)
            return
        if option.takes is Takes.ONE and value is None:
            if not self.words:
                self.refuse(option, "requires a value!")
            value = self.words.pop(0)
        self.store(option, value)

    def take_rest(self, until: Callable[[str], bool] | None) -> list[str]:
        taken: list[str] = []
        while self.words and _OPTION.fullmatch(self.words[0]) is None and self.words[0] != "--":
            if until is not None and until(self.words[0]):
                break
            taken.append(self.words.pop(0))
        return taken

    def store(self, option: Option[object], value: str | None) -> None:
        try:
            new = option.read(value)
        except Refusal as refusal:
            self.refuse(option, str(refusal))
            return
        if option.names_passes:
            from fathom.passes import names

            known = names()
            self.strange_passes += [(option, name) for name in cast("tuple[str, ...]", new) if name not in known]
        before = self.parsed.values.get(option.name)
        self.parsed.values[option.name] = option.add(before, new) if option.add and before is not None else new

    # ---- mistakes

    def refuse(self, option: Option[object], reason: str) -> None:
        self.fail(f"{self.command.program}: for the {option.spelling} option: {reason}")

    def unknown(self, word: str, own: Mapping[str, type[Declared]]) -> None:
        """As LLVM's tools put it, with the nearest option there is."""
        from fathom.passes.suggestions import nearest, not_here

        program = self.command.program
        lines = [f"{program}: Unknown command line argument '{word}'.  Try: '{program} --help'"]
        name = _name(word)
        if (sentence := not_here(name)) is not None:
            lines.append(f"{program}: {sentence}")
        elif (near := nearest(name, {**self.table, **own})) is not None:
            lines.append(f"{program}: Did you mean '--{near}'?")
        self.fail("\n".join(lines))

    def fail(self, message: str) -> None:
        raise self.streams.fail(message)


def _names_of_passes() -> tuple[str, ...]:
    """The names of the library's passes and pipelines."""
    from fathom.passes import names, pipeline_names

    return (*names(), *pipeline_names())


def _name(word: str) -> str:
    """The name of an option in a word."""
    return word.lstrip("-").partition("=")[0]


_HELP_COLUMN: Final = 34


def _entry(usage: str, help: str) -> list[str]:
    """A line of the help, or two where the first column is too narrow."""
    head = f"  {usage}"
    if len(head) < _HELP_COLUMN:
        return [f"{head:<{_HELP_COLUMN}}{help}"]
    return [head, f"{'':<{_HELP_COLUMN}}{help}"]


def passes_help(own: Mapping[str, type[Declared]] = MappingProxyType({})) -> str:
    """The part of a help text that lists the passes and their options, with those of a command line's own."""
    from fathom.passes.documentation import options_help

    return f"passes, run in the order in which they are given:\n{options_help(own)}"
