"""What LLVM makes of a module below LLVM IR, in the process that has it (`fathom.llvm.questions`).

The debug locations in a module say where its instructions come from, in numbers that only who asked can read. What is
shown has none of them: after the optimisation LLVM drops them, and makes the text, or the code, of what is left. The
code is made twice, with them and without, and instructions are paired in their order, so what is shown is what LLVM
makes of a module that never had any.
"""

# llvmlite has no type information.
# pyright: reportMissingTypeStubs=false, reportMissingModuleSource=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false, reportUnknownArgumentType=false

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

import llvmlite.binding as llvm

from fathom.llvm.codegen.assembly import places_in, transferred
from fathom.llvm.codegen.passes import CALL_GRAPH_PASSES, FUNCTION_PASSES, LOOP_PASSES, MODULE_PASSES
from fathom.llvm.codegen.printed import Place, places_of, shown, without_version
from fathom.llvm.codegen.remarks import UNKNOWN, remarks_in
from fathom.llvm.printed import amount_in, text_in

_ERRORS: Final = 2
"""The file that has what LLVM printed."""
_NAME: Final = "LLVMDialectModule"
_LAYOUT: Final = re.compile(r'^target (?:datalayout|triple) = ".*"$', re.MULTILINE)
_TRIPLE: Final = re.compile(r'^target triple = "(.*)"$', re.MULTILINE)
_METHODS: Final = {**MODULE_PASSES, **CALL_GRAPH_PASSES, **FUNCTION_PASSES, **LOOP_PASSES}
_ASKED: Final = (
    "inline|always-inline|loop-vectorize|slp-vectorizer|loop-unroll|loop-distribute|loop-delete|loop-idiom|"
    "tailcallelim|transform-warning"
)
"""The passes of which people ask what they did."""
_REMARKS: Final = (
    f"-pass-remarks={_ASKED}",
    f"-pass-remarks-missed={_ASKED}|licm|regalloc",
    "-pass-remarks-analysis=loop-vectorize|slp-vectorizer|loop-distribute",
)
"""The remarks that LLVM makes: what it did, what it did not, and why. A process that has been told so goes on."""
_WITHOUT_OBJECTS: Final = {
    "nvptx": "a driver makes code of its assembly",
    "spir": "its modules are for a driver to make code of",
}
"""The machines for which LLVM makes no code that can be disassembled."""
_SMALL: Final = {"s": ("optsize",), "z": ("optsize", "minsize")}
"""The attributes of functions that are to be small. LLVM's levels for that do little more than go by these."""


def made(text: str) -> str:
    """The answer, as JSON, to a question: a line of JSON (`wanted.Wanted.question`), and a module. `text` is what was
    made, an object as a text of its bytes; `places` a line and a column for each line of it, or null; `remarks` what
    LLVM remarked."""
    said, _, source = text.partition("\n")
    wanted = json.loads(said)
    printed = amount_in(_ERRORS)
    if wanted["remarks"]:
        for option in _REMARKS:
            llvm.set_option("fathom", option)
    machine = _machine(wanted, source)
    # Loads and stores without an alignment take theirs from the layout, which therefore stands before the text.
    head = f'target datalayout = "{machine.target_data}" target triple = "{machine.triple}" '
    module = llvm.parse_assembly(head + _LAYOUT.sub("", source), context=llvm.create_context())
    module.verify()
    module.name = _NAME
    _optimise(module, machine, wanted)
    answer = _answer(module, machine, wanted)
    said = text_in(_ERRORS, printed)
    if (unknown := UNKNOWN.search(said)) is not None:
        # LLVM goes on without it.
        raise RuntimeError(unknown[0])
    answer["remarks"] = remarks_in(said) if wanted["remarks"] else []
    return json.dumps(answer)


def _machine(wanted: dict[str, Any], source: str) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    triple, cpu, features = wanted["triple"], wanted["cpu"], wanted["features"]
    own = _TRIPLE.search(source)
    if not triple and own is not None:
        triple = own[1]
    if not triple:
        triple = llvm.get_process_triple()
        if not cpu:
            cpu = llvm.get_host_cpu_name()
            features = ",".join(filter(None, (llvm.get_host_cpu_features().flatten(), features)))
    target = llvm.Target.from_triple(triple)
    machine = target.create_target_machine(
        cpu, features, wanted["speed"], reloc="default", codemodel="default", abiname=wanted["abi"]
    )
    machine.set_asm_verbosity(True)
    return machine


def _optimise(module: Any, machine: Any, wanted: dict[str, Any]) -> None:
    for function in module.functions:
        if not function.is_declaration:
            for attribute in _SMALL.get(wanted["level"], ()):
                function.add_function_attribute(attribute)
    tuning = llvm.create_pipeline_tuning_options(speed_level=wanted["speed"])
    tuning.loop_vectorization = tuning.slp_vectorization = wanted["speed"] > 1 and wanted["level"] != "z"
    builder = llvm.create_pass_builder(machine, tuning)
    if wanted["level"]:
        builder.getModulePassManager().run(module, builder)
        return
    for unit, *passes in wanted["groups"]:
        manager = llvm.create_new_module_pass_manager() if unit == "module" else llvm.create_new_function_pass_manager()
        for name in passes:
            getattr(manager, f"add_{_METHODS[name]}_pass")()
        if unit == "module":
            manager.run(module, builder)
            continue
        for function in module.functions:
            if not function.is_declaration:
                manager.run(function, builder)


def _answer(module: Any, machine: Any, wanted: dict[str, Any]) -> dict[str, Any]:
    form, is_followed = wanted["form"], wanted["lines"]
    if form == "ir":
        text = str(module)
        if is_followed and not wanted["keeps"]:
            text, places = shown(text)
            return {"text": text, "places": places}
        return {"text": text, "places": places_of(text) if is_followed else []}
    if form == "disassembly":
        return _disassembled(module, machine, is_followed=is_followed, keeps=wanted["keeps"])
    if not is_followed or wanted["keeps"]:
        return _code(module, machine, form, lambda assembly: places_in(assembly) if is_followed else [])
    # Both are read from text: the order in which a module has the uses of a value, which code depends on, is another
    # in one that was not.
    text = str(module)
    located, plain = (_read(each) for each in (text, without_version(text)))
    return _code(plain, machine, form, lambda assembly: transferred(machine.emit_assembly(located), assembly))


def _read(text: str) -> Any:
    module = llvm.parse_assembly(text, context=llvm.create_context())
    module.name = _NAME
    return module


def _code(module: Any, machine: Any, form: str, places: Callable[[str], list[Place | None]]) -> dict[str, Any]:
    if form == "object":
        return {"text": machine.emit_object(module).decode("latin-1"), "places": []}
    assembly = machine.emit_assembly(module)
    return {"text": assembly, "places": places(assembly)}


def _disassembled(module: Any, machine: Any, *, is_followed: bool, keeps: bool) -> dict[str, Any]:
    """The object file as text. Its line table, or that of the same code with locations, says where lines come from."""
    from fathom.llvm.disassembly.listing import listing

    name = machine.triple.partition("-")[0]
    if (reason := next((why for family, why in _WITHOUT_OBJECTS.items() if name.startswith(family)), None)) is not None:
        raise RuntimeError(f"there is no object file for {name}: {reason}")
    if not is_followed or keeps:
        data = machine.emit_object(module)
        made = listing(data, data if is_followed else None)
    else:
        text = str(module)
        made = listing(machine.emit_object(_read(without_version(text))), machine.emit_object(_read(text)))
    return {"text": made.text, "places": made.places}
