"""The options that name dialects of the user's own, and the context that knows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.cli.commands import Group, Parsed
from fathom.cli.options import Option, Takes, text
from fathom.cli.tablegen_options import INCLUDE, MACRO
from fathom.inputs.binary import what_it_is
from fathom.ir.language import MARK

if TYPE_CHECKING:
    from fathom.cli.streams import Input, Streams
    from fathom.context import Context
    from fathom.descriptions.code import Code
    from fathom.descriptions.files import DialectFile
    from fathom.descriptions.places import Finding, Severity
    from fathom.irdl.code import DialectCode
    from fathom.irdl.description import Description
    from fathom.irdl.sections import Mistake
    from fathom.passes.definition import Declared
    from fathom.tablegen.reading import Reader
    from fathom.tablegen.records import Records


def _paths(name: str, help: str, metavar: str) -> Option[tuple[str, ...]]:
    """An option with a path; given again, it names more."""
    return Option(name, help, (), lambda value: (value or "",), Takes.ONE, metavar, add=lambda old, new: old + new)


DIALECT: Final = _paths(
    "dialect",
    "know the dialects that a file describes: .toml, .td, .mlir with IRDL, .json of llvm-tblgen --dump-json; "
    "or .py, with what only code says of them",
    "FILE",
)
DIALECT_PATH: Final = _paths(
    "dialect-path", "know the dialects that are described by the .toml files of a folder", "DIR"
)
IRDL_FILE: Final = _paths("irdl-file", "the same as --dialect, of a file of IRDL", "FILE")
CODE: Final = ".py"
"""What the names of modules with code of dialects end with."""
_KEPT: Final = 8
"""How many files a process that is asked again and again remembers."""
MLIR: Final = text(
    "mlir",
    "read and write as this version of MLIR does, such as 19 or 15, or as that in a folder, whose .td files are read; "
    "what a comment `// MLIR: 15` says otherwise",
    "N|DIR",
)
DIALECTS: Final = Group("dialects", (MLIR, DIALECT, DIALECT_PATH, IRDL_FILE, INCLUDE, MACRO))


def context_of(parsed: Parsed, streams: Streams, source: str | None = None) -> Context:
    """The context that the command line asks for, or a comment in the text `source`, by default that of the file that
    it names. Raises Exit after what is wrong with a description was reported."""
    return context_in(parsed, streams, _edition_of(parsed, streams, source))


def context_in(parsed: Parsed, streams: Streams, edition: str) -> Context:
    """The context of an edition by its name, "" for that of today, with the dialects that the command line names.
    Raises Exit after what is wrong with a description was reported."""
    files = [*parsed[DIALECT], *parsed[IRDL_FILE]]
    for folder in parsed[DIALECT_PATH]:
        from pathlib import Path

        if not Path(folder).is_dir():
            raise streams.fail(f"cannot open folder '{folder}'")
        files += sorted(str(path) for path in Path(folder).glob("*.toml"))
    of_irdl, modules = irdl_in(files, streams), code_in(files, streams)
    descriptions = described(files, parsed, streams, modules)
    if mistakes := mistakes_in(of_irdl, descriptions):
        raise streams.fail("\n".join(mistakes))
    if mistakes := mistakes_in_code(of_irdl, descriptions, modules):
        raise streams.fail("\n".join(mistakes))
    return _context_with(of_irdl, descriptions, modules, edition)


def _edition_of(parsed: Parsed, streams: Streams, source: str | None) -> str:
    """The name of the edition that is asked for; empty where none is. Raises Exit after it was reported that there is
    none of this name."""
    asked = parsed[MLIR]
    if not asked:
        if source is None:
            source = streams.beginning(parsed.file)
        if MARK not in source:
            return ""
        from fathom.editions.chosen import said_in

        return said_in(source) or ""
    from fathom.editions.edition import nearest

    found = nearest(asked)
    return found if found is not None else _folder_of(asked, streams)


def _folder_of(asked: str, streams: Streams) -> str:
    """The key of the MLIR in a folder. Raises Exit after it was reported that there is none."""
    from fathom.editions.edition import FIRST_RELEASE
    from fathom.editions.folder.places import NoMlir, find, is_folder

    if not is_folder(asked):
        raise streams.fail(
            f"--mlir: '{asked}' is no version of MLIR that is known: give one from {FIRST_RELEASE} on, or a folder"
        )
    from fathom.editions.folder.layer import key_of

    try:
        return key_of(find(asked))
    except NoMlir as problem:
        raise streams.fail(f"--mlir: {problem}") from None


def own_passes(parsed: Parsed, streams: Streams) -> Mapping[str, type[Declared]]:
    """The passes of the dialects that the command line names, if it names code of such; of an older edition, those too
    that there are no more."""
    names_code = any(file.endswith(CODE) for file in parsed[DIALECT])
    return context_of(parsed, streams).own_passes if names_code or parsed[MLIR] else {}


@lru_cache(_KEPT)
def _context_with(
    of_irdl: tuple[DialectFile, ...],
    descriptions: tuple[Description, ...],
    modules: tuple[Code, ...],
    edition: str = "",
) -> Context:
    from fathom.context import context_of, default_context

    base = context_of(edition) if edition else default_context()
    if not (of_irdl or descriptions):
        return base
    from fathom.descriptions.code import context_with
    from fathom.descriptions.files import dialects_in, together

    extending = together(description.dialect() for description in descriptions if description.extends)
    context = context_with((*dialects_in(of_irdl).values(), *extending.values()), modules, base)
    for description in descriptions:
        if not description.extends:  # Of what is whole the code is in it already.
            context = context.with_dialect(description.dialect())
    return context


def mistakes_in_code(
    of_irdl: tuple[DialectFile, ...], descriptions: tuple[Description, ...], modules: tuple[Code, ...]
) -> list[str]:
    """What modules say of what is not described, each with its place."""
    if not modules:
        return []
    from fathom.descriptions.code import mistakes_in_names

    context = _context_with(of_irdl, descriptions, modules)
    return [str(mistake) for module in modules for mistake in mistakes_in_names(module, context)]


def mistakes_in(of_irdl: Sequence[DialectFile], descriptions: Sequence[Description]) -> list[str]:
    """What is wrong with descriptions, each with its place."""
    if not of_irdl and not descriptions:
        return []
    from fathom.descriptions.files import Descriptions

    messages = dict.fromkeys(
        str(finding) for described_file in Descriptions().read(of_irdl) for finding in described_file.findings
    )
    return [
        *messages,
        *(
            str(finding)
            for description in descriptions
            for finding in _findings(description, description.check(), "error")
        ),
    ]


def kept_in(descriptions: Sequence[Description]) -> list[str]:
    """What is not understood of descriptions that were checked, each with its place."""
    return [
        str(finding) for description in descriptions for finding in _findings(description, description.kept, "note")
    ]


def _findings(description: Description, mistakes: Sequence[Mistake], severity: Severity) -> Iterator[Finding]:
    """What is said of a description, where it is to be mended: in the file that it was made of, if in another."""
    from fathom.descriptions.files import finding_of
    from fathom.descriptions.origins import Lines, Origins
    from fathom.descriptions.reading import read_text
    from fathom.irdl.ods.reader import OdsDescription

    origins = Origins(description.places, Lines(read_text)) if isinstance(description, OdsDescription) else None
    for mistake in mistakes:
        finding = finding_of(description.sections.text, mistake, severity)
        place = origins.place_of(finding) if origins is not None else None
        yield finding.at(place) if place is not None else finding


def read_text(file: str, streams: Streams) -> Input:
    """A file in which dialects are described. Raises Exit after it was reported that it cannot be read, or is no
    text."""
    given = streams.read(file)
    if (what := what_it_is(given.text)) is not None:
        raise streams.fail(f"{given.name}: the input is {what}")
    return given


def irdl_in(files: Sequence[str], streams: Streams) -> tuple[DialectFile, ...]:
    """The files of IRDL. Raises Exit after it was reported that one cannot be read."""
    if not files:
        return ()
    from fathom.descriptions.files import IRDL, DialectFile

    given = [read_text(file, streams) for file in files if file.endswith(IRDL)]
    return tuple(DialectFile(given_file.name, given_file.text) for given_file in given)


def code_in(files: Sequence[str], streams: Streams) -> tuple[Code, ...]:
    """The modules with code of dialects. Raises Exit after what is wrong with one was reported."""
    return tuple(_code(file, streams) for file in files if file.endswith(CODE))


def described(
    files: Sequence[str], parsed: Parsed, streams: Streams, modules: tuple[Code, ...] = ()
) -> tuple[Description, ...]:
    """The dialects that files describe, with what `modules` say of them; what several `.td` files define of one is
    together. Raises Exit after it was reported that one cannot be read."""
    of_records = tuple((records_in(file, parsed, streams), file) for file in files if is_of_records(file))
    descriptions = _described(of_records, modules) if of_records else ()
    written = [
        read_text(file, streams) for file in files if not is_of_records(file) and not file.endswith((".mlir", CODE))
    ]
    return (*descriptions, *(_description(given.text, given.name, modules) for given in written))


@lru_cache(_KEPT)
def _described(sources: tuple[tuple[Records, str], ...], modules: tuple[Code, ...]) -> tuple[Description, ...]:
    """What records describe: once for the same records, so that a process that reads files again and again, and finds
    them unchanged, has what it learned of their dialects."""
    from fathom.dialects import code_of
    from fathom.irdl.ods.reader import read_together

    return tuple(read_together(sources, code_of, _codes(modules)))


def _codes(modules: Sequence[Code]) -> dict[str, DialectCode]:
    if not modules:
        return {}
    from fathom.descriptions.code import code_by_dialect

    return code_by_dialect(modules)


@lru_cache(_KEPT)
def _description(text: str, name: str, modules: tuple[Code, ...]) -> Description:
    from fathom.irdl.description import Description

    description = Description(text, name)
    code = _codes(modules).get(description.name)
    return description if code is None or description.extends else Description(text, name, code)


def _code(file: str, streams: Streams) -> Code:
    """The code in a module. Raises Exit after what is wrong with it was reported."""
    from fathom.descriptions.code import WrongCode

    given = read_text(file, streams)
    try:
        return _read_code(given.name, given.text)
    except WrongCode as error:
        raise streams.fail(str(error)) from None


@lru_cache(_KEPT)
def _read_code(path: str, text: str) -> Code:
    from fathom.descriptions.code import read_code

    del text  # What was read of one is not read again until it changes.
    return read_code(path)


def is_of_records(file: str) -> bool:
    """Whether a file has definitions in TableGen, or what llvm-tblgen makes of such."""
    return file.endswith((".td", ".json"))


def records_in(file: str, parsed: Parsed, streams: Streams) -> Records:
    """The records of a file: of one in TableGen, which finds MLIR's own where these are usually, or of the JSON of
    llvm-tblgen. Raises Exit after what is wrong with it was reported."""
    given = read_text(file, streams)
    if not file.endswith(".td"):
        from fathom.tablegen.json import NotRecords, read_json

        try:
            return read_json(given.text)
        except NotRecords as error:
            raise streams.fail(f"{given.name}: {error}") from None
    from pathlib import Path

    from fathom.cli.tablegen_mistakes import show
    from fathom.irdl.ods.generator_checks import refused
    from fathom.tablegen.folders import usual_folders

    folders = (str(Path(file).parent), *parsed[INCLUDE], *usual_folders())
    reading = _reader(given.name, folders, parsed[MACRO]).read(
        given.name, folders, {given.name: given.text}, parsed[MACRO]
    )
    if reading.errors:
        raise streams.fail(show(reading).rstrip("\n"))
    if wrong := tuple(refused(reading.records, given.name)):
        raise streams.fail(show(reading, wrong).rstrip("\n"))
    return reading.records


@lru_cache(_KEPT)
def _reader(file: str, folders: tuple[str, ...], macros: tuple[str, ...]) -> Reader:
    """The reader of a file, which reads again what changed only."""
    from fathom.tablegen.reading import Reader

    return Reader()
