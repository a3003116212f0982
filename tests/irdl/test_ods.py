"""Definitions in ODS as descriptions: `.td` text in, the text of a description out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fathom.context import Context
from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.irdl.description import Description
from fathom.irdl.ods.predicates import Predicates
from fathom.irdl.ods.reader import describe, dialects_of, read, read_together
from fathom.irdl.ods.traits import type_function
from fathom.irdl.terms import Unknown
from fathom.tablegen.json import read_json
from fathom.tablegen.records import NO_RECORDS, Records
from fathom.verify import verify

INCLUDE = Path("/usr/lib/llvm-22/include")
TBLGEN = Path("/usr/lib/llvm-22/bin/llvm-tblgen")
NEEDS_MLIR = pytest.mark.skipif(
    not TBLGEN.exists() or not (INCLUDE / "mlir/IR/OpBase.td").exists(),
    reason="llvm-tblgen 22 or MLIR's .td files are not installed (Debian's llvm-22, libmlir-22-dev)",
)

TOY = """
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Toy_Dialect : Dialect { let name = "toy"; let cppNamespace = "::toy"; }
class Toy_Op<string mnemonic, list<Trait> traits = []> : Op<Toy_Dialect, mnemonic, traits>;
"""


def records_of(text: str) -> Records:
    """The records of a `.td` file with this text behind TOY."""
    process = subprocess.run(
        [TBLGEN, "--dump-json", "-I", INCLUDE, "-"], input=TOY + text, capture_output=True, text=True, check=True
    )
    return read_json(process.stdout)


def check_described(text: str, *expected: str) -> None:
    """The description of a `.td` text has these lines, and is sound."""
    described = describe([records_of(text)], "toy")
    assert Description(described, "toy.toml").check() == []
    for line in expected:
        assert line in described.splitlines(), described


def check_round_trip(text: str, program: str) -> None:
    """With the dialect of a `.td` text, a program is read and printed back."""
    check_printed(text, program, program)


def check_printed(text: str, program: str, printed: str) -> None:
    """With the dialect of a `.td` text, a program is printed like this."""
    (described,) = read(records_of(text), "toy.td")
    loaded = load(program, Context().with_dialect(described.dialect()))
    assert not loaded.has_errors, loaded.diagnostics
    assert print_module(loaded.module) == f"module {{\n{printed}}}\n\n"


# ---- predicates


def check_refused(text: str, program: str, message: str) -> None:
    """With the dialect of a `.td` text, the first mistake of a program is this."""
    (described,) = read(records_of(text), "toy.td")
    context = Context().with_dialect(described.dialect())
    loaded = load(program, context)
    messages = [diagnostic.message for diagnostic in loaded.diagnostics] or [
        diagnostic.message for diagnostic in verify(loaded.module, None, context)
    ]
    assert messages and message in messages[0], messages


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("::llvm::isa<::mlir::IntegerType>($_self)", "AnyInteger"),
        ("(isa<IntegerType, FloatType>($_self))", "Or<[AnyInteger, AnyFloat]>"),
        ("$_self.isInteger(8) || $_self.isF32()", "Or<[AnyI8, F32]>"),
        ("!$_self.isIndex() && $_self.isSignlessInteger(7)", "And<[Neg<Index>, I<7>]>"),
        ("::llvm::cast<::mlir::ShapedType>($_self).getElementType().isBF16()", "Element<BF16>"),
        ("[](::mlir::Type t) { return t.isF64(); }(cast<VectorType>($_self).getElementType())", "Element<F64>"),
        ("::llvm::cast<::mlir::VectorType>($_self).getRank() > 0", 'AtLeast<"rank", 1>'),
        ("cast<ShapedType>($_self).getDimSize(1) == 4", 'Among<"extent", [4], 1>'),
        ("::llvm::cast<IntegerAttr>($_self).getInt() <= 7", 'AtMost<"value", 7>'),
        (
            "llvm::all_of(cast<ArrayAttr>($_self), [&](Attribute attr) { return attr && isa<StringAttr>(attr); })",
            "Each<StrAttr>",
        ),
        # What is not understood checks nothing, and neither does what denies it.
        ("isGood($_self)", "Unchecked"),
        ("!isGood($_self)", "Unchecked"),
        ("$_self.isF32() || isGood($_self)", "Unchecked"),
        ("$_self.isF32() && isGood($_self)", "And<[F32, Unchecked]>"),
        ("foo::isa<IntegerType>($_self) ? true : false", "Unchecked"),
        ("cast<foo::BarType>($_self).getRank() == 1", "Unchecked"),
    ],
)
def test_predicates(text: str, term: str) -> None:
    assert str(Predicates(NO_RECORDS, lambda _: None).read(text)) == term


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("$_self", "Same"),
        ("::llvm::cast<ShapedType>($_self).getElementType()", "ElementType"),
        ("::getI1SameShape($_self)", "I1SameShape"),
        ("cast<ArrayType>($_self).getRangeType()", "Parameter.rangeType"),
        ("foo($_self)", None),
        ("VectorType::get({1}, $_self)", None),
    ],
)
def test_functions_from_types_to_types(text: str, function: str | None) -> None:
    assert type_function(text) == function


# ---- operations


@NEEDS_MLIR
def test_effects_on_memory() -> None:
    check_described(
        """
        def Toy_MoveOp : Toy_Op<"move", [MemoryEffects<[MemWrite]>]> {
          let arguments = (ins Arg<AnyType, "", [MemRead]>:$from, Arg<Variadic<AnyType>, "", [MemReadAt<1>]>:$more,
                               Arg<StrAttr, "", [MemRead]>:$name);
          let results = (outs Res<AnyType, "", [MemAlloc]>:$made);
        }
        """,
        'effects = ["MemWrite", "MemRead<from>", "MemRead<more>", "MemRead", "MemAlloc<made>"]',
    )


@NEEDS_MLIR
@pytest.mark.parametrize(
    ("base", "text", "deprecated"),
    [
        (', Deprecated<"toy.sell does more">', 'let summary = "buys";', "toy.sell does more"),
        ("", 'let summary = "Deprecated (use sell/toy.rent).";', "use sell or toy.rent"),
        ("", "let description = [{\n  Buys.\n\n  **DEPRECATION NOTICE**: Use `toy.sell`, or not.\n}];", "use toy.sell"),
        ("", 'let summary = "Deprecated.";', "it may go in a later version"),
        ("", 'let summary = "for what is deprecated: use with care";', ""),
    ],
)
def test_what_is_deprecated(base: str, text: str, deprecated: str) -> None:
    described = describe([records_of(f'def Toy_BuyOp : Toy_Op<"buy">{base} {{ {text} }}')], "toy", texts=False)
    assert Description(described, "toy.toml").operations["toy.buy"].deprecated == deprecated


@NEEDS_MLIR
def test_operands_results_attributes_and_traits() -> None:
    check_described(
        """
        def Toy_AddOp : Toy_Op<"add", [Pure, Commutative]> {
          let summary = "adds";
          let arguments = (ins SignlessIntegerLike:$lhs, Variadic<Index>:$rest, OptionalAttr<StrAttr>:$label,
                           DefaultValuedAttr<I64Attr, "7">:$total, UnitAttr:$fast);
          let results = (outs SignlessIntegerLike:$result);
          let assemblyFormat = "$lhs `,` $rest attr-dict `:` type($result)";
        }
        """,
        'summary = "adds"',
        'operands = ["lhs: SignlessIntegerLike", "rest: Variadic<Index>"]',
        'results = ["result: SignlessIntegerLike"]',
        'attributes = ["label: OptionalAttr<StrAttr>", "total: I64Attr = 7", "fast: UnitAttr"]',
        'traits = ["Pure", "Commutative"]',
        'syntax = "$lhs `,` $rest attr-dict `:` type($result)"',
    )


@NEEDS_MLIR
def test_constraints_are_known_by_name_or_by_what_they_are_made_of() -> None:
    check_described(
        """
        def Toy_Small : AnyTypeOf<[I8, I16], "small integer">;
        def Toy_Odd : Type<CPred<"isOdd($_self)">, "odd type">;
        def Toy_AOp : Toy_Op<"a"> {
          let arguments = (ins Toy_Small:$a, Toy_Odd:$b, AnyTypeOf<[F32, Index]>:$c, TensorOf<[F32]>:$d);
        }
        """,
        "[constraint.Toy_Small]",
        """type = 'AnyTypeOf<[I8, I16], "small integer">'""",
        """type = 'Type<Unchecked, "odd type">'""",
        """  'c: AnyTypeOf<[F32, Index], "32-bit float or index">',""",
        """  'd: Type<And<[IsTensorTypePred, Element<F32>]>, "tensor of 32-bit float values">',""",
    )


@NEEDS_MLIR
def test_what_is_not_understood_is_named() -> None:
    text = """
        def Toy_Odd : Type<CPred<"isOdd($_self)">, "odd type">;
        def Toy_AOp : Toy_Op<"a"> { let arguments = (ins Toy_Odd:$a); }
    """
    definition = read(records_of(text), "toy.td")[0].operations["toy.a"]
    assert definition.checked == "declared"
    assert definition.unknown == ("Unchecked",)
    assert definition.operands[0].constraint.term == Unknown("Unchecked")


@NEEDS_MLIR
def test_types_attributes_and_enumerations() -> None:
    text = """
        def Toy_Box : TypeDef<Toy_Dialect, "Box"> {
          let mnemonic = "box";
          let parameters = (ins "::mlir::Type":$of, DefaultValuedParameter<"bool", "false">:$sealed);
          let assemblyFormat = "`<` $of (`,` $sealed^)? `>`";
        }
        def Toy_Size : I32Enum<"Size", "size", [I32EnumCase<"Small", 0, "small">, I32EnumCase<"Large", 1, "large">]> {
          let cppNamespace = "::toy";
        }
        def Toy_SizeAttr : EnumAttr<Toy_Dialect, Toy_Size, "size"> { let assemblyFormat = "`<` $value `>`"; }
        def Toy_BoxOp : Toy_Op<"box"> {
          let arguments = (ins Toy_Box:$in, DefaultValuedAttr<Toy_SizeAttr, "Size::Small">:$size);
          let results = (outs Toy_Box:$out);
          let assemblyFormat = "$in (`size` $size^)? attr-dict `:` type($in) `to` type($out)";
        }
    """
    check_described(
        text,
        "[type.BoxType]",
        'parameters = ["of: Type", "sealed: bool = false"]',
        'cases = ["small", "large"]',
        'parameters = ["value: EnumParameter<Size>"]',
        'attributes = ["size: SizeAttr = small"]',
    )
    check_round_trip(
        text,
        "  func.func @f(%arg0: !toy.box<i32>) -> !toy.box<f32, true> {\n"
        "    %0 = toy.box %arg0 size <large> : <i32> to <f32, true>\n"
        "    %1 = toy.box %arg0 : <i32> to <f32, true>\n"
        "    return %0 : !toy.box<f32, true>\n"
        "  }\n",
    )


@NEEDS_MLIR
def test_what_cpp_reads_is_kept_as_it_is_written() -> None:
    """An operation with a parser of its own, one with a directive that nobody knows, a type with its own parser."""
    text = """
        def Toy_Odd : TypeDef<Toy_Dialect, "Odd"> { let mnemonic = "odd"; let hasCustomAssemblyFormat = 1; }
        def Toy_AOp : Toy_Op<"a"> {
          let arguments = (ins AnyType:$in);
          let results = (outs AnyType:$out);
          let hasCustomAssemblyFormat = 1;
        }
        def Toy_BOp : Toy_Op<"b"> {
          let arguments = (ins AnyType:$in);
          let regions = (region AnyRegion:$body);
          let assemblyFormat = "custom<Odd>($in) $body attr-dict `:` type($in)";
        }
        def Toy_COp : Toy_Op<"c"> {
          let arguments = (ins Toy_Odd:$in);
          let assemblyFormat = "$in attr-dict `:` type($in)";
        }
        def Toy_DOp : Toy_Op<"d"> {
          let arguments = (ins Toy_Odd:$in);
          let assemblyFormat = "$in attr-dict `:` qualified(type($in))";
        }
    """
    check_round_trip(
        text,
        "  func.func @f(%arg0: i32, %arg1: !toy.odd<<7>>) {\n"
        "    %0 = toy.a [%arg0 => 3] : i32\n"
        "    toy.b {%arg0} {\n"
        "      %c1_i32 = arith.constant 1 : i32\n"
        "    } : i32\n"
        "    toy.c %arg1 : <<7>>\n"
        "    toy.d %arg1 : !toy.odd<<7>>\n"
        "    return\n"
        "  }\n",
    )


@NEEDS_MLIR
def test_an_operation_without_a_syntax_has_the_generic_form_only() -> None:
    """Unless C++ reads it, which the description says."""
    text = """
        def Toy_AOp : Toy_Op<"a"> { let arguments = (ins AnyType:$in); }
        def Toy_BOp : Toy_Op<"b"> { let arguments = (ins AnyType:$in); let hasCustomAssemblyFormat = 1; }
    """
    check_described(text, "[op.a]", "[op.b]", "opaque = true")
    (described,) = read(records_of(text), "toy.td")
    context = Context().with_dialect(described.dialect())
    function = "func.func @f(%arg0: i32) {{\n  {}\n  return\n}}\n"
    messages = [diagnostic.message for diagnostic in load(function.format("toy.a %arg0 : i32"), context).diagnostics]
    assert messages == ["custom op 'toy.a' has no custom assembly form"]
    assert not load(function.format('"toy.a"(%arg0) : (i32) -> ()'), context).diagnostics
    assert not load(function.format("toy.b with %arg0"), context).diagnostics
    hook = "std::optional<ParseOpHook> getParseOperationHook(llvm::StringRef name) const override;"
    own = f'def Own_Dialect : Dialect {{ let name = "own"; let extraClassDeclaration = [{{ {hook} }}]; }}'
    (described,) = read(records_of(f'{own}\ndef Own_AOp : Op<Own_Dialect, "a">;'), "own.td")
    assert not load("own.a in its dialect's words", Context().with_dialect(described.dialect())).diagnostics


@NEEDS_MLIR
def test_a_number_with_an_x_behind_it_in_a_format() -> None:
    """It is one token elsewhere, an extent."""
    text = """
        def Toy_Mem : TypeDef<Toy_Dialect, "Mem"> {
          let mnemonic = "mem";
          let parameters = (ins "uint64_t":$depth, "uint32_t":$width, OptionalParameter<"std::optional<int>">:$mask);
          let assemblyFormat = "`<` $depth `x` $width (`,` `mask` $mask^)? `>`";
        }
        def Toy_AOp : Toy_Op<"a"> {
          let arguments = (ins Toy_Mem:$in);
          let assemblyFormat = "$in attr-dict `:` type($in)";
        }
    """
    for written in ("12 x 42", "12 x 42, mask 3"):
        function = "  func.func @f(%arg0: !toy.mem<{0}>) {{\n    toy.a %arg0 : <{0}>\n    return\n  }}\n"
        check_printed(text, function.format(written), function.format(written))
    check_refused(text, '"toy.b"() {x = !toy.mem<12x42>} : () -> ()', "expected integer value")


@NEEDS_MLIR
def test_a_list_of_traits_that_stands_among_traits_is_what_is_in_it() -> None:
    check_described(
        'def Toy_AOp : Toy_Op<"a", [GraphRegionNoTerminator, Pure]>;',
        'traits = ["NoTerminator", "SingleBlock", "RegionKindInterface", "HasOnlyGraphRegion", "Pure"]',
    )


@NEEDS_MLIR
def test_whether_an_operand_is_there_is_not_known_to_a_description() -> None:
    trait = 'PredOpTrait<"has no message", CPred<"!$message">>'
    text = f'def Toy_AOp : Toy_Op<"a", [{trait}]> {{ let arguments = (ins OptionalAttr<StrAttr>:$message); }}'
    check_described(text, "traits = ['PredOpTrait<\"has no message\">']")


@NEEDS_MLIR
def test_a_definition_has_all_types_and_attributes() -> None:
    """Unless the dialect is extensible, or has a parser of its own."""
    types = 'def Toy_Box : TypeDef<Toy_Dialect, "Box"> { let mnemonic = "box"; }\n'
    op = 'def Toy_AOp : Toy_Op<"a">;\n'
    program = '"toy.a"() {x = !toy.bx} : () -> ()'
    check_refused(op + types, program, "unknown  type `bx` in dialect `toy`")
    check_refused(op, program, "dialect 'toy' provides no type parsing hook")
    check_refused(op, '"toy.a"() {x = #toy.bx} : () -> ()', "dialect 'toy' provides no attribute parsing hook")
    for said in ("let isExtensible = 1;", 'let extraClassDeclaration = "Type parseType(DialectAsmParser &) const;";'):
        own = f'def Own_Dialect : Dialect {{ let name = "own"; let cppNamespace = "::own"; {said} }}'
        (described,) = read(records_of(f'{own}\ndef Own_AOp : Op<Own_Dialect, "a">;'), "own.td")
        context = Context().with_dialect(described.dialect())
        assert not load('"own.a"() {x = !own.bx} : () -> ()', context).diagnostics


@NEEDS_MLIR
def test_a_text_that_is_kept_may_name_what_stands_around_it() -> None:
    """Though nothing in its regions may."""
    text = """
        def Toy_RunOp : Toy_Op<"run", [IsolatedFromAbove, NoTerminator]> {
          let arguments = (ins Variadic<AnyType>:$in);
          let regions = (region AnyRegion:$body);
          let hasCustomAssemblyFormat = 1;
        }
    """
    check_round_trip(
        text,
        "  func.func @f(%arg0: i32) {\n"
        "    %0 = arith.addi %arg0, %arg0 : i32\n"
        "    toy.run map(%0 -> %arg1 : i32) {\n"
        "      %1 = arith.addi %arg1, %arg1 : i32\n"
        "    }\n"
        "    return\n"
        "  }\n",
    )


@NEEDS_MLIR
def test_regions_that_the_text_leaves_out_are_there() -> None:
    text = """
        def Toy_IfOp : Toy_Op<"if", [NoTerminator]> {
          let regions = (region AnyRegion:$first, AnyRegion:$second);
          let assemblyFormat = "(`first` $first^)? `second` $second attr-dict";
        }
    """
    check_round_trip(
        text,
        "  toy.if second {\n    %c1_i32 = arith.constant 1 : i32\n  }\n"
        "  toy.if first {\n    %c1_i32 = arith.constant 1 : i32\n  } second {\n  }\n",
    )


@NEEDS_MLIR
def test_a_file_describes_the_dialects_that_it_defines_something_of() -> None:
    """And not those that it includes."""
    records = records_of('def Toy_AOp : Toy_Op<"a">;')
    assert dialects_of(records, "-") == ["toy"]


# ---- against what stands


@NEEDS_MLIR
def test_mlirs_definitions_say_what_descriptions_by_hand_say() -> None:
    """`math`, which is written by hand, and as MLIR defines it."""
    from fathom.dialects import find_dialect

    by_hand = find_dialect("math")
    assert by_hand is not None
    path = INCLUDE / "mlir/Dialect/Math/IR/MathOps.td"
    dumped = subprocess.run([TBLGEN, "--dump-json", "-I", INCLUDE, path], capture_output=True, text=True, check=True)
    described = Description(describe([read_json(dumped.stdout)], "math"), "math.toml")
    assert described.check() == []
    assert set(described.operations) == set(by_hand.by_name)
    for name, operation in described.operations.items():
        other = by_hand.by_name[name]
        assert [(o.name, o.constraint.term) for o in operation.operands] == [
            (o.name, o.constraint.term) for o in other.operands
        ]
        assert [(r.name, r.constraint.term) for r in operation.results] == [
            (r.name, r.constraint.term) for r in other.results
        ]
        assert [p.name for p in operation.properties] == [p.name for p in other.properties]
        assert operation.assembly == other.assembly


@NEEDS_MLIR
@pytest.mark.parametrize("name", ["tensor", "ml_program"])
def test_the_descriptions_of_mlirs_dialects_are_those_that_are_made(name: str) -> None:
    from fathom.dialects import DESCRIBED
    from tests.described.make import made, sources

    assert (Path(DESCRIBED) / f"{name}.toml").read_text(encoding="utf-8") == made(name, sources()[name])


def test_properties() -> None:
    properties = """
        include "mlir/IR/Properties.td"
        def Read : I32BitEnumCaseBit<"Read", 0, "read">;
        def Write : I32BitEnumCaseBit<"Write", 1, "write">;
        def Access : I32BitEnum<"Access", "an access", [Read, Write]> {
          let cppNamespace = "::toy"; let separator = ", ";
        }
        def Positive : ConfinedProp<I64Prop, CPred<"$_self > 0">, "positive number">;
        def Toy_All : Toy_Op<"all"> {
          let arguments = (ins
            EnumProp<Access>:$access, NamedEnumProp<Access, "access">:$named, IntArrayProp<I64Prop>:$sizes,
            ArrayProp<Positive>:$counts, OptionalProp<StringProp>:$label, Positive:$one, UnitProp:$flag);
          let assemblyFormat = "$access $named $sizes (`flag` $flag^)? prop-dict attr-dict";
        }
    """
    check_described(
        properties,
        '  "access: EnumProp<Access>",',
        "  'named: NamedEnumProp<Access, \"access\">',",
        '  "sizes: IntArrayProp<I64Prop>",',
        '  \'counts: ArrayProp<ConfinedProp<I64Prop, AtLeast<"value", 1>, "positive number">>\',',
        '  "label: OptionalProp<StringProp>",',
        '  \'one: ConfinedProp<I64Prop, AtLeast<"value", 1>, "positive number">\',',
        '  "flag: UnitProp",',
    )
    check_round_trip(
        properties,
        "  toy.all read, write access<read> [1, 2] flag <{counts = [3], one = 4 : i64}>\n",
    )
    check_refused(
        properties,
        "toy.all read access<read> [] <{counts = [0], one = 4 : i64}>",
        "property 'counts' failed to satisfy constraint: array of positive number",
    )
    check_refused(
        properties,
        "toy.all none access<read> []",
        "custom op 'toy.all' expected one of [read, write] for an access, got: none",
    )


def test_predicates_over_an_operation() -> None:
    operations = """
        def Toy_Same : Toy_Op<"same", [PredOpTrait<"element types agree", TCopVTEtIsSameAs<0, 1>>]> {
          let arguments = (ins AnyTensor:$a, AnyTensor:$b);
          let assemblyFormat = "$a `,` $b attr-dict `:` type($a) `,` type($b)";
        }
        def Toy_Rank : Toy_Op<"rank", [AllMatch<[Rank<"a">.result, Rank<"b">.result], "ranks agree">,
                                       TypeIs<"a", F32Tensor>]> {
          let arguments = (ins AnyTensor:$a, AnyTensor:$b);
          let assemblyFormat = "$a `,` $b attr-dict `:` type($a) `,` type($b)";
        }
    """
    check_round_trip(
        operations,
        "  func.func @f(%arg0: tensor<2xf32>, %arg1: tensor<?xf32>) {\n"
        "    toy.same %arg0, %arg1 : tensor<2xf32>, tensor<?xf32>\n"
        "    toy.rank %arg0, %arg1 : tensor<2xf32>, tensor<?xf32>\n"
        "    return\n"
        "  }\n",
    )
    header = "func.func @f(%a: tensor<2xf32>, %b: tensor<2x3xi8>) {\n"
    check_refused(
        operations,
        f"{header}toy.same %a, %b : tensor<2xf32>, tensor<2x3xi8>\nreturn\n}}",
        "failed to verify that element types agree",
    )
    check_refused(
        operations,
        f"{header}toy.rank %a, %b : tensor<2xf32>, tensor<2x3xi8>\nreturn\n}}",
        "failed to verify that ranks agree",
    )
    check_refused(
        operations,
        f"{header}toy.rank %b, %b : tensor<2x3xi8>, tensor<2x3xi8>\nreturn\n}}",
        "failed to verify that 'a' is tensor of 32-bit float values",
    )


def test_a_dialect_may_be_defined_in_several_files() -> None:
    one = records_of('def Toy_Yield : Toy_Op<"yield"> { let assemblyFormat = "attr-dict"; }')
    other = records_of(
        """
        def Toy_Block : Toy_Op<"block", [SingleBlockImplicitTerminator<"Yield">]> {
          let regions = (region SizedRegion<1>:$body);
          let assemblyFormat = "$body attr-dict";
        }
        """
    )
    (described,) = read_together([(one, "-"), (other, "-")])
    loaded = load("toy.block {\n}", Context().with_dialect(described.dialect()))
    assert not loaded.has_errors, loaded.diagnostics
    assert print_module(loaded.module) == "module {\n  toy.block {\n  }\n}\n\n"


def test_a_unit_that_stands_first_is_written() -> None:
    check_round_trip(
        'def Toy_Unit : Toy_Op<"unit"> { let arguments = (ins UnitAttr:$a); let assemblyFormat = "($a^)? attr-dict"; }',
        "  toy.unit unit\n  toy.unit\n",
    )


def test_a_number_may_stand_before_an_x_apart_from_it() -> None:
    memory = """
        def Toy_Memory : TypeDef<Toy_Dialect, "Memory"> {
          let mnemonic = "memory";
          let parameters = (ins "unsigned":$words, "::mlir::IntegerType":$word);
          let assemblyFormat = "`<` $words `x` $word `>`";
        }
        def Toy_Alloc : Toy_Op<"alloc"> {
          let results = (outs Toy_Memory:$m);
          let assemblyFormat = "attr-dict `:` qualified(type($m))";
        }
    """
    check_round_trip(memory, "  %0 = toy.alloc : !toy.memory<5 x i17>\n")


def test_results_are_broadcast_to() -> None:
    add = """
        def Toy_Add : Toy_Op<"add", [ResultsBroadcastableShape]> {
          let arguments = (ins AnyTensor:$a, AnyTensor:$b);
          let results = (outs AnyTensor:$r);
          let assemblyFormat = "$a `,` $b attr-dict `:` functional-type(operands, results)";
        }
    """
    header = "func.func @f(%a: tensor<4x1xf32>, %b: tensor<3xf32>) {\n"
    program = "%r = toy.add %a, %b : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<{}xf32>\nreturn\n}}"
    for shape in ("4x3", "?x3", "2x4x3"):
        (described,) = read(records_of(add), "toy.td")
        context = Context().with_dialect(described.dialect())
        assert verify(load(header + program.format(shape), context).module, None, context) == []
    message = "result type '4x2' not broadcast compatible with broadcasted operands's shapes '4x3'"
    check_refused(add, header + program.format("4x2"), message)


def test_a_class_with_arguments_is_no_name() -> None:
    check_described(
        """
        def Either : DialectType<
            Toy_Dialect, CPred<"isEither($_self)">, "one or the other", "::toy::Variant<::toy::A, ::toy::B>">;
        def Toy_Take : Toy_Op<"take"> {
          let arguments = (ins Either:$a);
          let assemblyFormat = "$a attr-dict `:` type($a)";
        }
        """,
        "[constraint.Either]",
    )


ENUMERATIONS = """
    def A : I32BitEnumAttrCaseBit<"A", 0, "a">;
    def B : I32BitEnumAttrCaseBit<"B", 1, "b">;
    def Toy_Bits : I32BitEnumAttr<"Bits", "bits", [A, B]>;
    def Toy_Grouped : I32BitEnumAttr<"Grouped", "bits and a group", [
        I32BitEnumAttrCaseNone<"None", "none">, A, B, I32BitEnumAttrCaseGroup<"AB", [A, B], "ab">]> {
      let separator = ", ";
    }
    def Toy_Level : I32EnumAttr<"Level", "level", [I32EnumAttrCase<"Low", 0, "low">,
        I32EnumAttrCase<"Mid", 1, "mid level">, I32EnumAttrCase<"Less", -2, "<=">]>;
    def Toy_Enums : Toy_Op<"enums"> {
      let arguments = (ins Toy_Bits:$bits, Toy_Grouped:$grouped, Toy_Level:$level);
      let assemblyFormat = "$bits `,` $grouped `,` $level attr-dict";
    }
