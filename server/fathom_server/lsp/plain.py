"""Messages that pygls has no types for, as plain data."""

from __future__ import annotations

from typing import Any, cast


def plain(value: Any) -> Any:
    """What pygls made of a message of no known type, as plain dictionaries and lists."""
    if hasattr(value, "_asdict"):
        return {key: plain(field) for key, field in value._asdict().items()}
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        return {key: plain(entry) for key, entry in entries.items()}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in cast("list[Any]", value)]
    return value
