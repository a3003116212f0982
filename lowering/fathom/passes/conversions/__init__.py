"""The passes that replace one dialect by others, each in a module that has its name (with `_` for `-`)."""
