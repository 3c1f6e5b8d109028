"""GPUs as a fake driver reports them: none, one, several, sliced, disappeared; and their numbers in a process."""

from types import SimpleNamespace

import pynvml
import pytest
import torch

from course_utils.chapters.gpu import Gpu, GpuError, freest, in_view, physical_numbers, physical_of, survey

UUIDS = ["GPU-aa11", "GPU-ab22", "GPU-cc33", "GPU-dd44"]


class FakeNvml:
    """Answers like pynvml for a list of GPUs: dicts with uuid, total, free, and maybe `lost`, `slices`."""

    NVMLError = pynvml.NVMLError
    NVMLError_LibraryNotFound = pynvml.NVMLError_LibraryNotFound
    NVMLError_DriverNotLoaded = pynvml.NVMLError_DriverNotLoaded
    NVMLError_NotFound = pynvml.NVMLError_NotFound
    NVMLError_NotSupported = pynvml.NVMLError_NotSupported

    def __init__(self, *gpus, start=None):
        self.gpus, self.start, self.open = gpus, start, 0

    def nvmlInit(self):
        if self.start:
            raise self.start
        self.open += 1

    def nvmlShutdown(self):
        self.open -= 1

    def nvmlDeviceGetCount(self):
        return len(self.gpus)

    def nvmlDeviceGetHandleByIndex(self, number):
        if self.gpus[number].get("lost") == "handle":
            raise pynvml.NVMLError(pynvml.NVML_ERROR_GPU_IS_LOST)
        return self.gpus[number]

    def nvmlDeviceGetUUID(self, gpu):
        return gpu["uuid"]

    def nvmlDeviceGetName(self, gpu):
        return gpu.get("name", "X100")

    def nvmlDeviceGetMemoryInfo(self, gpu):
        if gpu.get("lost") == "memory":
            raise pynvml.NVMLError(pynvml.NVML_ERROR_GPU_IS_LOST)
        return SimpleNamespace(total=gpu["total"], free=gpu["free"], used=gpu["total"] - gpu["free"])

    def nvmlDeviceGetMigMode(self, gpu):
        if "slices" not in gpu:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)
        return gpu.get("mig", 1), 1

    def nvmlDeviceGetMaxMigDeviceCount(self, gpu):
        return 7

    def nvmlDeviceGetMigDeviceHandleByIndex(self, gpu, place):
        if place not in gpu["slices"]:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_FOUND)
        return gpu["slices"][place]


def gpu(uuid, free, **more):
    return {"uuid": uuid, "total": 80, "free": free, **more}


@pytest.mark.parametrize("code", [pynvml.NVML_ERROR_LIBRARY_NOT_FOUND, pynvml.NVML_ERROR_DRIVER_NOT_LOADED])
def test_without_a_driver_there_is_no_gpu(code):
    assert survey(FakeNvml(start=pynvml.NVMLError(code))) == []


def test_a_driver_that_does_not_answer_is_no_machine_without_gpus():
    broken = FakeNvml(start=pynvml.NVMLError(pynvml.NVML_ERROR_LIB_RM_VERSION_MISMATCH))
    with pytest.raises(
        GpuError, match=r"NVML does not start \(.*\), expected a driver that answers; run `nvidia-smi`"
    ):
        survey(broken)


def test_a_driver_without_gpus_and_one_gpu():
    assert survey(FakeNvml()) == []
    nvml = FakeNvml(gpu("GPU-aa11", 70))
    assert survey(nvml) == [Gpu(0, "GPU-aa11", "X100", 80, 70)]
    assert nvml.open == 0  # shut down again


@pytest.mark.parametrize("when", ["handle", "memory"])
def test_a_gpu_that_disappeared_keeps_its_number_and_is_never_chosen(when):
    nvml = FakeNvml(gpu("GPU-aa11", 10), gpu("GPU-ab22", 80, lost=when), gpu("GPU-cc33", 20))
    gpus = survey(nvml)
    assert [one.number for one in gpus] == [0, 1, 2] and nvml.open == 0
    assert "lost" in gpus[1].fault.lower()
    assert freest(gpus).number == 2
    with pytest.raises(GpuError, match=r"No GPU can be chosen \(GPU 1: .*lost"):
        freest(gpus[1:2])


def test_slices_stand_in_the_place_of_their_gpu():
    slices = {0: gpu("MIG-1", 5), 4: gpu("MIG-2", 9)}
    gpus = survey(FakeNvml(gpu("GPU-aa11", 80, slices=slices), gpu("GPU-ab22", 7, slices={}, mig=0)))
    assert [(one.number, one.uuid, one.free) for one in gpus] == [
        (0, "MIG-1", 5),
        (0, "MIG-2", 9),
        (1, "GPU-ab22", 7),
    ]
    assert freest(gpus).uuid == "MIG-2"
    assert in_view(gpus, {"CUDA_VISIBLE_DEVICES": "MIG-2"}) == [gpus[1]]
    for environment in ({}, {"CUDA_VISIBLE_DEVICES": "0"}):
        with pytest.raises(GpuError, match=r"A MIG slice has no number.*expected one of MIG-1, MIG-2"):
            in_view(gpus, environment)


