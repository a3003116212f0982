"""One run, inside the process forked for it: compile, lay out the arguments, call, read the memory afterwards.

The process belongs to the program: whatever the program does to it ends with it.
"""

from __future__ import annotations

import ctypes
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fathom.execution import containment
from fathom.execution.buffers import Memory
from fathom.execution.compiler import Compiler, load
from fathom.execution.kept_code import Code
from fathom.execution.outcome import RunProblem
from fathom.execution.protocol import Header, most_elements
from fathom.execution.runtime import Phase, Status
from fathom.llvm.address_space import address_space
from fathom.records import record

COMPILE_MEMORY: Final = 4 << 30
"""How much the compiler may allocate, in bytes: enough for any honest program."""
READING_MEMORY: Final = 256 << 20
"""How much it may take to read results, in bytes, when the program has used up its own memory."""
_COPIES: Final = 4
"""How often what is read lies in memory until it is sent."""
STACK_SIZE: Final = 8 << 20
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
    status: ctypes.Array[ctypes.c_uint64]
    """The status words: an array of 64-bit integers that the supervisor sees too."""
    code: Code | None = None
    """The machine code of the program, if it was made before."""
    made: Callable[[Code], None] | None = None
    """Who is told of it if it is made, before the program or anything of its own is called."""

    def run(self) -> tuple[Header, bytes]:
        """Header and blob of the answer. Raises RunProblem."""
        started = time.perf_counter()
        limits = self.header["limits"]
        self.status[Status.PHASE] = Phase.COMPILING
        limit_memory(COMPILE_MEMORY)
        catch_signals(self.compiler, self.status)
        lacking = containment.contain() if limits["contained"] else None
        code = self.code or self._compile()
        if code.said:
            os.write(2, code.said.encode())
        unloaded = load(self.header["libraries"])
        address = self.compiler.link(code, self.header["entry"], unloaded)
        call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)
        compiled = time.perf_counter()
        memory = Memory(self.header["buffers"], self.header["pointers"], self.blob, self.status)
        _keep(self.compiler, memory)
        limit_memory(limits["memory"], reserve=READING_MEMORY + _COPIES * limits["arrayBytes"])
        library = ctypes.CDLL(None)
        arguments, results = memory.addresses[:2]
        self.status[Status.PHASE] = Phase.CALLING
        before = time.perf_counter()
        call(arguments, results)
        seconds = time.perf_counter() - before
        library.fflush(None)
        self.status[Status.PHASE] = Phase.READING
        _use_reserve()
        memory.check()
        answer: Header = {"compileSeconds": compiled - started, "callSeconds": seconds}
        answer["notes"] = [*([lacking] if lacking else ()), *unloaded, *self._left(memory)]
        return self._answer(answer, memory)

    def _left(self, memory: Memory) -> list[str]:
        """How much of what the program allocated nobody freed, if that is asked for."""
        if not self.header["countsMemory"]:
            return []
        live = ctypes.c_int64.from_address(self.compiler.runtime_address("fathom_live")).value
        left = live - len(memory.returned(self.header["views"]))
        if left <= 0:
            return []
        return [f"{left} allocations were not freed" if left > 1 else "1 allocation was not freed"]

    def _compile(self) -> Code:
        header = self.header
        if "code" in header and not header["text"]:
            raise RunProblem("compile-error", "the code that was kept of the program is not for this computer")
        code = self.compiler.compile(
            header["text"],
            header["entry"],
            header["function"],
            header["functionType"],
            header["trampoline"],
            optimization=header["optimization"],
            rows_first=header["rowsFirst"],
            counts_memory=header["countsMemory"],
            features=header["features"],
        )
        if self.made is not None:
            self.made(code)
        return code

    def _answer(self, answer: Header, memory: Memory) -> tuple[Header, bytes]:
        blob = bytearray(ctypes.string_at(memory.addresses[1], self.header["buffers"][1]["size"]))
        answer["results"] = [0, len(blob)]
        answer["starts"] = memory.addresses
        answer["views"] = views = list[Header]()
        for view in self.header["views"]:
            shape, data = memory.read(view, most_elements(view, self.header["limits"]))
            freed = memory.freed(view.get("owner"))
            views.append({"shape": shape, "data": [len(blob), len(data)], "deallocated": freed})
            blob += data
        return answer, bytes(blob)


def _keep(compiler: Compiler, memory: Memory) -> None:
    table = ctypes.c_uint64.from_address(compiler.runtime_address("fathom_kept"))
    table.value = ctypes.addressof(memory.kept)


def limit_memory(extra: int, *, reserve: int | None = None) -> None:
    """Let the process grow by so many bytes of address space. Where there is no /proc, there is no such limit.

    With a `reserve` that is final: the process, whatever runs in it, can use the reserve besides and no more.
    """
    used = address_space()
    if used is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + extra
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if reserve is not None:
        hard = wanted + reserve if hard == resource.RLIM_INFINITY else min(wanted + reserve, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _use_reserve() -> None:
    """Let the process use the memory that was reserved."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


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


def catch_signals(compiler: Compiler, status: ctypes.Array[ctypes.c_uint64]) -> None:
    """Have the runtime note where a bad access happened, and flush what was printed, before the process dies of it; and
    note what a filter of system calls refused."""
    words = ctypes.c_uint64.from_address(compiler.runtime_address("fathom_status"))
    words.value = ctypes.addressof(status)
    if sys.platform != "linux":
        return
    low, high = _stack_bounds()
    status[Status.STACK_LOW], status[Status.STACK_HIGH] = low, high
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
    action.handler = compiler.runtime_address("fathom_refused")
    library.sigaction(int(signal.SIGSYS), ctypes.byref(action), None)


def _stack_bounds() -> tuple[int, int]:
    """The lowest address that the main stack may reach, and its end."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="ascii").splitlines()
        line = next(line for line in maps if line.endswith("[stack]"))
    except (OSError, StopIteration):
        return 0, 0
    high = int(line.split("-")[1].split(" ")[0], 16)
    return high - resource.getrlimit(resource.RLIMIT_STACK)[0], high
