# shellcheck shell=sh
# Sourced by ./test and ./demo: installs what is missing on a Debian system, and says so first.

# Libraries and tools that the build itself needs.
# shellcheck disable=SC2034
BUILD_PACKAGES="gcc libc6-dev cmake ninja-build pkg-config libjsmn-dev libepoxy-dev libegl-dev
    libegl1 libgl1-mesa-dri libspng-dev libwebp-dev libstb-dev
    libglfw3-dev libfontconfig-dev libfreetype-dev fonts-dejavu-core"

# missing_packages PACKAGE...: prints those that are not installed.
missing_packages() {
    for package in "$@"; do
        state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || state=absent
        [ "$state" = installed ] || printf '%s ' "$package"
    done
}

# install_packages PACKAGE...: with apt, those that are missing; false where that is not possible.
install_packages() {
    if ! command -v apt-get > /dev/null; then
        echo "This system has no apt-get; what Debian calls this must be there:"
        echo "  $*"
        return 0
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0

    install="apt-get install -y --no-install-recommends $missing"
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo > /dev/null && { sudo -n true 2> /dev/null || [ -t 1 ]; }; then
        as_root=sudo
    else
        echo "These packages are missing. Install them as root with"
        echo "  apt-get update && $install"
        return 1
    fi
    echo "Installing with apt: $missing"
    # Words, not one argument; without a terminal apt must not ask. After a failed update the
    # lists at hand may still do.
    # shellcheck disable=SC2086
    $as_root apt-get update -q || echo "apt-get update failed; trying with the lists that are there"
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive $install
}
