"""LLVM, kept in a process of its own."""

PRINT, VERIFY, MACHINE, NORMAL, BITCODE, OBJECT, PROGRAM, CODE = range(8)
"""What LLVM is asked: to print a module as it has read it; whether a module is sound, which has the empty text for an
answer; what a machine is, as JSON; to print a module that is sound; the same of bitcode, of which each byte is a
character; to compile a module, whose text follows a line of JSON that says for what (`questions.compiled`); to compile
a program whose functions are to be called in a process on this computer (`questions.program`); and what code is made of
a module (`codegen.inside.made`)."""
