"""Records the narrator's voices; run it as ``scripts/build_voice``."""