def test_a_sliced_gpu_without_slices_cannot_be_used():
    (only,) = survey(FakeNvml(gpu("GPU-aa11", 80, slices={})))
    assert only.fault == "MIG is on, and no slice has been made"


def test_the_single_slice_of_a_machine_needs_no_name():
    gpus = survey(FakeNvml(gpu("GPU-aa11", 80, slices={3: gpu("MIG-1", 5)})))
    assert in_view(gpus, {}) == gpus


def test_no_gpu_is_a_sentence_and_of_equals_the_first_is_chosen():
    with pytest.raises(GpuError, match=r"No GPU can be chosen \(the list is empty\); take the CPU"):
        freest([])
    assert freest([Gpu(0, "a", "X", 9, 1), Gpu(1, "b", "X", 9, 3), Gpu(2, "c", "X", 9, 3)]).number == 1


RULES = [
    (None, [0, 1, 2, 3]),
    ("", []),
    ("2,3", [2, 3]),
    ("0,3,2", [0, 3, 2]),
    (" 1 , 0", [1, 0]),
    ("0,9,1", [0]),  # an entry that means none ends the list
    ("9,0", []),
    ("1,-1,0", [1]),
    ("-1", []),
    ("0,x,1", [0]),
    ("0,,1", [0]),
    ("1gpu,2", [1, 2]),
    ("1,2,1", []),  # twice the same: none at all
    ("GPU-cc33", [2]),
    ("GPU-cc,GPU-aa11", [2, 0]),  # a prefix that fits one GPU is enough
    ("GPU-a,GPU-cc33", []),  # it fits two
    ("GPU-dd44,GPU-zz,GPU-aa11", [3]),
    ("GPU-aa11,1", [0]),
    ("1,GPU-aa11", [1]),
    ("GPU-cc33,GPU-cc", []),
]


@pytest.mark.parametrize(("visible", "numbers"), RULES)
def test_physical_numbers_by_cudas_rules(visible, numbers):
    assert physical_numbers(visible, UUIDS) == numbers
    for logical, number in enumerate(numbers):
        assert physical_of(visible, logical, uuids=UUIDS) == number
    for logical in (-1, len(numbers)):
        with pytest.raises(GpuError, match=f"cuda:{logical} is not there.*leaves {len(numbers)} of 4 GPUs"):
            physical_of(visible, logical, uuids=UUIDS)


@pytest.mark.parametrize("visible", [visible for visible, _ in RULES])
def test_torch_reads_the_variable_the_same_way(visible, monkeypatch):
    parse = getattr(torch.cuda, "_parse_visible_devices", None)
    ordinals = getattr(torch.cuda, "_transform_uuid_to_ordinals", None)
    if parse is None or ordinals is None:
        pytest.skip("this torch has no such function")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    read = parse()
    if read and isinstance(read[0], str):
        read = ordinals(read, UUIDS)
    first_bad = next((at for at, number in enumerate(read) if number >= len(UUIDS)), len(read))
    assert physical_numbers(visible, UUIDS) == read[:first_bad]


def test_a_process_sees_the_gpus_in_the_order_of_its_own_numbers():
    gpus = [Gpu(number, uuid, "X100") for number, uuid in enumerate(UUIDS)]
    assert in_view(gpus, {}) == gpus
    assert [one.number for one in in_view(gpus, {"CUDA_VISIBLE_DEVICES": "0,3,2"})] == [0, 3, 2]
    assert in_view(gpus, {"CUDA_VISIBLE_DEVICES": ""}) == []


def test_numbers_of_unlike_gpus_are_not_guessed():
    gpus = [Gpu(0, "GPU-aa11", "Small"), Gpu(1, "GPU-ab22", "Large")]
    with pytest.raises(GpuError, match=r"several kinds \(Large, Small\).*CUDA_DEVICE_ORDER=PCI_BUS_ID"):
        in_view(gpus, {"CUDA_VISIBLE_DEVICES": "1"})
    assert in_view(gpus, {"CUDA_VISIBLE_DEVICES": "1", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}) == [gpus[1]]
    assert in_view(gpus, {"CUDA_VISIBLE_DEVICES": "GPU-ab22"}) == [gpus[1]]
    assert in_view(gpus, {"CUDA_VISIBLE_DEVICES": ""}) == []
