"""Arithmetic on integers twice as wide as those that a target has, on vectors of two halves."""
