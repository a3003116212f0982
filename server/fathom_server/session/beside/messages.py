"""What the server and the process beside it tell each other: pickled records, each after its length.

Both ends are of one program, so what comes is what was sent. The process beside is told of documents and of their
edits in the order in which they happened, so that a question is about the version that the server has.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable, Iterator
from typing import Any, Final, Generic, TypeAlias, TypeVar

from fathom.descriptions.files import DialectFile
from fathom.records import field, record
from fathom_server.model.document import TextChange
from fathom_server.model.own_code import Spoken
from fathom_server.model.settings import Settings
from fathom_server.session.own_code import SECONDS

T = TypeVar("T")

LENGTH: Final = struct.Struct("<Q")


@record
class Described:
    """These files describe the dialects that are known beside the library's from now on, and code says more of those
    that it has `spoken` of, for which it has so many seconds of a processor's time. No document is open."""

    files: tuple[DialectFile, ...]
    code: tuple[DialectFile, ...] = ()
    spoken: Spoken = field(default_factory=dict[str, "tuple[str, ...] | None"])
    seconds: float = SECONDS


@record
class Opened:
    """A document is to be followed from now on."""

    uri: str
    version: int
    text: str
    settings: Settings


@record
class Edited:
    """What became of a document that is followed; all of its edits together, one after the other, and its settings if
    these are others than before."""

    uri: str
    version: int
    changes: tuple[TextChange, ...]
    settings: Settings | None


@record
class Closed:
    """A document need not be followed any more."""

    uri: str


@record
class Work(Generic[T]):
    """Something to be found out about a version of a document: a function of a module, which is called with a snapshot
    of it and these arguments. `items` are the indices of the items whose IR it needs."""

    function: Callable[..., T]
    arguments: tuple[object, ...] = ()
    items: tuple[int, ...] = ()


@record
class Question:
    """Work about the present version of a document. The answer has the same number."""

    number: int
    uri: str
    work: Work[Any]


@record
class GivenUp:
    """Nobody waits for the answer to the last question any more."""


@record
class Failure:
    """Why a question has no answer: a fault of Fathom's own, in one line, with all that Python says of it."""

    reason: str
    trace: str = ""


@record
class Answer:
    """What the function of a question's work gave."""

    number: int
    value: object


Message: TypeAlias = "Described | Opened | Edited | Closed | Question | GivenUp"


def frame(message: object) -> bytes:
    """The bytes of a message."""
    return framed(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def framed(body: bytes) -> bytes:
    """The bytes of a message that is pickled already."""
    return LENGTH.pack(len(body)) + body


class FrameReader:
    """Collects bytes as they come, and gives the bodies of the frames that they make up."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._bytes += data
        while len(self._bytes) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self._bytes)[0]
            if len(self._bytes) < end:
                return
            body = bytes(memoryview(self._bytes)[LENGTH.size : end])
            del self._bytes[:end]
            yield body


def message_of(body: bytes | memoryview) -> Any:
    """The message that is the body of a frame."""
    return pickle.loads(body)
