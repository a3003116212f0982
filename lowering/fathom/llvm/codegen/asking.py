"""Code is asked for: LLVM optimises and makes it in a process of its own, which has so much time and memory."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Final

from fathom.llvm import CODE
from fathom.llvm.codegen.printed import Place
from fathom.llvm.codegen.remarks import UNKNOWN, Remark
from fathom.llvm.codegen.wanted import Form, Wanted
from fathom.llvm.process import Died, Llvm, Refused
from fathom.records import record

_TRIPLE: Final = "target triple = "
_HEAD: Final = 4096
"""Within so many characters a module says for which machine it is."""
_SILENT: Final = "LLVM ended, and said nothing"


@record
class Code:
    """What LLVM made: its text, or bytes for an object file, and where each line comes from, by the debug locations in
    what it was made of; what it remarked. With a `problem` there is nothing else."""

    text: str = ""
    places: tuple[Place | None, ...] = ()
    remarks: tuple[Remark, ...] = ()
    problem: str = ""

    @property
    def data(self) -> bytes:
        """The bytes of an object file."""
        return self.text.encode("latin-1")


class CodeMaker:
    """LLVM in a process that makes code, and nothing else: it may think `seconds` about a module and use so many bytes
    of `memory`. That which is to remark is another one, since LLVM goes on to when it was told so once; and for SPIR-V
    each module has a new one for itself."""

    def __init__(self, seconds: float = 120.0, memory: int = 0) -> None:
        self._seconds = seconds
        self._llvm = Llvm(seconds, memory)
        self._remarking = Llvm(seconds, memory)
        self._alone = Llvm(seconds, memory, is_new=True)
        self._interrupted = 0
        """How often somebody did not wait."""

    @property
    def is_up(self) -> bool:
        """Whether there is a process already."""
        return self._llvm.is_up

    def start(self) -> None:
        """Start a process if there is none, and do not wait for it."""
        self._llvm.start()

    def code(
        self,
        module: str,
        wanted: Wanted,
        form: Form,
        *,
        lines: bool = False,
        keeps: bool = False,
        remarks: bool = False,
    ) -> Code:
        """What LLVM makes of a module. `lines` says that its debug locations tell where lines come from; they are not
        shown, unless it `keeps` them, since they are its own."""
        is_alone = form != "ir" and _is_for_spirv(module, wanted)
        llvm = self._alone if is_alone else self._remarking if remarks else self._llvm
        ask = self._ask_twice if is_alone else llvm.ask
        began = time.monotonic()
        question = f"{wanted.question(form, lines=lines, keeps=keeps, remarks=remarks)}\n{module}"
        try:
            answer = json.loads(ask(CODE, question))
        except Refused as problem:
            return Code(problem=_sentence(str(problem)))
        except Died as problem:
            if time.monotonic() - began >= self._seconds:
                return Code(problem=f"LLVM takes more than {self._seconds:g} seconds")
            return Code(problem=_sentence(str(problem)) or _SILENT)
        finally:
            if is_alone:
                llvm.close()
        places = tuple(tuple_of(place) for place in answer["places"])
        remarks_made = tuple((line, column, said) for line, column, said in answer["remarks"])
        return Code(answer["text"], places, remarks_made)

    def _ask_twice(self, kind: int, question: str) -> str:
        """The answer of a process that has nothing else to do, or of the next one: SPIR-V's back end ends a process now
        and then for a module of which it makes code otherwise. Raises Refused and Died."""
        began, interrupted = time.monotonic(), self._interrupted
        try:
            return self._alone.ask(kind, question)
        except Died:
            if self._interrupted != interrupted or time.monotonic() - began >= self._seconds:
                raise
        return self._alone.ask(kind, question)

    def interrupt(self) -> None:
        """End what is being made, though another thread waits for it."""
        self._interrupted += 1
        for llvm in (self._llvm, self._remarking, self._alone):
            llvm.interrupt()

    def close(self) -> None:
        """End the processes; the next question starts another."""
        for llvm in (self._llvm, self._remarking, self._alone):
            llvm.close()


def _is_for_spirv(module: str, wanted: Wanted) -> bool:
    """Whether code is made by LLVM's back end for SPIR-V, which keeps addresses of one module for the next: with code
    for others before it, it ends the process now and then, and in forks of a process that worked long each time, or
    never. So it has a new one for itself."""
    triple = wanted.target.triple
    return triple.startswith("spirv") if triple else f'{_TRIPLE}"spirv' in module[:_HEAD]


def tuple_of(place: Sequence[int] | None) -> Place | None:
    """A place as JSON has it."""
    return (place[0], place[1]) if place is not None else None


def _sentence(said: str) -> str:
    """What LLVM says, in one line; of what it does not know only that."""
    if (unknown := UNKNOWN.search(said)) is not None:
        return unknown[0]
    return " ".join(said.removeprefix("LLVM IR parsing error\n").removeprefix("LLVM ERROR: ").split())
