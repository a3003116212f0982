"""Dialects of the user's own on the command line: `--dialect`, `--dialect-path`, `fathom dialect`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.tablegen.json import write_json
from tests.irdl.test_ods import NEEDS_MLIR, records_of

SHOP = """
dialect = "shop"

[op.fill]
summary = "fills"
operands = ["items: Variadic<AnyInteger>"]
results = ["out: Index"]
syntax = "$items attr-dict `:` type($items)"
"""
PROGRAM = """\
func.func @f(%arg0: i8) -> index {
  %0 = shop.fill %arg0, %arg0 : i8, i8
  return %0 : index
}
"""


def fathom(*arguments: str, given: str = "") -> tuple[int, str, str]:
    """The exit status of a command line, and what it wrote."""
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(arguments, io.StringIO(given), stdout, stderr)
    return status, stdout.getvalue(), stderr.getvalue()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.toml"
    path.write_text(SHOP)
    return path


def test_a_dialect_is_known_by_its_description(shop: Path) -> None:
    status, out, _ = fathom("opt", "--mlir-print-op-generic", "--dialect", str(shop), given=PROGRAM)
    assert status == 0
    assert '%0 = "shop.fill"(%arg0, %arg0) : (i8, i8) -> index' in out


def test_the_dialects_of_a_folder_are_known(shop: Path) -> None:
    assert fathom("opt", f"--dialect-path={shop.parent}", given=PROGRAM)[0] == 0


def test_a_program_runs_with_dialects_of_ones_own(shop: Path) -> None:
    program = "func.func @main() -> i32 {\n  %0 = arith.constant 7 : i32\n  return %0 : i32\n}\n"
    assert fathom("run", f"--dialect={shop}", given=program)[:2] == (0, "7\n")


def test_what_some_dialects_admit_is_admitted_in_the_generic_form() -> None:
    admitted = "".join(f'  "{name}.own"() : () -> ()\n' for name in ("llvm", "spirv", "nvvm", "rocdl", "shape"))
    assert fathom("opt", given=admitted) == (0, f"module {{\n{admitted}}}\n\n", "")
    status, _, errors = fathom("opt", given='"builtin.own"() : () -> ()\n')
    refused = "unregistered operation 'builtin.own' found in dialect ('builtin') that does not allow unknown operations"
    assert (status, errors.splitlines()[0]) == (1, f"<stdin>:1:1: error: {refused}")


def test_without_its_description_a_dialect_is_unknown() -> None:
    status, _, err = fathom("opt", given=PROGRAM)
    assert status == 1
    assert "Dialect `shop' not found for custom op 'shop.fill'" in err


def test_what_is_wrong_with_a_description_is_said(shop: Path) -> None:
    shop.write_text(SHOP.replace("AnyInteger", "AnyIntegr"))
    place = f"{shop}:6:30: op.fill.operands[0]: unknown type constraint 'AnyIntegr'"
    status, _, err = fathom("dialect", "check", str(shop))
    assert (status, err) == (1, f"{place}\n")
    assert fathom("opt", f"--dialect={shop}", given=PROGRAM)[::2] == (1, f"{place}\n")


def test_a_description_without_mistakes(shop: Path) -> None:
    assert fathom("dialect", "check", str(shop)) == (0, "shop: checked: 1 operation\n", "")


def test_what_is_known_of_an_operation(shop: Path) -> None:
    expected = """\
