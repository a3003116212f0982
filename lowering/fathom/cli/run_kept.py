"""What `fathom run` knows of a command that it was given before, so that nothing has to be lowered: what the program is
asked with, under which name its code is kept, and what was told on the way.

An entry follows from the text, its name, the options that make the program, and what all that is kept follows from. The
options that only say how it is called are not among them.
"""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import TYPE_CHECKING, Final

from fathom.cli.dialect_options import DIALECTS
from fathom.cli.pass_options import PIPELINE
from fathom.cli.run_options import (
    ARGUMENTS,
    ARGUMENTS_FILE,
    CONTAINED,
    DEBUG,
    DIGITS,
    DUMP,
    JSON,
    LIBRARIES,
    MOST_PRINTED,
    NO_CACHE,
    SAVE,
    SHOWN,
    TIMEOUT,
)
from fathom.execution.outcome import RunProblem, RunRequest
from fathom.execution.process import name_of_program
from fathom.kept import here
from fathom.kept.folder import name_of
from fathom.kept.stamp import stamp
from fathom.records import record, replace

if TYPE_CHECKING:
    from fathom.cli.commands import Parsed
    from fathom.cli.streams import Input
    from fathom.kept.folder import Kept

_OF_THE_CALL: Final = {
    option.name
    for option in (
        *(ARGUMENTS, ARGUMENTS_FILE, TIMEOUT, MOST_PRINTED, CONTAINED, LIBRARIES),
        *(JSON, SHOWN, DIGITS, SAVE),
    )
}
"""The options that make no other program."""
_READS_FILES: Final = "transform-preload-library"
"""A pass of which it is not known what it reads."""


@record
class Known:
    """What is known of a program: a request without arguments, with the code; and what was told of it."""

    request: RunRequest
    told: str


def kept_for(parsed: Parsed) -> Kept | None:
    """Where the code of a program is kept that this command line makes; None if it is not."""
    return None if parsed[NO_CACHE] or parsed[DEBUG] else here()


def name_of_run(parsed: Parsed, given: Input) -> str | None:
    """The name of what is known of the program in an input; None where it may follow from other files."""
    words = (*parsed.passes, parsed[PIPELINE])
    if parsed[DUMP] or any(_READS_FILES in word for word in words):
        return None
    dialects: list[bytes] | None = []
    if any(option.name in parsed.values for option in DIALECTS.options):
        from fathom.cli.run_descriptions import held

        dialects = held(parsed)
    if dialects is None:
        return None
    options = sorted((name, repr(value)) for name, value in parsed.values.items() if name not in _OF_THE_CALL)
    asked = repr((options, parsed.passes, bool(parsed[ARGUMENTS] or parsed[ARGUMENTS_FILE])))
    return name_of("run", stamp(), given.name, given.text, asked, *dialects)


def known(kept: Kept, name: str) -> Known | None:
    """What is known under a name, if the code is still there."""
    data = kept.get(name)
    if data is None:
        return None
    try:
        found, code_name = _Reader(BytesIO(data)).load()
    except (pickle.UnpicklingError, AttributeError, ImportError, LookupError, TypeError, ValueError, EOFError):
        return None
    if not isinstance(found, Known) or (code := kept.get(code_name)) is None:
        return None
    return replace(found, request=replace(found.request, code=code))


def remember(kept: Kept, name: str, request: RunRequest, told: str) -> None:
    """Keeps what is known of a program, if its code is kept."""
    try:
        code_name = name_of_program(request)
    except RunProblem:
        return
    if not kept.has(code_name):
        return
    plain = replace(request, llvm_ir="", arguments=(), libraries=(), code=b"")
    try:
        data = pickle.dumps((Known(plain, told), code_name))
    except (pickle.PicklingError, AttributeError, TypeError, RecursionError):
        return
    kept.put(name, data)


class _Reader(pickle.Unpickler):
    """Reads records of Fathom's and nothing else. Whoever could write an entry could write machine code, too; this
    keeps an entry of another version from meaning anything."""

    def find_class(self, module: str, name: str) -> object:
        found = super().find_class(module, name) if module.startswith("fathom.") else None
        if isinstance(found, type) or (module, name) == ("fathom.records", "_put_up"):
            return found
        raise pickle.UnpicklingError(f"an entry names {module}.{name}")
