"""Files by their names as text.

What every start of a command reads is read by these: to import `pathlib` takes 3 ms.
"""

from __future__ import annotations

import os


def read_bytes(name: str, most: int = -1) -> bytes:
    """What a file holds, or the first bytes of that. Raises OSError."""
    with open(name, "rb") as file:
        return file.read(most)


def write_bytes(name: str, data: bytes) -> None:
    """Puts bytes into a file, in the place of what it held. Raises OSError."""
    with open(name, "wb") as file:
        file.write(data)


def read_text(name: str) -> str:
    """The text of a file in UTF-8. Raises OSError."""
    return read_bytes(name).decode("utf-8")


def beside(module: str, *names: str) -> str:
    """The name of a file that stands beside a module, of which `module` is the file, or below its folder."""
    return os.path.join(os.path.dirname(module), *names)


def is_file(name: str) -> bool:
    """Whether there is a file of this name."""
    return os.path.isfile(name)


def is_folder(name: str) -> bool:
    """Whether there is a folder of this name."""
    return os.path.isdir(name)


def names_in(folder: str) -> list[str]:
    """The names of what is in a folder. Raises OSError."""
    return os.listdir(folder)


def modules_in(folder: str) -> list[str]:
    """The names of the modules and packages in a folder, without importing any; `pkgutil` takes 5 ms for it."""
    return [
        name.removesuffix(".py")
        for name in os.listdir(folder)
        if (name.endswith(".py") and name != "__init__.py") or is_file(f"{folder}/{name}/__init__.py")
    ]


def stems(folder: str, ending: str) -> list[str]:
    """The names of the files in a folder that end so, without that."""
    return [name.removesuffix(ending) for name in os.listdir(folder) if name.endswith(ending)]
