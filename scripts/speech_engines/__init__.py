"""Synthesisers that are used while building only: what is shared by the model, the voices and the cast."""
