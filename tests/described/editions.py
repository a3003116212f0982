"""`make dialects EDITION=19`: what the dialects of an edition of MLIR have otherwise than in the next newer one, from
the definitions of both, into `fathom/editions/mlir-19`.

The definitions are those of Debian's `libmlir-N-dev`: `$FATHOM_MLIR_DEV/N/usr/lib/llvm-N/include`, by default in the
user's cache, or where the package is installed. As with the newest edition only facts are kept. A dialect that the
library describes by hand keeps that; the tables of it whose definitions differ between two editions are taken over,
with those that they refer to.

`python -m tests.described.editions 19 [NAME…]` makes those dialects, or all.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Collection, Mapping, Set
from functools import cache
from pathlib import Path

from fathom.dialects import described_text, find_dialect
from fathom.editions import edition as editions
from fathom.editions.differences import GONE, Parts, applied, parts_of
from fathom.irdl.code import DialectCode
from fathom.irdl.description import Description
from fathom.irdl.plain_toml import plain_table
from fathom.irdl.sections import Table
from fathom.irdl.toml_text import toml_text
from tests.described import make
from tests.suite.source import cache_home

ROAD = (
    "affine arith async bufferization cf complex emitc func gpu index linalg llvm math memref nvgpu nvvm pdl "
    "pdl_interp ptr quant rocdl scf shape std tensor ub vector"
).split()
"""The dialects of which editions are made; the others are known as they are today."""
HOME = Path(editions.__file__).parent
NOTICE = """\
# Made by `make dialects EDITION={0}` from the definitions of MLIR {0}, of which it holds the facts alone. Do not edit.
"""


def include(edition: str) -> Path:
    """The folder with the definitions of an edition."""
    home = Path(os.environ.get("FATHOM_MLIR_DEV") or cache_home() / "fathom-upstream" / "dev")
    kept = home / edition / f"usr/lib/llvm-{edition}/include"
    return kept if kept.exists() else Path(f"/usr/lib/llvm-{edition}/include")


def files_of(edition: str, name: str) -> list[str]:
    """The files that define a dialect of an edition; none where it does not have it."""
    told = tomllib.loads((make.HERE / "editions.toml").read_text(encoding="utf-8"))
    files = make.sources().get(name, [])
    for each in (editions.NEWEST, *editions.OLDER):
        files = told.get(each, {}).get(name, files)
        if each == edition:
            break
    return [file for file in files if (include(edition) / "mlir" / "Dialect" / file).exists()]


@cache
def generated(edition: str, name: str) -> Parts | None:
    """What the definitions of an edition say of a dialect; None where there are none."""
    files = files_of(edition, name)
    if not files:
        return None
    text = make.made(name, files, include(edition))
    renamed = {name: now for name, (since, now) in RENAMED.items() if int(edition) < since}
    for name, now in renamed.items():
        text = re.sub(rf"\b{name}\b", now, text)
    parts = parts_of(text)
    for now in renamed.values():
        parts.tables.pop(("constraint", now), None)
    return parts


RENAMED = {
    "SignlessIntegerLike": (22, "SignlessIntegerOrIndexLike"),
    "SignlessIntegerOrFloatLike": (22, "SignlessIntegerOrIndexOrFloatLike"),
    "Vector_CombiningKindAttr": (16, "CombiningKindAttr"),
}
"""Constraints whose names meant something else before an edition, and what means that today."""


def before(edition: str, name: str) -> str | None:
    """The description that a dialect has in the next newer edition."""
    newer = editions.OLDER[editions.OLDER.index(edition) - 1] if edition != editions.OLDER[0] else None
    if newer is None:
        return described_text(name)
    text, file = before(newer, name), HOME / f"mlir-{newer}" / f"{name}.toml"
    if file.exists():
        return applied(text or "", file.read_text(encoding="utf-8"))
    return text


def difference(edition: str, name: str) -> str | None:
    """What a dialect has otherwise in an edition; None where nothing is."""
    newer = (editions.NEWEST, *editions.OLDER)[editions.OLDER.index(edition)]
    generated_own, generated_newer = generated(edition, name), generated(newer, name)
    assert generated_own is not None, name
    base = parts_of(before(edition, name) or "")
    is_by_hand = name not in make.sources() and name != "std"
    told = tomllib.loads((make.HERE / "editions.toml").read_text(encoding="utf-8"))["keep"]
    kept = told.get(edition, {}).get(name, [])
    others = generated_newer if is_by_hand and generated_newer is not None else base
    own = _named_as(generated_own, others, code_of(newer, name), kept)
    changed = {key: text for key, text in own.tables.items() if text.strip() != others.tables.get(key, "").strip()}
    if is_by_hand:
        told = {key: _told_by_hand(key, own, others, base) for key in changed}
        changed = {key: text for key, text in told.items() if text}
        changed = _with_what_they_name(changed, own, base)
    gone = _gone(others.tables.keys() - own.tables.keys(), base, changed)
    top, before_top = plain_table(own.top) or {}, plain_table(base.top) or {}
    top = {key: value for key, value in top.items() if key == "dialect" or before_top.get(key) != value}
    top["checked"] = "declared"
    if not changed and not gone and top.keys() <= {"dialect", "checked"}:
        return None
    if gone:
        top[GONE] = list(gone)
    return NOTICE.format(edition) + Parts(toml_text(top, {}), changed).text


def code_of(edition: str, name: str) -> DialectCode:
    """The code of a dialect in an edition."""
    layer = editions.edition(edition)
    dialect = find_dialect(name) if layer is None else layer.find_dialect(name)
    return (dialect.code if dialect is not None else None) or DialectCode()


_GROUPS = ("operands", "results", "regions", "successors")


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
        table, known = _table(text), _table(other)
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
        f"{after}:{entry.partition(':')[2]}" if _entry_name(entry) == before else entry
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


_LISTS = (*_GROUPS, "attributes", "properties", "parameters")
"""The keys under which a table lists what has names."""
_AS_ATTRIBUTES = {"custom<LLVMOpAttrs>(attr-dict)": "attr-dict"}
"""Code in formats that reads no more than what a description by hand has in its place."""


def _told_by_hand(key: tuple[str, str], own: Parts, newer: Parts, base: Parts) -> str:
    """A table for a description by hand: what differs between two editions is taken over, and what does not stays as it
    is described. Empty where nothing differs that matters to a text, or what only others refer to."""
    kind, name = key
    if kind in ("constraint", "class") or (kind == "enum" and key not in base.tables):
        return ""
    new, old = _table(own.tables[key]), _table(newer.tables.get(key, ""))
    known = _table(base.tables.get(key, ""))
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


def _table(text: str) -> Table:
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


_NAME = re.compile(r"[A-Za-z_][\w.]*")


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


def write(edition: str, names: list[str]) -> None:
    """Makes the files of an edition."""
    folder = HOME / f"mlir-{edition}"
    folder.mkdir(exist_ok=True)
    gone: list[str] = []
    for name in names or ROAD:
        file = folder / f"{name}.toml"
        file.unlink(missing_ok=True)
        if not files_of(edition, name):
            gone += [name]
            continue
        text = difference(edition, name)
        if text is None:
            print(f"{name}: the same", flush=True)
            continue
        file.write_text(text, encoding="utf-8")
        known = find_dialect(name)
        code = known.code if known is not None else DialectCode()
        mistakes = Description(applied(before(edition, name) or "", text), f"{name}.toml", code).check()
        print(f"{name}: {len(text) // 1024} KB", flush=True)
        for mistake in mistakes:
            print(f"  {mistake}", flush=True)
    if not names:
        (folder / "GONE").write_text("".join(f"{name}\n" for name in gone), encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2:])