[op.fill]
summary = "fills"
operands = ["items: Variadic<AnyInteger>"]
results = ["out: Index"]
syntax = "$items attr-dict `:` type($items)"
checked = "complete"
"""
    assert fathom("dialect", "show", "shop.fill", "--dialect", str(shop)) == (0, expected, "")


def test_an_operation_that_stands_in_python_is_shown_too() -> None:
    status, out, _ = fathom("dialect", "show", "arith.addi")
    assert status == 0
    assert 'operands = ["lhs: SignlessIntegerOrIndexLike", "rhs: SignlessIntegerOrIndexLike"]' in out


def test_the_operations_of_a_dialect() -> None:
    status, out, _ = fathom("dialect", "show", "ub")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == ["ub.poison", "ub.unreachable"]


def test_what_nobody_knows_cannot_be_shown() -> None:
    assert fathom("dialect", "show", "shop.fill")[::2] == (
        1,
        "fathom dialect show: no operation 'shop.fill' is known\n",
    )


def test_what_is_shown_has_to_be_named() -> None:
    assert fathom("dialect", "show") == (1, "", "fathom dialect show: name an operation or a dialect\n")
    assert fathom("dialect", "show", "--help")[1].startswith("usage: fathom dialect show [OPTIONS] NAME\n")


@pytest.mark.parametrize(
    ("name", "text"),
    [("program.mlir", "module {}\n"), ("shop.td", "class Shop;\ndef shop : Shop;\n"), ("empty.td", "")],
)
def test_a_file_that_describes_no_dialect(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert fathom("dialect", "check", str(path)) == (1, "", f"{path}: describes no dialect\n")


@pytest.mark.parametrize("name", ["program", "shop.toml", "shop.td", "shop.json", "shop.mlir"])
@pytest.mark.parametrize(
    "command", [["dialect", "check"], ["dialect", "import"], ["dialect", "dump"], ["opt", "--dialect"]]
)
def test_a_file_that_is_no_text(tmp_path: Path, name: str, command: list[str]) -> None:
    path = tmp_path / name
    path.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(100))
    said = f"{path}: the input is a binary file (ELF: a program, a library or an object file)\n"
    assert fathom(*command, str(path)) == (1, "", said)


@NEEDS_MLIR
def test_a_definition_in_tablegen_becomes_a_description(tmp_path: Path) -> None:
    records = tmp_path / "toy.json"
    records.write_text(
        write_json(
            records_of("""
                def Toy_AOp : Toy_Op<"a"> {
                  let summary = "does";
                  let arguments = (ins Variadic<I8>:$in);
                  let assemblyFormat = "$in attr-dict";
                }
            """)
        )
    )
    status, out, _ = fathom("dialect", "import", str(records))
    assert status == 0
    assert out == (
        'dialect = "toy"\nchecked = "declared"\n\n[op.a]\noperands = ["in: Variadic<I8>"]\nsyntax = "$in attr-dict"\n'
    )
    status, out, _ = fathom(
        "opt", f"--dialect={records}", given="func.func @f(%arg0: i8) {\n  toy.a %arg0\n  return\n}\n"
    )
    assert (status, "    toy.a %arg0\n" in out) == (0, True)


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[]")
    status, _, err = fathom("opt", f"--dialect={path}", given=PROGRAM)
    assert status == 1
    assert err.startswith(f"{path}: ")
    path.write_text("def a;")
    said = f"{path}: not the JSON of llvm-tblgen: Expecting value: line 1 column 1 (char 0)\n"
    assert fathom("dialect", "import", str(path)) == (1, "", said)


TOY = """\
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def Toy_Dialect : Dialect { let name = "toy"; let cppNamespace = "::toy"; }
"""


@NEEDS_MLIR
def test_a_dialect_is_known_by_its_definition_in_tablegen(tmp_path: Path) -> None:
    (tmp_path / "Toy.td").write_text(TOY)
    ops = tmp_path / "ToyOps.td"
    ops.write_text("""\
include "Toy.td"
def Toy_AddOp : Op<Toy_Dialect, "add", [Pure]> {
  let summary = "adds";
  let arguments = (ins AnyInteger:$lhs, I64Attr:$rhs);
  let results = (outs AnyInteger:$sum);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($sum)";
}
""")
    program = "func.func @f(%a: i32) -> i8 {\n  %0 = toy.add %a, 5 : i32 -> i8\n  return %0 : i8\n}\n"
    status, out, _ = fathom("opt", "--mlir-print-op-generic", "--dialect", str(ops), given=program)
    assert status == 0
    assert '"toy.add"(%arg0) <{rhs = 5 : i64}> : (i32) -> i8' in out
    imported = fathom("dialect", "import", str(ops))[1]
    assert '[op.add]\noperands = ["lhs: AnyInteger"]\nresults = ["sum: AnyInteger"]\n' in imported
    ops.write_text(ops.read_text().replace("I64Attr", "I64Atr"))
    wrong = f"{ops}:4:41: error: Variable not defined: 'I64Atr'"
    assert wrong in fathom("opt", "--dialect", str(ops), given=program)[2]
    assert wrong in fathom("dialect", "check", str(ops))[2]
    ops.write_text(ops.read_text().replace("I64Atr", "I64Attr").replace(" `->` type($sum)", ""))
    wrong = (
        f"{ops}:2:5: error: type of result #0, named 'sum', is not buildable and a buildable type cannot be inferred"
    )
    assert wrong in fathom("opt", "--dialect", str(ops), given=program)[2]
    assert wrong in fathom("dialect", "check", str(ops))[2]


@NEEDS_MLIR
def test_what_is_wrong_with_a_file_in_tablegen_is_said_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "Toy.td").write_text(TOY)
    (tmp_path / "Base.td").write_text("""\
