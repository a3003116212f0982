"""The runtime symbols a program may use without defining them, as LLVM IR that the worker compiles once.

They are those of mlir-runner's support libraries, with the same output byte for byte. Beyond those, the allocation
functions say so when memory runs out instead of returning null, since lowered code does not check; `free` spares the
arguments of the call; and a signal handler notes where a bad access happened.

The status words, which the program's process and the one that watches it share, are numbered here.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from fathom.execution.runtime_narrowing import narrowing_symbols, narrowing_text
from fathom.execution.runtime_printing import PRINTED_SYMBOLS, printing_text


class Status(IntEnum):
    """Numbers of the status words."""

    PHASE = 0
    SIGNAL = 1
    ADDRESS = 2
    STACK_POINTER = 3
    REQUESTED = 4
    EXIT = 5
    STACK_LOW = 6
    STACK_HIGH = 7
    REFUSED = 8
    """The first system call that was refused, plus one."""
    ENDED = 9
    """The wait status of a program that runs below a shepherd, plus one."""
    CODE = 10
    """Why a signal was sent: `si_code`."""
    FAILED = 11
    """The number of the check that failed, plus one; and behind it the two values that it compared."""
    VALUE = 12
    LIMIT = 13


FIRST_EXTENT: Final = 16
"""From this word on stand three words for each argument that has a buffer: its address, its size, and its number."""
MOST_EXTENTS: Final = 100
STATUS_WORDS: Final = FIRST_EXTENT + 3 * MOST_EXTENTS


class Phase(IntEnum):
    """How far a run has come."""

    STARTED = 0
    COMPILING = 1
    CALLING = 2
    READING = 3


STUCK: Final = 96
"""The exit status of a program that awaits what no task brings about."""
OUT_OF_MEMORY: Final = 97
"""The exit status of a program that could not get memory."""
CLOSED: Final = 98
"""The exit status of a program that returned, but whose results could not be sent."""

_STACK_POINTERS: Final = {"x86_64": 160, "aarch64": 432}
"""Where the stack pointer lies in Linux's `ucontext_t`, in bytes."""
_RETURNED: Final = {"x86_64": 144, "aarch64": 184}
"""Where the register lies there in which a system call returns."""

HOST_SYMBOLS: Final = {
    "host_malloc": "malloc",
    "host_calloc": "calloc",
    "host_realloc": "realloc",
    "host_aligned_alloc": "aligned_alloc",
    "host_free": "free",
}
"""The C library's functions that the runtime's own of the same name stand on."""
ALLOCATING: Final = tuple(HOST_SYMBOLS.values())
"""The runtime's functions that count what there is of memory."""

_HEADER: Final = """
@fathom_status = global ptr null
@fathom_kept = global ptr null
@fathom_live = global i64 0
@stdout = external global ptr
@stderr = external global ptr
declare ptr @host_malloc(i64)
declare ptr @host_calloc(i64, i64)
declare ptr @host_realloc(ptr, i64)
declare ptr @host_aligned_alloc(i64, i64)
declare void @host_free(ptr)
declare i32 @printf(ptr, ...)
declare i32 @fprintf(ptr, ptr, ...)
declare i32 @fputs(ptr, ptr)
declare i32 @putchar(i32)
declare i32 @fflush(ptr)
declare i32 @clock_gettime(i32, ptr)
declare ptr @signal(i32, ptr)
declare i32 @raise(i32)
declare void @_exit(i32)

define internal void @note(i64 %word, i64 %value) {
  %status = load ptr, ptr @fathom_status
  %slot = getelementptr i64, ptr %status, i64 %word
  store volatile i64 %value, ptr %slot
  ret void
}
"""

