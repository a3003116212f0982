"""Tasks in two processes, or as many as are asked for, where a task may take its process down with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from tests.conformance.asking import limit_memory

WORKERS = 2

T = TypeVar("T")
R = TypeVar("R")


def run(work: Callable[[T], R], tasks: Sequence[T], ended: Callable[[T], R], workers: int = WORKERS) -> Iterator[R]:
    """What `work` makes of each task, in no order; `ended` says what to make of one that ended its process."""
    unfinished = set(range(len(tasks)))
    try:
        with ProcessPoolExecutor(workers, initializer=limit_memory) as pool:
            numbers: dict[Future[R], int] = {pool.submit(work, task): number for number, task in enumerate(tasks)}
            for future in as_completed(numbers):
                result = future.result()
                unfinished.discard(numbers[future])
                yield result
    except BrokenProcessPool:
        for number in sorted(unfinished):
            yield _run_alone(work, tasks[number], ended)


def _run_alone(work: Callable[[T], R], task: T, ended: Callable[[T], R]) -> R:
    try:
        with ProcessPoolExecutor(1, initializer=limit_memory) as pool:
            return pool.submit(work, task).result()
    except BrokenProcessPool:
        return ended(task)
