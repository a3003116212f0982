"""What LLVM is asked, in the process that has it: the only place where llvmlite is used, but for running.

Each takes a text and gives one. LLVM refuses by a RuntimeError, or takes the process down (`process`).
"""

# llvmlite has no type information.
# pyright: reportMissingTypeStubs=false, reportMissingModuleSource=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import json
from typing import Final

import llvmlite.binding as llvm

from fathom.llvm import BITCODE, CODE, MACHINE, NORMAL, OBJECT, PRINT, PROGRAM, VERIFY
from fathom.llvm.printed import amount_in, text_in

_ERRORS: Final = 2
"""The file that has what LLVM printed."""
_DROPPED: Final = "warning: ignoring invalid debug info"


def _print(text: str) -> str:
    """A module, as LLVM prints it."""
    return str(llvm.parse_assembly(text, context=llvm.create_context()))


def _verify(text: str) -> str:
    """Nothing, if a module is sound. Debug information that is not LLVM drops as it reads, and only prints why."""
    printed = amount_in(_ERRORS)
    module = llvm.parse_assembly(text, context=llvm.create_context())
    module.verify()
    said = text_in(_ERRORS, printed)
    before, dropped, _ = said.partition(_DROPPED)
    if dropped:
        raise RuntimeError(before)
    return ""


def _machine(text: str) -> str:
    """The name of the target and the data layout, of a `triple`, a `chip` and its `features`."""
    said = json.loads(text)
    llvm.initialize_all_targets()
    target = llvm.Target.from_triple(said["triple"])
    layout = str(target.create_target_machine(said["chip"], said["features"]).target_data)
    return json.dumps({"target": target.name, "layout": layout})


def _normal(text: str) -> str:
    """A module that is sound, as LLVM prints it."""
    module = llvm.parse_assembly(text, context=llvm.create_context())
    module.verify()
    return str(module)


def _bitcode(text: str) -> str:
    """A module that is sound, of bitcode."""
    module = llvm.parse_bitcode(text.encode("latin-1"), context=llvm.create_context())
    module.verify()
    return str(module)


def compiled(text: str) -> str:
    """A module, optimised for a target: as assembly, or as bitcode or an object file, each byte a character. The first
    line says the `triple`, the `chip`, its `features`, how much is `optimised` and which `form` the answer has. Without
    a triple it is for this computer."""
    said, _, source = text.partition("\n")
    wanted = json.loads(said)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    triple, chip, features, reloc = wanted["triple"], wanted["chip"], wanted["features"], "default"
    if not triple:
        reloc = "pic"
        triple, chip = llvm.get_default_triple(), llvm.get_host_cpu_name()
        features = ",".join(filter(None, (llvm.get_host_cpu_features().flatten(), features)))
    level, target = wanted["optimised"], llvm.Target.from_triple(triple)
    machine = target.create_target_machine(chip, features, level, reloc=reloc, codemodel="default")
    module = llvm.parse_assembly(source, context=llvm.create_context())
    module.verify()
    module.triple, module.data_layout = triple, str(machine.target_data)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=level))
    builder.getModulePassManager().run(module, builder)
    match wanted["form"]:
        case "assembly":
            return str(machine.emit_assembly(module))
        case "object":
            return machine.emit_object(module).decode("latin-1")
        case _:
            return module.as_bitcode().decode("latin-1")


def program(text: str) -> str:
    """A program as an object file for this computer, each byte a character. The first line says how much is
    `optimised`, which layout `matrices` have, if there are some, and of functions that are called from outside their
    `types`: a call of another one would not be noticed by LLVM, and would crash."""
    said, _, source = text.partition("\n")
    wanted = json.loads(said)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    if wanted["matrices"]:
        for option in ("-enable-matrix", f"-matrix-default-layout={wanted['matrices']}"):
            llvm.set_option("fathom", option)
    level, target = wanted["optimised"], llvm.Target.from_default_triple()
    machine = target.create_target_machine(
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        level,
        reloc="pic",
        codemodel="small",
        jit=True,
    )
    # The layout has to stand before the text: loads and stores without an alignment take theirs from it.
    prefix = f'target datalayout = "{machine.target_data}" target triple = "{machine.triple}" '
    source = source if "target datalayout" in source else prefix + source
    module = llvm.parse_assembly(source, context=llvm.create_context())
    module.verify()
    for name, expected in wanted["types"].items():
        actual = str(module.get_function(name).global_value_type)
        if actual != expected:
            raise RuntimeError(f"@{name} has the type `{actual}` in LLVM IR; its signature stands for `{expected}`")
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=level))
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module).decode("latin-1")


def _code(text: str) -> str:
    """What code is made of a module (`codegen.inside.made`)."""
    from fathom.llvm.codegen.inside import made  # Who asks something else does without.

    return made(text)


QUESTIONS: Final = {
    PRINT: _print,
    VERIFY: _verify,
    MACHINE: _machine,
    NORMAL: _normal,
    BITCODE: _bitcode,
    OBJECT: compiled,
    PROGRAM: program,
    CODE: _code,
}
