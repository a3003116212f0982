"""Rewrites of operations on vectors into simpler ones on vectors, which several passes are made of."""
