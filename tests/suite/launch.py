"""Starts lit on MLIR's tests with `suite.cfg.py` in the place of the source's own configuration.

python launch.py MLIR-FOLDER ARGUMENTS-OF-LIT...
"""

from __future__ import annotations

import sys
from pathlib import Path

from lit.main import main

if __name__ == "__main__":
    theirs = Path(sys.argv.pop(1)) / "test" / "lit.cfg.py"
    main({"config_map": {str(theirs): str(Path(__file__).with_name("suite.cfg.py"))}})
