"""The process that runs code of a workspace to see what it says, `python -P -m fathom_server.session.own_code.inside`.

It gets descriptions and code on standard input, and tells what it saw on standard output, both in JSON: what such code
could write itself is no more than data to who reads it.
"""

from __future__ import annotations

import json
import os
import sys

from fathom.context import Context
from fathom.descriptions.code import (
    Code,
    CodeMistake,
    WrongCode,
    code_by_dialect,
    context_with,
    mistakes_in_names,
    read_code,
)
from fathom.descriptions.files import DialectFile, dialects_in
from fathom.execution.containment.kernel import die_with_parent
from fathom.irdl.aspects import Aspect
from fathom.irdl.code import DialectCode
from fathom.rewriting.lowerings import LOWERING, DialectLowering
from fathom_server.session.own_code.kept import contain, timed

MEMORY = 1 << 30
"""Bytes that the process may take."""


def context_of(files: tuple[DialectFile, ...], code: tuple[DialectFile, ...]) -> Context:
    """The context of descriptions with what modules in Python say, which are run for it. Raises WrongCode."""
    return context_with(
        dialects_in(files).values(), [read_code(dialect_file.path, dialect_file.text) for dialect_file in code]
    )


def _seen(files: tuple[DialectFile, ...], code: tuple[DialectFile, ...]) -> dict[str, object]:
    mistakes: list[CodeMistake] = []
    modules: list[Code] = []
    for dialect_file in code:
        try:
            modules.append(read_code(dialect_file.path, dialect_file.text))
        except WrongCode as wrong:
            mistakes.append(wrong.mistake)
        except OSError as refused:  # which may come a little after what is refused
            mistakes.append(CodeMistake(dialect_file.path, 1, f"{type(refused).__name__}: {refused}"))
    context = Context(dialects_in(files))
    mistakes += dict.fromkeys(mistake for module in modules for mistake in mistakes_in_names(module, context))
    spoken = {name: _lowered_to(dialect_code) for name, dialect_code in code_by_dialect(modules).items()}
    return {"mistakes": [[mistake.path, mistake.line, mistake.message] for mistake in mistakes], "spoken": spoken}


def _lowered_to(code: DialectCode) -> list[str] | None:
    aspect: Aspect[DialectLowering] = LOWERING
    said = code.aspects.get(aspect)
    lowering = said() if said is not None else None
    return sorted(lowering.into) if lowering is not None and (lowering.rules or lowering.types) else None


def main() -> None:
    """Sees what the code says, and tells it."""
    die_with_parent(os.getppid())
    asked = json.loads(sys.stdin.buffer.read())
    files, code = (tuple(DialectFile(path, text) for path, text in asked[key]) for key in ("files", "code"))
    answers = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    contain(MEMORY)
    with timed(float(asked["seconds"])):
        seen = _seen(files, code)
    rest = memoryview(json.dumps(seen).encode())
    while rest:
        rest = rest[os.write(answers, rest) :]


if __name__ == "__main__":
    main()
