"""The option about the module that an input is, of all commands that read one."""

from __future__ import annotations

from typing import Final

from fathom.cli.options import flag

NO_IMPLICIT_MODULE: Final = flag("no-implicit-module", "put no module around the input, which must be one operation")
