"""What `fathom.compile` gives: a module whose functions are called as functions of Python.

module = fathom.compile("kernels.mlir", optimize=3)
c = module.matmul(a, b)
module["inner::@g"].signature, module.llvm_ir, module.assembly, module.stages
"""

from __future__ import annotations

import inspect
import threading
from html import escape
from typing import TYPE_CHECKING, Any, NoReturn

from fathom.execution.outcome import RunProblem, given_values
from fathom.programs.calling import Caller, Code, InProcess, Plan, called_type, plan_of
from fathom.programs.compiling import Compiled, assembly_of
from fathom.programs.errors import error_of
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from fathom.diagnostics import Diagnostic
    from fathom.ir.types import FunctionType
    from fathom.library import Stage
    from fathom.messages.source import Source
    from fathom.programs.benching import Measured, Subject


@record
class Recipe:
    """What a module makes its parts with, when they are asked for."""

    source: Source
    optimization: int
    stages: Callable[[], tuple[Stage, ...]]
    function: Callable[[str], Compiled]
    """The program of a function that stands in a module inside."""
    caller: Callable[[Code], Caller]
    """Where a program is called: in a worker, or in this process."""


class Function:
    """A function of a compiled module.

    Memrefs are arrays whose memory the function reads and writes; tensors and vectors are values, copied; other results
    are numbers of Python. A call raises ArgumentError for values that do not fit, and RunError for what goes wrong in
    it.
    """

    def __init__(
        self,
        path: str,
        type: FunctionType,
        called: FunctionType,
        names: tuple[str, ...],
        make: Callable[[], Any],
        locate: Callable[[], int | None],
        planned: Callable[[], tuple[Code, Plan]],
    ) -> None:
        self.__name__ = self.__qualname__ = path
        self.__doc__ = f"{path}: {type}"
        self._type = type
        self._called = called
        self._names = names
        self._make = make
        self._planned = planned
        self._locate = locate
        self._call: Callable[..., Any] | None = None

    @property
    def name(self) -> str:
        """Its path in the module, such as `f` or `inner::g`."""
        return self.__name__

    @property
    def signature(self) -> FunctionType:
        """Its type in MLIR, before it was lowered: `signature.inputs` and `signature.results`."""
        return self._type

    @property
    def address(self) -> int | None:
        """Where its code is in this process, for ctypes and others that call by LLVM's conventions; None if it is
        another process, or a function that only its program can call. It stays as long as the module does."""
        return self._locate()

    @property
    def __signature__(self) -> inspect.Signature:
        """Its parameters by the names that the text gives them, for `help` and completion."""
        parameters, met = list[inspect.Parameter](), set[str]()
        for number, type in enumerate(self._called.inputs):
            name = self._names[number] if number < len(self._names) else ""
            name = name if name.isidentifier() and name not in met else f"arg{number}"
            met.add(name)
            parameters.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY, annotation=str(type)))
        results = ", ".join(map(str, self._called.results))
        return inspect.Signature(parameters, return_annotation=results or None)

    def __call__(self, *values: Any) -> Any:
        """Call it: a value for each argument. Gives the result, None where there is none, or a tuple of several."""
        call = self._call
        try:
            if call is None:
                call = self._call = self._make()
            return call(*values)
        except RunProblem as problem:
            self._fail(problem)

    def bench(self, *values: Any, seconds: float = 5.0) -> Measured:
        """How long a call with these arguments takes, measured in processes of their own for so many seconds or a
        little more; what the function does to arrays is not seen here. See `fathom.programs.benching`. Raises
        ArgumentError and RunError."""
        from fathom.programs.benching import measure

        try:
            (measured,) = measure([self.subject(values)], seconds=seconds)
        except RunProblem as problem:
            self._fail(problem)
        return measured

    def subject(self, values: Sequence[object]) -> Subject:
        """What `fathom.programs.benching` measures."""
        from fathom.programs.benching import Subject

        return Subject(f"@{self.name}", *self._planned(), tuple(values))

    def _fail(self, problem: RunProblem) -> NoReturn:
        said = getattr(problem, "stdout", ""), getattr(problem, "stderr", "")
        raise error_of(problem.failure, *said, f"@{self.name}: {problem.failure.message}") from None

    def __repr__(self) -> str:
        return f"<fathom function @{self.name}: {self._type}>"


