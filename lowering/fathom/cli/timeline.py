"""`fathom timeline`: the passes that a log tells of, and what they made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.options import flag, number, written
from fathom.cli.streams import Streams
from fathom.dumps.rows import Row
from fathom.dumps.source import Dumps, LogDumps, before, dumps_in
from fathom.inputs.traces import is_trace

SHOW: Final = number("show", "print the text of the dump with this number")
DIFF: Final = number("diff", "print what differs in it from the dump of the same operation before it")
SINCE: Final = number("since", "with --diff: from the dump with this number instead")
BY_OPERATION: Final = flag("by-operation", "with --diff: which operations were moved, renamed, changed and rewritten")
ALL: Final = flag("all", "list the passes that changed nothing, too")
HTML: Final = written("html", "write a trace as a page to look at, which needs no server, to this file")
JSON: Final = flag("json", "print the list as JSON, an object on each line")

EXAMPLE: Final = """\
  fathom timeline --diff=7 ci-run.txt
  fathom timeline --diff=7 --since=2 --by-operation ci-run.txt
  fathom timeline ir-tree/
  fathom timeline --html=trace.html trace.json
  mlir-opt input.mlir --canonicalize --cse --mlir-print-ir-after-all 2>&1 | fathom timeline
"""

COMMAND: Final = Command(
    "timeline",
    "Lists the passes in a log of `--mlir-print-ir-after-all`, `-before-all` or `-after-change` of any tool, of\n"
    "LLVM's `-print-after-all`, `-print-before-all` or `-print-changed`, or in a folder of\n"
    "`--mlir-print-ir-tree-dir`; and prints what one of them made. The log may have other text between, time stamps\n"
    "and colours.\n\n"
    "Of a trace that `fathom opt --record` wrote it lists the passes that ran, and writes a page.\n\n"
    "The exit status is 0; 1 after an error, and if there is no dump.",
    EXAMPLE,
    (Group("options", (SHOW, DIFF, SINCE, BY_OPERATION, ALL, HTML, JSON)),),
    file_help="the log, or the folder; standard input by default",
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    name = "<stdin>" if parsed.file == "-" else parsed.file
    if parsed[HTML] or is_trace(parsed.file):
        return _trace(parsed, streams)
    dumps = _dumps(parsed.file, streams)
    if not dumps.count:
        raise streams.fail(f"fathom timeline: {name}: there is no dump of IR")
    for wanted in (parsed[SHOW], parsed[DIFF], parsed[SINCE]):
        if wanted is not None and not 1 <= wanted <= dumps.count:
            raise streams.fail(f"fathom timeline: {name}: there is no dump {wanted}; there are {dumps.count}")
    if (shown := parsed[SHOW]) is not None:
        streams.stdout.write(dumps.text(shown).text)
        return 0
    if (compared := parsed[DIFF]) is not None:
        since = parsed[SINCE] or before(dumps, compared)
        streams.stdout.writelines((_by_operation if parsed[BY_OPERATION] else _difference)(dumps, since, compared))
        return 0
    lines = _as_json(dumps.rows()) if parsed[JSON] else _listed(dumps.rows(), every=parsed[ALL])
    streams.stdout.writelines(lines)
    if dumps.left_off:
        streams.stderr.write(f"{name}: note: {dumps.left_off} more dumps are left out\n")
    return 0


def _trace(parsed: Parsed, streams: Streams) -> int:
    """Lists the passes of a trace, or writes its page."""
    from fathom.recording.telling import timeline
    from fathom.recording.trace_reading import Unreadable, opened

    trace = opened(parsed.file)
    if isinstance(trace, Unreadable):
        raise streams.fail(f"fathom timeline: {trace.reason}")
    if parsed[HTML]:
        from fathom.recording.pages import page

        streams.write(parsed[HTML], page(trace))
        return 0
    for count, part in enumerate(trace.parts, 1):
        if len(trace.parts) > 1:
            streams.stdout.write(f"part {count}\n")
        streams.stdout.write(timeline(part))
    return 0


def _dumps(file: str, streams: Streams) -> Dumps:
    if file == "-":
        return LogDumps(streams.stdin.read().encode("utf-8", "surrogateescape"))
    try:
        return dumps_in(Path(file))
    except OSError as problem:
        raise streams.fail(f"cannot open input file '{file}': {problem.strerror}") from None


def _difference(dumps: Dumps, earlier: int | None, wanted: int) -> Iterable[str]:
    """What differs from an earlier dump; all of it where there is none."""
    lines = dumps.text(wanted).text.splitlines(keepends=True)
    if earlier is None:
        return unified_diff([], lines, "nothing", f"dump {wanted}")
    return unified_diff(dumps.text(earlier).text.splitlines(keepends=True), lines, f"dump {earlier}", f"dump {wanted}")


def _by_operation(dumps: Dumps, earlier: int | None, wanted: int) -> Iterable[str]:
    """What became of each operation since an earlier dump; lines, where Fathom cannot read both."""
    from fathom.context import default_context
    from fathom.recording.matching import compared
    from fathom.recording.telling import told_differences

    first = dumps.text(earlier).text if earlier is not None else ""
    found = compared(first, dumps.text(wanted).text, default_context())
    if found is None:
        return _difference(dumps, earlier, wanted)
    return told_differences(found.differences, found.before, found.after)


def _listed(rows: Iterator[Row], *, every: bool) -> Iterator[str]:
    """A line for each pass that changed something, and one for those between that did not."""
    idle = 0
    for row in rows:
        if not every and not row.changed:
            idle += 1
            continue
        if idle:
            yield f"{'':8}{_count(idle)}\n"
        idle = 0
        yield _line(row)
    if idle:
        yield f"{'':8}{_count(idle)}\n"


def _count(idle: int) -> str:
    return "1 that changed nothing" if idle == 1 else f"{idle} that changed nothing"


def _line(row: Row) -> str:
    header = row.dump.header
    what = f"before {row.dump.pass_name}" if header.when == "before" else row.dump.pass_name
    marks = [row.outcome, "cut off" if row.is_cut else "", row.path or f"line {row.dump.line}"]
    return f"{row.number:6}  {what:<40} {row.subject:<28} {', '.join(filter(None, marks))}\n"


def _as_json(rows: Iterator[Row]) -> Iterator[str]:
    for row in rows:
        header = row.dump.header
        fields: dict[str, object] = {
            "number": row.number,
            "pass": row.dump.pass_name,
            "name": header.name,
            "when": header.when,
            "subject": row.subject,
            "outcome": row.outcome,
            "changed": row.changed,
            "language": header.language,
            "line": row.dump.line,
        }
        if row.path:
            fields["path"] = row.path
        yield json.dumps(fields, ensure_ascii=False) + "\n"
