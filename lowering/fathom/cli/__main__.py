"""`python -m fathom.cli` is the program `fathom`."""

from fathom.cli import entry

entry()
