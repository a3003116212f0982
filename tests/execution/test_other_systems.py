"""Systems that are not like POSIX, as Windows: what Python lacks there is hidden, and the rest works all the same, or
says why not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from fathom.kept.places import SWITCH

ROOT = Path(__file__).resolve().parents[2]
HIDE = """
import asyncio, multiprocessing, os, pkgutil, select, signal, subprocess, sys
from importlib import import_module
from io import StringIO

HIDDEN = ("fcntl", "grp", "pwd", "resource", "termios")


class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)


for name in HIDDEN:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Hidden())
for module, names in (
    (os, "fork forkpty setsid pread geteuid getuid nice waitid set_blocking WNOHANG killpg setpgid O_NOFOLLOW"),
    (select, "poll epoll"),
    (signal, "SIGPIPE SIGBUS SIGXCPU SIGSYS SIGPROF setitimer pthread_sigmask SIGALRM"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)


def fathom(*arguments, text=""):
    from fathom.cli import main

    out, err = StringIO(), StringIO()
    return main(arguments, StringIO(text), out, err), out.getvalue(), err.getvalue()


"""
GCD = str(ROOT / "examples" / "gcd.mlir")
INSIDE = (
    "fathom.execution.program",
    "fathom.execution.resident_worker",
    "fathom.execution.watch",
    "fathom.execution.worker",
)
"""What is only in the process of a program, and in that which watches it: these are not started there."""


def hidden(script: str) -> str:
    """What a script prints where these are hidden."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "lowering"), str(ROOT / "server")))}
    environment.pop(SWITCH, None)
    command = [sys.executable, "-c", HIDE + script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_all_can_be_imported() -> None:
    script = f"""
import fathom, fathom_server

for package in (fathom, fathom_server):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__") and module.name not in {INSIDE}:
            try:
                import_module(module.name)
            except ModuleNotFoundError as problem:
                # What is for another package, which is not installed, is not imported without it either.
                if problem.name in HIDDEN or problem.name.startswith("fathom"):
                    raise
print("all")
"""
    assert hidden(script) == "all\n"


def test_what_works() -> None:
    """LLVM is asked in a process of its own, which is started, and not forked."""
    text = "llvm.func @f(%a: i32) -> i32 {\n  llvm.return %a : i32\n}\n"
    script = f"""
print(fathom("opt", "--convert-scf-to-cf", {GCD!r})[0])
status, out, err = fathom("translate", "--mlir-to-llvmir", text={text!r})
print(status, "define i32 @f(i32 %0)" in out, repr(err))
print(fathom("fmt", "-", text={text!r}) == (0, {text!r}, ""))
print(fathom("cache"))
import fathom as library
lowered = library.lower({text!r}, "builtin.module()")
print(lowered.failed, "llvm.func @f" in lowered.text)
"""
    nothing = "fathom cache: error: nothing is kept: on this system nothing is kept"
    assert hidden(script) == f"0\n0 True ''\nTrue\n(1, '', '{nothing}\\n')\nFalse True\n"


def test_programs_are_refused_with_the_reason() -> None:
    script = f"""
for options in ((), ("-g",), ("--no-cache",)):
    print(fathom("run", {GCD!r}, "--entry=gcd", *options, "--args", "4", "6"))
print(fathom("run", "--host-supports-jit"))
from fathom.execution import RunRequest, Worker
with Worker() as worker:
    print(worker.run(RunRequest("", "f")).failure.kind)
"""
    why = "programs cannot be run on this system, which has no fork and no poll: the worker needs both"
    said = f"(1, '', '{GCD}: error: {why}\\n')\n"
    asked = f"(1, 'false\\n', 'fathom run: error: {why}\\n')\n"
    assert hidden(script) == f"{said * 3}{asked}worker-unavailable\n"
