"""The text of a part of an older edition, and what to change in it so that it says what its IR became."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fathom.cached import cached_property
from fathom.context import Context
from fathom.elaborate import Loaded
from fathom.elaborate.meaning import Meanings
from fathom.formatting.change import Change
from fathom.ir.element_printer import Element
from fathom.ir.naming import Names
from fathom.ir.operation import Operation, is_module
from fathom.modernising.merging import merged, replaced
from fathom.modernising.places import REGION, Label, Token, Written, comments_of, names_in, places_of
from fathom.modernising.rereading import only_way
from fathom.modernising.rewriting import Rewriting, last_release
from fathom.modernising.texts import Printed, element_text, label_text, own_text, printed, whole_text

WHOLE: Final = 2
"""How an operation is written: 0 what differs, 1 all of its own text, 2 all that is in it as well."""
_ALIAS: Final = re.compile(r"[!#][A-Za-z_$][\w$]*(?![\w.<])")
_STEMS: Final = {"arith.constant": "%c", "arith.index_castui": "%i"}
"""What new values are called."""


class Writing:
    """A part of a text that was read without mistakes: to be made before its IR is rewritten."""

    def __init__(self, text: str, loaded: Loaded, edition: Context, today: Context) -> None:
        self.text: Final = text
        self.loaded: Final = loaded
        self.edition: Final = edition
        self.today: Final = today
        self.names: Final = Names()
        self._name()
        self.places: Final = places_of(loaded.tree, loaded.elaborated)
        self.known: Final = self._aliases()
        """What the aliases of the text stand for."""
        self._before: Final[dict[Written | Label, Printed]] = {}
        self._after: Final[dict[Written | Label, Printed]] = {}
        self._others: list[Change] = []
        self._levels: Final[dict[Written, int]] = {}
        self._print(self._before, {element: name for name, element in self.known.items()}, None)

    @cached_property
    def comments(self) -> list[Token]:
        return comments_of(self.loaded.tree)

    def rewritten(self, rewriting: Rewriting, new: Mapping[str, Element]) -> None:
        """Takes note of what the IR became, and what aliases stand for."""
        aliases = {element: name for name, element in new.items()}
        self._name_new(rewriting)
        self._print(self._after, aliases, rewriting)
        self._others = [*self._of_aliases(self.known, new), *self._added(rewriting, aliases)]

    def changes(self, rewriting: Rewriting) -> list[Change] | None:
        """The changes, in the order of the text; None where two are of one place."""
        return in_order([*self._others, *self._operations(rewriting)])

    def write_anew(self, places: Sequence[int]) -> bool:
        """Has more of the operations at these places written anew; whether there is one of which not all was."""
        found = False
        for place in places:
            around = [one for one in self.places.operations if one.start <= place <= one.end]
            for written in around[-1:]:
                if self._levels.get(written, 0) < WHOLE:
                    self._levels[written] = self._levels.get(written, 0) + 1
                    found = True
        return found

    def _name(self) -> None:
        names = self.names
        for site in self.loaded.elaborated.sites.values():
            for token, block in site.blocks.items():
                names.blocks[block] = site.text(token)
        for value, text in names_in(self.loaded.elaborated):
            names.values[value] = text

    def _name_new(self, rewriting: Rewriting) -> None:
        """Gives what rules made names that do not stand in the text."""
        taken = {token.text for written in self.places.operations for token in written.tokens if token.text[0] == "%"}
        taken |= {token.text for label in self.places.labels for token in label.tokens}

        def fresh(stem: str) -> str:
            names = (stem, *(f"{stem}_{number}" for number in range(len(taken) + 1)))
            name = next(name for name in names if name not in taken)
            taken.add(name)
            return name

        for op in (*rewriting.added, *rewriting.changed):
            if op.results and op not in self.names.results and op not in rewriting.erased:
                if op not in rewriting.added and op not in rewriting.grown:
                    continue
                self.names.results[op] = fresh(_STEMS.get(op.name, "%v"))
                self.names.values[op.results[0]] = self.names.results[op]
        for argument in rewriting.arguments:
            self.names.values[argument] = fresh("%out")

    def _aliases(self) -> dict[str, Element]:
        """What the aliases of the text stand for."""
        meanings = Meanings(self.edition, self.loaded.aliases)
        known = {alias.name: meanings.alias_named(alias.name) for alias in self.places.aliases}
        return {name: element for name, element in known.items() if element is not None}

    def _print(
        self, into: dict[Written | Label, Printed], aliases: Mapping[Element, str], rewriting: Rewriting | None
    ) -> None:
        for written in self.places.operations:
            op = written.op
            if rewriting is not None and op in rewriting.erased:
                continue
            if rewriting is None and op.results and (names := _result_names(written)):
                self.names.results[op] = names
            default, language = written.default_dialect, self.edition.language
            if rewriting is not None:
                default, language = _default_dialect(op), self.today.language
            mentioned, generic = _mentioned(aliases, written.tokens), _is_generic(written)
            into[written] = own_text(op, self.names, mentioned, default, language, generic=generic)
            if rewriting is not None and (spread := _spread(mentioned, self._before[written], into[written])):
                # All pointers are one type today, which is not what a name of one of them was for.
                kept = {element: name for element, name in mentioned.items() if name not in spread}
                into[written] = own_text(op, self.names, kept, default, language, generic=generic)
        for label in self.places.labels:
            into[label] = label_text(label.block, self.names, _mentioned(aliases, label.tokens))

    # ---- changes

    def _of_aliases(self, known: Mapping[str, Element], new: Mapping[str, Element]) -> Iterator[Change]:
        for alias in self.places.aliases:
            if alias.name not in known:
                continue
            tokens: Sequence[Token] = alias.tokens
            has_word = alias.name.startswith("!") and tokens[2].text == "type" and len(tokens) > 3
            if has_word:
                yield Change(tokens[2].start, tokens[3].start, "")
            value = tokens[3:] if has_word else tokens[2:]
            before, after = (
                element_text(element[alias.name], self.names, _mentioned(_names(element, alias.name), value))
                for element in (known, new)
            )
            made = printed(after)
            yield from merged(self.text, value, printed(before).tokens, made.tokens, made.text) or ()

    def _added(self, rewriting: Rewriting, aliases: Mapping[Element, str]) -> Iterator[Change]:
        """The operations that are new, before those that they were made for."""
        places = {written.op: written for written in self.places.operations}
        for op, before in rewriting.added.items():
            written = places.get(before)
            if written is None or op.parent is None:
                continue
            text = own_text(op, self.names, _mentioned(aliases, written.tokens), _default_dialect(op), generic=False)
            line = self.text.rfind("\n", 0, written.start) + 1
            indent = self.text[line : written.start]
            indent = indent[: len(indent) - len(indent.lstrip())]
            yield Change(written.start, written.start, f"{text.text}\n{indent}")

    def _operations(self, rewriting: Rewriting) -> Iterator[Change]:
        for written in self.places.operations:
            if written.op in rewriting.erased:
                yield self._removed(written)
                continue
            is_read_again = written.op in rewriting.reread and not self._levels.get(written, 0)
            if written.op in rewriting.as_written or is_read_again:
                yield from self._as_written(written)
                continue
            before, after = self._before[written], self._after[written]
            made = None
            if not self._levels.get(written, 0) and written.op not in rewriting.reread:
                made = merged(self.text, written.tokens, before.tokens, after.tokens, after.text)
            if made is None and self._levels.get(written, 0) < WHOLE:
                made = replaced(self.text, written.tokens, after.tokens, after.text)
            if made is None:
                made = [self._whole(written)]
            yield from made
        for label in self.places.labels:
            before, after = self._before[label], self._after[label]
            yield from merged(self.text, label.tokens, before.tokens, after.tokens, after.text) or ()

    def _as_written(self, written: Written) -> Iterator[Change]:
        """By the table alone, the text of an operation of which nothing else is known."""
        tokens = written.tokens
        at = next((at + 1 for at, token in enumerate(tokens) if token.text == "="), 0) if written.op.results else 0
        if at >= len(tokens):
            return
        name, behind = written.op.name, last_release(self.edition)
        end = next((token.start for token in tokens if token.text == REGION), written.end)
        text = self.text[tokens[at].end : end].strip()
        way = only_way(name, text, behind)
        if way is None and (without := self._without_aliases(text)) != text:
            way = only_way(name, without, behind)
        if way is None:
            return
        if way.text == text:
            yield Change(tokens[at].start, tokens[at].end, way.name)
        elif end == written.end:
            yield Change(tokens[at].start, end, way.written)

    def _without_aliases(self, text: str) -> str:
        """A text with what aliases stand for in their places."""
        return _ALIAS.sub(lambda match: str(self.known.get(match[0], match[0])), text)

    def _whole(self, written: Written) -> Change:
        """An operation written anew with all that is in it, the comments in it before it."""
        line = self.text.rfind("\n", 0, written.start) + 1
        margin = self.text[line : written.start]
        indent = margin[: len(margin) - len(margin.lstrip())]
        text = whole_text(written.op, self.names, _default_dialect(written.op), indent)
        comments = "".join(f"{comment.text}\n{indent}" for comment in self._comments_in(written))
        return Change(written.start, written.end, comments + text)

    def _comments_in(self, written: Written) -> list[Token]:
        """The comments in an operation, and in what is in it."""
        return [comment for comment in self.comments if written.start <= comment.start < written.end]

    def _removed(self, written: Written) -> Change:
        """The removal of an operation, with its line where that has nothing else; the comments in it stay."""
        start, end = written.start, written.end
        first, last = self.text.rfind("\n", 0, start) + 1, self.text.find("\n", end)
        last = len(self.text) if last < 0 else last + 1
        indent, comments = self.text[first:start], self._comments_in(written)
        behind = self.text[end:last].lstrip(" \t")
        if not indent.strip() and not behind.strip():
            return Change(first, last, "".join(f"{indent}{comment.text}\n" for comment in comments))
        if indent.strip():
            return Change(start, end, "".join(f"{comment.text}\n" for comment in comments))
        return Change(start, last - len(behind), "".join(f"{comment.text}\n{indent}" for comment in comments))


def in_order(changes: Sequence[Change]) -> list[Change] | None:
    """The changes in the order of the text, without those that lie in a removal; None where two are of one place."""
    kept: list[Change] = []
    for change in sorted(changes, key=lambda change: (change.start, -change.end)):
        if kept and change.start < kept[-1].end:
            if change.end <= kept[-1].end:
                continue  # All around it is written anew, or gone.
            return None
        kept.append(change)
    return kept


def _result_names(written: Written) -> str:
    """What stands before the `=`, as it is written."""
    texts: list[str] = []
    for token in written.tokens:
        if token.text == "=":
            return "".join(texts).replace(",", ", ")
        if token.text[0] not in "%:," and not token.text.isdecimal():
            return ""
        texts.append(token.text)
    return ""


def _is_generic(written: Written) -> bool:
    """Whether an operation is written in the generic form."""
    tokens = written.tokens
    names = next((at + 1 for at, token in enumerate(tokens) if token.text == "="), 0) if _result_names(written) else 0
    return names < len(tokens) and tokens[names].text.startswith('"')


def _default_dialect(op: Operation) -> str:
    """The dialect that may be left out where an operation stands today."""
    around = op.parent_op
    definition = around.definition if around is not None else None
    if around is None or (around.parent is None and is_module(around)):
        return "builtin"
    return definition.default_dialect if definition is not None else ""


def _mentioned(aliases: Mapping[Element, str], tokens: Sequence[Token]) -> dict[Element, str]:
    """The aliases that stand in a text."""
    texts = {token.text for token in tokens if token.text[0] in "!#"}
    return {element: name for element, name in aliases.items() if name in texts}


def _spread(aliases: Mapping[Element, str], before: Printed, after: Printed) -> set[str]:
    """The aliases that stand in other types now, and did not."""
    return {*aliases.values()} & (_nested(after.tokens) - _nested(before.tokens))


def _nested(tokens: Sequence[Token]) -> set[str]:
    """What stands between angle brackets."""
    depth, found = 0, set[str]()
    for token in tokens:
        depth += (token.text == "<") - (token.text == ">")
        if depth:
            found.add(token.text)
    return found


def _names(elements: Mapping[str, Element], but: str) -> dict[Element, str]:
    return {element: name for name, element in elements.items() if name != but}
