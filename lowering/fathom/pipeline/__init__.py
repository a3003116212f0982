"""Pipelines of passes: their language (`language`), and what becomes of a module by one (`lowering`)."""
