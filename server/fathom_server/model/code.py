"""What LLVM makes of a module below LLVM IR: in a process that makes code for previews and nothing else, which can be
late, die, or be too big, and costs no more than its answer.

To make code takes LLVM as long as it takes, so it is made in a thread before it is asked for on the event loop (`ahead`
in `features/preview.py`), and kept by what it was made of.
"""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.diagnostics import LLVM, Diagnostic, alone
from fathom.llvm.codegen.asking import Code, CodeMaker
from fathom.records import record, replace
from fathom.text.lines import Lines
from fathom_server.model.locations import locator
from fathom_server.model.lowered import LoweredModule, begun, lowered, pipeline, split_lowered
from fathom_server.model.queries import NONE, fact, query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Unit

if TYPE_CHECKING:
    from fathom.llvm.codegen.wanted import Form, Wanted
    from fathom.syntax.tree import Item
    from fathom.translation import Translation
    from fathom.translation.code import MadeCode
    from fathom_server.model.modules import Layout
    from fathom_server.model.parts import Part
    from fathom_server.model.settings import Compile

SECONDS: Final = 10.0
"""How long LLVM may think about a module."""
MEMORY: Final = 768 << 20
"""Bytes that it may take."""
LONGEST: Final = 8 << 20
"""Of a module of more characters than this no code is made."""
_KEPT: Final = 16
"""So many answers are kept."""
_HIDDEN: Final = re.compile(r"^define (?:internal|private|linkonce|linkonce_odr|available_externally) ", re.MULTILINE)
"""A function of which nothing would be left where nobody calls it."""

_PATIENCE: Final = 1.0
"""Seconds after which what is being made is given up for a later question."""
_Key: TypeAlias = "tuple[str, Wanted, Form, bool]"


@fact(lambda _reach: NONE)
def how_made(snapshot: Snapshot) -> Compile:
    """What the settings say of how code is made."""
    return snapshot.settings.compile


@record
class Tracked:
    """LLVM IR that can be followed, whose places are those of the layout; or, with a `problem`, why there is none."""

    layout: Layout
    translation: Translation | None
    told: tuple[Diagnostic, ...]
    problem: Diagnostic | None = None


@query(keep=8)
def tracked(snapshot: Snapshot, unit: Unit) -> Tracked:
    """A unit as LLVM is to make code of it. What it has is there for others: somebody looks at it."""
    made = _tracked(snapshot, lowered(snapshot, unit, len(pipeline(snapshot).passes), False))
    if made.translation is None:
        return made
    return replace(made, translation=exposed(made.translation))


def exposed(translation: Translation) -> Translation:
    """A translation of which everything is there for others, so that LLVM drops nothing of it."""
    return replace(translation, text=_HIDDEN.sub("define ", translation.text))


@query(keep=2)
def tracked_split(snapshot: Snapshot, split: Item | None) -> Tracked:
    """A split of the document as LLVM is to make code of it."""
    return _tracked(snapshot, split_lowered(snapshot, split, len(pipeline(snapshot).passes)))


def tracked_part(snapshot: Snapshot, part: Part) -> Tracked:
    """A part of a function as LLVM is to make code of it; its module is given up."""
    return _tracked(snapshot, begun(snapshot, part.module, len(pipeline(snapshot).passes)))


def _tracked(snapshot: Snapshot, made: LoweredModule) -> Tracked:
    how_made(snapshot)
    module = made.module
    if module.problem is not None:
        return Tracked(module.layout, None, (), alone(module.problem))
    findings = tuple(map(alone, made.lowering.verdict().findings))
    if findings:
        return Tracked(module.layout, None, findings, findings[0])
    line_of = Lines("".join(item.text for item in module.layout.items)).number
    translated = made.lowering.translated(module.inner, locate=locator(snapshot, module.layout), tracked=line_of)
    told = tuple(map(alone, translated.told))
    if translated.error is not None:
        return Tracked(module.layout, None, told, alone(translated.error))
    translation = replace(translated.translation, diagnostics=[], unsaid=[*map(alone, translated.translation.unsaid)])
    if len(translation.text) > LONGEST:
        problem = Diagnostic(f"of more than {LONGEST >> 20} MB of LLVM IR no code is made here", code=LLVM)
        return Tracked(module.layout, None, told, problem)
    return Tracked(module.layout, translation, told)


class _Maker:
    """What makes code, and what it made last. It is asked by several threads."""

    def __init__(self) -> None:
        self._maker: Final = CodeMaker(SECONDS, MEMORY)
        self._kept: Final[OrderedDict[_Key, Code]] = OrderedDict()
        self._turn: Final = threading.Lock()
        self._since = 0.0
        """When the present question was asked; 0 where there is none."""
        self._is_given_up = False

    def kept(self, key: _Key) -> Code | None:
        """What was made of the same before."""
        return self._kept.get(key)

    def made(self, key: _Key, translation: Translation) -> Code:
        """What LLVM makes; what has been long in the making for another is given up for it."""
        from fathom.translation.code import made_by

        since = self._since
        if since and time.monotonic() - since > _PATIENCE:
            self._is_given_up = True
            self._maker.interrupt()
        with self._turn:
            self._since, self._is_given_up = time.monotonic(), False
            _, wanted, form, remarks = key
            made = made_by(self._maker, translation, wanted, form, remarks=remarks)
            self._since = 0.0
            if self._is_given_up and made.problem:
                made = GIVEN_UP
            self._kept[key] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made


GIVEN_UP: Final = Code(problem="it was given up for a later question")
"""What there is where another question did not wait. Whoever asks again has it made again."""
_MAKER: Final = _Maker()
"""That of this process."""


def code_for(translation: Translation, wanted: Wanted, form: Form, *, remarks: bool = False) -> MadeCode:
    """What LLVM makes of a translation. Who is not to wait for it has it made before (`to_make`)."""
    from fathom.translation.code import code_of

    key = (translation.text, wanted, form, remarks)
    return code_of(translation, _MAKER.kept(key) or _MAKER.made(key, translation))


def to_make(
    translation: Translation, wanted: Wanted, form: Form, *, remarks: bool = False
) -> Callable[[], None] | None:
    """What has LLVM make code of a translation, which may be done in any thread; None if that is made."""
    key = (translation.text, wanted, form, remarks)
    if _MAKER.kept(key) not in (None, GIVEN_UP):
        return None

    def make() -> None:
        _MAKER.made(key, translation)

    return make
