"""One run, inside the process forked for it: compile, lay out the arguments, call, read the memory afterwards.

The process belongs to the program: whatever the program does to it ends with it. Memory is allocated with the C
library's `aligned_alloc`, as a program's own is.
"""

from __future__ import annotations

import ctypes
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from fathom.execution.compiler import Compiler
from fathom.execution.outcome import RunProblem
from fathom.execution.protocol import Header
from fathom.execution.runtime import Phase, Status
from fathom.records import record

COMPILE_MEMORY: Final = 4 << 30
"""How much the compiler may allocate, in bytes: enough for any honest program."""
STACK_SIZE: Final = 8 << 20
_ALIGNMENT: Final = 64
_DEEPEST: Final = 64
"""No memref has more dimensions; a rank beyond it was not written by a program that works."""
_SIGNALS: Final = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTERM)
_SA_SIGINFO, _SA_ONSTACK = 4, 0x08000000


class _SignalAction(ctypes.Structure):
    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ulong * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class _SignalStack(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


@record(frozen=False)
class Program:
    """A request as it came off the wire, and what it takes to run it."""

    compiler: Compiler
    header: Header
    blob: bytes
    status: Any
    """The status words: an array of 64-bit integers that the supervisor sees too."""

    def run(self) -> tuple[Header, bytes]:
        """Header and blob of the answer. Raises RunProblem."""
        started = time.perf_counter()
        self.status[Status.PHASE] = Phase.COMPILING
        _limit_memory(COMPILE_MEMORY)
        call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(self._compile())
        compiled = time.perf_counter()
        memory = _Memory(self.header["buffers"], self.header["pointers"], self.blob)
        _keep(self.compiler, memory)
        _catch_signals(self.compiler, self.status)
        _limit_memory(self.header["limits"]["memory"])
        library = ctypes.CDLL(None)
        arguments, results = memory.addresses[:2]
        self.status[Status.PHASE] = Phase.CALLING
        before = time.perf_counter()
        call(arguments, results)
        seconds = time.perf_counter() - before
        library.fflush(None)
        self.status[Status.PHASE] = Phase.READING
        _limit_memory(COMPILE_MEMORY)
        answer: Header = {"compileSeconds": compiled - started, "callSeconds": seconds}
        return self._answer(answer, memory)

    def _compile(self) -> int:
        header = self.header
        return self.compiler.compile(
            header["text"],
            header["entry"],
            header["function"],
            header["functionType"],
            header["trampoline"],
            optimization=header["optimization"],
            libraries=header["libraries"],
        )

    def _answer(self, answer: Header, memory: _Memory) -> tuple[Header, bytes]:
        blob = bytearray(ctypes.string_at(memory.addresses[1], self.header["buffers"][1]["size"]))
        answer["results"] = [0, len(blob)]
        answer["views"] = views = list[Header]()
        for view in self.header["views"]:
            shape, data = memory.read(view, self.header["limits"]["elements"])
            freed = memory.freed(view.get("owner"))
            views.append({"shape": shape, "data": [len(blob), len(data)], "deallocated": freed})
            blob += data
        return answer, bytes(blob)


class _Memory:
    """The buffers of a call, at their addresses."""

    def __init__(self, buffers: Sequence[Header], pointers: Sequence[Sequence[int]], blob: bytes) -> None:
        allocate = ctypes.CDLL(None).aligned_alloc
        allocate.restype, allocate.argtypes = ctypes.c_void_p, (ctypes.c_size_t, ctypes.c_size_t)
        self.addresses: list[int] = []
        for buffer in buffers:
            size = buffer["size"]
            address = allocate(_ALIGNMENT, -(-max(size, 1) // _ALIGNMENT) * _ALIGNMENT)
            if not address:
                message = f"an argument takes {size} bytes, which is more memory than there is"
                raise RunProblem("memory-limit", message, {"requested": size})
            offset, length = buffer["data"]
            _fill(address, size, blob[offset : offset + length])
            self.addresses.append(address)
        for home, offset, target in pointers:
            ctypes.c_uint64.from_address(self.addresses[home] + offset).value = self.addresses[target]
        # Pairs of an address and a flag, which the runtime's `free` sets instead of freeing; a null ends them.
        self.kept = (ctypes.c_uint64 * (2 * len(self.addresses) + 2))()
        self.kept[: 2 * len(self.addresses) : 2] = self.addresses

    def freed(self, buffer: int | None) -> bool:
        """Whether the program freed the buffer."""
        return buffer is not None and bool(self.kept[2 * buffer + 1])

    def read(self, view: Header, most: int) -> tuple[list[int], bytes]:
        """Shape and first elements, row-major, of the memref whose words the view points at."""
        home: tuple[int, int] = view["at"]
        address = self.addresses[home[0]] + home[1]
        rank: int = view["rank"]
        size: int = view["size"]
        if rank < 0:
            rank = ctypes.c_int64.from_address(address).value
            address = ctypes.c_int64.from_address(address + 8).value
        if not 0 <= rank <= _DEEPEST:
            raise RunProblem("crash", f"the program returned an unranked memref of rank {rank}, which cannot be right")
        words = (ctypes.c_int64 * (3 + 2 * rank)).from_address(address)
        shape, strides = words[3 : 3 + rank], words[3 + rank :]
        if any(extent < 0 for extent in shape):
            raise RunProblem("crash", f"the program returned a memref with the extents {shape}, which cannot be right")
        start = words[1] + words[2] * size
        if start == 0 and math.prod(shape):
            raise RunProblem("crash", "the program returned a memref with elements, but with a null pointer to them")
        return shape, _gather(start, shape, strides, size, min(math.prod(shape), most))


def _fill(address: int, size: int, data: bytes) -> None:
    """Write the data to the memory, again and again until it is full; zeros if there is none."""
    if not data:
        ctypes.memset(address, 0, size)
        return
    done = min(len(data), size)
    ctypes.memmove(address, data, done)
    while done < size:
        step = min(done, size - done)
        ctypes.memmove(address + done, address, step)
        done += step


def _gather(start: int, shape: Sequence[int], strides: Sequence[int], size: int, count: int) -> bytes:
    """The bytes of the first `count` elements."""
    if count == 0:
        return b""
    run, dimensions = 1, list(zip(shape, strides, strict=True))
    while dimensions and (dimensions[-1][1] == run or dimensions[-1][0] == 1):
        run *= dimensions.pop()[0]
    pieces = list[bytes]()
    for number in range(-(-count // run)):
        place = 0
        for extent, stride in reversed(dimensions):
            number, index = divmod(number, extent)
            place += index * stride
        length = min(run, count - len(pieces) * run)
        pieces.append(ctypes.string_at(start + place * size, length * size))
    return b"".join(pieces)


def _keep(compiler: Compiler, memory: _Memory) -> None:
    table = ctypes.c_uint64.from_address(compiler.runtime_address("fathom_kept"))
    table.value = ctypes.addressof(memory.kept)


def _limit_memory(extra: int) -> None:
    """Let the process grow by so many bytes of address space. Where there is no /proc, there is no such limit."""
    try:
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + extra
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def limit_process(seconds: float) -> None:
    """The limits that hold from the start: processor time as a second line of defence, stack, no core dumps."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    stack = STACK_SIZE if hard == resource.RLIM_INFINITY else min(STACK_SIZE, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (stack, hard))
    processor = math.ceil(min(seconds, 1e6)) + 2
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or processor < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (processor, hard))


def _catch_signals(compiler: Compiler, status: Any) -> None:
    """Have the runtime note where a bad access happened, and flush what was printed, before the process dies of it."""
    if sys.platform != "linux":
        return
    low, high = _stack_bounds()
    status[Status.STACK_LOW], status[Status.STACK_HIGH] = low, high
    words = ctypes.c_uint64.from_address(compiler.runtime_address("fathom_status"))
    words.value = ctypes.addressof(status)
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    # A handler that ran on the stack that overflowed would overflow it again.
    size = 1 << 16
    stack = _SignalStack(library.malloc(size), 0, size)
    library.sigaltstack(ctypes.byref(stack), None)
    action = _SignalAction()
    action.handler = compiler.runtime_address("fathom_signal")
    action.flags = _SA_SIGINFO | _SA_ONSTACK
    for number in _SIGNALS:
        library.sigaction(int(number), ctypes.byref(action), None)


def _stack_bounds() -> tuple[int, int]:
    """The lowest address that the main stack may reach, and its end."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="ascii").splitlines()
        line = next(line for line in maps if line.endswith("[stack]"))
    except (OSError, StopIteration):
        return 0, 0
    high = int(line.split("-")[1].split(" ")[0], 16)
    return high - resource.getrlimit(resource.RLIMIT_STACK)[0], high


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the one that forked it is gone."""
    if sys.platform != "linux":
        return
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
