"""The table of ``narrator play`` with everything on it open: one session after another is held there."""

from __future__ import annotations

import argparse
from contextlib import ExitStack, closing

from narrator.cli.departure import Departure, coming_back
from narrator.cli.edges import open_loudspeaker, open_microphone
from narrator.cli.firstword import FirstWord
from narrator.cli.roomcheck import Checking, attune, open_room_check, seek_devices
from narrator.cli.senses import Senses
from narrator.cli.speaking import open_mouth, own_folder
from narrator.cli.terminal import open_terminal
from narrator.cli.wording import Wordings
from narrator.ears.microphone import Microphone
from narrator.ears.preamplifier import Preamplifier
from narrator.faults import Fault
from narrator.mouth.loudspeaker import Loudspeaker, SilentLoudspeaker
from narrator.mouth.recorded import SpokenBy
from narrator.mouth.speech import Mouth
from narrator.table.host import Host
from narrator.table.houserules import Words
from narrator.table.keeping import KeptSettings
from narrator.table.notices import MissingVoice, Notices
from narrator.table.performance import Performance
from narrator.table.recording import RecordingMicrophone
from narrator.table.session import Session
from narrator.table.steadymic import SteadyMicrophone
from narrator.table.wallclock import WallClock
from narrator.table.witness import Witness


class OpenTable:
    """Loudspeaker and voice, terminal, the clock and the room check; ``stack`` closes what is opened here.

    ``voices`` are the recorded voices, in the order of their turns. Whoever leaves, leaves the session that
    ``leaving`` holds.
    """

    def __init__(
        self,
        stack: ExitStack,
        args: argparse.Namespace,
        senses: Senses,
        words: Words,
        voices: tuple[SpokenBy, ...],
        leaving: Departure,
        notices: Notices,
    ) -> None:
        settings, ears = senses.settings, senses.ears
        self._senses, self._leaving, self._notices = senses, leaving, notices
        loudspeaker = senses.loudspeaker
        if loudspeaker is None:
            loudspeaker = SilentLoudspeaker() if args.mute else open_loudspeaker(settings)
        self._loudspeaker: Loudspeaker = stack.enter_context(closing(loudspeaker))
        mute = isinstance(loudspeaker, SilentLoudspeaker)
        self.silent = mute and not args.first_word
        """Whether nothing is said aloud."""
        mouth = Mouth(words.pack, None, None, loudspeaker.rate)
        if not self.silent:
            mouth = open_mouth(stack, words.pack, voices, loudspeaker.rate, self._tell, settings.tempo)
        # From here on the terminal may be painted: nothing else writes to it.
        self._terminal = terminal = stack.enter_context(
            closing(
                open_terminal(
                    words.pack, words.phrasebook, ears=ears is not None, reveal=args.reveal, plain=args.plain
                )
            )
        )
        stack.enter_context(coming_back(terminal.again))
        self.keyboard = terminal.keyboard
        self.told = terminal.screen.told
        self._steady: SteadyMicrophone | None = None
        self._preamplifier: Preamplifier | None = None
        self.recording: RecordingMicrophone | None = None
        """What is heard, written down, where that was asked for."""
        clock = self._open_clock(args)
        self._clock = stack.enter_context(closing(terminal.clock(clock, listening=ears is not None)))
        voice_watch = Witness() if self.silent else MissingVoice(notices)
        if args.first_word:
            voice_watch = FirstWord(microphone=not senses.deaf, loudspeaker=not mute)
        self._performance = Performance(
            mouth,
            loudspeaker,
            (*terminal.witnesses, voice_watch),
            settings.pace,
            listening=ears is not None,
            with_backdrop=settings.backdrop,
            volume=settings.volume,
            tempo=settings.tempo,
        )
        self._kept = KeptSettings(
            notices.tell,
            voices=lambda: mouth.voices,
            own_voice=own_folder(words.pack, args.voice or settings.voice),
        )
        self._wordings = Wordings(words, settings, args.voice, mouth, ears, notices.tell, self.silent)
        self._checking = self._open_room_check()

    @property
    def can_check_room(self) -> bool:
        """Whether there is a microphone to hear the room with."""
        return self._checking is not None

    @property
    def deserted(self) -> bool:
        """Whether nobody can answer any more: no ears, and the keyboard's input has ended."""
        return self.keyboard is not None and self.keyboard.closed and self._senses.ears is None

    def session(self, host: Host, *witnesses: Witness) -> Session:
        """The next session; it is the one that is shown, and left when the program is to end."""
        words = self._wordings.words
        session = Session(
            host,
            self._clock,
            self._performance,
            words.pack,
            words.phrasebook,
            ears=self._senses.ears,
            keyboard=self.keyboard,
            witnesses=(*witnesses, *self._terminal.witnesses, self._kept),
            pace=self._senses.settings.pace,
            notices=self._notices,
            check_room=self.check_room,
            reword=self._wordings.change,
        )
        self._leaving.session = session
        self._terminal.follow(session, words.phrasebook)
        return session

    def check_room(self) -> None:
        """Check the room, in the middle of a session if there is one, which is shown again afterwards."""
        outer = self._leaving.session
        if self._checking is None:
            self.told("room_no_microphone", tried="-")
        else:
            self._checking()
        if isinstance(outer, Session):
            self._terminal.follow(outer, self._wordings.words.phrasebook)

    def _open_clock(self, args: argparse.Namespace) -> Microphone:
        """The microphone, or the wall clock where nobody is heard; recorded with ``--record``."""
        clock: Microphone = WallClock()
        if self._senses.microphone is not None and self._senses.ears is not None:
            self._steady = SteadyMicrophone(
                self._senses.microphone,
                lambda: open_microphone(self._senses.settings),
                self._notices.tell,
                not_found=lambda: seek_devices(self._loudspeaker),
            )
            clock = self._preamplifier = Preamplifier(self._steady)
        if args.record is not None:
            if self.silent:
                raise Fault("record_needs_loudspeaker")
            clock = self.recording = RecordingMicrophone(clock, args.record, self._notices.tell)
            self._notices.tell("recording_begins", file=self.recording.file)
        return clock

    def _open_room_check(self) -> Checking | None:
        """The room check of this table, where there is a microphone; a known room's values hold at once."""
        if self._steady is None or self._preamplifier is None or self._senses.ears is None:
            return None
        if self._senses.room is not None:
            attune(self._senses.room, self._preamplifier, self._performance, self._senses.ears)
        return open_room_check(
            self._senses.asked,
            self._steady,
            self._preamplifier,
            self._loudspeaker,
            self._performance,
            self._senses.ears,
            self.session,
            self._leaving,
            self.told,
        )

    def _tell(self, fault: Fault) -> None:
        self._notices.tell(fault.key, **fault.params)
