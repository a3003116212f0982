"""`fathom fmt`: what it writes, what it says, and with which status it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fathom.cli import fmt
from fathom.formatting.texts import MeaningChanged
from tests.cli.running import fathom

WRITTEN = "func.func @f(%a:i32)->i32 { return %a:i32 }"
FORMATTED = "func.func @f(%a: i32) -> i32 {\n  return %a : i32\n}\n"
DIFF = """\
--- {name}
+++ {name} (formatted)
@@ -1 +1,3 @@
-func.func @f(%a:i32)->i32 {{ return %a:i32 }}
\\ No newline at end of file
+func.func @f(%a: i32) -> i32 {{
+  return %a : i32
+}}
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A file that is to be formatted and one that is."""
    first, second = tmp_path / "first.mlir", tmp_path / "second.mlir"
    first.write_text(WRITTEN)
    second.write_text(FORMATTED)
    return str(first), str(second)


def check_fmt(arguments: list[str], status: int, stdout: str, stderr: str, text: str = "") -> None:
    assert fathom("fmt", *arguments, text=text) == (status, stdout, stderr)


def test_files_are_formatted_in_place(files: tuple[str, str]) -> None:
    check_fmt([*files], 0, "", "")
    assert [Path(name).read_text() for name in files] == [FORMATTED] * 2
    check_fmt(["--check", *files], 0, "", "")


def test_standard_input_is_written_to_standard_output() -> None:
    check_fmt(["-"], 0, FORMATTED, "", WRITTEN)
    check_fmt(["-"], 0, FORMATTED, "", FORMATTED)
    check_fmt(["--check", "-"], 1, "", "would reformat <stdin>\n", WRITTEN)
    check_fmt(["--diff", "-"], 0, DIFF.format(name="<stdin>"), "", WRITTEN)


def test_check_and_diff_write_nothing(files: tuple[str, str]) -> None:
    check_fmt(["--check", *files], 1, "", f"would reformat {files[0]}\n")
    check_fmt(["--diff", *files], 0, DIFF.format(name=files[0]), "")
    check_fmt(["--check", "--diff", *files], 1, DIFF.format(name=files[0]), f"would reformat {files[0]}\n")
    assert Path(files[0]).read_text() == WRITTEN


def test_what_does_not_parse_stays() -> None:
    check_fmt(["-"], 0, "module {\n  foo(\n}\n", "", "module{\n  foo(\n}\n")


def test_bytes_that_are_no_text_stay(tmp_path: Path) -> None:
    path = tmp_path / "latin.mlir"
    path.write_bytes(b"module{} // \xe9\r\n")
    check_fmt([str(path)], 0, "", "")
    assert path.read_bytes() == b"module {} // \xe9\r\n"


def test_a_dialect_of_ones_own(tmp_path: Path) -> None:
    description = tmp_path / "shop.toml"
    description.write_text(
        'dialect = "shop"\n\n[op.sell]\noperands = ["what: AnyType"]\nsyntax = "$what attr-dict `:` type($what)"\n'
    )
    text = "func.func @f(%a: i32) { shop.sell   %a:i32 return }"
    expected = "func.func @f(%a: i32) {{\n  shop.sell {}\n  return\n}}\n"
    check_fmt([f"--dialect={description}", "-"], 0, expected.format("%a : i32"), "", text)


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        ([], "", "fathom fmt: name the files to format, or - for standard input\n"),
        (["/no/such"], "", "cannot open input file '/no/such': No such file or directory\n"),
        (["--dialect=/no/such.toml", "-"], "", "cannot open input file '/no/such.toml': No such file or directory\n"),
        (["-"], "ML\udcefR", "fathom fmt: <stdin>: this is bytecode, which has no format\n"),
    ],
)
def test_an_error_ends_with_status_2(arguments: list[str], text: str, message: str) -> None:
    check_fmt(arguments, 2, "", message, text)


def test_one_file_that_cannot_be_read_keeps_no_other_from_being_formatted(files: tuple[str, str]) -> None:
    check_fmt(["/no/such", files[0]], 2, "", "cannot open input file '/no/such': No such file or directory\n")
    assert Path(files[0]).read_text() == FORMATTED


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (
            b"\x7fELF\x02\x01\x01" + bytes(9) + b"\n   module{}\n",
            "a binary file (ELF: a program, a library or an object file)",
        ),
        ("\ufeffmodule{}\n".encode("utf-16-le"), "text in UTF-16: MLIR is read as UTF-8"),
        (bytes(range(256)), "a binary file"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--check"], ["--diff"]])
def test_what_is_no_text_stays(data: bytes, what: str, options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_bytes(data)
    check_fmt([*options, str(path)], 2, "", f"fathom fmt: {path}: the input is {what}\n")
    assert path.read_bytes() == data


@pytest.mark.skipif(sys.platform == "win32", reason="its files have no such limit, and no such modes")
def test_a_disk_that_is_full_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(WRITTEN)
    limited = (
        "import resource, signal, sys; from fathom.cli import main; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)); "
        f"sys.exit(main(['fmt', {str(path)!r}], sys.stdin, sys.stdout, sys.stderr))"
    )
    ended = subprocess.run([sys.executable, "-c", limited], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, f"cannot write to '{path}': File too large\n")
    assert [(file, file.read_text()) for file in tmp_path.iterdir()] == [(path, WRITTEN)]


@pytest.mark.skipif(sys.platform == "win32", reason="its files have no such modes")
def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "a.mlir", tmp_path / "link.mlir"
    path.write_text(WRITTEN)
    path.chmod(0o750)
    link.symlink_to(path)
    check_fmt([str(link)], 0, "", "")
    assert path.read_text() == FORMATTED
    assert path.stat().st_mode & 0o777 == 0o750
    assert link.is_symlink()


def test_a_fault_changes_nothing(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise MeaningChanged("formatting would change the meaning")

    monkeypatch.setattr(fmt, "formatted", fail)
    fault = f"{files[0]}: a fault in Fathom, please report it with the input: formatting would change the meaning"
    check_fmt([files[0]], 2, "", f"fathom fmt: {fault}\n")
    assert Path(files[0]).read_text() == WRITTEN
