"""A bundle made, unpacked where there is no network, installed from a clean Python, and its chapters run.

    python tools/testing/bundle.py                    make one for this machine, install it, run 00 and 05
    python tools/testing/bundle.py --torch cpu        torch without CUDA: 0.5 GB to fetch instead of 3.3
    python tools/testing/bundle.py --bundle room.zip  one that has been made already

It stands apart from `make test`: with CUDA it fetches 3.3 GB and takes 14 GB of the disk. `make bundle-test` calls
it, and so does the weekly workflow. Linux only, as it needs a network namespace (`unshare`, by root, or where a
user may make one). In there is only the loopback device; the environment is empty, the home folder too, the Python
is the one that .venv was made from, and the folder has a space and an accent in its name. Every proof is printed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from course_utils import PROJECT

FOLDER = PROJECT / "build" / "bundle"
# Run inside: the loopback device comes up (kernels talk over it), and it is shown that nothing else is there.
INSIDE = """
import fcntl, os, socket, struct, sys
own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
flags = struct.unpack("16sh", fcntl.ioctl(own, 0x8913, struct.pack("16sh", b"lo", 0)))[1]
fcntl.ioctl(own, 0x8914, struct.pack("16sh", b"lo", flags | 1))
print("devices:", ", ".join(name for _, name in socket.if_nameindex()))
if [name for _, name in socket.if_nameindex()] != ["lo"]:
    sys.exit("There is a network in here.")
for what, where in (("an address", ("192.0.2.1", 443)), ("a name", ("example.org", 443))):
    try:
        socket.create_connection(where, timeout=5)
        sys.exit("There is a network in here.")
    except OSError as error:
        print(f"{what} outside: {error}", flush=True)
os.execv(sys.argv[1], sys.argv[1:])
"""


def without_network(python, *command, cwd, home):
    """Seconds of a command without a network, in an empty environment; the program ends where it fails."""
    clean = {"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8"}
    line = ["unshare", "--map-root-user", "--net", python, "-I", "-c", INSIDE, *map(str, command)]
    print("$", *map(str, command), flush=True)
    start = time.perf_counter()
    status = subprocess.run(line, cwd=cwd, env=clean).returncode
    seconds = time.perf_counter() - start
    print(f"exit status {status} after {seconds:.0f} s", flush=True)
    if status:
        sys.exit(f"It failed; what it left is in {cwd}.")
    return seconds


def clean_python():
    """The Python that .venv was made from, with nothing installed by the course."""
    return os.path.realpath(sys._base_executable)


def made(options):
    """Make the bundle; its path."""
    bundle = FOLDER / "room.zip"
    if bundle.exists():
        bundle.unlink()
    command = [sys.executable, "-m", "lessonkit.cli", "bundle", "--to", str(bundle), "--torch", options.torch]
    subprocess.run([*command, "--yes"], check=True)
    return bundle


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--torch", choices=("default", "cpu"), default="default")
    parser.add_argument("--bundle", type=Path, metavar="FILE.zip", help="made for this machine before")
    parser.add_argument("--python", default=clean_python(), help="that installs it (default: the one behind .venv)")
    parser.add_argument("--chapters", default="00 05", help="to run (default: 00 05)")
    parser.add_argument("--keep", action="store_true", help="leave what was made, unpacked and installed")
    options = parser.parse_args()
    if sys.platform != "linux" or shutil.which("unshare") is None:
        sys.exit("This needs Linux and unshare, for a namespace without a network.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    bundle = options.bundle or made(options)
    room, home = FOLDER / "ein Raum é", FOLDER / "empty home"
    for folder in (room, home):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    start = time.perf_counter()
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(room)
    print(f"{bundle}: {bundle.stat().st_size / 1e6:,.0f} MB, unpacked in {time.perf_counter() - start:.0f} s")
    (root,) = room.iterdir()
    seconds = without_network(
        options.python, options.python, root / "start.py", "--only-install", cwd=room, home=home
    )
    course = root / "course"
    run = (course / ".venv" / "bin" / "course", "run", *options.chapters.split())
    ran = without_network(options.python, *run, cwd=course, home=home)
    print(f"Installed in {seconds:.0f} s, chapters {options.chapters} run in {ran:.0f} s, without a network.")
    if not options.keep:
        shutil.rmtree(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
