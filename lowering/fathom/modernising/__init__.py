"""Modernising: texts and IR of older editions of MLIR as MLIR 22 has them.

`engine` changes a text, `rewriting` rewrites IR, by the table of renames and by `rules`.
"""
