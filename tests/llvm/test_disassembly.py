"""Object files as text: the same instructions, addresses, symbols and relocations as llvm-objdump shows, the lines that
they come from, and files that are none."""

from __future__ import annotations

import random
import re
import struct
import subprocess
from pathlib import Path
from typing import Final

import pytest

from fathom.llvm.codegen.wanted import Wanted, machine_of, optimization_of
from fathom.llvm.disassembly import listing as of_listing
from fathom.llvm.disassembly import objdump
from fathom.llvm.disassembly.bytes_read import Reader
from fathom.llvm.disassembly.listing import listing
from fathom.llvm.disassembly.objects import NotShown
from fathom.llvm.disassembly.webassembly_names import ATOMIC, MAIN, MORE, VECTOR, Immediate
from fathom.records import record
from tests.cli.running import fathom
from tests.llvm.test_codegen import LOCATED, MAKER, SQUARE, check_lines, made_of
from tests.oracles import require_tool

MIXED = """\
declare float @sqrtf(float)
declare void @say(ptr, i64)

@table = constant [4 x i32] [i32 3, i32 5, i32 7, i32 11]
@counter = global i64 0
@text = private constant [6 x i8] c"hello\\00"

define float @norm(ptr %p, i64 %n) {
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %head ]
  %sum = phi float [ 0.0, %0 ], [ %more, %head ]
  %at = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %at
  %square = fmul float %v, %v
  %more = fadd float %sum, %square
  %next = add i64 %i, 1
  %go = icmp slt i64 %next, %n
  br i1 %go, label %head, label %done
done:
  %root = call float @sqrtf(float %more)
  ret float %root
}

define i32 @pick(i32 %x) {
  switch i32 %x, label %else [ i32 0, label %a  i32 1, label %b  i32 2, label %c  i32 3, label %d  i32 4, label %e ]
a: ret i32 31
b: ret i32 -7
c: ret i32 70000
d: ret i32 12345678
e: ret i32 255
else:
  %at = getelementptr [4 x i32], ptr @table, i32 0, i32 %x
  %v = load i32, ptr %at
  ret i32 %v
}

define i64 @count(i64 %by) {
  %old = atomicrmw add ptr @counter, i64 %by seq_cst
  %low = trunc i64 %old to i8
  %wide = sext i8 %low to i64
  call void @say(ptr @text, i64 %wide)
  ret i64 %wide
}

define <4 x float> @scaled(<4 x float> %v, float %s) {
  %one = insertelement <4 x float> poison, float %s, i32 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %r = fmul <4 x float> %v, %all
  ret <4 x float> %r
}

define void @copy(ptr %to, ptr %from, i64 %n) section ".text.moving" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


# ---- beside llvm-objdump

PREFIXES: Final = ("lock", "rep", "repne")


@record
class Shown:
    """What is in a text: sections with addresses and bytes of instructions, these in words, labels, relocations."""

    places: list[tuple[str, int, str]]
    words: list[str]
    labels: set[tuple[str, int, str]]
    relocations: list[tuple[str, int, str, str]]


def shown_in(text: str) -> Shown:
    shown, section = Shown([], [], set(), []), ""
    for line in text.split("\n"):
        if begins := re.match(r"Disassembly of section (.*):", line):
            section = begins[1]
        elif (code := re.match(r"\s*([0-9a-f]+): ((?:[0-9a-f]{2,8} ?)+)\s*\t(.*)", line)) and ".local" not in code[3]:
            place, words = (section, int(code[1], 16), code[2].replace(" ", "")), _words(code[3])
            if shown.words and shown.words[-1] in PREFIXES:
                # LLVM has a prefix of an instruction as one of its own.
                before, prefix = shown.places.pop(), shown.words.pop()
                place, words = (section, before[1], before[2] + place[2]), f"{prefix} {words}"
            shown.places.append(place)
            shown.words.append(words)
        elif label := re.match(r"([0-9a-f]{8,16}) <(.*)>:", line):
            shown.labels.add((section, int(label[1], 16), label[2]))
        elif entry := re.match(r"\s+([0-9a-f]{8,16}):  (\S+)\s+(\S.*)", line):
            target = entry[3].removesuffix("+0")
            shown.relocations.append((section, int(entry[1], 16), entry[2], target))
    return shown


def _words(text: str) -> str:
    """An instruction without comments and names of places, with its numbers in one form: capstone has small ones in
    decimal, and immediates of a byte without their sign."""
    # LLVM's tool takes each selection for one of the first type that it knows.
    text = re.sub(r"^\w+\.select\b", "select", text)
    text = re.sub(r"<[^>]*>|\s+(?://|#) .*|\s+#\S.*", "", text)
    text = re.sub(r"(?<![\w.])-?(?:0x[0-9a-f]+|\d+)\b(?!p)", lambda number: str(int(number[0], 0)), text)
    return " ".join(text.split())


def object_for(text: str, target: str, features: str = "", level: str = "2") -> bytes:
    wanted = Wanted(optimization_of(level), machine_of(target, features=features))
    made = MAKER.code(text, wanted, "object")
    assert not made.problem, made.problem
    return made.data


def by_llvm(data: bytes, *options: str) -> Shown:
    tool = [require_tool("llvm-objdump"), "-dr", *options, "-"]
    return shown_in(subprocess.run(tool, input=data, capture_output=True, check=True).stdout.decode())


def check_beside_llvm(data: bytes, *options: str) -> None:
    """The text has what llvm-objdump shows; instructions of RISC-V under their full names or their short ones."""
    own, other = shown_in(listing(data).text), by_llvm(data)
    assert own.places == other.places
    assert own.relocations == other.relocations
    assert {label for label in other.labels if label[2] != "CODE"} <= own.labels
    spelled = by_llvm(data, *options).words
    for mine, *theirs in zip(own.words, other.words, spelled, strict=True):
        assert mine in theirs, (mine, theirs)


@pytest.mark.parametrize("level", ["0", "2"])
@pytest.mark.parametrize(
    ("target", "features", "options"),
    [
        ("x86-64", "", ()),
        ("x86-64", "+avx2,+fma", ()),
        ("x86-64", "+avx512f,+avx512vl", ()),
        ("i686-unknown-linux-gnu", "+sse2", ()),
        ("aarch64", "", ()),
        ("aarch64", "+lse", ()),
        ("riscv64", "", ("-M", "no-aliases")),
        ("riscv32-unknown-elf", "+m,+f,+c", ("-M", "no-aliases")),
        ("wasm32", "", ()),
        ("wasm32", "+simd128,+atomics,+sign-ext,+bulk-memory", ()),
    ],
)
def test_beside_llvm(target: str, features: str, options: tuple[str, ...], level: str) -> None:
    check_beside_llvm(object_for(MIXED, target, features, level), *options)


def test_a_prefix_is_part_of_its_instruction() -> None:
    assert "lock\t\txaddq" not in listing(object_for(MIXED, "x86-64", level="0")).text
    assert re.search(r"f0 48 0f c1 01 +\tlock xaddq", listing(object_for(MIXED, "x86-64", level="0")).text)


BEHIND: Final[dict[Immediate | None, bytes]] = {
    None: b"",
    "block": b"\x7f",
    "index": b"\x03",
    "two indices": b"\x00\x00",
    "type index": b"\x00\x00",
    "table": b"\x02\x00\x01\x02",
    "memory": b"\x00\x10",
    "memory lane": b"\x00\x10\x01",
    "i32": b"\xff\x7e",
    "i64": b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f",
    "f32": struct.pack("<f", 1.5),
    "f64": struct.pack("<d", -0.1),
    "v128": bytes(range(16)),
    "lanes": bytes(range(16)),
    "lane": b"\x01",
    "types": b"\x01\x7f",
    "heap type": b"\x70",
    "zero": b"\x00",
    "catches": b"\x40\x01\x00\x00\x00",
}
"""Something that may stand behind an opcode."""
NOT_IN_LLVM: Final = re.compile(r"table\.init|elem\.drop|.*relaxed_.*")
"""Instructions that LLVM's tool does not know."""


