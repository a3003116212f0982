"""The part of the runtime that runs what is asynchronous, as LLVM IR: tokens, values and groups, and tasks.

There is one thread. A task is a coroutine to be resumed, and waits in a queue until something is awaited that is not
there yet, or the program ends; then the oldest is run first. So a program does the same each time. Where something is
awaited and there is no task that could bring it about, the program would wait for ever, and is ended.

An object is counted by two at first: by whoever made it, and by the task that will say that it is there. Only programs
that call one of these functions get them. Source of the rules: the interface of MLIR's async runtime.
"""

from __future__ import annotations

from typing import Final

from fathom.execution.runtime import STUCK

FINISH: Final = "fathom_finish_tasks"
"""What runs the tasks that are left."""

_OBJECTS: Final = """
%object = type { i64, i64, i64, i64, i64, ptr, ptr }
%task = type { ptr, ptr, ptr, ptr }

@first = internal global ptr null
@last = internal global ptr null

declare ptr @malloc(i64)
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare void @_exit(i32)
declare i32 @fflush(ptr)
declare i32 @printf(ptr, ...)
declare i64 @pthread_self()

define internal ptr @new(i64 %size, i64 %references, i64 %pending) {
  %more = add i64 %size, 127
  %bytes = and i64 %more, -64
  %object = call ptr @aligned_alloc(i64 64, i64 %bytes)
  %none = icmp eq i64 %pending, 0
  %state = zext i1 %none to i64
  %counted = insertvalue %object zeroinitializer, i64 %references, 0
  %with_state = insertvalue %object %counted, i64 %state, 1
  %whole = insertvalue %object %with_state, i64 %pending, 2
  store %object %whole, ptr %object
  ret ptr %object
}

define ptr @mlirAsyncRuntimeCreateToken() {
  %token = call ptr @new(i64 0, i64 2, i64 1)
  ret ptr %token
}

define ptr @mlirAsyncRuntimeCreateValue(i64 %size) {
  %value = call ptr @new(i64 %size, i64 2, i64 1)
  ret ptr %value
}

define ptr @mlirAsyncRuntimeCreateGroup(i64 %size) {
  %group = call ptr @new(i64 0, i64 1, i64 %size)
  ret ptr %group
}

define ptr @mlirAsyncRuntimeGetValueStorage(ptr %value) {
  %storage = getelementptr i8, ptr %value, i64 64
  ret ptr %storage
}

define void @mlirAsyncRuntimeAddRef(ptr %object, i64 %count) {
  %before = load i64, ptr %object
  %after = add i64 %before, %count
  store i64 %after, ptr %object
  ret void
}

define void @mlirAsyncRuntimeDropRef(ptr %object, i64 %count) {
  %before = load i64, ptr %object
  %after = sub i64 %before, %count
  store i64 %after, ptr %object
  %unused = icmp eq i64 %after, 0
  br i1 %unused, label %destroy, label %done
destroy:
  call void @free(ptr %object)
  ret void
done:
  ret void
}
"""
"""An object: references, state (1: there, 2: in error), how many are pending, errors and rank of a group, and the first
and the last that await it. What a value holds stands behind it, where the largest vectors can be loaded.

A task: the next one, a coroutine, what resumes it; or the group that is to be told when a token is there.
"""

