"""Files and folders that are a user's own, and the key by which the user's entries are told from all others.

Each function takes the descriptor of a folder, and follows no symbolic links in it: what was looked at is what is used.
"""

from __future__ import annotations

import os
import stat
from typing import Final

_SIZE: Final = 32
"""How long a key is, in bytes."""
_OTHERS: Final = 0o077
_OTHERS_WRITE: Final = 0o022
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
"""Without waiting: what is there may be a pipe."""
_MAKE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class NotOwn(Exception):
    """Why a folder or a key cannot be trusted, in a sentence."""


def open_folder(path: str) -> int:
    """The descriptor of a folder that is the user's, and that nobody else may change; it is made if it is not there.
    Raises NotOwn, and OSError."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    found = os.fstat(folder)
    if found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE:
        return folder
    os.close(folder)
    why = "belongs to somebody else" if found.st_uid != os.geteuid() else "may be changed by others"
    raise NotOwn(f"the folder '{path}' {why}")


def read_key(path: str) -> bytes:
    """The user's key, which is made if there is none. Raises NotOwn, and OSError."""
    folder, name = open_folder(os.path.dirname(path)), os.path.basename(path)
    try:
        for _ in range(2):
            try:
                file = os.open(name, _READ, dir_fd=folder)
            except FileNotFoundError:
                _make_key(folder, name)
                continue
            key = _key_in(file, path)
            if len(key) == _SIZE:
                return key
            # It was cut off. What it vouched for is not taken any more.
            os.unlink(name, dir_fd=folder)
            _make_key(folder, name)
        file = os.open(name, _READ, dir_fd=folder)
        return _key_in(file, path)
    finally:
        os.close(folder)


def _key_in(file: int, path: str) -> bytes:
    """What the file of a key holds; it is closed. Raises NotOwn if others had it in their hands."""
    try:
        found = os.fstat(file)
        if found.st_uid != os.geteuid() or not stat.S_ISREG(found.st_mode) or found.st_mode & _OTHERS:
            raise NotOwn(f"the file '{path}' is not for its owner alone")
        return os.read(file, _SIZE) if found.st_size == _SIZE else b""
    finally:
        os.close(file)


def _make_key(folder: int, name: str) -> None:
    """Makes a key, unless another process does so first: either is there as a whole or not at all."""
    own = temporary(name)
    write_new(folder, own, os.urandom(_SIZE))
    try:
        os.link(own, name, src_dir_fd=folder, dst_dir_fd=folder)
    except FileExistsError:
        pass
    finally:
        os.unlink(own, dir_fd=folder)


def temporary(name: str) -> str:
    """A name for a file that is not whole yet, which no other process has."""
    return f".{name[:16]}.{os.getpid():x}.{os.urandom(6).hex()}"


def write_new(folder: int, name: str, data: bytes) -> None:
    """Makes a file that only its owner may read. Raises OSError, and leaves none then."""
    file = os.open(name, _MAKE, 0o600, dir_fd=folder)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
    except OSError:
        os.unlink(name, dir_fd=folder)
        raise
    finally:
        os.close(file)


def read_own(folder: int, name: str, most: int) -> bytes | None:
    """What a file holds that is the user's and has at most so many bytes; None for anything else. Raises OSError."""
    file = os.open(name, _READ, dir_fd=folder)
    try:
        found = os.fstat(file)
        is_own = found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE
        if not is_own or not stat.S_ISREG(found.st_mode) or found.st_size > most:
            return None
        # One byte more than it has: what grows while it is read is not what was looked at.
        pieces, left = list[bytes](), found.st_size + 1
        while left and (piece := os.read(file, left)):
            pieces.append(piece)
            left -= len(piece)
        os.utime(file)
        return b"".join(pieces) if left else None
    finally:
        os.close(file)
