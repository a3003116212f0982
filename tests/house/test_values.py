"""Code decides by values: never by the text that a type, an attribute or a diagnostic is printed as."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).resolve().parents[2]

TREE: Final = "the leaves of a syntax tree are tokens"
WORDING: Final = "by the wording of a mistake of syntax MLIR tells where it shows"
TYPED: Final = "a type in the text of the document is replaced by the text of another"
SAID: Final = "what another program or library says has no other form"
ALLOWED: Final = {
    "lowering/fathom/modernising/rules/__init__.py": "a value of one edition is read again in another",
    "lowering/fathom/modernising/rules/moved.py": "a value of one edition is known in another by its text alone",
    "lowering/fathom/modernising/rules/structured.py": "a value of one edition is known in another by its text alone",
    "lowering/fathom/modernising/sameness.py": "resources and distinct attributes are the same if they are written so",
    # What a person or another program wrote is a text, and so is what is written in its place.
    "lowering/fathom/elaborate/builtin_attributes.py": TREE,
    "lowering/fathom/elaborate/builtin_types.py": TREE,
    "lowering/fathom/elaborate/dense_values.py": TREE,
    "lowering/fathom/elaborate/expected_in_body.py": TREE,
    "lowering/fathom/elaborate/file_metadata.py": TREE,
    "lowering/fathom/syntax/expectations.py": WORDING,
    "server/fathom_server/features/completion/asked.py": TREE,
    "lowering/fathom/dialects/emitc/types.py": "the parameter of an opaque type is a text",
    "lowering/fathom/text/digits.py": "the digits of a number are rounded",
    "lowering/fathom/irdl/description.py": "what a description says is data of TOML",
    "server/fathom_server/features/fixes/casts.py": TYPED,
    "server/fathom_server/features/fixes/passing.py": TYPED,
    "server/fathom_server/features/fixes/results.py": TYPED,
    "server/fathom_server/features/fixes/rewording.py": TYPED,
    "server/fathom_server/lsp/convert.py": "an encoding has a name in the protocol",
    "server/fathom_server/lsp/protocol.py": "what comes by the protocol is called a message",
    "server/fathom_server/session/beside/inside.py": "what the server asks the process beside it is called a message",
    # What other programs and libraries say has no other form.
    "lowering/fathom/checking/running.py": "a claim says with which message a call fails",
    "lowering/fathom/cli/faults.py": SAID,
    "lowering/fathom/execution/compiler.py": SAID,
    "lowering/fathom/irdl/sections.py": SAID,
    "lowering/fathom/llvm/questions.py": SAID,
    "lowering/fathom/programs/compiling.py": SAID,
    "lowering/fathom/records.py": "annotations are texts in all modules",
    "lowering/fathom/translation/verification.py": SAID,
    "server/fathom_server/features/tests.py": SAID,
    "server/fathom_server/model/llvm_ir/findings.py": SAID,
    "lowering/fathom/messages/expected_diagnostics.py": "a text says which messages it expects",
    # What is only written, cut or put together.
    "lowering/fathom/cli/streams.py": "a message ends its line",
    "lowering/fathom/dialects/gpu/directives.py": "it is printed",
    "lowering/fathom/irdl/result_names.py": "a name that is printed is made of it",
    "lowering/fathom/passes/leftovers/causes.py": "a flag without its dashes is printed",
    "lowering/fathom/passes/leftovers/failures.py": "the options of a pass are written as they stand",
    "lowering/fathom/passes/options.py": "a value is put in braces where its text has blanks",
    "lowering/fathom/pipeline/repair.py": "pipelines are the same whose texts are",
    "lowering/fathom/pipeline/run_lines.py": "the options of a pass are written as they stand",
    "lowering/fathom/tablegen/reading.py": "the end of a long message is left out",
    "server/fathom_server/features/assists/sameness.py": "a mistake that was there before has the same message",
    "server/fathom_server/features/hover/prototypes.py": "the name of a function in C is made of types' texts",
    "server/fathom_server/features/signature_help.py": "a type is shown where it says more than the constraint does",
    "server/fathom_server/model/commands.py": "pipelines are the same whose texts are",
    "server/fathom_server/model/modules.py": "the first line of a message is shown",
    "server/fathom_server/model/whole.py": "what was shown already is found again by its place and its message",
}
"""Where a text is looked into all the same, and why."""

READING: Final = frozenset(
    """
    startswith endswith split rsplit partition rpartition removeprefix removesuffix find index count strip lstrip rstrip
    splitlines lower isdigit
    """.split()
)
"""Methods of texts that look into them."""
SEARCHING: Final = frozenset("match search fullmatch findall finditer".split())
"""Methods of regular expressions."""


def printed(expression: ast.expr, names: frozenset[str]) -> Iterator[str]:
    """The parts of an expression that are what something is printed as; `names` are variables that hold such."""
    for node in ast.walk(expression):
        match node:
            case ast.Call(ast.Name("str"), [_, *_]):
                yield ast.unparse(node)
            case ast.Call(ast.Attribute(_, "spell" | "spell_stripped" | "spell_bare")):
                yield ast.unparse(node)
            case ast.Attribute(_, "message"):
                yield ast.unparse(node)
            case ast.Name(name) if name in names:
                yield name
            case _:
                pass


def held_by(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The variables of a function that hold what something is printed as: a message that it is given, or a text."""
    given = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    held = {arg.arg for arg in given if arg.arg == "message"}
    for node in ast.walk(function):
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name("str"), [_, *_])):
                held.add(name)
            case _:
                pass
    return frozenset(held)


def looked_into(node: ast.AST, names: frozenset[str] = frozenset()) -> Iterator[str]:
    """Where code compares, cuts or searches the text that something is printed as."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        names |= held_by(node)
    parts: list[ast.expr] = []
    match node:
        case ast.Compare(left, operators, others):
            # Which text is the longer one says nothing of what is in it.
            is_of_text = any(isinstance(operator, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for operator in operators)
            parts = [left, *others] if is_of_text else []
        case ast.Call(ast.Attribute(of, name)) if name in READING:
            parts = [of]
        case ast.Call(ast.Attribute(_, name), arguments) if name in SEARCHING:
            parts = arguments
        case ast.Match(subject):
            parts = [subject]
        case _:
            pass
    for part in parts:
        yield from (f"line {part.lineno}: {text}" for text in printed(part, names))
    for inner in ast.iter_child_nodes(node):
        yield from looked_into(inner, names)


def modules() -> list[Path]:
    return [path for folder in ("lowering", "server") for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.fixture(scope="module")
def places() -> dict[str, list[str]]:
    """Where texts are looked into, by file."""
    places_by_file: dict[str, list[str]] = {}
    for path in modules():
        if there := list(dict.fromkeys(looked_into(ast.parse(path.read_text(encoding="utf-8"))))):
            places_by_file[path.relative_to(ROOT).as_posix()] = there
    return places_by_file


def test_nothing_is_decided_by_what_is_printed(places: dict[str, list[str]]) -> None:
    assert {path: there for path, there in places.items() if path not in ALLOWED} == {}


def test_what_is_allowed_is_needed(places: dict[str, list[str]]) -> None:
    assert sorted(ALLOWED.keys() - places.keys()) == []
