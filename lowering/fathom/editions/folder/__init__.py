"""A folder as an edition: the `.td` files of somebody's own MLIR, a checkout of any commit, a build or an installation.

    key = key_of("../llvm-project")        which MLIR that is, as it is now
    context_of(key)                        the context in which its texts are read

`places` finds the definitions in a folder and the release that they are nearest to, `listing` which files there are,
`owners` which of them define what of which dialect, `reading` what they say, as a difference to that release
(`editions/laying.py`), and `layer` the edition. What was read is kept on disk by the files that it was read from.
"""
