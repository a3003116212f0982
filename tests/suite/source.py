"""Where MLIR's source is: the tests that the suite runs are read from there, and none is kept here.

FATHOM_MLIR_SOURCE names a checkout of llvm-project. Without it, the source of the release is brought once from the
archive that the system's own apt is set up for, and unpacked in the user's cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path

RELEASE = "22.1.8"
PACKAGE = "llvm-toolchain-22"
WANTED = (
    "mlir/test/",
    "mlir/include/",
    "mlir/docs/",
    "mlir/lib/",
    "mlir/examples/",
    "llvm/test/TableGen/",
    "llvm/include/llvm/",
)
"""What is unpacked; the whole source is thirty times as large. Some tests read files of `include` and `examples`."""
DEFINITIONS = "llvm/lib/Target/"
"""Where of files `.td` are unpacked, which say what processors there are."""


def cache_home() -> Path:
    """Where the user's programs keep what they can make again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


class NoSource(Exception):
    """MLIR's source is not here and cannot be brought; the text says why."""


def mlir_source(*, fetch: bool = True) -> Path:
    """The folder `mlir` of the source, which is brought if it is missing and `fetch` allows it.

    Raises NoSource where there is none to be had.
    """
    named = os.environ.get("FATHOM_MLIR_SOURCE")
    if named:
        for folder in (Path(named) / "mlir", Path(named)):
            if (folder / "test" / "lit.cfg.py").exists():
                return folder.resolve()
        raise NoSource(f"FATHOM_MLIR_SOURCE is {named}, which is no checkout of llvm-project")
    root = cache_home() / "fathom-upstream" / RELEASE
    if not (root / "done").exists():
        if not fetch:
            raise NoSource(f"no source in {root}")
        try:
            _bring(root)
        except (OSError, subprocess.SubprocessError, tarfile.TarError, EOFError) as problem:
            raise NoSource(f"the source of MLIR {RELEASE} could not be brought: {problem}") from problem
    return root / "mlir"


def _archive() -> str:
    """The address of the archive from which apt installs."""
    if shutil.which("apt-get") is None:
        raise NoSource("there is no apt here; name a checkout of llvm-project in FATHOM_MLIR_SOURCE")
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(COMPONENT)"]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        address, _, component = line.rpartition(" ")
        if component == "main" and "security" not in address:
            return address.rstrip("/")
    raise NoSource("apt has no archive; name a checkout of llvm-project in FATHOM_MLIR_SOURCE")


def _bring(root: Path) -> None:
    address = f"{_archive()}/pool/main/l/{PACKAGE}/{PACKAGE}_{RELEASE}.orig.tar.xz"
    print(f"bringing the source of MLIR {RELEASE} to {root} (once; some 160 MB)", file=sys.stderr, flush=True)
    root.mkdir(parents=True, exist_ok=True)
    with (
        urllib.request.urlopen(address, timeout=60) as response,
        tarfile.open(fileobj=response, mode="r|xz") as archive,
    ):
        for member in archive:
            _, _, name = member.name.partition("/")
            is_wanted = name.startswith(WANTED) or (name.startswith(DEFINITIONS) and name.endswith(".td"))
            if is_wanted and (member.isfile() or member.isdir()):
                member.name = name
                archive.extract(member, root, filter="data")
    (root / "done").touch()


if __name__ == "__main__":
    try:
        print(mlir_source())
    except NoSource as problem:
        sys.exit(str(problem))
