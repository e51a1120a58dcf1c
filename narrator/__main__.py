"""``python -m narrator``: the same as the ``narrator`` command."""

import sys

from narrator.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
