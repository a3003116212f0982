"""Descriptions of dialects: what is right makes definitions, what is wrong is found where it stands."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from fathom.context import Context
from fathom.elaborate import load
from fathom.ir.dialect_values import Parameter
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags
from fathom.ir.types import I32
from fathom.irdl.clauses import clause, two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.description import Description
from fathom.irdl.parametric import CustomBody
from fathom.irdl.readers import ParameterReader
from fathom.irdl.terms import Native
from fathom.verify import verify
from tests.described import LIBRARY

GOOD = """
dialect = "shop"

[enum.Size]
cases = ["small", "large"]

[type.basket]
parameters = ["of: Type", "size: Size = small"]
syntax = "`<` $of (`,` $size^)? `>`"

[op.fill]
operands = ["basket: basket", "items: Variadic<AnyInteger>"]
results = ["out: basket"]
attributes = ["size: Size = small", "label: OptionalAttr<StrAttr>", "sealed: UnitAttr"]
traits = ["AllTypesMatch<[basket, out]>"]
syntax = "$basket (`with` $items^ `:` type($items))? (`sealed` $sealed^)? ($label^)? attr-dict `:` type($out)"
"""


def check_round_trip(description: str, text: str, custom: str | None = None, code: DialectCode | None = None) -> None:
    """`text`, in a function that has what it uses, is read under the description and printed back, or as `custom`."""
    described = Description(description, "shop.toml", code)
    assert described.check() == []
    loaded = load(text, Context().with_dialect(described.dialect()))
    assert not loaded.has_errors, loaded.diagnostics
    assert print_module(loaded.module) == f"module {{\n{custom or text}}}\n\n"


def test_a_described_dialect_is_read_and_printed() -> None:
    check_round_trip(
        GOOD,
        "  func.func @f(%arg0: !shop.basket<i32>, %arg1: i8) {\n"
        '    %0 = shop.fill %arg0 with %arg1, %arg1 : i8, i8 sealed "x" : <i32>\n'
        + "    %1 = shop.fill %0 {size = 1 : i32} : <i32>\n"
        "    return\n"
        "  }\n",
    )


FORMS = """
dialect = "shop"

[op.pack]
operands = ["items: Variadic<AnyInteger>"]
attributes = ["labels: ArrayAttr", "sealed: UnitAttr"]
regions = ["body"]
results = ["out: Variadic<AnyType>"]
opaque = true
"""


def test_code_gives_a_form_in_the_place_of_functions() -> None:
    code = DialectCode(
        operations={
            "pack": OpCode(
                custom=two_way(
                    "custom<Items>($items, $labels) (`sealed` $sealed^)? custom<Arrow>(type($out)) custom<Body>($body) "
                    "attr-dict"
                )
            )
        },
        directives={"Items": clause("list($0 `:` type($0) `->` $1)")},
    )
    check_round_trip(
        FORMS,
        "  func.func @f(%arg0: i32, %arg1: i8) {\n"
        '    shop.pack %arg0 : i32 -> "a", %arg1 : i8 -> 2 : i64 sealed {\n'
        "    } {a}\n"
        '    %0 = shop.pack %arg1 : i8 -> "b" -> f32 {\n'
        "    }\n"
        "    return\n"
        "  }\n",
        code=code,
    )


def test_types_and_attributes_of_the_dialect_stand_without_their_names() -> None:
    description = """
dialect = "shop"

[enum.Kind]
cases = ["sale", "rent"]
bits = true

[type.thing]
parameters = ["of: Type", "sizes: OptionalArrayRefParameter<int64_t>"]
syntax = "`<` $of (`:` $sizes^)? `>`"

[attribute.Terms]
mnemonic = "terms"
parameters = ["kind: Kind", "thing: thing", "note: OptionalParameter<StringAttr>"]
syntax = "`<` struct(params) `>`"

