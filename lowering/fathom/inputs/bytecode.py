"""Bytecode in the place of a text: read as the text would be, and written.

It is imported when a command meets bytecode, or is asked for it.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from fathom.bytecode.form import NEWEST
from fathom.bytecode.reader import origin, read_bytecode
from fathom.bytecode.writer import write_bytecode
from fathom.context import Context
from fathom.diagnostics import Diagnostic, Note
from fathom.elaborate import Loaded, load, module_of
from fathom.inputs.registration import is_unknown, unregistered_in_bytecode
from fathom.ir.operation_printer import Locator
from fathom.records import replace
from fathom.text.encodings import utf8

_HEAD: Final = 10_000
"""How many characters of a file are looked at for who wrote it."""


def load_bytecode(
    text: str, context: Context, *, allow_unregistered: bool, known: Container[str]
) -> tuple[Loaded, list[Diagnostic]]:
    """What a file of bytecode holds, before it is verified, with what is wrong with it. `text` is the file, its bytes
    beyond UTF-8 kept as surrogates."""
    read = read_bytecode(utf8(text), context, lambda name: not allow_unregistered and is_unknown(name, context))
    loaded = load("", context)
    if read.problem is not None:
        return loaded, with_origin([read.problem], text)
    loaded.elaborated.operations = list(read.operations)
    loaded = replace(loaded, module=module_of(read.operations, context), metadata=read.metadata)
    refused = unregistered_in_bytecode(loaded.module, context, known, only_complete=allow_unregistered)
    return loaded, with_origin(refused, text)


def bytecode_of(loaded: Loaded, locate: Locator, *, version: int | None, elide: bool) -> str | Diagnostic:
    """The file that a module is, its bytes beyond UTF-8 as surrogates; or what stands in the way."""
    written = write_bytecode(
        loaded.module,
        locate,
        loaded.metadata.external,
        version=NEWEST if version is None else version,
        elide=elide,
    )
    return written if isinstance(written, Diagnostic) else written.decode("utf-8", "surrogateescape")


def with_origin(problems: list[Diagnostic], text: str) -> list[Diagnostic]:
    """What is wrong with a file of bytecode, each with a note that says where the file comes from."""
    said = origin(utf8(text[:_HEAD]))
    note = () if said is None else (Note(said),)
    return [replace(problem, notes=(*problem.notes, *note)) for problem in problems]
