"""Hearing the end of a speech: a lone 过 (or 说完了 …), or a judge's command, amid minutes of talk."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import log

import numpy as np

from narrator.ears.grammar import Grammar, build_grammar, open_grammar
from narrator.ears.levelling import levelled
from narrator.ears.model import RecogniserModel
from narrator.ears.recogniser import Recogniser, score
from narrator.ears.rehearing import hear_again
from narrator.ears.sound import SAMPLE_RATE, Block
from narrator.ears.voicing import BLOCK_SECONDS, Voicing, VoicingSettings
from narrator.ears.weighing import likelier
from narrator.heard import Heard, Word
from narrator.pinyin import syllables


@dataclass(frozen=True, slots=True)
class PassSettings:
    """Times in seconds, scores in the recogniser's log units."""

    before: float = 0.24
    """Pause that must come before, so that the word isn't part of a sentence."""
    after: float = 0.36
    """Pause that must come after; the stop is declared at its end."""
    preroll: float = 0.2
    """Sound kept from before the voice began."""
    shortest: float = 0.09
    """A phrase lasts at least this for each syllable; a knock is shorter."""
    shortest_alone: float = 0.16
    """The least for a phrase of one syllable, which noise hides more easily and imitates more easily."""
    per_syllable: float = 0.28
    """It lasts no longer than this for each syllable, and ``drawl`` …"""
    per_command_syllable: float = 0.5
    """The same for a command: 法官 is often followed by a short stop."""
    drawl: float = 0.35
    """… for a drawn-out end."""
    longest: float = 3.5
    """More voice without a pause is a sentence, and isn't followed any further."""
    confidence: float = 0.88
    """Least confidence of a phrase of one syllable among the phrases."""
    near_noise: float = 16.0
    """A voice whose loudest block is less than this many dB above the room's noise …"""
    confidence_near_noise: float = 0.95
    """… must be this sure of a phrase of one syllable: noise imitates it."""
    agreed_near_noise: float = 0.8
    """So sure every other throat must be of any phrase near the noise: chance convinces one or two."""
    confidence_long: float = 0.7
    """Least confidence of a longer phrase, which has more sound to be sure of."""
    behind: float = 0.8
    """How far 过 may lie behind the best run of any syllables at all, by its sound alone."""
    behind_more: float = 3.1
    """How much farther for each further syllable of a longer phrase …"""
    behind_more_hurried: float = 1.4
    """How much for a phrase near the noise that lasts less than ``whole``: part of it is hidden."""
    whole: float = 0.15
    """What a syllable lasts that can be heard from end to end."""
    behind_most: float = 6.0
    """… but never farther than this."""
    long: int = 3
    """A phrase of so many syllables that every throat is …"""
    agreed: float = 0.9
    """… this sure of …"""
    far_from_noise: float = 20.0
    """… and that stands out of the room's noise by so many dB …"""
    behind_agreed: float = 12.0
    """… may lie as far behind as this: accents are many, and talk that sounds like all of it is rare."""
    behind_most_command: float = 9.0
    """The same for a command, which is longer: what a syllable too many costs adds up."""
    open_first: float = 5.4
    """What a grammar of all syllables charges for one of them, whatever it sounds like."""
    open_more: float = 7.75
    """What it charges for each further one."""
    voicing: VoicingSettings = field(default_factory=VoicingSettings)


