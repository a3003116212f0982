"""What files that describe dialects hold, with all that they follow from: by that it is known whether a program that is
lowered with them is the same as before.

A `.td` file follows from what it includes, wherever that is looked up. A module in Python is code, which may do
anything; it is known what it follows from where it imports nothing but Fathom and modules of the standard library that
only compute, and names nothing that reads or prints. With another one all is lowered each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fathom.cli.dialect_options import CODE, DIALECT, DIALECT_PATH, IRDL_FILE
from fathom.cli.tablegen_options import INCLUDE
from fathom.text.files import beside, names_in, read_bytes

if TYPE_CHECKING:
    import ast

    from fathom.cli.commands import Parsed

_ALONE: Final = (".toml", ".mlir", ".json")
"""How the names of descriptions end that name no other files."""
_INCLUDED: Final = re.compile(rb'\binclude\s*"([^"\n]*)"')
_MOST_INCLUDED: Final = 2000
"""Of a file that includes more it is not known what it follows from."""
_COMPUTE: Final = frozenset(
    "__future__ abc collections copy dataclasses enum fractions functools itertools math numbers operator re string "
    "struct textwrap types typing".split()
)
"""Modules of the standard library whose functions give what follows from what they are given."""
_OF_FATHOM: Final = frozenset("bufferization dialect dialects diagnostics ir irdl ops passes records rewriting".split())
"""Packages of Fathom of which the same holds."""
_REACHING_OUT: Final = frozenset(
    "breakpoint compile eval exec exit globals help input locals open print quit vars".split()
)
"""Functions of Python that do something else."""
_OWN: Final = re.compile(r"__(?!(?:init|post_init|name|doc|class|slots)__)\w+__")
"""Names by which code gets at what is around it."""


class _Unknown(Exception):
    """It is not known what a file follows from."""


def held(parsed: Parsed) -> list[bytes] | None:
    """What the files hold that describe dialects, and those that these follow from, with their names; None where that
    is not known."""
    found = list[bytes]()
    try:
        files = [*parsed[DIALECT], *parsed[IRDL_FILE]]
        for folder in parsed[DIALECT_PATH]:
            files += (f"{folder}/{name}" for name in sorted(names_in(folder)) if name.endswith(".toml"))
        for file in files:
            data = read_bytes(file)
            found += (_name(file), data)
            if file.endswith(".td"):
                found += _included(file, data, parsed[INCLUDE])
            elif file.endswith(CODE):
                _check_code(data)
            elif not file.endswith(_ALONE):
                return None
    except (OSError, _Unknown):
        return None
    return found


def _name(file: str) -> bytes:
    return file.encode("utf-8", "surrogateescape")


# ---- TableGen


def _included(file: str, data: bytes, asked: tuple[str, ...]) -> Iterator[bytes]:
    """What is included by a file, and by that: for each name what it means, if anything. What stands in comments, and
    what no macro asks for, is taken as well. Raises _Unknown."""
    from fathom.tablegen.folders import usual_folders

    folders = (beside(file) or ".", *asked, *usual_folders())
    yield from map(_name, folders)
    met, pending = set[bytes](), [data]
    while pending:
        for name in _INCLUDED.findall(pending.pop()):
            if name in met:
                continue
            met.add(name)
            if len(met) > _MOST_INCLUDED:
                raise _Unknown
            path, text = _found(name.decode("utf-8", "surrogateescape"), folders)
            yield from (name, _name(path), text)
            pending.append(text)


def _found(name: str, folders: tuple[str, ...]) -> tuple[str, bytes]:
    """The path of a file that is included, and what it holds; both empty where there is none."""
    for path in (name, *(f"{folder}/{name}" for folder in folders)):
        try:
            return path, read_bytes(path)
        except (OSError, ValueError):
            continue
    return "", b""


# ---- Python


def _check_code(data: bytes) -> None:
    """Raises _Unknown for code of which it is not known what it follows from."""
    import ast

    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _Unknown from None
    for node in ast.walk(tree):
        if any(not _computes(module) for module in _imported(node)):
            raise _Unknown
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if _OWN.fullmatch(name) or (isinstance(node, ast.Name) and name in _REACHING_OUT):
            raise _Unknown


def _imported(node: ast.AST) -> Iterator[str]:
    """The modules that a statement imports; an empty name for one that stands beside the code."""
    import ast

    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = "" if node.level or node.module is None else node.module
        # From a package a name may be a module.
        yield from (f"{module}.{alias.name}" for alias in node.names) if module == "fathom" else (module,)


def _computes(module: str) -> bool:
    first, _, rest = module.partition(".")
    return rest.partition(".")[0] in _OF_FATHOM if first == "fathom" else first in _COMPUTE
