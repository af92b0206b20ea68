"""A process in namespaces of its own, as a container has them: other ids, other files, read-only but for /tmp."""
import pathlib

# $1 becomes the root: it shows the system's folders and $2 as /app, nothing of this repository's. The rest of the
# arguments is what runs there.
ENTER = r"""
set -e
root=$1 programs=$2
shift 2
mount --make-rprivate /
mount -t tmpfs tmpfs "$root"
for folder in /usr /lib /lib64 /bin /etc /dev; do
  if [ -L "$folder" ]; then
    ln -s "$(readlink "$folder")" "$root$folder"
  else
    mkdir "$root$folder"
    mount --rbind "$folder" "$root$folder"
  fi
done
mkdir -m 1777 "$root/tmp"
mkdir "$root/app" "$root/proc"
mount --rbind "$programs" "$root/app"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
[ ! -d "$root/dev/shm" ] || mount -t tmpfs -o ro tmpfs "$root/dev/shm"
mount -o remount,bind,ro "$root"
unset TMPDIR
exec chroot "$root" "$@"
"""


def command(root: pathlib.Path, programs: pathlib.Path, argv: list, *, user: bool) -> list:
    """The command that runs argv in there, started by root or (user) by anybody."""
    root.mkdir()
    root.chmod(0o777)
    return ["unshare", *(["--user", "--map-root-user"] if user else []), "--mount", "--pid", "--fork", "--kill-child",
            "sh", "-c", ENTER, "enter", root, programs, *argv]