_TASKS: Final = """
define internal void @append(ptr %task, ptr %first_at, ptr %last_at) {
  store ptr null, ptr %task
  %last = load ptr, ptr %last_at
  %empty = icmp eq ptr %last, null
  %before = select i1 %empty, ptr %first_at, ptr %last
  store ptr %task, ptr %before
  store ptr %task, ptr %last_at
  ret void
}

define internal ptr @take(ptr %first_at, ptr %last_at) {
  %task = load ptr, ptr %first_at
  %empty = icmp eq ptr %task, null
  br i1 %empty, label %done, label %some
some:
  %next = load ptr, ptr %task
  store ptr %next, ptr %first_at
  %was_last = icmp eq ptr %next, null
  br i1 %was_last, label %forget, label %done
forget:
  store ptr null, ptr %last_at
  br label %done
done:
  ret ptr %task
}

define internal ptr @task(ptr %handle, ptr %resume, ptr %group) {
  %task = call ptr @malloc(i64 32)
  %with_handle = insertvalue %task zeroinitializer, ptr %handle, 1
  %with_resume = insertvalue %task %with_handle, ptr %resume, 2
  %whole = insertvalue %task %with_resume, ptr %group, 3
  store %task %whole, ptr %task
  ret ptr %task
}

define void @mlirAsyncRuntimeExecute(ptr %handle, ptr %resume) {
  %task = call ptr @task(ptr %handle, ptr %resume, ptr null)
  call void @append(ptr %task, ptr @first, ptr @last)
  ret void
}

define internal i1 @run_one() {
  %task = call ptr @take(ptr @first, ptr @last)
  %empty = icmp eq ptr %task, null
  br i1 %empty, label %none, label %run
none:
  ret i1 false
run:
  %value = load %task, ptr %task
  call void @free(ptr %task)
  %handle = extractvalue %task %value, 1
  %resume = extractvalue %task %value, 2
  call void %resume(ptr %handle)
  ret i1 true
}

define void @fathom_finish_tasks() {
  br label %next
next:
  %ran = call i1 @run_one()
  br i1 %ran, label %next, label %done
done:
  ret void
}
"""

_STATES: Final = """
define internal i64 @state(ptr %object) {
  %state_at = getelementptr %object, ptr %object, i64 0, i32 1
  %state = load i64, ptr %state_at
  ret i64 %state
}

define internal void @arrive(ptr %object, i64 %state) {
entry:
  %state_at = getelementptr %object, ptr %object, i64 0, i32 1
  store i64 %state, ptr %state_at
  %first_at = getelementptr %object, ptr %object, i64 0, i32 5
  %last_at = getelementptr %object, ptr %object, i64 0, i32 6
  br label %next
next:
  %task = call ptr @take(ptr %first_at, ptr %last_at)
  %empty = icmp eq ptr %task, null
  br i1 %empty, label %done, label %some
some:
  %group_at = getelementptr %task, ptr %task, i64 0, i32 3
  %group = load ptr, ptr %group_at
  %is_coroutine = icmp eq ptr %group, null
  br i1 %is_coroutine, label %resume, label %tell
resume:
  call void @append(ptr %task, ptr @first, ptr @last)
  br label %next
tell:
  call void @free(ptr %task)
  call void @tell(ptr %group, i64 %state)
  call void @mlirAsyncRuntimeDropRef(ptr %group, i64 1)
  br label %next
done:
  ret void
}

define internal void @tell(ptr %group, i64 %state) {
  %errors_at = getelementptr %object, ptr %group, i64 0, i32 3
  %errors = load i64, ptr %errors_at
  %is_error = icmp eq i64 %state, 2
  %one = zext i1 %is_error to i64
  %more = add i64 %errors, %one
  store i64 %more, ptr %errors_at
  %pending_at = getelementptr %object, ptr %group, i64 0, i32 2
  %pending = load i64, ptr %pending_at
  %left = sub i64 %pending, 1
  store i64 %left, ptr %pending_at
  %all = icmp eq i64 %left, 0
  br i1 %all, label %arrive, label %done
arrive:
  call void @arrive(ptr %group, i64 1)
  ret void
done:
  ret void
}

define i64 @mlirAsyncRuntimeAddTokenToGroup(ptr %token, ptr %group) {
  %rank_at = getelementptr %object, ptr %group, i64 0, i32 4
  %rank = load i64, ptr %rank_at
  %next = add i64 %rank, 1
  store i64 %next, ptr %rank_at
  %state = call i64 @state(ptr %token)
  %there = icmp ne i64 %state, 0
  br i1 %there, label %tell, label %wait
tell:
  call void @tell(ptr %group, i64 %state)
  ret i64 %rank
wait:
  call void @mlirAsyncRuntimeAddRef(ptr %group, i64 1)
  %task = call ptr @task(ptr null, ptr null, ptr %group)
  call void @await(ptr %token, ptr %task)
  ret i64 %rank
}

define internal void @await(ptr %object, ptr %task) {
  %first_at = getelementptr %object, ptr %object, i64 0, i32 5
  %last_at = getelementptr %object, ptr %object, i64 0, i32 6
  call void @append(ptr %task, ptr %first_at, ptr %last_at)
  ret void
}
"""


