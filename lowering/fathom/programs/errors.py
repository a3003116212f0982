"""What compiling and calling raise: each has the data of what went wrong, and says it as the command line does."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from fathom.messages.report import Reporter, Verbosity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.diagnostics import Diagnostic
    from fathom.execution import Failure
    from fathom.messages.source import Source


def rendered(diagnostics: Sequence[Diagnostic], source: Source) -> str:
    """Diagnostics with their places and the lines of the source."""
    stream = StringIO()
    Reporter(source, stream, Verbosity(current_operation=False)).report(diagnostics)
    return stream.getvalue().rstrip("\n")


class CompileError(Exception):
    """A text that does not compile. `diagnostics` say why, each with its place in the text; as a string they are shown
    with their lines."""

    def __init__(self, diagnostics: Sequence[Diagnostic], source: Source) -> None:
        super().__init__(rendered(diagnostics, source))
        self.diagnostics = tuple(diagnostics)
        self.source = source


class RunError(Exception):
    """A call that gives no result. `failure` has the kind of what happened and its details
    (`fathom.execution.Failure`), `stdout` and `stderr` what the program had printed, where it ran in a worker."""

    def __init__(self, failure: Failure, stdout: str = "", stderr: str = "", message: str = "") -> None:
        super().__init__(message or failure.message)
        self.failure = failure
        self.stdout = stdout
        self.stderr = stderr


class ArgumentError(RunError, TypeError):
    """An argument that does not fit the function, or a function that cannot be called. Nothing has run."""


def error_of(failure: Failure, stdout: str = "", stderr: str = "", message: str = "") -> RunError:
    """The exception for a failure."""
    is_call = failure.kind in ("bad-argument", "unsupported-signature")
    return (ArgumentError if is_call else RunError)(failure, stdout, stderr, message)
