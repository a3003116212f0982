"""A dialect of one's own and what is tried with it: its description, and Python beside it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import fathom

SHOP = """
dialect = "shop"

[type.price]
parameters = ["of: Type"]
syntax = "`<` $of `>`"

[op.total]
operands = ["left: AnyType", "right: AnyType"]
results = ["sum: AnyType"]
attributes = ["times: I64Attr = 1", "label: OptionalAttr<StrAttr>", "sealed: UnitAttr"]
traits = ["AllTypesMatch<[left, right, sum]>", "Pure"]
syntax = "$left `,` $right (`x` $times^)? attr-dict `:` type($sum)"

[op.price]
attributes = ["value: I64Attr"]
results = ["out: AnyType"]
syntax = "$value attr-dict `:` type($out)"

[op.raise]
operands = ["memory: AnyMemRef", "by: Variadic<AnyType>"]
syntax = "$memory `by` $by attr-dict `:` type($memory) `,` type($by)"

[op.body]
regions = ["inside: AnyRegion"]
"""

TOTAL = "func.func @f(%a: i32) -> i32 {\n  %0 = shop.total %a, %a x 3 : i32\n  return %0 : i32\n}\n"


def run(folder: Path, code: str, text: str, *arguments: str, description: str = SHOP) -> tuple[int, str, str]:
    """`fathom`, with the description and the code in a folder; what it prints names the files without the folder."""
    end = "mlir" if "irdl." in description else "toml"
    described, module = folder / f"shop.{end}", folder / "shop.py"
    described.write_text(description, encoding="utf-8")
    module.write_text(code, encoding="utf-8")
    command, *rest = arguments
    status, out, error = fathom(command, "--dialect", str(described), "--dialect", str(module), *rest, text=text)
    return status, out.replace(f"{folder}/", ""), error.replace(f"{folder}/", "")
