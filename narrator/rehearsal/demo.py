"""A night and the dawn after it, as a table hears them: to listen to, and to see what speaking costs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from narrator.moderator.effects import Effect, Expect, Note, Say, Sound
from narrator.moderator.evening import Secrets, Setup
from narrator.moderator.inputs import Answer
from narrator.moderator.moderator import Moderator
from narrator.moderator.rhythm import Rhythm
from narrator.mouth.bed import Bed
from narrator.mouth.loudspeaker import Loudspeaker, SilentLoudspeaker
from narrator.mouth.speech import Mouth
from narrator.rehearsal.script import Script
from narrator.rules.library import library
from narrator.table.blocks import BLOCK_SECONDS
from narrator.table.performance import Performance

RULESET, PLAYERS, SECRETS = "standard", 9, Secrets.CODES
_NIGHT = 2
"""The second night: by then nobody has to be learned by name, and it lasts about a minute."""
_THINKING_SECONDS = 1.5


class Tape(SilentLoudspeaker):
    """A loudspeaker whose sound is kept; time passes only by ``advance``."""

    def __init__(self, rate: int) -> None:
        super().__init__(rate)
        self._queue: deque[NDArray[np.float32]] = deque()
        self._bed = Bed()
        self._kept: list[NDArray[np.float32]] = []
        self._owed = 0.0

    def play(self, samples: NDArray[np.float32]) -> None:
        """Append samples to what is playing."""
        super().play(samples)
        self._queue.append(samples)

    def stop(self) -> None:
        """Forget what is left."""
        super().stop()
        self._queue.clear()

    def bed(self, samples: NDArray[np.float32] | None) -> None:
        """Loop samples under everything from now on, or let what lies there end."""
        self._bed.lay(samples)

    def advance(self, seconds: float) -> None:
        """Let time pass, and keep what sounded meanwhile."""
        super().advance(seconds)
        self._owed += seconds * self.rate
        frames = int(self._owed)
        self._owed -= frames
        out = np.zeros((frames, 1), dtype=np.float32)
        filled = 0
        while filled < frames and self._queue:
            head = self._queue.popleft()
            count = min(frames - filled, len(head))
            out[filled : filled + count, 0] = head[:count]
            filled += count
            if count < len(head):
                self._queue.appendleft(head[count:])
        self._bed.mix_into(out, self.rate)
        self._kept.append(out[:, 0])

    @property
    def samples(self) -> NDArray[np.float32]:
        """Everything that has sounded so far."""
        return np.concatenate(self._kept) if self._kept else np.zeros(0, np.float32)


def night_and_dawn(
    mouth: Mouth,
    loudspeaker: Loudspeaker,
    *,
    seed: int = 1,
    with_backdrop: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Play a night and its dawn on a loudspeaker; ``tick`` is called for every 20 ms of the table's time."""
    moderator, script, effects = _evening(seed, mouth.pack.rhythm)
    performance = Performance(mouth, loudspeaker, (), waits_for_clips=True, with_backdrop=with_backdrop)

    def pass_by(seconds: float) -> None:
        for _ in range(round(seconds / BLOCK_SECONDS)):
            loudspeaker.advance(BLOCK_SECONDS)
            tick()

    while True:
        performance.add(effects)
        while performance.tick(BLOCK_SECONDS) is None:
            pass_by(BLOCK_SECONDS)
        if Sound("dawn") in effects:
            return
        pass_by(_THINKING_SECONDS)
        effects = _go_on(moderator, script, effects)


def _evening(seed: int, rhythm: Rhythm) -> tuple[Moderator, Script, tuple[Effect, ...]]:
    """An evening as far as the night to be heard, with the effects that begin it."""
    while True:
        moderator = Moderator(Setup(seed, ruleset=RULESET, players=PLAYERS, secrets=SECRETS, rhythm=rhythm))
        script = Script(library().chosen(RULESET), PLAYERS, SECRETS, seed)
        effects, nights = moderator.begin(), 0
        while not any(isinstance(effect, Note) and effect.what == "verdict" for effect in effects):
            nights += Sound("nightfall") in effects
            if nights == _NIGHT:
                return moderator, script, effects
            effects = _go_on(moderator, script, effects)
        # This game was over before.
        seed += 1


def _go_on(moderator: Moderator, script: Script, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Answer what is asked at the end of ``effects``; what comes of it."""
    reply = script.reply(_noticed(script, effects))
    return moderator.handle(Answer(reply.kind, reply.value))


def _noticed(script: Script, effects: tuple[Effect, ...]) -> Expect:
    """Tell the players what is said; the question that is then asked comes back."""
    for effect in effects:
        if isinstance(effect, Say):
            script.spoken(effect)
        elif isinstance(effect, Note):
            script.noted(effect)
    return next(effect for effect in effects if isinstance(effect, Expect))
