"""Narrator: a speaker that moderates the Killer/Police party game at a real table."""

__version__ = "0.1.0"
