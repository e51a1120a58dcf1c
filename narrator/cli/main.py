"""The ``narrator`` command: finds the subcommand, runs it, turns faults into one sentence each."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn, Protocol, TextIO, cast

import narrator
from narrator.faults import Fault
from narrator.messages import find, message

COMMANDS = (
    "play",
    "rehearse",
    "simulate",
    "listen",
    "bench",
    "fetch",
    "check",
    "room",
    "recap",
    "stats",
    "rules",
    "codes",
    "diagram",
    "demo",
    "voices",
)

USAGE_FAULT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


class Subparsers(Protocol):
    """What a command module gets to add its own parser to."""

    def add_parser(self, name: str, *, help: str = ...) -> argparse.ArgumentParser:
        """Make and return the parser of the command ``name``."""


class Command(Protocol):
    """What every module ``narrator.cli.<command>`` offers."""

    def add_parser(self, subparsers: Subparsers, /) -> object:
        """Declare the command's options."""

    def run(self, args: argparse.Namespace, /) -> int:
        """Do the work; the exit code comes back."""


class Parser(argparse.ArgumentParser):
    """A parser that answers a wrong command line with one sentence and exit code 2."""

    def error(self, message_: str) -> NoReturn:
        """Report what argparse has found, and where the right usage is shown."""
        raise Fault("bad_usage", why=message_.rstrip(".。"), prog=self.prog)


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``narrator`` with ``argv`` (default: the process's own) and give the exit code."""
    _tolerant(sys.stdout)
    _tolerant(sys.stderr)
    given = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(given)
        sys.stdout.flush()
        return code
    except Fault as fault:
        return _told(fault, given)
    except PermissionError as error:
        # Nobody looks at every file's owner: whatever it is, the person who started this can give it back.
        if error.filename is None:
            raise
        return _told(Fault("forbidden", file=error.filename, why=error.strerror), given)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has left; without this the interpreter complains at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _told(fault: Fault, argv: Sequence[str]) -> int:
    """Print a fault that ends the command, and say it where nobody can read; the exit code comes back."""
    print(message(fault.key, **fault.params), file=sys.stderr)
    if "play" in argv and "--speaker" in argv:
        try:
            # Imported late: it is much, and all but this commands can do without it.
            from narrator.cli.lastword import say_last_word
        except ImportError:
            return USAGE_FAULT  # the part that is missing has been printed
        say_last_word(fault)
    return USAGE_FAULT


def _run(argv: list[str]) -> int:
    _localise_argparse()
    chosen = next((word for word in argv if not word.startswith("-")), None)
    parser = Parser(prog="narrator", description=message("help_narrator"))
    parser.add_argument(
        "--version",
        action="version",
        version=f"narrator {narrator.__version__}",
        help=message("help_version"),
    )
    subparsers = parser.add_subparsers(title=message("help_commands"), metavar=message("help_command_name"))
    command = None
    for name in COMMANDS:
        if name == chosen:
            command = _import(name)
            command.add_parser(cast(Subparsers, subparsers))
        else:
            # Only the chosen command is imported: help stays quick, and a library that one command
            # misses does not take the others along.
            subparsers.add_parser(name, help=message(f"help_{name}"), add_help=False)
    args = parser.parse_args(argv)
    if command is None:
        parser.print_help()
        return 0
    return command.run(args)


def _import(name: str) -> Command:
    try:
        return cast(Command, import_module(f"narrator.cli.{name}"))
    except ImportError as error:
        raise Fault("command_unavailable", command=name, why=error) from error


def _localise_argparse() -> None:
    """Let argparse's own words ("usage:", "invalid choice") come from our messages.

    argparse fetches every word through its module-level ``_``; binary gettext catalogues are the only
    other way to it.
    """

    def translate(text: str) -> str:
        return find(f"argparse {text}") or text

    def translate_counted(one: str, many: str, count: int) -> str:
        return translate(one if count == 1 else many)

    vars(argparse).update({"_": translate, "ngettext": translate_counted})


def _tolerant(stream: TextIO) -> None:
    """A terminal that can't show Chinese shows question marks instead of ending the game."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