"""


@NEEDS_MLIR
@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("a, a, low", "a, a, low"),
        ("a, none, low", 'a, "none", low'),
        ("a, ab, low", 'a, "a, b, ab", low'),
        ('"b", " b,a", "mid level"', 'b, "a, b, ab", "mid level"'),
        ('"a| b", "b", "<="', 'a|b, b, "<="'),
    ],
)
def test_cases_of_enumerations_in_formats(written: str, printed: str) -> None:
    check_printed(ENUMERATIONS, f"  toy.enums {written}\n", f"  toy.enums {printed}\n")


@NEEDS_MLIR
def test_numbers_of_enumerations_are_printed_as_cases() -> None:
    generic = '"toy.enums"() <{bits = 3 : i32, grouped = 0 : i32, level = -2 : i32}> : () -> ()'
    check_printed(ENUMERATIONS, generic, '  toy.enums a|b, "none", "<="\n')


@NEEDS_MLIR
@pytest.mark.parametrize("written", ['"a,b"', '"a|c"', '"none|a"', '"a|"'])
def test_what_is_no_set_of_cases(written: str) -> None:
    message = f"custom op 'toy.enums' invalid bits attribute specification: {written}"
    check_refused(ENUMERATIONS, f"toy.enums {written}, a, low", message)


def test_several_regions_are_there_though_the_first_is_empty() -> None:
    regions = """
        def Toy_Regions : Toy_Op<"regions", [NoTerminator]> {
          let regions = (region AnyRegion:$body, VariadicRegion<AnyRegion>:$rest);
          let assemblyFormat = "$body (`rest` $rest^)? attr-dict";
        }
    """
    check_round_trip(regions, "  toy.regions {\n  } rest {\n  }, {\n  }\n  toy.regions {\n  }\n")


PROPERTIES = """
    include "mlir/IR/Properties.td"
    class Toy_Properties<string mnemonic> : Toy_Op<mnemonic> {
      let arguments = (ins I64Prop:$a, StringProp:$text, ArrayProp<I64Prop>:$list, OptionalProp<I32Prop>:$one,
                           StrAttr:$s);
      let assemblyFormat = "$a `,` $text prop-dict attr-dict";
    }
    def Toy_Keep : Toy_Properties<"keep">;
    def Toy_Own : Toy_Properties<"own"> {
      let extraClassDeclaration = [{
        static ParseResult parseProperties(OpAsmParser &parser, OperationState &result);
      }];
    }
