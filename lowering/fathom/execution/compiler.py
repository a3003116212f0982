"""LLVM IR to machine code in this process, by llvmlite. Only the worker imports this module.

A `Compiler` is made once, before the worker forks, with the target and the runtime symbols ready; `compile` and `link`
run in the fork. Symbols that are found nowhere are an error of linking, which names them, and nothing aborts.
"""

# llvmlite has no type information.
# pyright: reportMissingTypeStubs=false, reportMissingModuleSource=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

import ctypes
import os
import platform
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import llvmlite.binding as llvm

from fathom.execution.entries import structors_of
from fathom.execution.kept_code import Code
from fathom.execution.libraries import library_of
from fathom.execution.outcome import Json, RunProblem
from fathom.execution.runtime import ALLOCATING, HOST_SYMBOLS, runtime_symbols, runtime_text
from fathom.execution.runtime_async import ASYNC_SYMBOLS, FINISH, async_text, is_asynchronous
from fathom.execution.runtime_floats import FLOAT_SYMBOLS, floats_text
from fathom.kept.folder import name_of
from fathom.kept.stamp import stamp_of_llvm
from fathom.llvm.printed import amount_in, scratch_file, text_in

if TYPE_CHECKING:
    from fathom.kept.folder import Kept

_SYSTEM_LIBRARIES: Final = ("libm.so.6", "libgcc_s.so.1", "libm.dylib")
"""Where the functions live that machine code calls by itself: mathematics, wide division, narrow floats."""
_WARM_UP: Final = "define i64 @warm_up(i64 %a) {\n %b = udiv i64 %a, 3\n ret i64 %b\n}\n"
_LEVEL_OF_RUNTIME: Final = 2
_MOST_SAID: Final = 1 << 20
_HIDDEN: Final = "fathom.hidden."

_RUNTIMES: Final[dict[str, tuple[Callable[[], str], Sequence[str]]]] = {
    "floats": (floats_text, FLOAT_SYMBOLS),
    "async": (async_text, ASYNC_SYMBOLS),
}
"""Parts of the runtime that few programs need: the text of each, and its symbols."""


def runtimes_of(text: str) -> tuple[str, ...]:
    """Which parts of the runtime a program needs that few do."""
    floats = ("floats",) if "@_mlir_apfloat_" in text or "@printApFloat" in text else ()
    return (*floats, *(("async",) if is_asynchronous(text) else ()))


