"""Files that describe dialects: descriptions in the one form, and what becomes such."""