"""


@NEEDS_MLIR
@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("", "{} for op toy.keep: expected key entry for list in DictionaryAttr to set Properties."),
        (
            " <{list = [], one = []}>",
            "{list = [], one = []} for op toy.keep: expected key entry for s in DictionaryAttr to set Properties.",
        ),
        (
            ' <{z, list = [], s = "", k}>',
            '{k, list = [], s = "", z} for op toy.keep: unknown key \'"k"\' when parsing properties dictionary',
        ),
        (
            ' <{list = [], s = "", a = 3}>',
            '{a = 3 : i64, list = [], s = ""} for op toy.keep: unknown key \'"a"\' when parsing properties dictionary',
        ),
    ],
)
def test_keys_of_prop_dict(keys: str, message: str) -> None:
    check_refused(PROPERTIES, f'toy.keep 3, "x"{keys}', f"invalid properties {message}")


@NEEDS_MLIR
def test_code_of_its_own_reads_any_keys_of_prop_dict() -> None:
    check_printed(PROPERTIES, 'toy.own 3, "x" <{s = "", a = 3}>', '  toy.own 3, "x" <{list = [], s = ""}>\n')


@NEEDS_MLIR
def test_properties_that_are_not_given_are_zero() -> None:
    check_printed(PROPERTIES, '"toy.keep"() <{s = ""}> : () -> ()', '  toy.keep 0, "" <{list = [], s = ""}>\n')


@NEEDS_MLIR
@pytest.mark.parametrize(
    ("written", "messages"),
    [
        ('x, "x"', ["expected integer value", "invalid value for property a, expected int64_t"]),
        ("3, x", ["expected string", "invalid value for property text, expected string"]),
        ('-9223372036854775809, "x"', ["integer value too large", "invalid value for property a, expected int64_t"]),
        ('0x8000000000000000, "x"', ["integer value too large", "invalid value for property a, expected int64_t"]),
    ],
)
def test_what_is_no_value_of_a_property(written: str, messages: list[str]) -> None:
    (described,) = read(records_of(PROPERTIES), "toy.td")
    loaded = load(f'toy.keep {written} <{{list = [], s = ""}}>', Context().with_dialect(described.dialect()))
    assert [diagnostic.message for diagnostic in loaded.diagnostics] == [
        f"custom op 'toy.keep' {message}" for message in messages
    ]


@NEEDS_MLIR
def test_constraints_that_are_made_of_each_other() -> None:
    """However long the chain is, each is described, and what is too deep of a predicate is not checked."""
    constraints = "def C0 : AnyTypeOf<[I32]>;\n" + "".join(
        f'def C{n + 1} : AnyTypeOf<[C{n}, F32], "it">;\n' for n in range(300)
    )
    predicates = 'def P0 : Type<CPred<"true">, "x">;\n' + "".join(
        f'def P{n + 1} : Type<And<[P{n}.predicate, CPred<"x">]>, "y">;\n' for n in range(1000)
    )
    text = f'{constraints}{predicates}def Toy_Op_A : Toy_Op<"a"> {{ let arguments = (ins C300:$c, P1000:$p); }}\n'
    described = describe([records_of(text)], "toy")
    assert "type = 'AnyTypeOf<[C299, F32], \"it\">'" in described
    assert "[constraint.C0]" in described
