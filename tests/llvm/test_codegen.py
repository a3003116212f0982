"""What LLVM makes below LLVM IR: the words for it, the code, and where its lines come from."""

from __future__ import annotations

import re
import subprocess

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.llvm.codegen.asking import CodeMaker
from fathom.llvm.codegen.assembly import transferred
from fathom.llvm.codegen.pass_names import NAMES
from fathom.llvm.codegen.passes import (
    CALL_GRAPH_PASSES,
    FUNCTION_PASSES,
    LOOP_PASSES,
    MODULE_PASSES,
    NoPipeline,
    groups_of,
)
from fathom.llvm.codegen.printed import shown
from fathom.llvm.codegen.remarks import remarks_in
from fathom.llvm.codegen.targets import TARGETS, NoTarget, target_of
from fathom.llvm.codegen.wanted import Form, NotWanted, Wanted, machine_of, optimization_of
from fathom.llvm.process import Died, Llvm
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.pipeline.lowering import run
from fathom.text.lines import Lines
from fathom.translation.code import MadeCode, code_of, made_by
from tests.cli.running import fathom
from tests.oracles import require_tool, run_tool

MAKER = CodeMaker()
"""One process for all tests."""

SUM = """\
func.func @sum(%p: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %p, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %v = memref.load %p[%i] : memref<?xf32>
    %w = func.call @square(%v) : (f32) -> f32
    %t = arith.addf %s, %w : f32
    scf.yield %t : f32
  }
  return %r : f32
}
func.func @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
"""


# ---- lists of passes


def check_groups(text: str, expected: str) -> None:
    """The groups of a list of passes, one a line."""
    assert "\n".join(f"{group.unit}: {' '.join(group.passes)}" for group in groups_of(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sroa", "function: sroa"),
        ("sroa,instcombine", "function: sroa instcombine"),
        ("function(sroa, instcombine),globaldce", "function: sroa instcombine\nmodule: globaldce"),
        ("function(sroa),function(dce)", "function: sroa\nfunction: dce"),
        (
            "module(cgscc(function-attrs,function(sroa,loop(loop-rotate))),globalopt)",
            "module: function-attrs\nfunction: sroa\nfunction: loop-rotate\nmodule: globalopt",
        ),
    ],
)
def test_groups(text: str, expected: str) -> None:
    check_groups(text, expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected the name of a pass in ''"),
        ("sroa,", "expected the name of a pass in 'sroa,'"),
        ("sroa)", "unexpected ')' in the list of passes 'sroa)'"),
        ("function(sroa", "expected ')' in the list of passes 'function(sroa'"),
        ("sroa;dce", "unexpected ';' in the list of passes 'sroa;dce'"),
        ("instcombine<no-verify-fixpoint>", "'instcombine' takes no parameters here"),
        ("function(globaldce)", "'globaldce' cannot run in a list for smaller parts of a module"),
        (
            "loop(function(sroa))",
            "'function' cannot hold passes here: expected one of module, cgscc, function, loop, loop-mssa",
        ),
        ("module(" * 40 + "dce" + ")" * 40, "lists of passes nest at most 16 deep"),
        ("a" * 5000, "a list of passes has at most 4096 characters"),
    ],
)
def test_refused_groups(text: str, message: str) -> None:
    with pytest.raises(NoPipeline) as refused:
        groups_of(text)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("licm", 0, r"LLVM's pass 'licm' is none of those that llvmlite can run; there are adce, .*, tailcallelim"),
        ("function(sroa, licm<x>)", 15, r"LLVM's pass 'licm' is none of those"),
        ("sroa,instcombin", 5, r"there is no pass 'instcombin' in LLVM; did you mean 'instcombine'\?; here there are"),
        ("sroa,xyzzy", 5, r"there is no pass 'xyzzy' in LLVM; here there are"),
        ("sroa, ;", 6, r"unexpected ';'"),
        ("function(sroa", 13, r"expected '\)'"),
        ("loop(globaldce)", 5, r"'globaldce' cannot run"),
        ("loop(function(sroa))", 5, r"'function' cannot hold passes here"),
    ],
)
def test_what_cannot_run_is_told_at_its_place(text: str, at: int, message: str) -> None:
    with pytest.raises(NotWanted, match=message) as refused:
        optimization_of(text)
    assert refused.value.at == at