_PROCESS: Final = """
define void @exit(i32 %code) {
  call void @note(i64 5, i64 1)
  %flushed = call i32 @fflush(ptr null)
  call void @_exit(i32 %code)
  unreachable
}

define internal void @exhausted(i64 %size) noinline {
  call void @note(i64 4, i64 %size)
  %flushed = call i32 @fflush(ptr null)
  call void @_exit(i32 97)
  unreachable
}

define void @fathom_signal(i32 %signal, ptr %info, ptr %context) {
  %wide = zext i32 %signal to i64
  call void @note(i64 1, i64 %wide)
  %where = getelementptr i8, ptr %info, i64 16
  %address = load i64, ptr %where
  call void @note(i64 2, i64 %address)
  %code_at = getelementptr i8, ptr %info, i64 8
  %code = load i32, ptr %code_at
  %reason = zext i32 %code to i64
  call void @note(i64 10, i64 %reason)
  %pointer = getelementptr i8, ptr %context, i64 STACK_POINTER
  %stack = load i64, ptr %pointer
  call void @note(i64 3, i64 %stack)
  %flushed = call i32 @fflush(ptr null)
  %previous = call ptr @signal(i32 %signal, ptr null)
  %raised = call i32 @raise(i32 %signal)
  ret void
}
"""

_CHECKS: Final = """
declare void @abort()

define void @fathom_claimed(i64 %number) {
  %marked = add i64 %number, 1
  call void @note(i64 11, i64 %marked)
  ret void
}

define void @fathom_failed(i64 %number, i64 %value, i64 %limit) {
  call void @fathom_claimed(i64 %number)
  call void @note(i64 12, i64 %value)
  call void @note(i64 13, i64 %limit)
  call void @abort()
  unreachable
}
"""
"""A check failed; or an assertion of the program's own is about to fail, which prints and aborts by itself."""

_REFUSAL: Final = """
define void @fathom_refused(i32 %signal, ptr %info, ptr %context) {
  %number_at = getelementptr i8, ptr %info, i64 24
  %number = load i32, ptr %number_at
  %wide = zext i32 %number to i64
  %marked = add i64 %wide, 1
  %status = load ptr, ptr @fathom_status
  %slot = getelementptr i64, ptr %status, i64 8
  %known = load volatile i64, ptr %slot
  %first = icmp eq i64 %known, 0
  %noted = select i1 %first, i64 %marked, i64 %known
  store volatile i64 %noted, ptr %slot
  %returned = getelementptr i8, ptr %context, i64 RETURNED
  store i64 -1, ptr %returned
  ret void
}
"""
"""A filter refused a system call, which is noted, and returns that it is not permitted (EPERM)."""

_ALLOCATION: Final = """
define internal ptr @checked(ptr %memory, i64 %size) alwaysinline {
  %none = icmp eq ptr %memory, null
  %some = icmp ne i64 %size, 0
  %failed = and i1 %none, %some
  br i1 %failed, label %give_up, label %done
give_up:
  call void @exhausted(i64 %size)
  unreachable
done:
  ret ptr %memory
}

define internal void @count(ptr %memory, i64 %change) alwaysinline {
  %none = icmp eq ptr %memory, null
  %more = select i1 %none, i64 0, i64 %change
  %before = atomicrmw add ptr @fathom_live, i64 %more monotonic
  ret void
}

define ptr @malloc(i64 %size) {
  %memory = call ptr @host_malloc(i64 %size)
  call void @count(ptr %memory, i64 1)
  %result = call ptr @checked(ptr %memory, i64 %size)
  ret ptr %result
}

define ptr @calloc(i64 %count, i64 %size) {
  %memory = call ptr @host_calloc(i64 %count, i64 %size)
  call void @count(ptr %memory, i64 1)
  %total = mul i64 %count, %size
  %result = call ptr @checked(ptr %memory, i64 %total)
  ret ptr %result
}

define ptr @realloc(ptr %old, i64 %size) {
  %memory = call ptr @host_realloc(ptr %old, i64 %size)
  call void @count(ptr %old, i64 -1)
  call void @count(ptr %memory, i64 1)
  %result = call ptr @checked(ptr %memory, i64 %size)
  ret ptr %result
}

define ptr @aligned_alloc(i64 %alignment, i64 %size) {
  %memory = call ptr @host_aligned_alloc(i64 %alignment, i64 %size)
  call void @count(ptr %memory, i64 1)
  %result = call ptr @checked(ptr %memory, i64 %size)
  ret ptr %result
}

define void @free(ptr %memory) {
entry:
  %table = load ptr, ptr @fathom_kept
  %empty = icmp eq ptr %table, null
  br i1 %empty, label %release, label %look
look:
  %entry_at = phi ptr [ %table, %entry ], [ %next, %other ]
  %kept = load ptr, ptr %entry_at
  %end = icmp eq ptr %kept, null
  br i1 %end, label %release, label %compare
compare:
  %same = icmp eq ptr %kept, %memory
  br i1 %same, label %spare, label %other
other:
  %next = getelementptr i8, ptr %entry_at, i64 16
  br label %look
spare:
  %flag = getelementptr i8, ptr %entry_at, i64 8
  store i64 1, ptr %flag
  ret void
release:
  call void @count(ptr %memory, i64 -1)
  call void @host_free(ptr %memory)
  ret void
}

define ptr @mlirAlloc(i64 %size) {
  %memory = call ptr @malloc(i64 %size)
  ret ptr %memory
}

define ptr @mlirAlignedAlloc(i64 %alignment, i64 %size) {
  %memory = call ptr @aligned_alloc(i64 %alignment, i64 %size)
  ret ptr %memory
}

define void @mlirFree(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}

define void @mlirAlignedFree(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}
"""

