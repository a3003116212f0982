"""Graphs of programs as data: control flow, data flow, loops and calls."""
