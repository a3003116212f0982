"""Code asks what an operation is, not what it is called: a name is compared in its dialect's own folder alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).resolve().parents[2]
DIALECTS = ROOT / "lowering" / "fathom" / "dialects"
NAMES: Final = frozenset(path.stem for folder in (DIALECTS, DIALECTS / "mlir-22") for path in folder.iterdir())
NAMED: Final = re.compile(r"([a-z][a-z0-9_]*)\.[\w.]*")

ALLOWED: Final = {
    "lowering/fathom/dialects/llvm/types.py": "LLVM's types for targets have such names too",
    "lowering/fathom/importing/attributes.py": "LLVM's intrinsics are told by their names",
    "lowering/fathom/importing/globals.py": "LLVM's own variables are told by their names",
    "lowering/fathom/llvmir/module.py": "LLVM's intrinsics are told by their names",
    "lowering/fathom/llvmir/relocations.py": "LLVM's intrinsics are told by their names",
    "lowering/fathom/ir/operation.py": "the IR itself knows modules",
    "lowering/fathom/modernising/rules/llvm.py": "rules are about names that operations had in older editions",
    "lowering/fathom/modernising/rules/moved.py": "rules are about names that operations had in older editions",
    "lowering/fathom/rewriting/type_converter.py": "casts between types are what a conversion makes",
    "server/fathom_server/model/linkage.py": "a text has names before it has operations",
    "server/fathom_server/model/lowered.py": "a text has names before it has operations",
}
"""Where names are compared all the same, and why."""

MATCHING: Final = ("lowering/fathom/passes/", "lowering/fathom/rewriting/", "lowering/fathom/dialects/")
"""Where patterns and folds say as data which operations they look for (`Operations`, `defined_by`)."""


class Module:
    """A module's tree, and the names of operations that its constants hold."""

    def __init__(self, path: Path) -> None:
        self.path = path.relative_to(ROOT).as_posix()
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        name = path.relative_to(ROOT).with_suffix("").parts[1:]
        self.name = ".".join(name[:-1] if name[-1] == "__init__" else name)
        self.constants: dict[str, list[str]] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        for node in self.tree.body:
            match node:
                case ast.AnnAssign(ast.Name(target), value=ast.expr() as value) | ast.Assign([ast.Name(target)], value):
                    self.constants[target] = list(operations_in(value))
                case _:
                    pass
        self.nodes = list[ast.AST]()
        """Those at which any of the tests looks."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                self.imported |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
            elif isinstance(node, (ast.Compare, ast.Call, ast.Match)):
                self.nodes.append(node)

    @property
    def dialect(self) -> str:
        """The dialect in whose folder it is."""
        return self.name.removeprefix("fathom.dialects.").partition(".")[0] if ".dialects." in self.name else ""


def operations_in(value: ast.AST) -> Iterator[str]:
    """The texts in an expression that may be names of operations, or begin some."""
    for node in ast.walk(value):
        match node:
            case ast.Constant(str(text)) if (match := NAMED.fullmatch(text)) and match[1] in NAMES:
                yield text
            case _:
                pass


def is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "name"


def compared(module: Module, modules: dict[str, Module]) -> Iterator[str]:
    """Where a module compares what something is called with the name of an operation of another dialect."""
    for node in module.nodes:
        sides: list[ast.AST] = []
        match node:
            case ast.Compare(left, _, others):
                sides = [left, *others]
            case ast.Call(ast.Attribute(of, "startswith" | "endswith"), arguments):
                sides = [of, *arguments]
            case ast.Match(subject, cases):
                sides = [subject, *(case.pattern for case in cases)]
            case _:
                continue
        if not any(map(is_name, sides)):
            continue
        texts = [text for side in sides for text in operations_in(side)]
        for part in (part for side in sides for part in ast.walk(side)):
            if isinstance(part, ast.Name):
                home, name = module.imported.get(part.id, (module.name, part.id))
                texts += modules[home].constants.get(name, []) if home in modules else []
        if foreign := [text for text in texts if text.partition(".")[0] != module.dialect]:
            line = node.subject.lineno if isinstance(node, ast.Match) else getattr(node, "lineno", 0)
            yield f"line {line}: {', '.join(sorted(set(foreign))[:3])}"


def matched(module: Module) -> Iterator[str]:
    """Where a module says which operations a pattern looks for."""
    for node in module.nodes:
        match node:
            case ast.Call(ast.Name("Operations" | "defined_by" as name)):
                yield f"line {node.lineno}: {name}"
            case _:
                pass


@pytest.fixture(scope="module")
def modules() -> dict[str, Module]:
    paths = [path for folder in ("lowering", "server") for path in sorted((ROOT / folder).rglob("*.py"))]
    return {module.name: module for module in map(Module, paths)}


def test_no_name_is_compared_outside_of_its_dialect(modules: dict[str, Module]) -> None:
    compared_names = {module.path: there for module in modules.values() if (there := list(compared(module, modules)))}
    assert {path: there for path, there in compared_names.items() if path not in ALLOWED} == {}
    assert sorted(ALLOWED.keys() - compared_names.keys()) == []


def test_patterns_alone_match_by_name(modules: dict[str, Module]) -> None:
    outside = (module for module in modules.values() if not module.path.startswith(MATCHING))
    assert {module.path: there for module in outside if (there := list(matched(module)))} == {}
