"""The parts of `docs/editions.md` that measures write, each between two marks."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "editions.md"
_END = "<!-- end of the figures -->"


def with_figures(page: str, measure: str, figures: str) -> str:
    """A page with these figures in the part of a measure. ValueError where it has no such part."""
    begin = f"<!-- figures: make {measure} -->"
    before, mark, rest = page.partition(begin)
    _, end, after = rest.partition(_END)
    if not mark or not end:
        raise ValueError(f"the page has no part '{begin}' that ends with '{_END}'")
    return f"{before}{begin}\n\n{figures.strip()}\n\n{end}{after}"


def write(measure: str, figures: str) -> None:
    """Puts the figures of a measure, which is a target of `make`, into the page."""
    PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), measure, figures), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
