"""Assembly formats: all of the library resolve, and what is wrong with one is found when it is resolved."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import fathom.dialects
from fathom.cli import main
from fathom.context import default_context
from fathom.irdl.clauses import two_way
from fathom.irdl.constraints import ANY, STRING
from fathom.irdl.definition import OpDefinition, Operand, Property, RegionDefinition, Result
from fathom.irdl.expressions import DescriptionError
from fathom.irdl.groups import Arity

FOLDER = Path(fathom.dialects.__file__).parent
DIALECTS = sorted(path.stem for path in FOLDER.iterdir() if path.stem.isidentifier() and path.stem[0] != "_")


@pytest.mark.parametrize("name", DIALECTS)
def test_every_format_of_the_library_resolves(name: str) -> None:
    dialect = default_context().dialect(name)
    assert dialect is not None
    for definition in dialect.by_name.values():
        assert definition.form is None or definition.format, definition.name


def check_mistake(assembly: str, message: str) -> None:
    """What is wrong with a format, as `column: message`."""
    definition = OpDefinition(
        "d.op",
        operands=(Operand("one", ANY), Operand("many", ANY, Arity.VARIADIC)),
        results=(Result("result", ANY),),
        properties=(Property("text", STRING), Property("note", STRING, optional=True)),
        regions=(RegionDefinition("body"),),
        assembly=assembly,
    )
    with pytest.raises(DescriptionError) as raised:
        _ = definition.format
    assert f"{raised.value.column}: {raised.value.message}" == message


@pytest.mark.parametrize(
    ("assembly", "message"),
    [
        ("$one $other", "5: expected variable to refer to an argument, region, result, or successor"),
        ("$one $one", "5: operand 'one' is already bound"),
        ("$result", "0: result variables can can only be used as a child to a 'type' directive"),
        ("type($one) type($one)", "11: 'type' of 'one' is already bound"),
        ("type(operands) type($one)", "15: 'type' of 'one' is already bound"),
        ("type($one) type(operands)", "11: 'operands' 'type' is already bound"),
        ("operands $one", "9: operand 'one' is already bound"),
        ("$one operands", "5: 'operands' directive creates overlap in format"),
        ("list($many) attr-dict", "0: expected literal, variable, directive, or optional group"),
        ("attr-dict attr-dict", "10: 'attr-dict' directive has already been seen"),
        ("prop-dict prop-dict", "10: 'prop-dict' directive has already been seen"),
        ("type($other)", "0: expected variable to refer to an argument, region, result, or successor"),
        ("(`a` $many)? attr-dict", "0: optional group has no anchor element"),
        ("(`a`^ $many)? attr-dict", "0: only variables and types can be used to anchor an optional group"),
        (
            "($text^)? attr-dict",
            "0: only optional or default-valued attributes can be used to anchor an optional group",
        ),
        ("(`a` $one $note^)?", "0: only variable length operands can be used within an optional group"),
        ("custom<X>($one)", "0: no code is given for custom<X>"),
        ("$one $many $body", "16: 'attr-dict' directive not found in custom assembly format"),
        ("$many $body attr-dict", "21: operand #0, named 'one', not found"),
        ("$one $many attr-dict", "20: region #0, named 'body', not found"),
        (
            "$one $many $body attr-dict",
            "26: type of result #0, named 'result', is not buildable and a buildable type cannot be inferred",
        ),
        ("`a b`", "0: expected valid literal but got 'a b'"),
        ("struct($one)", "0: this directive stands in the formats of types and attributes"),
        ("oilist($note)", "0: a clause of 'oilist' begins with a literal"),
        ("oilist<$note>(`a` $note)", "7: expected a literal that separates the clauses"),
        ("oilist<`,`(`a` $note)", "10: expected '>' after the separator of clauses"),
        ("enum($one)", "0: 'enum' directive expects an attribute"),
        ("what($one)", "0: expected literal, variable, directive, or optional group"),
        ("qualified($one)", "10: 'qualified' directive expects an attribute or a `type` directive"),
    ],
)
def test_mistakes_in_formats(assembly: str, message: str) -> None:
    check_mistake(assembly, message)


def test_only_a_form_of_code_says_a_thing_in_both_branches() -> None:
    text = "($many^ attr-dict `:` type($many)) : (attr-dict)?"
    check_mistake(text, "38: 'attr-dict' directive has already been seen")
    definition = OpDefinition("d.op", operands=(Operand("many", ANY, Arity.VARIADIC),), custom=two_way(text))
    assert len(definition.format) == 1


PAINT = """\
dialect = "paint"

[enum.Color]
cases = ["red", "green"]

[attribute.Paint]
mnemonic = "of"
parameters = ["value: EnumParameter<Color>"]
syntax = "`<` $value `>`"

[op.wall]
attributes = ["color: Paint", "other: OptionalAttr<Paint>", "by: OptionalAttr<StrAttr>", "twice: UnitAttr"]
syntax = "enum($color) (`or` $other^)? oilist<`,`>(`by` $by | `twice` $twice) attr-dict"
"""
"""A dialect with what formats have from MLIR 24 on."""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("paint.wall red", "paint.wall red"),
        ("paint.wall red or <green>", "paint.wall red or <green>"),
        ("paint.wall green twice", "paint.wall green twice"),
        ('paint.wall red twice, by "me"', 'paint.wall red by "me", twice'),
        ('"paint.wall"() <{color = #paint.of<red>, by = "you"}> : () -> ()', 'paint.wall red by "you"'),
    ],
)
def test_a_case_alone_and_clauses_with_commas(tmp_path: Path, before: str, after: str) -> None:
    assert printed(tmp_path, before) == f"module {{\n  {after}\n}}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("paint.wall blue", "expected ::mlir::paint::Color to be one of: red, green"),
        ("paint.wall red twice,", "expected one of 'by', 'twice' after ','"),
        (
            "paint.wall red twice, twice",
            "`twice` clause can appear at most once",
        ),
    ],
)
def test_what_is_wrong_with_them(tmp_path: Path, text: str, message: str) -> None:
    assert message in printed(tmp_path, text)


def printed(folder: Path, text: str) -> str:
    """What `fathom opt` prints of a text in the dialect, or says is wrong with it."""
    description = folder / "paint.toml"
    description.write_text(PAINT)
    stdout, stderr = io.StringIO(), io.StringIO()
    main(["opt", "--dialect", str(description)], io.StringIO(text), stdout, stderr)
    return stdout.getvalue().strip() or stderr.getvalue()
