"""The process of a program that stays: it links a program once, and calls its functions as it is asked.

    python -m fathom.execution.resident_worker REQUESTS ANSWERS ARENA PARENT

The first three are numbers of descriptors, the last that of a process with which it ends, or 0.

Requests and answers are frames (`protocol`). The arena is a file that this process and the one that calls both map: the
status words, and behind them the words and the elements of arguments, and the words of results. What a program prints
goes to standard output and standard error. The process ends with the program, if that ends, or when requests do.

    {"load": …}   the machine code and the text of the program        -> {"base": address, "notes": […]}, {"failure": …}
    {"arena": n}  the arena has that many bytes now                   -> {"base": address}
    {"call": …}   a function, with places in the arena                -> {"views": […]}, or how long
                  it took so many times                           -> {"seconds": […], "work": [flops, bytes]}
"""

from __future__ import annotations

import ctypes
import functools
import math
import mmap
import os
import resource
import select
import signal
import sys
import threading
import time
from typing import Any, Final

from fathom.execution import containment
from fathom.execution.buffers import OF_GLOBALS, gather
from fathom.execution.compiler import Compiler, load, runtimes_of
from fathom.execution.containment import kernel
from fathom.execution.entries import BEGIN
from fathom.execution.kept_code import Code
from fathom.execution.outcome import RunProblem
from fathom.execution.program import COMPILE_MEMORY, catch_signals, limit_memory, limit_process
from fathom.execution.protocol import Damaged, Header, frame, read_exactly, read_frame, write_all
from fathom.execution.runtime import CLOSED, FIRST_EXTENT, STATUS_WORDS, Phase, Status
from fathom.kept import here

_DEEPEST: Final = 64
"""No memref has more dimensions."""
_FOREVER: Final = 1e6
_READ_AND_WRITE: Final = mmap.PROT_READ | mmap.PROT_WRITE


