"""The options that name dialects of the user's own, and the context that knows them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from fathom.cli.options import Group, Option, Parsed, Takes
from fathom.cli.tablegen_options import INCLUDE, MACRO
from fathom.context import Context, default_context

if TYPE_CHECKING:
    from fathom.cli.streams import Streams
    from fathom.irdl.description import Description
    from fathom.tablegen.records import Records


def _paths(name: str, help: str, metavar: str) -> Option[tuple[str, ...]]:
    """An option with a path; given again, it names more."""
    return Option(name, help, (), lambda value: (value or "",), Takes.ONE, metavar, add=lambda old, new: old + new)


DIALECT: Final = _paths(
    "dialect", "know the dialects that a file describes: .toml, .td, or .json of llvm-tblgen --dump-json", "FILE"
)
DIALECT_PATH: Final = _paths(
    "dialect-path", "know the dialects that are described by the .toml files of a folder", "DIR"
)
DIALECTS: Final = Group("dialects", (DIALECT, DIALECT_PATH, INCLUDE, MACRO))


def context_of(parsed: Parsed, streams: Streams) -> Context:
    """The context that the command line asks for. Raises Exit after what is wrong with a description was reported."""
    files = [*parsed[DIALECT]]
    for folder in parsed[DIALECT_PATH]:
        if not Path(folder).is_dir():
            raise streams.fail(f"cannot open folder '{folder}'")
        files += sorted(str(path) for path in Path(folder).glob("*.toml"))
    context = default_context()
    for file in files:
        for description in described(file, parsed, streams):
            if mistakes := description.check():
                raise streams.fail("\n".join(map(str, mistakes)))
            context = context.with_dialect(description.dialect())
    return context


def described(file: str, parsed: Parsed, streams: Streams) -> list[Description]:
    """The dialects that a file describes. Raises Exit after it was reported that it cannot be read."""
    if is_of_records(file):
        from fathom.irdl.ods.reader import read

        return read(records_in(file, parsed, streams), file)
    from fathom.irdl.description import Description

    given = streams.read(file)
    return [Description(given.text, given.name)]


def is_of_records(file: str) -> bool:
    """Whether a file has definitions in TableGen, or what llvm-tblgen makes of such."""
    return file.endswith((".td", ".json"))


def records_in(file: str, parsed: Parsed, streams: Streams) -> Records:
    """The records of a file: of one in TableGen, which finds MLIR's own where these are usually, or of the JSON of
    llvm-tblgen. Raises Exit after what is wrong with it was reported."""
    given = streams.read(file)
    if not file.endswith(".td"):
        from fathom.tablegen.json import NotRecords, read_json

        try:
            return read_json(given.text)
        except NotRecords as error:
            raise streams.fail(f"{given.name}: {error}") from None
    from fathom.cli.tablegen_mistakes import show
    from fathom.tablegen.folders import usual_folders
    from fathom.tablegen.reading import Reader

    folders = [str(Path(file).parent), *parsed[INCLUDE], *usual_folders()]
    reading = Reader().read(given.name, folders, {given.name: given.text}, parsed[MACRO])
    if reading.errors:
        raise streams.fail(show(reading).rstrip("\n"))
    return reading.records
