"""What features answer about a marked text, as text that shows places: the contents of the goldens beside the fixtures.

`render(feature, marked)` gives the answer of `tests/fixtures/features/FEATURE/*.mlir` to each mark. A place is shown in
the source itself, between `⟦` and `⟧`, so that a golden says where, not how many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Final

from fathom.diagnostics import Diagnostic
from fathom.ir.operation import Span
from fathom.records import replace
from fathom_server.features.actions import LOWER, actions_at, edit_of
from fathom_server.features.calls import incoming, outgoing
from fathom_server.features.calls import prepare as prepare_calls
from fathom_server.features.completion import completion
from fathom_server.features.document_symbols import Element, document_symbols
from fathom_server.features.edits import Refusal, Replacement, edited
from fathom_server.features.folding import Fold, folds
from fathom_server.features.functions import functions
from fathom_server.features.highlight import highlights, linked
from fathom_server.features.hints import hints
from fathom_server.features.hover import hover
from fathom_server.features.lenses import counted, lenses
from fathom_server.features.links import links
from fathom_server.features.navigation import definition, references
from fathom_server.features.preview import preview
from fathom_server.features.rename import prepare, rename
from fathom_server.features.selection import selections
from fathom_server.features.semantic_tokens import tokens
from fathom_server.features.semantic_tokens.legend import Kind, Modifier
from fathom_server.features.signature_help import signature_help
from fathom_server.features.stages import CODE, LLVM_DIALECT, LLVM_IR, SOURCE, stages, stages_of
from fathom_server.features.tests import Surroundings, Unsupported, steps, tests
from fathom_server.features.type_definition import described_type, type_definition
from fathom_server.features.workspace import ALONE
from fathom_server.model.deprecated import deprecated_operations
from fathom_server.model.lowered import stalled
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.modules import moved
from fathom_server.model.settings import Hints
from fathom_server.model.snapshot import Snapshot
from tests.server.fixture import marked_snapshot
from tests.server.steps_told import of_graph, of_timeline
from tests.server.white_space import of_formatting, of_some_lines, of_typing

Places = dict[str, Iterable[Span]]
NOTHING: Final = "nothing\n"
ENDS: Final = (SOURCE, LLVM_IR)
MOST_SUGGESTIONS: Final = 12
NEW_NAMES: Final = ("renamed", "taken", "two words")
"""What is asked for in place of a name; fixtures define the second where that is refused."""


def shown(text: str, spans: Iterable[Span]) -> str:
    """The lines in which places stand, with their numbers and the places marked."""
    ordered = sorted(set(spans), key=lambda span: (span.start, span.end))
    marks = [(span.start, 1, "⟦") for span in ordered] + [(span.end, 0, "⟧") for span in ordered]
    out, last = "", 0
    for offset, _, mark in sorted(marks, key=lambda entry: entry[:2]):
        out += text[last:offset] + mark
        last = offset
    lines = (out + text[last:]).split("\n")
    return "".join(f"{n:>3}  {line}\n" for n, line in enumerate(lines, 1) if "⟦" in line or "⟧" in line)


def at(text: str, offset: int) -> str:
    """The place of a mark, as a heading."""
    line = text.count("\n", 0, offset) + 1
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return f"=== {line}: {text[start:offset]}<|>{text[offset:end]}\n"


def selected(text: str, start: int, end: int) -> str:
    """A range between two marks, as a heading."""
    line = text.count("\n", 0, start) + 1
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    inside = f"<|>{text[start:end]}<|>" if start < end else "<|>"
    return f"=== {line}: {text[first:start]}{inside}{text[end : last if last >= 0 else len(text)]}\n"


def of_hover(snapshot: Snapshot, offset: int) -> str:
    shown_hover = hover(snapshot, offset)
    if shown_hover is None:
        return NOTHING
    return f"{shown(snapshot.tree.text, [Span(shown_hover.start, shown_hover.end)])}\n{shown_hover.markdown}\n"


def of_completion(snapshot: Snapshot, offset: int) -> str:
    """The first suggestions at a mark, each with what takes the word's place where that is more than the label."""
    completions = completion(snapshot, offset)
    if completions is None or not completions.suggestions:
        return NOTHING
    out = shown(snapshot.tree.text, [Span(completions.start, completions.end)])
    for suggestion in completions.suggestions[:MOST_SUGGESTIONS]:
        inserted = f" => {suggestion.text!r}" if suggestion.text else ""
        said = " | ".join(filter(None, (suggestion.kind, suggestion.detail, suggestion.documentation)))
        out += f"{suggestion.label} ({said}){inserted}\n"
    return out


