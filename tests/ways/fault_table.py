"""Programs that do not return as they should, and calls that cannot be: each with what is said of it, whichever way it
is called."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fathom.execution import Json
from fathom.execution.outcome import FailureKind
from fathom.records import record

FIXTURES: Final = Path(__file__).resolve().parents[1] / "fixtures" / "execution"
TEXT: Final = "".join((FIXTURES / f"{name}.mlir").read_text(encoding="utf-8") for name in ("faults", "hostile"))
"""All of them in one module, with `@fine`, which gives what it takes."""
LOWEST: Final = -(1 << 31)


@record
class Hostile:
    """A call of a function, the kind of its failure, and a part of what is said of it. A quick one has only so many
    seconds."""

    function: str
    arguments: tuple[Json, ...]
    kind: FailureKind
    says: str
    is_quick: bool = False

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))[:20]})"


def _late(function: str, *arguments: Json) -> Hostile:
    return Hostile(function, arguments, "timeout", "running the program took longer than the limit of 2 s", True)


def _crash(function: str, *arguments: Json, says: str) -> Hostile:
    return Hostile(function, arguments, "crash", says)


HOSTILE: Final = (
    # ---- they do not end
    _late("endless"),
    _late("endless_after_printing", 42),
    _late("kills_the_worker"),
    _late("waits"),
    _late("does_not_listen"),
    _late("lets_go_of_its_parent"),
    _late("closes", True),
    _late("raises", 19),
    # ---- they use up what there is
    Hostile("endless_printing", (7,), "output-limit", "printed more than the limit of"),
    Hostile("complains_without_end", (), "output-limit", "printed more than the limit of"),
    Hostile("allocate", (1 << 40,), "memory-limit", "asked for 4398046511104 bytes, beyond its limit"),
    Hostile("leak", (1 << 18,), "memory-limit", "asked for 1048576 bytes, beyond its limit"),
    Hostile("threads_without_end", (), "thread-limit", "started more than 64 threads"),
    _crash("recursion", 0, says="used up its stack (SIGSEGV)"),
    _crash("large_alloca", 64 << 20, says="an alloca too large"),
    # ---- memory that is not theirs
    _crash("null_store", 3, says="it accessed a null pointer"),
    _crash("wild_store", [1, 2, 3, 4], 1 << 40, says="it accessed memory that cannot be"),
    _crash("before_the_beginning", [1, 2, 3, 4], -1100, says="before the beginning of argument #0, which has 16 bytes"),
    _crash("before_the_beginning", [1, 2, 3, 4], 1100, says="beyond the end of argument #0, which has 16 bytes"),
    _crash("beyond_the_heap", 16, 1 << 40, says="SIGSEGV"),
    _crash("over_everything", [1, 2, 3, 4], says="SIGSEGV"),
    _crash("misaligned", [0] * 64, says="SIGSEGV"),
    _crash("freed_twice", 100, says="damaged its heap"),
    _crash("freed_where_nothing_is", 4096, says="SIGSEGV"),
    _crash("takes_its_memory_away", [1, 2, 3, 4], says="SIGSEGV"),
    _crash("calls_address", 0, says="it accessed a null pointer"),
    _crash("calls_data", [-61] * 64, says="SIGSEGV"),
    # ---- ends of other kinds
    _crash("divide", 1, 0, says="an integer division by zero"),
    _crash("divide", LOWEST, -1, says="of the lowest integer by -1"),
    _crash("traps", says="SIGILL"),
    _crash("aborts", says="SIGABRT"),
    _crash("asserts", False, says="an assertion failed"),
    _crash("kills_itself", says="SIGKILL"),
    _crash("raises", 11, says="SIGSEGV"),
    Hostile("exits", (3,), "exit", "with exit status 3 instead of returning"),
    Hostile("exits", (0,), "exit", "with exit status 0 instead of returning"),
    Hostile("exits_at_once", (0,), "exit", "with exit status 0 instead of returning"),
    Hostile("writes_everywhere", (5,), "exit", "with exit status 5 instead of returning"),
    Hostile("ends_its_thread", (), "exit", "instead of returning"),
    _crash("closes", False, says="closed the file descriptors of its process"),
    Hostile("starts_a_shell", (), "refused", "it tried to start a process"),
    Hostile("awaits_nothing", (), "deadlock", "awaits what is never there"),
    Hostile("calls_nosuch", (1,), "missing-symbol", "calls @nosuch, which nothing defines"),
    # ---- results that cannot be
    _crash("dangling", 16, 4, says="while the results were read"),
    _crash("dangling", 0, 4, says="a null pointer"),
    _crash("dangling", 16, -1, says="extents [-1], which cannot be right"),
    Hostile("of_many_dimensions", (1 << 40, 4096), "memory-limit", "asked for 17592186044440 bytes, beyond its limit"),
    _crash("of_many_dimensions", 2, 4096, says="it accessed address 0x1000"),
    _crash("of_many_elements", [1, 2, 3, 4], 1 << 60, 1, says=""),
    _crash("of_many_elements", [1, 2, 3, 4], 2, 1 << 60, says=""),
    # ---- calls that cannot be
    Hostile("divide", (1,), "bad-argument", "2"),
    Hostile("divide", (1, 1 << 40), "bad-argument", "expected an integer from -2147483648 to 4294967295"),
    Hostile("divide", (1, "nan"), "bad-argument", "expected an integer"),
    Hostile("wild_store", ([1, 2, 3], 0), "bad-argument", "expected"),
)
