"""Whole games with synthetic players in a virtual room."""
