"""What a run is asked with and what it answers with: plain immutable data, no process and no LLVM behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from fathom.ir.types import Type
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.execution.elements import Elements
    from fathom.ir.operation import Span

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

Given: TypeAlias = "bool | int | float | str | Array | Sequence[Given] | Mapping[str, Given] | None"
"""What an argument is given as: JSON-like, or an array of numbers, also inside of others."""

FailureKind: TypeAlias = Literal[
    "lowering",
    "assertion",
    "bad-argument",
    "unsupported-signature",
    "compile-error",
    "missing-symbol",
    "timeout",
    "crash",
    "exit",
    "deadlock",
    "memory-limit",
    "output-limit",
    "thread-limit",
    "refused",
    "cancelled",
    "worker-unavailable",
]


@record
class Check:
    """What is looked at when a program runs, and may fail. `message` says what did; `told` comes behind it, with `{0}`
    and `{1}` for two values of the program. `span` is where the operation stands that asks for it."""

    message: str
    told: str = ""
    span: Span | None = None

    def failed(self, values: Sequence[int]) -> str:
        """What is said when it failed."""
        return self.message + self.told.format(*values)


T = TypeVar("T")
Passing: TypeAlias = Literal["", "byval", "byref", "sret"]
BY_POINTER: Final[tuple[Passing, ...]] = ("byval", "byref", "sret")


@record
class Array:
    """Numbers as NumPy has them: `data` row after row, little-endian, of the kind that NumPy writes `<f4`, `|b1` or
    `<c16`."""

    kind: str
    shape: tuple[int, ...]
    data: bytes


@record
class Parameter:
    """How LLVM's attributes have one argument passed.

    `passing` is `byval`, `byref` or `sret` where the function takes a pointer to a value of the type `pointee`, which
    the caller makes: of an argument of that type, or, for `sret`, in order to give it back as the first result.
    `alignment` is in bytes, 0 where there is nothing said of it. `words` are the attributes of a number, such as
    `signext`. `refused` is an attribute of what nobody can pass from outside.
    """

    passing: Passing = ""
    pointee: Type | None = None
    alignment: int = 0
    words: str = ""
    refused: str = ""


@record
class Convention:
    """How a function is called, where that is not C's way: by which of LLVM's conventions (`fastcc`), with which
    parameters, by their numbers, and with which attributes of the result."""

    name: str = ""
    parameters: Mapping[int, Parameter] = field(default_factory=dict[int, Parameter])
    result: str = ""


def given_values(values: Sequence[T], convention: Convention) -> tuple[T, ...]:
    """Of what there is for each argument of a function, that for those that a caller gives: all but `sret`."""
    written = {number for number, parameter in convention.parameters.items() if parameter.passing == "sret"}
    return tuple(value for number, value in enumerate(values) if number not in written)


def given_types(types: Sequence[Type], convention: Convention) -> tuple[Type, ...]:
    """The type of each argument that a caller gives; one that a parameter points to stands for the pointer."""
    pointees = [convention.parameters[i].pointee if i in convention.parameters else None for i in range(len(types))]
    return given_values([pointee or type for pointee, type in zip(pointees, types, strict=True)], convention)


def returned_types(types: Sequence[Type], convention: Convention) -> tuple[Type, ...]:
    """The type of each value that a caller gets from a function with results of these types: what is written by a
    pointer comes first."""
    parameters = convention.parameters.values()
    written = [each.pointee for each in parameters if each.passing == "sret" and each.pointee is not None]
    return (*written, *types)


@record
class RunRequest:
    """A function of an LLVM IR text to call.

    `argument_types` and `result_types` are those of the MLIR function *before* it was lowered; `llvm_ir` holds its
    lowering by MLIR's default calling convention (*LLVM IR Target*, "Calling Conventions"). `optimization` is 0 to 3,
    as in `-O2`. `libraries` are shared libraries whose symbols the program may use; one that does not load is told, and
    stops only a program that calls what is then missing. `checks` are those in the program, by their numbers
    (`fathom.execution.checks`). With `counts_memory` it is told how much of what the program allocates
    nobody has freed, but for what it returns, which is the caller's. `rows_first` says how LLVM's intrinsics for
    matrices find elements in vectors: row after row, and not column after column. `code` is what was kept of the very
    program (`fathom.execution.kept_code`), whose text need not be there then. `features` is what the processor is taken
    to have or not to have beside what it has, as LLVM spells it: `+avx2,-fma`. `convention` is how the function is
    called where attributes say so; `argument_names` are those that the source gives what a caller gives.
    """

    llvm_ir: str
    function: str
    argument_types: Sequence[Type] = ()
    result_types: Sequence[Type] = ()
    arguments: Sequence[Given] = ()
    optimization: int = 2
    libraries: Sequence[str] = ()
    checks: Sequence[Check] = ()
    counts_memory: bool = False
    rows_first: bool = False
    code: bytes = b""
    features: str = ""
    convention: Convention = field(default_factory=Convention)
    argument_names: tuple[str, ...] = ()

    @property
    def given_types(self) -> tuple[Type, ...]:
        """The type of each argument that the caller gives; one that a parameter points to stands for the pointer."""
        return given_types(self.argument_types, self.convention)

    @property
    def returned_types(self) -> tuple[Type, ...]:
        """The type of each value that the caller gets: what is written by a pointer comes first."""
        return returned_types(self.result_types, self.convention)


@record
class Limits:
    """What a program may use up.

    `seconds` is wall time, compilation included; `memory` is what the program may allocate beyond what the worker
    holds, in bytes; `output` is what it may print, in bytes, stdout and stderr together; `elements` is how many
    elements of each memref are reported, and `array_bytes` how many bytes of them come back beside that, for those who
    look at the elements themselves. A `contained` program cannot write files, start processes or open sockets, as
    far as the platform can keep it from that (`fathom.execution.containment`).
    """

    seconds: float = 10.0
    memory: int = 1 << 30
    output: int = 1 << 20
    elements: int = 10_000
    array_bytes: int = 0
    contained: bool = True


@record
class Failure:
    """Why there is no result. `details` depends on the kind:

    - assertion: `check`, the number of the check that failed, among those of the request
    - compile-error: `assembly`, LLVM's words about inline assembly, where it is that which it refuses
    - bad-argument: `path` (such as `arguments[0][1]`), `expected`
    - missing-symbol: `symbols`
    - crash: `signal` (such as `SIGSEGV`), and `address` where it was a bad access
    - exit: `status`
    - memory-limit: `requested`, bytes
    """

    kind: FailureKind
    message: str
    details: Mapping[str, Json] = field(default_factory=dict[str, Json])

    def to_json(self) -> dict[str, Json]:
        """The failure as JSON-like data; the details stand beside kind and message."""
        return {**self.details, "kind": self.kind, "message": self.message}


@record
class Change:
    """An element of an array that a program changed: by its index, what it was and what it is."""

    index: tuple[int, ...]
    before: Json
    after: Json


@record
class Changes:
    """What a program did to the array that was given at `path` (such as `arguments[0]`): how many of its `total`
    elements it changed, and the first of them."""

    path: str
    count: int
    total: int
    first: tuple[Change, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The changes as JSON-like data."""
        first = [{"index": list(change.index), "before": change.before, "after": change.after} for change in self.first]
        return {"path": self.path, "count": self.count, "total": self.total, "first": first}


