"""`fathom run --bench`: how long a function takes, beside another one or by another pipeline; over sizes, as a plot."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from fathom.cli.dialect_options import context_of
from fathom.cli.pass_options import PIPELINE
from fathom.cli.pipelines import pipeline_of
from fathom.cli.run_options import (
    AGAINST,
    AGAINST_PIPELINE,
    BENCH_SECONDS,
    CONTAINED,
    ENTRY,
    JSON,
    LIBRARIES,
    MEMORY,
    PLOT,
    SIZES,
    TIMEOUT,
    level_of,
)
from fathom.cli.values import given_values
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.execution.contents import array_of
from fathom.execution.image import Image
from fathom.execution.layouts import element_size, parts_of
from fathom.execution.outcome import ArgumentProblem, RunProblem
from fathom.execution.pointees import point
from fathom.inputs.loading import Loading
from fathom.ir.strides import row_major_strides
from fathom.ir.types import ComplexType, FloatType, MemRefType, TensorType, Type, VectorType
from fathom.messages.source import Source
from fathom.pipeline.defaults import pipeline_of as pipeline_from
from fathom.records import record

if TYPE_CHECKING:
    from fathom.cli.commands import Parsed
    from fathom.cli.streams import Streams
    from fathom.execution.outcome import Given, Json
    from fathom.pipeline.language import Pipeline
    from fathom.programs.benching import Comparison, Measured
    from fathom.programs.calling import Code, Plan

_SIZE: Final = re.compile(r"\bN\b")
"""What stands for the size in arguments."""


@record
class _Program:
    """A function that is measured, by its name here."""

    name: str
    code: Code
    plan: Plan


def bench(parsed: Parsed, streams: Streams) -> int:
    """Measures, and prints what came of it. The exit status."""
    missing = [name for name in ("numpy", "pyperf", "pygal") if find_spec(name) is None]
    if missing:
        raise streams.fail(f"fathom run --bench needs {missing[0]}: pip install 'fathom-mlir[bench]'")
    from fathom.programs.errors import CompileError, RunError

    try:
        programs = list(_programs(parsed, streams))
        sizes = _sizes(parsed, streams)
        rows = [_measured(programs, size, parsed, streams) for size in sizes or [None]]
        if parsed[JSON]:
            told = [_to_json(size, row) for size, row in zip(sizes or [None], rows, strict=True)]
            streams.stdout.write(json.dumps(told, indent=2) + "\n")
    except (CompileError, RunError) as problem:
        raise streams.fail(str(problem)) from None
    except KeyError as problem:
        raise streams.fail(f"fathom run: {problem.args[0]}") from None
    except RunProblem as problem:
        raise streams.fail(f"fathom run: {problem.failure.message}") from None
    if parsed[PLOT]:
        if not sizes:
            raise streams.fail("fathom run: --plot draws the sizes that --sizes names")
        streams.write(parsed[PLOT], plotted(sizes, rows))
    return 0


def _programs(parsed: Parsed, streams: Streams) -> Iterator[_Program]:
    """The functions, compiled. Raises CompileError, KeyError and RunProblem."""
    from fathom.programs.calling import plan_of
    from fathom.programs.compiling import check_pipeline, compile_function

    given = streams.read(parsed.file)
    source, context = Source(given.name, given.text), context_of(parsed, streams)
    asked = pipeline_of(parsed, "fathom run", streams, context)
    first = asked if parsed.get(PIPELINE, parsed.passes) else pipeline_from("", context.find_pass)
    entry, other = parsed[ENTRY], parsed[AGAINST]
    wanted: list[tuple[str, str, Pipeline]] = [(f"@{entry.lstrip('@')}", entry, first)]
    if other:
        wanted.append((f"@{other.lstrip('@')}", other, first))
    if parsed[AGAINST_PIPELINE]:
        second = pipeline_from(parsed[AGAINST_PIPELINE], context.find_pass)
        check_pipeline(second, source)
        wanted.append((f"@{entry.lstrip('@')} by {parsed[AGAINST_PIPELINE]}", entry, second))
    for name, path, pipeline in wanted:
        loading = Loading(context=context)
        compiled = compile_function(source, path, loading, pipeline, level_of(parsed), tuple(parsed[LIBRARIES]))
        (function,) = compiled.functions
        yield _Program(
            name, compiled.code, plan_of(function, compiled.functions[function], compiled.code.entries[function])
        )


def _sizes(parsed: Parsed, streams: Streams) -> list[int]:
    sizes = [word.strip() for word in parsed[SIZES].split(",") if word.strip()]
    if not all(size.isdecimal() and size.isascii() and len(size) < 10 for size in sizes):
        raise streams.fail("fathom run: --sizes takes numbers, separated by commas: 16,32,64")
    return [int(size) for size in sizes]


def _measured(programs: Sequence[_Program], size: int | None, parsed: Parsed, streams: Streams) -> list[Measured]:
    """What comes of the functions at one size, printed as soon as it is known, but as JSON. Raises RunProblem."""
    from fathom.programs.benching import Subject, measure

    def word(text: str) -> str:
        return text if size is None else _SIZE.sub(str(size), text)

    arguments = given_values(parsed, (), word)
    subjects = [
        Subject(program.name, program.code, program.plan, values_of(arguments, program.plan.type.inputs))
        for program in programs
    ]
    rows = measure(
        subjects,
        seconds=parsed[BENCH_SECONDS],
        contained=parsed[CONTAINED],
        timeout=parsed.get(TIMEOUT, None),
        memory=parsed.get(MEMORY, None),
    )
    if not parsed[JSON]:
        heads = [] if size is None else [f"N = {size}"]
        streams.stdout.writelines(f"{line}\n" for line in (*heads, *rows, *_compared(rows)))
        streams.stdout.flush()
    return rows


def _compared(rows: Sequence[Measured]) -> list[Comparison]:
    """The first function beside each of the others."""
    from fathom.programs.benching import compare

    return [compare(rows[0], other) for other in rows[1:]]


def _to_json(size: int | None, rows: Sequence[Measured]) -> dict[str, Json]:
    """What came of the functions at one size."""
    return {
        **({"N": size} if size is not None else {}),
        "measured": [row.to_json() for row in rows],
        "compared": [
            {"first": each.first.name, "second": each.second.name, "ratio": each.ratio, "isNoise": each.is_noise}
            for each in _compared(rows)
        ],
    }


def values_of(arguments: Sequence[Given], types: Sequence[Type]) -> tuple[object, ...]:
    """Arguments as the command line has them, as numbers and arrays. Raises ArgumentProblem."""
    if len(arguments) != len(types):
        raise ArgumentProblem("arguments", f"{len(types)}: {', '.join(map(str, types))}", str(len(arguments)))
    return tuple(
        _value(value, type, f"arguments[{number}]")
        for number, (value, type) in enumerate(zip(arguments, types, strict=True))
    )


def _value(value: Given, type: Type, path: str) -> object:
    match type:
        case MemRefType() | TensorType() | VectorType():
            return _array(value, type.shape, type.element, path)
        case LLVMPointerType():
            return _pointee(value, path)
        case LLVMStructType() | LLVMArrayType() if isinstance(value, Sequence) and not isinstance(value, str):
            parts = zip(value, parts_of(type), strict=False)
            values = [_value(each, part, f"{path}[{number}]") for number, (each, part) in enumerate(parts)]
            return [*values, *value[len(values) :]]
        case ComplexType() if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
            return complex(*(float(str(part)) for part in value))
        case FloatType() if isinstance(value, str):
            return float(value)
        case _:
            return value


def _array(value: Given, shape: tuple[int, ...] | None, element: Type, path: str) -> object:
    """An array whose elements lie as the type has them."""
    import numpy as np

    from fathom.programs.element_types import elements_of

    contents, elements = array_of(value, shape, element, path)[0], elements_of(element)
    outer, size = contents.shape, element_size(element)
    _check_room(math.prod(outer) * size)
    strides = (*(size * step for step in row_major_strides(outer)), *elements.steps)
    return np.ndarray((*outer, *elements.inner), elements.dtype, bytearray(contents.all_data), 0, strides)


def _pointee(value: Given, path: str) -> object:
    """The bytes that a pointer points to; None for a null pointer."""
    import numpy as np

    image = Image()
    number = point(image, value, path, 0)
    if number is None:
        return None
    if image.pointers:
        raise ArgumentProblem(path, "what has no pointers in it, to be measured", "pointers")
    size, (start, length) = image.buffers[number]["size"], image.buffers[number]["data"]
    _check_room(size)
    data = bytes(image.blob[start : start + length])
    return np.frombuffer(bytearray(data * (size // length) if length else data), np.uint8)


def _check_room(size: int) -> None:
    """Raises RunProblem for arguments that are larger than the memory of this computer."""
    from fathom.programs.resident import physical_memory

    if size > physical_memory():
        message = f"the arguments take {size} bytes, which is more memory than there is"
        raise RunProblem("memory-limit", message, {"requested": size})


def plotted(sizes: Sequence[int], rows: Sequence[Sequence[Measured]]) -> str:
    """Seconds over sizes as SVG, a line for each function, both on scales of powers."""
    import pygal

    def power(exponent: float) -> str:
        return f"{10**exponent:.3g}"

    # pygal has such a scale for one of the two alone.
    chart = pygal.XY(
        x_title="N",
        y_title="seconds",
        logarithmic=True,
        js=(),
        disable_xml_declaration=True,
        x_labels=[math.log10(max(size, 1)) for size in sizes],
        x_value_formatter=power,
    )
    for number, first in enumerate(rows[0]):
        line = [(math.log10(max(size, 1)), row[number].median) for size, row in zip(sizes, rows, strict=True)]
        chart.add(first.name, line)
    return chart.render(is_unicode=True)
