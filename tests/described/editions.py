"""`make dialects EDITION=19`: what the dialects of an edition of MLIR have otherwise than in the next newer one, from
the definitions of both, into `fathom/editions/mlir-19`.

The definitions are those of Debian's `libmlir-N-dev`: `$FATHOM_MLIR_DEV/N/usr/lib/llvm-N/include`, by default in the
user's cache, or where the package is installed. As with the newest edition only facts are kept. A dialect that the
library describes by hand keeps that; the tables of it whose definitions differ between two editions are taken over,
with those that they refer to.

`python -m tests.described.editions 19 [NAME…]` makes those dialects, or all. With all, and with 22 alone, it also makes
what the definitions say of the dialects that are described by hand, into `fathom/editions/definitions`.
"""

from __future__ import annotations

import os
import sys
import tomllib
from functools import cache
from pathlib import Path

from fathom.dialects import described_text, find_dialect
from fathom.editions import edition as editions
from fathom.editions.differences import GONE, Parts, applied, parts_of
from fathom.editions.laying import in_words_of_today, laid_over
from fathom.irdl.code import DialectCode
from fathom.irdl.description import Description
from fathom.irdl.toml_text import toml_text
from tests.described import make
from tests.suite.source import cache_home

ROAD = (
    "affine arith async bufferization cf complex emitc func gpu index linalg llvm math memref nvgpu nvvm pdl "
    "pdl_interp ptr quant rocdl scf shape std tensor tosa transform ub vector"
).split()
"""The dialects of which editions are made; the others are known as they are today."""
HOME = Path(editions.__file__).parent
DEFINITIONS = HOME / "definitions"
BY_HAND = ("affine", "complex", "index", "llvm", "math", "ub")
"""The dialects that are described by hand and have definitions."""
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
    return in_words_of_today(text, int(edition))


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
    made = laid_over(generated_own, others, base, code_of(newer, name), kept, by_hand=is_by_hand)
    return NOTICE.format(edition) + made.text if made is not None else None


def code_of(edition: str, name: str) -> DialectCode:
    """The code of a dialect in an edition."""
    layer = editions.edition(edition)
    dialect = find_dialect(name) if layer is None else layer.find_dialect(name)
    return (dialect.code if dialect is not None else None) or DialectCode()


def write_definitions(edition: str) -> None:
    """Makes what the definitions of an edition say of the dialects that are described by hand, with which those of any
    other MLIR are compared (`fathom.editions.definitions`)."""
    folder = DEFINITIONS / f"mlir-{edition}"
    folder.mkdir(exist_ok=True)
    for name in BY_HAND:
        own = generated(edition, name)
        if own is None:
            continue
        if edition != editions.NEWEST:
            newer = generated((editions.NEWEST, *editions.OLDER)[editions.OLDER.index(edition)], name)
            assert newer is not None, name
            gone = sorted(f"{kind}.{table}" for kind, table in newer.tables.keys() - own.tables.keys())
            changed = {
                key: text for key, text in own.tables.items() if text.strip() != newer.tables.get(key, "").strip()
            }
            own = Parts(toml_text({"dialect": name, **({GONE: [*gone]} if gone else {})}, {}), changed)
        (folder / f"{name}.toml").write_text(own.text, encoding="utf-8")


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
        write_definitions(edition)
        (folder / "GONE").write_text("".join(f"{name}\n" for name in gone), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == editions.NEWEST:
        write_definitions(editions.NEWEST)
    else:
        write(sys.argv[1], sys.argv[2:])
