"""Diagnostics as the tools print them: `message` makes one of a diagnostic, `source` writes it with its source line,
`report` takes those of a command, and `expected_diagnostics` holds them against what a text itself expects.
"""
