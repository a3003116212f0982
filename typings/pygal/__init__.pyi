"""What Fathom uses of pygal, which has no types of its own."""

from collections.abc import Callable, Sequence

class XY:
    def __init__(
        self,
        *,
        x_title: str = ...,
        y_title: str = ...,
        logarithmic: bool = ...,
        x_labels: Sequence[float] = ...,
        x_value_formatter: Callable[[float], str] = ...,
        js: Sequence[str] = ...,
        disable_xml_declaration: bool = ...,
    ) -> None: ...
    def add(self, title: str, values: Sequence[tuple[float, float]]) -> None: ...
    def render(self, *, is_unicode: bool = ...) -> str: ...
