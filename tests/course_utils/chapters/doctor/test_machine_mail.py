"""What a learner sends back says of torch, GPU, processor and data."""

from dataclasses import replace

from test_machine_findings import HEALTHY

from course_utils.chapters.doctor.findings import examined
from lessonkit.doctor.facts import Facts
from lessonkit.doctor.mail import letter
from lessonkit.notebook.catalog import find, minutes, notebook_of, select

HALF_A_DAY = select(find(), ["00", "01", "02", "05"])
CORES = sum(minutes(notebook_of(one).cells[0].source)[0] for one in HALF_A_DAY)
LAPTOP = replace(HEALTHY, gpus=("NVIDIA T4, 14.6 GiB",))
NAMES = {"/home/ana núñez": "~", "ana núñez": "<name>", "ana": "<name>"}


def lines(*, work_seconds=0.012, **changed):
    """The answer of a laptop with these facts changed, as {first word: text}."""
    facts = Facts(
        system="Linux",
        python=(3, 12, 4),
        work_seconds=work_seconds,
        memory_free=4 << 30,
        shared_memory_free=1 << 30,
        disk_free=9 << 30,
        browser="firefox",
        course=examined(replace(LAPTOP, **changed)),
    )
    text, ready = letter(facts, HALF_A_DAY, network="", names=NAMES)
    return {line[:10].strip(): line[10:] for line in text.splitlines()} | {"ready": ready}


def test_a_healthy_laptop_says_what_it_computes_with():
    said = lines()
    order = "verdict system python torch course processor memory disk gpu network data minutes ready"
    assert list(said) == order.split()
    assert said["ready"] and said["torch"] == "2.14.1+cu130, torchvision 0.29.1+cu130"
    assert said["processor"] == "8 cores, AVX512" and said["data"] == "mnist full"
    assert said["gpu"] == "NVIDIA T4, 14.6 GiB; CUDA 13.0, in use"


def test_an_old_driver_stops_nobody_as_every_core_runs_on_the_cpu():
    said = lines(cuda_works=False, driver=12040, gpus=())
    assert said["ready"] and said["look at"] == "accelerator: torch needs CUDA 13.0, the driver supports up to 12.4"
    assert said["gpu"] == "not in use; its driver runs CUDA 12.4"


def test_without_torch_there_is_an_answer_all_the_same():
    error = "OSError: /home/ana núñez/my course/lib/libtorch.so: cannot open shared object file"
    nothing = {
        "torch": None,
        "torchvision": None,
        "torch_error": error,
        "cpu_capability": None,
        "work_seconds": None,
    }
    said = lines(**nothing, cuda_works=False, driver=12040, gpus=(), data={})
    assert said["verdict"].startswith("not ready because torch and torchvision: OSError: <path>")
    assert "ana" not in said["verdict"] and "núñez" not in said["verdict"]
    assert said["torch"] == "none, torchvision none" and said["data"] == "mnist not asked"
    assert said["gpu"] == "not in use; its driver runs CUDA 12.4"
    assert said["minutes"] == f"not measured, as torch is missing; {CORES} to work the cores through"