def of_signature_help(snapshot: Snapshot, offset: int) -> str:
    """The signature with its active part, and what is said of each."""
    signature = signature_help(snapshot, offset)
    if signature is None:
        return NOTHING
    out = f"{signature.label}\n"
    if signature.active < len(signature.parameters):
        label, active = signature.label, signature.parameters[signature.active]
        out = f"{label[: active.start]}⟦{label[active.start : active.end]}⟧{label[active.end :]}\n"
    out += f"  {signature.documentation}\n" if signature.documentation else ""
    for parameter in signature.parameters:
        out += (
            f"  {signature.label[parameter.start : parameter.end]}: {parameter.documentation}\n"
            if parameter.documentation
            else ""
        )
    return out


def of_navigation(snapshot: Snapshot, offset: int) -> str:
    text = snapshot.tree.text
    places = {
        "definition": definition(snapshot, offset),
        "references": references(snapshot, offset, False),
        "all": references(snapshot, offset, True),
    }
    assert sorted([*places["definition"], *places["references"]], key=lambda s: s.start) == places.pop("all")
    return "".join(f"{name}:\n{shown(text, spans) or NOTHING}" for name, spans in places.items())


def of_type_definition(snapshot: Snapshot, offset: int) -> str:
    described = described_type(snapshot, offset)
    shown_definition = shown(snapshot.tree.text, type_definition(snapshot, offset))
    return shown_definition + (f"described as {described.dialect}.{described.name}\n" if described else "") or NOTHING


def of_calls(snapshot: Snapshot, offset: int) -> str:
    """The function at a mark, with those that call it and those that it calls."""
    prepared = prepare_calls(snapshot, ALONE, offset)
    if not prepared:
        return NOTHING
    text = snapshot.tree.text
    out = "".join(f"@{function.symbol.name}: {function.detail}\n" for function in prepared)
    for title, ask in (("called by", incoming), ("calls", outgoing)):
        for calls in ask(snapshot, ALONE, offset):
            name = Span(calls.function.name_start, calls.function.name_end)
            out += f"{title} {text[name.start : name.end]}:\n{shown(text, calls.places)}"
    return out


def of_rename(snapshot: Snapshot, offset: int) -> str:
    """What is offered, and the lines that another name changes; names that are refused, with the reason."""
    renamable = prepare(snapshot, offset)
    if renamable is None:
        return NOTHING
    out = f"{renamable.name}\n{shown(snapshot.tree.text, [Span(renamable.start, renamable.end)])}"
    for name in NEW_NAMES:
        made = rename(snapshot, offset, name)
        out += f"--- {name}\n"
        if isinstance(made, Refusal):
            out += f"refused: {made.reason}\n"
            continue
        marked = changed(snapshot.tree.text, made).splitlines()
        out += "".join(f"{n:>3}  {line}\n" for n, line in enumerate(marked, 1) if "⟦" in line)
    return out


def of_outline(snapshot: Snapshot) -> str:
    return outlined(snapshot.tree.text, document_symbols(snapshot))


def outlined(text: str, elements: list[Element], indent: str = "") -> str:
    """Symbols with their lines, one in the other."""
    out = ""
    for entry in elements:
        first, last = (text.count("\n", 0, place) + 1 for place in (entry.start, entry.end))
        out += f"{indent}{entry.name}: {entry.detail} [{first}-{last}]\n"
        out += outlined(text, entry.children, f"{indent}  ")
    return out


