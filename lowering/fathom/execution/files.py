"""Arguments in files: an array in a `.npy` file, or one by its name in a `.npz` file, written `x.npz[name]`; a list of
arguments in a `.json` file, or the arrays of a `.npz` file.

NumPy reads them, and never what is pickled. Source of the format: *numpy.lib.format*, versions 1.0 to 3.0.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NoReturn

from fathom.execution.arrays import from_numpy, plain
from fathom.execution.outcome import ArgumentProblem, Array, Given
from fathom.execution.scalars import describe

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

    from numpy.typing import NDArray

_NAMED: Final = re.compile(r"(.*\.npz)\[([^\[\]]+)\]", re.DOTALL)
_LARGEST: Final = 1 << 30
"""Bytes that an array, or a file of arguments, may have."""
_DEEPEST: Final = 100
"""Files are looked for no deeper in lists."""
_IN_OBJECTS: Final = ("data", "fill")


def names_array(word: str) -> bool:
    """Whether a word names a file with an array."""
    return word.endswith((".npy", ".npz")) or _NAMED.fullmatch(word) is not None


def with_files(values: Sequence[Given], folder: Path) -> list[Given]:
    """The arguments, with what the files hold that they name, also as the elements of an object. A path counts from the
    folder. Raises ArgumentProblem."""
    return [_with_files(value, folder, f"arguments[{i}]", _DEEPEST) for i, value in enumerate(values)]


def _with_files(value: Given, folder: Path, path: str, depth: int) -> Given:
    match value:
        case str() if names_array(value):
            return _read(value, folder, path)
        case Mapping() if depth:
            return {
                key: _with_files(each, folder, f"{path}.{key}", depth - 1) if key in _IN_OBJECTS else each
                for key, each in value.items()
            }
        case list() if depth and any(isinstance(each, (str, list, Mapping)) for each in value):
            return [_with_files(each, folder, f"{path}[{i}]", depth - 1) for i, each in enumerate(value)]
        case _:
            return value


def _read(word: str, folder: Path, path: str) -> Given:
    match = _NAMED.fullmatch(word)
    arrays = _arrays(folder, match[1] if match else word, path, match[2] if match else None)
    if len(arrays) != 1:
        names = ", ".join(f"{word}[{name}]" for name in list(arrays)[:5])
        raise ArgumentProblem(path, f"the name of an array in '{word}', such as {names or 'one of none'}", "none")
    (array,) = arrays.values()
    return array if array.shape else plain(array)


def _arrays(folder: Path, name: str, path: str, wanted: str | None) -> dict[str, Array]:
    """The arrays in a file, by their names; that of a `.npy` file has none. Raises ArgumentProblem."""
    file = folder / name

    from zipfile import BadZipFile, ZipFile

    def no(why: object) -> NoReturn:
        raise ArgumentProblem(path, "an array of numbers", f"'{name}': {why}")

    try:
        with file.open("rb") as stream:
            if not name.endswith(".npz"):
                return {"": _array(stream, file.stat().st_size)}
            with ZipFile(stream) as archive:
                members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
                if wanted is not None and wanted not in members:
                    no(f"it has no array '{wanted}', but {', '.join(list(members)[:10]) or 'none'}")
                chosen = members if wanted is None else {wanted: members[wanted]}
                return {key: _member(archive, info) for key, info in chosen.items()}
    except OSError as problem:
        got = f"'{name}': {problem.strerror or problem}"
        raise ArgumentProblem(path, "a file that can be read", got) from None
    except (ValueError, EOFError, KeyError, MemoryError, SyntaxError, RuntimeError, BadZipFile) as problem:
        no(_first_line(problem))


def _member(archive: ZipFile, info: ZipInfo) -> Array:
    with archive.open(info) as stream:
        return _array(stream, info.file_size)


def _array(stream: IO[bytes], size: int) -> Array:
    """The array in a stream of so many bytes. Raises ValueError and what NumPy raises."""
    import numpy as np
    from numpy.lib import format

    if size > _LARGEST:
        raise ValueError(f"it has {size} bytes, more than {_LARGEST}")
    try:
        version = format.read_magic(stream)
    except ValueError:
        raise ValueError("this is no array of numbers as NumPy writes it") from None
    header: Any = format.read_array_header_1_0 if version[0] == 1 else format.read_array_header_2_0
    try:
        shape, by_columns, dtype = header(stream)
    except Exception as problem:  # NumPy has Python's tokenizer and parser read it, which raise what they like.
        raise ValueError(f"its header cannot be read: {_first_line(problem)}") from None
    if dtype.hasobject:
        raise ValueError("it holds objects of Python (pickled), which are not loaded")
    if dtype.itemsize * math.prod(shape) > size:
        raise ValueError("it ends before its last element")
    count = math.prod(shape)
    data = stream.read(count * dtype.itemsize)
    if len(data) < count * dtype.itemsize:
        raise ValueError("it ends before its last element")
    made: NDArray[Any] = np.frombuffer(data, dtype, count)
    return from_numpy(made.reshape(shape[::-1]).T if by_columns else made.reshape(shape))


def _first_line(problem: BaseException) -> str:
    lines = f"{problem}".strip().splitlines()
    return lines[0][:200] if lines else type(problem).__name__


# ---- whole lists of arguments


def read_arguments(name: str, names: Sequence[str], folder: Path) -> list[Given]:
    """The arguments in a file: a list of JSON, or an object with a value for each name of an argument; or the arrays of
    a `.npz` file, by the names of arguments, or else in their order. `names` are those of the arguments, as far as they
    have some. Raises ArgumentProblem."""
    if name.endswith((".npz", ".npy")):
        arrays = _arrays(folder, name, "arguments", None)
        values: Given = {key: array if array.shape else plain(array) for key, array in arrays.items()}
        return _in_order(values, names) if set(values) == set(names) and names else list(values.values())
    file = folder / name
    try:
        if file.stat().st_size > _LARGEST:
            raise ArgumentProblem("arguments", f"a file below {_LARGEST} bytes", f"'{name}'")
        given: Given = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise ArgumentProblem("arguments", "a file that can be read", f"'{name}': {problem.strerror}") from None
    except (ValueError, RecursionError) as problem:
        raise ArgumentProblem("arguments", "JSON", f"'{name}': {_first_line(problem)}") from None
    if isinstance(given, Mapping):
        given = _in_order(given, names)
    if not isinstance(given, list):
        raise ArgumentProblem("arguments", "a list, or an object with a value for each argument", describe(given))
    return with_files(given, file.parent)


def _in_order(values: Mapping[str, Given], names: Sequence[str]) -> list[Given]:
    """The values by the names of the arguments. Raises ArgumentProblem."""
    for key in values:
        if key not in names:
            known = ", ".join(names) or "it names none"
            raise ArgumentProblem(f"arguments.{key[:40]}", f"the name of an argument ({known})", describe(key))
    missing = next((name for name in names if name not in values), None)
    if missing is not None:
        raise ArgumentProblem(f"arguments.{missing}", "a value", "none")
    return [values[name] for name in names]
