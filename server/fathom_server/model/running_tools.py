"""The tools of other people that run at this moment, so that an edit can end them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final


class Interrupts:
    """The tools that run for documents, by the documents' URIs: what ends each of them."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._running: dict[int, tuple[str, Callable[[], None]]] = {}
        self._next = 0

    def add(self, uri: str, interrupt: Callable[[], None]) -> Callable[[], None]:
        """Notes one; gives what forgets it again."""
        with self._lock:
            self._next += 1
            number = self._next
            self._running[number] = uri, interrupt

        def forget() -> None:
            with self._lock:
                self._running.pop(number, None)

        return forget

    def interrupt(self, uri: str | None = None) -> None:
        """Ends those of a document, or all. It does not wait for it."""
        if not self._running:
            return
        with self._lock:
            ending = [end for of, end in self._running.values() if uri is None or of == uri]
        for end in ending:
            end()


RUNNING: Final = Interrupts()
"""Those of this process."""