class PassListener:
    """Listens to running speech for ``pass_phrases`` and ``command_phrases``, each standing alone.

    ``decoys`` are phrases that sound like them and mean nothing: heard as themselves they are just talk.

    May be fed for as long as a speech lasts, and on after it has heard something: memory is bounded,
    and only short stretches of voice between two pauses are recognised at all.
    """

    def __init__(
        self,
        model: RecogniserModel,
        pass_phrases: Sequence[str],
        command_phrases: Sequence[str] = (),
        settings: PassSettings | None = None,
        floor: float | None = None,
        decoys: Sequence[str] = (),
    ) -> None:
        self._model = model
        self._settings = settings or PassSettings()
        self._grammar = build_grammar(model, [*pass_phrases, *command_phrases, *decoys])
        self._open = open_grammar(model)
        self._phrases = frozenset([*pass_phrases, *command_phrases])
        self._commands = frozenset(command_phrases)
        self._voicing = Voicing(self._settings.voicing, floor)
        self._before: deque[Block] = deque(maxlen=round(self._settings.preroll / BLOCK_SECONDS))
        self._time = 0.0
        # The beginning counts as a pause: 过 may be the first thing a player says.
        self.silence = self._settings.before
        self._island: _Island | None = None

    @property
    def floor(self) -> float:
        """The room's noise floor in dB of full scale, worth passing on to the next listener."""
        return self._voicing.floor

    def feed(self, block: Block) -> Heard | None:
        """Take 20 ms of sound; the phrase once it has stood alone, else ``None``.

        ``silence`` tells the seconds since a voice was last heard.
        """
        seconds = len(block) / SAMPLE_RATE
        self._time += seconds
        voiced = self._voicing.feed(block)
        if voiced and self.silence >= self._settings.before - 1e-6:
            # A stretch that was still waiting for its pause didn't get one: it wasn't alone.
            self._island = self._new_island()
        if self._island is not None:
            self._island.sound.append(block)
        self._before.append(block)
        self.silence = 0.0 if voiced else self.silence + seconds
        return self._follow(self._island, voiced)

    def _new_island(self) -> _Island:
        voice_from = self._time - BLOCK_SECONDS
        sound = list(self._before)
        return _Island(voice_from - sum(map(len, sound)) / SAMPLE_RATE, voice_from, self._time, sound)

    def _follow(self, island: _Island | None, voiced: bool) -> Heard | None:
        if island is None:
            return None
        if voiced:
            island.voice_until = self._time
            if self._time - island.voice_from > self._settings.longest:
                self._island = None
            return None
        if self.silence < self._settings.after - 1e-6:
            return None
        self._island = None
        return self._judge(island)

    def _judge(self, island: _Island) -> Heard | None:
        length = island.voice_until - island.voice_from
        if length < self._settings.shortest:
            return None
        sound = levelled(np.concatenate(island.sound))
        recogniser = Recogniser(self._model, self._grammar, start=island.began)
        recogniser.accept(sound)
        words = recogniser.final()
        text = self._said([word.text for word in words])
        if text is None or not self._lasts(text, length):
            return None
        above = self._voicing.above(island.sound)
        near_noise = above < self._settings.near_noise
        # Near the noise the pitch may be the noise's own.
        times = 1.0 if near_noise else self._likelier(text, island)
        confidence = _with_odds(min(word.confidence for word in words), times)
        if confidence < self._needed(text, near_noise):
            return None
        hurried = near_noise and length < self._settings.whole * len(syllables(text))
        behind = self._behind(text, sound) - log(times)
        close = behind <= self._may_lie_behind(text, hurried)
        # An accent makes other syllables fit better; but chance isn't heard alike by every throat.
        far = above >= self._settings.far_from_noise
        if not close and not (far and self._unmistakable(text, behind, confidence, island)):
            return None
        if near_noise and not self._again(text, island, self._settings.agreed_near_noise):
            return None
        # The loudness dates the word better than a decoder that may stretch it into the pause.
        word = Word(text, round(island.voice_from, 3), round(island.voice_until, 3), confidence)
        return Heard(text, (word,), confidence, endpoint=round(self._time, 3), above=round(above, 1))

    def _needed(self, text: str, near_noise: bool) -> float:
        """The least confidence for a phrase: more for a short one, still more for one close to the noise."""
        settings = self._settings
        if len(syllables(text)) > 1:
            return settings.confidence_long
        return settings.confidence_near_noise if near_noise else settings.confidence

    def _likelier(self, text: str, island: _Island) -> float:
        """How many times likelier a phrase of one syllable is for its tone; no less than before."""
        if len(syllables(text)) > 1:
            return 1.0
        # A speech may end on any tune, so that another tone says little.
        return max(1.0, likelier(self._model, np.concatenate(island.sound), text))

    def _unmistakable(self, text: str, behind: float, confidence: float, island: _Island) -> bool:
        """Whether a longer phrase that lies far behind is heard surely by every throat."""
        settings = self._settings
        if text in self._commands or len(syllables(text)) < settings.long or behind > settings.behind_agreed:
            return False
        return confidence >= settings.agreed and self._again(text, island, settings.agreed)

    def _again(self, text: str, island: _Island, confidence: float = 0.0) -> bool:
        """Whether every other throat hears the same phrase too, with at least this ``confidence``."""
        again = hear_again(self._model, self._grammar, np.concatenate(island.sound))
        return all(one.text == text and one.confidence >= confidence for one in again)

    def _lasts(self, text: str, length: float) -> bool:
        settings, count = self._settings, len(syllables(text))
        longest = settings.per_command_syllable if text in self._commands else settings.per_syllable
        shortest = count * settings.shortest if count > 1 else settings.shortest_alone
        return shortest <= length <= count * longest + settings.drawl

    def _said(self, words: Sequence[str]) -> str | None:
        """The phrase that ``words`` are, or repeat (过，过); ``None`` for anything else."""
        if len(words) > 1 and len(set(words)) == 1:
            words = words[:1]
        text = self._grammar.text(words)
        return text if words and text in self._phrases else None

    def _may_lie_behind(self, text: str, hurried: bool) -> float:
        settings = self._settings
        more = settings.behind_more_hurried if hurried else settings.behind_more
        most = settings.behind_most_command if text in self._commands else settings.behind_most
        return min(settings.behind + more * (len(syllables(text)) - 1), most)

    def _behind(self, text: str, sound: Block) -> float:
        """How far ``text`` lies behind the best run of any syllables of the model, in log units."""
        own = self._score(build_grammar(self._model, [text]), sound)
        free = self._score(self._open, sound)
        if own is None or free is None:
            return 0.0 if free is None and own is not None else float("inf")
        further = len(syllables(text)) - 1
        return free - own + self._settings.open_first + self._settings.open_more * further

    def _score(self, grammar: Grammar, sound: Block) -> float | None:
        return score(self._model, replace(grammar, unknown=False), sound)


def _with_odds(confidence: float, times: float) -> float:
    """``confidence`` when it is so many ``times`` likelier than it was."""
    return confidence * times / (confidence * times + 1 - confidence)


@dataclass
class _Island:
    """A stretch of voice that began after a pause; times in seconds."""

    began: float
    voice_from: float
    voice_until: float
    sound: list[Block]
