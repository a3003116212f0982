"""IR that passes of any tool printed: the dumps in a log, or in a folder, as data.

`log.py` reads a log, such as that of a run on a build server; `tree.py` reads the folder of
`--mlir-print-ir-tree-dir`. A dump says which pass it is of, what that ran on, and where its text stands; the text is
taken out of the log when it is asked for.
"""