def wasm(body: bytes) -> bytes:
    """A module of one function with a body."""

    def section(kind: int, content: bytes) -> bytes:
        return bytes((kind,)) + leb(len(content)) + content

    code = b"\0" + body
    return (
        b"\0asm\1\0\0\0" + section(1, b"\1\x60\0\0") + section(3, b"\1\0") + section(10, b"\1" + leb(len(code)) + code)
    )


def leb(number: int) -> bytes:
    found = bytearray()
    while number >= 0x80:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def every_instruction() -> list[tuple[str, bytes]]:
    found = [(name, bytes((code,)) + BEHIND[what]) for code, (name, what) in MAIN.items()]
    for prefix, table in ((0xFC, MORE), (0xFD, VECTOR), (0xFE, ATOMIC)):
        found += [(name, bytes((prefix,)) + leb(code) + BEHIND[what]) for code, (name, what) in table.items()]
    return found


def test_every_instruction_of_webassembly() -> None:
    known = [(name, code) for name, code in every_instruction() if not NOT_IN_LLVM.fullmatch(name) and code[0] != 0x1C]
    assert len(known) > 500
    data = wasm(b"".join(code for _, code in known))
    own, other = shown_in(listing(data).text), by_llvm(data)
    # Of what is not to be linked LLVM's tool counts from the beginning of the file.
    assert [code for _, _, code in own.places] == [code for _, _, code in other.places]
    assert [words.split()[0] for words in own.words] == [name for name, _ in known]
    for mine, theirs in zip(own.words, other.words, strict=True):
        theirs = re.sub(r"^(?:i16x8|i32x4|i64x2)\.load", "v128.load", theirs).replace(
            "ref.null_func", "ref.null funcref"
        )
        assert mine.removesuffix(" 0" if mine.startswith("atomic.fence") else "") == theirs


