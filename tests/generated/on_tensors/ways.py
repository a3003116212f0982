"""The ways in which a program on tensors is run: lowered by Fathom, with the checks of `fathom run --check`, and by
mlir-opt's own passes. Both are called by one worker, which counts what is allocated and freed.

Programs are taken together, since a tool takes longer to start than to lower one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import fathom
from fathom.context import default_context
from fathom.dialects.llvm.signatures import signature_of
from fathom.elaborate import load
from fathom.execution import Check, Json, RunRequest, Worker
from fathom.execution.checks import add_checks
from fathom.ir.types import MemRefType, TensorType, Type
from fathom.irdl.interfaces import symbol_name
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.pipeline.lowering import run as run_pipeline
from tests.generated.compare import LOWERED
from tests.generated.on_tensors.programs import Program
from tests.oracles import each_by_one, mlir_opt, mlir_translate

BUFFERIZED = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map}"
)
ON_TENSORS = f"convert-elementwise-to-linalg,{BUFFERIZED},buffer-deallocation-pipeline"
PIPELINE = f"builtin.module({ON_TENSORS},convert-bufferization-to-memref,convert-linalg-to-loops,{LOWERED})"
"""mlir-opt's own passes."""


@dataclass(frozen=True, slots=True)
class Code:
    """LLVM IR, with the checks in it; or why there is none."""

    text: str
    checks: tuple[Check, ...] = ()
    why: str = ""


def by_fathom(text: str) -> Code:
    module, context = load(text).module, default_context()
    checks = add_checks(module, context)
    lowering = run_pipeline(LOWER_TO_LLVM, module, context, verifying="each", remembers=True)
    verdict = lowering.verdict(None)
    if problems := [*verdict.failures, *verdict.leftovers]:
        return Code("", why=problems[0].message)
    made = lowering.translated()
    return Code(made.text, checks) if made.text is not None else Code("", why=made.told[0].message)


def by_mlir(texts: Sequence[str]) -> list[Code]:
    try:
        lowered = each_by_one(mlir_opt, texts, f"--pass-pipeline={PIPELINE}")
        return [Code(code) for code in each_by_one(mlir_translate, lowered)]
    except AssertionError as problem:
        if len(texts) == 1:
            return [Code("", why=str(problem))]
        return [code for text in texts for code in by_mlir([text])]


BUFFERIZATION = f"builtin.module(convert-elementwise-to-linalg,{BUFFERIZED})"


_CONSTANT = re.compile(r"^  memref\.global .* (@\w+) : .*\n", re.MULTILINE)


def bufferized_by_fathom(text: str) -> str:
    lowered = fathom.lower(text, BUFFERIZATION)
    return "\n".join(diagnostic.message for diagnostic in lowered.diagnostics) or _told_apart(lowered.text)


def bufferized_by_mlir(texts: Sequence[str]) -> list[str]:
    return list(map(_told_apart, each_by_one(mlir_opt, texts, f"--pass-pipeline={BUFFERIZATION}")))


def _told_apart(text: str) -> str:
    """A module whose constants are named by what they hold, and stand in its order: mlir-opt takes functions that do
    not call each other in another order each time, and numbers constants as it meets them."""
    constants = {match[1]: match[0].replace(match[1], "@") for match in _CONSTANT.finditer(text)}
    text = _CONSTANT.sub("", text)
    for name in sorted(constants, key=len, reverse=True):
        text = text.replace(f"{name} ", f"@({constants[name].strip()}) ")
    return "".join(sorted(constants.values())) + text.strip()


def differs(made: Program, code: Code, worker: Worker, *, keeps: bool = False) -> str:
    """How what a program gives, lowered in a way, differs from what it is to be; what it did not free, what of its
    arguments it freed, or wrote if it `keeps` them; empty if there is nothing to say. LLVM does not optimise: it would
    take away what is freed twice."""
    if code.why:
        return code.why
    function = next(op for op in load(made.text).module.regions[0].operations() if symbol_name(op) == "main")
    signature = signature_of(function)
    assert signature is not None
    arguments = [argument.tolist() for argument in made.arguments]
    outcome = worker.run(
        RunRequest(
            code.text,
            "main",
            argument_types=list(map(_in_memory, signature.inputs)),
            result_types=list(map(_in_memory, signature.results)),
            arguments=arguments,
            optimization=0,
            checks=code.checks,
            counts_memory=True,
        )
    )
    if outcome.failure is not None:
        return outcome.failure.message
    (result,) = outcome.results
    if (data := _data(result)) != made.expected.tolist():
        return f"{data} instead of {made.expected.tolist()}"
    for number, argument in enumerate(outcome.arguments):
        if isinstance(argument, dict) and argument.get("deallocated"):
            return f"argument #{number} was freed"
        if keeps and _data(argument) != arguments[number]:
            return f"argument #{number} was written"
    return ", ".join(outcome.notes)


def _in_memory(type: Type) -> Type:
    assert isinstance(type, TensorType)
    return MemRefType(type.shape, type.element)


def _data(value: Json) -> Json:
    assert isinstance(value, dict)
    return value["data"]
