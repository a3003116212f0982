"""`make dialects`: descriptions of MLIR's dialects from MLIR 22's own definitions, into `dialects/mlir-22`; and of
these the classes by which code reads operations (`op_classes.py`), into `fathom/ops`; and which intrinsics of LLVM
operations call (`intrinsics.py`), into `dialects/mlir-22/intrinsics`; and what processors LLVM has, with which features
(`subtargets.py`), into `fathom/llvm/subtargets`.

They hold facts alone: names, constraints, traits, enumerations, syntax; no summary or description of an operation but
Fathom's own. `sources.toml` says which files define a dialect, `fathom/editions/additions.toml` what only C++ says, and
what is left out of what they say, `texts.toml` what Fathom says of operations. `python -m tests.described.make
[NAME…]` makes those dialects and targets, or all.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import cast

from fathom.dialects import DESCRIBED, find_dialect
from fathom.editions.edition import ADDITIONS
from fathom.irdl.description import Description
from fathom.irdl.ods.reader import describe
from fathom.irdl.sections import Table, Value
from fathom.tablegen.reading import Reader
from fathom.tablegen.records import Records
from fathom.tablegen.sources import Texts
from tests.described import intrinsics, op_classes, subtargets

HERE = Path(__file__).parent
INCLUDE = Path("/usr/lib/llvm-22/include")
TEXTS = Texts()
"""The texts of the files, which are read once for all dialects."""


def sources() -> dict[str, list[str]]:
    """The files of each dialect."""
    return tomllib.loads((HERE / "sources.toml").read_text(encoding="utf-8"))


def additions() -> dict[str, dict[str, object]]:
    return tomllib.loads(Path(ADDITIONS).read_text(encoding="utf-8"))


def texts() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads((HERE / "texts.toml").read_text(encoding="utf-8"))


def former_names(name: str) -> dict[str, list[Value]]:
    """What operations that only older editions have call their results."""
    told = tomllib.loads((HERE / "editions.toml").read_text(encoding="utf-8"))
    return cast("dict[str, dict[str, list[Value]]]", told["names"]).get(name, {})


def records_of(file: str, include: Path = INCLUDE) -> Records:
    """The records of a file of MLIR."""
    path = include / "mlir" / "Dialect" / file
    reading = Reader(TEXTS).read(str(path), [str(include), str(path.parent)])
    assert not reading.errors, reading.errors
    return reading.records


def made(name: str, files: list[str], include: Path = INCLUDE) -> str:
    """The text of the description of a dialect."""
    added = dict(additions().get(name, {}))
    names = {**cast("dict[str, list[Value]]", added.pop("result_names", {})), **former_names(name)}
    further = added.pop("operations", {})
    assert isinstance(further, dict), "it is a table"
    operations: dict[str, Table] = {op: {**said} for op, said in texts().get(name, {}).items()}
    for op, given in names.items():
        operations.setdefault(op, {})["result_names"] = given
    for op, table in cast("dict[str, Table]", further).items():
        operations.setdefault(op, {}).update(table)
    records = (records_of(file, include) for file in files)
    return NOTICE + describe(records, name, texts=False, top=cast("Table", added), operations=operations)


NOTICE = """\
# Made by `make dialects` from the definitions of MLIR 22.1.8, of which it holds the facts alone (NOTICE). Do not edit.
"""


def main() -> None:
    for name, files in sources().items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        text = made(name, files)
        (Path(DESCRIBED) / f"{name}.toml").write_text(text, encoding="utf-8")
        known = find_dialect(name)
        mistakes = Description(text, f"{name}.toml", known.code if known is not None else None).check()
        print(f"{name}: {len(text) // 1024} KB")
        for mistake in mistakes:
            print(f"  {mistake}")
    op_classes.write()
    intrinsics.write(TEXTS, records_of, sys.argv[1:])
    subtargets.write(TEXTS, sys.argv[1:])


if __name__ == "__main__":
    main()
