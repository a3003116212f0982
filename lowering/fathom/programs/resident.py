"""Programs in a process of their own, which stays: what goes wrong there is an exception here.

The process is started at the first call, links the program once, and is asked for each call; after a fault, a time-out
or an interrupt another one is started, in which the program's variables are as at the beginning. Calls from several
threads take turns.
"""

from __future__ import annotations

import os
import threading
import time
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast, get_args

import numpy as np

from fathom.execution.outcome import UNREADABLE, FailureKind, Limits, RunProblem
from fathom.execution.protocol import Header, frame
from fathom.execution.verdict import judge, refusals, timed_out
from fathom.ir.strides import row_major_strides
from fathom.programs.arena import Arena, Laid, lay_out
from fathom.programs.calling import given
from fathom.programs.resident_process import Output, Process, Talk
from fathom.programs.returned import Descriptor, InMemory, array_at, descriptor_of, is_same

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.programs.calling import Code, Plan
    from fathom.programs.element_types import Array

_START_SECONDS: Final = 120.0
"""How long it may take to start and link a program, on the slowest machine."""


class Resident:
    """A program in a process of its own."""

    def __init__(
        self, code: Code, *, contained: bool = True, seconds: float | None = None, memory: int | None = None
    ) -> None:
        self._code = code
        self._contained = contained
        self._seconds = seconds
        self._memory = memory if memory is not None else physical_memory()
        self._lock = threading.Lock()
        self._views: dict[str, list[tuple[int, int, int]]] = {}
        self._state = _State()
        self._output = Output(Limits().output)
        weakref.finalize(self, self._state.close)

    @property
    def pid(self) -> int | None:
        """The process id of the program, if it is up."""
        return self._state.process.popen.pid if self._state.process is not None else None

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._state.close()

    def function(self, plan: Plan) -> Callable[..., Any]:
        """What calls a function."""
        views, offset = list[tuple[int, int, int]](), 0
        for result in plan.results:
            if isinstance(result, InMemory):
                views.append((offset, -1 if result.rank is None else result.rank, result.step))
            offset += result.size
        self._views[plan.entry.symbol] = views
        self._start()

        def call(*values: object) -> Any:
            taken = _Given(plan, values)
            with self._lock:
                try:
                    return self._call(plan, taken)
                except RunProblem as problem:
                    self._output.tell(problem)
                    raise

        return call

    def _start(self) -> None:
        """Have the process up, so that it is known whether the program can be linked. Raises RunProblem."""
        with self._lock:
            self._output.begin()
            try:
                self._ready(lay_out((), 0, 0))
            except RunProblem as problem:
                self._output.tell(problem)
                raise
            self._output.show()

    def timed(
        self, plan: Plan, values: Sequence[object], count: int, calls: int
    ) -> tuple[list[float], tuple[int, int]]:
        """The seconds that so many calls of a function take, one after the other, measured `count` times; and what it
        counts of its work (`fathom.programs.work`). Its arguments are copied once. Raises RunProblem. `function` was
        called with the plan before."""
        taken = _Given(plan, values)
        with self._lock:
            asked, deadline = self._asked(plan, taken, count)
            asked["repeats"] = {"values": count, "calls": calls}
            header, _ = self._exchange({"call": asked}, b"", deadline)
            flops, moved = header["work"]
            return [float(seconds) for seconds in header["seconds"]], (int(flops), int(moved))

    def _asked(self, plan: Plan, values: _Given, times: int = 1) -> tuple[Header, float | None]:
        """What the process is asked for a call, whose arguments lie in the arena now; and when the time of so many is
        over."""
        laid = values.laid
        deadline = time.monotonic() + self._seconds if self._seconds is not None else None
        self._output.begin()
        base = self._ready(laid)
        if deadline is not None and self._seconds is not None:
            # To start the process is not the program's time.
            deadline = time.monotonic() + self._seconds * times
        arena = self._state.arena
        arena.copy_in(laid)
        addresses = [self._address(array, laid, base) for _, array in values.arrays]
        arena.write(laid.arguments, plan.packed(values.taken, addresses, base + laid.arguments))
        asked: Header = {
            "symbol": plan.entry.symbol,
            "views": self._views[plan.entry.symbol],
            "arguments": laid.arguments,
            "results": laid.results,
            "guards": laid.guards(arena.size),
            "extents": laid.extents,
        }
        return asked, deadline

    def _call(self, plan: Plan, values: _Given) -> Any:
        asked, deadline = self._asked(plan, values)
        laid, arena, base = values.laid, self._state.arena, self._state.base
        header, blob = self._exchange({"call": asked}, b"", deadline)
        arena.copy_out(laid, [array for number, array in values.arrays if plan.parameters[number].is_written])
        self._output.show()
        for note in refusals(arena.status()):
            warnings.warn(note, RuntimeWarning, stacklevel=4)
        if not plan.results:
            return None
        words = arena.read(laid.results, plan.entry.results_size)
        try:
            return given(plan.results, words, _Sent(header["views"], blob, base, arena, laid))
        except (LookupError, TypeError, ValueError, OverflowError, MemoryError):
            self._state.close()
            raise RunProblem("crash", UNREADABLE) from None

    def _address(self, array: Array, laid: Laid, base: int) -> int:
        low = array.__array_interface__["data"][0]
        region = next(each for each in laid.regions if any(array is own for own in each.arrays))
        return base + region.start + low - region.low

    def _ready(self, laid: Laid) -> int:
        """Have the process up and room in its arena; the address at which it has that. Raises RunProblem."""
        state = self._state
        state.open()
        grown = state.arena.grow(laid.size)
        if state.process is not None and state.process.popen.poll() is not None:
            state.discard()
        if state.process is None:
            state.process = Process(state.arena)
            self._load()
        elif grown:
            header, _ = self._exchange({"arena": state.arena.size}, b"", None)
            state.base = _base(header)
        return state.base

    def _load(self) -> None:
        code = self._code
        text = code.llvm_ir.encode("utf-8", "surrogateescape")
        asked = {
            "arena": self._state.arena.size,
            "code": len(code.machine_code),
            "symbols": code.symbols,
            "defined": sorted(code.defined),
            "libraries": code.libraries,
            "contained": self._contained,
            "memory": self._memory,
        }
        header, _ = self._exchange({"load": asked}, code.machine_code + text, time.monotonic() + _START_SECONDS)
        self._state.base = _base(header)
        for note in header["notes"]:
            warnings.warn(str(note), RuntimeWarning, stacklevel=5)

    def _exchange(self, header: Header, blob: bytes, deadline: float | None) -> tuple[Header, bytes]:
        """The answer to a request. Raises RunProblem for a failure, after which the process is gone."""
        process = self._state.process
        assert process is not None
        try:
            answer = Talk(process, self._output, deadline).ask(frame(header, blob))
        except BaseException:
            # An interrupt, or more printed than may be: the program does not go on.
            self._state.discard()
            raise
        if answer is None:
            self._died(deadline)
        said, data = answer
        if "failure" in said:
            self._state.discard()
            _fail(said["failure"])
        return said, data

    def _died(self, deadline: float | None) -> NoReturn:
        """The process ended, or its time is over. Raises RunProblem."""
        process, status = self._state.process, self._state.arena.status()
        assert process is not None
        limits = {"seconds": self._seconds or _START_SECONDS, "memory": self._memory}
        if deadline is not None and time.monotonic() >= deadline:
            self._state.discard()
            failure = timed_out(limits, status[0])
        else:
            process.ends_soon()
            self._output.drain(process)
            wait_status = self._state.discard()
            failure = judge(status, wait_status, limits, self._output.stderr)
        problem = RunProblem(failure.kind, failure.message, failure.details)
        raise problem