include "Toy.td"
class Toy_Written<string name> : Op<Toy_Dialect, name> {
  let assemblyFormat = "$missing attr-dict";
}
""")
    ops = tmp_path / "ToyOps.td"
    ops.write_text("""\
include "Base.td"
def Toy_AddOp : Op<Toy_Dialect, "add"> {
  let arguments = (ins AnyType:$lhs);
  let assemblyFormat = [{
    $lhs attr-dict `;` type($lhs)
  }];
}
def Toy_SubOp : Toy_Written<"sub">;
def Toy_MulOp : Op<Toy_Dialect, "mul"> { let arguments = (ins AnyType:$x, AnyType:$x); }
""")
    status, _, said = fathom("dialect", "check", str(ops))
    assert (status, said) == (
        1,
        f"{ops}:5:20: op.add.syntax: expected valid literal but got ';'\n"
        f"{ops}:9:5: op.mul: the name 'x' is used twice\n"
        f"{tmp_path}/Base.td:3:25: op.sub.syntax: "
        "expected variable to refer to an argument, region, result, or successor\n",
    )


@NEEDS_MLIR
def test_includes_are_looked_up_in_the_folders_that_are_named(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "Toy.td").write_text(TOY)
    ops = tmp_path / "ToyOps.td"
    ops.write_text('#ifdef WITH\ninclude "Toy.td"\ndef Toy_End : Op<Toy_Dialect, "end">;\n#endif\n')
    assert fathom("dialect", "import", str(ops), "-D", "WITH")[2].count("could not find include file 'Toy.td'") == 1
    imported = fathom("dialect", "import", str(ops), "-I", str(tmp_path / "in"), "-DWITH")
    assert "[op.end]" in imported[1]


def test_a_description_may_add_to_a_dialect_that_is_known(tmp_path: Path) -> None:
    more = tmp_path / "more.toml"
    more.write_text("""\
dialect = "arith"
extends = true

[op.triple]
operands = ["x: AnyInteger"]
results = ["y: AnyInteger"]
traits = ["SameOperandsAndResultType"]
syntax = "$x attr-dict `:` type($y)"
""")
    program = (
        "func.func @f(%a: i32) -> i32 {\n  %0 = arith.triple %a : i32\n  %1 = arith.addi %0, %a : i32\n"
        "  return %1 : i32\n}\n"
    )
    status, out, _ = fathom("opt", "--mlir-print-op-generic", "--dialect", str(more), given=program)
    assert status == 0
    assert '"arith.triple"(%arg0) : (i32) -> i32' in out
    assert '"arith.addi"(%0, %arg0) <{overflowFlags' in out
    assert (
        "'arith.thrice' is unknown" in fathom("opt", f"--dialect={more}", given=program.replace("triple", "thrice"))[2]
    )


@NEEDS_MLIR
def test_a_file_in_tablegen_adds_to_a_dialect_that_is_known(tmp_path: Path) -> None:
    mine = tmp_path / "Mine.td"
    mine.write_text("""\
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def MineOp : Op<Transform_Dialect, "mine.twice",
    [TransformOpInterface, MemoryEffectsOpInterface, TransformEachOpTrait, FunctionalStyleTransformOpTrait]> {
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs Transform_AnyOpType:$out);
  let assemblyFormat = "$target attr-dict `:` functional-type($target, $out)";
}
""")
    program = """\
transform.sequence failures(propagate) {
^bb0(%arg0: !transform.any_op):
  %0 = transform.mine.twice %arg0 : (!transform.any_op) -> !transform.any_op
  %1 = transform.structured.match ops{["scf.for"]} in %0 : (!transform.any_op) -> !transform.any_op
}
"""
    status, out, err = fathom("opt", "--dialect", str(mine), given=program)
    assert (status, err) == (0, "")
    assert program.replace("\n  ", "\n    ").split("\n")[2] in out


MODULE = """\
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.verifying import VERIFY


def verify_fill(op):
    return "needs items" if not op.operands else None


