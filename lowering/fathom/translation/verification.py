"""LLVM's own verdict on LLVM IR text, and where in the source what it objects to comes from; with what the translation
says itself the one verdict that the command line and the editor give on it."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import LLVM, Diagnostic
from fathom.irdl.interfaces import InlineAssembly
from fathom.llvm import VERIFY
from fathom.llvm.process import Died, Refused, ask
from fathom.records import record
from fathom.translation.module import Translation, translate

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Span
    from fathom.ir.operation_printer import Locator
    from fathom.translation.tracking import LineOf

MOST_SECONDS: Final = 5.0
"""If the text without its functions takes LLVM longer than this, nothing is looked for by asking again and again."""
_NAME: Final = r'(?:"(?:[^"\\]|\\.)*"|[-\w.$]+)'
_PLACE: Final = re.compile(r"<string>:(\d+):\d+: error: (.*)")
_SYMBOL: Final = re.compile(rf"@({_NAME})")
"""A symbol, as LLVM writes it."""
_DEFINED: Final = re.compile(rf"(?:attributes )?([#!%$]{_NAME}) = |declare [^@]*(@{_NAME})\(")
"""What a line defines that no operation stands for."""
_NAMED_FUNCTION: Final = re.compile(r"[Ii]n function:? '?([^\s']+)")
"""How LLVM names the function that it was about."""


def verify_ir(text: str) -> list[str]:
    """What LLVM's parser and verifier object to; an empty list means that the module is sound."""
    try:
        ask(VERIFY, text)
    except Refused as problem:
        return [str(problem).removeprefix("LLVM IR parsing error\n").strip()]
    except Died as problem:
        return [str(problem).strip() or "LLVM ended while it read the module"]
    return []


@record
class Translated:
    """LLVM IR for a module, and all that is said of it; with an error among that there is no result."""

    translation: Translation
    told: tuple[Diagnostic, ...]

    @property
    def error(self) -> Diagnostic | None:
        """What stands in the way of a result."""
        return next((diagnostic for diagnostic in self.told if diagnostic.severity == "error"), None)

    @property
    def text(self) -> str | None:
        """LLVM IR, if nothing stands in the way."""
        return self.translation.text if self.error is None else None


def translated(
    module: Operation,
    *,
    complete: bool = False,
    shown: int | None = None,
    context: Context | None = None,
    locate: Locator | None = None,
    machine_layout: str = "",
    tracked: LineOf | None = None,
    in_parts: bool = False,
) -> Translated:
    """LLVM IR for a module, by what dialects of the `context` say of theirs, with what is said of it. What the text
    does not say is an error for who wants it `complete`. LLVM is asked about what is a translation otherwise. With
    `shown`, so many characters of each constant are enough. `locate` says where operations stand that do not say so;
    `machine_layout`, by what sizes are folded where the module has no layout. Where `tracked`
    tells the lines of offsets of the source, what is made of it can be followed back. The translation is given
    `in_parts` too if that is asked for."""
    translation = translate(
        module,
        shown=shown,
        context=context,
        locate=locate,
        machine_layout=machine_layout,
        tracked=tracked,
        in_parts=in_parts,
    )
    told = translation.all_told if complete else translation.as_warnings
    if not any(diagnostic.severity == "error" for diagnostic in told):
        told = [*told, *objections(translation, module)]
    return Translated(translation, tuple(told))


def objections(translation: Translation, module: Operation) -> list[Diagnostic]:
    """What LLVM objects to in the translation of a module, about the operations that it comes from."""
    return [_about(*placed(problem, translation), module) for problem in verify_ir(translation.asked)]


def _about(message: str, span: Span | None, module: Operation) -> Diagnostic:
    """Of several operations that come from one place, it is about the one whose text only LLVM reads, or the last."""
    there = [op for op in module.walk() if op.span == span] if span is not None else []
    op = next(
        (operation for operation in there if operation.interface(InlineAssembly) is not None),
        there[-1] if there else None,
    )
    said = f"'{op.name}' op is refused by LLVM: {message}" if op is not None else f"refused by LLVM: {message}"
    return Diagnostic(said, span, code=LLVM)


