"""The VS Code extension: its sources have sound types, it packages to a `.vsix`, and that contains what it needs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import fathom
from fathom_server.lsp.table import COMMANDS
from tests.oracles import missing, require_program

REPOSITORY = Path(__file__).parents[2]
CLIENT = REPOSITORY / "vscode-client"

REGISTRY_FAILURES = ("ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EAI_AGAIN", "ENOTCACHED")


def manifest() -> dict[str, Any]:
    return json.loads((CLIENT / "package.json").read_text(encoding="utf-8"), object_pairs_hook=named_once)


def named_once(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, no key of which stands twice: the first would count for nothing, and nobody would say so."""
    keys = [key for key, _ in entries]
    assert len(set(keys)) == len(keys), keys
    return dict(entries)


def run(command: list[str], directory: Path) -> str:
    """What a command of npm printed; a registry that cannot be reached is a missing tool, anything else a failure."""
    done = subprocess.run(
        command,
        cwd=directory,
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    printed = done.stdout + done.stderr
    if done.returncode != 0 and any(failure in printed for failure in REGISTRY_FAILURES):
        missing("the npm registry")
    assert done.returncode == 0, printed
    return printed


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the client in which `make vsix` was run: the checkout itself stays as it is, and what `make check`
    installed there need not be again."""
    require_program("npm")
    checkout = tmp_path_factory.mktemp("vscode")
    left_out = shutil.ignore_patterns("node_modules", "dist", "server", "*.vsix", "LICENSE")
    shutil.copytree(CLIENT, checkout / "vscode-client", ignore=left_out)
    for folder in ("docs", "examples", "lowering", "server"):
        shutil.copytree(REPOSITORY / folder, checkout / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("LICENSE", "README.md", "pyproject.toml"):
        shutil.copy(REPOSITORY / file, checkout / file)
    installed, locked = CLIENT / "node_modules", CLIENT / "package-lock.json"
    listed = installed / ".package-lock.json"
    if listed.exists() and listed.stat().st_mtime > locked.stat().st_mtime:
        (checkout / "vscode-client" / "node_modules").symlink_to(installed)
    run(["./package.sh"], checkout / "vscode-client")
    return checkout / "vscode-client"


def test_the_package_contains_what_it_needs_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(built / "fathom.vsix") as package:
        names = set(package.namelist())
        licence = package.read("extension/LICENSE.txt").decode()
        packaged = json.loads(package.read("extension/package.json"))
        notices = package.read("extension/dist/THIRD-PARTY-NOTICES.txt").decode()
    assert names == {
        "[Content_Types].xml",
        "extension.vsixmanifest",
        "extension/LICENSE.txt",
        "extension/dist/THIRD-PARTY-NOTICES.txt",
        "extension/dist/extension.js",
        "extension/dist/graph.css",
        "extension/dist/graph.js",
        "extension/images/file.svg",
        "extension/images/icon.png",
        "extension/images/places.svg",
        "extension/images/run.svg",
        *(f"extension/images/{picture}" for picture in re.findall(r"vscode-\w+\.png", json.dumps(manifest()))),
        "extension/language-configuration-llvm.json",
        "extension/language-configuration.json",
        "extension/package.json",
        "extension/readme.md",
        f"extension/server/fathom_mlir-{fathom.__version__}-py3-none-any.whl",
        "extension/snippets/mlir.json",
        "extension/syntaxes/cpp.tmLanguage.json",
        "extension/syntaxes/llvm.tmLanguage.json",
        "extension/syntaxes/markdown.tmLanguage.json",
        "extension/syntaxes/mlir.tmLanguage.json",
    }
    referred = re.findall(r'"(?:\./)?((?:images|snippets|syntaxes|dist)/[^"\s]+)"', json.dumps(packaged))
    assert {f"extension/{path}" for path in referred} <= names
    assert "Apache License" in licence
    assert "vscode-languageclient" in notices
    assert packaged["contributes"] == manifest()["contributes"]


def test_every_command_of_the_manifest_is_in_the_bundle(built: Path) -> None:
    bundle = (built / "dist" / "extension.js").read_text(encoding="utf-8")
    for command in manifest()["contributes"]["commands"]:
        assert f'"{command["command"]}"' in bundle


def test_the_parts_that_need_no_editor(built: Path) -> None:
    printed = run(["npm", "test"], built)
    assert re.search(r"^# fail 0$", printed, re.MULTILINE), printed


def test_the_version_is_that_of_the_library() -> None:
    assert manifest()["version"] == fathom.__version__


def test_the_lock_file_pins_contents_and_names_no_server() -> None:
    packages: dict[str, dict[str, Any]] = json.loads((CLIENT / "package-lock.json").read_text())["packages"]
    dependencies = {path: entry for path, entry in packages.items() if path}
    assert all("integrity" in entry for entry in dependencies.values())
    assert not any("resolved" in entry for entry in dependencies.values())


def test_the_commands_of_the_server_keep_their_names_to_themselves() -> None:
    """The editor's own client registers a command for each one of the server; two of a name would collide."""
    contributed = {command["command"] for command in manifest()["contributes"]["commands"]}
    of_server = {row.name for row in COMMANDS}
    assert of_server
    assert not contributed & of_server


def test_the_settings_are_those_of_the_documentation() -> None:
    """`docs/configuration.md` and the manifest name the same settings, with the same defaults."""
    text = (REPOSITORY / "docs" / "configuration.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(fathom\.[\w.]+)` \| ([^|]*) \|", text, re.MULTILINE)
    documented = {name: re.findall(r"`([^`]*)`", kind)[-1] for name, kind in rows}
    properties = manifest()["contributes"]["configuration"]["properties"]
    declared = {
        name: entry["default"] if "enum" in entry else json.dumps(entry["default"])
        for name, entry in properties.items()
    }
    assert documented == declared


@pytest.mark.parametrize("path", sorted(CLIENT.glob("syntaxes/*.json")), ids=lambda path: path.name)
def test_the_grammars_refer_to_rules_that_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    grammar = json.loads(text)
    included = set(re.findall(r'"include": "#([\w-]+)"', text))
    assert included <= set(grammar.get("repository", {}))