CODE = {
    "shop": DialectCode(
        operations={"fill": OpCode(result_names=lambda op: ["count"])},
        aspects={VERIFY: lambda: {"shop.fill": verify_fill}},
    )
}
"""


def test_code_says_what_a_description_leaves_to_it(shop: Path) -> None:
    module = shop.with_suffix(".py")
    module.write_text(MODULE)
    both = [f"--dialect={shop}", f"--dialect={module}"]
    assert "%count = shop.fill" in fathom("opt", *both, given=PROGRAM)[1]
    wrong = '"shop.fill"() : () -> index\n'
    assert "<stdin>:1:1: error: 'shop.fill' op needs items" in fathom("opt", *both, given=wrong)[2]
    assert fathom("opt", f"--dialect={shop}", given=wrong)[0] == 0


REWRITES = """\
from fathom.irdl.code import DialectCode
from fathom.rewriting.canonicalization import CANONICALIZATION
from fathom.rewriting.inlining_rules import INLINING, InliningRules
from fathom.rewriting.pattern import NO_MATCH, Pattern


def fill_once(op, operands, rewriter):
    if len(op.operands) < 2:
        return NO_MATCH
    rewriter.replace_with(op, op.name, op.operands[:1], [op.result.type])
    return None


CODE = {
    "shop": DialectCode(
        aspects={
            CANONICALIZATION: lambda: [Pattern("shop.fill", fill_once)],
            INLINING: lambda: InliningRules(holds=lambda op, target: True),
        },
    )
}
"""


def test_code_canonicalises_and_is_inlined(shop: Path) -> None:
    module = shop.with_suffix(".py")
    module.write_text(REWRITES)
    program = """\
func.func private @filled(%a: i32, %b: i32) -> index {
  %0 = "shop.fill"(%a, %b) : (i32, i32) -> index
  return %0 : index
}
func.func @open(%a: i32) -> index {
  %0 = call @filled(%a, %a) : (i32, i32) -> index
  return %0 : index
}
"""
    alone, both = [f"--dialect={shop}"], [f"--dialect={shop}", f"--dialect={module}"]
    assert fathom("opt", *alone, "--inline", given=program)[1].count("shop.fill") == 1
    canonical = fathom("opt", *both, "--canonicalize", given=program)[1]
    assert "shop.fill %arg0 :" in canonical and "call @filled" in canonical
    inlined = fathom("opt", *both, "--inline", given=program)[1]
    assert "shop.fill %arg0 :" in inlined and "@filled" not in inlined


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("def (\n", "1: SyntaxError: "),
        ("import os\nos.nothing\n", "2: AttributeError: "),
        (
            "CODES = {}\n",
            "1: nothing in it is declared by `fathom.dialect`, and there is no `CODE`: a dictionary of",
        ),
        ('CODE = {"shop": 1}\n', "1: `CODE` is a dictionary of `DialectCode` by the names of dialects"),
    ],
)
def test_what_is_wrong_with_code_is_said(shop: Path, text: str, wrong: str) -> None:
    module = shop.with_suffix(".py")
    module.write_text(text)
    status, _, err = fathom("opt", f"--dialect={shop}", f"--dialect={module}", given=PROGRAM)
    assert status == 1
    assert f"{module}:{wrong}" in err


def test_a_description_may_add_to_another(shop: Path) -> None:
    more = shop.with_name("more.toml")
    more.write_text('dialect = "shop"\nextends = true\n\n[op.close]\nsyntax = "attr-dict"\n')
    both = [f"--dialect={shop}", f"--dialect={more}"]
    program = PROGRAM.replace("  return", "  shop.close\n  return")
    assert "shop.close\n" in fathom("opt", *both, given=program)[1]
    assert "shop.close\n" in fathom("opt", *reversed(both), given=program)[1]


def test_several_descriptions_may_add_to_another(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.toml" for name in ("open", "close")]
    for file in files:
        file.write_text(f'dialect = "arith"\nextends = true\n\n[op.{file.stem}]\nsyntax = "attr-dict"\n')
    program = "arith.open\narith.close\n%c = arith.constant 1 : i32\n"
    assert "arith.open\n  arith.close\n" in fathom("opt", *[f"--dialect={file}" for file in files], given=program)[1]


def test_a_mistake_in_a_definition_is_said_once(tmp_path: Path) -> None:
    """Not again by all that it is a part of."""
    path = tmp_path / "sig.toml"
    path.write_text("""\
dialect = "sig"

[type.stream]
parameters = ["of: Type", "rate: int64_t"]
syntax = "`<` $of `@` $rate `>`"

[attribute.taps]
parameters = ["values: ArrayRefParameter<int64_t>", "scale: ::mlir::FloatAttr"]
syntax = "`<` `[` $values `]` `,` $scale `>`"

