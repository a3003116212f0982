"""The options that name dialects of the user's own, and the context that knows them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from fathom.cli.options import Group, Option, Parsed, Takes
from fathom.context import Context, default_context

if TYPE_CHECKING:
    from fathom.cli.streams import Streams
    from fathom.irdl.description import Description


def _paths(name: str, help: str, metavar: str) -> Option[tuple[str, ...]]:
    """An option with a path; given again, it names more."""
    return Option(name, help, (), lambda value: (value or "",), Takes.ONE, metavar, add=lambda old, new: old + new)


DIALECT: Final = _paths(
    "dialect", "know the dialect that a file describes: .toml, or records of llvm-tblgen --dump-json", "FILE"
)
DIALECT_PATH: Final = _paths(
    "dialect-path", "know the dialects that are described by the .toml files of a folder", "DIR"
)
DIALECTS: Final = Group("dialects", (DIALECT, DIALECT_PATH))


def context_of(parsed: Parsed, streams: Streams) -> Context:
    """The context that the command line asks for. Raises Exit after what is wrong with a description was reported."""
    files = [*parsed[DIALECT]]
    for folder in parsed[DIALECT_PATH]:
        if not Path(folder).is_dir():
            raise streams.fail(f"cannot open folder '{folder}'")
        files += sorted(str(path) for path in Path(folder).glob("*.toml"))
    context = default_context()
    for file in files:
        for description in described(file, streams):
            if mistakes := description.check():
                raise streams.fail("\n".join(map(str, mistakes)))
            context = context.with_dialect(description.dialect())
    return context


def described(file: str, streams: Streams) -> list[Description]:
    """The dialects that a file describes. Raises Exit after it was reported that it cannot be read."""
    given = streams.read(file)
    if file.endswith(".json"):
        from fathom.irdl.ods.reader import read
        from fathom.tablegen.json import NotRecords, read_json

        try:
            return read(read_json(given.text), file)
        except NotRecords as error:
            raise streams.fail(f"{file}: {error}") from None
    from fathom.irdl.description import Description

    return [Description(given.text, given.name)]
