"""The options of `fathom run`. What they lead to is imported when it is needed: a program that is kept needs little of
it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.cli.commands import Command, Group
from fathom.cli.dialect_options import DIALECTS, own_passes
from fathom.cli.module_options import NO_IMPLICIT_MODULE
from fathom.cli.options import choice, digits, flag, listed, names_a_file, number, seconds, text, words, written
from fathom.cli.pass_options import PIPELINE
from fathom.execution.outcome import Limits

if TYPE_CHECKING:
    from fathom.cli.commands import Parsed

EXAMPLE: Final = """\
  fathom run examples/saxpy.mlir
  fathom run examples/gcd.mlir --entry gcd --args 1071, 462
  fathom run examples/saxpy.mlir --entry saxpy --args '2.0, [1, 2, 3], {shape: [3], fill: 10}'
  fathom run examples/matmul.mlir --entry matmul --args 'random(3, 3, seed=7), eye(3), zeros(3, 3)'
"""

ENTRY: Final = text(
    "entry", "the function to call, such as inner::f; main by default", "NAME", default="main", alias="e"
)
ARGUMENTS: Final = words(
    "args",
    "its arguments, separated by commas: 1, 2.5, [[1, 2], [3, 4]], {shape: [4], fill: 0}, zeros, x.npy",
    "VALUE",
    until=names_a_file,
)
ARGUMENTS_FILE: Final = text(
    "args-file", "its arguments in a file: a list of JSON, or arrays of NumPy by their names", "FILE"
)
DIGITS: Final = digits(
    "digits", "how many digits of the floats in arrays are shown: 8 by default, or all that make a difference"
)
SHOWN: Final = choice(
    "show-arguments",
    "what is shown of the arguments that it can change: which elements it changed, by default; all of them; or none",
    ("changes", "all", "none"),
    default="changes",
)
VALUES: Final = flag(
    "values", "print the functions that were called, and behind each line what it computed last; it is called once more"
)
SAVE: Final = written("save", "write the result to a .npy file, or results and arguments to a .npz file", "FILE")
TIMEOUT: Final = seconds(
    "timeout",
    f"when to give up; {Limits().seconds:g} by default, and with --bench, where a value may take as long, a minute "
    "more than is measured",
    default=Limits().seconds,
)
MOST_PRINTED: Final = number(
    "output-limit",
    f"how much it may print; {Limits().output} by default",
    "BYTES",
    default=Limits().output,
)
MEMORY: Final = number(
    "memory-limit",
    f"how much memory it may allocate; {Limits().memory} by default, and with --bench as much as there is",
    "BYTES",
    default=Limits().memory,
)
LEVEL: Final = choice("O", "the level of optimisation; 2 by default", ("0", "1", "2", "3"), default="2")
LAYOUT: Final = choice(
    "matrix-default-layout",
    "how matrices stand in the vectors of LLVM's intrinsics; column-major by default",
    ("column-major", "row-major"),
    default="column-major",
)
LIBRARIES: Final = listed("shared-libs", "libraries, separated by commas", "FILES")
CONTAINED: Final = flag(
    "contained",
    "keep the program from writing files, starting processes and opening sockets: what is done by default; "
    "--contained=false lets it do so",
    default=True,
)
CHECK: Final = flag(
    "check",
    "look at indices, shapes and divisors when the program runs, and say where one is wrong; tell how much of its "
    "memory nobody freed; off by default",
)
DEBUG: Final = flag(
    "g",
    "run in this process, for a debugger that started it: its lines are those of the file, values with names are "
    "variables, and nothing is optimised unless -O says so",
)
NO_CACHE: Final = flag(
    "no-cache", "lower and compile what was compiled before, and keep nothing; so does FATHOM_CACHE=off"
)
JSON: Final = flag("json", "print results, times and what was printed as JSON")

BENCH: Final = flag("bench", "measure how long the function takes, in processes of its own")
BENCH_SECONDS: Final = seconds("bench-seconds", "how long to measure each function; 5 by default", default=5.0)
AGAINST: Final = text("against", "measure another function beside it", "NAME")
AGAINST_PIPELINE: Final = text(
    "against-pipeline", "measure it beside itself, lowered by other passes: flags or a pipeline", "TEXT"
)
SIZES: Final = text("sizes", "measure for each of these numbers in the place of N in the arguments", "16,32,64")
PLOT: Final = written("plot", "draw the time over the sizes, as SVG", "FILE")

RESULT: Final = text(
    "entry-point-result", "print the result as mlir-runner does: a number, or nothing", "void|i32|i64|f32"
)
DUMP: Final = flag("dump-object-file", "write the program's machine code to a file as well")
OBJECT_FILE: Final = written("object-filename", "that file; INPUT.o by default", "FILE")
FEATURES: Final = listed("mattr", "what the processor is taken to have, or not to have: +avx2,-fma", "FEATURES")
MACHINE: Final = text("march", "the processor's architecture, which has to be that of this computer", "ARCH")
LINKS_NESTED: Final = flag(
    "link-nested-modules", "link the one module that is nested in the module of the input to it: host and device as one"
)
SUPPORTS_JIT: Final = flag("host-supports-jit", "say whether programs can be run on this computer, and run none")

COMMAND: Final = Command(
    "run",
    "Lowers a file, compiles it and calls a function. Without flags for passes the pipeline lower-to-llvm runs,\n"
    "with the passes that the function needs.",
    EXAMPLE,
    (
        Group(
            "options",
            (
                ENTRY,
                RESULT,
                ARGUMENTS,
                ARGUMENTS_FILE,
                SHOWN,
                DIGITS,
                VALUES,
                SAVE,
                PIPELINE,
                TIMEOUT,
                MOST_PRINTED,
                MEMORY,
                LEVEL,
                LAYOUT,
                LIBRARIES,
                CHECK,
                CONTAINED,
                DEBUG,
                NO_IMPLICIT_MODULE,
                DUMP,
                OBJECT_FILE,
                FEATURES,
                MACHINE,
                LINKS_NESTED,
                SUPPORTS_JIT,
                NO_CACHE,
                JSON,
            ),
        ),
        Group("measuring", (BENCH, BENCH_SECONDS, AGAINST, AGAINST_PIPELINE, SIZES, PLOT)),
        DIALECTS,
    ),
    file_help="the input; standard input by default",
    takes_passes=True,
    own_passes=own_passes,
)


NOT_PARSED: Final = "could not parse the input IR\n"
"""What mlir-runner says last of an input that it cannot read."""
NOT_CONVERTED: Final = "Error: could not convert to LLVM IR\n"
"""The same of one whose modules cannot be linked."""


def features_of(parsed: Parsed) -> str:
    """The features of the processor, each with its sign."""
    return ",".join(word if word[0] in "+-" else f"+{word}" for word in parsed[FEATURES])


def level_of(parsed: Parsed) -> int:
    """The level of optimisation: none for a debugger, unless another is asked for."""
    return int(parsed.get(LEVEL, "0" if parsed[DEBUG] else "2"))
