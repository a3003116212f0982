"""What the passes on async share: its types, the counts of references, and functions as coroutines."""
