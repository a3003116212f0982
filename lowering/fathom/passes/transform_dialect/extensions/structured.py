"""Transforms of structured operations, and of what is tiled and vectorised."""

PARTS = (
    "structured_match",
    "structured_tiling",
    "structured_relayout",
    "structured_vectorization",
    "structured_hoisting",
    "structured_naming",
)
