# Brings what the project needs onto this machine: `set_up play` or `set_up test`. Sourced by other scripts.
# shellcheck shell=bash
# Nothing missing: checks only, well under a second. Something missing: installs it, and says what it does.

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
state=$root/.setup
python=$root/.venv/bin/python

# tell ENGLISH CHINESE: one line for the person who waits.
tell() {
    local language=${NARRATOR_LANG:-${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}}
    case $language in
        [zZ][hH]*) printf '%s\n' "$2" >&2 ;;
        *) printf '%s\n' "$1" >&2 ;;
    esac
}

fail() {
    tell "$@"
    exit 1
}

set_up() {
    mkdir -p "$state"
    exec 9>"$state/lock"
    flock 9 || true
    install_system_packages "$1"
    install_python_packages "$1"
    exec 9>&-
}

# --- Debian packages ---

# system_packages play|test: what Debian is asked for besides Python, on standard output.
system_packages() {
    echo espeak-ng libportaudio2 alsa-utils
    [ "$1" = test ] && echo pulseaudio pulseaudio-utils libasound2-plugins systemd
    return 0
}

install_system_packages() {
    local wanted missing=() package
    read -r -d '' -a wanted <<<"$(system_packages "$1")"
    find_python >/dev/null || wanted+=(python3 python3-venv)
    if ! command -v dpkg-query >/dev/null; then
        command -v espeak-ng >/dev/null && find_python >/dev/null && return
        fail "This is not a Debian system: install espeak-ng, PortAudio, ALSA's tools and Python 3.11 or newer by its own means, then run this again." \
            "这不是 Debian 系统：请用系统自己的方式装好 espeak-ng、PortAudio、ALSA 工具和 Python 3.11 以上，再运行一次。"
    fi
    for package in "${wanted[@]}"; do
        case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null) in
            ?i*) ;;
            *) missing+=("$package") ;;
        esac
    done
    [ ${#missing[@]} -eq 0 ] && return
    tell "… installing system packages: ${missing[*]}" "… 正在安装系统软件包：${missing[*]}"
    apt_get "${missing[*]}" update || true # one broken source must not stand in the way of the others
    apt_get "${missing[*]}" install -y --no-install-recommends "${missing[@]}" ||
        fail "The system packages can't be installed ($(last_error "$state/apt.log")): check the connection and run this again, or install them by hand: apt-get install ${missing[*]}" \
            "系统软件包装不上（$(last_error "$state/apt.log")）：请检查网络后再运行一次，或手动安装：apt-get install ${missing[*]}"
}

# apt_get PACKAGES ARGUMENT...: apt-get as root; without a terminal sudo may not ask for a password.
apt_get() {
    local packages=$1 as_root=()
    shift
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo)
        [ -t 0 ] || as_root+=(-n)
        "${as_root[@]}" true 2>/dev/null ||
            fail "Only root may install the missing system packages, and sudo doesn't allow it here; as root run: apt-get install $packages" \
                "只有 root 能安装缺少的系统软件包，而这里用不了 sudo；请用 root 运行：apt-get install $packages"
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o DPkg::Lock::Timeout=120 "$@" </dev/null >"$state/apt.log" 2>&1
}

# --- Python packages ---

# The first Python that is new enough and can make a virtual environment, on standard output.
find_python() {
    local candidate
    for candidate in python3 /usr/bin/python3 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys, ctypes, ensurepip, sqlite3, venv
sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

install_python_packages() {
    local extra='' stamp=$state/python-$1
    [ "$1" = test ] && extra='[dev]'
    [ "$1" = play ] && is_current "$state/python-test" && return
    is_current "$stamp" && return
    if ! "$python" -c 'import pip' 2>/dev/null; then
        tell "… making the virtual environment .venv (1/2)" "… 正在建立虚拟环境 .venv（1/2）"
        rm -rf "$root/.venv"
        "$(find_python)" -m venv "$root/.venv" >"$state/venv.log" 2>&1 ||
            fail "The virtual environment .venv can't be made ($(last_error "$state/venv.log")): make room or check the rights of this folder, then run this again." \
                "建不了虚拟环境 .venv（$(last_error "$state/venv.log")）：请检查磁盘空间和本文件夹的权限，再运行一次。"
    fi
    tell "… installing Python packages (2/2); the first time this takes minutes" "… 正在安装 Python 软件包（2/2），第一次要几分钟"
    "$python" -m pip install --no-input --disable-pip-version-check --progress-bar off \
        -e "$root$extra" </dev/null 2>&1 | tee "$state/pip.log" | show_packages
    [ "${PIPESTATUS[0]}" -eq 0 ] ||
        fail "The Python packages can't be installed ($(last_error "$state/pip.log")): check the connection to the package registry and run this again; the details are in .setup/pip.log." \
            "Python 软件包装不上（$(last_error "$state/pip.log")）：请检查与软件源的连接后再运行一次，详情见 .setup/pip.log。"
    fingerprint >"$stamp"
}

is_current() {
    [ -f "$1" ] && [ -x "$root/.venv/bin/narrator" ] && [ "$(fingerprint)" = "$(cat "$1")" ]
}

# What the installed packages depend on; the place counts because scripts in .venv carry it in their first line.
fingerprint() {
    { "$python" -V && echo "$root" && cat "$root/pyproject.toml"; } 2>&1 | sha256sum
}

show_packages() {
    local word name
    while read -r word name _; do
        [ "$word" = Collecting ] && printf '    %s\n' "$name" >&2
    done
    return 0
}

# The line of a log that says why: pip's and apt's own errors first, the last line otherwise.
last_error() {
    { grep -E '^ *(ERROR|E):' "$1" || cat "$1"; } | tail -n 1 | tr -s ' '
}
