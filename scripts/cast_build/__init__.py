"""Builds the natural voices of rehearsals; run it as ``scripts/build_cast``."""
