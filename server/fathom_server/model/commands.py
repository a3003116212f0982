"""What is wrong with the commands in a text's comments, and with the text for them: at the command, or at what it is
about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import MAIN_ARGUMENTS, MISSING_SYMBOL, PIPELINE, PIPELINE_NESTING, Diagnostic, Note
from fathom.execution.libraries import library_of
from fathom.ir.operation import Span
from fathom.passes.foreign import PassOfMLIR
from fathom.pipeline.editing import mended
from fathom.pipeline.language import unnested
from fathom.pipeline.run_lines import Command, RunLine, Word, Written
from fathom.syntax.tree import Item, SyntaxTree
from fathom_server.model.claims import mistakes_in_claims
from fathom_server.model.pipelines import commands_in, parsed, with_foreign
from fathom_server.model.symbol_index import SymbolIndex
from fathom_server.model.symbols import Symbol

if TYPE_CHECKING:
    from fathom.context import Context

RUNNERS: Final = ("mlir-runner", "mlir-cpu-runner")
ENTRY_FLAGS: Final = ("e", "entry-point")
"""How a runner is told what to call."""
_NO_ARGUMENTS: Final = re.compile(r"\s*\(\s*\)")


def mistakes_in_commands(tree: SyntaxTree, symbols: SymbolIndex, context: Context) -> dict[Item, list[Diagnostic]]:
    """What is wrong, by the items in which it stands, at places that count from their beginnings."""
    mistakes: dict[Item, list[Diagnostic]] = {}
    for line in commands_in(tree, context):
        written = line.pipeline
        for diagnostic, span in _of_pipeline(line, written) if written is not None and written.words else ():
            index = tree.item_at_offset(span.start)
            start = tree.start(index)
            place = Span(span.start - start, span.end - start)
            mistakes.setdefault(tree.items[index], []).append(_at(diagnostic, place))
        for item, diagnostic in _of_runner(line, symbols):
            said = mistakes.setdefault(item, [])
            if diagnostic not in said:  # Several commands may lack the same.
                said.append(diagnostic)
    for item, diagnostic in mistakes_in_claims(tree):
        mistakes.setdefault(item, []).append(diagnostic)
    return mistakes


def _at(finding: Diagnostic, place: Span) -> Diagnostic:
    return Diagnostic(finding.message, place, finding.severity, finding.code, finding.notes)


def _of_pipeline(line: RunLine, written: Written) -> Iterator[tuple[Diagnostic, Span]]:
    """A pass where it cannot run, as mlir-opt says it; and passes that are not here."""
    first, last = written.words[0], written.words[-1]
    pipeline = parsed(written)
    loose = unnested(written.text, written.find) if written.whole and pipeline.misplaced is not None else None
    if pipeline.misplaced is not None and loose is not None:
        better = mended(loose)
        if str(better) != str(loose):
            name, why = pipeline.misplaced
            note = Note(f"nested where it can run, the pipeline is {better}", hint=True)
            start = first.start + first.raw.find(name)
            yield Diagnostic(why, None, code=PIPELINE_NESTING, notes=(note,)), Span(start, start + len(name))
    elif line.is_to_reach_llvm and pipeline.errors and (foreign := with_foreign(written)) is not None:
        names = dict.fromkeys(pass_.name for pass_ in foreign.passes if isinstance(pass_, PassOfMLIR))
        message = f"not all that this leaves behind is known: Fathom does not have MLIR's {' and '.join(names)} yet"
        yield Diagnostic(message, None, "information", PIPELINE), Span(first.start, last.end)


def _of_runner(line: RunLine, symbols: SymbolIndex) -> Iterator[tuple[Item, Diagnostic]]:
    """What the runner would not find in its libraries, and an entry that it cannot call."""
    runner = next((command for command in line.commands if command.tool in RUNNERS), None)
    if runner is None or not line.is_to_reach_llvm:
        return
    given = value_of(runner, "shared-libs")
    libraries = given.text if given is not None else ""
    for symbol in _declared(symbols):
        library = library_of(symbol.name)
        if library is not None and library not in libraries:
            notes = (
                Note(f"lib{library} defines it", hint=True),
                Note(f"give the runner that library: -shared-libs=%{library}", hint=True),
            )
            span = Span(symbol.name_start, symbol.name_end)
            message = f"Symbols not found: [ {symbol.name} ]"
            yield symbol.item, Diagnostic(message, span, "warning", MISSING_SYMBOL, notes)
    entry = entry_of(runner)
    for symbol in symbols.get(entry, ()):
        header = symbol.item.text_between(symbol.name_end, symbol.end)
        if symbol.has_body and not _NO_ARGUMENTS.match(header):
            wanted = _balanced(header.lstrip())
            notes = (
                Note(f"@{entry} takes {wanted}, and the runner gives nothing", hint=True),
                Note("call it from a function without arguments, and run that; or `fathom run --args`", hint=True),
            )
            span = Span(symbol.name_start, symbol.name_end)
            message = "JIT can't invoke a main function expecting arguments"
            yield symbol.item, Diagnostic(message, span, "warning", MAIN_ARGUMENTS, notes)


def _declared(symbols: SymbolIndex) -> Iterator[Symbol]:
    """The functions that are declared."""
    for name in symbols:
        if library_of(name) is not None:
            yield from (
                declared
                for declared in symbols.get(name, ())
                if not declared.has_body and declared.op_name.endswith(".func")
            )


def entry_of(runner: Command) -> str:
    """The name of the function that a runner calls."""
    return next((given.text for flag in ENTRY_FLAGS if (given := value_of(runner, flag)) is not None), "main")


def value_of(command: Command, flag: str) -> Word | None:
    """What a flag is given, behind `=` or as the next word; None if it is not there."""
    for word, following in zip(command.words, (*command.words[1:], None), strict=True):
        name, equals, _ = word.text.lstrip("-").partition("=")
        if word.text.startswith("-") and name == flag:
            place = word.raw.find("=") + 1
            return Word(word.raw[place:], word.start + place) if equals else following
    return None


def _balanced(text: str) -> str:
    """The brackets with which a text begins."""
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return text[: index + 1]
    return text