def of_diagnostics(snapshot: Snapshot) -> str:
    text = snapshot.tree.text
    out = ""
    for item, start in snapshot.tree.items.with_offsets():
        hints = deprecated_operations(snapshot, item)
        for diagnostic in (*diagnostics(snapshot, item), *stalled(snapshot, item), *hints):
            if diagnostic.follows_from is None:
                out += _diagnostic(text, moved(diagnostic, start))
    return out


def _diagnostic(text: str, diagnostic: Diagnostic) -> str:
    spans = [diagnostic.span] if diagnostic.span else []
    out = f"{diagnostic.severity}: {diagnostic.message} [{diagnostic.code}]\n{shown(text, spans)}"
    for note in diagnostic.notes:
        out += f"  note: {note.message}\n{shown(text, [note.span] if note.span else [])}"
    return out


def of_actions(snapshot: Snapshot, offset: int) -> str:
    """The fixes and the lowerings at a mark, each with what it makes of the text."""
    out = ""
    for action in actions_at(snapshot, offset, offset, ()):
        if action.bisects or action.asks or (action.later is not None and action.later.name != LOWER):
            continue
        made = edit_of(snapshot, action.later) if action.later is not None else list(action.edit)
        out += f"--- {action.title} ({action.kind})\n{changed(snapshot.tree.text, made)}"
    return out or NOTHING


def of_assists(snapshot: Snapshot, start: int, end: int, only: tuple[str, ...] = ()) -> str:
    """The assists for a selection, each with the lines that it changes."""
    out = ""
    for title, made in assists_at(snapshot, start, end, only):
        out += f"--- {title}\n"
        if isinstance(made, Refusal):
            out += f"refused: {made.reason}\n"
            continue
        before = snapshot.tree.text
        changes = unified_diff(before.splitlines(), edited(before, made).splitlines(), n=0, lineterm="")
        out += "".join(f"{line}\n" for line in changes if not line.startswith(("---", "+++", "@@")))
    return out or NOTHING


def assists_at(
    snapshot: Snapshot, start: int, end: int, only: tuple[str, ...]
) -> Iterator[tuple[str, list[Replacement] | Refusal]]:
    """The titles of the assists for a selection, with their kinds, and what each makes."""
    for action in actions_at(snapshot, start, end, only):
        if action.later is not None and action.later.name != LOWER:
            yield f"{action.title} ({action.kind})", edit_of(snapshot, action.later)


def changed(text: str, made: list[Replacement] | Refusal) -> str:
    """The text after an edit, with what is new in it marked."""
    if isinstance(made, Refusal):
        return f"refused: {made.reason}\n"
    return edited(text, [replace(replacement, text=f"⟦{replacement.text}⟧") for replacement in made])


def of_functions(snapshot: Snapshot) -> str:
    out = ""
    for function in functions(snapshot):
        kind = "defined" if function.symbol.has_body else "declared"
        out += f"@{function.name} {function.signature} ({kind})\n"
        out += "".join(f"  {argument}: {argument.example or 'no example'}\n" for argument in function.arguments)
    return out


def of_lenses(snapshot: Snapshot) -> str:
    """The lenses above each line that has any, with the places where what they are about is used."""
    out = ""
    for lens in lenses(snapshot):
        about = lens.command or f"@{lens.function}"
        out += f"{_line(snapshot, lens.start)}: {lens.kind} {about}\n"
        if lens.kind in ("uses", "copies") and (count := counted(snapshot, lens.function, lens.kind)) is not None:
            out += f"  {count.title}\n" if lens.kind == "copies" else ""
            out += shown(snapshot.tree.text, count.places)
    return out


