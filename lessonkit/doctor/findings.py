"""What stands between this machine and the course: each fact judged, each trouble with its fix in one sentence."""

import re
from collections.abc import Iterator

from lessonkit.doctor import around
from lessonkit.doctor.facts import Facts, gather
from lessonkit.doctor.finding import Finding
from lessonkit.doctor.forecast import speed
from lessonkit.doctor.space import disk, memory, shared_memory


def examine(facts: Facts | None = None) -> list[Finding]:
    """Return every finding about this machine, or about the one that `facts` describes."""
    facts = gather() if facts is None else facts
    checks = [python, packages, torch_pair, cuda, processor, threads, speed, memory, shared_memory, disk, folders]
    checks += [loopback, around.path, around.text, around.home, around.clock, around.programs, around.proxy]
    return [*(check(facts) for check in checks), *data(facts), browser(facts)]


def python(facts: Facts) -> Finding:
    """Return whether this Python is one that the course runs on."""
    found = ".".join(map(str, facts.python))
    if (3, 11) <= facts.python[:2] <= (3, 13):
        return Finding("Python", "ok", found)
    fix = "Install Python 3.11, 3.12 or 3.13, delete the folder `.venv` and run `make setup`."
    return Finding("Python", "problem", f"{found}, the course runs on 3.11 to 3.13", fix)


def packages(facts: Facts) -> Finding:
    """Return whether every package that the course asks for is installed."""
    if not facts.missing:
        return Finding("packages", "ok", "all that the course asks for")
    some = ", ".join(facts.missing[:6]) + (" and others" if len(facts.missing) > 6 else "")
    fix = "Run `make setup` in the course's folder, or what README.md says for a system without make."
    return Finding("packages", "problem", f"missing: {some}", fix)


def torch_pair(facts: Facts) -> Finding:
    """Return whether the two fit: torch 2.N goes with torchvision 0.(N + 15).

    Another pair fails at import, or later and worse.
    """
    name, fix = "torch and torchvision", "Run `pip install -r requirements.txt`: it pins a pair that fits."
    if facts.torch is None:
        return Finding(name, "problem", facts.torch_error or "torch is not installed", fix)
    if facts.torchvision is None:
        return Finding(name, "problem", f"torch {facts.torch}, no torchvision", fix)
    pair = f"torch {facts.torch}, torchvision {facts.torchvision}"
    (major, minor), vision = release(facts.torch), release(facts.torchvision)
    if (major, minor) < (2, 11):
        return Finding(name, "problem", f"{pair}; the course needs torch 2.11 or newer", fix)
    if major == 2 and vision != (0, minor + 15):
        return Finding(name, "problem", f"{pair}; this torch goes with torchvision 0.{minor + 15}", fix)
    if facts.torchvision_error:
        return Finding(name, "problem", f"{pair}; importing it: {facts.torchvision_error}", fix)
    return Finding(name, "ok", pair)


def cuda(facts: Facts) -> Finding:
    """Return which accelerator torch uses, or why it uses none although one is there."""
    name = "accelerator"
    driver = facts.driver and f"{facts.driver // 1000}.{facts.driver % 1000 // 10}"
    if facts.cuda_works:
        found = f"CUDA {facts.cuda_build}, the driver runs up to {driver or 'an unknown version'}"
        return Finding(name, "ok", found)
    if facts.mps_works:
        return Finding(name, "ok", "Apple's GPU (mps)")
    if facts.driver is None:
        return Finding(name, "ok", "none (no NVIDIA driver, no mps): every chapter runs on the CPU")
    if facts.cuda_build is None:
        fix = "Install the CUDA build with the command that pytorch.org/get-started gives for your system."
        return Finding(name, "problem", f"a driver for CUDA {driver}, but torch was built without CUDA", fix)
    if facts.driver // 1000 < release(facts.cuda_build)[0]:
        fix = f"Update the NVIDIA driver, or install a torch built for CUDA {driver} or older."
        return Finding(name, "problem", f"torch needs CUDA {facts.cuda_build}, the driver stops at {driver}", fix)
    fix = (
        "Run `nvidia-smi`: if it lists a GPU, look at CUDA_VISIBLE_DEVICES and, in a container, start it with GPUs."
    )
    return Finding(name, "warning", f"a driver for CUDA {driver}, but torch sees no GPU", fix)