def test_names_of_passes_are_those_of_opt() -> None:
    listed = subprocess.run([require_tool("opt"), "--print-passes"], capture_output=True, encoding="utf-8", check=True)
    names: set[str] = set()
    kind = ""
    for line in listed.stdout.splitlines():
        kind = line if line.endswith(":") else kind
        if line.startswith(" ") and " passes" in kind and "Machine" not in kind:
            names.add(line.strip().partition("<")[0])
    assert names == NAMES
    assert not {*MODULE_PASSES, *CALL_GRAPH_PASSES, *FUNCTION_PASSES, *LOOP_PASSES} - NAMES


@pytest.mark.parametrize(
    ("text", "level"), [("0", "0"), ("O3", "3"), ("-Os", "s"), ("z", "z"), ("default<O1>", "1"), (" 2 ", "2")]
)
def test_level(text: str, level: str) -> None:
    assert optimization_of(text).level == level


# ---- targets


def check_target(name: str, cpu: str, features: str, expected: str) -> None:
    target = target_of(name, cpu, features)
    assert " ".join((target.triple, target.cpu, target.features)) == expected


def test_targets() -> None:
    check_target("", "", "", "  ")
    check_target("X86_64", "", "", "x86_64-unknown-linux-gnu x86-64 ")
    check_target("x86-64", "skylake", "+avx2,-fma", "x86_64-unknown-linux-gnu skylake +avx2,-fma")
    check_target("riscv64", "", "+v", "riscv64-unknown-linux-gnu generic-rv64 +m,+a,+f,+d,+c,+v")
    check_target("riscv64", "sifive-u74", "", "riscv64-unknown-linux-gnu sifive-u74 ")
    check_target("thumbv7em-none-eabi", "", "", "thumbv7em-none-eabi  ")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("vax", "", ""), f"there is no target 'vax'; there are {', '.join(TARGETS)}, and LLVM's triples"),
        (("host", "a b", ""), "'a b' is no name of a processor"),
        (("host", "", "avx"), "'avx' are no features: expected words as +avx, with commas between them"),
    ],
)
def test_refused_targets(given: tuple[str, str, str], message: str) -> None:
    with pytest.raises(NoTarget) as refused:
        target_of(*given)
    assert str(refused.value) == message


# ---- code, and where its lines come from


def made_of(
    text: str, form: Form, target: str, level: str = "2", *, passes: str = "", remarks: bool = False, cpu: str = ""
) -> MadeCode:
    """The code of a text in any dialects, followed."""
    loaded = load(text, default_context())
    prepare = run(LOWER_TO_LLVM, loaded.module, default_context())
    assert not prepare.failed
    translated = prepare.translated(tracked=Lines(text).number)
    assert translated.error is None
    wanted = Wanted(optimization_of(passes or level), machine_of(target, cpu))
    made = made_by(MAKER, translated.translation, wanted, form, remarks=remarks)
    return code_of(translated.translation, made)


def check_lines(text: str, form: Form, target: str, expected: str, *, level: str = "1", passes: str = "") -> None:
    """Each line that comes from somewhere, behind the numbers of the lines of the source that it comes from."""
    made = made_of(text, form, target, level, passes=passes)
    assert made.error is None
    found = [
        f"{','.join(str(text.count(chr(10), 0, span.start) + 1) for span in spans)} {_words(line)}"
        for line, spans in zip(made.text.split("\n"), made.sources, strict=True)
        if spans
    ]
    assert "\n".join(found) == expected


