"""Tools of other people that run passes, such as `mlir-opt` of a build or `iree-opt`, as Fathom's own passes are seen.

A tool is handed a text, and gives the text behind so many passes (`pipelines.py`), with the place in what it was handed
that each operation comes from (`locations.py`), and diagnostics at such places (`messages.py`). It runs in a process
that has an end (`running.py`).
"""
