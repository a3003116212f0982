"""Values on the command line: arguments as they are typed or lie in files, and results as NumPy prints them.

--args '2.0, [1, 2, 3], {shape: [3], fill: 10}, random(4, 4, seed=7), x.npy'
--args-file arguments.json
--digits=all --save out.npz --show-arguments=all
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from fathom.cli.run_options import ARGUMENTS, ARGUMENTS_FILE, DIGITS, SHOWN
from fathom.execution.argument_text import parse_arguments
from fathom.execution.arrays import as_numpy, kind_of, plain
from fathom.execution.layouts import numbers_of
from fathom.execution.outcome import ArgumentProblem, Array, Changes, Given, Json, RunOutcome
from fathom.execution.spelled import USUAL_DIGITS, list_of, of_values, spell, spell_array, spell_typed
from fathom.ir.floats import from_float, to_float
from fathom.ir.types import FloatType
from fathom.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fathom.cli.commands import Parsed
    from fathom.execution.elements import Elements
    from fathom.ir.types import Type

SHOWN_BYTES: Final = 1 << 26
"""So many bytes of an array are looked at to show it."""
SAVED_BYTES: Final = 1 << 30


def given_values(parsed: Parsed, names: Sequence[str], change: Callable[[str], str] = str) -> list[Given]:
    """The arguments. `names` are those that the function has for them, if it has. What is typed is changed before it is
    read. Raises ArgumentProblem."""
    if not parsed[ARGUMENTS_FILE]:
        values: Sequence[Given] = parse_arguments(change(_with_commas(parsed[ARGUMENTS])))
        if not any(isinstance(value, (str, list, dict)) for value in values):
            return list(values)
        from pathlib import Path

        from fathom.execution.files import with_files

        return with_files(values, Path())
    if parsed[ARGUMENTS]:
        raise ArgumentProblem("arguments", "either --args or --args-file", "both")
    from pathlib import Path

    from fathom.execution.files import read_arguments

    return read_arguments(parsed[ARGUMENTS_FILE], names, Path())


def _with_commas(words: Sequence[str]) -> str:
    """`1 2`, `1, 2`, `[1 2]` and `{shape: [2] fill: 0}`, as a shell splits them, have commas between values."""
    text = ""
    for word in words:
        joined = not text or text[-1] in ",:[({=" or word[:1] in ("", ",", ":", "]", ")", "}")
        text += (" " if joined else ", ") + word
    return text.strip().removesuffix(",")


def without_arrays(values: Sequence[Given]) -> list[Json]:
    """Arguments with lists in the place of arrays of NumPy."""
    return [_without_arrays(value) for value in values]


def _without_arrays(value: Given) -> Json:
    match value:
        case Array():
            return plain(value)
        case list():
            return without_arrays(value)
        case Mapping():
            return {key: _without_arrays(each) for key, each in value.items()}
        case _:
            return cast("Json", value)


# ---- what came of a run


def shown(outcome: RunOutcome, result_types: Sequence[Type], parsed: Parsed) -> Iterator[str]:
    """The lines that tell of results, and of what the function did to its arguments."""
    floats = parsed[DIGITS]
    for value, type, elements in zip(outcome.results, result_types, outcome.result_elements, strict=True):
        yield spell_elements(elements, floats) if elements is not None else spell_typed(value, type, floats)
    if parsed[SHOWN] == "changes":
        for changes in outcome.changes:
            yield from _changed(changes)
    elif parsed[SHOWN] == "all":
        for elements in outcome.argument_elements:
            yield f"{_argument(elements.path)}: {spell_elements(elements, floats)}"


def _argument(path: str) -> str:
    """How an argument is called by whose path it is."""
    number, _, rest = path.removeprefix("arguments[").partition("]")
    return f"argument #{number}{rest}"


def _changed(changes: Changes) -> Iterator[str]:
    if changes.total == 1 and len(changes.first) == 1 and not changes.first[0].index:
        (only,) = changes.first
        yield f"{_argument(changes.path)}: {_quoted(only.before)} -> {_quoted(only.after)}"
        return
    noun = "element" if changes.total == 1 else "elements"
    yield f"{_argument(changes.path)}: {changes.count} of {changes.total} {noun} changed"
    for change in changes.first:
        yield f"  [{', '.join(map(str, change.index))}]: {spell(change.before)} -> {spell(change.after)}"
    if changes.count > len(changes.first):
        yield f"  and {changes.count - len(changes.first)} more"


def _quoted(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else spell(value)


def spell_elements(elements: Elements, floats: int | None = USUAL_DIGITS) -> str:
    """The elements of an array as NumPy prints them: long ones are cut."""
    if elements.is_one:
        return spell_typed(elements.to_json(1), elements.element, floats)
    if elements.is_text and elements.text is not None:
        return _quoted(elements.text)
    if not elements.shape:
        return spell_typed(elements.values(1)[0], elements.element, floats) if elements.count else "nothing"
    more = f" and {elements.missing} more" if elements.missing else ""
    return spell_array(_numpy_of(elements), floats) + more + (" (freed)" if elements.deallocated else "")


def _numpy_of(elements: Elements) -> NDArray[Any]:
    """The elements that are there, in their shape if all are."""
    array = elements.array()
    if array is not None:
        return as_numpy(array)
    values = of_values(elements.values(), elements.element)
    return values if elements.missing else values.reshape((*elements.shape, *values.shape[1:]))


# ---- files


@record
class Unsaved(Exception):
    """Why values are not written."""

    why: str


def save(outcome: RunOutcome, result_types: Sequence[Type], file: str) -> None:
    """Writes results as files of NumPy. Raises Unsaved."""
    import numpy as np

    arrays = dict(_named_arrays(outcome, result_types))
    try:
        if file.endswith(".npz"):
            made: dict[str, Any] = {name: array() for name, array in arrays.items()}
            np.savez(file, **made)
        elif file.endswith(".npy"):
            results = [array for name, array in arrays.items() if name.startswith("result")] or list(arrays.values())
            if len(results) != 1:
                raise Unsaved(f"a .npy file holds one array, and there are {len(results)}: name a .npz file")
            np.save(file, results[0]())
        else:
            raise Unsaved("the file is called .npy or .npz")
    except OSError as problem:
        raise Unsaved(problem.strerror or str(problem)) from None


def _named_arrays(outcome: RunOutcome, result_types: Sequence[Type]) -> Iterator[tuple[str, Any]]:
    from functools import partial

    for i, (value, type) in enumerate(zip(outcome.results, result_types, strict=True)):
        elements = outcome.result_elements[i]
        if elements is not None and not elements.is_one:
            yield f"result{i}", partial(_saved, elements, f"result #{i}")
        else:
            yield f"result{i}", partial(_saved_value, value, type, f"result #{i}")
    for elements in outcome.argument_elements:
        if elements.path.endswith("]") and elements.path.count("[") == 1:
            name = _argument(elements.path)
            yield name.replace(" #", ""), partial(_saved, elements, name)


def _saved(elements: Elements, name: str) -> NDArray[Any]:
    if elements.missing:
        raise Unsaved(f"{name} has {elements.missing} elements more than are read of an array")
    array = elements.array()
    return as_numpy(array) if array is not None else _storable(_numpy_of(elements), elements.element, name)


def _saved_value(value: Json, type: Type, name: str) -> NDArray[Any]:
    numbers = numbers_of(type)
    shape, element = numbers if numbers is not None else ((), type)
    flat: list[Json] = [value]
    for _ in shape:
        flat = [each for row in flat for each in list_of(row)]
    return _storable(of_values(flat, element).reshape(shape), element, name)


def _storable(array: NDArray[Any], element: Type, name: str) -> NDArray[Any]:
    """An array of elements that NumPy has. Floats that it has not become f32, or f64 if they are wider, which may round
    them; integers the next wider ones."""
    import numpy as np

    numbers = numbers_of(element)
    element = numbers[1] if numbers is not None else element
    kind = kind_of(element)
    if kind is not None:
        return array.astype(kind)
    if isinstance(element, FloatType):
        exact = [to_float(from_float(value, element.name), element.name) for value in array.flat]
        return np.array(exact, np.float32 if element.width <= 32 else np.float64).reshape(array.shape)
    if array.dtype.kind == "O" and all(isinstance(value, int) for value in array.flat):
        for wider in (np.int64, np.uint64):
            try:
                return array.astype(wider)
            except OverflowError:
                continue
    if array.dtype.kind != "O":
        return array
    raise Unsaved(f"{name} has elements of the type {element}, which NumPy has not")
