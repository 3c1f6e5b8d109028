"""What stands between this machine and PyTorch: each fact judged, each trouble with its fix in one sentence."""

import re
from collections.abc import Iterator

from course_utils.chapters.doctor.facts import COMPILER, Machine, measure
from lessonkit.system.finding import Finding, Found


def examined(machine: Machine | None = None) -> Found:
    """Return what the course adds to `course doctor` about this machine, or the one that `machine` describes."""
    machine = measure() if machine is None else machine
    return Found(
        findings={
            "packages": [torch_pair(machine), cuda(machine), processor(machine), threads(machine)],
            "clock": [programs(machine)],
            "proxy": list(data(machine)),
        },
        lines={
            "python": [("torch", f"{machine.torch or 'none'}, torchvision {machine.torchvision or 'none'}")],
            "course": [("processor", f"{machine.cores} cores, {machine.cpu_capability or 'not asked'}")],
            "disk": [("gpu", gpu(machine))],
        },
        sources={name: source for name, (source, _) in machine.data.items()},
        stops_nobody=("accelerator",),  # an old driver is the GPU's trouble, and every core runs on the CPU
        lacks="" if machine.torch else "torch",
    )


def torch_pair(machine: Machine) -> Finding:
    """Return whether the two fit: torch 2.N goes with torchvision 0.(N + 15).

    Another pair fails at import, or later and worse.
    """
    name, fix = "torch and torchvision", "Run `pip install -r requirements.txt`: it pins a pair that fits."
    if machine.torch is None:
        return Finding(name, "problem", machine.torch_error or "torch is not installed", fix)
    if machine.torchvision is None:
        return Finding(name, "problem", f"torch {machine.torch}, no torchvision", fix)
    pair = f"torch {machine.torch}, torchvision {machine.torchvision}"
    (major, minor), vision = release(machine.torch), release(machine.torchvision)
    if (major, minor) < (2, 11):
        return Finding(name, "problem", f"{pair}; the course needs torch 2.11 or newer", fix)
    if major == 2 and vision != (0, minor + 15):
        return Finding(name, "problem", f"{pair}; this torch goes with torchvision 0.{minor + 15}", fix)
    if machine.torchvision_error:
        return Finding(name, "problem", f"{pair}; importing it: {machine.torchvision_error}", fix)
    return Finding(name, "ok", pair)


def cuda(machine: Machine) -> Finding:
    """Return which accelerator torch uses, or why it uses none although one is there."""
    name = "accelerator"
    driver = machine.driver and f"{machine.driver // 1000}.{machine.driver % 1000 // 10}"
    if machine.cuda_works:
        found = f"CUDA {machine.cuda_build}, the driver supports up to {driver or 'an unknown version'}"
        return Finding(name, "ok", found)
    if machine.mps_works:
        return Finding(name, "ok", "Apple's GPU (mps)")
    if machine.driver is None:
        return Finding(name, "ok", "none (no NVIDIA driver, no mps): every chapter runs on the CPU")
    if machine.cuda_build is None:
        fix = "Install the CUDA build with the command that pytorch.org/get-started gives for your system."
        return Finding(name, "problem", f"a driver for CUDA {driver}, but torch was built without CUDA", fix)
    if machine.driver // 1000 < release(machine.cuda_build)[0]:
        fix = f"Update the NVIDIA driver, or install a torch built for CUDA {driver} or older."
        return Finding(
            name, "problem", f"torch needs CUDA {machine.cuda_build}, the driver supports up to {driver}", fix
        )
    fix = (
        "Run `nvidia-smi`: if it lists a GPU, look at CUDA_VISIBLE_DEVICES and, in a container, start it with GPUs."
    )
    return Finding(name, "warning", f"a driver for CUDA {driver}, but torch sees no GPU", fix)


def processor(machine: Machine) -> Finding:
    """Return the instructions torch uses on the CPU, and whether bfloat16 is among them."""
    if machine.cpu_capability is None:
        return Finding("processor", "warning", "not asked", "Fix torch first, and then run the doctor again.")
    bf16 = "in hardware" if machine.bf16_in_hardware else "imitated, and so slow"
    found = f"{machine.cpu_capability}, bf16 {bf16}"
    if machine.cpu_capability == "DEFAULT" and machine.system != "Darwin":
        fix = (
            "Unset ATEN_CPU_CAPABILITY if you set it; on a processor without AVX2 the chapters take several "
            "times as long."
        )
        return Finding("processor", "warning", found, fix)
    return Finding("processor", "ok", found)


def threads(machine: Machine) -> Finding:
    """Return how many threads torch has for how many cores."""
    usable = min(machine.cores, machine.quota or machine.cores)
    found = f"torch uses {machine.threads or 'unknown'} of {usable:g} cores"
    if machine.threads and machine.threads > max(1, usable):
        fix = (
            f"Set OMP_NUM_THREADS={max(1, int(usable))} before you start, because more threads than cores "
            "slow each other."
        )
        return Finding("threads", "warning", found, fix)
    if machine.threads == 1 and usable >= 2:
        return Finding("threads", "warning", found, "Unset OMP_NUM_THREADS, so that torch takes every core.")
    if usable <= 1:
        found += "; chapters run one by one, and a DataLoader's workers take turns with training"
    return Finding("threads", "ok", found)


def programs(machine: Machine) -> Finding:
    """Return whether git and a C++ compiler are on the path; no chapter fails without them."""
    git = "git" if machine.git else "no git, which no chapter needs (`git pull` brings the next edition)"
    if machine.compiler:
        return Finding("programs", "ok", f"{git}; {machine.compiler}")
    fix = (
        f"Install {COMPILER} for the part of chapter 09 on `torch.compile`; without it, that part says "
        "so and continues."
    )
    return Finding("programs", "warning", f"{git}; no C++ compiler ({COMPILER})", fix)


def data(machine: Machine) -> Iterator[Finding]:
    """Yield one finding for each data set; its sentence is the one that `load` would print."""
    judged = {
        "full": ("ok", ""),
        "sample": ("ok", "Enough for every chapter; `course data get {name}` fetches the full set."),
        "none": ("warning", "Run `course data get {name}` with a network, or point COURSE_DATA at a copy."),
        "damaged": ("problem", "Do what the sentence before says, then run `course data verify`."),
    }
    for name, (source, sentence) in machine.data.items():
        state, fix = judged[source]
        yield Finding(f"data: {name}", state, sentence, fix.format(name=name))


def gpu(machine: Machine) -> str:
    """Return which GPU is in use, for `course doctor --mail`."""
    if machine.gpus:
        build = f"CUDA {machine.cuda_build}" if machine.cuda_build else "no CUDA, so ROCm"
        return f"{'; '.join(machine.gpus)}; {build}, in use"
    if machine.mps_works:
        return "Apple's (mps), in use"
    if machine.driver is None:
        return "none; every chapter runs on the CPU"
    return f"not in use; its driver runs CUDA {machine.driver // 1000}.{machine.driver % 1000 // 10}"


def release(version: str) -> tuple[int, int]:
    """Return (major, minor) of a version such as "2.14.1+cu130"."""
    major, minor = re.match(r"(\d+)\.(\d+)", version).groups()
    return int(major), int(minor)
