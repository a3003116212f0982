"""The dumps of a log, or of a folder, as the rows of a timeline: what each pass ran on, and whether it changed that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Final

from fathom.dumps.headers import Outcome
from fathom.dumps.lines import Bytes
from fathom.dumps.log import Dump, Text, outcome_of, read_log, text_of
from fathom.dumps.tree import TreeDump
from fathom.records import record

_TEXT: Final = r'"(?:[^"\\]|\\.)*"'
_NAME: Final = re.compile(r'"?([\w.]+)')
_SYMBOL: Final = re.compile(rf"[^({{\[:=\n]*?@({_TEXT}|[\w$.-]+)")
_NAMED: Final = re.compile(rf"sym_name = ({_TEXT})")
_FUNCTION: Final = re.compile(rf"define [^@\n]*@({_TEXT}|[\w$.-]+)")
_MACHINE: Final = re.compile(r"# Machine code for function (.*?):")


@record
class Row:
    """A dump, with what its text is of: an operation, by name and symbol, or a function. `outcome` is what became of
    that; what is "" changed, as far as can be told. `path` names the file of a folder; `former` is the number of the
    dump before it of the same operation, 0 if there is none."""

    number: int
    dump: Dump
    subject: str
    outcome: Outcome
    is_cut: bool
    path: str = ""
    former: int = 0

    @property
    def changed(self) -> bool:
        """Whether anything may be another than before, or is wrong."""
        return self.outcome not in ("unchanged", "filtered", "ignored") and self.dump.header.when != "before"


def rows_of_log(data: Bytes, dumps: Iterable[Dump]) -> Iterator[Row]:
    """The rows of a log, each when it is known."""
    return _rows((dump, text_of(data, dump), "") for dump in dumps)


def rows_of_tree(folder: Path, dumps: Iterable[TreeDump]) -> Iterator[Row]:
    """The rows of a folder. A file that has gone meanwhile has no text."""
    return _rows((each.dump, text_in_tree(folder, each), each.path) for each in dumps)


def text_in_tree(folder: Path, each: TreeDump) -> Text:
    """The text of a dump in a folder; an empty one if its file is gone or another."""
    try:
        data = (folder / each.path).read_bytes()
    except OSError:
        return Text("", is_cut=True)
    return text_of(data, each.dump) if each.dump in read_log(data).dumps else Text("", is_cut=True)


def _rows(dumps: Iterable[tuple[Dump, Text, str]]) -> Iterator[Row]:
    """What a text is compared with is the last one of the same operation: passes on functions take turns."""
    last: dict[str, tuple[int, str]] = {}
    for number, (dump, text, path) in enumerate(dumps, 1):
        head = head_of(text.text)
        key = f"{dump.header.language} {head}"
        if not dump.header.has_text:
            yield Row(number, dump, dump.subject, dump.header.outcome, is_cut=False, path=path)
            continue
        digest = blake2b(text.text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        former, digest_before = last.get(key, (0, None))
        outcome = outcome_of(dump, digest, digest_before)
        last[key] = number, digest
        yield Row(number, dump, dump.subject or head, outcome, text.is_cut, path, former)


def head_of(text: str) -> str:
    """The operation that a text is of, by name and symbol; the function of LLVM IR and of machine code; `[module]` of a
    module of LLVM IR."""
    for line in islice(text.splitlines(), 10_000):
        if line.startswith(("; ModuleID", "source_filename")):
            return "[module]"
        function = _FUNCTION.match(line) or _MACHINE.match(line)
        if function is not None:
            return function[1]
        if line.strip() and not line.startswith(("#", "!", ";", "//", " ")):
            return _head_of_mlir(line[:2_000])
    return ""


def _head_of_mlir(line: str) -> str:
    name = _NAME.match(line)
    if name is None:
        return ""
    is_generic = line.startswith('"')
    symbol = _NAMED.search(line) if is_generic else _SYMBOL.match(line)
    if symbol is None:
        return name[1]
    return f"{name[1]} @{symbol[1][1:-1] if is_generic else symbol[1]}"
