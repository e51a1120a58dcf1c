#!/bin/sh
# The speaker's own narrator with the speaker's settings and records: sudo narrator check
[ "$(id -u)" -eq 0 ] || exec sudo "$0" "$@"
exec runuser -u narrator -- env HOME=/var/lib/narrator NARRATOR_HOME=/var/lib/narrator \
    NARRATOR_CONFIG=/var/lib/narrator XDG_CACHE_HOME=/var/cache/narrator /opt/narrator/.venv/bin/narrator "$@"
