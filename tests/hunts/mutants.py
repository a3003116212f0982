"""`python -m tests.hunts.mutants [NAMES]`: mistakes are put into passes, one after the other, and looked for.

Prints for each what was named, and how many operations are left of the text. Ends with status 1 if a pass or a pattern
is not named as it should be, or if fewer than two thirds of the texts are left with ten operations at most.
"""

from __future__ import annotations

import sys
from typing import Final

from tests.bisecting.mutants import MUTANTS
from tests.bisecting.test_bisect import SMALL, check_found

ENOUGH: Final = 2 / 3


def main() -> int:
    chosen = [mutant for mutant in MUTANTS if not sys.argv[1:] or mutant.name in sys.argv[1:]]
    missed, small = 0, 0
    for mutant in chosen:
        try:
            left = check_found(mutant, reduces=True)
        except AssertionError as problem:
            missed += 1
            print(f"{mutant.name:<12} NOT FOUND: {problem}")
            continue
        small += left <= SMALL
        print(f"{mutant.name:<12} {mutant.guilty}, {mutant.pattern or mutant.folds or 'no pattern'}: {left} operations")
    print(f"found {len(chosen) - missed} of {len(chosen)}; {small} have at most {SMALL} operations")
    return int(missed > 0 or small < ENOUGH * len(chosen))


if __name__ == "__main__":
    sys.exit(main())
