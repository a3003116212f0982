"""What formatting answers about a marked text: the lines that change, with the new white space between `⟦` and `⟧`."""

from __future__ import annotations

from fathom_server.features.edits import Replacement, edited
from fathom_server.features.formatting import document_formatting, on_type_formatting, range_formatting
from fathom_server.model.snapshot import Snapshot


def of_formatting(snapshot: Snapshot) -> str:
    """The text after it was formatted, with what took the place of other white space marked, a line's end as `⏎`."""
    edit = document_formatting(snapshot)
    return with_white_space(snapshot, edit) + "---\n" + edited(snapshot.tree.text, edit)


def of_some_lines(snapshot: Snapshot, start: int, end: int) -> str:
    return with_white_space(snapshot, range_formatting(snapshot, start, end))


def of_typing(snapshot: Snapshot, offset: int) -> str:
    """What follows a brace before a mark, or a line's end."""
    typed = "}" if snapshot.tree.text[:offset].endswith("}") else "\n"
    return with_white_space(snapshot, on_type_formatting(snapshot, offset, typed))


def with_white_space(snapshot: Snapshot, edit: list[Replacement]) -> str:
    """The lines of the text that an edit of white space changes, with the new one between marks."""
    text, out, last = snapshot.tree.text, "", 0
    for replacement in edit:
        assert not (text[replacement.start : replacement.end] + replacement.text).strip(), (
            "nothing but white space changes"
        )
        out += text[last : replacement.start] + "⟦" + replacement.text.replace("\n", "⏎") + "⟧"
        out += "\n" * text.count("\n", replacement.start, replacement.end)
        last = replacement.end
    lines = (out + text[last:]).split("\n")
    return "".join(f"{n:>3}  {line}\n" for n, line in enumerate(lines, 1) if "⟦" in line) or "nothing\n"
