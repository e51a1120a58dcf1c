"""Bringing a public model: manifest, download, checksum, safe unpacking."""
