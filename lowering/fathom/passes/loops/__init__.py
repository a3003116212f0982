"""Loops of the scf dialect as other loops of it: what the passes that change them share."""