[op.offer]
operands = ["what: thing"]
attributes = ["terms: Terms", "more: OptionalAttr<Terms>"]
syntax = "$what $terms (`and` qualified($more)^)? attr-dict `:` type($what)"
"""
    check_round_trip(
        description,
        "  func.func @f(%arg0: !shop.thing<i32 : 1, 2>) {\n"
        "    shop.offer %arg0 <kind = sale, thing = <i32>> : <i32 : 1, 2>\n"
        '    shop.offer %arg0 <kind = "sale|rent", thing = <f32 : 4>, note = "a"> and '
        "#shop.terms<kind = rent, thing = <index>> {kept} : <i32 : 1, 2>\n"
        "    return\n"
        "  }\n",
    )


GROUPS = '''
dialect = "g"

[op.a]
operands = ["x: Variadic<I32>", "y: VariadicOfVariadic<AnyType, sizes>"]
attributes = ["sizes: DenseI32ArrayAttr", "flag: UnitAttr", "word: OptionalAttr<StrAttr>"]
results = ["r: Variadic<F32>", "s: Optional<AnyType>"]
regions = ["body: VariadicRegion<AnyRegion>"]
traits = ["AttrSizedOperandSegments", "AttrSizedResultSegments"]
syntax = """
  (`[` $x^ `]`) : (`none`)? oilist(`flag` $flag | `word` `(` $word `)`)
  `(` $y `:` type($y) `)` `->` (`many` type($r)^)? (`and` type($s)^)? $body attr-dict-with-keyword
