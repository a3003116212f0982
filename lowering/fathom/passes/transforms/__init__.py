"""The passes that improve or tidy what there is, each in a module that has its name (with `_` for `-`)."""
