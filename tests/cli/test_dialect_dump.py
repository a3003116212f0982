"""`fathom dialect`: what it prints, and what it says of mistakes."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import fathom

PART = "class Part<int size> { int weight = !mul(size, 2); }\n"
MAIN = '#ifdef LARGE\ndef large : Part<9>;\n#endif\ninclude "part.td"\ndef small : Part<1>;\n'
SMALL = (
    '{"!instanceof":{"Part":["small"]},"!tablegen_json_version":1,"small":{"!anonymous":false,"!fields":[],'
    '"!locs":["main.td:5"],"!name":"small","!superclasses":["Part"],"weight":2}}\n'
)


def files(folder: Path) -> tuple[str, str]:
    """A file, and the folder of what it includes."""
    (folder / "include").mkdir()
    (folder / "include" / "part.td").write_text(PART, encoding="utf-8")
    (folder / "main.td").write_text(MAIN, encoding="utf-8")
    return str(folder / "main.td"), str(folder / "include")


def test_dump_prints_records_as_llvm_tblgen_does(tmp_path: Path) -> None:
    main, include = files(tmp_path)
    assert fathom("dialect", "dump", main, "-I", include) == (0, SMALL, "")
    assert fathom("dialect", "dump", f"-I{include}", main) == (0, SMALL, "")


def test_dump_defines_macros(tmp_path: Path) -> None:
    main, include = files(tmp_path)
    status, stdout, stderr = fathom("dialect", "dump", main, "-I", include, "-DLARGE")
    assert (status, stdout) == (1, "")
    assert stderr == f"{main}:2:13: error: Couldn't find class 'Part'\ndef large : Part<9>;\n            ^\n"


def test_dump_reads_standard_input_and_shows_notes() -> None:
    status, stdout, stderr = fathom("dialect", "dump", text='def a;\ndump "seen";\ndef a;\n')
    assert (status, stdout) == (1, "")
    assert stderr == (
        '<stdin>:2:1: note: seen\ndump "seen";\n^\n'
        "<stdin>:3:5: error: def already exists: a\ndef a;\n    ^\n"
        "<stdin>:1:5: note: location of previous definition\ndef a;\n    ^\n"
    )


def test_an_unknown_command_is_refused() -> None:
    expected = "fathom dialect: unknown command 'paint'.  Try: 'fathom dialect --help'\n"
    assert fathom("dialect", "paint") == (1, "", expected)


def test_help_names_the_commands() -> None:
    assert "  dump        print what a TableGen file says" in fathom("dialect", "--help")[1]
    assert "-I DIR" in fathom("dialect", "dump", "--help")[1]
