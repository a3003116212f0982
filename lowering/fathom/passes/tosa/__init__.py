"""What several passes know of tosa: how its types become those of other dialects, and the constants it is made of."""