def of_tests(snapshot: Snapshot) -> str:
    """The steps of each test."""
    around = Surroundings("/scratch/buffer.mlir", "/folder", "/scratch", {"mlir_runner_utils": "/lib/runner.so"})
    out = ""
    for test in tests(snapshot):
        out += shown(snapshot.tree.text, [Span(test.start, test.end)])
        made = steps(snapshot, test, around)
        if isinstance(made, Unsupported):
            out += f"  unsupported: {made.reason}\n"
            continue
        for step in made:
            flags = [name for name in ("own", "is_piped", "joined", "negated") if getattr(step, name)]
            files = [f"{name}={file}" for name in ("reads", "writes", "errors") if (file := getattr(step, name))]
            out += f"  {step.name} {list(step.arguments)} {' '.join([*flags, *files])}".rstrip() + "\n"
    return out


def of_preview(snapshot: Snapshot) -> str:
    """The function @f at each stage that shows it in another way than the stage before; at the ends with the map. What
    LLVM makes of it depends on the processor."""
    out = before = ""
    for stage in (stage for stage in stages(snapshot) if stage.id not in CODE):
        made = preview(snapshot, stage, "f")
        text = made.text if made.text is not None else f"{made.problem}\n"
        if text != before:
            out += f"=== {stage.id}\n{text}"
            out += "--- map\n" if made.links and stage.id in ENDS else ""
            for link in made.links if stage.id in ENDS else ():
                source = snapshot.tree.text[link.source.start : link.source.end].partition("\n")[0]
                out += f"  {source}  ->  {text[link.target.start : link.target.end]}\n"
        before = text
    return out


def of_stages(snapshot: Snapshot) -> str:
    """The passes at whose stages the file, and each of its functions, can be seen."""
    names = {"the file": None, **{f"@{function.name}": function.name for function in functions(snapshot)}}
    shown = {title: [stage.id for stage in stages_of(snapshot, name)] for title, name in names.items()}
    every = [stage.id for stage in stages(snapshot)]
    return "".join(
        f"{title}: {'all' if ids == every else ', '.join(id for id in ids if id not in (*ENDS, LLVM_DIALECT, *CODE))}\n"
        for title, ids in shown.items()
    )


def of_semantic_tokens(snapshot: Snapshot) -> str:
    return told(snapshot.tree.text, tokens(snapshot, "utf-32").numbers)


def told(text: str, numbers: str) -> str:
    """The tokens of each line, with what they are."""
    lines = text.split("\n")
    words_by_line: dict[int, list[str]] = {}
    for line, start, length, kind, modifiers in decoded(numbers):
        said = "|".join(
            [Kind(kind).name.lower(), *(str(modifier.name).lower() for modifier in Modifier if modifiers & modifier)]
        )
        words_by_line.setdefault(line, []).append(f"{lines[line][start : start + length]} {said}")
    return "".join(f"{line + 1:>3}  {', '.join(said)}\n" for line, said in sorted(words_by_line.items()))


def decoded(numbers: str) -> Iterator[tuple[int, int, int, int, int]]:
    """Semantic tokens with their lines and columns."""
    line = column = 0
    for down, right, *rest in _fives(numbers):
        line, column = line + down, right if down else column + right
        length, kind, modifiers = rest
        yield line, column, length, kind, modifiers


def of_highlight(snapshot: Snapshot, offset: int) -> str:
    """Where the name at a mark is given and used, and what is edited with it."""
    text, mentions, together = snapshot.tree.text, highlights(snapshot, offset) or [], linked(snapshot, offset)
    places = {
        "write": [Span(mention.start, mention.end) for mention in mentions if mention.is_definition],
        "read": [Span(mention.start, mention.end) for mention in mentions if not mention.is_definition],
        "linked": [Span(*place) for place in together.places] if together is not None else [],
    }
    return "".join(f"{name}:\n{shown(text, spans) or NOTHING}" for name, spans in places.items())


def of_folding(snapshot: Snapshot) -> str:
    return folded(snapshot.tree.text, folds(snapshot))


def folded(text: str, made: Iterable[Fold]) -> str:
    """The lines that are hidden by each fold, and what is left of them."""
    lines = text.split("\n")
    return "".join(
        f"{'  ' * fold.depth}[{fold.first + 1}-{fold.last + 1}] {fold.kind} {lines[fold.first].strip()} ...\n"
        for fold in made
    )


