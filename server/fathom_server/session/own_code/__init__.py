"""Python of the workspace beside descriptions of dialects. It is run where a setting allows it, for a limited time, by
processes that can change nothing outside of them: to see what it says (`asking.py`, `inside.py`), and in the process
beside the server, when what mentions its dialects is looked at or lowered (`kept.py`)."""

from __future__ import annotations

from typing import Final

SECONDS: Final = 5.0
"""Of a processor's time, for each thing that is asked."""