class Compiler:
    """The target, and a linker that already holds the runtime symbols. The runtime is compiled once where it can be
    `kept`."""

    _captures = True
    """Whether what LLVM prints while it compiles is held back, to be told later."""

    def __init__(self, kept: Kept | None = None) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        # The text of `llvm.inline_asm` is read when it is compiled.
        llvm.initialize_native_asmparser()
        for library in _SYSTEM_LIBRARIES:
            _load_globally(library)
        self._kept = kept
        self._cpu = llvm.get_host_cpu_name()
        self._features = llvm.get_host_cpu_features().flatten()
        self._machines: dict[int, Any] = {}
        machine = self._machine_for(_LEVEL_OF_RUNTIME)
        self._prefix = f'target datalayout = "{machine.target_data}" target triple = "{machine.triple}" '
        self.target = f"{machine.triple} {self._cpu} {self._features}"
        self._linker = llvm.create_lljit_compiler(self._machine(_LEVEL_OF_RUNTIME), use_jit_link=True)
        self._libraries: list[Any] = []
        self._linked: set[str] = set()
        self._runtime: dict[str, int] = {}
        here = platform.machine()
        self._runtime = self._link("runtime", runtime_text(here), runtime_symbols(here))
        # Opened here, because a contained process cannot make files.
        self._errors = scratch_file()

    def warm_up(self) -> None:
        """Compile something: that builds tables which forks then share."""
        self._emit(self._parse(_WARM_UP), _LEVEL_OF_RUNTIME)

    def forget_kept(self) -> None:
        """Have nothing to do any more with what is kept."""
        self._kept = None

    def runtime_address(self, symbol: str) -> int:
        """The address of a symbol of the runtime."""
        return self._runtime[symbol]

    def prepare(self, runtimes: Iterable[str]) -> None:
        """Have these parts of the runtime linked, for programs that come."""
        for name in runtimes:
            if name not in self._linked:
                text, symbols = _RUNTIMES[name]
                self._runtime |= self._link(name, text(), symbols)
                self._linked.add(name)

    def compile(
        self,
        text: str,
        entry: str,
        function: str,
        function_type: str,
        trampoline: str,
        *,
        optimization: int = 2,
        rows_first: bool = False,
        counts_memory: bool = False,
        features: str = "",
    ) -> Code:
        """The machine code of a program, with the trampoline. Raises RunProblem; LLVM may also end the process, whose
        last words `said` then has.

        `rows_first` is how matrices stand in vectors, `features` what the processor is taken to have or not to have.
        Where memory is counted (`counts_memory`), no allocation goes because nothing comes of it.
        """
        with _CapturedErrors(self._errors if self._captures else None) as errors:
            if "@llvm.matrix." in text:
                _lower_matrices("row-major" if rows_first else "column-major")
            module = self._parse_program(text, _with_constructors(text, trampoline), function)
            _check_type(module, function, function_type)
            machine = self._machine_for(optimization, features)
            self._keep_what_is_reached(module, entry, machine)
            symbols = (*module.functions, *module.global_variables)
            defined = tuple(symbol.name for symbol in symbols if not symbol.is_declaration)
            image = self._emit(module, optimization, machine, keeps_allocations=counts_memory)
            self._take(module, optimization, features)
            return Code(image, self.target, defined, runtimes_of(text), errors.text())

    def said(self, since: int) -> str:
        """What LLVM has said, also in forks, since there was so much of it."""
        return text_in(self._errors, since, _MOST_SAID)

    def amount_said(self) -> int:
        """How much LLVM has said, in bytes."""
        return amount_in(self._errors)

    def link(self, code: Code, entry: str, unloaded: Sequence[str] = ()) -> int:
        """The address of the entry of a program. Raises RunProblem. `unloaded` is what `load` said: why symbols may be
        missing."""
        self._program = self.load("program", code, (entry,), unloaded)
        # The program must not fill it.
        os.close(self._errors)
        return self._address(entry)

    def load(self, name: str, code: Code, wanted: Iterable[str], unloaded: Sequence[str] = ()) -> Any:
        """The addresses of symbols of a program, by their names; it stays as long as these are referred to. `name` is
        that of no other program. Raises RunProblem."""
        self.prepare(code.runtimes)
        builder = llvm.JITLibraryBuilder().add_object_img(code.image).add_current_process()
        # As imports, the runtime's symbols come before those of the C library, whose names some have.
        for symbol in self._runtime.keys() - set(code.defined):
            builder.import_symbol(symbol, self._runtime[symbol])
        for symbol in wanted:
            builder.export_symbol(symbol)
        with _CapturedErrors(self._errors) as errors:
            try:
                return builder.link(self._linker, name)
            except RuntimeError as problem:
                raise _link_problem(errors.text(), str(problem), unloaded) from None

    def _take(self, module: Any, optimization: int, features: str) -> None:
        """Sees a module that was compiled."""

    def _address(self, entry: str) -> int:
        """Where the entry of the program is."""
        return self._program[entry]

    def _keep_what_is_reached(self, module: Any, entry: str, machine: Any) -> None:
        """Drop what the entry does not need: the rest of a file costs no time then, and may call what is not there."""
        for symbol in (*module.functions, *module.global_variables):
            if not symbol.is_declaration and symbol.linkage == llvm.Linkage.external and symbol.name != entry:
                symbol.linkage = llvm.Linkage.internal
        passes = llvm.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        passes.add_strip_dead_prototype_pass()
        options = llvm.create_pipeline_tuning_options(speed_level=0)
        passes.run(module, llvm.create_pass_builder(machine, options))

    def _machine_for(self, optimization: int, features: str = "") -> Any:
        if features:
            return self._machine(optimization, features)
        machine = self._machines.get(optimization)
        if machine is None:
            machine = self._machines[optimization] = self._machine(optimization)
        return machine

    def _machine(self, optimization: int, features: str = "") -> Any:
        features = ",".join(filter(None, (self._features, features)))
        return llvm.Target.from_default_triple().create_target_machine(
            cpu=self._cpu, features=features, opt=optimization, reloc="pic", codemodel="small", jit=True
        )

    def _parse(self, text: str) -> Any:
        # The layout has to stand before the text: loads and stores without an alignment take theirs from it.
        module = llvm.parse_assembly(text if "target datalayout" in text else self._prefix + text)
        module.verify()
        return module

    def _parse_program(self, text: str, trampoline: str, function: str) -> Any:
        try:
            return self._parse(f"{text}\n{trampoline}")
        except RuntimeError:
            module = self._try_parse(text)
        defined = [symbol.name for symbol in module.functions if not symbol.is_declaration]
        if function not in defined:
            listed = ", ".join(f"@{name}" for name in sorted(defined)[:20]) or "none"
            message = f"the program has no function @{function}; it defines: {listed}"
            raise RunProblem("missing-symbol", message, {"symbols": [function]})
        raise RunProblem("compile-error", f"@{function} does not have the type its signature stands for")

    def _try_parse(self, text: str) -> Any:
        try:
            return self._parse(text)
        except RuntimeError as problem:
            message = " ".join(line.strip() for line in str(problem).splitlines() if line.strip())
            raise RunProblem("compile-error", f"the LLVM IR is not valid: {message}") from None

    def _emit(self, module: Any, optimization: int, machine: Any = None, *, keeps_allocations: bool = False) -> bytes:
        machine = machine or self._machine_for(optimization)
        options = llvm.create_pipeline_tuning_options(speed_level=optimization)
        passes = llvm.create_pass_builder(machine, options)
        if keeps_allocations:
            with _unknown_to_llvm(module, ALLOCATING):
                passes.getModulePassManager().run(module, passes)
        else:
            passes.getModulePassManager().run(module, passes)
        return machine.emit_object(module)

    def _link(self, name: str, text: str, symbols: Iterable[str]) -> dict[str, int]:
        """The addresses of the symbols of a library, which is made of a text and stays."""
        process = ctypes.CDLL(None)
        builder = llvm.JITLibraryBuilder().add_object_img(self._library(text))
        for symbol, theirs in HOST_SYMBOLS.items():
            builder.import_symbol(symbol, ctypes.cast(process[theirs], ctypes.c_void_p).value)
        for symbol, address in self._runtime.items():
            builder.import_symbol(symbol, address)
        names = list(symbols)
        for symbol in names:
            builder.export_symbol(symbol)
        library = builder.add_current_process().link(self._linker, name)
        self._libraries.append(library)
        return {symbol: library[symbol] for symbol in names}

    def _library(self, text: str) -> bytes:
        """The machine code of a library."""
        if self._kept is None:
            return self._emit(self._parse(text), _LEVEL_OF_RUNTIME)
        name = name_of("runtime", stamp_of_llvm(), self.target, str(_LEVEL_OF_RUNTIME), text)
        if (image := self._kept.get(name)) is None:
            image = self._emit(self._parse(text), _LEVEL_OF_RUNTIME)
            self._kept.put(name, image)
        return image


