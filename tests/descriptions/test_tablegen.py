"""`.td` files as descriptions: what several say of a dialect together, what is read again, and where includes are."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.context import default_context
from fathom.descriptions.includes import Includes, compile_commands
from fathom.descriptions.reading import DialectReader, Known
from fathom.elaborate import load
from fathom.tablegen.folders import usual_folders
from fathom_server.session.sources import files_named, is_named

NEEDS_MLIR = pytest.mark.skipif(not list(usual_folders()), reason="MLIR's .td files are not installed")
BASE = """\
include "mlir/IR/OpBase.td"
def Toy_Dialect : Dialect { let name = "toy"; let cppNamespace = "::toy"; }
class Toy_Op<string name> : Op<Toy_Dialect, name>;
"""


def read(reader: DialectReader, folder: Path, **buffers: str) -> Known:
    """What the files of a folder say, of which those named have these texts."""
    paths = sorted(map(str, folder.glob("*.td")))
    return reader.read(paths, Includes(), {str(folder / f"{name}.td"): text for name, text in buffers.items()})


def operations(known: Known) -> list[str]:
    return [name for dialect in known.dialects.values() for name in dialect.by_name]


@NEEDS_MLIR
def test_files_define_a_dialect_together(tmp_path: Path) -> None:
    (tmp_path / "Base.td").write_text(BASE)
    (tmp_path / "One.td").write_text('include "Base.td"\ndef OneOp : Toy_Op<"one">;\n')
    (tmp_path / "Two.td").write_text('include "Base.td"\n\ndef TwoOp : Toy_Op<"two">;\n')
    reader = DialectReader()
    known = read(reader, tmp_path)
    assert not known.findings
    assert operations(known) == ["toy.one", "toy.two"]
    place = known.place("op", "toy", "two")
    assert place is not None
    assert (Path(place.path).name, place.line, place.text[place.start : place.end]) == ("Two.td", 2, "TwoOp")

    # A comment changes no description, and what is not another is the same.
    again = read(reader, tmp_path, Two='// A comment.\ninclude "Base.td"\n\ndef TwoOp : Toy_Op<"two">;\n')
    assert again.files == known.files
    assert again.dialects["toy"] is known.dialects["toy"]
    # While there is a mistake, what was said before is known.
    broken = read(reader, tmp_path, Two='include "Base.td"\ndef TwoOp : Toy_Operation<"two">;\n')
    assert operations(broken) == ["toy.one", "toy.two"]
    (finding,) = broken.findings
    assert str(finding) == f"{tmp_path}/Two.td:2:13: Couldn't find class 'Toy_Operation'"
    assert operations(read(reader, tmp_path, Two="")) == ["toy.one"]


@NEEDS_MLIR
def test_a_dialect_without_operations_is_one(tmp_path: Path) -> None:
    (tmp_path / "Toy.td").write_text(BASE)
    known = read(DialectReader(), tmp_path)
    assert not known.findings
    assert [(name, list(dialect.by_name)) for name, dialect in known.dialects.items()] == [("toy", [])]


@NEEDS_MLIR
def test_what_was_said_is_known_while_a_definition_has_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "Base.td").write_text(BASE)
    text = """\
include "Base.td"
def OneOp : Toy_Op<"one"> {
  let arguments = (ins AnyType:$x);
  let assemblyFormat = "$x attr-dict `:` "
                       "type($x)";
}
def TwoOp : Toy_Op<"two">;
"""
    wrong = text.replace("`:`", "`;`")
    reader = DialectReader()
    # What is wrong from the beginning is not known, and the rest is.
    known = read(reader, tmp_path, Toy=wrong)
    (tmp_path / "Toy.td").write_text(wrong)
    known = read(reader, tmp_path)
    assert operations(known) == ["toy.two"]
    assert list(map(str, known.findings)) == [
        f"{tmp_path}/Toy.td:4:38: op.one.syntax: expected valid literal but got ';'"
    ]

    known = read(reader, tmp_path, Toy=text)
    assert (operations(known), known.findings) == (["toy.one", "toy.two"], ())
    for mistake in (wrong, text.replace("type($x)", "type($y)"), text.replace("AnyType:$x", "AnyType:$x, AnyType:$x")):
        broken = read(reader, tmp_path, Toy=mistake)
        assert len(broken.findings) == 1
        assert broken.files == known.files
        assert broken.dialects["toy"] is known.dialects["toy"]
        place = broken.place("op", "toy", "one")
        assert place is not None
        assert place.text[place.start : place.end] == "OneOp"
    mended = read(reader, tmp_path, Toy=text.replace("TwoOp", "ThreeOp").replace('"two"', '"three"'))
    assert (operations(mended), mended.findings) == (["toy.one", "toy.three"], ())


@pytest.mark.parametrize(
    ("definition", "shown"),
    [
        ('def A : Toy_Op<"a"> { let assemblyFormat = "attr-dict `;`"; }', "4:55"),
        ('def A : Toy_Op<"a"> {\n  let assemblyFormat = [{\n    attr-dict\n    `[` `;`\n  }];\n}', "7:9"),
        ('class C<string name> : Toy_Op<name> { let assemblyFormat = "$x"; }\ndef A : C<"a">;', "4:61"),
        ('let assemblyFormat = "attr-dict "\n"$x" in\ndef A : Toy_Op<"a">;', "5:2"),
        ('def A : Toy_Op<"a"> { let assemblyFormat = !strconcat("attr-dict", " $x"); }', "4:27"),
        ('def A : Toy_Op<"a"> { let arguments = (ins AnyType:$x, AnyType:$x); }', "4:5"),
    ],
)
@NEEDS_MLIR
def test_a_mistake_stands_where_it_is_to_be_mended(tmp_path: Path, definition: str, shown: str) -> None:
    (tmp_path / "Toy.td").write_text(f"{BASE}{definition}\n")
    (finding,) = read(DialectReader(), tmp_path).findings
    assert f"{finding.place.line + 1}:{finding.place.start + 1}" == shown


@NEEDS_MLIR
def test_a_file_that_includes_mlirs_own_describes_nothing_anew(tmp_path: Path) -> None:
    (tmp_path / "Patterns.td").write_text('include "mlir/Dialect/Arith/IR/ArithOps.td"\ndef Mine { int x = 1; }\n')
    assert read(DialectReader(), tmp_path).dialects == {}


def test_what_a_build_says_of_includes() -> None:
    text = """\
