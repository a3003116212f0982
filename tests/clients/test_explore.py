"""The page of `fathom explore` in a real Chromium, and whom its server answers."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from pygls.exceptions import JsonRpcException

from fathom_server.explore.explored import Explored, mark
from tests.cli.running import fathom
from tests.clients.explore_page import REPOSITORY, build, explored
from tests.oracles import missing, require_program, require_tool
from tests.server.hostile import DOCUMENTS
from tests.server.test_hostile_documents import SHARE

SESSIONS: Final = Path(__file__).parent / "explore"
GCD: Final = REPOSITORY / "examples" / "gcd.mlir"
ATTACKS: Final = (
    "<img src=x onerror=globalThis.hacked=1>",
    "<script>globalThis.hacked=1</script>",
    "</script><script>globalThis.hacked=1</script>",
    "[click](javascript:globalThis.hacked=1)",
    "![](https://elsewhere.example/x.png)",
    "<svg/onload=globalThis.hacked=1>",
    "<iframe srcdoc='<script>parent.hacked=1</script>'>",
    "<style>*{background:url(https://elsewhere.example/)}</style>",
    "```\\n<b onmouseover=globalThis.hacked=1>x</b>\\n```",
    "</title><base href=https://elsewhere.example/>",
    "\\u202e\\u0000\\u2028${globalThis.hacked=1}{{constructor.constructor('globalThis.hacked=1')()}}",
    '];n0->n1[URL="javascript:globalThis.hacked=1"]',
)
"""What a name or a string may be."""


def quoted(text: str) -> str:
    """A string of MLIR with this text."""
    plain = text.encode().decode("unicode_escape").encode("utf-8", "replace")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in plain) + '"'


def hostile() -> str:
    """A file of MLIR whose names and strings attack whoever shows them."""
    functions = [
        f"func.func @{quoted(attack)}(%a: i32) -> i32 attributes {{note = {quoted(attack)}}} {{\n"
        f"  // {attack}\n"
        f"  %c = arith.constant true\n"
        f"  cf.cond_br %c, ^yes, ^no\n"
        f"^yes:\n"
        f"  cf.assert %c, {quoted(attack)}\n"
        f"  %r = call @{quoted(ATTACKS[(number + 1) % len(ATTACKS)])}(%a) : (i32) -> i32\n"
        f"  return %r : i32\n"
        f"^no:\n"
        f"  return %a : i32\n"
        f"}}\n"
        for number, attack in enumerate(ATTACKS)
    ]
    broken = f'// -----\nfunc.func @broken() {{\n  "{ATTACKS[0]}.x"(%nothing) : () -> ()\n'
    return "".join(functions) + broken


PASSES: Final = """\
// é
// RUN: mlir-opt %s --cse --canonicalize --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts
func.func @f(%a: i32, %c: i1) -> i32 {
  %zero = arith.constant 0 : i32
  %same = arith.addi %a, %zero : i32
  %r = scf.if %c -> i32 {
    %twice = arith.divsi %same, %a : i32
    scf.yield %twice : i32
  } else {
    scf.yield %zero : i32
  }
  return %r : i32
}
func.func @other(%t: tensor<4xf32>) -> tensor<4xf32> {
  %u = arith.addf %t, %t : tensor<4xf32>
  return %u : tensor<4xf32>
}
"""


def plain(folder: Path) -> dict[str, Path]:
    file = folder / "<img src=x onerror=globalThis.hacked=1>.mlir"
    file.write_text(hostile(), encoding="utf-8")
    return {"address": GCD, "hostile": file}


def with_passes(folder: Path) -> dict[str, Path]:
    file = folder / "passes.mlir"
    file.write_text(PASSES, encoding="utf-8")
    return {"address": file}


def large(folder: Path) -> dict[str, Path]:
    """100,000 lines: a function of 3,000 operations, many small ones, and one at the end."""

    def function(name: str, count: int) -> str:
        body = "".join(f"  %{n} = arith.addi %{n - 1 if n else 'a'}, %b : i32\n" for n in range(count))
        return f"func.func @{name}(%a: i32, %b: i32) -> i32 {{\n{body}  return %{count - 1} : i32\n}}\n"

    small = [function(f"small{number}", 94) for number in range(1000)]
    file = folder / "large.mlir"
    file.write_text("".join([function("big", 3000), *small, function("last", 5)]), encoding="utf-8")
    return {"address": file}


def documents(folder: Path) -> dict[str, Path]:
    """The documents made to hurt, in a part of their size."""
    (folder / "documents").mkdir()
    for name, make in DOCUMENTS.items():
        (folder / "documents" / re.sub(r"[^\w.^-]+", " ", name)).write_text(make(SHARE), encoding="utf-8")
    file = folder / "open.mlir"
    file.touch()
    return {"address": file}


def saved(folder: Path) -> dict[str, Path]:
    file = folder / "saved.mlir"
    file.write_bytes(b"func.func @f() {\r\n  return\r\n}\r\n")
    file.chmod(0o640)
    return {"address": file}


def with_tool(folder: Path) -> dict[str, Path]:
    """A file of a project that names a tool."""
    tool, pipeline = require_tool("mlir-opt"), "--cse --canonicalize --convert-arith-to-llvm"
    (folder / "fathom.toml").write_text(f'[tool.theirs]\ncommand = ["{tool}"]\npipeline = "{pipeline}"\n')
    return with_passes(folder)


def traced(folder: Path) -> dict[str, Path]:
    """A trace, and one in which all that is a name attacks who shows it."""
    trace, passes = folder / "trace.json", ("--canonicalize", "--cse", "--convert-scf-to-cf", "--convert-to-llvm")
    assert fathom("opt", f"--record={trace}", "--record-source-names", *passes, text=PASSES)[0] == 0
    hostile, attack = folder / "<img src=x onerror=globalThis.hacked=1>.json", json.dumps(ATTACKS[0])
    text = re.sub(
        r'("(?:name|pattern|reason|pipeline)": )"[^"]*"', lambda found: f"{found[1]}{attack}", trace.read_text()
    )
    hostile.write_text(text.replace("func.func @", "// <img src=x onerror=globalThis.hacked=1>\\nfunc.func @"))
    return {"address": trace, "hostile": hostile}


ABOUT: Final[dict[str, Callable[[Path], dict[str, Path]]]] = {
    "session": plain,
    "passes": with_passes,
    "tools": with_tool,
    "traced": traced,
    "large": large,
    "documents": documents,
    "access": with_passes,
    "saving": saved,
}
"""The files that the sessions of `explore/*.mjs` have pages about, which are made in a folder."""
FLAGS: Final = {"tools": ("--project-tools",)}
"""What the command is told besides."""


def checks(session: str) -> list[str]:
    text = (SESSIONS / f"{session}.mjs").read_text(encoding="utf-8")
    return re.findall(r"^await check\('([^']+)'", text, re.MULTILINE)


def driven(session: str, folder: Path, **more: object) -> subprocess.CompletedProcess[str]:
    """A session, with files in a folder, and what else it is told."""
    node = require_program("node")
    chromium = shutil.which("chromium")
    if chromium is None:
        missing("chromium")
    build()
    with ExitStack() as servers:
        flags = FLAGS.get(session, ())
        asked = {key: servers.enter_context(explored(file, *flags)) for key, file in ABOUT[session](folder).items()}
        command = [node, SESSIONS / f"{session}.mjs"]
        told = json.dumps({**asked, "folder": str(folder), "chromium": chromium, **more})
        done = subprocess.run(command, input=told, capture_output=True, encoding="utf-8", timeout=3600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, str]]:
    """What came of each check of a session, which is played once."""
    return cache(lambda session: json.loads(driven(session, tmp_path_factory.mktemp(session)).stdout))


@pytest.mark.parametrize(("session", "name"), [(session, name) for session in ABOUT for name in checks(session)])
def test_session(results: Callable[[str], dict[str, str]], session: str, name: str) -> None:
    came = results(session)[name]
    assert came == "ok", came


# ---- whom the server answers


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    build()
    with explored(GCD) as address:
        yield address


def answered(address: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """The answer to a request: its status, its headers, and what it holds."""
    where = urlsplit(address)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
    connection.putrequest("GET", path, skip_host="Host" in headers, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


HANDSHAKE: Final = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec_WebSocket_Version": "13",
}


def test_the_page_may_do_nothing_but_its_own(address: str) -> None:
    status, headers, body = answered(address, "/")
    policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    nonce = policy["style-src"].removeprefix("'self' 'nonce-").removesuffix("'")
    assert status == 200
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self' 'wasm-unsafe-eval'",
        "worker-src": "'self'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "connect-src": f"ws://{urlsplit(address).netloc}",
        "img-src": "blob: data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "default dompurify",
    }
    assert nonce.encode() in body
    assert answered(address, "/")[1]["content-security-policy"] != headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"
    assert urlsplit(address).fragment.removeprefix("token=").encode() not in body


@pytest.mark.parametrize(
    "path",
    [
        "/../__init__.py",
        "/..%2f__init__.py",
        "//etc/passwd",
        "/page.py",
        "/%2e%2e/page.py",
        "/page/../page.py",
        "/nowhere",
    ],
)
def test_other_files_are_not_there(address: str, path: str) -> None:
    status, _, body = answered(address, path)
    assert (status, body) == (404, b"not found\n")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_by_another_name_nobody_is_answered(address: str, host: str) -> None:
    assert answered(address, "/", Host=host)[0] == 403
    token = urlsplit(address).fragment
    assert answered(address, f"/?{token}", Host=host, **HANDSHAKE)[0] == 403


def test_a_session_is_for_the_page_alone_and_who_has_the_token(address: str) -> None:
    token, own = urlsplit(address).fragment, f"http://{urlsplit(address).netloc}"
    assert answered(address, "/", Origin=own, **HANDSHAKE)[0] == 403
    assert answered(address, "/?token=wrong", Origin=own, **HANDSHAKE)[0] == 403
    assert answered(address, f"/?{token}", Origin="https://evil.example", **HANDSHAKE)[0] == 403
    assert answered(address, f"/?{token}", Origin="null", **HANDSHAKE)[0] == 403
    where = urlsplit(address)
    with socket.create_connection((where.hostname, where.port), timeout=60) as connection:
        lines = [f"GET /?{token} HTTP/1.1", f"Host: {where.netloc}", f"Origin: {own}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in HANDSHAKE.items()]
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        assert connection.recv(1 << 12).startswith(b"HTTP/1.1 101 ")


def test_what_cannot_be_shown_is_told(tmp_path: Path) -> None:
    assert fathom("explore") == (1, "", "fathom explore: name the file to show\n")
    nowhere = str(tmp_path / "nowhere.mlir")
    status, _, stderr = fathom("explore", nowhere)
    assert (status, stderr) == (1, f"cannot open input file '{nowhere}': No such file or directory\n")
    assert fathom("explore", str(GCD), "--port=70000")[::2] == (
        1,
        "fathom explore: for the --port option: there is no port 70000\n",
    )


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        (b"\xff", "not saved: the file is not in UTF-8, and would be another"),
        (b"a\r\nb\n", "not saved: the lines of the file end in different ways, which would be lost"),
        (b"a\rb", "not saved: the lines of the file end in different ways, which would be lost"),
        (None, "not saved: No such file or directory"),
    ],
)
def test_what_would_be_lost_is_not_saved(tmp_path: Path, before: bytes | None, reason: str) -> None:
    file = tmp_path / "a.mlir"
    if before is not None:
        file.write_bytes(before)
    with pytest.raises(JsonRpcException, match=f"^{reason}$"):
        Explored(file).save({"text": "c", "mark": mark(before or b"")})
    assert [each.read_bytes() for each in tmp_path.iterdir()] == ([] if before is None else [before])
