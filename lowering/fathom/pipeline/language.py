"""The language of pass pipelines.

    --convert-arith-to-llvm=index-bitwidth=32 -convert-func-to-llvm
    builtin.module(func.func(convert-scf-to-cf),any(convert-arith-to-llvm{index-bitwidth=32}),convert-func-to-llvm)

A mistake in a pipeline is data: `Pipeline.errors`, worded as mlir-opt words it. Source of the rules: *Pass
Infrastructure*, "Textual Pass Pipeline Specification" and "Options Specification".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from fathom.ir.operation import MODULE
from fathom.passes import PASSES

ANY: Final = "any"
ROOT: Final = (MODULE, "module", ANY)
UNKNOWN_PLACE: Final = "<unknown>:0: error: "
NOT_WRAPPED: Final = "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'"

CLASS_NAMES: Final = {
    "convert-scf-to-cf": "SCFToControlFlowPass",
    "convert-arith-to-llvm": "ArithToLLVMConversionPass",
    "convert-cf-to-llvm": "ConvertControlFlowToLLVMPass",
    "finalize-memref-to-llvm": "FinalizeMemRefToLLVMConversionPass",
    "convert-func-to-llvm": "ConvertFuncToLLVMPass",
    "reconcile-unrealized-casts": "ReconcileUnrealizedCastsPass",
    "canonicalize": "Canonicalizer",
    "cse": "CSE",
    "lower-affine": "LowerAffinePass",
    "convert-index-to-llvm": "ConvertIndexToLLVMPass",
    "convert-math-to-llvm": "ConvertMathToLLVMPass",
    "convert-vector-to-llvm": "ConvertVectorToLLVMPass",
    "convert-complex-to-llvm": "ConvertComplexToLLVMPass",
    "expand-strided-metadata": "ExpandStridedMetadataPass",
    "arith-expand": "ArithExpandOpsPass",
}
"""What MLIR calls its passes in messages and dumps."""

MODULE_ONLY: Final = frozenset({"convert-cf-to-llvm", "finalize-memref-to-llvm", "convert-func-to-llvm"})
"""The passes that run on a module and nothing else."""


@dataclass(frozen=True, slots=True)
class PassUse:
    """A pass with the options that were given."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        given = " ".join(f"{key}={value}" if value else key for key, value in self.options.items())
        return f"{self.name}{{{given}}}" if given else self.name


@dataclass(frozen=True, slots=True)
class Nest:
    """`anchor(…)`: the passes run on each operation with this name that stands directly in the one around it; `any`
    is the operation itself, whatever it is."""

    anchor: str
    items: tuple[PassUse | Nest, ...]

    def __str__(self) -> str:
        return f"{self.anchor}({','.join(map(str, self.items))})"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A nest at the root, and what is wrong with the text; a pipeline with errors does not run."""

    root: Nest
    errors: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.root)

    @property
    def passes(self) -> list[PassUse]:
        """All passes, in order."""
        return list(_flatten(self.root))


def _flatten(nest: Nest) -> Iterator[PassUse]:
    for item in nest.items:
        if isinstance(item, PassUse):
            yield item
        else:
            yield from _flatten(item)


def parse_pipeline(source: str | Sequence[str]) -> Pipeline:
    """A pipeline from its text (`builtin.module(…)`), or from mlir-opt's flags (`--name`, `-name=option=value`)."""
    if isinstance(source, str):
        return _Reader(source).pipeline()
    uses: list[PassUse] = []
    errors: list[str] = []
    for flag in source:
        name, _, text = flag.lstrip("-").partition("=")
        if name not in PASSES:
            errors.append(f"Unknown command line argument '{flag}'.")
            continue
        options, problem = _parse_options(name, text)
        if problem:
            errors.append(problem)
        uses.append(PassUse(name, options))
    return Pipeline(Nest(MODULE, tuple(uses)), tuple(errors))


def _parse_options(name: str, text: str) -> tuple[dict[str, str], str | None]:
    """The options of a pass, from `a=1 b={c d} e`; with what is wrong with them."""
    known = PASSES[name].options
    options: dict[str, str] = {}
    for key, value in _OPTION.findall(text):
        value = value[1:-1] if value[:1] in ("{", "'", '"') else value
        if key not in known:
            return options, f"<unknown>:0: error: <Pass-Options-Parser>: no such option {key}\n"
        problem = _check_option(key, value, known[key])
        if problem:
            return options, f"{problem}\n<unknown>:0: error: "
        options[key] = value
    return options, None


