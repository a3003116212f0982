"""A warm parent: a process with all of Fathom imported that forks for each call of a tool.

    python -m tests.suite.warm ADDRESS [OPTIONS]

It listens on a Unix socket, and ends when its standard input does. The options are given to each call of `mlir-opt`.
The forked child gets the caller's descriptors, folder, arguments and environment, and answers with its exit status in
one byte; if it dies, the connection ends without one. A child may use MEMORY and SECONDS, no more, but for `fathom`,
which is the program itself: the server of a test lives as long as the test.
"""

from __future__ import annotations

import array
import contextlib
import gc
import io
import os
import pkgutil
import resource
import selectors
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path

import fathom
import fathom_server
from fathom import cli
from fathom.context import default_context
from fathom_server.lsp.server import create_server
from fathom_server.model.settings import Settings
from fathom_server.session.warming import definitions, small_text

MEMORY = 4 << 30
SECONDS = 30
PROGRAM = "fathom"
GAVE_UP = "fathom: given up"
EXAMPLES = Path(__file__).parents[2] / "examples"

COLD = ("fathom.cli.__main__", "fathom_server.session.beside.inside")
"""Programs of their own."""


def warm_up(options: Sequence[str]) -> None:
    """Import everything, and let the caches fill that every call with these options fills."""
    for package in (fathom, fathom_server):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name not in COLD:
                import_module(module.name)
    for example in sorted(EXAMPLES.glob("*.mlir")):
        cli.main(["opt", *options, str(example)], io.StringIO(), io.StringIO(), io.StringIO())
    # What a server does ahead when it has nothing to do.
    context = default_context()
    for step in chain(create_server().protocol.prepare(), small_text(context, Settings()), definitions(context)):
        step()
    gc.collect()
    gc.freeze()


def serve(address: str, options: Sequence[str]) -> None:
    commands = _commands(options)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener, selectors.DefaultSelector() as selector:
        listener.bind(address)
        listener.listen(128)
        selector.register(listener, selectors.EVENT_READ)
        selector.register(sys.stdin.fileno(), selectors.EVENT_READ)
        # Children are not waited for: they answer their callers themselves.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        print("ready", flush=True)
        while all(key.fileobj is listener for key, _ in selector.select()):
            connection, _ = listener.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listener.close()
                selector.close()
                _answer(connection, commands)
            connection.close()


def _answer(connection: socket.socket, commands: Mapping[str, Callable[[list[str]], int]]) -> None:
    """The life of a child; it never returns."""
    try:
        command, arguments = _receive(connection)
        if command != PROGRAM:
            _limit()
        status = commands[command](arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        connection.send(bytes([status & 0xFF]))
    except BaseException:
        with contextlib.suppress(Exception):
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def _limit() -> None:
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(SECONDS)
    # For what does not come back to Python to hear the alarm.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 5, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _give_up(*_: object) -> None:
    os.write(2, f"{GAVE_UP} after {SECONDS} seconds\n".encode())
    os._exit(1)


def _receive(connection: socket.socket) -> tuple[str, list[str]]:
    """Take over the caller's descriptors, folder and environment; its command and arguments."""
    descriptors = array.array("i")
    head, ancillary, _, _ = connection.recvmsg(4, socket.CMSG_SPACE(3 * descriptors.itemsize))
    for _, _, data in ancillary:
        descriptors.frombytes(data)
    for standard, descriptor in enumerate(descriptors):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    length = int.from_bytes(head, "big")
    body = bytearray()
    while len(body) < length:
        body += connection.recv(length - len(body))
    command, folder, count, *rest = body.decode("utf-8", "surrogateescape").split("\0")
    os.chdir(folder)
    os.environ.clear()
    for entry in rest[int(count) :]:
        name, _, os.environ[name] = entry.partition("=")
    # What a run says is found out each time.
    os.environ["FATHOM_CACHE"] = "off"
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", newline="", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    return command, rest[: int(count)]


def _fathom(*fixed: str) -> Callable[[list[str]], int]:
    def call(arguments: list[str]) -> int:
        return cli.main([*fixed, *arguments], sys.stdin, sys.stdout, sys.stderr)

    return call


def _runner(arguments: list[str]) -> int:
    """It does not optimise where it is not told to, stops no program, and takes the result for an `f32` where nobody
    says what it is. Matrices are lowered in any case, and only in LLVM's way."""
    kept = [each for each in arguments if each.lstrip("-") not in ("enable-matrix", "matrix-allow-contract")]
    if not any(each.lstrip("-").startswith("entry-point-result") for each in kept):
        kept.append("--entry-point-result=f32")
    return _fathom("run", "-O", "0", f"--output-limit={1 << 26}")(kept)


def _commands(options: Sequence[str]) -> dict[str, Callable[[list[str]], int]]:
    return {
        PROGRAM: _fathom(),
        "mlir-opt": _fathom("opt", *options),
        "mlir-translate": _fathom("translate"),
        "mlir-runner": _runner,
        # It prints what it reads.
        "mlir-cat": _fathom("opt", "--allow-unregistered-dialect"),
    }


if __name__ == "__main__":
    address, *options = sys.argv[1:]
    warm_up(options)
    serve(address, options)
