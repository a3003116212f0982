"""The transform dialect at work: what its operations do to a program, the payload.

`interpreter` runs a sequence, `state` knows what handles stand for, and `models` is what an operation says of itself.
What the operations of an extension do stands in the module of its name; what those without one do, in `core`.
"""