_COPY: Final = """
define internal void @copy(i64 %bytes, i64 %rank, ptr %sizes, ptr %steps, ptr %onto_steps, ptr %from, ptr %onto) {
entry:
  %scalar = icmp eq i64 %rank, 0
  br i1 %scalar, label %element, label %loop
element:
  call void @llvm.memmove.p0.p0.i64(ptr %onto, ptr %from, i64 %bytes, i1 false)
  ret void
loop:
  %inner = sub i64 %rank, 1
  %size = load i64, ptr %sizes
  %step_elements = load i64, ptr %steps
  %step = mul i64 %step_elements, %bytes
  %onto_step_elements = load i64, ptr %onto_steps
  %onto_step = mul i64 %onto_step_elements, %bytes
  %sizes2 = getelementptr i64, ptr %sizes, i64 1
  %steps2 = getelementptr i64, ptr %steps, i64 1
  %onto_steps2 = getelementptr i64, ptr %onto_steps, i64 1
  br label %head
head:
  %i = phi i64 [ 0, %loop ], [ %i2, %body ]
  %more = icmp slt i64 %i, %size
  br i1 %more, label %body, label %done
body:
  %distance = mul i64 %i, %step
  %onto_distance = mul i64 %i, %onto_step
  %from2 = getelementptr i8, ptr %from, i64 %distance
  %onto2 = getelementptr i8, ptr %onto, i64 %onto_distance
  call void @copy(i64 %bytes, i64 %inner, ptr %sizes2, ptr %steps2, ptr %onto_steps2, ptr %from2, ptr %onto2)
  %i2 = add i64 %i, 1
  br label %head
done:
  ret void
}

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define internal ptr @start(ptr %descriptor, i64 %bytes) {
  %aligned_at = getelementptr i64, ptr %descriptor, i64 1
  %aligned = load ptr, ptr %aligned_at
  %offset_at = getelementptr i64, ptr %descriptor, i64 2
  %offset = load i64, ptr %offset_at
  %distance = mul i64 %offset, %bytes
  %start = getelementptr i8, ptr %aligned, i64 %distance
  ret ptr %start
}

define void @memrefCopy(i64 %bytes, ptr %source, ptr %target) {
  %rank = load i64, ptr %source
  %source_at = getelementptr i64, ptr %source, i64 1
  %from = load ptr, ptr %source_at
  %target_at = getelementptr i64, ptr %target, i64 1
  %onto = load ptr, ptr %target_at
  %sizes = getelementptr i64, ptr %from, i64 3
  %steps = getelementptr i64, ptr %sizes, i64 %rank
  %onto_sizes = getelementptr i64, ptr %onto, i64 3
  %onto_steps = getelementptr i64, ptr %onto_sizes, i64 %rank
  %from_start = call ptr @start(ptr %from, i64 %bytes)
  %onto_start = call ptr @start(ptr %onto, i64 %bytes)
  call void @copy(i64 %bytes, i64 %rank, ptr %sizes, ptr %steps, ptr %onto_steps, ptr %from_start, ptr %onto_start)
  ret void
}
"""

