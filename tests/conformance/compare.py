"""One piece of the corpus through one command line: what mlir-opt 22 says, what Fathom says, and how they differ."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from tests.conformance.asking import ask_fathom, first_error
from tests.conformance.corpus import CACHE, Piece
from tests.oracles import PASSES, find_tool, flags

ALLOW = "--allow-unregistered-dialect"

MODES: dict[str, list[str]] = {
    "round trip": [ALLOW],
    "generic form": [ALLOW, "--mlir-print-op-generic"],
    **{name: [ALLOW, f"--{name}"] for name in PASSES},
    "the whole pipeline": [ALLOW, *flags(PASSES)],
}

_CONTAINS = {
    "convert-scf-to-cf": re.compile(r"\bscf\."),
    "convert-arith-to-llvm": re.compile(r"\barith\."),
    "convert-cf-to-llvm": re.compile(r"\bcf\."),
    "finalize-memref-to-llvm": re.compile(r"\bmemref\."),
    "convert-func-to-llvm": re.compile(r"\bfunc\."),
    "reconcile-unrealized-casts": re.compile(r"\bunrealized_conversion_cast\b"),
    "the whole pipeline": re.compile(r"\b(scf|arith|cf|memref|func)\."),
}


_OPERATION_NAME = re.compile(r'^[^"]*"([a-z_]\w*\.[\w.]+)"\(', re.MULTILINE)


class Outcome(Enum):
    """What came of a piece in a mode."""

    REFUSED_BY_MLIR = "mlir-opt refuses it"
    BOTH_REFUSE = "both refuse it"
    IDENTICAL = "identical"
    DIFFERENT = "accepted, printed differently"
    REFUSED = "refused"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome, and for the last three a reason that is the same for pieces that fail for the same cause."""

    piece: str
    mode: str
    outcome: Outcome
    reason: str = ""
    judged: bool = True
    """Whether mlir-opt accepts the piece, so that there is a text to compare with."""
    defined: bool = False
    """Whether Fathom has the definitions of all operations of the piece."""


def concerns(mode: str, piece: Piece) -> bool:
    """Whether a piece contains what a mode works on."""
    pattern = _CONTAINS.get(mode)
    return pattern is None or pattern.search(piece.text) is not None


def oracle(piece: Piece, mode: str) -> str | None:
    """What mlir-opt prints, None where it refuses; asked once for each text and mode, then remembered on disk."""
    tool = find_tool("mlir-opt")
    assert tool, "the comparison needs mlir-opt 22"
    key = hashlib.sha256(json.dumps([tool, MODES[mode], piece.text]).encode()).hexdigest()
    remembered = CACHE / "oracle" / key[:2] / f"{key}.json"
    if remembered.exists():
        return json.loads(remembered.read_text(encoding="utf-8"))
    done = subprocess.run(
        [tool, *MODES[mode]], input=piece.text, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    answer = done.stdout if done.returncode == 0 else None
    remembered.parent.mkdir(parents=True, exist_ok=True)
    remembered.write_text(json.dumps(answer), encoding="utf-8")
    return answer


def compare(piece: Piece, mode: str) -> Finding:
    """Both tools on one piece."""
    expected = oracle(piece, mode)
    undefined = _undefined(piece)
    outcome, reason = _outcome(piece, mode, expected, undefined)
    return Finding(piece.name, mode, outcome, reason, expected is not None, not undefined)


def _undefined(piece: Piece) -> list[str]:
    """The operations of the piece that Fathom does not define, but for those that mlir-opt does not know either: the
    ones that it prints in the generic form, unasked."""
    from fathom.context import default_context

    context = default_context()
    names = set(_OPERATION_NAME.findall(oracle(piece, "generic form") or ""))
    names -= set(_OPERATION_NAME.findall(oracle(piece, "round trip") or ""))
    return sorted(name for name in names if context.lookup(name) is None)


def _outcome(piece: Piece, mode: str, expected: str | None, undefined: list[str]) -> tuple[Outcome, str]:
    asked = ask_fathom(["opt", *MODES[mode]], piece.text)
    if asked.crash:
        return Outcome.CRASHED, asked.crash
    if expected is None:
        return (Outcome.BOTH_REFUSE if asked.status else Outcome.REFUSED_BY_MLIR), ""
    if asked.status:
        return Outcome.REFUSED, normalise(first_error(asked.stderr))
    if asked.stdout == expected:
        return Outcome.IDENTICAL, ""
    return Outcome.DIFFERENT, difference(asked.stdout, expected, undefined)


def normalise(message: str) -> str:
    """A message without the names and numbers that differ from piece to piece. Names of operations stay."""
    message = re.sub(r"'([a-z_]\w*\.[\w.]+)' op", r"`\1` op", message)
    message = re.sub(r"'(?!op\b)[^']*'", "'…'", message)
    message = re.sub(r'"[^"]*"', '"…"', message)
    return re.sub(r"(?<![\w.`])[%@^#!]?\d+\b", "N", message)


def difference(actual: str, expected: str, undefined: Collection[str] = ()) -> str:
    """The first line that differs, as the operations on it; or the dialect, if they are among the `undefined` ones.

    So is a line that no operation of a dialect begins: an alias, the head of the module, or an operation whose name
    goes without its dialect.
    """
    actual_lines, expected_lines = actual.split("\n"), expected.split("\n")
    for ours, theirs in zip(actual_lines, expected_lines, strict=False):
        if ours == theirs:
            continue
        ours_name, theirs_name = _operation(ours), _operation(theirs)
        names = {ours_name.strip("`"), theirs_name.strip("`")}
        is_anyones = all(name == "builtin.module" or not (name in _DEFINED_LINES or "." in name) for name in names)
        to_blame = names.intersection(undefined) or (undefined if is_anyones else ())
        if to_blame:
            return _of_undefined(to_blame)
        if ours_name == theirs_name:
            return f"{theirs_name}: {_kind(ours, theirs)}"
        return f"{theirs_name} expected, {ours_name} printed"
    return _of_undefined(undefined) if undefined else "one text is longer"


def _of_undefined(names: Collection[str]) -> str:
    return f"operation of a dialect that is not defined: {min(names).partition('.')[0]}"


_DEFINED_LINES = frozenset(("return", "a block's head"))
"""Lines without the name of a dialect that no undefined operation can be the cause of."""


def _operation(line: str) -> str:
    """The operation that a printed line begins with."""
    match = re.match(r'\s*(?:%[^=]*= )?"?([a-z_]\w*(?:\.[\w.]+)?)"?', line)
    if match:
        return f"`{match[1]}`"
    stripped = line.strip()
    return {"#": "an attribute's alias", "!": "a type's alias", "^": "a block's head", "}": "the end of a region"}.get(
        stripped[:1], "another line"
    )


def _kind(ours: str, theirs: str) -> str:
    """In what way two lines with the same operation differ."""
    if sorted(re.findall(r"\S+", ours)) == sorted(re.findall(r"\S+", theirs)):
        return "order"
    names = re.compile(r"%[\w.#$-]+")
    if names.sub("%", ours) == names.sub("%", theirs):
        return "names of values"
    if re.sub(r"\{.*", "", ours) == re.sub(r"\{.*", "", theirs):
        return "attributes"
    if re.sub(r"\s", "", ours) == re.sub(r"\s", "", theirs):
        return "spaces"
    return "text"
