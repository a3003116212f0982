"""Has the values looked for that the lines of a program computed in a call, once the call is over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pygls.uris import to_fs_path

from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsprotocol.types import TextDocumentClientCapabilities

    from fathom.execution.outcome import FailureKind, Json, RunOutcome
    from fathom_server.features.run import Runnable
    from fathom_server.features.tests import Test
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.snapshot import Snapshot
    from fathom_server.session.testing import Outcome

_FOLLOWED: Final[tuple[FailureKind, ...]] = ("assertion", "crash", "exit")
"""Failures up to which a program can be followed."""
_NOT_RUN: Final[tuple[FailureKind, ...]] = ("bad-argument", "unsupported-signature", "compile-error", "cancelled")


def are_shown(server: FathomServer, snapshot: Snapshot) -> bool:
    """Whether the client shows hints, and the settings want those of values."""
    about_documents: TextDocumentClientCapabilities | None = server.client_capabilities.text_document
    return snapshot.settings.hints.values and about_documents is not None and about_documents.inlay_hint is not None


def after_run(
    server: FathomServer, snapshot: Snapshot, function: str, arguments: Sequence[Json], made: Runnable, does: RunOutcome
) -> None:
    """A function was called, and did this."""
    if not are_shown(server, snapshot):
        return
    failure = does.failure
    if failure is not None and failure.kind not in _FOLLOWED:
        if failure.kind not in _NOT_RUN:
            server.session.values.say(snapshot, function, failure.message)
        return
    from fathom.programs.computed import Ran
    from fathom_server.features.values import values_of_call

    failed_at = None
    if failure is not None and isinstance(check := failure.details.get("check"), int):
        span = made.request.checks[check].span
        failed_at = span.start if span is not None else None
    # What is shown of arrays beside their elements is not needed.
    outcome = replace(does, result_elements=(), argument_elements=(), changes=())
    about = (
        function,
        arguments,
        folder_of(snapshot.uri) or Path(),
        Ran(outcome, failed_at, snapshot.settings.limits.elements),
    )
    server.session.values.find(snapshot, function, values_of_call, *about)


def after_test(server: FathomServer, snapshot: Snapshot, test: Test, outcome: Outcome) -> None:
    """A test was run; if it is a claim, it holds or not."""
    if not test.is_claim or outcome.status not in ("passed", "failed") or not are_shown(server, snapshot):
        return
    from fathom_server.features.values import values_of_claim
    from fathom_server.model.claims import claim_at

    claim = claim_at(snapshot.tree, test.line)
    if claim is None:
        return
    wrong = outcome.message if outcome.status == "failed" else ""
    about = test.line, folder_of(snapshot.uri) or Path(), wrong
    server.session.values.find(snapshot, claim.function, values_of_claim, *about)


def folder_of(uri: str) -> Path | None:
    """The folder in which a document lies, from which the files are looked for that its arguments name."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path).parent if path else None
