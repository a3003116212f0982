"""What LLVM makes of a translation below LLVM IR, with the places in the source that its lines come from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import LLVM, REMARK, Diagnostic
from fathom.records import record
from fathom.translation.verification import function_named

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom.llvm.codegen.asking import Code, CodeMaker
    from fathom.llvm.codegen.printed import Place
    from fathom.llvm.codegen.wanted import Form, Wanted
    from fathom.translation.module import Translation

_CALL_SITE: Final = re.compile(r"(?: at callsite [^;]*)?;$")
"""How LLVM ends what it says of calls: by lines that stand for places."""


@record
class MadeCode:
    """Optimised LLVM IR, assembly, or bytes as a text; of each line the places in the source that it comes from; and
    what LLVM says: an error instead of a text, and remarks, where they were asked for."""

    text: str
    sources: tuple[tuple[Span, ...], ...]
    told: tuple[Diagnostic, ...]

    @property
    def error(self) -> Diagnostic | None:
        """What stands in the way of a result."""
        return next((diagnostic for diagnostic in self.told if diagnostic.severity == "error"), None)


def made_by(maker: CodeMaker, translation: Translation, wanted: Wanted, form: Form, *, remarks: bool = False) -> Code:
    """What LLVM makes of a translation, which it follows if that is tracked."""
    tracked = translation.tracked
    keeps = tracked is not None and tracked.keeps
    return maker.code(translation.text, wanted, form, lines=tracked is not None, keeps=keeps, remarks=remarks)


def code_of(translation: Translation, made: Code) -> MadeCode:
    """What LLVM made of a translation. If that is tracked, it is known where lines come from, and what LLVM remarks is
    said there."""
    if made.problem:
        message = f"LLVM makes no code of this: {made.problem}"
        return MadeCode("", (), (Diagnostic(message, function_named(made.problem, translation), code=LLVM),))
    tracked = translation.tracked
    places: Mapping[Place, tuple[Span, ...]] = tracked.places if tracked is not None else {}
    sources = tuple(places.get(place, ()) if place is not None else () for place in made.places)
    told: dict[Diagnostic, None] = {}
    for line, column, said in made.remarks:
        message = _CALL_SITE.sub("", said)
        # What is about a function is at a column where no instruction stands.
        for span in places.get((line, column)) or places.get((line, 0), ()):
            told[Diagnostic(message, span, "information", REMARK)] = None
    return MadeCode(made.text, sources, tuple(told))
