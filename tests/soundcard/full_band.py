"""Records a tone through a real loudspeaker and a real microphone at the device's rate; prints figures."""

from __future__ import annotations

import json
from contextlib import closing

import numpy as np

from narrator.ears.fullband import SoundDeviceFullBand
from narrator.mouth.loudspeaker import SoundDeviceLoudspeaker

HERTZ = 10_000


def main() -> None:
    """Play 10 kHz, which a recogniser's 16 kHz could not even hold, and look for it in what comes back."""
    with (
        closing(SoundDeviceLoudspeaker("pulse")) as loudspeaker,
        closing(SoundDeviceFullBand("pulse")) as mic,
    ):
        tone = 0.3 * np.sin(2 * np.pi * HERTZ * np.arange(2 * loudspeaker.rate) / loudspeaker.rate)
        loudspeaker.play(tone.astype(np.float32))
        heard = np.concatenate([mic.read() for _ in range(150)])
        spectrum = np.abs(np.fft.rfft(heard))
        hertz = float(np.fft.rfftfreq(len(heard), 1 / mic.rate)[np.argmax(spectrum)])
        mic.close()
        print(json.dumps({"rate": mic.rate, "hertz": hertz, "peak": float(np.abs(heard).max())}))


if __name__ == "__main__":
    main()
