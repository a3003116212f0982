"""Answers of a process that may run code of a workspace: what comes from there is data. It is made of the classes that
answers are made of, and nothing else is looked up by its name."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from enum import Enum
from io import BytesIO
from typing import Any, Final

from fathom.records import is_record

_PARTS: Final[Mapping[str, frozenset[str]]] = {
    module: frozenset(names.split())
    for module, names in {
        "array": "array _array_reconstructor",
        "builtins": "set frozenset bytearray complex slice range object",
        "fathom.bufferization.told": "Form Freed Held Made Operand Reason Rule Where Which",
        "fathom.diagnostics": "Diagnostic Note",
        "fathom.execution.outcome": "Check Convention Parameter RunRequest",
        "fathom.ir.values": "Span",
        "fathom.programs.told": "Told",
        "fathom.records": "_put_up",
        "fathom_server.features.edits": "Refusal Replacement",
        "fathom_server.features.run": "NotRunnable Runnable",
        "fathom_server.lsp.encoded": "Encoded",
        "fathom_server.model.became": "LoweredLines",
        "fathom_server.model.gist": "Gist",
        "fathom_server.model.in_memory": "InMemory",
        "fathom_server.model.learned": "Found",
        "fathom_server.model.values": "Values",
        "fathom_server.session.beside.messages": "Answer Failure",
    }.items()
}
"""The classes of answers and of their parts, and how such are made, by their modules."""
_PROTOCOL: Final = "lsprotocol.types"
_OF_IR: Final = ("fathom.ir.", "fathom.irdl.", "fathom.dialects.")
"""Where the records are of which types and attributes are made, which diagnostics and runs have in them."""


def answer_of(body: bytes) -> Any:
    """The answer that is the body of a frame. Raises UnpicklingError for what is none."""
    return _Answers(BytesIO(body)).load()


class _Answers(pickle.Unpickler):
    def find_class(self, module: str, name: str, /) -> Any:
        if name in _PARTS.get(module, ()):
            return super().find_class(module, name)
        if "." not in name and (module == _PROTOCOL or module.startswith(_OF_IR)):
            named = super().find_class(module, name)
            is_here = isinstance(named, type) and named.__module__ == module
            if is_here and (module == _PROTOCOL or is_record(named) or issubclass(named, Enum)):
                return named
        raise pickle.UnpicklingError(f"{module}.{name} is in no answer")