"""

[op.b]
operands = ["x: AnyType"]
results = ["r: AnyType"]
traits = ['TypesMatchWith<"the result is the element", x, r, ElementType>']
syntax = "operands prop-dict attr-dict `:` functional-type(operands, results)"
'''


def test_groups_clauses_and_segments() -> None:
    check_round_trip(
        GROUPS,
        "  func.func @f(%arg0: i32, %arg1: f32) {\n"
        '    %r:2, %s = g.a[%arg0, %arg0] flag word("w") ((%arg0), (%arg1, %arg0) : (i32), (f32, i32)) -> '
        "many f32, f32 and i8 {\n"
        "    }, {\n"
        "    } attributes {kept}\n"
        "    g.a none ( : ) -> \n"
        "    return\n"
        "  }\n",
    )


def check_mistake(description: str, *expected: str) -> None:
    """The mistakes of a description, as `line:column: key: message`."""
    mistakes = Description(description, "x.toml", DialectCode()).check()
    assert [str(mistake).removeprefix("x.toml:") for mistake in mistakes] == list(expected)


@pytest.mark.parametrize(
    ("description", "mistake"),
    [
        ('[op.a]\noperands = ["x: I32"]', '1:1: a description begins with `dialect = "name"`'),
        ('dialect = "d"\n[op.a]\noperands = ["x I32"]', "3:16: op.a.operands[0]: unexpected 'I32'"),
        ('dialect = "d"\n[op.a]\noperands = ["x: Indx"]', "3:17: op.a.operands[0]: unknown type constraint 'Indx'"),
        (
            'dialect = "d"\n[op.a]\noperands = ["x: AnyTypeOf<[I32, Indx]>"]',
            "3:33: op.a.operands[0]: unknown type constraint 'Indx'",
        ),
        ('dialect = "d"\n[op.a]\noperands = ["x: AnyTypeOf<[I32]"]', "3:32: op.a.operands[0]: expected '>'"),
        (
            'dialect = "d"\n[op.a]\noperand = ["x: I32"]',
            "3:1: op.a.operand: unknown key 'operand'; did you mean 'operands'?",
        ),
        (
            'dialect = "d"\n[op.a]\neffects = ["MemRead", "Writes"]',
            "3:24: op.a.effects[1]: unknown effect 'Writes': there are MemAlloc, MemFree, MemRead, MemWrite",
        ),
        (
            'dialect = "d"\n[op.a]\noperands = ["x: I32"]\neffects = ["MemRead<y>"]',
            "4:21: op.a.effects[0]: no operand or result is called 'y'",
        ),
        ('dialect = "d"\n[ops.a]\n', "2:1: ops.a: unknown kind of table 'ops'; did you mean 'op'?"),
        ('dialect = "d"\n[op.a]\nlike = "b"\n', "3:1: op.a.like: the class 'b' is not described"),
        (
            'dialect = "d"\n[op.a]\nattributes = ["x: I32Attr = low"]\n',
            "3:29: op.a.attributes[0]: cannot read the default 'low'",
        ),
        (
            'dialect = "d"\n[op.a]\nsyntax = "`(` attr-dict ("\n',
            "3:26: op.a.syntax: expected ')' to end an optional group",
        ),
        ('dialect = "d"\n[op.a]\nsummary = 3\n', "3:1: op.a.summary: expected a string"),
        ('dialect = "d"\n[op.a\n', "2:6: Expected ']' at the end of a table declaration"),
        (
            'dialect = "d"\n[type.t]\nparameters = ["x: int64_t"]\nsyntax = "`<` $y `>`"\n',
            "4:15: type.t.syntax: t has no parameter named 'y'",
        ),
        (
            'dialect = "d"\n[type.t]\nparameters = ["x: int64_t"]\nsyntax = "`<` `>`"\n',
            "4:18: type.t.syntax: format is missing reference to parameter: x",
        ),
        (
            'dialect = "d"\n[enum.e]\n',
            "2:1: enum.e: an enumeration needs `cases`: a list of keywords, or a table of keywords and numbers",
        ),
        ('dialect = "d"\n[enum.e]\ncases = ["a", "b", "a"]\n', "3:1: enum.e.cases: the case 'a' is there twice"),
        ('dialect = "my d"\n', "1:1: dialect: no dialect can be called 'my d'"),
        ('dialect = "d"\n[op."x y"]\n', "2:1: op.x y: no operation can be called 'x y'"),
        ('dialect = "d"\nop = 3\n', "2:1: op: expected tables, such as [op.NAME]"),
        ('dialect = "d"\n[op]\nb = 3\n', "3:1: op.b: expected a table"),
        ('dialect = "d"\nchecked = "never"\n', '2:1: checked: expected "complete" or "declared"'),
        ('dialect = "d"\n[op.a]\nchecked = "never"\n', '3:1: op.a.checked: expected "complete" or "declared"'),
    ],
)
def test_mistakes_are_placed(description: str, mistake: str) -> None:
    check_mistake(description, mistake)


def test_what_is_only_declared_says_what_is_not_checked() -> None:
    described = Description(
        'dialect = "d"\nchecked = "declared"\n[op.a]\noperands = ["x: AnyTypeOf<[I32, Odd]>"]\n', "x.toml"
    )
    assert described.check() == []
    definition = described.operations["d.a"]
    assert definition.checked == "declared"
    assert definition.unknown == ("Odd",)


def test_code_supplies_what_no_term_says() -> None:
    code = DialectCode(predicates={"Odd": lambda type: "odd" in str(type)})
    described = Description('dialect = "d"\n[op.a]\noperands = ["x: Odd"]\n', "x.toml", code)
    assert described.check() == []
    assert isinstance(described.operations["d.a"].operands[0].constraint.term, Native)


def test_code_decides_a_constraint_of_the_description() -> None:
    description = 'dialect = "d"\nchecked = "declared"\n[constraint.Odd]\ntype = "Unchecked"\nsummary = "odd type"\n'
    described = Description(description, "x.toml", DialectCode(predicates={"Odd": lambda type: "odd" in str(type)}))
    constraint = described.scope.own_type("Odd")
    assert constraint is not None
    assert (str(constraint.term), constraint.summary) == ("Odd", "odd type")
    assert not constraint.accepts(I32)


def test_code_reads_and_spells_what_is_opaque() -> None:
    def read(reader: ParameterReader) -> list[Parameter]:
        return [reader.integer()]

    body = CustomBody(("size",), read, lambda values, of: str(values[0]))
    description = """
dialect = "shop"

[type.bag]
opaque = true