def _function(name: str, body: str, parameters: str = "ptr %object", result: str = "void") -> str:
    return f"define {result} @mlirAsyncRuntime{name}({parameters}) {{\n{body}}}\n\n"


def _emplacing(name: str, state: int) -> str:
    call = f"  call void @arrive(ptr %object, i64 {state})\n"
    return _function(name, f"{call}  call void @mlirAsyncRuntimeDropRef(ptr %object, i64 1)\n  ret void\n")


_AWAIT: Final = f"""  br label %look
look:
  %state = call i64 @state(ptr %object)
  %there = icmp ne i64 %state, 0
  br i1 %there, label %done, label %run
run:
  %ran = call i1 @run_one()
  br i1 %ran, label %look, label %stuck
stuck:
  %flushed = call i32 @fflush(ptr null)
  call void @_exit(i32 {STUCK})
  unreachable
done:
  ret void
"""
_AWAIT_AND_EXECUTE: Final = """  %state = call i64 @state(ptr %object)
  %there = icmp ne i64 %state, 0
  br i1 %there, label %run, label %wait
run:
  call void @mlirAsyncRuntimeExecute(ptr %handle, ptr %resume)
  ret void
wait:
  %task = call ptr @task(ptr %handle, ptr %resume, ptr null)
  call void @await(ptr %object, ptr %task)
  ret void
"""
_IS_ERROR: Final = """  %state = call i64 @state(ptr %object)
  %is_error = icmp eq i64 %state, 2
  ret i1 %is_error
"""
_IS_GROUP_ERROR: Final = """  %errors_at = getelementptr %object, ptr %object, i64 0, i32 3
  %errors = load i64, ptr %errors_at
  %is_error = icmp ne i64 %errors, 0
  ret i1 %is_error
"""
_THREADS: Final = """
@id = internal constant [25 x i8] c"Current thread id: %llu\\0A\\00"

define i64 @mlirAsyncRuntimGetNumWorkerThreads() {
  ret i64 1
}

define void @mlirAsyncRuntimePrintCurrentThreadId() {
  %thread = call i64 @pthread_self()
  %printed = call i32 (ptr, ...) @printf(ptr @id, i64 %thread)
  ret void
}
"""
_COROUTINE: Final = "ptr %object, ptr %handle, ptr %resume"
_BY_KIND: Final = (
    *(_emplacing(f"Emplace{kind}", 1) for kind in ("Token", "Value")),
    *(_emplacing(f"Set{kind}Error", 2) for kind in ("Token", "Value")),
    *(_function(f"Is{kind}Error", _IS_ERROR, result="i1") for kind in ("Token", "Value")),
    _function("IsGroupError", _IS_GROUP_ERROR, result="i1"),
    *(_function(f"Await{kind}", _AWAIT) for kind in ("Token", "Value", "AllInGroup")),
    *(_function(f"Await{kind}AndExecute", _AWAIT_AND_EXECUTE, _COROUTINE) for kind in ("Token", "Value", "AllInGroup")),
)

ASYNC_SYMBOLS: Final = (
    FINISH,
    "mlirAsyncRuntimGetNumWorkerThreads",
    *(
        f"mlirAsyncRuntime{name}"
        for name in (
            *("CreateToken", "CreateValue", "CreateGroup", "GetValueStorage", "AddRef", "DropRef", "Execute"),
            *("AddTokenToGroup", "EmplaceToken", "EmplaceValue", "SetTokenError", "SetValueError"),
            *("IsTokenError", "IsValueError", "IsGroupError", "AwaitToken", "AwaitValue", "AwaitAllInGroup"),
            *("AwaitTokenAndExecute", "AwaitValueAndExecute", "AwaitAllInGroupAndExecute", "PrintCurrentThreadId"),
        )
    ),
)
"""The functions that are provided."""


def async_text() -> str:
    """This part of the runtime as LLVM IR."""
    return "".join((_OBJECTS, _TASKS, _STATES, *_BY_KIND, _THREADS))


def is_asynchronous(text: str) -> bool:
    """Whether a program calls one of the functions."""
    return "@mlirAsyncRuntim" in text