[constraint.Positive]
attribute = "And<[I64Attr, AtLeast<\\"value\\", 1>]>"

[op.filter]
operands = ["in: stream"]
attributes = ["coefficients: taps", "factor: Positive"]
results = ["out: stream"]
traits = ["AllTypesMatch<[in, out]>"]
syntax = "$in `by` $coefficients $factor attr-dict `:` type($in)"
""")
    wrong = f"{path}:5:19: type.stream.syntax: expected valid literal but got '@'\n"
    assert fathom("dialect", "check", str(path)) == (1, "", wrong)
    path.write_text(path.read_text().replace("`@`", "`,`"))
    counted = "sig: checked: 1 operation, 1 type, 1 attribute\n"
    assert fathom("dialect", "check", str(path)) == (0, counted, "")
    body = "  %0 = sig.filter %s by <[1, 2], 0.5 : f32> 1 : <f32, 8>\n  return\n"
    program = f"func.func @f(%s: !sig.stream<f32, 8>) {{\n{body}}}\n"
    assert fathom("opt", "--dialect", str(path), given=program)[::2] == (0, "")
    status, _, said = fathom("opt", "--dialect", str(path), given=program.replace("> 1 :", "> 0 :"))
    assert (status, "attribute 'factor' failed to satisfy constraint" in said) == (1, True)


@NEEDS_MLIR
def test_what_is_not_understood_is_said_once_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "tiles.td"
    path.write_text("""\
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def Q_Dialect : Dialect { let name = "q"; let cppNamespace = "::q"; }
def Q_Tile : TypeDef<Q_Dialect, "Tile"> {
  let mnemonic = "tile";
  let parameters = (ins "int64_t":$n);
  let assemblyFormat = "`<` custom<Dims>($n) `>`";
}
def Q_Scale : AttrDef<Q_Dialect, "Scale"> {
  let mnemonic = "scale";
  let parameters = (ins "::mlir::FloatAttr":$s);
  let assemblyFormat = "`<` $s `>`";
}
def Q_Get : Op<Q_Dialect, "get"> { let results = (outs Q_Tile:$r); let assemblyFormat = "attr-dict `:` type($r)"; }
def Q_Put : Op<Q_Dialect, "put"> { let arguments = (ins Q_Tile:$t); let assemblyFormat = "$t attr-dict `:` type($t)"; }
def Q_Say : Op<Q_Dialect, "say"> { let arguments = (ins Q_Scale:$s); let assemblyFormat = "$s attr-dict"; }
""")
    status, counted, said = fathom("dialect", "check", str(path))
    assert (status, counted) == (
        0,
        "q: kept as written: operations get, put; types TileType; checked: 1 operation, 1 attribute\n",
    )
    assert said.startswith(f"{path}:7:29: note: type.TileType.syntax: no code is given for custom<Dims>: ")
    assert said.count("\n") == 1


@NEEDS_MLIR
def test_the_type_of_an_attribute_may_stand_in_its_format(tmp_path: Path) -> None:
    """As mlir-tblgen has it."""
    path = tmp_path / "way.td"
    path.write_text("""\
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
def Way_Dialect : Dialect { let name = "way"; let cppNamespace = "::way"; }
def Step : AttrDef<Way_Dialect, "Step", [TypedAttrInterface]> {
  let mnemonic = "step";
  let parameters = (ins "int64_t":$by, AttributeSelfTypeParameter<"">:$type);
  let assemblyFormat = "`<` $by `:` $type `>`";
}
def Go : Op<Way_Dialect, "go"> { let arguments = (ins Step:$step); let assemblyFormat = "$step attr-dict"; }
""")
    assert fathom("dialect", "check", str(path))[::2] == (0, "")
    out = fathom("opt", "--dialect", str(path), given="way.go #way.step<3 : i32>\n")
    assert out == (0, "module {\n  way.go <3 : i32>\n}\n\n", "")
    again = fathom("opt", "--dialect", str(path), "--mlir-print-op-generic", given="way.go <3 : i32>\n")
    assert "#way.step<3 : i32> : i32" in again[1]


@NEEDS_MLIR
def test_a_dialect_without_operations_is_one(tmp_path: Path) -> None:
    path = tmp_path / "sum.td"
    path.write_text(
        'include "mlir/IR/OpBase.td"\ndef Sum : Dialect { let name = "sum"; let cppNamespace = "::sum"; }\n'
    )
    assert fathom("dialect", "check", str(path)) == (0, "sum: checked: 0 operations\n", "")
