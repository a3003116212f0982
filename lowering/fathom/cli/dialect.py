"""`fathom dialect`: descriptions of dialects, checked, shown, and made of other definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_dump import DUMP, dump
from fathom.cli.dialect_options import (
    DIALECTS,
    code_in,
    context_of,
    described,
    irdl_in,
    kept_in,
    mistakes_in,
    mistakes_in_code,
    records_in,
)
from fathom.cli.input_options import OUTPUT
from fathom.cli.options import flag, text
from fathom.cli.streams import Streams
from fathom.cli.tablegen_options import INCLUDE, MACRO
from fathom.text.files import is_folder

if TYPE_CHECKING:
    from fathom.irdl.description import Description

TEXTS: Final = flag("texts", "with the summaries and descriptions of operations; without them, it has the facts only")
ONLY: Final = text("only", "of several dialects that a file describes, this one", "NAME")
TABLEGEN: Final = Group("TableGen", (INCLUDE, MACRO))

CHECK: Final = Command(
    "dialect check",
    "Says what is wrong with a description, each mistake with its place; and with the code that belongs to it. Of the "
    "folder of an MLIR it says what its dialects have otherwise than the release that it is nearest to.",
    "  fathom dialect check shop.toml shop.py\n",
    (TABLEGEN,),
    file_help="the description of a dialect, or the module with its code; or a folder",
    several_files=True,
)
SHOW: Final = Command(
    "dialect show",
    "Shows what is known of an operation, or which operations a dialect has.",
    "  fathom dialect show arith.addi\n",
    (DIALECTS,),
    file_help="of an operation, such as arith.addi, or of a dialect",
    argument="NAME",
)
IMPORT: Final = Command(
    "dialect import",
    "Writes the description of a dialect that is defined in TableGen.",
    "  fathom dialect import ToyOps.td -I include -o toy.toml\n",
    (Group("options", (OUTPUT, ONLY, TEXTS)), TABLEGEN),
    file_help="a .td file, or the .json of llvm-tblgen --dump-json",
)

USAGE: Final = """\
usage: fathom dialect COMMAND [OPTIONS]

commands:
  check       say what is wrong with a description
  show        show what is known of an operation or a dialect
  import      write the description of a dialect that is defined in TableGen
  dump        print what a TableGen file says as JSON, as llvm-tblgen --dump-json does

`fathom dialect COMMAND --help` shows the options of a command, with an example.

example:
  fathom dialect show arith.addi
"""


def main(arguments: Sequence[str], streams: Streams) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "-help", "help"):
        streams.stdout.write(USAGE)
        return 0
    name, *rest = arguments
    if name not in _COMMANDS:
        raise streams.fail(f"fathom dialect: unknown command '{name}'.  Try: 'fathom dialect --help'")
    command, run = _COMMANDS[name]
    return run(command.parse(rest, streams), streams)


def _check(parsed: Parsed, streams: Streams) -> int:
    from fathom.descriptions.files import dialects_in

    files = parsed.files or [parsed.file]
    if len(files) == 1 and is_folder(files[0]):
        from fathom.cli.dialect_folder import check_folder

        return check_folder(files[0], streams)
    of_irdl, modules = irdl_in(files, streams), code_in(files, streams)
    descriptions = described(files, parsed, streams, modules)
    mistakes = mistakes_in(of_irdl, descriptions)
    if not mistakes and not descriptions and not dialects_in(of_irdl):
        raise streams.fail(f"{parsed.file}: describes no dialect")
    mistakes = mistakes or mistakes_in_code(of_irdl, descriptions, modules)
    for mistake in mistakes or kept_in(descriptions):
        streams.stderr.write(f"{mistake}\n")
    if not mistakes:
        streams.stdout.write("".join(f"{_counted(description)}\n" for description in descriptions))
    return int(bool(mistakes))


def _counted(description: Description) -> str:
    """What is kept as it is written of a dialect, by name, and how much of it is checked."""
    tables = (
        ("operation", description.operations),
        ("type", description.types),
        ("attribute", description.attributes),
    )
    kept: list[str] = []
    checked: list[str] = []
    for noun, definitions in tables:
        names = [
            name.removeprefix(f"{description.name}.") for name, definition in definitions.items() if definition.opaque
        ]
        kept += [f"{noun}s {', '.join(names)}"] if names else []
        count = len(definitions) - len(names)
        checked += [f"{count} {noun}{'s' if count != 1 else ''}"] if count or noun == "operation" else []
    left = f"kept as written: {'; '.join(kept)}; " if kept else ""
    return f"{description.name}: {left}checked: {', '.join(checked)}"


def _show(parsed: Parsed, streams: Streams) -> int:
    from fathom.irdl.spelling import spell_operation

    if not parsed.files:
        raise streams.fail(f"{SHOW.program}: name an operation or a dialect")
    context, name = context_of(parsed, streams), parsed.file
    definition = context.lookup(name)
    if definition is not None:
        streams.stdout.write(spell_operation(definition))
        return 0
    dialect = context.dialect(name)
    if dialect is None:
        what = "operation" if "." in name else "dialect"
        raise streams.fail(f"fathom dialect show: no {what} '{name}' is known")
    for known in dialect.by_name.values():
        streams.stdout.write(f"{known.name:<40}{known.summary}".rstrip() + "\n")
    return 0


def _import(parsed: Parsed, streams: Streams) -> int:
    from fathom.irdl.ods.reader import describe, dialects_of

    records = records_in(parsed.file, parsed, streams)
    names = [name for name in dialects_of(records, parsed.file) if parsed[ONLY] in ("", name)]
    if len(names) != 1:
        which = f"describes {', '.join(names)}: name one with --only" if names else "describes no such dialect"
        raise streams.fail(f"{parsed.file}: {which}")
    streams.write(parsed[OUTPUT], describe([records], names[0], texts=parsed[TEXTS]))
    return 0


_COMMANDS: Final[Mapping[str, tuple[Command, Callable[[Parsed, Streams], int]]]] = {
    "check": (CHECK, _check),
    "show": (SHOW, _show),
    "import": (IMPORT, _import),
    "dump": (DUMP, dump),
}
