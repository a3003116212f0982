"""The process beside the server's, `python -m fathom_server.session.beside.inside`: it works out what takes longer than
a key may. Messages come on standard input, answers go to standard output.

It follows documents by their edits, with IR of their big items that changes in place, as the server does. For a
question it forks, or ahead of one, where the version before was asked about; a fork that has nothing to do when an edit
comes goes on with that (`fork.py`). This process itself therefore hears at once what it is told. It ends when its
standard input does: with the server.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
from typing import Final

from fathom.context import default_context
from fathom.descriptions.files import dialects_in
from fathom.execution.containment.kernel import die_with_parent
from fathom.execution.containment.limits import limit
from fathom.llvm import process as llvm
from fathom_server.features.contributions import learn
from fathom_server.features.preview import preview
from fathom_server.features.stages import CODE, stages_of
from fathom_server.model.document import Document
from fathom_server.model.learned import found_by_lowering
from fathom_server.model.own_code import mentions_code, standing_in
from fathom_server.model.settings import Settings
from fathom_server.session import warming
from fathom_server.session.beside import fork as forks
from fathom_server.session.beside.fork import Fork
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
    message_of,
)

MEMORY: Final = 4 << 30
"""Bytes that this process and each fork may take. To lower 50,000 operations takes less than a sixth of it."""
NICE: Final = 5
"""How far this process stands back where processors are scarce: what is typed comes first."""
MOST_LATER: Final = 8
"""So many edits are made later than by the fork, at most."""
IDLE: Final = 20.0
"""Seconds without a question after which a fork is ended, and what it has made is given back."""


class _Worker:
    """The documents that are followed, and the fork, if there is one."""

    def __init__(self, requests: int, answers: int) -> None:
        self._requests = requests
        self._answers = answers
        self._context = default_context()
        self._described = Described(())
        self._documents: dict[str, Document] = {}
        self._fork: Fork | None = None
        self._later: list[Edited] = []
        """Edits that the fork was told of, and that are made here when nobody waits for it."""
        self._ended: list[int] = []
        """The forks that were killed, by their process ids, and may not be over."""
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
            idles = fork is not None and fork.is_idle
            ready = [source for source, _ in poller.poll(IDLE * 1000 if idles else None)]
            if not ready:
                self._end_fork()
            # That the fork has nothing to do is heard before an edit that comes then.
            if fork is not None and fork.answers in ready:
                self._hear(fork)
            if self._requests in ready:
                data = os.read(self._requests, 1 << 20)
                if not data:
                    self._end_fork()
                    return
                for body in self._reader.feed(data):
                    self._take(message_of(body))
            elif (fork := self._fork) is not None and fork.is_at_rest and (self._later or fork.learned):
                self._follow(fork)
            self._ended = [pid for pid in self._ended if not os.waitpid(pid, os.WNOHANG)[0]]

    def _take(self, message: Message) -> None:
        match message:
            case Described(files, _, spoken):
                self._end_fork()
                self._described = message
                self._context = standing_in(dialects_in(files), spoken)
            case Opened(uri, version, text, settings):
                self._documents[uri] = Document(uri, version, text, self._context, settings)
            case Edited():
                self._edit(message)
            case Closed(uri):
                self._end_fork()
                document = self._documents.pop(uri, None)
                if document is not None:
                    document.close()
            case Question():
                self._ask(message)
            case GivenUp():
                self._end_fork()

    def _edit(self, edited: Edited) -> None:
        last, self._last = self._last, None
        fork = self._fork
        if fork is not None and fork.can_go_on and fork.uri == edited.uri and not self._described.code:
            if fork.learned or len(self._later) >= MOST_LATER:
                self._follow(fork)
            self._later.append(edited)
            fork.go_on(edited)
            return
        self._end_fork()
        document = self._documents[edited.uri]
        forks.follow(document, edited)
        if last is not None:
            self._fork_ahead(document, last)

    # ---- forks

    def _ask(self, question: Question) -> None:
        fork, items = self._fork, frozenset(question.work.items)
        if fork is None or not fork.is_for(question.uri, items):
            self._end_fork()
            fork = self._begin_fork(self._documents[question.uri], items)
        self._last = question
        fork.ask(question)

    def _fork_ahead(self, document: Document, last: Question) -> None:
        """Has a fork ready for the question that was asked of the version before, while the server sees to the edit."""
        items = frozenset(last.work.items)
        is_there = last.uri == document.uri and max(items, default=-1) < len(document.tree.items)
        if is_there and not self._runs_code(document):
            self._begin_fork(document, items)

    def _begin_fork(self, document: Document, items: frozenset[int]) -> Fork:
        """A fork that questions about these items go to, which are made ready before, unless that runs a person's own
        code."""
        code = self._described if self._runs_code(document) else None
        if code is None:
            _prepare(document, items)
        self._fork = forks.begin(document, code, items, (self._requests, self._answers))
        return self._fork

    def _runs_code(self, document: Document) -> bool:
        """Whether code of the workspace is to be run for a document: by a fork, which then reads it anew."""
        return bool(self._described.code) and mentions_code(document.snapshot())

    def _hear(self, fork: Fork) -> None:
        """Takes in what has come from the fork, and hands on an answer that is whole; or says that the fork died."""
        lives, answers = fork.hear()
        for answer in answers:
            forks.write(self._answers, answer)
        if not lives:
            self._end_fork()
            _, status = os.waitpid(self._ended.pop(), 0)
            if fork.asked is not None:
                how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"status {status >> 8}"
                forks.write(self._answers, frame(Answer(fork.asked.number, Failure(f"the process ended with {how}"))))

    def _follow(self, fork: Fork) -> None:
        """Goes on to the version that the fork has answered about, and takes over what it learned of that."""
        self._edit_later()
        document = self._documents[fork.uri]
        if not self._described.code:
            _prepare(document, fork.items)
        for learned in fork.learned:
            learn(document.snapshot(), learned)
        fork.learned.clear()

    def _edit_later(self) -> None:
        """Makes the edits that only the fork knows."""
        for edited in self._later:
            forks.follow(self._documents[edited.uri], edited)
        self._later.clear()

    def _end_fork(self) -> None:
        fork, self._fork = self._fork, None
        if fork is not None:
            # How long that takes depends on what it had in memory: it is not waited for.
            self._ended.append(fork.end())
        self._edit_later()


def _prepare(document: Document, items: frozenset[int]) -> None:
    gc.disable()
    try:
        forks.prepare(document, items)
    finally:
        gc.enable()


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
    # What the collector goes over is written to, and each page of that copied while there is a fork.
    gc.collect()
    gc.freeze()
    try:
        _Worker(requests, answers).serve()
    except BrokenPipeError:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