class _Resident:
    def __init__(self, requests: int, arena: int) -> None:
        self._requests, self._arena = requests, arena
        self._size = self._base = 0
        self._map: mmap.mmap | None = None
        self._compiler = Compiler(here())
        self._library: Any = None
        self._native: dict[str, Any] = {}
        self._c = ctypes.CDLL(None)
        self._c.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        self._c.free.argtypes, self._c.free.restype = (ctypes.c_void_p,), None
        self._kept = (ctypes.c_uint64 * 2)()

    def answer(self, header: Header, blob: bytes) -> tuple[Header, bytes]:
        """What is answered to a request. Raises RunProblem."""
        if "load" in header:
            return self._load(header["load"], blob), b""
        if "arena" in header:
            return self._grow(header["arena"]), b""
        return self._call(header["call"])

    def _load(self, asked: Header, blob: bytes) -> Header:
        self._grow(asked["arena"])
        status = self._status()
        status[Status.PHASE] = Phase.COMPILING
        limit_memory(COMPILE_MEMORY)
        catch_signals(self._compiler, status)
        code, text = blob[: asked["code"]], blob[asked["code"] :].decode("utf-8", "surrogateescape")
        runtimes = runtimes_of(text)
        self._compiler.prepare(runtimes)
        # What is kept on disk is nothing to the program.
        self._compiler.forget_kept()
        lacking = containment.contain() if asked["contained"] else None
        unloaded = load(asked["libraries"])
        threading.Thread(target=_end_with, args=(self._requests,), daemon=True).start()
        made = Code(code, self._compiler.target, tuple(asked["defined"]), runtimes)
        self._library = self._compiler.load("program", made, asked["symbols"], unloaded)
        limit_memory(asked["memory"])
        status[Status.PHASE] = Phase.CALLING
        ctypes.CFUNCTYPE(None)(self._library[BEGIN])()
        self._c.fflush(None)
        return {"base": self._base, "notes": [*([lacking] if lacking else ()), *unloaded]}

    def _status(self) -> ctypes.Array[ctypes.c_uint64]:
        return (ctypes.c_uint64 * STATUS_WORDS).from_address(self._base)

    def _grow(self, size: int) -> Header:
        """Map the arena anew, with so many bytes; its memory is not the program's."""
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            wanted = soft + size
            resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))
        before, self._map = self._map, mmap.mmap(self._arena, size)
        if before is not None:
            before.close()
        self._size = size
        # The address is kept, and not an object that would keep the map from being closed.
        holder = ctypes.c_char.from_buffer(self._map)
        self._base = ctypes.addressof(holder)
        del holder
        words = ctypes.c_uint64.from_address(self._compiler.runtime_address("fathom_status"))
        words.value = self._base
        return {"base": self._base}

    def _call(self, asked: Header) -> tuple[Header, bytes]:
        symbol, base, status = asked["symbol"], self._base, self._status()
        for word in (Status.SIGNAL, Status.ADDRESS, Status.REQUESTED, Status.EXIT, Status.FAILED):
            status[word] = 0
        extents = asked["extents"]
        for number, (start, size, argument) in enumerate(extents):
            status[FIRST_EXTENT + 3 * number : FIRST_EXTENT + 3 * number + 3] = (base + start, size, argument)
        status[FIRST_EXTENT + 3 * len(extents)] = 0
        self._keep([base + start for start, _, _ in extents])
        self._c.mprotect(base, self._size, _READ_AND_WRITE)
        for start, size in asked["guards"]:
            self._c.mprotect(base + start, size, 0)
        native = self._native.get(symbol)
        if native is None:
            kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
            native = self._native[symbol] = kind(self._library[symbol])
        status[Status.PHASE] = Phase.CALLING
        if (repeats := asked.get("repeats")) is not None:
            call = functools.partial(self._repeated, native, base + asked["arguments"], base + asked["results"])
            work = (ctypes.c_uint64 * 2).from_address(self._compiler.runtime_address("fathom_work"))
            work[:] = (0, 0)
            seconds = [call(asked["views"], repeats["calls"]) for _ in range(repeats["values"])]
            return {"seconds": seconds, "work": list(work)}, b""
        native(base + asked["arguments"], base + asked["results"])
        self._c.fflush(None)
        status[Status.PHASE] = Phase.READING
        return self._read(asked["views"], base + asked["results"])

    def _repeated(self, native: Any, arguments: int, results: int, views: list[list[int]], calls: int) -> float:
        """The seconds that so many calls take, one after the other. Memory that they return is freed between them, and
        not in that time."""
        if not views:
            repeat = ctypes.CFUNCTYPE(None, *(ctypes.c_void_p,) * 3, ctypes.c_int64)(
                self._compiler.runtime_address("fathom_repeat")
            )
            begun = time.perf_counter()
            repeat(ctypes.cast(native, ctypes.c_void_p), arguments, results, calls)
            return time.perf_counter() - begun
        seconds = 0.0
        for _ in range(calls):
            begun = time.perf_counter()
            native(arguments, results)
            seconds += time.perf_counter() - begun
            self._read(views, results)
        return seconds

    def _keep(self, addresses: list[int]) -> None:
        """The runtime's `free` spares these addresses."""
        self._kept = (ctypes.c_uint64 * (2 * len(addresses) + 2))()
        self._kept[: 2 * len(addresses) : 2] = addresses
        table = ctypes.c_uint64.from_address(self._compiler.runtime_address("fathom_kept"))
        table.value = ctypes.addressof(self._kept)

    def _read(self, views: list[list[int]], results: int) -> tuple[Header, bytes]:
        """The memrefs among the results: their words, and their elements if these do not lie in the arena."""
        told, blob, freed = list[list[Any]](), bytearray(), set[int]()
        for offset, rank, size in views:
            words = self._words(results + offset, rank, freed)
            shape = words[3 : 3 + (len(words) - 3) // 2]
            start = words[1] + words[2] * size
            inside = self._base <= start < self._base + self._size
            if any(extent < 0 for extent in shape):
                message = f"the program returned a memref with the extents {shape}, which cannot be right"
                raise RunProblem("crash", message)
            count = math.prod(shape)
            if count and not start:
                message = "the program returned a memref with elements, but with a null pointer to them"
                raise RunProblem("crash", message)
            data = b"" if inside else gather(start, shape, words[3 + len(shape) :], size, count)
            told.append([words, inside, len(blob), len(data)])
            blob += data
            if not self._base <= words[0] < self._base + self._size:
                freed.add(words[0])
        for address in freed - {0, OF_GLOBALS}:
            self._c.free(address)
        return {"views": told}, bytes(blob)

    def _words(self, address: int, rank: int, freed: set[int]) -> list[int]:
        """The descriptor whose words, or whose rank and place, lie at an address."""
        if rank < 0:
            rank = ctypes.c_int64.from_address(address).value
            if not 0 <= rank <= _DEEPEST:
                message = f"the program returned an unranked memref of rank {rank}, which cannot be right"
                raise RunProblem("crash", message)
            address = ctypes.c_int64.from_address(address + 8).value
            if not self._base <= address < self._base + self._size:
                freed.add(address)
        return list((ctypes.c_int64 * (3 + 2 * rank)).from_address(address))


def main(requests: int, answers: int, arena: int, parent: int) -> int:
    """Serve requests until they end."""
    if parent:
        kernel.die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_process(_FOREVER)
    _end_with_thread()
    resident = _Resident(requests, arena)
    while True:
        try:
            request = read_frame(lambda count: read_exactly(requests, count))
        except Damaged:
            return 1
        if request is None:
            return 0
        try:
            reply = frame(*resident.answer(*request))
        except RunProblem as problem:
            reply = frame({"failure": problem.failure.to_json()})
        except MemoryError:
            reply = frame(
                {"failure": {"kind": "memory-limit", "message": "the results take more memory than there is"}}
            )
        try:
            write_all(answers, reply)
        except OSError:
            os._exit(CLOSED)


def _end_with_thread() -> None:
    """End this process when a program ends the thread that calls it, as it would end if it had no other."""
    threads = ctypes.CDLL(None)
    key = ctypes.c_uint()
    threads.pthread_key_create(ctypes.byref(key), ctypes.cast(threads._exit, ctypes.c_void_p))
    # Of the value that the key has, which is not null, `_exit` takes the lowest byte, which is 0.
    threads.pthread_setspecific(key, ctypes.c_void_p(1 << 8))


def _end_with(requests: int) -> None:
    """End this process when nobody is left who asks, also while the program runs. (The kernel's own signal for that,
    which also ends a program that stopped itself, comes when the thread ends that started this process.)"""
    poller = select.poll()
    poller.register(requests, 0)
    poller.poll()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