class DebuggedCompiler(Compiler):
    """One whose programs a debugger can look at: the linker that takes them tells it of what it loads, where. A program
    is linked as others are before, so that mistakes are found as theirs."""

    _captures = False

    def _take(self, module: Any, optimization: int, features: str) -> None:
        self._module, self._machine_of_module = module, self._machine(optimization, features)

    def _address(self, entry: str) -> int:
        for symbol, address in self._runtime.items():
            llvm.add_symbol(symbol, address)
        self._engine = llvm.create_mcjit_compiler(self._module, self._machine_of_module)
        self._engine.finalize_object()
        return self._engine.get_function_address(entry)


def _with_constructors(text: str, trampoline: str) -> str:
    """A trampoline that calls the constructors of a program first, and last has its tasks finished, and calls its
    destructors."""
    if "@llvm.global_" not in text and not is_asynchronous(text):
        return trampoline
    called = {what: "".join(f"  call void {name}()\n" for name in names) for what, names in structors_of(text).items()}
    head, _, rest = trampoline.rpartition("{\n")
    body, _, end = rest.rpartition("  ret void")
    if is_asynchronous(text):
        called["dtors"] = f"  call void @{FINISH}()\n{called['dtors']}"
        end += f"declare void @{FINISH}()\n"
    return f"{head}{{\n{called['ctors']}{body}{called['dtors']}  ret void{end}"


