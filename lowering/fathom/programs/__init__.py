"""From a text and the name of a function to a program that can be compiled and called: see `preparing`."""
