"""Why a program gave no result: from how its process ended to a message a person can act on."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Sequence
from typing import Final

from fathom.execution.buffers import GUARD
from fathom.execution.containment.system_calls import described
from fathom.execution.outcome import UNREADABLE, Failure
from fathom.execution.protocol import Header
from fathom.execution.runtime import CLOSED, FIRST_EXTENT, OUT_OF_MEMORY, STATUS_WORDS, STUCK, Phase, Status
from fathom.llvm.printed import words_of

_SIGNALS: Final[dict[str, str]] = {
    "SIGSEGV": "a segmentation fault",
    "SIGBUS": "a bus error",
    "SIGFPE": "an arithmetic error: an integer division by zero, or of the lowest integer by -1",
    "SIGILL": "an illegal instruction: an `unreachable` or a trap was reached",
    "SIGABRT": "an abort: an assertion failed, or the program called abort",
    "SIGKILL": "SIGKILL: something outside killed it, perhaps for want of memory",
}
CONTAINED: Final = (
    "a contained program may not; the setting `fathom.run.contained` lifts that (on the command line, "
    "`--contained=false`)"
)
_OF_ASSEMBLY: Final = re.compile(r"<inline asm>:\d+:\d+: |(?=.*constraint)")
"""What LLVM puts before its words about inline assembly; about constraints it is without a place."""
_SI_KERNEL: Final = 128
"""Why a bad access is signalled whose address is not one, so that the kernel does not tell it."""
_HEAP: Final = re.compile(r"^(?:\w*alloc\w*|free|munmap_chunk|corrupted|double free|unaligned)\b.*", re.MULTILINE)
"""What the C library says when it finds that its lists of memory make no sense."""
_PAGE: Final = 4096
_VALUES: Final = (Status.VALUE, Status.LIMIT)
_GUARD: Final = 1 << 20
"""How far below the end of the stack an access still counts as an overflow of it, in bytes."""


def judge(status: Sequence[int], wait_status: int, limits: Header, stderr: str) -> Failure:
    """The failure of a program that ended by itself without an answer. `wait_status` is as `os.waitpid` gives it."""
    phase = status[Status.PHASE]
    if phase <= Phase.COMPILING:
        return _compiler_failed(wait_status, stderr)
    if not os.WIFSIGNALED(wait_status):
        return _exited(status, os.waitstatus_to_exitcode(wait_status), limits)
    number = os.WTERMSIG(wait_status)
    if number == signal.SIGABRT and status[Status.FAILED]:
        details = {"check": status[Status.FAILED] - 1, "values": [_signed(status[at]) for at in _VALUES]}
        return Failure("assertion", "a check failed", details)
    if number == signal.SIGABRT and (match := _HEAP.search(stderr)):
        what = "it wrote outside of what it had allocated, or freed something twice"
        message = f"the program damaged its heap: {what} ({match[0]})"
        return Failure("crash", message, {"signal": name_of(number)})
    if number == signal.SIGXCPU:
        return timed_out(limits, phase)
    if number == signal.SIGSYS:
        message = f"the program was stopped: it tried to start a process, or something else that {CONTAINED}"
        return Failure("refused", message)
    if number in (signal.SIGSEGV, signal.SIGBUS):
        return _bad_access(status, number)
    cause = _SIGNALS.get(name_of(number), name_of(number))
    return Failure("crash", f"the program died of {cause} ({name_of(number)})", {"signal": name_of(number)})


def timed_out(limits: Header, phase: int) -> Failure:
    """The failure of a program that was stopped because its time was over."""
    doing = "compiling the program" if phase <= Phase.COMPILING else "running the program"
    message = f"{doing} took longer than the limit of {limits['seconds']:g} s; it was stopped"
    return Failure("timeout", message, {"seconds": limits["seconds"]})


def printed_too_much(limits: Header) -> Failure:
    """The failure of a program that was stopped because of what it printed."""
    message = f"the program printed more than the limit of {limits['output']} bytes; it was stopped"
    return Failure("output-limit", message, {"bytes": limits["output"]})


def too_many_threads(most: int) -> Failure:
    """The failure of a program that was stopped because of its threads."""
    return Failure("thread-limit", f"the program started more than {most} threads; it was stopped")


def closed_descriptors() -> Failure:
    """The failure of a program that nothing can be heard of any more."""
    message = "the program closed the file descriptors of its process, so that its results could not be sent"
    return Failure("crash", message)


def refusals(status: Sequence[int]) -> list[str]:
    """What the user is told of what the program was refused while it went on."""
    refused = status[Status.REFUSED]
    if not refused:
        return []
    return [f"the program was refused to {described(refused - 1)}, which {CONTAINED}"]


def no_memory(phase: int) -> Failure:
    """The failure of a program for which memory could not be had."""
    if phase <= Phase.COMPILING:
        return Failure("memory-limit", "there was not enough memory to compile the program")
    why = "the results take more memory than there is, or the program damaged its heap by writing outside of it"
    return Failure("memory-limit", f"the results could not be read: {why}")


def name_of(number: int) -> str:
    """The name of a signal, such as SIGSEGV."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _compiler_failed(wait_status: int, stderr: str) -> Failure:
    said = words_of(stderr).partition("\n")[0]
    if said:
        said = said.removeprefix("error: ")
        place = _OF_ASSEMBLY.match(said)
        of_assembly = {"assembly": said[place.end() :]} if place is not None else {}
        return Failure("compile-error", f"LLVM cannot compile the program: {said}", of_assembly)
    how = f"died of {name_of(os.WTERMSIG(wait_status))}" if os.WIFSIGNALED(wait_status) else "ended without saying why"
    return Failure("compile-error", f"LLVM {how} while it compiled the program")


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _exited(status: Sequence[int], code: int, limits: Header) -> Failure:
    requested = status[Status.REQUESTED]
    if code == OUT_OF_MEMORY and requested:
        message = f"the program asked for {requested} bytes, beyond its limit of {limits['memory']} bytes of memory"
        return Failure("memory-limit", message, {"requested": requested})
    if code == STUCK and not status[Status.EXIT]:
        message = "the program awaits what is never there: no task is left that could bring it about"
        return Failure("deadlock", message)
    if code == CLOSED and status[Status.PHASE] == Phase.READING:
        return closed_descriptors()
    if status[Status.PHASE] == Phase.READING:
        return Failure("crash", UNREADABLE)
    message = f"the program ended the process with exit status {code} instead of returning"
    return Failure("exit", message, {"status": code})