[op.weigh]
operands = ["bag: bag"]
syntax = "$bag attr-dict `:` type($bag)"
"""
    text = "  func.func @f(%arg0: !shop.bag<7>) {\n    shop.weigh %arg0 : <7>\n    return\n  }\n"
    check_round_trip(description, text, code=DialectCode(bodies={"bag": body}))


def test_code_for_an_operation_that_is_not_described_is_a_mistake() -> None:
    from fathom.irdl.code import OpCode

    described = Description('dialect = "d"\n', "x.toml", DialectCode({"a": OpCode()}))
    assert [m.message for m in described.check()] == ["code is given for the operation 'a', which is not described"]


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        ("", ["unknown  type `box` in dialect `shop`", "dialect 'shop' provides no attribute parsing hook"]),
        ("allow_unknown_operations = true", []),
        ("allow_unknown_types = true", ["dialect 'shop' provides no attribute parsing hook"]),
        ("allow_unknown_operations = true\nallow_unknown_types = false", ["unknown  type `box` in dialect `shop`"]),
    ],
)
def test_a_whole_description_has_all_types_and_attributes(top: str, expected: list[str]) -> None:
    described = Description(GOOD.replace("\n", f"\n{top}\n", 1), "shop.toml")
    context = Context().with_dialect(described.dialect())
    text = '"shop.fill"() {x = !shop.box<1>} : () -> ()\n// -----\n"shop.fill"() {x = #shop.of} : () -> ()\n'
    messages = [
        diagnostic.message for piece in text.split("// -----") for diagnostic in load(piece, context).diagnostics
    ]
    assert messages == expected


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_the_library_describes_without_mistakes(path: Path) -> None:
    from fathom.dialects import find_dialect

    dialect = find_dialect(path.stem)
    assert dialect is not None
    assert next(iter(dialect.by_name)), "it has operations"
    module = "llvm.described" if path.stem == "llvm" else path.stem
    has_code = find_spec(f"fathom.dialects.{module}") is not None
    code = getattr(import_module(f"fathom.dialects.{module}"), "CODE", None) if has_code else None
    assert Description(path.read_text(), path.name, code).check() == []


def test_the_definition_says_which_successors_come_first() -> None:
    description = """
dialect = "shop"

[op.choose]
operands = ["which: AnyInteger"]
successors = ["otherwise", "cases: VariadicSuccessor<AnySuccessor>"]
traits = ["Terminator"]
syntax = "$which `(` $cases `)` `->` $otherwise attr-dict `:` type($which)"
"""
    text = (
        "  func.func @f(%arg0: i32) {\n    shop.choose %arg0(^bb2, ^bb3) -> ^bb1 : i32\n  ^bb1:  // pred: ^bb0\n"
        "    return\n  ^bb2:  // pred: ^bb0\n    return\n  ^bb3:  // pred: ^bb0\n    return\n  }\n"
    )
    check_round_trip(description, text)
    loaded = load(text, Context().with_dialect(Description(description, "shop.toml").dialect()))
    generic = print_module(loaded.module, PrintingFlags(generic=True))
    assert '"shop.choose"(%arg0)[^bb1, ^bb2, ^bb3] : (i32) -> ()' in generic


WORDS = """
dialect = "shop"

[type.tag]
traits = ["MnemonicAlias"]

[type.crate]
parameters = ["of: AnyTypeOf<[I16, I32]>"]
syntax = "`<` $of `>`"

[op.pack]
operands = ["items: Variadic<AnyType>", "into: Variadic<AnyType>"]
results = ["packed: Variadic<AnyType>"]
traits = ["AttrSizedOperandSegments", "DestinationStyleOpInterface<into>"]

[type.box]
parameters = ["of: Type", "size: int64_t"]
syntax = "`<` struct(params) `>`"

[op.loose]
regions = ["body: AnyRegion"]
traits = ["HasOnlyGraphRegion", "NoTerminator"]

[op.add]
operands = ["a: AnyType", "b: AnyType"]
results = ["c: AnyType"]
traits = ["Elementwise"]

