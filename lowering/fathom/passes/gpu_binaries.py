"""GPU modules as objects: LLVM IR of a module, compiled for each of its targets.

Source of the rules: `ModuleToBinary.cpp` and `lib/Target/LLVM` of MLIR 22.
"""

from __future__ import annotations

import json
import re
from time import perf_counter
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
from fathom.dialects import own_description
from fathom.dialects.gpu.directives import default_handler
from fathom.ir.attributes import ArrayAttr, DictAttr, StringAttr, i32_attr, i64_attr
from fathom.ir.clone import clone_region
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import MODULE, Operation
from fathom.irdl.build import definition_of
from fathom.llvm import OBJECT
from fathom.llvm.process import Died, ask
from fathom.passes.gpu_targets import gpu_modules
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.attributes import Attribute
    from fathom.ops.gpu import ModuleOp
    from fathom.passes.definition import Translate
    from fathom.passes.transforms.gpu_module_to_binary import GpuModuleToBinaryPass

_FORMATS: Final = {
    "offloading": 1,
    "llvm": 1,
    "assembly": 2,
    "isa": 2,
    "binary": 3,
    "bin": 3,
    "fatbinary": 4,
    "fatbin": 4,
}
"""The forms of objects, by what they are called, as numbers of `CompilationTarget`."""
_ASSEMBLY: Final = 2
_NODE: Final = "!4000000000"
"""Metadata of a number that no module has so many nodes for."""
_LIBRARY: Final = re.compile(r"^declare [^@\n]*@(__ockl_\w*|__ocml_\w*|__hip_\w*|printf)\(", re.MULTILINE)
"""A function of AMD's device library, or one that comes with it."""
_TARGETS: Final = {"nvvm.target": "ptxas", "rocdl.target": "ld.lld"}
"""The targets that LLVM compiles for, with the tool that makes a binary of its assembly."""


class Serializing:
    """Makes objects of modules, as a pass says."""

    def __init__(self, use: GpuModuleToBinaryPass, context: Context, translate: Translate) -> None:
        self._use = use
        self._context = context
        self._translate = translate

    def run(self, op: Operation) -> list[Diagnostic]:
        """Puts a `gpu.binary` in the place of each GPU module directly in an operation, up to the first that fails."""
        if self._use.format not in _FORMATS:
            return [_refused(op, "Invalid format specified.")]
        said: list[Diagnostic] = []
        for module in gpu_modules(op):
            told = self._serialize(module)
            said += told
            if any(diagnostic.severity == "error" for diagnostic in told):
                break
        return said

    def _serialize(self, module: ModuleOp) -> list[Diagnostic]:
        if module.targets is None:
            return [_refused(module, "the module has no target attributes")]
        problems = [problem for target in module.targets.elements if (problem := self._problem(target)) is not None]
        if problems:
            return [_refused(module, problems[0])]
        text, told = self._translate(self._alone(module), self._context)
        if text is None:
            return [*told, _refused(module, "Failed creating the llvm::Module.")]
        needed = _LIBRARY.search(text)
        if needed is not None and any(target.full_name == "rocdl.target" for target in module.targets.elements):
            message = f"'{needed[1]}' is of AMD's device library, which Fathom does not link"
            return [*told, _refused(module, message)]
        objects: list[Attribute] = []
        for target in module.targets.elements:
            assert isinstance(target, DialectAttr), "it is a target that is known"
            try:
                objects.append(self._object(target, text))
            except (RuntimeError, Died) as problem:
                return [*told, _refused(module, f"An error happened while serializing the module: {problem}")]
        rewriter = Rewriter(self._context)
        rewriter.set_insertion_behind(module)
        rewriter.stand_in(module)
        properties = {
            "sym_name": module.sym_name,
            "offloadingHandler": module.offloadingHandler or default_handler(),
            "objects": ArrayAttr(tuple(objects)),
        }
        rewriter.create("gpu.binary", (), (), properties)
        rewriter.erase(module)
        return [diagnostic for diagnostic in told if diagnostic.severity != "error"]

    def _alone(self, module: ModuleOp) -> Operation:
        """What stands in a GPU module, as a module of its own."""
        region, definition = clone_region(module.bodyRegion), definition_of(self._context, MODULE)
        attributes = {name: value for name, value in module.attributes.items() if name != "dlti.dl_spec"}
        return Operation(MODULE, (), (), {}, attributes, (), [region], module.span, definition)

    def _problem(self, target: Attribute) -> str | None:
        """What keeps a module from being compiled for a target."""
        tool = _TARGETS.get(target.full_name)
        if tool is None:
            return f"Fathom does not compile for '{target.full_name}'"
        if self._use.files or (isinstance(target, DialectAttr) and target.parameter("link") is not None):
            return "Fathom does not link files to what it compiles for GPUs"
        if _FORMATS[self._use.format] > _ASSEMBLY:
            return f"format={self._use.format} needs {tool}, which Fathom does not call: take format=isa or format=llvm"
        return None

    def _object(self, target: DialectAttr, text: str) -> Attribute:
        format, level = _FORMATS[self._use.format], target.parameter("O")
        if target.full_name == "rocdl.target":
            text += _flag(str(target.parameter("abi")))
        asked = {name: target.parameter(name) for name in ("triple", "chip", "features")}
        asked |= {"optimised": level, "form": "assembly" if format == _ASSEMBLY else "bitcode"}
        begun = perf_counter()
        made = ask(OBJECT, f"{json.dumps(asked)}\n{text}")
        properties: dict[str, Attribute] = {}
        if self._use.section and target.dialect == "nvvm":
            properties["section"] = StringAttr(self._use.section)
        if format == _ASSEMBLY and target.dialect == "nvvm":
            properties["O"] = i32_attr(level if isinstance(level, int) else 2)
            properties["LLVMIRToISATimeInMs"] = i64_attr(int((perf_counter() - begun) * 1000))
        return (
            own_description("gpu")
            .attributes["ObjectAttr"]
            .make_attribute(
                target=target,
                format=format,
                object=StringAttr(
                    made if format == _ASSEMBLY else made.encode("latin-1").decode("utf-8", "surrogateescape")
                ),
                properties=DictAttr(tuple(sorted(properties.items()))) if properties else None,
            )
        )


def _flag(version: str) -> str:
    """What says in LLVM IR for which version of the binary interface of AMD's GPUs it is."""
    number = int(version) if version.isdecimal() else 600
    flag = f'!{{i32 1, !"amdhsa_code_object_version", i32 {number}}}'
    return f"\n!llvm.module.flags = !{{{_NODE}}}\n{_NODE} = {flag}\n"


def _refused(op: Operation, message: str) -> Diagnostic:
    return Diagnostic(message, op.span, code=REFUSED_BY_PASS, op=op)
