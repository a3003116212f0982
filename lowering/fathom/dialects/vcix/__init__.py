"""The vcix dialect, described in `mlir-22/vcix.toml`: instructions of SiFive's processors that users define."""
