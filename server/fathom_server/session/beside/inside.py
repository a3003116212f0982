"""The process beside the server's, `python -m fathom_server.session.beside.inside`: it works out what takes longer than
a key may. Messages come on standard input, answers go to standard output.

It follows documents by their edits, with IR of their big items that changes in place, as the server does. For a
question it forks, or ahead of one, where the version before was asked about. The fork has all that is known of the
version, and answers questions about it for as long as it is the present one. It can be killed at any instant without
harm to anything, and nothing of it has to be cleaned up. This process itself therefore hears at once what it is told.
It ends when its standard input does: with the server.
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
from functools import partial
from typing import Final, NoReturn

from fathom.context import default_context
from fathom.descriptions.code import WrongCode
from fathom.descriptions.files import dialects_in
from fathom.execution.containment.kernel import die_with_parent
from fathom.execution.containment.limits import limit
from fathom.llvm import process as llvm
from fathom_server.features.contributions import found, keys_known, learn
from fathom_server.features.preview import preview
from fathom_server.features.stages import CODE, stages_of
from fathom_server.model.apart import standing
from fathom_server.model.document import Document
from fathom_server.model.learned import found_by_lowering
from fathom_server.model.own_code import mentions_code, standing_in
from fathom_server.model.settings import Settings
from fathom_server.session import warming
from fathom_server.session.beside.messages import (
    Answer,
    Closed,
    Described,
    Edited,
    Failure,
    FrameReader,
    GivenUp,
    Message,
    Opened,
    Question,
    frame,
    framed,
    message_of,
)
from fathom_server.session.own_code.inside import context_of
from fathom_server.session.own_code.kept import contain, timed

MEMORY: Final = 4 << 30
"""Bytes that this process and each fork may take. To lower 50,000 operations takes less than a sixth of it."""
NICE: Final = 5
"""How far this process stands back where processors are scarce: what is typed comes first."""
MUCH: Final = 64 << 20
"""Bytes by which a fork may grow until it looks for what nobody needs any more."""
_LEARNED: Final = b"learned "
"""How what a fork tells this process begins, and no answer does."""
IDLE: Final = 20.0
"""Seconds without a question after which a fork is ended, and what it has made is given back."""


class _Fork:
    """A fork from outside. It is about one version, and the IR of `items` was known when it began."""

    def __init__(self, pid: int, uri: str, items: frozenset[int], questions: int, answers: int) -> None:
        self.uri = uri
        self.items = items
        self.answers: Final = answers
        self.asked: Question | None = None
        self.reader = FrameReader()
        self._pid = pid
        self._questions = questions

    def ask(self, question: Question) -> None:
        self.asked = question
        _write(self._questions, frame(question))

    def end(self) -> int:
        """Kills it; its exit status, or that of its death if it was over already."""
        os.close(self._questions)
        os.close(self.answers)
        os.kill(self._pid, signal.SIGKILL)
        return os.waitpid(self._pid, 0)[1]


class _Worker:
    """The documents that are followed, and the fork, if there is one."""

    def __init__(self, requests: int, answers: int) -> None:
        self._requests = requests
        self._answers = answers
        self._context = default_context()
        self._described = Described(())
        self._documents: dict[str, Document] = {}
        self._fork: _Fork | None = None
        self._reader = FrameReader()
        self._last: Question | None = None
        """The last question, while nothing is known of a later version than it was about."""

    def serve(self) -> None:
        """Does what it is told until nothing more can come."""
        while True:
            fork = self._fork
            poller = select.poll()
            for source in (self._requests, *((fork.answers,) if fork is not None else ())):
                poller.register(source, select.POLLIN)
            idles = fork is not None and fork.asked is None
            ready = [source for source, _ in poller.poll(IDLE * 1000 if idles else None)]
            if not ready:
                self._end_fork()
            elif self._requests in ready:
                data = os.read(self._requests, 1 << 20)
                if not data:
                    self._end_fork()
                    return
                for body in self._reader.feed(data):
                    self._take(message_of(body))
            elif fork is not None:
                self._answer(fork)

    def _take(self, message: Message) -> None:
        match message:
            case Described(files, _, spoken):
                self._end_fork()
                self._described = message
                self._context = standing_in(dialects_in(files), spoken)
            case Opened(uri, version, text, settings):
                self._documents[uri] = Document(uri, version, text, self._context, settings)
            case Edited(uri, version, changes, settings):
                self._end_fork()
                document = self._documents[uri]
                for change in changes:
                    document.apply(change)
                document.version = version
                document.configure(settings)
                self._fork_ahead(document)
            case Closed(uri):
                self._end_fork()
                document = self._documents.pop(uri, None)
                if document is not None:
                    document.close()
            case Question():
                self._ask(message)
            case GivenUp():
                self._end_fork()

    # ---- forks

    def _ask(self, question: Question) -> None:
        fork, items = self._fork, frozenset(question.work.items)
        if fork is None or fork.uri != question.uri or not items <= fork.items:
            self._end_fork()
            fork = self._begin_fork(self._documents[question.uri], items)
        self._last = question
        fork.ask(question)

    def _fork_ahead(self, document: Document) -> None:
        """Has a fork ready for the question that was asked of the version before, while the server sees to the edit."""
        last, self._last = self._last, None
        if last is None or last.uri != document.uri or self._runs_code(document):
            return
        items = frozenset(last.work.items)
        if max(items, default=-1) < len(document.tree.items):
            self._begin_fork(document, items)

    def _begin_fork(self, document: Document, items: frozenset[int]) -> _Fork:
        """A fork that questions about these items go to, which are made ready before, unless that runs a person's own
        code."""
        if not self._runs_code(document):
            _prepare(document, items)
        self._fork = self._forked(document, items)
        return self._fork

    def _forked(self, document: Document, items: frozenset[int]) -> _Fork:
        questions_out, questions_in = os.pipe()
        answers_out, answers_in = os.pipe()
        parent = os.getpid()
        pid = os.fork()
        if not pid:
            for end in (questions_in, answers_out, self._requests, self._answers):
                os.close(end)
            code = self._described if self._runs_code(document) else None
            _answer_questions(document, code, questions_out, answers_in, parent)
        os.close(questions_out)
        os.close(answers_in)
        return _Fork(pid, document.uri, items, questions_in, answers_out)

    def _runs_code(self, document: Document) -> bool:
        """Whether code of the workspace is to be run for a document: by a fork, which then reads it anew."""
        return bool(self._described.code) and mentions_code(document.snapshot())

    def _answer(self, fork: _Fork) -> None:
        """Takes in what has come from the fork, and hands on an answer that is whole; or says that the fork died."""
        data = os.read(fork.answers, 1 << 20)
        for body in fork.reader.feed(data):
            if body.startswith(_LEARNED):
                learn(self._documents[fork.uri].snapshot(), message_of(memoryview(body)[len(_LEARNED) :]))
                continue
            fork.asked = None
            _write(self._answers, framed(body))
        if not data:
            self._fork = None
            status = fork.end()
            if fork.asked is not None:
                how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"status {status >> 8}"
                _write(self._answers, frame(Answer(fork.asked.number, Failure(f"the process ended with {how}"))))

    def _end_fork(self) -> None:
        fork, self._fork = self._fork, None
        if fork is not None:
            fork.end()


def _prepare(document: Document, items: frozenset[int]) -> None:
    """Makes the IR of items and looks at it, where that is not done: later versions go on from it."""
    gc.disable()
    try:
        for index in items:
            standing(document.snapshot(), document.tree.items[index])
    except Exception:
        return  # the fork will meet it again, and say so
    finally:
        gc.enable()


def _answer_questions(
    document: Document, code: Described | None, questions: int, answers: int, parent: int
) -> NoReturn:
    """What a fork does, with code of the workspace if there is some for the document."""
    try:
        die_with_parent(parent)
        # To go over what it was born with would copy that.
        gc.disable()
        gc.freeze()
        reader, held = FrameReader(), _most_held()
        known = keys_known(document.snapshot()) if code is None else None
        answer = _with_code(document, code) if code is not None else partial(_answered, document)
        while data := os.read(questions, 1 << 16):
            for body in reader.feed(data):
                _write(answers, answer(message_of(body)))
                if known is not None:
                    for learned in found(document.snapshot(), known):
                        _write(answers, framed(_LEARNED + pickle.dumps(learned, pickle.HIGHEST_PROTOCOL)))
                    known = keys_known(document.snapshot())
                if _most_held() > held + MUCH:
                    gc.collect()
                    held = _most_held()
    finally:
        os._exit(0)


def _with_code(document: Document, described: Described) -> Callable[[Question], bytes]:
    """What answers questions about a document with code of the workspace, which is run for the first one; from now on
    this process can change nothing outside of it."""
    llvm.begin()  # It cannot be started any more when this process is contained.
    contain()
    read: list[Document] = []

    def answer(question: Question) -> bytes:
        with timed(described.seconds):
            if not read:
                try:
                    context = context_of(described.files, described.code)
                except WrongCode as wrong:
                    return frame(Answer(question.number, Failure(str(wrong))))
                read.append(Document(document.uri, document.version, document.tree.text, context, document.settings))
            return _answered(read[0], question)

    return answer


def _answered(document: Document, question: Question) -> bytes:
    work = question.work
    try:
        return frame(Answer(question.number, work.function(document.snapshot(), *work.arguments)))
    except MemoryError:
        failure = Failure("there is not enough memory for it")
    except Exception as fault:
        failure = Failure(f"{type(fault).__name__}: {fault}", traceback.format_exc())
    return frame(Answer(question.number, failure))


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _most_held() -> int:
    """The most bytes of memory that this process has held."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _warm_up() -> None:
    """Does ahead what each fork would have to do again."""
    context = default_context()
    for step in warming.definitions(context):
        step()
    llvm.load()
    snapshot = Document("", 0, warming.TEXT, context, Settings()).snapshot()
    found_by_lowering(snapshot, 0)
    for stage in stages_of(snapshot, "f"):
        if stage.id not in CODE:
            preview(snapshot, stage, "f")
    llvm.close()


def main() -> int:
    """Serves until standard input ends."""
    die_with_parent(os.getppid())
    requests, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(null, standard)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    limit("AS", MEMORY)
    _warm_up()
    try:
        _Worker(requests, answers).serve()
    except BrokenPipeError:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
