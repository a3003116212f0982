"""What the descriptions of one release of MLIR have otherwise than those of the next newer one, which the library has.

Both are made of definitions in TableGen, so most of what differs is known by comparing tables. A dialect that the
library describes by hand keeps that: the tables whose definitions differ between the two releases are taken over, with
those that they refer to. No text shows what operands, results, regions and successors are called, and code goes by
these names: they stay what the library calls them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Set
from typing import Final

from fathom.editions.differences import GONE, Parts, parts_of
from fathom.irdl.code import DialectCode
from fathom.irdl.plain_toml import plain_table
from fathom.irdl.sections import Table
from fathom.irdl.toml_text import toml_text

RENAMED: Final = {
    "SignlessIntegerLike": (22, "SignlessIntegerOrIndexLike"),
    "SignlessIntegerOrFloatLike": (22, "SignlessIntegerOrIndexOrFloatLike"),
    "Vector_CombiningKindAttr": (16, "CombiningKindAttr"),
}
"""Constraints whose names meant something else before a release, and what means that today."""


def in_words_of_today(text: str, release: int) -> Parts:
    """The description that definitions of a release became, in which names mean what they mean today."""
    renamed = {name: now for name, (since, now) in RENAMED.items() if release < since}
    for name, now in renamed.items():
        text = re.sub(rf"\b{name}\b", now, text)
    parts = parts_of(text)
    for now in renamed.values():
        parts.tables.pop(("constraint", now), None)
    return parts


def laid_over(
    own: Parts,
    newer: Parts,
    base: Parts,
    code: DialectCode,
    kept: Collection[str] = (),
    *,
    by_hand: bool = False,
    is_whole: bool = True,
) -> Parts | None:
    """The difference that makes `base`, the description of a dialect in the next newer release, that of the release
    whose definitions say `own`; None where nothing is otherwise. `newer` is what the definitions of the next newer
    release say, which is `base` unless that is written `by_hand`. `code` is the dialect's in that release, `kept` names
    tables that stay as they are there. Unless `own` `is_whole`, what it lacks is not gone."""
    own = _named_as(own, newer, code, kept)
    changed = {key: text for key, text in own.tables.items() if text.strip() != newer.tables.get(key, "").strip()}
    if by_hand:
        told = {key: _told_by_hand(key, own, newer, base) for key in changed}
        changed = {key: text for key, text in told.items() if text}
        changed = _with_what_they_name(changed, own, base)
    gone = _gone(newer.tables.keys() - own.tables.keys(), base, changed) if is_whole else []
    top, before_top = plain_table(own.top) or {}, plain_table(base.top) or {}
    top = {key: value for key, value in top.items() if key == "dialect" or before_top.get(key) != value}
    top["checked"] = "declared"
    if not changed and not gone and top.keys() <= {"dialect", "checked"}:
        return None
    if gone:
        top[GONE] = list(gone)
    return Parts(toml_text(top, {}), changed)


_GROUPS: Final = ("operands", "results", "regions", "successors")


def _named_as(own: Parts, newer: Parts, code: DialectCode, kept: Collection[str]) -> Parts:
    """The tables of an edition in which operands, results, regions and successors have the names that they have in the
    next one, as far as it has the same ones: no text shows these names, and code goes by them. An operation that code
    reads is as in the next edition where nothing else is otherwise than constraints, and attributes that it may lack;
    and so are those that are `kept`."""
    tables = dict(own.tables)
    for key in map(_key, kept):
        if key in newer.tables:
            tables[key] = newer.tables[key]
    for (kind, name), text in own.tables.items():
        other = newer.tables.get((kind, name))
        if kind != "op" or other is None or name in kept:
            continue
        table, known = table_in(text), table_in(other)
        same = all(_arities(table, group) == _arities(known, group) for group in _GROUPS)
        has_code = (of := code.operations.get(name)) is not None and of.custom is not None
        if (
            same
            and table.get("opaque")
            and has_code
            and _fits(table, known)
            and _terminator(table) == _terminator(known)
        ):
            tables[kind, name] = other
            continue
        for group in _GROUPS:
            if _arities(table, group) == _arities(known, group):
                for entry, there in zip(_entries(table, group), _entries(known, group), strict=True):
                    table = _renamed(table, group, _entry_name(entry), _entry_name(there))
        tables[kind, name] = toml_text({}, {kind: {name: table}})
    return Parts(own.top, tables)


def _key(name: str) -> tuple[str, str]:
    """The kind and the name of a table: `attribute.DimensionAttr`, or an operation by its name alone."""
    kind, _, rest = name.partition(".")
    return (kind, rest) if kind in ("attribute", "enum", "type") else ("op", name)


def _arities(table: Table, group: str) -> list[str]:
    return [_arity(str(entry)) for entry in _entries(table, group)]


def _entries(table: Table, key: str) -> list[str]:
    entries = table.get(key, [])
    return [str(entry) for entry in entries] if isinstance(entries, list) else []


def _fits(table: Table, known: Table) -> bool:
    """Whether the attributes of an operation are among those of another, which may lack the others."""
    own = {_entry_name(entry): entry for key in ("attributes", "properties") for entry in _entries(table, key)}
    others = {_entry_name(entry): entry for key in ("attributes", "properties") for entry in _entries(known, key)}
    return all(name in others and _may_lack(others[name]) == _may_lack(entry) for name, entry in own.items()) and all(
        name in own or _may_lack(entry) for name, entry in others.items()
    )


def _terminator(table: Table) -> str:
    """The trait that says what ends the regions of an operation whose text may leave it out; empty for none."""
    return next((each for each in _entries(table, "traits") if each.startswith("SingleBlockImplicitTerminator")), "")


def _may_lack(entry: str) -> bool:
    return _arity(entry) in ("OptionalAttr", "UnitAttr", "UnitProp") or " = " in entry


def _renamed(table: Table, group: str, before: str, after: str) -> Table:
    if before == after:
        return table
    word = re.compile(rf"(?<![\w$.]){re.escape(before)}(?![\w(])")
    made = dict(table)
    made[group] = [
        after + entry[len(entry.partition(":")[0]) :] if _entry_name(entry) == before else entry
        for entry in _entries(table, group)
    ]
    if isinstance(syntax := table.get("syntax"), str):
        made["syntax"] = re.sub(rf"\${re.escape(before)}(?!\w)", f"${after}", syntax)
    for key in ("traits", "effects"):
        if key in table:
            made[key] = [
                re.sub(rf"\${re.escape(before)}(?!\w)", f"${after}", word.sub(after, e)) if "<" in e else e
                for e in _entries(table, key)
            ]
    return made


_LISTS: Final = (*_GROUPS, "attributes", "properties", "parameters")
"""The keys under which a table lists what has names."""
_AS_ATTRIBUTES: Final = {"custom<LLVMOpAttrs>(attr-dict)": "attr-dict"}
"""Code in formats that reads no more than what a description by hand has in its place."""


def _told_by_hand(key: tuple[str, str], own: Parts, newer: Parts, base: Parts) -> str:
    """A table for a description by hand: what differs between two editions is taken over, and what does not stays as it
    is described. Empty where nothing differs that matters to a text, or what only others refer to."""
    kind, name = key
    if kind in ("constraint", "class") or (kind == "enum" and key not in base.tables):
        return ""
    new, old = table_in(own.tables[key]), table_in(newer.tables.get(key, ""))
    known = table_in(base.tables.get(key, ""))
    if kind in ("type", "attribute") and (new.get("opaque") or not known):
        return ""  # Code reads it, or it comes with what refers to it.
    if (kind == "op" and not known and old) or _shape(new) == _shape(old):
        return ""
    made = {**new}
    for listed in _LISTS:
        described = {_entry_name(entry): entry for entry in _entries(known, listed)}
        same = {_entry_name(entry): _arity(entry) for entry in _entries(old, listed)}
        if listed in new:
            made[listed] = [
                described.get(_entry_name(entry), entry) if same.get(_entry_name(entry)) == _arity(entry) else entry
                for entry in _entries(new, listed)
            ]
    for what in ("syntax", "traits", "opaque", "cases", "effects", "like"):
        if new.get(what) == old.get(what) and known:
            made.pop(what, None)
            if what in known:
                made[what] = known[what]
    told = ("summary", "description", "result_names", "mnemonic", "definition", "width", "bits", "default_dialect")
    made |= {what: known[what] for what in told if what in known}
    if isinstance(syntax := made.get("syntax"), str):
        for code, plain in _AS_ATTRIBUTES.items():
            syntax = syntax.replace(code, plain)
        made["syntax"] = syntax
    if kind == "op":
        made["checked"] = "declared"
    return toml_text({}, {kind: {name: made}})


def table_in(text: str) -> Table:
    """The table of a text that begins with its header."""
    text = text.strip()
    return plain_table(text.partition("]\n")[2] if text.startswith("[") else text) or {}


def _entry_name(entry: str) -> str:
    return entry.partition(":")[0].strip()


def _arity(entry: str) -> str:
    word = re.match(r"\w*", entry.partition(":")[2].strip())
    known = ("Optional", "Variadic", "VariadicOfVariadic", "OptionalAttr", "UnitAttr", "UnitProp", "VariadicRegion")
    return word[0] if word is not None and word[0] in known else ""


def _shape(table: Table) -> list[object]:
    """What a text shows of a table: names, arities, syntax, cases."""
    lists = [[(_entry_name(entry), _arity(entry)) for entry in _entries(table, key)] for key in _LISTS]
    return [lists, table.get("syntax"), table.get("cases"), table.get("mnemonic")]


def _gone(missing: Set[tuple[str, str]], base: Parts, changed: Mapping[tuple[str, str], str]) -> list[str]:
    """The tables of another description that are not in this one: operations, and what nothing that stays refers to.
    What only others refer to may stay."""
    ops = {key for key in missing & base.tables.keys() if key[0] == "op"}
    rest = {key: text for key, text in {**base.tables, **changed}.items() if key not in ops and key not in missing}
    named = set(_NAME.findall("\n".join(rest.values())))
    others = {key for key in missing & base.tables.keys() if key[0] in ("type", "attribute") and key[1] not in named}
    return sorted(f"{kind}.{name}" for kind, name in ops | others)


_NAME: Final = re.compile(r"[A-Za-z_][\w.]*")


def _with_what_they_name(changed: dict[tuple[str, str], str], own: Parts, base: Parts) -> dict[tuple[str, str], str]:
    """Tables with those that they refer to, as far as the description that they are put into has none of the name."""
    by_name = {
        name: (kind, name) for kind, name in own.tables if kind in ("constraint", "enum", "class", "type", "attribute")
    }
    all_of, waiting = dict(changed), list(changed.values())
    while waiting:
        for name in _NAME.findall(waiting.pop()):
            key = by_name.get(name)
            if key is not None and key not in all_of and key not in base.tables:
                all_of[key] = own.tables[key]
                waiting.append(own.tables[key])
    return all_of
