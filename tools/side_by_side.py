"""What a chapter costs alone and beside another one: seconds, seconds of processor, memory. Nothing else may run.

    python tools/side_by_side.py --ceiling       half a minute: what two processes at once can gain here at all
    python tools/side_by_side.py 03 07           alone with every thread, alone with one, twice at once
    python tools/side_by_side.py --ways one      only alone with one thread
    python tools/side_by_side.py --ways all --answers untouched solved --keep memory   memory, kept in costs.json
    python tools/side_by_side.py --listen --keep memory   of the chapters that a `course run` executes meanwhile

The last two may be said on a busy machine: other programs change seconds, not the memory that a kernel takes. The
last one starts nothing: it looks at the kernels of every `course run` of this user, until Ctrl-C, or until there
has been none for as many seconds as are given (`--listen 300`).

Two of a chapter at once, each with its share of the cores: what `course run` with two jobs does to it, without
another chapter's habits. `waits` is the part of the time in which no processor worked for it: a chapter that
waits half of its time is not helped by a faster one. Processor seconds that grow with the threads are threads that
spin or wait for each other; those that grow beside another are a shared cache or memory bus, or "cores" that are
halves of one, as the ceiling tells. `of --jobs 1`: seconds for each of two, beside those alone with all threads.
Processes that live for less than a quarter of a second are not counted.

`MiB` is the most that the kernel and its children (workers, ranks) had in memory at one time, looked at four times
a second; the runner's own two processes are not in it. On Linux what they share with each other counts once, and
what they share with the rest of the machine counts whole: PSS would hand a part of torch's libraries to any program
that has loaded them too. Elsewhere it is the sum of their resident sizes, so more.
"""

import argparse
import contextlib
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from course_utils import PROJECT, datasets, machine
from lessonkit.notebook import catalog, costs
from lessonkit.system import processes

WAYS = ("all", "one", "beside")
# Says that it is ready, waits for a line, then says the seconds that some work on one thread took.
PROBE = """
import sys, time
from course_utils import machine
machine.work_seconds(repeats=5)
print("ready", flush=True)
sys.stdin.readline()
start = time.perf_counter()
machine.work_seconds(repeats=200)
print(time.perf_counter() - start)
"""
MIB = 1 << 20  # bytes
EVERY = 0.25  # seconds


class Watched:
    """A `course run` of one chapter, whose processes are looked at as long as it lasts."""

    def __init__(self, name, folder, threads, answers):
        environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
        run = [sys.executable, "-m", "lessonkit.cli", "run", name, "--jobs", "1", "--out", str(folder)]
        run += ["--answers", answers]
        self.began, self.folder, self.cpu, self.peak = time.monotonic(), folder, {}, 0
        self.process = psutil.Popen(run, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL)

    def look(self):
        """Note processor seconds of every process there is, and memory of the kernel's."""
        found = [self.process, *self.process.children(recursive=True)]
        for process in found:
            try:
                times = process.cpu_times()
            except psutil.Error:
                continue  # ended meanwhile
            self.cpu[process.pid] = times.user + times.system
        kernels = [process for process in found if is_kernel(process)]
        family = [one for kernel in kernels for one in (kernel, *children(kernel))]
        if resident(family) > self.peak:  # the sum is never less than what they have together, and told at once
            self.peak = max(self.peak, together(family))

    def found(self):
        """What the run cost, its slowest cell by the report."""
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        (chapter,) = report["chapters"]
        return {
            "status": chapter["status"],
            "seconds": chapter["seconds"],
            "processor": round(sum(self.cpu.values()), 1),
            "mib": round(self.peak / MIB),
            "slowest": [chapter["slowest_cell_seconds"], chapter["slowest_cell"]],
            "notes": chapter.get("notes", []),
        }


def is_kernel(process):
    """Whether a process is a notebook's kernel."""
    try:
        return "ipykernel_launcher" in process.cmdline()
    except psutil.Error:
        return False