@contextmanager
def _unknown_to_llvm(module: Any, names: Iterable[str]) -> Generator[None]:
    """Functions that a module declares have names in a `with` block of which LLVM knows nothing."""
    hidden = {symbol.name: symbol for symbol in module.functions if symbol.is_declaration and symbol.name in names}
    for name, symbol in hidden.items():
        symbol.name = _HIDDEN + name
    yield
    for symbol in list(module.functions):
        if symbol.name.startswith(_HIDDEN) and symbol.name.removeprefix(_HIDDEN) in hidden:
            symbol.name = symbol.name.removeprefix(_HIDDEN)


def _lower_matrices(layout: str) -> None:
    """Have LLVM lower its intrinsics for matrices, for which no machine has instructions, in this process."""
    for option in ("-enable-matrix", f"-matrix-default-layout={layout}"):
        llvm.set_option("fathom", option)


def load(libraries: Iterable[str]) -> list[str]:
    """Make the symbols of shared libraries visible to programs; which do not load, and why."""
    problems = [(library, _load_globally(library)) for library in libraries]
    return [f"the shared library {library} does not load: {problem}" for library, problem in problems if problem]


def _load_globally(library: str) -> str:
    """Make the symbols of a shared library visible to programs; why it did not work, or nothing."""
    try:
        ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
    except OSError as problem:
        return str(problem).removeprefix(f"{library}: ")
    return ""


def _check_type(module: Any, function: str, expected: str) -> None:
    """A call with the wrong type would not be noticed by LLVM, and would crash."""
    entry = module.get_function(function)
    if entry.is_declaration:
        message = f"@{function} is declared in the program, but has no body to run"
        raise RunProblem("missing-symbol", message, {"symbols": [function]})
    actual = str(entry.global_value_type)
    if actual != expected:
        message = f"@{function} has the type `{actual}` in LLVM IR; its signature stands for `{expected}`"
        raise RunProblem("compile-error", message)


def _link_problem(printed: str, message: str, unloaded: Sequence[str]) -> RunProblem:
    match = re.search(r"Symbols not found: \[ (.*?) \]", printed)
    if not match:
        return RunProblem("compile-error", f"the program could not be linked: {printed.strip() or message}")
    symbols = sorted(match[1].split(", "))
    names = " and ".join(f"@{symbol}" for symbol in symbols)
    details: dict[str, Json] = {"symbols": symbols}
    missing = f"the program calls {names}, which nothing defines"
    if unloaded:
        return RunProblem("missing-symbol", f"{missing}, and {', and '.join(unloaded)}", details)
    found_in = sorted({library for symbol in symbols if (library := library_of(symbol)) is not None})
    theirs = f" MLIR's own stand in {' and '.join(f'lib{soname}' for soname in found_in)}." if found_in else ""
    return RunProblem(
        "missing-symbol",
        f"{missing}: give it a body in this module, or name the shared library that has it (`fathom run "
        f"--shared-libs`). The C and mathematics libraries and MLIR's print functions need neither.{theirs}",
        details,
    )


class _CapturedErrors:
    """What LLVM prints to stderr in a `with` block; it names missing symbols nowhere else. `file` is a descriptor;
    without one nothing is captured."""

    def __init__(self, file: int | None) -> None:
        self._file = file

    def __enter__(self) -> _CapturedErrors:
        if self._file is not None:
            self._begin = os.lseek(self._file, 0, os.SEEK_END)
            self._saved = os.dup(2)
            os.dup2(self._file, 2)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            os.dup2(self._saved, 2)
            os.close(self._saved)

    def text(self) -> str:
        """What was printed so far."""
        if self._file is None:
            return ""
        return text_in(self._file, self._begin, _MOST_SAID)
