"""Pipelines that have a name."""