def children(process):
    """The processes below one; none where it has ended."""
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


def resident(processes):
    """The sum of their resident sizes in bytes."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            total += process.memory_info().rss
    return total


def together(processes):
    """Bytes of memory that `processes` have together: on Linux what they share with each other once, else the sum.

    A part of a file, or of memory that a fork has handed on, is counted as large as the one that has most of it.
    """
    if sys.platform != "linux":
        return resident(processes)
    alone, shared = 0, {}
    for process in processes:
        try:
            maps = process.memory_maps(grouped=False)
        except psutil.Error:
            continue
        for part in maps:
            alone += part.private_clean + part.private_dirty
            named = (part.path, part.perms, part.size) if part.path.startswith("/") else part.addr
            shared[named] = max(shared.get(named, 0), part.shared_clean + part.shared_dirty)
    return alone + sum(shared.values())


class Listening:
    """The memory of chapters that others' `course run` executes: `peaks`, kernel -> bytes; `names`, kernel -> what.

    A kernel that was there before, or is there at the end, has been seen in part only: `whole` leaves it out.
    """

    def __init__(self, chapters):
        self.chapters, self.peaks, self.names = set(chapters), {}, {}
        self.before = set(self.kernels())

    def kernels(self):
        """The kernels there are."""
        return [process for process in psutil.process_iter() if is_kernel(process)]

    def look(self):
        """Look at every kernel of a `course run`; say whether there was one."""
        found = False
        for kernel in self.kernels():
            if kernel in self.before or not (which := self.names.get(kernel) or self.chapter(kernel)):
                continue
            self.names[kernel], found = which, True
            family = [kernel, *children(kernel)]
            if resident(family) > self.peaks.get(kernel, 0):
                self.peaks[kernel] = max(self.peaks.get(kernel, 0), together(family))
        return found

    def chapter(self, kernel):
        """(name, answers) of the chapter that a kernel executes whole, or None."""
        try:
            name = kernel.environ().get(processes.MARK, "").rstrip("/").rpartition("/")[2]
            above = [word for parent in kernel.parents() for word in parent.cmdline()]
        except psutil.Error:
            return None
        if name not in self.chapters or "run" not in above or "--core" in above:
            return None
        return name, "solved" if "solved" in above else "untouched"

    def whole(self):
        """name -> {answers: MiB}, the most of each chapter that was seen from its start to its end."""
        there, found = set(self.kernels()), {}
        for kernel, (name, answers) in self.names.items():
            if kernel not in there:
                mib = found.setdefault(name, {})
                mib[answers] = max(mib.get(answers, 0), round(self.peaks[kernel] / MIB))
        return dict(sorted(found.items()))


def listen(names, patience, keep):
    """Look until no chapter has been executed for `patience` seconds; keep what each needed, if `keep`."""
    heard, last = Listening(names), time.monotonic()
    with contextlib.suppress(KeyboardInterrupt):
        while time.monotonic() < last + patience:
            if heard.look():
                last = time.monotonic()
            time.sleep(EVERY)
    for name, mib in heard.whole().items():
        print(name, *(f"{answers} {size} MiB" for answers, size in sorted(mib.items())), sep="  ", flush=True)
        if keep:
            costs.keep_memory(name, mib, on=where())


def at_once(count):
    """Seconds of the slowest of `count` processes that do the same work at the same time, a thread each."""
    start = [sys.executable, "-c", PROBE]
    probes = [
        subprocess.Popen(start, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    for probe in probes:
        probe.stdout.readline()
    for probe in probes:
        probe.stdin.write("\n")
        probe.stdin.flush()
    return max(float(probe.communicate()[0]) for probe in probes)


def ceiling(repeats=3):
    """How much more work two processes do at once than one alone, a thread each; the best of `repeats`."""
    one, two = (min(at_once(count) for _ in range(repeats)) for count in (1, 2))
    return 2 * one / two


def measure(name, way, folder, answers="untouched"):
    """Run the chapter `name` in one of the ways; what it cost, the mean of the two where it ran twice."""
    count = 2 if way == "beside" else 1
    threads = {"all": machine.cores(), "one": 1, "beside": max(1, machine.cores() // 2)}[way]
    outs = [folder / f"{name}-{way}-{answers}-{number}" for number in range(count)]
    runs = [Watched(name, out, threads, answers) for out in outs]
    while any(run.process.poll() is None for run in runs):
        for run in runs:
            if run.process.poll() is None:
                run.look()
        time.sleep(EVERY)
    found = [run.found() for run in runs]
    mean = {key: sum(one[key] for one in found) / count for key in ("seconds", "processor", "mib")}
    worst = max(found, key=lambda one: one["slowest"][0])
    return {**worst, **{key: round(value, 1) for key, value in mean.items()}}


def show(name, way, found, alone, answers="untouched"):
    """One line of the table; `alone`: what was found with every thread, None where that was not measured."""
    part = f"  {found['seconds'] / 2 / alone['seconds']:.0%} of --jobs 1" if way == "beside" and alone else ""
    waits = max(0.0, 1 - found["processor"] / max(found["seconds"], 0.1))  # 0: it did not end
    seconds, cell = found["slowest"]
    print(
        f"{name:15} {way:7} {found['seconds']:7.1f} {found['processor']:9.1f} {waits:6.0%} {found['mib']:6.0f} "
        f" {seconds:6.1f} {cell}{part}"
        + ("" if answers == "untouched" else f"  {answers}")
        + ("" if found["status"] == "passed" else f"  ({found['status']})"),
        flush=True,
    )


def keep_memory(name, found):
    """Keep what a chapter needed at most, as {answers: {way: found}}; refuse one that has not passed."""
    mib = {answers: max(each["mib"] for each in ways.values()) for answers, ways in found.items()}
    failed = [way for ways in found.values() for way, each in ways.items() if each["status"] != "passed"]
    if failed:
        sys.exit(f"{name} has not passed ({', '.join(failed)}), its memory means nothing. Mend it first.")
    costs.keep_memory(name, mib, on=where())


def where():
    """What the memory was measured on, in words: the kind of machine, its torch and the data."""
    facts = machine.describe()
    system, kind = facts["os"].split()[0], facts["accelerator"] or facts["cpu_capability"]
    data = datasets.available("mnist")[0]
    return f"{system}, {kind}, {facts['cores']} cores, torch {facts['torch']}, {data} MNIST"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--answers", nargs="+", choices=("untouched", "solved"), default=("untouched",))
    parser.add_argument("--keep", choices=("memory",))
    parser.add_argument("--ceiling", action="store_true", help="only what two processes can gain here")
    parser.add_argument("--listen", nargs="?", type=float, const=math.inf, metavar="SECONDS", help="run nothing")
    parser.add_argument("--out", type=Path, help="a JSON file for all of it")
    options = parser.parse_args()
    if options.listen is not None:
        names = [chapter.name for chapter in catalog.select(catalog.find(), options.chapters)]
        return listen(names, options.listen, options.keep)
    if options.ceiling or "beside" in options.ways:
        print(f"Two processes at once, a thread each, do {ceiling():.2f} times the work of one alone.", flush=True)
    if options.ceiling:
        return 0
    print(f"{'chapter':15} {'way':7} {'seconds':>7} {'processor':>9} {'waits':>6} {'MiB':>6}  slowest cell (s)")
    table = {}
    with tempfile.TemporaryDirectory(prefix="course-cost-") as folder:
        for chapter in catalog.select(catalog.find(), options.chapters):
            for answers, way in itertools.product(options.answers, options.ways):
                found = measure(chapter.name, way, Path(folder), answers)
                ways = table.setdefault(chapter.name, {}).setdefault(answers, {})
                ways[way] = found
                show(chapter.name, way, found, ways.get("all"), answers)
            if options.out:
                options.out.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
            if options.keep:
                keep_memory(chapter.name, table[chapter.name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
