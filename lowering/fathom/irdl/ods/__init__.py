"""Dialects from their definitions in TableGen: records of ODS, as descriptions."""
