"""What features answer about a marked `.ll` text, shown as the answers about MLIR are (`answers.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.ir.operation import Span
from fathom_server.features.edits import Refusal
from fathom_server.features.llvm_ir.document_symbols import document_symbols
from fathom_server.features.llvm_ir.folding import folds
from fathom_server.features.llvm_ir.hover import hover
from fathom_server.features.llvm_ir.navigation import definition, highlights, references
from fathom_server.features.llvm_ir.rename import prepare, rename
from fathom_server.features.llvm_ir.semantic_tokens import tokens
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.text import LlvmText
from tests.server.answers import NEW_NAMES, NOTHING, at, changed, folded, outlined, shown, told
from tests.server.fixture import unmark


def snapshot_of(text: str) -> LlvmSnapshot:
    return LlvmSnapshot("file:///test.ll", 1, LlvmText.read(text))


def of_hover(snapshot: LlvmSnapshot, offset: int) -> str:
    said = hover(snapshot, offset)
    if said is None:
        return NOTHING
    return f"{shown(snapshot.tree.text, [Span(said.start, said.end)])}\n{said.markdown}\n"


def of_navigation(snapshot: LlvmSnapshot, offset: int) -> str:
    text = snapshot.tree.text
    places = {
        "definition": definition(snapshot, offset),
        "references": references(snapshot, offset, False),
        "all": references(snapshot, offset, True),
    }
    assert sorted([*places["definition"], *places["references"]], key=lambda s: s.start) == places.pop("all")
    return "".join(f"{name}:\n{shown(text, spans) or NOTHING}" for name, spans in places.items())


def of_highlight(snapshot: LlvmSnapshot, offset: int) -> str:
    mentions = highlights(snapshot, offset) or []
    return "".join(
        f"{name}:\n{shown(snapshot.tree.text, spans) or NOTHING}"
        for name, wanted in (("write", True), ("read", False))
        for spans in [[Span(mention.start, mention.end) for mention in mentions if mention.is_definition is wanted]]
    )


def of_rename(snapshot: LlvmSnapshot, offset: int) -> str:
    """What is offered, and the lines that another name changes; names that are refused, with the reason."""
    renamable = prepare(snapshot, offset)
    if renamable is None:
        made = rename(snapshot, offset, NEW_NAMES[0])
        return f"refused: {made.reason}\n" if isinstance(made, Refusal) else NOTHING
    out = f"{renamable.name}\n{shown(snapshot.tree.text, [Span(renamable.start, renamable.end)])}"
    for name in NEW_NAMES:
        marked = changed(snapshot.tree.text, rename(snapshot, offset, name)).splitlines()
        out += f"--- {name}\n"
        out += "".join(f"{n:>3}  {line}\n" for n, line in enumerate(marked, 1) if "⟦" in line) or f"{marked[0]}\n"
    return out


AT_MARKS: Final[dict[str, Callable[[LlvmSnapshot, int], str]]] = {
    "hover": of_hover,
    "navigation": of_navigation,
    "highlight": of_highlight,
    "rename": of_rename,
}
OF_TEXTS: Final[dict[str, Callable[[LlvmSnapshot], str]]] = {
    "outline": lambda snapshot: outlined(snapshot.tree.text, document_symbols(snapshot)),
    "folding": lambda snapshot: folded(snapshot.tree.text, folds(snapshot)),
    "semantic_tokens": lambda snapshot: told(snapshot.tree.text, tokens(snapshot, "utf-32").numbers),
}
FEATURES: Final = (*AT_MARKS, *OF_TEXTS)


def render(feature: str, marked: str) -> str:
    """The answer of a feature to each mark of a text, or to the text as a whole."""
    text, offsets = unmark(marked)
    snapshot = snapshot_of(text)
    if feature in OF_TEXTS:
        return OF_TEXTS[feature](snapshot)
    return "\n".join(at(text, offset) + AT_MARKS[feature](snapshot, offset) for offset in offsets)
