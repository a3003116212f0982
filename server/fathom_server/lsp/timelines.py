"""The custom messages about what each pass did; `docs/protocol.md` describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from fathom.records import record
from fathom_server.lsp.convert import TextPositions
from fathom_server.lsp.encoded import Encoded, encoded, encoded_list, encoded_object, encoded_range
from fathom_server.lsp.plain import plain
from fathom_server.lsp.previews import UINT, function_shown, stage_meant
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Protocol

    from fathom.ir.operation import Span
    from fathom.text.encodings import Encoding
    from fathom_server.features.stages import PreviewStage
    from fathom_server.features.told import Asked, Change, LifeStep, ListedStep, PassReasons, Text, Told, Who
    from fathom_server.lsp.border import Border

    class Side(Protocol):
        """What answers are written with: how places in the source are told, and of which version."""

        @property
        def version(self) -> int: ...
        @property
        def encoding(self) -> Encoding: ...
        def range(self, start: int, end: int) -> types.Range: ...


_MOST_STEP: Final = 1 << 31


# ---- what is asked


def about_function(border: Border, params: Any) -> tuple[Asked]:
    """A question about a function alone."""
    return (_asked(border, params),)


def about_stage(border: Border, params: Any) -> tuple[Asked]:
    """A question about a stage."""
    given = plain(params)
    return (_asked(border, params, stage=_stage(border, given, "stage", below=True)),)


def about_pass(border: Border, params: Any) -> tuple[Asked]:
    """A question about a pass, which is named by the stage behind it, and maybe about one of its steps."""
    given = plain(params)
    numbers = {key: given.get(key, 0) for key in ("run", "number")}
    for key, number in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < _MOST_STEP:
            raise invalid(f"`{key}` is a number")
    stage = _stage(border, given, "stage")
    return (_asked(border, params, stage=stage, run=numbers["run"], step=numbers["number"]),)


def about_two(border: Border, params: Any) -> tuple[Asked]:
    """A question about two stages."""
    given = plain(params)
    return (_asked(border, params, stage=_stage(border, given, "before"), other=_stage(border, given, "after")),)


def about_place(border: Border, params: Any) -> tuple[Asked]:
    """A question about an operation: at a position of the document, or with `target` at one in the text of a stage."""
    given = plain(params)
    stage = _stage(border, given, "stage", below=True) if given.get("stage") is not None else None
    target = _position(given, "target")
    if target is not None and stage is not None:
        place = target.line, target.character
    else:
        position = _position(given, "position")
        if position is None:
            raise invalid("`position` is {line, character}, or `target` with a `stage`")
        place = border.offset(position), 0
    is_target = target is not None and stage is not None
    return (_asked(border, params, stage=stage, place=place, in_stage=is_target),)


def subject(asked: Asked) -> object:
    """What is the same in two questions of which the later one counts."""
    return asked.function, asked.stage, asked.other, asked.in_stage, asked.tool


def _asked(border: Border, params: Any, **more: Any) -> Asked:
    from fathom_server.features.told import Asked
    from fathom_server.features.tool_timeline import tool_of

    (function,) = function_shown(border, params)
    given = plain(params)
    tool = tool_of(more.get("stage"), more.get("other"))
    return Asked(
        function,
        source_names=given.get("sourceNames") is True,
        units=border.client.encoding,
        tool=tool or _tool(border, given),
        **more,
    )


def _tool(border: Border, given: Any) -> str | None:
    """The tool of other people that is meant, if one is."""
    from fathom_server.features.tool_timeline import stages_of_tool

    match given.get("tool"):
        case None:
            return None
        case str(name) if stages_of_tool(border.snapshot, name):
            return name
        case name:
            raise invalid(f"there is no tool {name!r} with a pipeline for this document")


def _stage(border: Border, given: Any, key: str, *, below: bool = False) -> PreviewStage:
    """The stage that is named; one `below` the LLVM dialect too where that is right."""
    from fathom_server.features.stages import OF_LLVM, stages

    known = [stage for stage in stages(border.snapshot) if below or stage.id not in OF_LLVM]
    return stage_meant(known, {"stage": given.get(key)})


def _position(given: Any, key: str) -> types.Position | None:
    match given.get(key):
        case None:
            return None
        case {"line": int(line), "character": int(character)} if (
            0 <= min(line, character) <= max(line, character) < UINT
        ):
            return types.Position(line, character)
        case _:
            raise invalid(f"`{key}` is {{line, character}}")


# ---- what is answered


@record
class Answering:
    """What answers about a version of a document are written with."""

    border: Border

    @property
    def version(self) -> int:
        return self.border.snapshot.version

    @property
    def encoding(self) -> Encoding:
        return self.border.client.encoding

    def range(self, start: int, end: int) -> types.Range:
        return self.border.range(start, end)


def about_document(write: Callable[[Side, object, Told], Encoded]) -> Callable[[Border, object, Told], Encoded]:
    """What writes an answer about a document."""
    return lambda border, params, answer: write(Answering(border), params, answer)


def told(side: Side, _params: object, answer: Told) -> Encoded:
    """An answer about the present version; fields that the question has no use for are left out."""
    fields: dict[str, object] = {"version": side.version}
    if answer.asked.function is not None:
        fields["function"] = answer.asked.function
    if answer.problem is not None:
        fields["problem"] = " ".join(answer.problem.split())
    if answer.operation:
        fields["operation"] = answer.operation
    return encoded_object(fields)


def timeline(side: Side, params: object, answer: Told) -> Encoded:
    passes = [
        {
            "stage": stage,
            "pass": row.name,
            **({"options": row.options} if row.options else {}),
            **({"milliseconds": round(row.seconds * 1000, 3)} if answer.asked.tool is None else {}),
            "before": row.before,
            "after": row.after,
            "changed": row.has_changed,
            **({"failed": True} if row.failed else {}),
            "steps": row.steps,
        }
        for stage, row in answer.passes
    ]
    return _with(told(side, params, answer), passes=encoded(passes))


def stages_below(side: Side, params: object, answer: Told) -> Encoded:
    listed = [
        {"stage": each.stage, "title": each.title, "problem": " ".join(each.problem.split())}
        if each.problem
        else {
            "stage": each.stage,
            "title": each.title,
            "instructions": each.instructions,
            "lines": each.lines,
            **({"bytes": each.size} if each.size else {}),
        }
        for each in answer.below
    ]
    return _with(told(side, params, answer), stages=encoded(listed))


def difference(side: Side, params: object, answer: Told) -> Encoded:
    head = told(side, params, answer)
    if len(answer.texts) != 2:
        return head
    first, second = answer.texts
    positions = [TextPositions(text.text, side.encoding) for text in answer.texts]
    changes = encoded_list(_change(change, *positions).json for change in answer.changes)
    return _with(head, before=_text(first), after=_text(second), changes=changes)


def blame(side: Side, params: object, answer: Told) -> Encoded:
    head = told(side, params, answer)
    if not answer.texts:
        return head
    text = answer.texts[0]
    lines = encoded_list(_who(side, who).json if who is not None else "null" for who in answer.lines)
    return _with(head, stage=encoded(text.stage), text=encoded(text.text), lines=lines)


def life(side: Side, params: object, answer: Told) -> Encoded:
    return _with(told(side, params, answer), steps=encoded_list(_life(side, each).json for each in answer.life))


def steps(side: Side, params: object, answer: Told) -> Encoded:
    return _with(told(side, params, answer), steps=encoded_list(_step(side, each).json for each in answer.steps))


def why_not(side: Side, params: object, answer: Told) -> Encoded:
    return _with(told(side, params, answer), passes=encoded([_reasons(each) for each in answer.reasons]))


def _with(head: Encoded, **fields: Encoded) -> Encoded:
    """An object with more fields."""
    more = "".join(f",{encoded(key).json}:{value.json}" for key, value in fields.items())
    return Encoded(f"{head.json[:-1]}{more}}}")


def _text(text: Text) -> Encoded:
    return encoded({"stage": text.stage, "text": text.text})


def _change(change: Change, before: TextPositions, after: TextPositions) -> Encoded:
    fields: dict[str, object] = {
        "kind": change.difference.how,
        "before": _ranges(before, change.before),
        "after": _ranges(after, change.after),
    }
    if change.difference.moved:
        fields["moved"] = True
    return encoded_object(fields)


def _ranges(texts: TextPositions, spans: Iterable[Span]) -> Encoded:
    return encoded_list(encoded_range(texts.range(span)) for span in spans)


def _who(side: Side, who: Who) -> Encoded:
    fields: dict[str, object] = {"title": who.title, "kind": who.kind, "stage": who.stage}
    if who.pass_name:
        fields["pass"] = who.pass_name
    if who.pattern:
        fields["pattern"] = who.pattern
    if who.operation:
        fields["operation"] = who.operation
    if who.source is not None:
        fields["source"] = Encoded(encoded_range(side.range(who.source.start, who.source.end)))
    return encoded_object(fields)


def _life(side: Side, step: LifeStep) -> Encoded:
    made = _with(_who(side, step.who), before=encoded(list(step.before)), after=encoded(list(step.after)))
    return _with(made, note=encoded(" ".join(step.note.split()))) if step.note else made


def _step(side: Side, step: ListedStep) -> Encoded:
    return _with(_who(side, step.who), run=encoded(step.run), number=encoded(step.number), depth=encoded(step.depth))


def _reasons(why: PassReasons) -> dict[str, Any]:
    reasons = [
        {
            "pattern": reason.pattern,
            "reason": str(reason),
            **({"lookedAt": list(reason.looked_at)} if reason.looked_at else {}),
            **({"undone": True} if reason.undone else {}),
        }
        for reason in why.reasons
    ]
    return {"stage": why.stage, "pass": why.pass_name, "reasons": reasons, **({"note": why.note} if why.note else {})}
