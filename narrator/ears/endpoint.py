"""Hearing one answer: when it begins, when it has ended, and what it was."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from narrator.ears.grammar import UNKNOWN_WORD, Grammar, build_grammar
from narrator.ears.levelling import amplified, gain, levelled
from narrator.ears.model import RecogniserModel
from narrator.ears.recogniser import Recogniser
from narrator.ears.rehearing import hear_again
from narrator.ears.sound import SAMPLE_RATE, Block
from narrator.ears.voicing import BLOCK_SECONDS, Voicing, VoicingSettings
from narrator.ears.weighing import Weighed, weigh
from narrator.heard import Heard, Word

_EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """Times in seconds."""

    trailing: float = 0.5
    """An answer has ended after this much silence."""
    early: float = 0.3
    """After this much silence it is already recognised, so that the end costs no waiting."""
    long: float = 1.5
    """Voice of this length makes the words be watched too: the room may be too noisy to hear an end."""
    settled: float = 1.2
    """A watched answer has ended when its words haven't changed for this long; they come in steps of 0.6."""
    preroll: float = 0.3
    """Sound kept from before the voice began: the onset is softer than the vowel."""
    shortest: float = 0.1
    """Less voice than this is a knock, not an answer."""
    longest: float = 8.0
    """An utterance is cut off here and counts as nothing understood."""
    sure: float = 0.97
    """Below this confidence the utterance is heard again as if by other throats."""
    near_noise: float = 16.0
    """What stands out of the room's noise by fewer dB is heard again however sure it seems."""
    few: int = 2
    """So many characters that are answers by themselves make a short answer, whose tone is listened to, …"""
    brief: float = 1.2
    """… if its voice lasts no longer than this."""
    deep_noise: float = 12.0
    """What stands out of the room's noise by fewer dB is made no surer by a tone that may be the noise's."""
    voicing: VoicingSettings = field(default_factory=VoicingSettings)


