"""A fork of the process beside the server's, from outside and from inside: it answers questions about a document, and
goes on with what an edit makes of that.

    the process -> fork   questions; edits, while it has nothing to do
    fork -> the process   answers, what else it learned on the way, and that it is at rest again

It has all that was known when it began, and can be killed at any instant without harm to anything. An edit that comes
while it is at work ends it, and the work; one that goes on has what it made at hand, in memory that is its own already:
to copy a page of memory costs what it takes to fill it (`docs/architecture.md`).
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, NoReturn

from fathom.descriptions.code import WrongCode
from fathom.execution.containment.kernel import die_with_parent
from fathom.llvm import process as llvm
from fathom_server.features.contributions import Learned, found, keys_known
from fathom_server.model.apart import standing
from fathom_server.model.document import Document
from fathom_server.session.beside.messages import (
    Answer,
    Described,
    Edited,
    Failure,
    FrameReader,
    Question,
    frame,
    framed,
    message_of,
)
from fathom_server.session.own_code.inside import context_of
from fathom_server.session.own_code.kept import contain, timed

MUCH: Final = 64 << 20
"""Bytes by which a fork may grow until it goes on with no other version."""
PAUSE: Final = 0.1
"""Seconds without anything to do after which it looks for what nobody needs any more, …"""
FEW: Final = 10_000
"""… if it has made so many objects; …"""
MANY: Final = 500_000
"""… so many are gone over at once."""
_LEARNED: Final = b"learned "
"""How what a fork tells besides answers begins, and no answer does."""
_AT_REST: Final = b"at rest"
_IS_DONE: Final = b"is done"
"""What a fork says when it has nothing to do: that it can go on with another version, or that it is not to."""


class Fork:
    """A fork from outside. The IR of `items` was known when it began."""

    def __init__(self, pid: int, uri: str, items: frozenset[int], questions: int, answers: int) -> None:
        self.uri: Final = uri
        self.items: Final = items
        self.answers: Final = answers
        self.asked: Question | None = None
        self.learned: list[Learned] = []
        """What it learned about its version, and nobody took over yet."""
        self.is_at_rest = False
        """Whether it has answered about its version, and has nothing to do."""
        self.can_go_on = False
        """Whether it has nothing to do, and is to be told of an edit."""
        self._is_ahead = True
        """Whether nobody has asked about its version."""
        self._modules = len(sys.modules)
        self._reader = FrameReader()
        self._pid = pid
        self._questions = questions

    @property
    def is_idle(self) -> bool:
        """Whether nobody waits for it."""
        return self.asked is None

    def is_for(self, uri: str, items: frozenset[int]) -> bool:
        """Whether questions about these items of a document go to it. None does once there are modules that were loaded
        since, for a question of a kind that was never asked before: a new one has them without loading them again."""
        return self.uri == uri and items <= self.items and self._modules == len(sys.modules)

    def ask(self, question: Question) -> None:
        """Has a question answered."""
        self.asked, self._is_ahead = question, False
        self._tell(question)

    def go_on(self, edited: Edited) -> None:
        """Has it follow an edit of its document."""
        self._is_ahead = True
        self._tell(edited)

    def _tell(self, message: object) -> None:
        self.is_at_rest = self.can_go_on = False
        with suppress(BrokenPipeError):  # It has died, which is noticed by what it says: nothing more.
            write(self._questions, frame(message))

    def hear(self) -> tuple[bool, list[bytes]]:
        """Takes in what it says. Whether it lives, and the answers that are whole, as they are to be sent."""
        data = os.read(self.answers, 1 << 20)
        whole: list[bytes] = []
        for body in self._reader.feed(data):
            if body.startswith(_LEARNED):
                self.learned.append(message_of(memoryview(body)[len(_LEARNED) :]))
            elif body in (_AT_REST, _IS_DONE):
                self.can_go_on = body == _AT_REST and self.asked is None
                self.is_at_rest = self.asked is None and not self._is_ahead
            else:
                self.asked = None
                whole.append(framed(body))
        return bool(data), whole

    def end(self) -> int:
        """Kills it. The process id, of which the status is to be asked for."""
        os.close(self._questions)
        os.close(self.answers)
        os.kill(self._pid, signal.SIGKILL)
        return self._pid


def begin(document: Document, code: Described | None, items: frozenset[int], not_for_it: tuple[int, ...]) -> Fork:
    """A fork for questions about a document, by the code of the workspace if there is some for it, and these items.
    What it has nothing to do with are the descriptors `not_for_it`."""
    questions_out, questions_in = os.pipe()
    answers_out, answers_in = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if not pid:
        for end in (questions_in, answers_out, *not_for_it):
            os.close(end)
        _serve(document, code, items, questions_out, answers_in, parent)
    os.close(questions_out)
    os.close(answers_in)
    return Fork(pid, document.uri, items, questions_in, answers_out)


def follow(document: Document, edited: Edited) -> None:
    """Makes an edit."""
    for change in edited.changes:
        document.apply(change)
    document.version = edited.version
    if edited.settings is not None:
        document.configure(edited.settings)


def prepare(document: Document, items: frozenset[int]) -> None:
    """Makes the IR of items and looks at it, where that is not done: later versions go on from it."""
    try:
        for index in items:
            standing(document.snapshot(), document.tree.items[index])
    except Exception:
        return  # whoever needs it will meet it again, and say so


def write(descriptor: int, data: bytes) -> None:
    """Writes all of it."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


