"""Data layouts of LLVM, and what is wrong with them: in the words of mlir-opt 22."""

from __future__ import annotations

import pytest

from tests.cli.running import fathom
from tests.oracles import run_tool

LAYOUTS = """\
e-p:32:32x
E-x
ee
e-
-
e--i64:64
i64
i:32
i0:8
i64:
i64:x
i64:0
i64:12
i64:64:32
i64:64:64:64
i8:16
i99999999:8
i64:99999
f32:32:0
v128:128
v:8
v128
a
a:0:64
a:0
a64:64
a0:64
a8:64
a:64:32
a:12:16
a:1:2:3
p
p:
p:64
p:64:64
p:64:64:
p:64:64:64:64
p:64:64:64:65
p:64:64:32
p:64:64:64:64:64
px:64:64
p1:32:32
p99999999:32:32
p:0:8
pe:64:64
pu3:64:64
p(x):64:64
p1()
n
n8
n8:16:x
n8:
n0
ni
ni:
ni:0
ni:1:2
ni:x
ni1
S
S128
S0
S12
Sx
P
P1
Px
A5
Ax
A
G1
G
F
Fi8
Fn32
Fx8
Fi
Fi0
Fi12
m
m:
m:e
m:x
m:ee
mx
me
me:e
s
s:64
s0:64:64
t
e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128
p1(:64:64
p(1):64:64
pue1:64:64
i64:64:
i8:8
i8:
i64:-8
i64: 8
m::
p:64:64:64:0
i8:x:8
i8:0
i8:12
p():64:64
p(x)y:64:64
p1x:64:64
p(x:64:64
p3(a b):64:64
px(:64:64
"""


def test_what_is_wrong_with_layouts() -> None:
    modules = [f'module attributes {{llvm.data_layout = "{layout}"}} {{}}\n' for layout in ("", *LAYOUTS.splitlines())]
    text = "// -----\n".join(modules)
    options = ["--split-input-file", "--mlir-print-op-on-diagnostic=false"]
    answer = run_tool("mlir-opt", options, text)
    # A message from LLVM has a line end of its own there.
    assert fathom("opt", *options, text=text) == (answer.status, answer.stdout, answer.stderr.replace("\n\n", "\n"))


@pytest.mark.parametrize("layout", ["p1:32:32", "pu1:32:32", "p1(near):32:32"])
def test_pointers_of_an_address_space(layout: str) -> None:
    text = f"""\
module attributes {{llvm.data_layout = "{layout}"}} {{
  llvm.func @f(%p: !llvm.ptr<1>) -> !llvm.ptr<1> {{
    %0 = llvm.load %p : !llvm.ptr<1> -> !llvm.ptr<1>
    llvm.return %0 : !llvm.ptr<1>
  }}
}}
"""
    status, translated, errors = fathom("translate", "--mlir-to-llvmir", text=text)
    assert (status, errors) == (0, "")
    assert "load ptr addrspace(1), ptr addrspace(1) %0, align 4\n" in translated
