"""Recording a voice: every text a take, listened to, and taken again where it was misheard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from narrator.mouth.packfile import PackFile
from narrator.mouth.reading import Stretch
from narrator.mouth.recipes import recipe
from narrator.mouth.takes import decoded, take
from voice_build.engines import Engine
from voice_build.listening import Listener, astray, sounds
from voice_build.slimming import slim

OTHER_TAKES = (
    *((0.92, 0), (0.98, 5), (1.0, 15), (0.94, 30), (1.02, 50), (1.0, 100), (0.95, 120), (1.0, 10), (1.0, 25)),
    *((0.85, 0), (1.06, 0), (0.96, 40), (1.06, 10), (0.9, 25), (1.1, 20), (0.9, 60), (0.82, 40), (1.06, 25)),
    *((0.96, 10), (1.0, 60), (0.8, 0), (1.12, 0), (1.03, 40), (0.88, 10), (1.04, 80), (0.92, 90)),
)
"""How a misheard text is said instead, in this order: at what speed, relative to the voice's own rate, and in
the manner of a text how many sounds longer (alone, a syllable or two tend to be mumbled)."""

SAVE_EVERY = 20
"""Clips between two writes of the index: what a build that is broken off can lose."""

Step = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Recording:
    """One voice: what records it, where its clips go, and how each of its texts is read."""

    engine: Engine
    pack: PackFile
    readings: Mapping[str, Sequence[Stretch]]

    def recipe(self, text: str) -> str:
        """Return a hash of everything that the sound of a text's first take depends on."""
        return recipe(self.engine.recipe, self.readings[text], self.engine.carrier)

    def due(self) -> list[str]:
        """Return the texts whose clips aren't there or were made differently, in order."""
        return [text for text in self.readings if self.pack.current(text, self.recipe(text)) is None]

    def record(self, texts: Iterable[str], step: Step = lambda: None) -> None:
        """Make the first take of each text."""
        for count, text in enumerate(texts, start=1):
            data = self._take(text)
            self.pack.put(text, data, decoded(data).seconds, self.recipe(text))
            if count % SAVE_EVERY == 0:
                self.pack.save()
            step()
        self.pack.save()

    def unheard(self) -> list[str]:
        """Return the texts whose clips nobody has listened to yet."""
        return [text for text in self.readings if self.pack.entries[text].astray is None]

    def listen(
        self, texts: Iterable[str], listener: Listener, limit: float, step: Step = lambda: None
    ) -> None:
        """Listen to each clip; what strays further than ``limit`` is taken again, and the best take kept."""
        for count, text in enumerate(texts, start=1):
            self._listen(text, listener, limit)
            if count % SAVE_EVERY == 0:
                self.pack.save()
            step()
        self.pack.save()

    def misheard(self, limit: float) -> list[tuple[str, float]]:
        """Return the texts that still stray further than ``limit``, the worst first."""
        known = ((text, self.pack.entries[text].astray or 0.0) for text in self.readings)
        return sorted(((text, share) for text, share in known if share > limit), key=lambda one: -one[1])

    def finish(self) -> None:
        """Write the index of exactly the texts there are, in their order, and remove other clips."""
        self.pack.save(self.readings)

    def _listen(self, text: str, listener: Listener, limit: float) -> None:
        entry, data = self.pack.entries[text], self.pack.read(text)
        assert data is not None, f"no clip of {text}"
        wanted = sounds(self.readings[text])
        best = (astray(listener.heard(decoded(data)), wanted), entry.speed, data)
        for speed, longer in OTHER_TAKES:
            if best[0] <= limit:
                break
            again = self._take(text, speed, longer)
            best = min(best, (astray(listener.heard(decoded(again)), wanted), speed, again))
        share, speed, kept = best
        self.pack.put(text, kept, decoded(kept).seconds, entry.recipe, speed, round(share, 3))

    def _take(self, text: str, speed: float = 1.0, longer: int = 0) -> bytes:
        samples, rate = self.engine.say(self.readings[text], speed, longer)
        return slim(take(samples, rate))
