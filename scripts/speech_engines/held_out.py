"""Synthetic voices never used to train the recogniser, nor in any blend: for measuring and for rehearsals."""

from __future__ import annotations

MANDARIN = ("zf_xiaoni", "zm_yunxia")
"""Kokoro's Mandarin voices kept out."""

ACCENTS = ("af_heart", "am_michael", "bf_emma", "jf_alpha", "ef_dora", "im_nicola")
"""Kokoro's voices of other languages kept out."""

KOKORO = (*MANDARIN, *ACCENTS)

ESPEAK = ("f5", "m7", "Annie", "quincy", "Diogo", "steph")
"""Variants of espeak-ng kept out."""

TUNING_ESPEAK = (
    *("AnxiousAndy", "Storm", "Tweaky", "RicishayMax", "RicishayMax2", "RicishayMax3"),
    *("klatt5", "klatt6", "croak", "Mr serious"),
)
"""Variants of espeak-ng kept out of training and measuring: thresholds are chosen with them."""

TUNING_KOKORO = ACCENTS
"""Kokoro's voices that thresholds are chosen with; measured is with ``MANDARIN``."""
