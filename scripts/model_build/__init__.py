"""Builds the speech model: speech, features, alignment, training, graph and model folder."""
