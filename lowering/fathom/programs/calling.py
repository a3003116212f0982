"""How the functions of a compiled program are called: their plans, and calls in this very process.

A plan is made once for a function: what takes each argument and reads each result. A function of plain numbers is
called by its own address; any other by its trampoline, with a buffer of words for its arguments and one for its
results, so that several threads may call at once.
"""

from __future__ import annotations

import ctypes
import itertools
import re
import threading
import weakref
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from fathom.execution.callable import in_memory
from fathom.execution.entries import BEGIN, END, C, Entry
from fathom.execution.layouts import integer_width
from fathom.execution.outcome import ArgumentProblem, UnsupportedSignature, given_types, returned_types
from fathom.execution.runtime import STATUS_WORDS
from fathom.execution.runtime_async import is_asynchronous
from fathom.ir.types import FloatType, FunctionType, IndexType, IntegerType, MemRefType
from fathom.programs.parameters import Parameter, Taken, number_taker, parameter_of
from fathom.programs.returned import Here, Result, result_of
from fathom.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.execution.compiler import Compiler
    from fathom.execution.outcome import Convention
    from fathom.ir.types import Type
    from fathom.programs.element_types import Array

Call: TypeAlias = "Callable[..., Any]"


@record
class Code:
    """A compiled program: its machine code, its text in LLVM IR, how its functions are called, and the names of what it
    defines. `libraries` are shared libraries with symbols that it uses."""

    machine_code: bytes
    llvm_ir: str
    entries: dict[str, Entry]
    symbols: tuple[str, ...]
    defined: frozenset[str]
    libraries: tuple[str, ...] = ()


@record
class Plan:
    """How a function is called. `type` is its type for a caller."""

    name: str
    type: FunctionType
    entry: Entry
    parameters: tuple[Parameter, ...]
    results: tuple[Result, ...]

    def with_entry(self, entry: Entry) -> Plan:
        """The plan of the same function in another program."""
        return replace(self, entry=entry)

    def take(self, values: Sequence[object]) -> list[Taken]:
        """The arguments: words and arrays. Raises ArgumentProblem."""
        if len(values) != len(self.parameters):
            types = ", ".join(map(str, self.type.inputs))
            raise ArgumentProblem("arguments", f"{len(self.parameters)} for @{self.name}({types})", str(len(values)))
        return [parameter.take(value) for parameter, value in zip(self.parameters, values, strict=True)]

    def packed(self, taken: Sequence[Taken], addresses: Sequence[int], buffer: int) -> bytes:
        """The words of the arguments, whose arrays lie at these addresses, for a buffer at an address; behind them what
        they refer to."""
        words, beside = list[bytes](), list[bytes]()
        place, where = buffer + self.entry.arguments_size, iter(addresses)
        for parameter, value in zip(self.parameters, taken, strict=True):
            if isinstance(value, bytes):
                words.append(value)
                continue
            own, more = parameter.words(value, next(where), place)
            words.append(own)
            if more:
                beside.append(more)
                place += len(more)
        return b"".join((*words, *beside))

    @property
    def is_flat(self) -> bool:
        """Whether the words refer to nothing beside them."""
        passed = map(in_memory, self.type.inputs)
        return not any(isinstance(type, MemRefType) and type.shape is None for type in passed)


def called_type(type: FunctionType, convention: Convention) -> FunctionType:
    """The type that a function has for a caller: one that a parameter points to stands for the pointer, and what is
    written by a pointer is the first result."""
    return FunctionType(given_types(type.inputs, convention), returned_types(type.results, convention))


def plan_of(name: str, type: FunctionType, entry: Entry) -> Plan:
    """How a function is called. Raises UnsupportedSignature."""
    if entry.why_not:
        raise UnsupportedSignature(entry.why_not)
    type = called_type(type, entry.convention)
    parameters = tuple(parameter_of(each, number) for number, each in enumerate(type.inputs))
    return Plan(name, type, entry, parameters, tuple(map(result_of, type.results)))


class Caller(Protocol):
    """Where a program is called."""

    def function(self, plan: Plan) -> Call:
        """What calls a function. Raises RunProblem for what goes wrong before, in and after it."""
        ...

    def close(self) -> None:
        """Let go of what the program holds."""
        ...


# ---- in this process

_PRINTS: Final = re.compile(r"^declare .*@(?:_mlir_ciface_)?(?:v?f?print|f?put|fwrite|fflush)", re.MULTILINE)
_numbers: Final = itertools.count()
_lock: Final = threading.Lock()
_status: Final = (ctypes.c_uint64 * STATUS_WORDS)()
_compilers: Final[list[Compiler]] = []
_library: Final = ctypes.CDLL(None)


def _compiler() -> Compiler:
    """The one linker of this process."""
    if not _compilers:
        from fathom.execution.compiler import Compiler
        from fathom.kept import here

        made = Compiler(here())
        words = ctypes.c_uint64.from_address(made.runtime_address("fathom_status"))
        words.value = ctypes.addressof(_status)
        _compilers.append(made)
    return _compilers[0]


