"""The page of `fathom explore` about 100,000 lines, in Chromium.

How long the main thread works at once, in milliseconds of its processor, what goes over the wire, and after how many
milliseconds a key is seen.

    python -m benchmarks.page

It drives the session of `tests/clients/explore/large.mjs`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.clients.test_explore import driven


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        told = driven("large", Path(folder), figures=True).stderr
    print(f"{'':<36}{'longest tasks, ms':>22}{'sent':>12}{'received':>12}{'elements':>10}{'a key, ms':>14}")
    for line in told.splitlines():
        each = json.loads(line)
        keys = f"{median(each['keys']):.0f} to {max(each['keys'])}" if each["keys"] else ""
        longest = ", ".join(map(str, each["longest"]))
        figures = f"{longest:>22}{each['sent']:>12,}{each['received']:>12,}{each['nodes']:>10,}{keys:>14}"
        print(f"{each['name']:<36}{figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
