"""Everything of the binding layer is `Any`: llvmlite has no type information of its own."""

from typing import Any

def __getattr__(name: str) -> Any: ...
