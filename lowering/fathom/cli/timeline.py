"""`fathom timeline`: the passes that a log tells of, and what they made."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from fathom.cli.commands import Command, Group
from fathom.cli.options import flag, number
from fathom.cli.streams import Streams
from fathom.dumps.log import Log, read_log, text_of
from fathom.dumps.rows import Row, head_of, rows_of_log, rows_of_tree, text_in_tree
from fathom.dumps.tree import read_tree
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.dumps.log import Text

SHOW: Final = number("show", "print the text of the dump with this number")
DIFF: Final = number("diff", "print what differs in it from the dump of the same operation before it")
ALL: Final = flag("all", "list the passes that changed nothing, too")
JSON: Final = flag("json", "print the list as JSON, an object on each line")

EXAMPLE: Final = """\
  mlir-opt input.mlir --canonicalize --cse --mlir-print-ir-after-all 2> log.txt; fathom timeline log.txt
  fathom timeline --diff=7 ci-run.txt
  fathom timeline ir-tree/
"""

COMMAND: Final = Command(
    "timeline",
    "Lists the passes in a log of `--mlir-print-ir-after-all`, `-before-all` or `-after-change` of any tool, of\n"
    "LLVM's `-print-after-all`, `-print-before-all` or `-print-changed`, or in a folder of\n"
    "`--mlir-print-ir-tree-dir`; and prints what one of them made. The log may have other text between, time stamps\n"
    "and colours.\n\n"
    "The exit status is 0; 1 after an error, and if there is no dump.",
    EXAMPLE,
    (Group("options", (SHOW, DIFF, ALL, JSON)),),
    file_help="the log, or the folder; standard input by default",
)


@record
class _Source:
    """What dumps are read from: their rows, and the text of each by its number, from 1."""

    rows: Callable[[], Iterator[Row]]
    text: Callable[[int], Text]
    count: int
    left_off: int = 0


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    name = "<stdin>" if parsed.file == "-" else parsed.file
    source = _source(parsed.file, streams)
    if not source.count:
        raise streams.fail(f"fathom timeline: {name}: there is no dump of IR")
    for option, show in ((SHOW, _shown), (DIFF, _difference)):
        wanted = parsed[option]
        if wanted is None:
            continue
        if not 1 <= wanted <= source.count:
            raise streams.fail(f"fathom timeline: {name}: there is no dump {wanted}; there are {source.count}")
        streams.stdout.writelines(show(source, wanted))
        return 0
    lines = _as_json(source.rows()) if parsed[JSON] else _listed(source.rows(), every=parsed[ALL])
    streams.stdout.writelines(lines)
    if source.left_off:
        streams.stderr.write(f"{name}: note: {source.left_off} more dumps are left out\n")
    return 0


def _source(file: str, streams: Streams) -> _Source:
    if file != "-" and Path(file).is_dir():
        folder = Path(file)
        tree = read_tree(folder)
        return _Source(lambda: rows_of_tree(folder, tree), lambda n: text_in_tree(folder, tree[n - 1]), len(tree))
    data = _data(file, streams)
    log: Log = read_log(data)
    return _Source(
        lambda: rows_of_log(data, log.dumps), lambda n: text_of(data, log.dumps[n - 1]), len(log.dumps), log.left_off
    )


def _data(file: str, streams: Streams) -> bytes:
    if file == "-":
        return streams.stdin.read().encode("utf-8", "surrogateescape")
    try:
        with Path(file).open("rb") as opened:
            if not opened.seek(0, 2):
                return b""
            # It is read as bytes are.
            return cast("bytes", mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        raise streams.fail(f"cannot open input file '{file}': {reason}") from None


def _shown(source: _Source, wanted: int) -> Iterable[str]:
    return [source.text(wanted).text]


def _difference(source: _Source, wanted: int) -> Iterable[str]:
    """What differs from the last dump before of the same operation; all of it where there is none."""
    text = source.text(wanted).text
    head = head_of(text)
    for earlier in range(wanted - 1, 0, -1):
        before = source.text(earlier).text
        if before and head_of(before) == head:
            lines = before.splitlines(keepends=True), text.splitlines(keepends=True)
            return unified_diff(*lines, f"dump {earlier}", f"dump {wanted}")
    return unified_diff([], text.splitlines(keepends=True), "nothing", f"dump {wanted}")


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