def check_wasm(body: bytes, expected: str) -> None:
    """The instructions of a body, one a line."""
    assert "\n".join(shown_in(listing(wasm(body)).text).words) == expected


def test_instructions_that_llvm_does_not_know() -> None:
    check_wasm(
        bytes.fromhex("1c017f fc0c0100 fc0d02 fd9302 0b"),
        _lines("select i32", "table.init 1, 0", "elem.drop 2", "i32x4.relaxed_dot_i8x16_i7x16_add_s", "end"),
    )


def test_from_an_unknown_opcode_on_bytes_are_shown() -> None:
    check_wasm(bytes.fromhex("2000 ff 2001"), _lines("local.get 0", ".byte 255", ".byte 32", ".byte 1"))
    check_wasm(bytes.fromhex("01 4180"), _lines("nop", ".byte 65", ".byte 128"))


def _lines(*lines: str) -> str:
    return "\n".join(lines)


# ---- lines


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("x86-64", "2 0: 0f af ff imull %edi, %edi\n3 3: 8d 04 37 leal (%rdi,%rsi), %eax\n4 6: c3 retq"),
        ("aarch64", "3 0: 1b000400 madd w0, w0, w0, w1\n4 4: d65f03c0 ret"),
        ("riscv64", "2 0: 02a50533 mul a0, a0, a0\n3 4: 9d2d c.addw a0, a1\n4 6: 8082 c.jr ra"),
        (
            "wasm32",
            "2 3: 20 00 local.get 0\n2 5: 20 00 local.get 0\n2 7: 6c i32.mul\n3 8: 20 01 local.get 1\n"
            "3 a: 6a i32.add\n4 b: 0b end",
        ),
        (
            "i686-unknown-linux-gnu",
            "1 0: 8b 44 24 04 movl 4(%esp), %eax\n2 4: 0f af c0 imull %eax, %eax\n"
            "3 7: 03 44 24 08 addl 8(%esp), %eax\n4 b: c3 retl",
        ),
    ],
)
def test_lines(target: str, expected: str) -> None:
    check_lines(SQUARE, "disassembly", target, expected)


def test_own_debug_information_is_followed() -> None:
    check_lines(LOCATED, "disassembly", "x86-64", "8 2: 0f af c7 imull %edi, %eax\n9 5: c3 retq")


def test_lines_of_a_gpu_by_the_installed_tool() -> None:
    require_tool("llvm-objdump")
    made = made_of(SQUARE, "disassembly", "amdgcn", "1")
    lines = [
        (line.split()[0], SQUARE.count("\n", 0, spans[0].start) + 1)
        for line, spans in zip(made.text.split("\n"), made.sources, strict=True)
        if spans
    ]
    # What stands behind the function only fills the section.
    assert lines[:4] == [("s_waitcnt", 1), ("v_mov_b32_e32", 1), ("v_mad_u64_u32", 3), ("s_setpc_b64", 4)]