--- !FileInfo:
  filepath: "/src/A.td"
  includes: "/src/include;/build/include"
--- !FileInfo:
  filepath: /src/B.td
  includes:
"""
    folders = compile_commands(text)
    assert folders == {"/src/A.td": ("/src/include", "/build/include"), "/src/B.td": ()}
    assert Includes((), folders).of("/src/A.td")[:3] == ("/src", "/src/include", "/build/include")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.td", ["a.td"]),
        ("*.td", ["a.td"]),
        ("**/*.td", ["a.td", "in/b.td", "in/deep/c.td"]),
        ("in/**/c.*", ["in/deep/c.td"]),
        ("in/?.td", ["in/b.td"]),
        ("none/*.td", []),
        ("", []),
    ],
)
def test_which_files_are_named(tmp_path: Path, name: str, expected: list[str]) -> None:
    for file in ("a.td", "in/b.td", "in/deep/c.td", ".hidden/d.td"):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    named = [path.relative_to(tmp_path).as_posix() for path in files_named(tmp_path, name)]
    assert named == expected
    assert all(is_named(tmp_path, name, tmp_path / at) for at in expected)
    assert not is_named(tmp_path, name, tmp_path / "in" / "other.toml")


@NEEDS_MLIR
def test_what_is_defined_in_a_file_that_is_not_read_is_no_mistake(tmp_path: Path) -> None:
    """A dialect says itself that it has attributes; that it has types too, nothing says."""
    dialect = BASE.replace('let name = "toy";', 'let name = "toy"; let useDefaultAttributePrinterParser = 1;')
    assert dialect != BASE
    (tmp_path / "Toy.td").write_text(f'{dialect}def AOp : Toy_Op<"a">;\n')
    context = default_context().with_dialect(read(DialectReader(), tmp_path).dialects["toy"])

    def mistakes(program: str) -> list[str]:
        return [diagnostic.message for diagnostic in load(program, context).diagnostics]

    assert mistakes('"toy.a"() {x = #toy.red} : () -> ()') == []
    assert mistakes('"toy.a"() {x = !toy.red} : () -> ()') == ["dialect 'toy' provides no type parsing hook"]


@NEEDS_MLIR
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            'let results = (outs AnyType:$r); let assemblyFormat = "attr-dict";',
            "type of result #0, named 'r', is not buildable and a buildable type cannot be inferred",
        ),
        (
            'let arguments = (ins AnyType:$x); let assemblyFormat = "$x attr-dict";',
            "type of operand #0, named 'x', is not buildable and a buildable type cannot be inferred",
        ),
        (
            'let arguments = (ins AnyType:$x); let assemblyFormat = "custom<Any>($x) attr-dict";',
            "type of operand #0, named 'x', is not buildable and a buildable type cannot be inferred",
        ),
        (
            "let arguments = (ins Variadic<AnyType>:$x, Optional<AnyType>:$y);",
            "op has multiple variadic operands but no specification over their sizes",
        ),
        (
            "let results = (outs Variadic<AnyType>:$x, Variadic<AnyType>:$y);",
            "op has multiple variadic results but no specification over their sizes",
        ),
        (
            'let arguments = (ins AnyType:$x); let assemblyFormat = "attr-dict `:` type($x)";',
            "op.a.syntax: operand #0, named 'x', not found",
        ),
        ('let arguments = (ins I32:$x); let results = (outs I1:$r); let assemblyFormat = "$x attr-dict";', ""),
        (
            "let arguments = (ins AnyType:$x); let results = (outs AnyType:$r);"
            ' let assemblyFormat = "$x attr-dict `:` type($r)"; let traits = [AllTypesMatch<["x", "r"]>];',
            "",
        ),
    ],
)
def test_what_mlirs_generator_refuses(tmp_path: Path, body: str, message: str) -> None:
    """Of the operations of the file itself; a definition that it includes is judged where it stands."""
    (tmp_path / "Toy.td").write_text(f'{BASE}def AOp : Toy_Op<"a"> {{ {body} }}\n')
    mistakes = [str(finding) for finding in read(DialectReader(), tmp_path).findings]
    column = 102 if message.startswith("op.a.syntax") else 5
    assert mistakes == ([f"{tmp_path}/Toy.td:4:{column}: {message}"] if message else [])
