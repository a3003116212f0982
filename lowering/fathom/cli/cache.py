"""`fathom cache`: says where code is kept that was compiled, and how much of it; and removes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.cli.commands import Command, Group
from fathom.cli.options import flag
from fathom.kept.folder import MOST_BYTES, Usage, opened
from fathom.kept.places import SWITCH, is_on, places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.cli.streams import Streams

EXAMPLE: Final = """\
  fathom cache
  fathom cache --clear
"""
CLEAR: Final = flag("clear", "remove all of it")
COMMAND: Final = Command(
    "cache",
    "Says where the code of programs is kept that were run, and how much of it there is.",
    EXAMPLE,
    (Group("options", (CLEAR,)),),
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    if not is_on():
        streams.stdout.write(f"nothing is kept: {SWITCH} says so\n")
        return 0
    place = places()
    kept = opened(place) if place is not None else "nothing says where the home of the user is"
    if place is None or isinstance(kept, str):
        streams.stderr.write(f"{COMMAND.program}: error: nothing is kept: {kept}\n")
        return 1
    if parsed[CLEAR]:
        streams.stdout.write(f"removed {_said(kept.empty())} from {place.folder}\n")
    else:
        streams.stdout.write(f"{place.folder}: {_said(kept.usage())}, of at most {MOST_BYTES >> 20} MiB\n")
    return 0


def _said(usage: Usage) -> str:
    entries = "1 entry" if usage.entries == 1 else f"{usage.entries} entries"
    size = f"{usage.bytes / (1 << 20):.1f} MiB" if usage.bytes >= 1 << 20 else f"{usage.bytes / (1 << 10):.1f} KiB"
    return f"{entries}, {size}"
