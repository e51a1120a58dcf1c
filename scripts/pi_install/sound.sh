# Which sound card plays and which listens, as ALSA's default devices by name. Sourced by install_pi.
# shellcheck shell=bash

cards=/proc/asound

# best_card playback|capture: the id of the card that suits best, or nothing, on standard output.
# To play: a HAT's amplifier, then USB, the Pi's own jack, HDMI. To listen: USB, then a HAT.
best_card() {
    [ -r "$cards/pcm" ] && [ -r "$cards/cards" ] || return 0
    awk -v direction="$1" '
        FNR == NR {  # pcm: "02-00: USB Audio : USB Audio : playback 1 : capture 1"
            if ($0 ~ direction " [0-9]") able[$1 + 0] = 1
            next
        }
        match($0, /^ *[0-9]+ \[/) {  # cards: " 2 [Device         ]: USB-Audio - USB PnP Sound Device"
            id = substr($0, RLENGTH + 1); sub(/ *\].*/, "", id)
            driver = $0; sub(/^[^]]*\]: */, "", driver)
            usb = driver ~ /^USB-Audio/
            rank = driver ~ /^vc4/ ? 4 : driver ~ /^bcm2835/ ? 3 : usb == (direction == "playback") ? 2 : 1
            if (able[$1] && (!best || rank < best)) { best = rank; name = id }
        }
        END { if (best) print name }' "$cards/pcm" "$cards/cards"
}

OURS="# Written by narrator's install_pi, which keeps it up to date; without this line it leaves the file alone."

is_ours() {
    [ "$(head -n 1 "$1")" = "$OURS" ]
}

# asound_conf LOUDSPEAKER MICROPHONE: ALSA's configuration; an empty name leaves that direction out, and
# PortAudio then takes the first card that can do it.
asound_conf() {
    echo "$OURS"
    echo "pcm.!default {"
    echo "    type asym"
    [ -z "$1" ] || echo "    playback.pcm \"plughw:CARD=$1\""
    [ -z "$2" ] || echo "    capture.pcm \"plughw:CARD=$2\""
    echo "}"
    printf 'ctl.!default {\n    type hw\n    card %s\n}\n' "${1:-$2}"
}

# set_levels LOUDSPEAKER MICROPHONE PERCENT: loud enough and not muted, now and after the next start.
# Cards name their controls as they like; of these a card has some.
set_levels() {
    local control
    if [ -n "$1" ]; then
        for control in Master PCM Speaker Headphone Digital; do
            if has_control "$1" "$control"; then act amixer -q -M -c "$1" sset "$control" "$3%" unmute || true; fi
        done
    fi
    if [ -n "$2" ]; then
        for control in Mic Capture; do
            if has_control "$2" "$control"; then act amixer -q -c "$2" sset "$control" 80% cap || true; fi
        done
    fi
    act alsactl store || true
}

has_control() {
    amixer -c "$1" scontrols 2>/dev/null | grep -qF "'$2'"
}
