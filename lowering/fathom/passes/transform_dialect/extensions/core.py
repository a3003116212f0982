"""What the operations of transform itself do."""

PARTS = ("sequences", "navigation", "handles", "payload")