_CLOCK: Final = """
define internal { i64, i64 } @now(i32 %clock) {
  %time = alloca { i64, i64 }
  %got = call i32 @clock_gettime(i32 %clock, ptr %time)
  %value = load { i64, i64 }, ptr %time
  ret { i64, i64 } %value
}

define i64 @nanoTime() {
  %time = call { i64, i64 } @now(i32 1)
  %seconds = extractvalue { i64, i64 } %time, 0
  %rest = extractvalue { i64, i64 } %time, 1
  %nanoseconds = mul i64 %seconds, 1000000000
  %total = add i64 %nanoseconds, %rest
  ret i64 %total
}

define i64 @_mlir_ciface_nanoTime() {
  %time = call i64 @nanoTime()
  ret i64 %time
}

define double @rtclock() {
  %time = call { i64, i64 } @now(i32 0)
  %seconds = extractvalue { i64, i64 } %time, 0
  %rest = extractvalue { i64, i64 } %time, 1
  %whole = sitofp i64 %seconds to double
  %nanoseconds = sitofp i64 %rest to double
  %part = fmul double %nanoseconds, 1.0e-9
  %total = fadd double %whole, %part
  ret double %total
}
"""

_REPEATING: Final = """
define void @fathom_repeat(ptr %called, ptr %arguments, ptr %results, i64 %times) {
entry:
  br label %again
again:
  %done = phi i64 [ 0, %entry ], [ %more, %again ]
  call void %called(ptr %arguments, ptr %results)
  %more = add nuw i64 %done, 1
  %goes_on = icmp ult i64 %more, %times
  br i1 %goes_on, label %again, label %end
end:
  ret void
}
"""
"""An entry, called so many times, at least once."""
_WORK: Final = """
@fathom_work = global [2 x i64] zeroinitializer
define void @fathom_worked(i64 %flops, i64 %bytes) {
  %moved = getelementptr i64, ptr @fathom_work, i64 1
  %computed = atomicrmw add ptr @fathom_work, i64 %flops monotonic
  %loaded = atomicrmw add ptr %moved, i64 %bytes monotonic
  ret void
}
"""
"""What a program counts of its work."""

_EXPORTED: Final = (
    *("exit", *ALLOCATING),
    *("fathom_signal", "fathom_refused", "fathom_status", "fathom_kept", "fathom_live"),
    *("fathom_failed", "fathom_claimed", "fathom_repeat", "fathom_work", "fathom_worked"),
    *("mlirAlloc", "mlirAlignedAlloc", "mlirFree", "mlirAlignedFree", "memrefCopy"),
    *("nanoTime", "_mlir_ciface_nanoTime", "rtclock"),
)


def runtime_symbols(machine: str) -> list[str]:
    """The names of the symbols the runtime provides on a machine."""
    return [*_EXPORTED, *narrowing_symbols(machine), *PRINTED_SYMBOLS]


def runtime_text(machine: str) -> str:
    """The runtime as LLVM IR, for a machine by the name that `platform.machine()` gives it."""
    process = _PROCESS.replace("STACK_POINTER", str(_STACK_POINTERS.get(machine, 0)))
    refusal = _REFUSAL.replace("RETURNED", str(_RETURNED.get(machine, 0)))
    computing = (_ALLOCATION, _COPY, _CLOCK, narrowing_text(machine), _REPEATING, _WORK, printing_text())
    return "".join((_HEADER, process, _CHECKS, refusal, *computing))