class InProcess:
    """A program in this very process: what it does wrong is done to this process."""

    def __init__(self, code: Code) -> None:
        from fathom.execution.compiler import load, runtimes_of
        from fathom.execution.kept_code import Code as Linked

        with _lock:
            unloaded = load(code.libraries)
            name = f"program_{next(_numbers)}"
            wanted = (*code.symbols, *(each for each in code.entries if each in code.defined))
            compiler, runtimes = _compiler(), runtimes_of(code.llvm_ir)
            linked = Linked(code.machine_code, compiler.target, tuple(code.defined), runtimes)
            self._library = compiler.load(name, linked, wanted, unloaded)
        self._prints = _PRINTS.search(code.llvm_ir) is not None
        self._is_plain = not is_asynchronous(code.llvm_ir) and not self._prints
        ctypes.CFUNCTYPE(None)(self._library[BEGIN])()
        self._end = weakref.finalize(self, _end, self._library)

    def close(self) -> None:
        """Run the program's destructors, and unload it. Its functions must not be called any more."""
        self._end()

    def function(self, plan: Plan) -> Call:
        """What calls a function."""
        direct = _direct(plan, self) if self._is_plain else None
        return direct or self._by_trampoline(plan)

    def address(self, symbol: str) -> int:
        """Where a symbol is."""
        return self._library[symbol]

    def _by_trampoline(self, plan: Plan) -> Call:
        native = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(self._library[plan.entry.symbol])
        room, prints = ctypes.c_char * max(plan.entry.results_size, 1), self._prints
        results, count = plan.results, len(plan.parameters)
        words_of = [parameter.words_here for parameter in plan.parameters]

        def flat(*values: object) -> Any:
            if len(values) != count:
                plan.take(values)
            kept: list[Array] = []
            words = b"".join([take(value, kept) for take, value in zip(words_of, values, strict=True)])
            returned = room()
            native(words, returned)
            if prints:
                _library.fflush(None)
            return given(results, returned.raw, Here(kept)) if results else None

        def nested(*values: object) -> Any:
            taken = plan.take(values)
            arrays: list[Array] = []
            for number, value in enumerate(taken):
                if not isinstance(value, bytes):
                    value = taken[number] = plan.parameters[number].here(value)
                    arrays.append(value)
            addresses = [array.__array_interface__["data"][0] for array in arrays]
            size = plan.entry.arguments_size + sum(24 + 16 * array.ndim for array in arrays)
            words = (ctypes.c_char * size)()
            begin = ctypes.addressof(words)
            packed = plan.packed(taken, addresses, begin)
            ctypes.memmove(words, packed, len(packed))
            returned = room()
            native(words, returned)
            if prints:
                _library.fflush(None)
            return given(results, returned.raw, Here(arrays, (begin, begin + size))) if results else None

        call = flat if plan.is_flat else nested
        # The code lives as long as it can be called.
        call.__dict__["program"] = self
        return call


def given(results: Sequence[Result], words: bytes, memory: Any) -> Any:
    """The value of a call: that of its result, or of several a tuple."""
    if len(results) == 1:
        return results[0].give(words, memory)
    values, offset = list[object](), 0
    for result in results:
        values.append(result.give(words[offset : offset + result.size], memory))
        offset += result.size
    return tuple(values)


def _end(library: Any) -> None:
    ctypes.CFUNCTYPE(None)(library[END])()
    library.close()


# ---- functions of plain numbers

_SIGNED: Final = {8: ctypes.c_int8, 16: ctypes.c_int16, 32: ctypes.c_int32, 64: ctypes.c_int64}
_UNSIGNED: Final = {8: ctypes.c_uint8, 16: ctypes.c_uint16, 32: ctypes.c_uint32, 64: ctypes.c_uint64}
_FLOATS: Final = {"f32": ctypes.c_float, "f64": ctypes.c_double}


def _direct(plan: Plan, program: InProcess) -> Call | None:
    """What calls a function of plain numbers by its address; None for another function."""
    types, results = plan.type.inputs, plan.type.results
    native_types = [_native(type) for type in (*types, *results)]
    if None in native_types or len(results) > 1 or plan.entry.convention != C:
        return None
    count = len(types)
    native = ctypes.CFUNCTYPE(native_types[count] if results else None, *native_types[:count])(
        program.address(plan.name)
    )
    takers = [number_taker(type, f"argument #{number}") for number, type in enumerate(types)]
    give = _giver(results[0]) if results else None
    call = _call_of(native, takers, give, plan)
    call.__dict__["program"] = program
    return call


def _call_of(native: Call, takers: list[Call], give: Call | None, plan: Plan) -> Any:
    if len(takers) == 1 and give is None:
        (take,) = takers

        def call_one(*values: object) -> Any:
            if len(values) != 1:
                plan.take(values)
            return native(take(values[0]))

        return call_one

    def call(*values: object) -> Any:
        if len(values) != len(takers):
            plan.take(values)
        result = native(*[take(value) for take, value in zip(takers, values, strict=True)])
        return result if give is None else give(result)

    return call


def _native(type: Type) -> Any:
    """How C passes a number; None if it has none such."""
    match type:
        case IndexType():
            return ctypes.c_int64
        case FloatType(name):
            return _FLOATS.get(name)
        case IntegerType() if (width := integer_width(type)) is not None and width <= 64:
            size = max(8, 1 << (width - 1).bit_length())
            return (_SIGNED if width == size and type.signedness != "u" else _UNSIGNED)[size]
        case _:
            return None


def _giver(type: Type) -> Call | None:
    """What makes a number of Python of one that C returned; None where it is one."""
    width = integer_width(type)
    if width is None or width in _SIGNED:
        return None
    mask, sign = (1 << width) - 1, 1 << (width - 1)

    def truth(value: int) -> bool:
        return bool(value & 1)

    def unsigned(value: int) -> int:
        return value & mask

    def signed(value: int) -> int:
        return ((value & mask) ^ sign) - sign

    if width == 1:
        return truth
    return unsigned if isinstance(type, IntegerType) and type.signedness == "u" else signed