class _Given:
    """The arguments of a call, and where they are to lie. Raises ArgumentProblem."""

    def __init__(self, plan: Plan, values: Sequence[object]) -> None:
        self.taken: list[Any] = plan.take(values)
        self.arrays: list[tuple[int, Array]] = [
            (number, value) for number, value in enumerate(self.taken) if not isinstance(value, bytes)
        ]
        size = plan.entry.arguments_size + sum(24 + 16 * array.ndim for _, array in self.arrays)
        self.laid: Laid = lay_out(self.arrays, size, plan.entry.results_size)


class _State:
    """What has to be let go of."""

    def __init__(self) -> None:
        self.process: Process | None = None
        self.base = 0
        self._arena: Arena | None = None

    @property
    def arena(self) -> Arena:
        assert self._arena is not None
        return self._arena

    def open(self) -> None:
        if self._arena is None:
            self._arena = Arena()

    def discard(self) -> int:
        """End the process; its wait status."""
        process, self.process = self.process, None
        return process.end() if process is not None else 0

    def close(self) -> None:
        self.discard()
        arena, self._arena = self._arena, None
        if arena is not None:
            arena.close()


def _base(header: Header) -> int:
    """Where the process has the arena. Raises RunProblem for an answer that a program has forged."""
    base = header.get("base")
    if not isinstance(base, int) or not 0 < base < 1 << 63:
        raise RunProblem("crash", UNREADABLE)
    return base