[op.name]
results = ["x: AnyType"]
attributes = ["sym_name: StrAttr"]
traits = ["Symbol"]
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '"shop.pack"(%a) {operandSegmentSizes = array<i32: 1>} : (i32) -> ()',
            "operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'",
        ),
        (
            '"shop.pack"(%a) {operandSegmentSizes = array<i32: 2, -1>} : (i32) -> ()',
            "'operandSegmentSizes' attribute cannot have negative elements",
        ),
        (
            '"shop.pack"(%a) <{operandSegmentSizes = array<i64: 1, 0>}> : (i32) -> ()',
            "expected DenseI32ArrayAttr for key `value`",
        ),
        (
            '"shop.pack"(%t) <{operandSegmentSizes = array<i32: 0, 1>}> : (tensor<2xi32>) -> ()',
            "expected the number of tensor results (0) to be equal to the number of output tensors (1)",
        ),
        ('"d.x"() : () -> !shop.box<>', "expected valid keyword"),
        (
            '"shop.loose"() ({\n^bb0:\n  "d.x"() : () -> ()\n^bb1:\n  "d.x"() : () -> ()\n}) : () -> ()',
            "expects graph region #0 to have 0 or 1 blocks",
        ),
        (
            '%x = "shop.add"(%t, %u) : (tensor<2xi32>, tensor<*xi32>) -> tensor<2xi32>',
            "all non-scalar operands/results must have the same shape and base type",
        ),
        ('%x = "shop.name"() <{sym_name = "x"}> : () -> i32', "symbols must not have results"),
        (
            '"d.x"() : () -> !shop.crate<f32>',
            "failed to verify 'of': 16-bit signless integer or 32-bit signless integer",
        ),
    ],
)
def test_what_is_declared_is_checked_in_mlirs_words(text: str, message: str) -> None:
    described = Description(WORDS, "shop.toml")
    assert described.check() == []
    loaded = load(
        f"func.func @f(%a: i32, %t: tensor<2xi32>, %u: tensor<*xi32>) {{\n  {text}\n  return\n}}\n",
        Context().with_dialect(described.dialect()),
    )
    problems = [*loaded.diagnostics, *(verify(loaded.module, None) if not loaded.has_errors else ())]
    assert any(message in problem.message for problem in problems), problems


def test_a_type_may_ask_for_an_alias_of_its_name() -> None:
    text = "  func.func private @f(!shop.tag)\n"
    loaded = load(text, Context().with_dialect(Description(WORDS, "shop.toml").dialect()))
    assert print_module(loaded.module) == "!tag = !shop.tag\nmodule {\n  func.func private @f(!tag)\n}\n\n"


def _chain(levels: int, form: str) -> str:
    first = 'dialect = "d"\n[constraint.A0]\ntype = "AnyTypeOf<[I32, I64]>"\n'
    further = "".join(f'[constraint.A{n + 1}]\ntype = "{form.format(n)}"\n' for n in range(levels))
    return f'{first}{further}[op.x]\noperands = ["a: A{levels}"]\n'


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (_chain(3000, "AnyTypeOf<[A{0}, F32]>"), "more than 20 constraints within each other"),
        (
            _chain(40, "And<[Or<[A{0}, F32]>, Or<[A{0}, F64]>]>"),
            "a constraint of more than 10,000 parts, or 100 levels",
        ),
        ('dialect = "d"\n[op.x]\nsyntax = "' + "(`[` " * 500 + '"\n', "nested too deeply: more than 32 levels"),
        ('dialect = "d"\n[op.x]\nsyntax = "' + "ref(" * 500 + '"\n', "nested too deeply: more than 32 levels"),
        ('dialect = "d"\n[op.x]\noperands = ["a: ' + "AnyTypeOf<[" * 500 + '"]\n', "nested too deeply"),
    ],
    ids=["constraints that name each other", "constraints that are twice as many", "groups", "directives", "lists"],
)
def test_what_is_nested_too_deeply(description: str, message: str) -> None:
    mistakes = Description(description, "x.toml", DialectCode()).check()
    assert any(str(mistake).endswith(message) for mistake in mistakes)
