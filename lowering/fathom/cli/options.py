"""Command lines: argparse for what is ordinary, and mlir-opt's way for passes, whose order counts.

LLVM's tools take long options with one dash or two; so do these.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from fathom.cli.streams import Exit, Streams
from fathom.passes import names
from fathom.passes.documentation import options_help
from fathom.passes.suggestions import nearest, not_here


class Parser(argparse.ArgumentParser):
    """An argparse parser that writes to the command's own streams and never ends the process."""

    def __init__(self, command: str, description: str, example: str, streams: Streams) -> None:
        super().__init__(
            prog=f"fathom {command}",
            description=description,
            epilog=f"example:\n{example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.streams = streams
        # A value that begins with a number below zero, such as the first in `--args -6, 4`, is not an option.
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def _print_message(self, message: str, file: Any = None) -> None:
        (self.streams.stderr if file is sys.stderr else self.streams.stdout).write(message)

    def print_help(self, file: Any = None) -> None:
        self.streams.stdout.write(self.format_help())

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if message:
            self.streams.stderr.write(message)
        raise Exit(status)

    def error(self, message: str) -> NoReturn:
        self.streams.stderr.write(f"{self.prog}: {message}.  Try: '{self.prog} --help'\n")
        raise Exit(1)

    def long_options(self) -> list[str]:
        return [option for action in self._actions for option in action.option_strings if option.startswith("--")]

    def parse(self, arguments: Sequence[str]) -> Parsed:
        """The options, and the pass flags among them in order. An option that nobody knows ends the command."""
        known = self.long_options()
        rest: list[str] = []
        passes: list[str] = []
        for index, argument in enumerate(arguments):
            if argument == "--":
                rest += arguments[index:]
                break
            match = _LONG.match(argument)
            if match is None:
                rest.append(argument)
            elif match[1] in names():
                passes.append("--" + argument.lstrip("-"))
            elif f"--{match[1]}" in known:
                rest.append("--" + argument.lstrip("-"))
            else:
                self.unknown(argument, known)
        namespace, left = self.parse_known_args(rest)
        if left:
            self.unknown(left[0], known)
        return Parsed(namespace, passes)

    def unknown(self, argument: str, known: Sequence[str]) -> NoReturn:
        """As LLVM's tools put it, with the nearest option there is."""
        write = self.streams.stderr.write
        if not argument.startswith("-"):
            write(f"{self.prog}: Too many positional arguments specified!\n")
            write(f"Can specify at most 1 positional arguments: See: {self.prog} --help\n")
            raise Exit(1)
        write(f"{self.prog}: Unknown command line argument '{argument}'.  Try: '{self.prog} --help'\n")
        name = argument.lstrip("-").partition("=")[0]
        if (sentence := not_here(name)) is not None:
            write(f"{self.prog}: {sentence}\n")
        elif (near := nearest(name, (option.removeprefix("--") for option in known))) is not None:
            write(f"{self.prog}: Did you mean '--{near}'?\n")
        raise Exit(1)


_LONG = re.compile(r"--?(?!O\d$)([A-Za-z][\w-]+)(=|$)")


@dataclass(slots=True)
class Parsed:
    """`passes` are the pass flags, in order, as they were given."""

    options: argparse.Namespace
    passes: list[str] = field(default_factory=list[str])


def passes_help() -> str:
    """The part of a help text that lists the passes and their options."""
    return f"passes, run in the order in which they are given:\n{options_help()}"