# ---- from inside


def _serve(
    document: Document, code: Described | None, items: frozenset[int], questions: int, answers: int, parent: int
) -> NoReturn:
    """What a fork does."""
    try:
        die_with_parent(parent)
        # To go over what it was born with would copy that.
        gc.disable()
        gc.freeze()
        if code is None:
            llvm.start()  # It is cheap now: later, each page that this process writes to is copied for it.
        reader, held = FrameReader(), _most_held()
        answer = _with_code(document, code) if code is not None else partial(_answered, document)
        is_sound = code is None
        while data := _told(questions):
            for body in reader.feed(data):
                match message_of(body):
                    case Edited() as edited:
                        follow(document, edited)
                        prepare(document, items)
                    case Question() as question:
                        known = keys_known(document.snapshot()) if code is None else None
                        answered, has_failed = answer(question)
                        write(answers, answered)
                        is_sound &= not has_failed
                        if known is not None:
                            for learned in found(document.snapshot(), known):
                                write(answers, framed(_LEARNED + pickle.dumps(learned, pickle.HIGHEST_PROTOCOL)))
                    case _:
                        pass
                if gc.get_count()[0] > MANY:
                    gc.collect()
                write(answers, framed(_AT_REST if is_sound and _most_held() < held + MUCH else _IS_DONE))
                document.memory.dismantle_answers()
                document.memory.dismantle_lives()
    finally:
        os._exit(0)


def _told(questions: int) -> bytes:
    """What the fork is told next; before, in a pause, it looks for what nobody needs any more."""
    pausing = select.poll()
    pausing.register(questions, select.POLLIN)
    if gc.get_count()[0] > FEW and not pausing.poll(PAUSE * 1000):
        gc.collect()
    return os.read(questions, 1 << 16)


def _with_code(document: Document, described: Described) -> Callable[[Question], tuple[bytes, bool]]:
    """What answers questions about a document with code of the workspace, which is run for the first one; from now on
    this process can change nothing outside of it."""
    llvm.begin()  # It cannot be started any more when this process is contained.
    contain()
    read: list[Document] = []

    def answer(question: Question) -> tuple[bytes, bool]:
        with timed(described.seconds):
            if not read:
                try:
                    context = context_of(described.files, described.code)
                except WrongCode as wrong:
                    return frame(Answer(question.number, Failure(str(wrong)))), True
                read.append(Document(document.uri, document.version, document.tree.text, context, document.settings))
            return _answered(read[0], question)

    return answer


def _answered(document: Document, question: Question) -> tuple[bytes, bool]:
    """The answer to a question, and whether that is that there is none."""
    work = question.work
    try:
        return frame(Answer(question.number, work.function(document.snapshot(), *work.arguments))), False
    except MemoryError:
        failure = Failure("there is not enough memory for it")
    except Exception as fault:
        failure = Failure(f"{type(fault).__name__}: {fault}", traceback.format_exc())
    return frame(Answer(question.number, failure)), True


def _most_held() -> int:
    """The most bytes of memory that this process has held."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
