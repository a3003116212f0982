"""Formatting: white space and line breaks as mlir-opt prints them, between the tokens as a person wrote them.

`formatter` says what to change, `meaning` whether a text still means what it meant.
"""