class AnswerListener:
    """Listens for an answer among ``phrases``.

    ``floor`` is the room's noise floor in dB of full scale, if an earlier listener has learnt it;
    ``meanings`` tell which phrases mean the same. Raises ``ValueError`` when the model has words for none
    of the phrases.
    """

    def __init__(
        self,
        model: RecogniserModel,
        phrases: Sequence[str],
        settings: AnswerSettings | None = None,
        floor: float | None = None,
        meanings: Mapping[str, Hashable] | None = None,
    ) -> None:
        self._model = model
        self._settings = settings or AnswerSettings()
        self._grammar = build_grammar(model, phrases)
        self._phrases = frozenset(phrases)
        self._meanings = meanings
        self._voicing = Voicing(self._settings.voicing, floor)
        self._before: deque[Block] = deque(maxlen=round(self._settings.preroll / BLOCK_SECONDS))
        self._time = 0.0
        self._utterance: _Utterance | None = None
        self.silence = 0.0

    @property
    def floor(self) -> float:
        """The room's noise floor in dB of full scale, worth passing on to the next listener."""
        return self._voicing.floor

    def feed(self, block: Block) -> Heard | None:
        """Take 20 ms of sound; the utterance once it has ended, else ``None``.

        ``silence`` tells the seconds since a voice was last heard (or since the start).
        """
        seconds = len(block) / SAMPLE_RATE
        self._time += seconds
        voiced = self._voicing.feed(block)
        self.silence = 0.0 if voiced else self.silence + seconds
        if self._utterance is None:
            self._before.append(block)
            if voiced:
                self._utterance = self._begin()
            return None
        self._utterance.sound.append(block)
        return self._follow(self._utterance, block, voiced)

    def _begin(self) -> _Utterance:
        sound = list(self._before)
        self._before.clear()
        return _Utterance(self._time - sum(map(len, sound)) / SAMPLE_RATE, sound, voice_until=self._time)

    def _follow(self, utterance: _Utterance, block: Block, voiced: bool) -> Heard | None:
        settings = self._settings
        if voiced:
            utterance.voice_until = self._time
            utterance.voiced += BLOCK_SECONDS
            utterance.words = None
        if self._time - utterance.began >= settings.longest:
            self._utterance = None
            return Heard("", confidence=0.0, endpoint=round(self._time, 3))
        if utterance.words is None and self.silence >= settings.early - _EPSILON:
            utterance.words = self._recognise(utterance)
        if self.silence < settings.trailing - _EPSILON and not self._settled(utterance, block):
            return None
        self._utterance = None
        return self._heard(utterance) if utterance.voiced >= settings.shortest else None

    def _recognise(self, utterance: _Utterance) -> tuple[Word, ...]:
        recogniser = Recogniser(self._model, self._grammar, start=utterance.began)
        recogniser.accept(levelled(np.concatenate(utterance.sound)))
        # A decoder may stretch the last word into the silence after it.
        last = round(utterance.voice_until, 3)
        return tuple(
            replace(word, start=min(word.start, last), end=min(word.end, last)) for word in recogniser.final()
        )

    def _settled(self, utterance: _Utterance, block: Block) -> bool:
        """Whether the words of a long utterance have stopped changing, though the room is not silent."""
        if self._time - utterance.began < self._settings.long:
            return False
        if utterance.watch is None:
            utterance.watch = _Watch(self._model, self._grammar, np.concatenate(utterance.sound))
        else:
            utterance.watch.accept(block)
        return utterance.watch.unchanged >= self._settings.settled - _EPSILON

    def _heard(self, utterance: _Utterance) -> Heard | None:
        """What was said; ``None`` when no word at all came out, as from a cough."""
        words = self._recognise(utterance) if utterance.words is None else utterance.words
        if not words:
            return None
        above = round(self._voicing.above(utterance.sound), 1)
        text = self._grammar.text([word.text for word in words])
        confidence = min(word.confidence for word in words)
        weighed = self._weighed(text, confidence, utterance, above)
        if weighed is None:
            confidence, rivals = self._agreed(text, confidence, utterance, above)
        else:
            confidence, rivals = weighed.confidence, weighed.rivals
            if weighed.text != text:
                text = weighed.text
                words = (Word(text, words[0].start, words[-1].end, confidence),)
        return Heard(text, words, confidence, endpoint=round(self._time, 3), rivals=rivals, above=above)

    def _weighed(self, text: str, confidence: float, utterance: _Utterance, above: float) -> Weighed | None:
        """A short doubtful answer by its tone as well; ``None`` for others, and where no tone is heard."""
        sure = self._settings.sure
        if not self._short(text, utterance) or (confidence >= sure and text != UNKNOWN_WORD):
            return None
        sound = np.concatenate(utterance.sound)
        weighed = weigh(self._model, self._grammar, sound, sure, self._meanings)
        if weighed is None or above >= self._settings.deep_noise:
            return weighed
        rivals = weighed.rivals if weighed.text == text else (text, *weighed.rivals)
        return replace(weighed, confidence=min(confidence, weighed.confidence), rivals=rivals)

    def _short(self, text: str, utterance: _Utterance) -> bool:
        """Whether it may be one syllable (六 or 十六), which its tone tells much about."""
        bare = len(text) <= self._settings.few and all(part in self._phrases for part in text)
        return (bare or text == UNKNOWN_WORD) and utterance.voiced <= self._settings.brief

    def _agreed(
        self, text: str, confidence: float, utterance: _Utterance, above: float
    ) -> tuple[float, tuple[str, ...]]:
        """How sure all hearings together are of ``text``, and what else was heard."""
        # Hearing again costs twice as much as the first time, so it is done only where there is doubt.
        enough = confidence >= self._settings.sure and above >= self._settings.near_noise
        if enough or UNKNOWN_WORD in text:
            return confidence, ()
        again = hear_again(self._model, self._grammar, np.concatenate(utterance.sound))
        sure = [confidence, *(one.confidence for one in again if one.text == text)]
        return sum(sure) / len(sure), tuple(dict.fromkeys(one.text for one in again if one.text != text))


@dataclass
class _Utterance:
    """What has been said since a voice began; ``words`` once it was recognised ahead of its end."""

    began: float
    sound: list[Block]
    voice_until: float
    voiced: float = BLOCK_SECONDS
    words: tuple[Word, ...] | None = None
    watch: _Watch | None = None


class _Watch:
    """Follows an utterance that doesn't end; ``unchanged`` is how long its words have stayed the same."""

    def __init__(self, model: RecogniserModel, grammar: Grammar, sound: Block) -> None:
        self._factor = gain(sound)
        self._recogniser = Recogniser(model, grammar)
        self._words = ""
        self.unchanged = 0.0
        self.accept(sound)

    def accept(self, block: Block) -> None:
        """Take more of the utterance."""
        self._recogniser.accept(amplified(block, self._factor))
        words = self._recogniser.partial()
        # Partial words flip and are worth nothing but this: when they stop, somebody has stopped.
        steady = words == self._words and words not in ("", UNKNOWN_WORD)
        self.unchanged = self.unchanged + BLOCK_SECONDS if steady else 0.0
        self._words = words
