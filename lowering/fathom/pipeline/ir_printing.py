"""`--mlir-print-ir-before`, `-after` and their kin: the IR before and after passes, as mlir-opt dumps it.

Source of the rules: *Pass Infrastructure*, "IR Printing"; observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import Path

from fathom.ir.attributes import StringAttr
from fathom.ir.operation import Operation
from fathom.ir.operation_printer import Locator
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import DEFAULT_FLAGS, PrintingFlags
from fathom.passes.definition import Pass
from fathom.pipeline.observer import Observer
from fathom.records import field, record, replace
from fathom.text.encodings import utf8
from fathom.verify.printing import flags_for


@record(frozen=False)
class IRPrinting(Observer):
    """Writes the IR before and after the passes that are named (None: all).

    `only_on_change` writes it after a pass only where the pass changed it, `only_on_failure` only where it failed;
    `module_scope` always writes the whole module. With `tree` each dump goes to a file of its own below that folder.
    """

    write: Callable[[str], object]
    before: Container[str] | None = ()
    after: Container[str] | None = ()
    only_on_change: bool = False
    only_on_failure: bool = False
    module_scope: bool = False
    tree: Path | None = None
    flags: PrintingFlags = DEFAULT_FLAGS
    locate: Locator | None = None
    _texts: list[str] = field(default_factory=list[str])
    _counts: dict[Operation, int] = field(default_factory=dict["Operation", int])

    def before_pass(self, use: Pass, op: Operation) -> None:
        if self.only_on_change:
            self._texts.append(_everything(op))
        if self.before is None or use.name in self.before:
            self._dump("Before", use, op)

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        is_same = self.only_on_change and self._texts.pop() == _everything(op)
        if self.after is not None and use.name not in self.after:
            return
        if failed:
            self._dump("After", use, op, " Failed")
        elif not (self.only_on_failure or is_same):
            self._dump("After", use, op)

    def _dump(self, when: str, use: Pass, op: Operation, outcome: str = "") -> None:
        head = f"// -----// IR Dump {when} {type(use).__name__}{outcome} ({use.name})"
        text = f"{head}{self._ir(op)}\n\n"
        if self.tree is None:
            self.write(text)
            return
        path = self._path(op, use)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(utf8(text))
        except OSError as error:
            self.write(f"Error opening output file {path}: {error.strerror}\n")

    def _ir(self, op: Operation) -> str:
        top = _outermost(op)
        if self.module_scope:
            name = _symbol(op)
            symbol = f": @{name}" if name is not None else ""
            return f" ('{op.name}' operation{symbol}) //----- //\n{self._text(top, top)}"
        return f" //----- //\n{self._text(op, top)}"

    def _text(self, op: Operation, top: Operation) -> str:
        """The whole module ends with a line break, an operation in it does not."""
        flags = flags_for(op, self.flags)
        if op is top and not flags.local_scope:
            return print_op(op, flags, locate=self.locate) + "\n"
        return print_op(op, replace(flags, local_scope=True), locate=self.locate)

    def _path(self, op: Operation, use: Pass) -> Path:
        """`builtin_module_no-symbol-name/func_func_f/0_1_cse.mlir`: a folder for each operation, and in the name how
        often each was the one that a pass ran on."""
        assert self.tree is not None
        self._counts[op] = self._counts.get(op, -1) + 1
        path = [op]
        while (parent := path[0].parent_op) is not None:
            path.insert(0, parent)
        folder = self.tree
        for operation in path:
            symbol = (_symbol(operation) or "no-symbol-name").replace("/", "_").replace("\\", "_")
            folder /= f"{operation.name.replace('.', '_')}_{symbol}"
        numbers = "_".join(str(self._counts.setdefault(operation, 0)) for operation in path)
        return folder / f"{numbers}_{use.name}.mlir"


def _symbol(op: Operation) -> str | None:
    name = op.attribute("sym_name")
    return name.value if isinstance(name, StringAttr) else None


def _outermost(op: Operation) -> Operation:
    while (parent := op.parent_op) is not None:
        op = parent
    return op


def _everything(op: Operation) -> str:
    """A text that differs when anything in the operation does."""
    return print_op(op, PrintingFlags(generic=True, local_scope=True))