def _words(line: str) -> str:
    return " ".join(re.split(r"\s+[#/;]", line)[0].split())


SQUARE = """\
func.func @f(%x: i32, %y: i32) -> i32 {
  %a = arith.muli %x, %x : i32
  %b = arith.addi %a, %y : i32
  return %b : i32
}
"""


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("x86-64", "2 imull %edi, %edi\n3 leal (%rdi,%rsi), %eax\n4 retq"),
        ("aarch64", "3 madd w0, w0, w0, w1\n4 ret"),
        ("riscv64", "2 mul a0, a0, a0\n3 addw a0, a0, a1\n4 ret"),
        ("wasm32", "2 local.get 0\n2 local.get 0\n2 i32.mul\n3 local.get 1\n3 i32.add\n4 end_function"),
        (
            "nvptx64",
            "1 ld.param.b32 %r1, [f_param_0];\n1 ld.param.b32 %r2, [f_param_1];\n"
            "3 mad.lo.s32 %r3, %r1, %r1, %r2;\n4 st.param.b32 [func_retval0], %r3;\n4 ret;",
        ),
        (
            "amdgcn",
            "1 s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n1 v_mov_b32_e32 v2, v1\n"
            "3 v_mad_u64_u32 v[0:1], s[4:5], v0, v0, v[2:3]\n4 s_setpc_b64 s[30:31]",
        ),
    ],
)
def test_lines_of_assembly(target: str, expected: str) -> None:
    check_lines(SQUARE, "assembly", target, expected)


def test_lines_of_optimised_ir() -> None:
    check_lines(
        SQUARE,
        "ir",
        "x86-64",
        "2 %3 = mul i32 %0, %0\n3 %4 = add i32 %3, %1\n4 ret i32 %4",
    )


def test_lines_of_what_is_inlined_are_those_of_the_callee() -> None:
    made = made_of(SUM, "ir", "x86-64", "2")
    lines = {
        SUM.count("\n", 0, span.start) + 1
        for line, spans in zip(made.text.split("\n"), made.sources, strict=True)
        for span in spans
        if "fmul" in line
    }
    assert lines == {15}


DOUBLE = """\
func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}
"""


def test_passes_run_in_their_order() -> None:
    assert "shl i32" in made_of(DOUBLE, "ir", "x86-64", passes="function(instcombine,simplifycfg)").text
    assert made_of(SQUARE, "ir", "x86-64", passes="reg2mem").text.count("alloca") > 0


@pytest.mark.parametrize("target", [*TARGETS])
def test_every_target_makes_code(target: str) -> None:
    made = made_of(SQUARE, "assembly", target)
    assert made.error is None
    assert len(made.text.split("\n")) == len(made.sources)


class Dying(Llvm):
    """A process that dies of its first questions."""

    def __init__(self, deaths: int) -> None:
        super().__init__(is_new=True)
        self.deaths = deaths

    def ask(self, kind: int, text: str) -> str:
        self.deaths -= 1
        if self.deaths >= 0:
            raise Died("it is dead")
        return super().ask(kind, text)


@pytest.mark.parametrize(("deaths", "dies"), [(1, False), (2, True)])
def test_of_one_death_of_the_back_end_for_spirv_nobody_hears(
    monkeypatch: pytest.MonkeyPatch, deaths: int, *, dies: bool
) -> None:
    monkeypatch.setattr(MAKER, "_alone", Dying(deaths))
    assert (made_of(SQUARE, "assembly", "spirv64").error is not None) == dies


LOCATED = """\
#file = #llvm.di_file<"a.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false,
                              emissionKind = LineTablesOnly>
#type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal>
#sub = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 3,
                           scopeLine = 3, subprogramFlags = Definition, type = #type>
llvm.func @f(%x: i32) -> i32 {
  %a = llvm.mul %x, %x : i32 loc(fused<#sub>["a.c":40:2])
  llvm.return %a : i32 loc(fused<#sub>["a.c":41:2])
} loc(fused<#sub>["a.c":3:1])
"""