def processor(facts: Facts) -> Finding:
    """Return the instructions torch uses on the CPU, and whether bfloat16 is among them."""
    if facts.cpu_capability is None:
        return Finding("processor", "warning", "not asked", "Mend torch first, then run the doctor again.")
    bf16 = "in hardware" if facts.bf16_in_hardware else "imitated, and so slow"
    found = f"{facts.cpu_capability}, bf16 {bf16}"
    if facts.cpu_capability == "DEFAULT" and facts.system != "Darwin":
        fix = (
            "Unset ATEN_CPU_CAPABILITY if you set it; on a processor without AVX2 expect several times the minutes."
        )
        return Finding("processor", "warning", found, fix)
    return Finding("processor", "ok", found)


def threads(facts: Facts) -> Finding:
    """Return how many threads torch has for how many cores."""
    usable = min(facts.cores, facts.quota or facts.cores)
    found = f"torch uses {facts.threads or 'unknown'} of {usable:g} cores"
    if facts.threads and facts.threads > max(1, usable):
        fix = f"Set OMP_NUM_THREADS={max(1, int(usable))} before you start: threads in a queue slow each other."
        return Finding("threads", "warning", found, fix)
    if facts.threads == 1 and usable >= 2:
        return Finding("threads", "warning", found, "Unset OMP_NUM_THREADS, so that torch takes every core.")
    if usable <= 1:
        found += "; chapters run one by one, and a DataLoader's workers take turns with training"
    return Finding("threads", "ok", found)


def folders(facts: Facts) -> Finding:
    """Return the folders of the course that cannot be written to."""
    locked = [f"{name} ({why})" for name, why in facts.folders.items() if why]
    if not locked:
        return Finding("folders", "ok", f"{', '.join(facts.folders)} can be written")
    fix = "Give yourself the right to write there, or clone the course into a folder of your own."
    return Finding("folders", "problem", f"cannot write to {', '.join(locked)}", fix)


def loopback(facts: Facts) -> Finding:
    """Return whether a server on this machine can be reached."""
    if not facts.loopback_error:
        return Finding("ports", "ok", "a server on 127.0.0.1 can be reached")
    fix = (
        "Allow programs to listen on 127.0.0.1 (firewall, sandbox) and give the loopback interface that address, "
        "where all else is IPv6 too: kernels and JupyterLab are spoken to through it."
    )
    return Finding("ports", "problem", f"no server on 127.0.0.1: {facts.loopback_error}", fix)


def data(facts: Facts) -> Iterator[Finding]:
    """Yield one finding for each data set; its sentence is the one that `load` would print."""
    judged = {
        "full": ("ok", ""),
        "sample": ("ok", "Enough for every chapter; `course data get {name}` fetches the full set."),
        "none": ("warning", "Run `course data get {name}` with a network, or point COURSE_DATA at a copy."),
        "damaged": ("problem", "Do what the sentence before says, then run `course data verify`."),
    }
    for name, (source, sentence) in facts.data.items():
        state, fix = judged[source]
        yield Finding(f"data: {name}", state, sentence, fix.format(name=name))


def browser(facts: Facts) -> Finding:
    """Return which browser Python would open."""
    if facts.browser:
        return Finding("browser", "ok", facts.browser)
    fix = "Copy the address that `make lab` prints into a browser on this machine."
    return Finding("browser", "warning", "none that Python could open", fix)


def release(version: str) -> tuple[int, int]:
    """Return (major, minor) of a version such as "2.14.1+cu130"."""
    major, minor = re.match(r"(\d+)\.(\d+)", version).groups()
    return int(major), int(minor)