# ---- what cannot be shown


def check_problem(target: str, message: str) -> None:
    made = made_of(SQUARE, "disassembly", target)
    assert made.error is not None
    assert made.error.message == f"LLVM makes no code of this: {message}"


def test_machines_without_objects() -> None:
    check_problem("nvptx64", "there is no object file for nvptx64: a driver makes code of its assembly")
    check_problem("spirv64", "there is no object file for spirv64: its modules are for a driver to make code of")


def test_a_machine_of_which_only_the_tool_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    data = object_for("define void @f() {\n  ret void\n}\n", "amdgcn")
    monkeypatch.setattr(objdump, "_found", lambda: None)
    with pytest.raises(NotShown, match=r"by llvm-objdump, which is not installed$"):
        listing(data)


UNKNOWN: Final = 'define void @f() {\n  call void asm ".byte 0x62, 0xf5, 0x7c, 0x48, 0x58, 0xc1", ""()\n  ret void\n}\n'
"""Bytes of an instruction of AVX-512 for half precision, which capstone does not know."""


def test_what_capstone_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    data = object_for(UNKNOWN, "x86-64")
    require_tool("llvm-objdump")
    assert "vaddph\t%zmm1, %zmm0, %zmm0" in listing(data).text
    monkeypatch.setattr(of_listing, "has_objdump", lambda: False)
    assert "\t.byte\t0x62" in listing(data).text


def test_names_stay_in_their_line() -> None:
    text = 'define void @"a\\0A0: c3\\09b\\FF\\E2\\80\\AE"() section ".te\\0Axt" {\n  ret void\n}\n'
    shown = listing(object_for(text, "x86-64")).text
    assert "<a\\0a0: c3\\09b\ufffd\\202e>:" in shown
    assert "Disassembly of section .te\\0axt:" in shown


STRANGE: Final = """\
module asm ".section .debug_line,\\22\\22,@progbits"
module asm ".long 0xfffffff0"
module asm ".quad 0x1234567890"
define void @f() {
  ret void
}
"""


def test_what_is_put_into_tables_by_hand() -> None:
    data = object_for(STRANGE, "x86-64")
    with pytest.raises(NotShown, match=r"^the object file cannot be read: "):
        listing(data)


@pytest.mark.parametrize("target", ["x86-64", "aarch64", "riscv64", "wasm32"])
def test_broken_files(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects that end too early, or in which bytes are others, are shown, or it is said why not."""
    monkeypatch.setattr(of_listing, "has_objdump", lambda: False)
    monkeypatch.setattr(objdump, "_found", lambda: None)
    data, chosen = object_for(MIXED, target), random.Random(7)
    shown = 0
    for _ in range(300):
        broken = bytearray(data)
        for _ in range(chosen.randrange(1, 9)):
            broken[chosen.randrange(len(broken))] = chosen.choice((0, 1, 0x7F, 0x80, 0xFF, chosen.randrange(256)))
        if chosen.random() < 0.3:
            del broken[chosen.randrange(len(broken)) :]
        try:
            made = listing(bytes(broken), data)
        except NotShown:
            continue
        shown += 1
        assert len(made.text.split("\n")) == len(made.places)
    assert 0 < shown < 300


def test_numbers_without_an_end() -> None:
    with pytest.raises(NotShown, match="a number in the object file has no end"):
        Reader(b"\x80" * 100).unsigned()
    with pytest.raises(NotShown, match="ends in the midst"):
        Reader(b"\x80").unsigned()


# ---- the command


def test_command(tmp_path: Path) -> None:
    source = tmp_path / "f.mlir"
    source.write_text(SQUARE, encoding="utf-8")
    status, text, errors = fathom("translate", "--lower-to-llvm", "--emit=disasm", "--target=aarch64", str(source))
    assert (status, errors) == (0, "")
    assert (
        text
        == """\
file format elf64-littleaarch64

Disassembly of section .text:

0000000000000000 <f>:
       0: 1b000400     \tmadd\tw0, w0, w0, w1
       4: d65f03c0     \tret
"""
    )