def placed(problem: str, translation: Translation) -> tuple[str, Span | None]:
    """What LLVM objects to in one line, and where that comes from. Its parser tells the line of the text; its verifier
    repeats the instruction, or names the function; where it ended without such a word, the function is looked for in
    whose absence it does not. Of what has no place all is told."""
    lines = translation.asked.splitlines()
    match = _PLACE.match(problem)
    if match is not None:
        return match[2], _span_of(int(match[1]) - 1, lines, translation.line_spans)
    first, *rest = problem.splitlines()
    at = _repeated(rest, lines)
    if at is None:
        at = _named([first, *rest], lines)
    if at is None:
        at = _guilty(lines)
    span = _span_of(at, lines, translation.line_spans) if at is not None else None
    return (first, span) if span is not None else (problem, None)


def _span_of(at: int, lines: Sequence[str], spans: Sequence[Span | None]) -> Span | None:
    """Where a line comes from. What stands outside of all operations, such as the declaration of an intrinsic or a
    group of attributes, comes from the first one that names it."""
    defined = _DEFINED.match(lines[at]) if spans[at] is None else None
    if defined is None:
        return spans[at]
    name = re.compile(re.escape(defined[1] or defined[2]) + r"(?![\w.$-])")
    return next((span for line, span in zip(lines, spans, strict=True) if span is not None and name.search(line)), None)


def _repeated(said: Sequence[str], lines: Sequence[str]) -> int | None:
    """The line of the text that LLVM repeats."""
    wanted = {line.strip() for line in said if line.startswith((" ", "#dbg_"))}
    wanted |= {line.strip() for line in said[-1:]}
    at = next((at for at, line in enumerate(lines) if line.strip() and line.strip() in wanted), None)
    if at is None and (strings := [line for line in said if line.startswith('!"')]):
        # A string of metadata, in the node that has it.
        at = next((at for at, line in enumerate(lines) if strings[0] in line), None)
    return at


def _named(said: Sequence[str], lines: Sequence[str]) -> int | None:
    """The line that defines or declares a symbol that LLVM names."""
    defined: dict[str, int] = {}
    for at, line in enumerate(lines):
        if line.startswith(("define ", "declare ", "@")) and (symbol := _SYMBOL.search(line)):
            defined.setdefault(symbol[1], at)
    for line in said:
        names = [*(match[1] for match in _SYMBOL.finditer(line)), *_NAMED_FUNCTION.findall(line)]
        at = next((defined[name] for name in names if name in defined), None)
        if at is not None:
            return at
    return None


def function_named(problem: str, translation: Translation) -> Span | None:
    """Where the function comes from that LLVM names in what it says; if it names none, the only one that there is."""
    lines = translation.asked.splitlines()
    at = _named([problem], lines)
    defined = [number for number, line in enumerate(lines) if line.startswith("define ")]
    if at is None and len(defined) == 1:
        at = defined[0]
    return translation.line_spans[at] if at is not None else None


def _guilty(lines: list[str]) -> int | None:
    """The function in whose absence LLVM has nothing to say: the half with it is looked for again and again."""
    starts = [at for at, line in enumerate(lines) if line.startswith("define ")]
    began = time.monotonic()
    if not starts or verify_ir(_without(lines, starts)) or time.monotonic() - began > MOST_SECONDS:
        return None
    while len(starts) > 1:
        half = starts[: len(starts) // 2]
        starts = half if not verify_ir(_without(lines, half)) else starts[len(half) :]
    return _last_read(lines, starts[0])


def _last_read(lines: list[str], start: int) -> int:
    """The instruction of a function without which LLVM does not end: with those up to it, it does. The function where
    that cannot be told."""
    end = lines.index("}", start)

    def ends_at(last: int) -> bool:
        cut = [*lines[: last + 1], "  unreachable", "}", *lines[end + 1 :]]
        try:
            ask(VERIFY, "\n".join(cut) + "\n")
        except Died:
            return True
        except Refused:
            pass
        return False

    low, high = start, end - 1
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if ends_at(middle) else (middle, high)
    return high if ends_at(high) else start


def _without(lines: list[str], starts: Sequence[int]) -> str:
    """The text with nothing in the functions that begin at these lines."""
    emptied = set(starts)
    kept: list[str] = []
    leaving = False
    for at, line in enumerate(lines):
        if at in emptied:
            kept += [line, "  unreachable", "}"]
            leaving = True
        elif not leaving:
            kept.append(line)
        elif line == "}":
            leaving = False
    return "\n".join(kept) + "\n"
