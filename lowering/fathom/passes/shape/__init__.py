"""What several passes know of the shape dialect."""
