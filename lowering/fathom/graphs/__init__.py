"""Graphs of programs as data: control flow, data flow, loops, accesses to memory and calls."""