def _bad_access(status: Sequence[int], number: int) -> Failure:
    name = name_of(number)
    details = {"signal": name, "address": status[Status.ADDRESS]}
    what = _SIGNALS[name]
    if status[Status.PHASE] == Phase.READING:
        why = "a memref of the program points to memory that is not there, or it wrote where it should not"
        message = f"{what} ({name}) while the results were read: {why}"
        return Failure("crash", message, details)
    if status[Status.SIGNAL] != number:
        return Failure("crash", f"the program died of {what} ({name})", {"signal": name})
    if _is_stack_overflow(status):
        message = f"the program used up its stack ({name}): a recursion without end, or an alloca too large"
        return Failure("crash", message, details)
    address = status[Status.ADDRESS]
    if (beside := _beside_argument(status, address)) is not None:
        return Failure("crash", f"the program died of {what} ({name}): it accessed {beside}", details)
    if status[Status.CODE] == _SI_KERNEL:
        return Failure("crash", f"the program died of {what} ({name}): it accessed memory that cannot be", details)
    where = f"a null pointer (address {address:#x})" if address < _PAGE else f"address {address:#x}"
    return Failure("crash", f"the program died of {what} ({name}): it accessed {where}", details)


def _beside_argument(status: Sequence[int], address: int) -> str | None:
    """Where an address lies that is near the elements of an argument."""
    for word in range(FIRST_EXTENT, min(len(status), STATUS_WORDS) - 2, 3):
        start, size, number = status[word : word + 3]
        if start and start - GUARD <= address < start + size + GUARD:
            bytes_of = f"argument #{number}, which has {size} bytes"
            if address < start:
                return f"memory {start - address} bytes before the beginning of {bytes_of}"
            return f"memory {address - start - size} bytes beyond the end of {bytes_of}"
    return None


def _is_stack_overflow(status: Sequence[int]) -> bool:
    low, pointer, address = status[Status.STACK_LOW], status[Status.STACK_POINTER], status[Status.ADDRESS]
    return low != 0 and (pointer < low + _PAGE or low - _GUARD <= address < low + _PAGE)
