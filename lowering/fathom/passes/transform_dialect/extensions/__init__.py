"""What the operations of transform's extensions do, a module each; `core` are those of no extension."""
