"""The machines that code can be made for, by the names that people give them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fathom.records import record, replace


class NoTarget(ValueError):
    """A target that nobody knows; the message says which there are."""


@record
class Target:
    """A machine. All empty: this computer. `abi` is which registers calls use, where a target has several ways."""

    triple: str = ""
    cpu: str = ""
    features: str = ""
    abi: str = ""


TARGETS: Final[Mapping[str, Target]] = {
    "host": Target(),
    "x86-64": Target("x86_64-unknown-linux-gnu", "x86-64"),
    "aarch64": Target("aarch64-unknown-linux-gnu", "generic"),
    "riscv64": Target("riscv64-unknown-linux-gnu", "generic-rv64", "+m,+a,+f,+d,+c", "lp64d"),
    "wasm32": Target("wasm32-unknown-unknown", "generic"),
    "nvptx64": Target("nvptx64-nvidia-cuda", "sm_80"),
    "amdgcn": Target("amdgcn-amd-amdhsa", "gfx90a"),
    "spirv64": Target("spirv64-unknown-unknown"),
    "spirv": Target("spirv-unknown-vulkan1.3-compute"),
}
"""The targets that have a name of their own; any other is named by its triple."""
_LIKE: Final[Mapping[str, str]] = {
    "x86_64": "x86-64",
    "amd64": "x86-64",
    "arm64": "aarch64",
    "wasm": "wasm32",
    "nvptx": "nvptx64",
    "amdgpu": "amdgcn",
}
"""What else people call some."""
_TRIPLE: Final = re.compile(r"[A-Za-z0-9_.+]+(-[A-Za-z0-9_.+]*)+")
_WORD: Final = re.compile(r"[A-Za-z0-9_.+-]*")
_FEATURES: Final = re.compile(r"([+-][A-Za-z0-9_.+-]+(,[+-][A-Za-z0-9_.+-]+)*)?")


def target_of(name: str, cpu: str = "", features: str = "") -> Target:
    """The target of a name or a triple, with a processor and `features`, words as `+avx` with commas, if they are
    given. Raises NoTarget."""
    key = name.strip() or "host"
    target = TARGETS.get(_LIKE.get(key.lower(), key.lower()))
    if target is None:
        if not _TRIPLE.fullmatch(key):
            raise NoTarget(f"there is no target '{name}'; there are {', '.join(TARGETS)}, and LLVM's triples")
        target = Target(key)
    if not _WORD.fullmatch(cpu):
        raise NoTarget(f"'{cpu}' is no name of a processor")
    if not _FEATURES.fullmatch(features):
        raise NoTarget(f"'{features}' are no features: expected words as +avx, with commas between them")
    if cpu:
        # What a processor has is said by its name.
        target = replace(target, cpu=cpu, features="" if target.cpu != cpu else target.features)
    if features:
        target = replace(target, features=",".join(filter(None, (target.features, features))))
    return target