def _fail(said: object) -> NoReturn:
    """Raises what the process says."""
    failure = cast("Header", said if isinstance(said, dict) else {})
    kind: Any = failure.get("kind")
    if kind not in get_args(FailureKind):
        raise RunProblem("crash", UNREADABLE)
    details = {key: value for key, value in failure.items() if key not in ("kind", "message")}
    raise RunProblem(kind, str(failure.get("message")), details)


class _Sent:
    """The memory of the program after a call, as it was sent."""

    def __init__(self, views: list[Any], blob: bytes, base: int, arena: Arena, laid: Laid) -> None:
        self._views = iter(views)
        self._blob, self._base, self._arena, self._laid = blob, base, arena, laid

    def descriptor(self, rank: int, address: int) -> Descriptor:
        """The descriptor that was sent is taken when the array is asked for."""
        return Descriptor(0, 0, 0, (), ())

    def array(self, place: Descriptor, result: InMemory) -> Array:
        """The array that the next result is."""
        words, is_inside, offset, length = next(self._views)
        place = descriptor_of([int(word) for word in words])
        dtype, inner = result.elements.dtype, result.elements.inner
        shape = (*place.shape, *inner)
        if 0 in place.shape:
            return np.empty(shape, dtype)
        if not is_inside:
            data, outer = bytearray(self._blob[offset : offset + length]), row_major_strides(place.shape)
            strides = (*(result.step * step for step in outer), *result.elements.steps)
            return np.ndarray(shape, dtype, data, 0, strides)
        return self._inside(place, result)

    def _inside(self, place: Descriptor, result: InMemory) -> Array:
        start = place.start(result.step) - self._base
        region = self._laid.region_at(start)
        if region is None:
            raise RunProblem("crash", "the program returned a memref of memory that is not its own")
        moved = Descriptor(0, region.low + start - region.start, 0, place.shape, place.strides)
        low, high = _reach(moved, result)
        if low < region.low or high > region.high:
            what = f"argument #{region.argument}, which has {region.size} bytes"
            raise RunProblem("crash", f"the program returned a memref that reaches beyond {what}")
        made = array_at(moved, result, region.arrays)
        if result.is_value:
            return self._arena.view(region, made).copy()
        return next((array for array in region.arrays if is_same(array, made)), made)


def _reach(place: Descriptor, result: InMemory) -> tuple[int, int]:
    """The addresses of the first byte and of that behind the last."""
    low = place.aligned + sum(
        (extent - 1) * step * result.step for extent, step in zip(place.shape, place.strides, strict=True) if step < 0
    )
    high = place.aligned + sum(
        (extent - 1) * step * result.step for extent, step in zip(place.shape, place.strides, strict=True) if step > 0
    )
    return low, high + result.elements.span


def physical_memory() -> int:
    """How many bytes of memory this computer has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
