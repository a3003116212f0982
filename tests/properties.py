"""How many inputs a property is tried with, and which.

A run of the tests draws the same inputs each time and everywhere (the profile `fixed`, which `tests/conftest.py`
loads), so that it fails only where something changed. A hunt (`make hunt`, the profile `hunt`) draws others, and more
of them; it begins with what it found last, until that is mended and stands beside its test as an example.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

HUNT: Final = "hunt"

PERCENT: Final = 100
FACTOR: Final = 40
"""A hunt tries so many times what the tests try."""

UNHURRIED: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
_EVERYWHERE: Final = settings(deadline=None, suppress_health_check=UNHURRIED, print_blob=True)


def configure_properties() -> None:
    """Makes `fixed` the profile; the option `--hypothesis-profile=hunt` replaces it before a test is imported."""
    settings.register_profile("fixed", _EVERYWHERE, derandomize=True, database=None, max_examples=PERCENT)
    settings.register_profile(HUNT, _EVERYWHERE, max_examples=FACTOR * PERCENT)
    settings.load_profile("fixed")
    # Hypothesis draws constants from the modules that are loaded: it would depend on the tests before what one draws.
    is_local: Callable[[str], bool] = vars(providers)["is_local_module_file"]
    providers.is_local_module_file = lambda path: is_hunt() and is_local(path)  # pyright: ignore[reportPrivateImportUsage]


def is_hunt() -> bool:
    """Whether other inputs are asked for than those of last time."""
    return settings.get_current_profile_name() == HUNT


def chance(seed: int | str) -> Random:
    """What a test draws with that does without hypothesis, and is marked as `hunted`: a hunt draws others each time."""
    return Random() if is_hunt() else Random(seed)


def tries(count: int) -> int:
    """How many inputs are tried where a run of the tests tries `count`."""
    return count * settings().max_examples // PERCENT


def examples(count: int) -> settings:
    """The settings of a property that a run of the tests tries with `count` inputs."""
    return settings(max_examples=tries(count))
