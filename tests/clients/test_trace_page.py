"""Traces as pages: in a real Chromium, and as text."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from fathom.recording.pages import page
from fathom.recording.trace_reading import Trace, read_trace
from tests.cli.running import fathom
from tests.clients.explore_page import build
from tests.clients.test_explore import ATTACKS, SESSIONS
from tests.oracles import missing, require_program
from tests.recording.test_trace_reading import good

SCRIPT: Final = SESSIONS / "trace.mjs"


def page_of(data: object) -> str:
    trace = read_trace(json.dumps(data).encode())
    assert isinstance(trace, Trace), trace.reason
    return page(trace)


def attacking(value: Any, number: int = 0) -> Any:
    """A trace of which each text that says something attacks who shows it."""
    attack = ATTACKS[number % len(ATTACKS)]
    match value:
        case dict():
            keys = {"name", "pattern", "reason", "pipeline", "options", "symbol"}
            return {
                key: attack if key in keys and isinstance(inner, str) else attacking(inner, number + place)
                for place, (key, inner) in enumerate(value.items())
            }
        case list():
            return [attacking(inner, number + place) for place, inner in enumerate(value)]
        case _:
            return value


def large() -> dict[str, Any]:
    text = "// a line\n" * 100_000 + "// the last line"
    stages = [{"passes": passes, "text": text, "operations": []} for passes in (0, 1)]
    part = {"pipeline": "builtin.module()", "source": "", "operations": [], "passes": [], "stages": stages}
    return {"format": "fathom-trace", "version": 1, "name": "large", "parts": [part]}


def hostile() -> dict[str, Any]:
    made = attacking(good())
    made["format"] = "fathom-trace"
    for stage in made["parts"][0]["stages"]:
        stage["text"] += "".join(f"// {attack}\n" for attack in ATTACKS)
    return made


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    node, chromium = require_program("node"), shutil.which("chromium")
    if chromium is None:
        missing("chromium")
    build()
    folder, pages = tmp_path_factory.mktemp("pages"), {"plain": good(), "hostile": hostile(), "large": large()}
    asked = {"chromium": chromium}
    for name, data in pages.items():
        file = folder / f"{name}.html"
        file.write_text(page_of(data), encoding="utf-8")
        asked[name] = file.as_uri()
    done = subprocess.run(
        [node, SCRIPT], input=json.dumps(asked), capture_output=True, encoding="utf-8", timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "name", re.findall(r"^await check\('([^']+)'", SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)
)
def test_session(results: dict[str, str], name: str) -> None:
    assert results[name] == "ok", results[name]


def test_a_page_holds_what_it_was_made_of_and_names_nothing_elsewhere() -> None:
    text = page_of(hostile())
    assert len(re.findall("<script", text)) == 2
    assert text.count("</script>") == 2
    assert not re.search(r"""\b(?:src|href)=""", text.partition('id="trace">')[0])
    held = text.partition('id="trace">')[2].partition("</script>")[0]
    assert ATTACKS[1] in json.loads(held)["parts"][0]["pipeline"] + json.dumps(json.loads(held)["parts"][0]["refusals"])


def test_the_commands_that_write_pages(tmp_path: Path) -> None:
    source, trace, made, again = (tmp_path / name for name in ("a.mlir", "a.json", "a.html", "b.html"))
    source.write_text(good()["parts"][0]["source"], encoding="utf-8")
    for file in (trace, made):
        assert fathom("opt", "--cse", f"--record={file}", str(source))[0] == 0
    assert fathom("timeline", f"--html={again}", str(trace))[0] == 0
    assert made.read_text(encoding="utf-8").startswith("<!doctype html>")
    sections = [file.read_text(encoding="utf-8").partition('id="trace">') for file in (made, again)]
    assert sections[0][0] == sections[1][0]
    status, listed, _ = fathom("timeline", str(trace))
    assert (status, listed.split()[-1]) == (0, "changed")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "it is no JSON"),
        ('{"format": "fathom-trace", "version": 1}', "name: it is missing"),
        ('{"format": "fathom-trace"', "it is no JSON"),
    ],
)
def test_what_is_no_trace_gets_no_page(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(text, encoding="utf-8")
    status, _, told = fathom("timeline", f"--html={tmp_path}/a.html", str(file))
    assert status == 1
    assert said in told
    assert not (tmp_path / "a.html").exists()
