"""What the code that mlir-tblgen made of MLIR's definitions writes of each operation's properties."""

from __future__ import annotations

import re
from pathlib import Path

from tests.oracles import missing

HEADERS = Path("/usr/lib/llvm-22/include/mlir")

_CLASS = re.compile(r'^class (\w+) : public ::mlir::Op<.*?StringLiteral\("([^"]+)"\)', re.MULTILINE | re.DOTALL)
_WRITES = re.compile(r"^void (\w+)::writeProperties\(.*?\) \{\n", re.MULTILINE)
_STEP = re.compile(r"writer\.write(Optional)?Attribute\((.*?)\);|auto &propStorage = prop\.(\w+);|\.writeSparseArray\(")


def generated_properties() -> dict[str, tuple[list[tuple[str, bool]], list[str]]]:
    """For each operation, in order: the attributes of version 5 with whether they must be there, and what stands behind
    them."""
    steps_by_name: dict[str, tuple[list[tuple[str, bool]], list[str]]] = {}
    sources = sorted(HEADERS.rglob("*.cpp.inc"))
    if not sources:
        missing("libmlir-22-dev")
    for source in sources:
        code = source.read_text(encoding="utf-8", errors="replace")
        header = source.with_name(source.name.replace(".cpp.inc", ".h.inc"))
        if "writeProperties" in code and header.exists():
            names = dict(_CLASS.findall(header.read_text(encoding="utf-8", errors="replace")))
            for match in _WRITES.finditer(code):
                steps_by_name[names[match[1]]] = _steps(_body(code, match.end()))
    return steps_by_name


def _body(code: str, start: int) -> str:
    """The code up to the brace that closes what was opened before it."""
    depth, end = 1, start
    while depth:
        depth += (code[end] == "{") - (code[end] == "}")
        end += 1
    return code[start:end]


def _steps(body: str) -> tuple[list[tuple[str, bool]], list[str]]:
    attributes: list[tuple[str, bool]] = []
    others: list[str] = []
    storage = ""
    for optional, value, name in _STEP.findall(body):
        if name:
            storage = name
            others.append(name)
        elif value.startswith("prop."):
            attributes.append((value.removeprefix("prop."), not optional))
        elif value:
            attributes.append((storage, True))  # Sizes of groups, as an attribute.
            others.remove(storage)
    return attributes, list(dict.fromkeys(others))
