"""What tools make of texts, each run once: in a thread, while nobody waits for it on the event loop."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from fathom.records import record
from fathom.tools.dumped import FLAGS as AFTER_ALL
from fathom.tools.dumped import passes_in
from fathom.tools.locations import Located, without_locations
from fathom.tools.messages import Message, first_words, messages_in
from fathom.tools.running import Ended, Limits, Running, stamp_of, text_of
from fathom_server.model.running_tools import RUNNING
from fathom_server.model.tools import ToolStage

DEBUG_INFO: Final = "--mlir-print-debuginfo"
"""The flag by which a tool prints where operations come from."""
MOST_AT_ONCE: Final = 4
"""So many tools run at once; one that hangs keeps the others from nothing."""
QUIET: Final = 0.1
"""Seconds without a key after which a tool begins."""
_KEPT: Final = 64
"""So many answers are kept."""
_Key: TypeAlias = "tuple[ToolStage, tuple[str, ...], str, object]"


@record
class MadeByTool:
    """What a tool made of a text, without locations, and what it said; or with a `problem`, what keeps it from that."""

    located: Located
    messages: tuple[Message, ...]
    problem: str = ""


class _Runs:
    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._at_once: Final = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._kept: Final[OrderedDict[_Key, MadeByTool]] = OrderedDict()
        self._waited_for: Final[dict[_Key, threading.Lock]] = {}

    def kept(self, key: _Key) -> MadeByTool | None:
        with self._lock:
            return self._kept.get(key)

    def make(self, key: _Key, uri: str) -> None:
        """Has the tool run, unless it has, and keeps what it made; nothing of one that is interrupted."""
        with self._lock:
            mine = self._waited_for.setdefault(key, threading.Lock())
        with mine:
            if self.kept(key) is None and (made := self._made(key, uri)) is not None:
                self._keep(key, made)
        with self._lock:
            self._waited_for.pop(key, None)

    def make_all(self, keys: Sequence[_Key], uri: str) -> None:
        """Has a tool run once for all of its stages, and keeps what it made; where it does not tell them apart, once
        for each of them."""
        if sum(self.kept(key) is None for key in keys) > 1:
            for key, made in zip(keys, self._made_at_once(keys, uri), strict=False):
                self._keep(key, made)
        for key in keys:
            self.make(key, uri)

    def _keep(self, key: _Key, made: MadeByTool) -> None:
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def _made(self, key: _Key, uri: str) -> MadeByTool | None:
        stage, flags, _, _ = key
        tool = stage.tool
        limits = Limits(tool.seconds, tool.memory)
        ended = self._ended(key, flags, limits, uri)
        if ended is None or isinstance(ended, MadeByTool):
            return ended
        return _understood(tool.name, ended, limits)

    def _made_at_once(self, keys: Sequence[_Key], uri: str) -> Sequence[MadeByTool]:
        """What a tool made of a text at the first of some stages; of all, if it tells."""
        stage, flags, _, _ = keys[-1]
        tool = stage.tool
        limits = Limits(tool.seconds, tool.memory, said=Limits().output)
        ended = self._ended(keys[-1], (*flags, *AFTER_ALL), limits, uri)
        if ended is None or isinstance(ended, MadeByTool) or ended.stop:
            return ()
        passes = passes_in(ended.said, [key[0].step.name for key in keys])
        if passes is None or passes.has_failed is not bool(ended.status):
            return ()
        made = [
            MadeByTool(without_locations(dump.text, ended.file), tuple(messages_in(dump.said, ended.file)))
            for dump in passes.done
        ]
        return [*made, *[_understood(tool.name, ended, limits)] * (len(keys) - len(made))]

    def _ended(self, key: _Key, flags: tuple[str, ...], limits: Limits, uri: str) -> Ended | MadeByTool | None:
        """What came of a tool; a problem where it cannot be run, None where it was interrupted."""
        stage, _, text, _ = key
        tool = stage.tool
        running = Running(tool.command, (*stage.step.flags, *flags), tool.folder, limits)
        typed = threading.Event()

        def interrupt() -> None:
            typed.set()
            running.interrupt()

        forget = RUNNING.add(uri, interrupt)
        try:
            if typed.wait(QUIET):
                return None
            with self._at_once:
                ended = running.run(text)
        except OSError as problem:
            return MadeByTool(Located("", ()), (), f"{tool.name} cannot be run: {problem.strerror}")
        finally:
            forget()
        return ended if ended.stop != "interrupted" else None


_RUNS: Final = _Runs()
"""Those of this process."""


def made(stage: ToolStage, text: str, flags: tuple[str, ...] = (DEBUG_INFO,)) -> MadeByTool | None:
    """What a tool made of a text; None if it has not run."""
    return _RUNS.kept((stage, flags, text, stamp_of(stage.tool.command[0], stage.tool.folder)))


def to_make(stage: ToolStage, text: str, uri: str, flags: tuple[str, ...] = (DEBUG_INFO,)) -> Callable[[], None] | None:
    """What has a tool run on a text for a document, in whatever thread, until it is over; None if it has."""
    key = (stage, flags, text, stamp_of(stage.tool.command[0], stage.tool.folder))
    return None if _RUNS.kept(key) is not None else lambda: _RUNS.make(key, uri)


def to_make_all(stages: Sequence[ToolStage], text: str, uri: str) -> Callable[[], None] | None:
    """What has a tool run on a text so that all of these stages of it are there, in their order; None if they are."""
    keys = [(stage, (DEBUG_INFO,), text, stamp_of(stage.tool.command[0], stage.tool.folder)) for stage in stages]
    return None if all(_RUNS.kept(key) for key in keys) else lambda: _RUNS.make_all(keys, uri)


def _understood(name: str, ended: Ended, limits: Limits) -> MadeByTool:
    messages = tuple(messages_in(ended.said, ended.file))
    problem = _problem(name, ended, limits, messages)
    if problem:
        return MadeByTool(Located("", ()), messages, problem)
    return MadeByTool(without_locations(text_of(ended.printed), ended.file), messages)


def _problem(name: str, ended: Ended, limits: Limits, messages: tuple[Message, ...]) -> str:
    """What keeps a tool from its text, in one line; empty if nothing does."""
    words = first_words(ended.said)
    match ended.stop:
        case "timeout":
            return f"{name} was not over after {limits.seconds:g} s"
        case "output":
            return f"{name} printed more than {limits.output >> 20} MiB"
        case "not-started":
            return words or f"{name} cannot be started"
        case _:
            pass
    if ended.status < 0:
        return f"{name} was ended by {_signal(-ended.status)}{f': {words}' if words else ''}"
    if ended.status:
        error = next((message.said.words for message in messages if message.said.kind == "error"), "")
        return error or words or f"{name} ended with status {ended.status}"
    return ""


def _signal(number: int) -> str:
    import signal

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