def of_selection(snapshot: Snapshot, offset: int) -> str:
    """What is selected around a mark, from the inside out; of long texts the beginning and the end."""
    (around,) = selections(snapshot, [offset])
    text = snapshot.tree.text
    return "".join(f"{_line(snapshot, start)}: {_abridged(text[start:end])}\n" for start, end in around)


def _abridged(text: str) -> str:
    flat = text.replace("\n", "⏎")
    return flat if len(flat) <= 90 else f"{flat[:50]} … {flat[-30:]}"


def of_links(snapshot: Snapshot) -> str:
    """The links of a document in the folder of its fixtures."""
    folder = Path(__file__).parents[1] / "fixtures" / "features" / "links"
    return "".join(
        f"{shown(snapshot.tree.text, [Span(link.start, link.end)])}  -> {link.path.name}:{link.line}:{link.column}\n"
        for link in links(snapshot, folder)
    )


def of_hints(snapshot: Snapshot) -> str:
    """The text with all hints in it."""
    every = replace(snapshot, settings=replace(snapshot.settings, hints=Hints(True, True, True, True, True)))
    out, last, text = "", 0, snapshot.tree.text
    for hint in hints(every, 0, len(text)):
        out += f"{text[last : hint.offset]}⟦{hint.label}⟧"
        last = hint.offset
    return out + text[last:]


def _fives(numbers: str) -> Iterator[list[int]]:
    all_of_them = [int(digits) for digits in numbers.split(",")] if numbers else []
    return (all_of_them[start : start + 5] for start in range(0, len(all_of_them), 5))


def _line(snapshot: Snapshot, offset: int) -> int:
    return snapshot.tree.line_of(offset)[0] + 1


AT_MARKS: Final[dict[str, Callable[[Snapshot, int], str]]] = {
    "completion": of_completion,
    "signature_help": of_signature_help,
    "hover": of_hover,
    "navigation": of_navigation,
    "rename": of_rename,
    "calls": of_calls,
    "type_definition": of_type_definition,
    "typing": of_typing,
    "actions": of_actions,
    "assists": lambda snapshot, offset: of_assists(snapshot, offset, offset),
    "highlight": of_highlight,
    "selection": of_selection,
    "some_lines": lambda snapshot, offset: of_some_lines(snapshot, offset, offset),
    "timeline": of_timeline,
}
OF_TEXTS: Final[dict[str, Callable[[Snapshot], str]]] = {
    "formatting": of_formatting,
    "outline": of_outline,
    "diagnostics": of_diagnostics,
    "functions": of_functions,
    "lenses": of_lenses,
    "tests": of_tests,
    "preview": of_preview,
    "stages": of_stages,
    "semantic_tokens": of_semantic_tokens,
    "folding": of_folding,
    "links": of_links,
    "hints": of_hints,
    "graph": of_graph,
}


def render(feature: str, marked: str) -> str:
    """The answer of a feature to each mark of a text, or about the whole of it."""
    snapshot, offsets = marked_snapshot(marked)
    if feature in OF_TEXTS:
        assert not offsets, f"{feature} has no use for marks"
        return OF_TEXTS[feature](snapshot)
    assert offsets, f"{feature} is asked at marks"
    if feature == "assists":
        # What is about the document as a whole is shown once.
        numbered = enumerate(zip(offsets[::2], offsets[1::2], strict=True))
        return "\n".join(
            selected(snapshot.tree.text, *numbered_range)
            + of_assists(snapshot, *numbered_range, ("refactor", "quickfix") if number else ())
            for number, numbered_range in numbered
        )
    if feature == "some_lines":
        ranges = zip(offsets[::2], offsets[1::2], strict=True)
        return "\n".join(selected(snapshot.tree.text, *range_) + of_some_lines(snapshot, *range_) for range_ in ranges)
    return "\n".join(at(snapshot.tree.text, offset) + AT_MARKS[feature](snapshot, offset) for offset in offsets)