@record
class RunOutcome:
    """What came of a run.

    A value is an integer (a boolean for `i1`), a float (the strings "nan", "inf" and "-inf" where JSON has no number),
    `[re, im]`, nested lists for a vector, or, for a memref or a tensor, `{"type", "shape", "data"}`: nested lists in
    row-major order, of which `"truncated"` are left out where `Limits.elements` is passed. `arguments` has an entry for
    each argument: what the memref holds after the call (with `"deallocated": true` if the program freed it), or None
    for what the program cannot change. Floats narrower than f64 are given by the shortest decimal that reads back as
    the same value. A struct or an array of LLVM is a list; a pointer is None if it is null, and else
    `{"address": "0x…"}`, with the number of the argument whose memory it points into and the offset in bytes where it
    does. What a pointer argument points to stands in `arguments` as a memref does; of a text, `"data"` is a string.
    `notes` are sentences for the user: what the program was refused, and what it could not be kept from.

    `changes` tells of each array among the arguments, also those further in, which of its elements are others than
    before; arrays that are as before are not in it. `result_elements` (None for what is no array) and
    `argument_elements` have the elements themselves, as many as `Limits.elements` and `Limits.array_bytes` allow.
    """

    failure: Failure | None = None
    results: tuple[Json, ...] = ()
    arguments: tuple[Json, ...] = ()
    call_seconds: float = 0.0
    compile_seconds: float = 0.0
    stdout: str = ""
    stderr: str = ""
    notes: tuple[str, ...] = ()
    changes: tuple[Changes, ...] = ()
    result_elements: tuple[Elements | None, ...] = ()
    argument_elements: tuple[Elements, ...] = ()

    @property
    def ok(self) -> bool:
        return self.failure is None

    def to_json(self) -> dict[str, Json]:
        """The outcome as JSON-like data, for a protocol."""
        failure = self.failure
        return {
            "ok": self.ok,
            "failure": failure and failure.to_json(),
            "results": self.results,
            "arguments": self.arguments,
            "changes": [change.to_json() for change in self.changes],
            "callSeconds": self.call_seconds,
            "compileSeconds": self.compile_seconds,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "notes": self.notes,
        }


UNREADABLE: Final = "the program damaged the process so badly that its results could not be read"


class RunProblem(Exception):
    """A failure on its way to becoming an outcome."""

    def __init__(self, kind: FailureKind, message: str, details: Mapping[str, Json] | None = None) -> None:
        super().__init__(message)
        self.failure = Failure(kind, message, details or {})


class ArgumentProblem(RunProblem):
    """An argument that does not fit its type; found before anything runs."""

    def __init__(self, path: str, expected: str, got: str) -> None:
        super().__init__(
            "bad-argument", f"{path}: expected {expected}, got {got}", {"path": path, "expected": expected}
        )


class UnsupportedSignature(RunProblem):
    """A type that cannot be passed to, or returned from, a program."""

    def __init__(self, message: str) -> None:
        super().__init__("unsupported-signature", message)
