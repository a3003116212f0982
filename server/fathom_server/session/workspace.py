"""What a workspace may hold for Fathom."""

from __future__ import annotations

from typing import Final

CONFIGURATION: Final = "fathom.toml"
"""The file in a folder of the workspace that names descriptions of dialects, and a pipeline."""