_OPTION: Final = re.compile(r"""([^\s=]+)(?:=(\{[^}]*\}|'[^']*'|"[^"]*"|\S*))?""")


def _check_option(key: str, value: str, default: str) -> str | None:
    if default in ("true", "false") and value.lower() not in ("", "0", "1", "true", "false"):
        return f"fathom: for the --{key} option: '{value}' is invalid value for boolean argument! Try 0 or 1"
    if default.isdigit() and not re.fullmatch(r"\d+|0x[0-9a-fA-F]+", value):
        return f"fathom: for the --{key} option: '{value}' value invalid for uint argument!"
    return None


class _Reader:
    """Reads the textual form; columns in messages count from the first character in the outermost parentheses."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.errors: list[str] = []
        self.position = 0
        self.inner = ""

    def pipeline(self) -> Pipeline:
        anchor, bracket, inner = self.text.partition("(")
        anchor = anchor.strip()
        if not bracket or not inner.endswith(")") or not re.fullmatch(r"[\w.]+", anchor):
            return Pipeline(Nest(MODULE, ()), (UNKNOWN_PLACE + NOT_WRAPPED,))
        self.inner = inner[:-1]
        items = self.items(anchor, depth=0) if self.inner.strip() else ()
        return Pipeline(Nest(anchor, items), tuple(self.errors))

    def items(self, anchor: str, depth: int) -> tuple[PassUse | Nest, ...]:
        found: list[PassUse | Nest] = []
        while not self.errors:
            start = self.position
            while self.position < len(self.inner) and self.inner[self.position] not in ",(){":
                self.position += 1
            name = self.inner[start : self.position].strip()
            stop = self.inner[self.position : self.position + 1]
            if stop == "(":
                self.position += 1
                found.append(Nest(name, self.items(name, depth + 1)))
            else:
                use = self.use(name, start, anchor, braces=stop == "{")
                if use is not None:
                    found.append(use)
            if self.errors:
                break
            stop = self.inner[self.position : self.position + 1]
            self.position += 1
            if stop == ",":
                continue
            if stop == ")" and depth == 0:
                self.fail(
                    self.position - 1,
                    "encountered extra closing ')' creating unbalanced parentheses while parsing pipeline",
                )
            elif stop == "" and depth:
                self.fail(len(self.inner), "encountered unbalanced parentheses while parsing pipeline")
            elif stop not in ("", ")"):
                self.fail(self.position - 1, "expected ',' after parsing pipeline")
            break
        return tuple(found)

    def use(self, name: str, start: int, anchor: str, *, braces: bool) -> PassUse | None:
        text = ""
        if braces:
            end = self.closing_brace()
            if end is None:
                self.fail(self.position, "missing closing '}' while processing pass options")
                return None
            text = self.inner[self.position + 1 : end]
            self.position = end + 1
        if name not in PASSES:
            self.fail(start, f"'{name}' does not refer to a registered pass or pass pipeline")
            return None
        if name in MODULE_ONLY and anchor not in ROOT:
            self.errors.append(
                f"{UNKNOWN_PLACE}Can't add pass '{CLASS_NAMES[name]}' restricted to 'builtin.module' on a PassManager "
                f"intended to run on '{anchor}', did you intend to nest?\n"
                f"failed to add `{name}` with options `{text}`\n"
                f"failed to add `{anchor}` with options `` to inner pipeline"
            )
            return None
        options, problem = _parse_options(name, text)
        if problem:
            self.errors.append(f"{problem}\nfailed to add `{name}` with options `{text}`")
        return PassUse(name, options)

    def closing_brace(self) -> int | None:
        depth = 0
        for index in range(self.position, len(self.inner)):
            depth += (self.inner[index] == "{") - (self.inner[index] == "}")
            if depth == 0:
                return index
        return None

    def fail(self, offset: int, message: str) -> None:
        head = f"{UNKNOWN_PLACE}MLIR Textual PassPipeline Parser:1:{offset + 1}: error: "
        self.errors.append(f"{head}{message}\n{self.inner}\n{' ' * offset}^\n")


LOWER_TO_LLVM: Final = parse_pipeline(
    [
        "--convert-scf-to-cf",
        "--convert-arith-to-llvm",
        "--convert-cf-to-llvm",
        "--finalize-memref-to-llvm",
        "--convert-func-to-llvm",
        "--reconcile-unrealized-casts",
    ]
)
"""From the source dialects to the LLVM dialect."""