def test_own_debug_information_is_kept_and_followed() -> None:
    made = made_of(LOCATED, "ir", "x86-64")
    assert "!DILocation(line: 40, column: 2" in made.text
    check_lines(LOCATED, "ir", "x86-64", "8 %2 = mul i32 %0, %0, !dbg !6\n9 ret i32 %2, !dbg !7")


def test_numbers_of_metadata_are_those_without_locations() -> None:
    located = """\
define i32 @f(ptr %0) #0 !dbg !5 {
  %2 = load i32, ptr %0, align 4, !dbg !8, !tbaa !9
  ret i32 %2, !dbg !10
}

@s = constant [9 x i8] c", !dbg !8"

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!1 = !DIFile(filename: "-", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", unit: !0)
!8 = !DILocation(line: 7, scope: !5)
!9 = !{!11, !11, i64 0}
!10 = !DILocation(line: 0, scope: !5)
!11 = !{!"!dbg !8"}
"""
    text, places = shown(located)
    assert (
        text
        == """\
define i32 @f(ptr %0) #0 {
  %2 = load i32, ptr %0, align 4, !tbaa !1
  ret i32 %2
}

@s = constant [9 x i8] c", !dbg !8"

!llvm.module.flags = !{!0}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{!2, !2, i64 0}
!2 = !{!"!dbg !8"}
"""
    )
    assert places == [None, (7, 0), *[None] * (len(text.split("\n")) - 2)]


def test_instructions_are_paired_where_some_differ() -> None:
    located = "f:\n\t.loc\t1 3 0\n\tmov\ta, b\n\tnop\n\t.loc\t1 4 0\n\tadd\ta, b\n"
    assert transferred(located, "f:\n\tmov\ta, b\n\tadd\ta, b\n") == [None, (3, 0), (4, 0), None]
    assert transferred(located, "f:\n\tadd\ta, b\n\tmov\ta, b\n") == [None, (4, 0), (3, 0), None]


# ---- remarks


def check_remarks(text: str, expected: list[str], **how: str) -> None:
    made = made_of(text, "assembly", "x86-64", how.get("level", "3"), remarks=True)
    found = [
        f"{text.count(chr(10), 0, each.span.start) + 1}: {each.message}" for each in made.told if each.span is not None
    ]
    for line in expected:
        assert any(said.startswith(line) for said in found), "\n".join(found)


def test_remarks() -> None:
    check_remarks(
        SUM,
        [
            "8: 'square' inlined into 'sum' with (cost=-30, threshold=",
            "9: loop not vectorized: cannot prove it is safe to reorder floating-point operations",
            "6: unrolled loop by a factor of ",
        ],
    )


def test_remarks_in_what_was_printed() -> None:
    printed = """\
remark: -:18:0: 'a' inlined into 'b'
warning: something else
remark: -:7:2: loop not
vectorized
remark: <unknown>:0:0: nothing
remark: -:18:0: 'a' inlined into 'b'
"""
    assert remarks_in(printed) == [(18, 0, "'a' inlined into 'b'"), (7, 2, "loop not vectorized"), (0, 0, "nothing")]


# ---- what goes wrong


def test_unknown_processor_is_told() -> None:
    made = made_of(SQUARE, "assembly", "aarch64", cpu="nope")
    assert made.error is not None
    message = "LLVM makes no code of this: 'nope' is not a recognized processor for this target"
    assert made.error.message == message
    assert made.error.span is not None


def test_what_ends_llvm_is_told_where_it_is() -> None:
    text = """\
llvm.func @g() { llvm.return }
llvm.func @f(%x: f128) -> f128 {
  %a = llvm.fmul %x, %x : f128
  llvm.return %a : f128
}
"""
    made = made_of(text, "assembly", "nvptx64")
    assert made.error is not None
    assert made.error.message.startswith("LLVM makes no code of this: ")
    assert made_of(SQUARE, "assembly", "nvptx64").error is None


