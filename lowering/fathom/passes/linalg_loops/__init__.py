"""Loops for the structured operations of linalg: what the passes that make them share."""