class Module:
    """A compiled module. Its functions are its attributes and items; those of modules inside, which are compiled when
    they are asked for, have paths: `module["inner::g"]`."""

    def __init__(self, recipe: Recipe, compiled: Compiled, paths: list[str]) -> None:
        self._recipe = recipe
        self._compiled = compiled
        self._paths = paths
        self._functions: dict[str, Function] = {}
        self._callers: dict[bytes, Caller] = {}
        self._lock = threading.RLock()
        self._stages: tuple[Stage, ...] | None = None
        self._assembly: str | None = None
        self._closed = False

    @property
    def source(self) -> Source:
        """The text that was compiled."""
        return self._recipe.source

    @property
    def llvm_ir(self) -> str:
        """The module as LLVM IR, before LLVM optimises it."""
        return self._compiled.code.llvm_ir

    @property
    def assembly(self) -> str:
        """The module in the assembly language of this computer, optimised."""
        if self._assembly is None:
            self._assembly = assembly_of(self._compiled.code, self._recipe.optimization)
        return self._assembly

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The module after each pass of its pipeline (`fathom.library.Stage`: `name`, `text`, `source_map`)."""
        if self._stages is None:
            self._stages = self._recipe.stages()
        return self._stages

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings and remarks of the lowering."""
        return self._compiled.problems

    @property
    def is_isolated(self) -> bool:
        """Whether its functions run in a process of their own."""
        return not isinstance(self._caller(self._compiled), InProcess)

    def close(self) -> None:
        """End its worker, or unload it from this process. Its functions cannot be called any more; arrays that they
        returned stay."""
        with self._lock:
            self._closed = True
            for function in self._functions.values():
                function._call, function._make = None, _closed  # pyright: ignore[reportPrivateUsage]
            for caller in self._callers.values():
                caller.close()
            self._callers.clear()

    def __enter__(self) -> Module:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __getitem__(self, path: str) -> Function:
        """A function by its path: `f`, `@f`, `inner::g`, `inner::@g`. Raises KeyError, and CompileError where what
        stands in a module inside does not compile."""
        name = path.replace("@", "")
        with self._lock:
            function = self._functions.get(name)
            if function is None:
                function = self._functions[name] = self._found(name)
            return function

    def __getattr__(self, name: str) -> Function:
        """A function by its name. Raises AttributeError."""
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            function = self[name]
        except KeyError as problem:
            raise AttributeError(problem.args[0], name=name, obj=self) from None
        # The next time it is found without a search.
        self.__dict__[name] = function
        return function

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path.replace("@", "") in self._paths

    def __iter__(self) -> Iterator[str]:
        """The paths of its functions, in the order of the text."""
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(path for path in self._paths if path.isidentifier())})

    def _ipython_key_completions_(self) -> list[str]:
        """What completes between brackets, in IPython."""
        return list(self._paths)

    def _repr_html_(self) -> str:
        """Its functions as a table, in notebooks."""
        cell = "<td style='text-align:left'><code>{}</code></td>".format
        pairs = [(escape(path), escape(self._type(path))) for path in self._paths]
        rows = "".join(f"<tr>{cell(path)}{cell(type)}</tr>" for path, type in pairs)
        return f"<table><tr><th>function</th><th>type</th></tr>{rows}</table>"

    def _type(self, path: str) -> str:
        known = self._compiled.functions.get(path)
        return str(known) if known is not None else ""

    def __repr__(self) -> str:
        where = "" if self._recipe.source.name.startswith("<") else f" of {self._recipe.source.name}"
        lines = [f"<fathom module{where}: {len(self._paths)} functions>"]
        shown = [path for path in self._paths if path in self._compiled.functions][:_SHOWN]
        lines += [f"  @{path}: {self._compiled.functions[path]}" for path in shown]
        if len(self._paths) > len(shown):
            lines.append(f"  … and {len(self._paths) - len(shown)} more")
        return "\n".join(lines)

    def _found(self, name: str) -> Function:
        if self._closed:
            raise ValueError("the module is closed")
        compiled = self._compiled
        if name in compiled.functions:
            return self._function(name, name, compiled)
        if name not in self._paths:
            there = ", ".join(self._paths[:_SHOWN]) or "none"
            raise KeyError(f"no function '{name}' in the module; there are: {there}")
        inside = self._recipe.function(name)
        return self._function(name, next(iter(inside.functions)), inside)

    def _function(self, path: str, name: str, compiled: Compiled) -> Function:
        type, entry = compiled.functions[name], compiled.code.entries[name]
        names = given_values(compiled.names.get(name, ()), entry.convention)

        def planned() -> tuple[Code, Plan]:
            return compiled.code, plan_of(name, type, entry)

        def make() -> Callable[..., Any]:
            _, plan = planned()
            try:
                return self._caller(compiled).function(plan)
            except RunProblem as problem:
                if problem.failure.kind != "missing-symbol" or compiled is not self._compiled:
                    raise
            # What others call keeps no function from being called that does not need it.
            alone = self._recipe.function(path)
            return self._caller(alone).function(plan_of(name, type, alone.code.entries[name]))

        def locate() -> int | None:
            caller = self._caller(compiled)
            if not isinstance(caller, InProcess) or name not in compiled.code.defined:
                return None
            return caller.address(name)

        called = called_type(type, entry.convention)
        return Function(path, type, called, names, make, locate, planned)

    def _caller(self, compiled: Compiled) -> Caller:
        with self._lock:
            caller = self._callers.get(compiled.code.machine_code)
            if caller is None:
                caller = self._callers[compiled.code.machine_code] = self._recipe.caller(compiled.code)
            return caller


_SHOWN = 20
"""How many functions are listed."""


def _closed() -> NoReturn:
    raise ValueError("the module is closed")
