"""Messages that pygls has no types for, as plain data."""

from __future__ import annotations

from typing import Any, cast


def plain(value: Any) -> Any:
    """What pygls made of a message of no known type, as plain dictionaries and lists."""
    if hasattr(value, "_asdict"):
        return {key: plain(each) for key, each in value._asdict().items()}
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        return {key: plain(each) for key, each in entries.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in cast("list[Any]", value)]
    return value
