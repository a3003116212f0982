"""What to say about a `.ll` file, a module for each feature; each takes a snapshot of it."""
