"""What is to be imported to see a part of a file: functions, and of the rest what they name, by name, up to the end.

Of a function that is only named there is its header, with an end in the place of its body: a declaration could not have
its linkage. What a compile unit lists is left out: it would name the whole file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from typing import TYPE_CHECKING, Final

from fathom.records import record
from fathom.slices import paced
from fathom.syntax.sequence import Chunk
from fathom_server.model.llvm_ir.names import body_of, names_of
from fathom_server.model.llvm_ir.tokens import Kind, key_of, tokens_in
from fathom_server.model.llvm_ir.units import Unit, UnitKind

if TYPE_CHECKING:
    from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
    from fathom_server.model.llvm_ir.text import LlvmText

_OF_MODULE: Final = frozenset(
    (
        *("!llvm.module.flags", "!llvm.ident", "!llvm.commandline"),
        *("!llvm.linker.options", "!llvm.dependent-libraries"),
    )
)
"""Named metadata that is about the module, and imported with any part of it."""
_LISTS: Final = frozenset(("!llvm.dbg.cu", "!nvvm.annotations"))
"""Named metadata of which those nodes count that are about what is imported."""
_USE_LIST: Final = re.compile(r"^[ \t]*uselistorder(?:_bb)?[ \t][^\n]*", re.MULTILINE)
"""An order of uses, of which some are left out."""
_UNIT_LISTS: Final = re.compile(r",\s*(?:enums|retainedTypes|globals|macros):\s*!(?:\d+|\{[^}\n]*\})")
"""What a compile unit lists that nothing is made of."""
_GLOBALS: Final = frozenset(("alias", "ifunc", "global", "constant"))
_OPEN: Final = frozenset("([{<")
_CLOSE: Final = frozenset(")]}>")
_BLOCK_ADDRESS: Final = re.compile(r'\bblockaddress\s*\(\s*(@(?:[-$.\w]+|"[^"\n]*"))', re.ASCII)


@record
class Part:
    """What is imported of a file: a function, or the headers of all of them if it is None; with the bodies of those
    that it names, or without."""

    function: str | None
    bodies: bool = False


@record(eq=False)
class Excerpt:
    """A text that stands for a part of a file. `units` are those in it, in the order of the file; of `outlined` ones
    there is the header alone. `starts` are the numbers of the lines at which they begin in the text."""

    units: tuple[Unit, ...]
    outlined: frozenset[Unit]
    text: str
    starts: tuple[int, ...]

    def line_in(self, tree: LlvmText, line: int) -> int:
        """The number of the line of the file that a line of the text is, both from 1 on."""
        if not self.units:
            return line
        number = max(bisect_right(self.starts, line - 1) - 1, 0)
        unit = self.units[number]
        inside = min(line - 1 - self.starts[number], unit.line_count - 1)
        return tree.units.line(tree.units.index_of(unit)) + inside + 1


def excerpt(snapshot: LlvmSnapshot, part: Part) -> Excerpt | None:
    """The excerpt of a file for a part of it; None if there is no such function."""
    units = snapshot.tree.units
    if part.function is None:
        roots = dict.fromkeys(_of_kinds(snapshot, _functions), False)
    else:
        index = snapshot.index_of(f"@{part.function}")
        if index is None or not units[index].is_function:
            return None
        roots = {index: True}
    found = _reached(snapshot, roots, with_bodies=part.bodies)
    lists = [index for key in _LISTS if (index := snapshot.index_of(key)) is not None]
    _add_listed(snapshot, lists, found)
    texts: list[str] = []
    starts: list[int] = []
    line = 0
    for index in sorted(found):
        text = _text(snapshot, units[index], found, is_whole=found[index])
        texts.append(text)
        starts.append(line)
        line += text.count("\n")
    chosen = {index: units[index] for index in sorted(found)}
    outlined = frozenset(unit for index, unit in chosen.items() if unit.kind is UnitKind.FUNCTION and not found[index])
    return Excerpt(tuple(chosen.values()), outlined, "".join(texts), tuple(starts))


# ---- which units


def _of_kinds(snapshot: LlvmSnapshot, choose: Callable[[Chunk[Unit]], list[int]]) -> Iterator[int]:
    """The indices of the units that are chosen in each chunk of them."""
    units = snapshot.tree.units
    for first, chosen in zip(units.starts, units.known(choose), strict=False):
        yield from (first + index for index in chosen)


def _about_module(chunk: Chunk[Unit]) -> list[int]:
    return [index for index, unit in enumerate(chunk.elements) if unit.kind is UnitKind.OTHER]


def _functions(chunk: Chunk[Unit]) -> list[int]:
    return [index for index, unit in enumerate(chunk.elements) if unit.is_function]


def _naming_blocks_of(snapshot: LlvmSnapshot, functions: Collection[int]) -> Iterator[int]:
    """The units that name blocks of one of some functions: these have other blocks beside them."""
    units = snapshot.tree.units
    keys = {units[index].key for index in functions}
    for index in _of_kinds(snapshot, _naming_blocks):
        if not keys.isdisjoint(_named_in(units[index], is_whole=True)[1]):
            yield index


def _naming_blocks(chunk: Chunk[Unit]) -> list[int]:
    return [index for index, unit in enumerate(chunk.elements) if "blockaddress" in unit.text]


def _reached(snapshot: LlvmSnapshot, roots: dict[int, bool], *, with_bodies: bool) -> dict[int, bool]:
    """The units that are named from some, from one to the next, and what is about the module: by their indices, and
    whether all of each is meant."""
    units = snapshot.tree.units
    found: dict[int, bool] = {}
    pending = dict(roots)
    pending |= dict.fromkeys(_of_kinds(snapshot, _about_module), True)
    pending |= dict.fromkeys(snapshot.indices_of(_OF_MODULE), True)
    pending |= dict.fromkeys(_naming_blocks_of(snapshot, [root for root in roots if roots[root]]), True)
    while pending:
        named: set[str] = set()
        whole: set[str] = set()
        for index, is_whole in paced(pending.items()):
            unit = units[index]
            is_whole = is_whole or unit.kind is not UnitKind.FUNCTION
            if found.get(index) in (True, is_whole):
                continue
            found[index] = is_whole
            names, addressed = _named_in(unit, is_whole=is_whole)
            named |= names
            whole |= addressed
        pending = dict.fromkeys(snapshot.indices_of(named), with_bodies)
        pending |= dict.fromkeys(snapshot.indices_of(whole), True)
    return found


def _named_in(unit: Unit, *, is_whole: bool) -> tuple[Set[str], Set[str]]:
    """The names in a unit, or in the header of a function; and those of functions whose bodies it needs: it names their
    blocks, or is another name of them."""
    known: tuple[Set[str], Set[str]] | None = unit.cache.get((_named_in, is_whole))
    if known is None:
        text = _outlined(unit) if not is_whole else _without_lists(unit)
        names = unit.names if text is unit.text else names_of(text, is_function=unit.is_function)
        named = names.mentions.keys() | ({f"${unit.key[1:]}"} if "comdat" in text else set[str]())
        addressed = {key_of(match[1]) for match in _BLOCK_ADDRESS.finditer(text)}
        if unit.kind is UnitKind.GLOBAL and _is_other_name(unit):
            addressed |= named
        known = unit.cache[_named_in, is_whole] = (named, addressed)
    return known


def _is_other_name(unit: Unit) -> bool:
    """Whether a global is an alias or chooses a function."""
    words = (token.text for token in tokens_in(unit.text) if token.text in _GLOBALS)
    return next(words, "") in ("alias", "ifunc")


def _add_listed(snapshot: LlvmSnapshot, lists: Iterable[int], found: dict[int, bool]) -> None:
    """Adds lists of nodes of which some are among what was found, or name a function of that."""
    names = {snapshot.tree.units[index].key for index in found}
    for index in lists:
        listed = snapshot.indices_of(set(_nodes(snapshot.tree.units[index])))
        about = {
            node: True
            for node in paced(listed)
            if node in found or any(name in names for name in _globals(snapshot.tree.units[node]))
        }
        if about:
            found |= about
            found[index] = True


def _globals(node: Unit) -> Iterator[str]:
    return (name for name in node.names.mentions if name[0] == "@")


def _nodes(unit: Unit) -> Iterator[str]:
    """The nodes that are in a list."""
    return (key_of(token.text) for token in tokens_in(unit.text) if token.kind is Kind.METADATA)


# ---- their texts


def _text(snapshot: LlvmSnapshot, unit: Unit, found: dict[int, bool], *, is_whole: bool) -> str:
    """What stands for a unit; it ends with the end of a line."""
    if not is_whole:
        return f"{_outlined(unit)} unreachable }}\n"
    if unit.key in _LISTS:
        listed = list(_nodes(unit))[1:]
        kept = {snapshot.tree.units[index].key for index in snapshot.indices_of(set(listed)) if index in found}
        return f"{unit.key} = !{{{', '.join(node for node in listed if node in kept)}}}\n"
    text = _without_lists(unit)
    if "uselistorder" in text:
        text = _USE_LIST.sub("", text)
    return text if text.endswith("\n") else f"{text}\n"


def _without_lists(unit: Unit) -> str:
    if unit.kind is UnitKind.METADATA and "!DICompileUnit(" in unit.text:
        return _UNIT_LISTS.sub("", unit.text)
    return unit.text


def _outlined(unit: Unit) -> str:
    """The header of a function with its brace, without the metadata that is attached."""
    text, body, depth = unit.text, body_of(unit.text), 0
    for token in tokens_in(text, 0, body):
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if depth == 0 and token.kind is Kind.METADATA:
            return f"{text[: token.start]}{{"
    return text[:body] if text.endswith("{", 0, body) else f"{text[:body]} {{"
