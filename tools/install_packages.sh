# Sourced by ./dev: installs the packages of tools/packages.txt whose probe is missing, and says which.

# present PROBE: is this command or file (glob) there?
present() {
  if [[ $1 == /* ]]; then compgen -G "$1" >/dev/null; else type -P "$1" >/dev/null; fi
}

# missing_packages GROUP…: the packages of these groups that this machine lacks, one a line.
missing_packages() {
  local group probe package
  while read -r group probe package; do
    [[ $group == \#* || -z $group ]] && continue
    [[ " $* " == *" $group "* ]] || continue
    present "$probe" || echo "$package"
  done <"$root/tools/packages.txt"
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif type -P sudo >/dev/null; then
    sudo "$@"
  else
    echo "dev: not root, and there is no sudo; run this as root, then try again:" >&2
    echo "  $*" >&2
    return 1
  fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends "$@"
}

# need GROUP…: returns when everything of these groups is there. Package lists are fetched only when they are needed.
need() {
  local packages
  mapfile -t packages < <(missing_packages "$@")
  if ((${#packages[@]})); then
    type -P apt-get >/dev/null || { echo "dev: please install: ${packages[*]} (no apt-get on this machine)" >&2; return 1; }
    echo "dev: installing ${packages[*]}"
    if ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || ! apt_install "${packages[@]}"; then
      as_root apt-get update -q
      apt_install "${packages[@]}"
    fi
  fi
  type -P dotnet >/dev/null || { echo "dev: the .NET SDK is missing: install version 10 and put 'dotnet' on the PATH" >&2; return 1; }
}