def test_what_takes_too_long_is_given_up() -> None:
    maker = CodeMaker(seconds=0.05)
    text = "".join(f"define void @f{i}() {{\n  ret void\n}}\n" for i in range(20_000))
    code = maker.code(text, Wanted(), "assembly")
    maker.close()
    assert code.problem == "LLVM takes more than 0.05 seconds"


# ---- on the command line


def check_command(arguments: str, expected: str, text: str = SQUARE) -> None:
    """What `fathom translate` writes holds this."""
    status, stdout, stderr = fathom("translate", *arguments.split(), text=text)
    assert (status, stderr) == (0, "")
    assert expected in stdout


def test_command() -> None:
    check_command("--lower-to-llvm", "define i32 @f(i32 %0, i32 %1) {\n  %3 = mul i32 %0, %0")
    check_command("--lower-to-llvm -O2", "memory(none)")
    check_command("--lower-to-llvm --optimize=s", "optsize")
    check_command("--lower-to-llvm -Oz", "attributes #0 = { minsize ")
    check_command("--lower-to-llvm --emit=asm --target=aarch64", "madd\tw0, w0, w0, w1")
    check_command("--lower-to-llvm --emit=asm --target=wasm32", "i32.mul")


def test_command_writes_objects() -> None:
    status, stdout, stderr = fathom("translate", "--lower-to-llvm", "--emit=obj", "--target=x86-64", text=SQUARE)
    assert (status, stderr) == (0, "")
    assert stdout.encode("utf-8", "surrogateescape").startswith(b"\x7fELF")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--optimize=sroa,", "fathom translate: expected the name of a pass in 'sroa,'\n"),
        (
            "--target=vax",
            f"fathom translate: there is no target 'vax'; there are {', '.join(TARGETS)}, and LLVM's triples\n",
        ),
        ("-O7", "fathom translate: for the -O option: Cannot find option named '7'!\n"),
    ],
)
def test_command_refuses(arguments: str, message: str) -> None:
    assert fathom("translate", "--lower-to-llvm", arguments, text=SQUARE) == (1, "", message)


def test_command_tells_remarks() -> None:
    status, _, stderr = fathom("translate", "--lower-to-llvm", "-O3", "--remarks", text=SUM)
    assert status == 0
    assert "<stdin>:8:10: remark: 'square' inlined into 'sum'" in stderr


def test_command_tells_what_is_left() -> None:
    text = 'emitc.call_opaque "f"() : () -> ()\n'
    status, stdout, stderr = fathom("translate", "--lower-to-llvm", "-O3", text=text)
    assert (status, stdout) == (1, "")
    assert "<stdin>:1:1: error: " in stderr


# ---- beside LLVM's own tools


@pytest.mark.parametrize("target", ["x86-64", "aarch64", "wasm32", "nvptx64"])
@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_as_llvms_tools_have_it(target: str, level: str) -> None:
    """Followed or not, what is shown is what `opt` and `llc` print of a module that has no locations."""
    _, plain, _ = fathom("translate", "--lower-to-llvm", text=SUM)
    optimised = made_of(SUM, "ir", target, level).text
    layout = "\n".join(line for line in optimised.splitlines() if line.startswith("target "))
    cpu = TARGETS[target].cpu
    wanted = run_tool("opt", [f"-O{level}", f"-mcpu={cpu}", "-S"], f"{layout}\n{plain}").stdout
    # What the tool says of the machine in each function, too.
    wanted = wanted.replace(f' "target-cpu"="{cpu}"', "")
    assert optimised.partition("\n")[2] == wanted.partition("\n")[2]
    assembly = run_tool("llc", [f"-O{level}", f"-mcpu={cpu}"], wanted).stdout
    assert made_of(SUM, "assembly", target, level).text == assembly
