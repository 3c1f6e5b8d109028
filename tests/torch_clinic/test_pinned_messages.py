"""The messages that the chapters quote, pinned against the installed torch: one reworded is noticed by name.

Each pin is the smallest program that raises the message, and what of it must stay. Where older versions are known
to say it otherwise, both stand in the pin.
"""

import io
import json
import re
import socket
import warnings
import zipfile

import numpy as np
import pytest
import torch
import torch.distributed as dist
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from course_utils import PROJECT
from lessonkit.notebook.cells import without_colours
from torch_clinic.cases import read_cases
from torch_clinic.diagnosis import diagnose

NOTEBOOKS = sorted((PROJECT / "notebooks").glob("[0-9]*.ipynb"))


def ones(*shape, grad=False, dtype=torch.float32, device=None):
    return torch.ones(*shape, requires_grad=grad, dtype=dtype, device=device)


def twice(loss):
    loss.backward()
    loss.backward()


def changed_in_place():
    x = ones(3, grad=True)
    y = x.exp()
    y.mul_(2)
    y.sum().backward()


class NoSuper(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(1, 1)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()


def load_pickled(value, *, cut=None):
    file = io.BytesIO()
    torch.save(value, file)
    return torch.load(io.BytesIO(file.getvalue()[:cut]))


def load_from_gpu():
    old, new = io.BytesIO(), io.BytesIO()
    torch.save({"w": torch.zeros(1)}, old)
    with zipfile.ZipFile(old) as source, zipfile.ZipFile(new, "w") as target:
        for name in source.namelist():
            tag = b"X\x06\x00\x00\x00cuda:0"
            target.writestr(name, source.read(name).replace(b"X\x03\x00\x00\x00cpu", tag))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.cuda, "is_available", lambda: False)
        torch.load(io.BytesIO(new.getvalue()))


def anomaly():
    with torch.autograd.detect_anomaly():
        x = torch.zeros(1, requires_grad=True)
        (x.sqrt() * 0).sum().backward()


def port_taken():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        dist.TCPStore("127.0.0.1", taken.getsockname()[1], is_master=True, wait_for_workers=False)


def replicas_elsewhere():
    wrapped = nn.DataParallel(nn.Linear(1, 1))
    wrapped.device_ids, wrapped.src_device_obj = [0, 1], torch.device("cuda:0")  # as on a machine with two GPUs
    wrapped(ones(2, 1))


def unused_gradient():
    a, b = ones(1, grad=True), ones(1, grad=True)
    torch.autograd.grad(a.sum(), [a, b])


def state(**tensors):
    return {name.replace("__", "."): value for name, value in tensors.items()}


def spawned_with_a_lambda():
    data = TensorDataset(ones(2))
    next(iter(DataLoader(data, num_workers=1, collate_fn=lambda x: x, multiprocessing_context="spawn")))


def grad_of_a_result():
    x = ones(1, grad=True) * 2
    return 0.1 * x.grad


SAME_DEVICE = (
    "Expected all tensors to be on the same device, but found at least two devices|Tensor on device meta is not"
)
VIEW = "view size is not compatible with input tensor's size and stride"
# The chapter that teaches it and the case (or a name, where it is none): what must stay, and the program.
PINS = {
    "00-mean_of_integers": (
        "could not infer output dtype. Input dtype must be",
        lambda: ones(2, dtype=torch.uint8).mean(),
    ),
    "00-bool_of_tensor": ("Boolean value of Tensor with more than one value is ambiguous", lambda: bool(ones(2))),
    "01-view_strides": (VIEW, lambda: ones(3, 4).T.view(12)),
    "01-broadcast_sizes": (
        r"The size of tensor a \(3\) must match the size of tensor b \(2\) at non-singleton dimension 1",
        lambda: ones(2, 3) + ones(2),
    ),
    "01-matmul_dtypes": (
        "expected m1 and m2 to have the same dtype, but got: double != float",
        lambda: ones(4, 3).double() @ ones(3, 2),
    ),
    "01-negative_strides": (
        "At least one stride in the given numpy array is negative",
        lambda: torch.from_numpy(ones(3).numpy()[::-1]),
    ),
    "01-index_bounds": ("index 10 is out of bounds for dimension 0 with size 10", lambda: ones(10)[10]),
    "01-dim_range": (
        r"Dimension out of range \(expected to be in range of \[-2, 1\], but got 2\)",
        lambda: ones(2, 2).sum(2),
    ),
    "01-cat_sizes": (
        "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1",
        lambda: torch.cat([ones(2, 3), ones(2, 4)]),
    ),
    "02-integer_grad": (
        "Only Tensors of floating point and complex dtype can require gradients",
        lambda: torch.tensor([1, 2], requires_grad=True),
    ),
    "02-backward_not_scalar": (
        "grad can be implicitly created only for scalar outputs",
        lambda: (ones(3, grad=True) * 2).backward(),
    ),
    "02-leaf_inplace": (
        "a leaf Variable that requires grad is being used in an in-place operation",
        lambda: ones(2, grad=True).sub_(1),
    ),
    "02-second_backward": (
        "Trying to backward through the graph a second time",
        lambda: twice((ones(2, grad=True) ** 2).sum()),
    ),
    "02-inplace_saved": (
        r"modified by an inplace operation: \[torch.FloatTensor \[3\]\], which is output 0 of Exp\w*, is at "
        "version 1; expected version 0",
        changed_in_place,
    ),
    "02-numpy_grad": (r"Can't call numpy\(\) on Tensor that requires grad", lambda: ones(2, grad=True).numpy()),
    "02-grad_none": (r"unsupported operand type\(s\) for \*: 'float' and 'NoneType'", grad_of_a_result),
    "02-nan_loss": ("Function 'SqrtBackward0' returned nan values in its 0th output", anomaly),
    "02-unused": ("appears to not have been used in the graph", unused_gradient),
    "03-collate_sizes": (
        r"stack expects each tensor to be equal size, but got \[1\] at entry 0 and \[2\] at entry 1",
        lambda: torch.utils.data.default_collate([ones(1), ones(2)]),
    ),
    "03-collate_type": (
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found",
        lambda: torch.utils.data.default_collate([object()]),
    ),
    "03-worker_pickle": ("(?i)can't (?:pickle|get) (?:local object|<function)", spawned_with_a_lambda),
    "04-class_called": (r"__init__\(\) takes 1 positional argument but 2 were given", lambda: Plain(ones(1))),
    "04-conv_channels": (
        r"Given groups=1, weight of size \[6, 1, 5, 5\], expected input\[2, 3, 32, 32\] to have 1 channels, but "
        "got 3 channels instead",
        lambda: F.conv2d(ones(2, 3, 32, 32), ones(6, 1, 5, 5)),
    ),
    "04-conv_dims": (
        r"Expected 3D \(unbatched\) or 4D \(batched\) input to conv2d, but got input of size: \[28, 28\]",
        lambda: F.conv2d(ones(28, 28), ones(1, 1, 3, 3)),
    ),
    "04-kernel_too_large": (
        r"Calculated padded input size per channel: \(2 x 2\). Kernel size: \(3 x 3\). Kernel size can't be",
        lambda: F.conv2d(ones(1, 1, 2, 2), ones(1, 1, 3, 3)),
    ),
    "04-mm_shapes": (
        r"mat1 and mat2 shapes cannot be multiplied \(64x1024 and 512x10\)",
        lambda: F.linear(ones(64, 1024), ones(10, 512)),
    ),
    "04-view_numel": (r"shape '\[-1, 400\]' is invalid for input of size 6272", lambda: ones(6272).view(-1, 400)),
    "04-embedding_range": ("index out of range in self", lambda: F.embedding(torch.tensor([5]), ones(5, 1))),
    "04-batchnorm_channels": (
        "running_mean should contain 8 elements not 16",
        lambda: nn.BatchNorm1d(16)(ones(4, 8)),
    ),
    "04-batchnorm_one": (
        r"Expected more than 1 value per channel when training, got input size torch.Size\(\[1, 16\]\)",
        lambda: nn.BatchNorm1d(16)(ones(1, 16)),
    ),
    "04-no_super_init": (r"cannot assign module before Module.__init__\(\) call", NoSuper),
    "04-module_attribute": ("'Sequential' object has no attribute 'fc'", lambda: nn.Sequential().fc),
    "04-tuple_output": (
        r"linear\(\): argument 'input' \(position 1\) must be Tensor, not tuple",
        lambda: F.linear((ones(1),), ones(1, 1)),
    ),
    "04-targets_dtype": (
        "expected target dtype to be Long or Byte, but got Float|expected scalar type Long but found Float",
        lambda: F.cross_entropy(ones(2, 3), ones(2)),
    ),
    "04-targets_bounds": (
        "Target 10 is out of bounds",
        lambda: F.cross_entropy(ones(1, 10), torch.tensor([10])),
    ),
    "04-targets_shape": (
        "0D or 1D target tensor expected, multi-target not supported",
        lambda: F.cross_entropy(ones(2, 3), ones(2, 1, dtype=torch.long)),
    ),
    "04-targets_batch": (
        r"Expected input batch_size \(4\) to match target batch_size \(5\)",
        lambda: F.cross_entropy(ones(4, 3), ones(5, dtype=torch.long)),
    ),
    "04-bce_shape": (
        r"Target size \(torch.Size\(\[8\]\)\) must be the same as input size \(torch.Size\(\[8, 1\]\)\)",
        lambda: F.binary_cross_entropy_with_logits(ones(8, 1), ones(8)),
    ),
    "04-loss_class_called": (
        "Boolean value of Tensor with more than one value is ambiguous",
        lambda: nn.CrossEntropyLoss(ones(2, 3), ones(2, dtype=torch.long)),
    ),
    "05-layers_in_list": ("optimizer got an empty parameter list", lambda: torch.optim.SGD([], lr=0.1)),
    "05-not_one_element": (
        "a Tensor with 4 elements cannot be converted to Scalar",
        lambda: ones(4).item(),
    ),
    "06-cuda_checkpoint": (
        r"Attempting to deserialize object on a CUDA device but torch.cuda.is_available\(\) is False",
        load_from_gpu,
    ),
    "06-module_keys": (
        r'Missing key\(s\) in state_dict: "weight", "bias". \n\tUnexpected key\(s\) in state_dict: "module.weight"',
        lambda: nn.Linear(1, 1).load_state_dict(state(module__weight=ones(1, 1), module__bias=ones(1))),
    ),
    "06-missing_keys": (
        r'Missing key\(s\) in state_dict: "weight". \n\tUnexpected key\(s\) in state_dict: "fc"',
        lambda: nn.Linear(1, 1, bias=False).load_state_dict(state(fc=ones(1, 1))),
    ),
    "06-weights_only": (
        r"Weights only load failed[\s\S]*Unsupported global: GLOBAL numpy\S+ was not an allowed global by default",
        lambda: load_pickled({"best": np.float64(1.0)}),
    ),
    "06-cut_off": (
        "PytorchStreamReader failed reading zip archive: failed finding central directory",
        lambda: load_pickled(ones(500), cut=1500),
    ),
    "07-no_graph": (
        "element 0 of tensors does not require grad and does not have a grad_fn",
        lambda: ones(1).sum().backward(),
    ),
    "07-size_mismatch": (
        r"size mismatch for weight: copying a param with shape torch.Size\(\[10, 64\]\) from checkpoint, the shape "
        r"in current model is torch.Size\(\[5, 64\]\)",
        lambda: nn.Linear(64, 5, bias=False).load_state_dict(state(weight=ones(10, 64))),
    ),
    "08-device_mismatch": (SAME_DEVICE, lambda: nn.Linear(3, 2, device="meta")(ones(4, 3))),
    "08-numpy_device": (
        r"can't convert meta device type tensor to numpy. Use Tensor.cpu\(\)",
        lambda: ones(1, device="meta").numpy(),
    ),
    "08-dtype_linear": (
        "mat1 and mat2 must have the same dtype, but got Double and Float",
        lambda: F.linear(ones(1, 1, dtype=torch.float64), ones(1, 1), ones(1)),
    ),
    "08-out_of_memory": (
        "can't allocate memory: you tried to allocate|not enough memory: you tried to allocate",
        lambda: torch.empty(2**50, dtype=torch.uint8),
    ),
    "10-data_parallel": (
        r"module must have its parameters and buffers on device cuda:0 \(device_ids\[0\]\) but found one of them",
        replicas_elsewhere,
    ),
    "10-port_in_use": ("The server socket has failed to listen on any local network address", port_taken),
    "12-dtype_conv": (
        r"Input type \(unsigned char\) and bias type \(float\) should be the same",
        lambda: nn.Conv2d(1, 1, 1)(ones(1, 1, 2, 2, dtype=torch.uint8)),
    ),
    "12-not_implemented": ("\"softmax\\w*\" not implemented for 'Long'", lambda: torch.arange(2).softmax(0)),
    "12-result_type": (
        "result type Float can't be cast to the desired output type Long",
        lambda: ones(1, dtype=torch.long).add_(0.5),
    ),
    "13-shared_tensors": (
        "Some tensors share memory, this will lead to duplicate memory on disk",
        lambda: save_file(dict.fromkeys(("table.weight", "head.weight"), ones(2)), "never_written.safetensors"),
    ),
}
# Quoted, and said by another machine, by processes or by the course: each with the reason why not here.
ELSEWHERE = {
    "no_cuda": "depends on the machine's driver and torch's build: chapter 12's cell shows what this machine says",
    "device_assert": "only a GPU's kernel says it",
    "deadlock": "the course's own words about a process that did not end",
    "worker_died": "needs a worker that is killed: tests/torch_clinic/tracebacks/workers.py makes one",
    "spawn_guard": "Python's own words: tests/torch_clinic/tracebacks/no_guard.py makes them",
}


# Errors in the chapters that are the course's own or Python's, not torch's.
NOT_TORCH = (
    "^ModuleNotFoundError: No module named 'nets_2024'",
    "^AttributeError: Can't get attribute 'my_rank' on <module '__main__'",  # pickle's
    "^RankError: ",
    "^OutOfMemoryError: Pretended: ",  # chapter 08's own limit, where there is no GPU
)


def said(program):
    """What torch says now, with the name of the error's type before it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            program()
        except Exception as error:  # noqa: BLE001 - what it is, is asked below
            return f"{type(error).__name__}: {without_colours(str(error))}"
    return "nothing: it raises no error any more"


def quoting(pattern):
    """Where the chapters and the clinic's cases quote it: `04_nets cell 14`."""
    places = [f"{path.stem} cell {number}" for path, number, text in quotations() if re.search(pattern, text)]
    places += [f"cases.toml {case.id}" for case in read_cases().values() if re.search(pattern, case.message)]
    return places


def raised():
    """(chapter, number of the code cell, text) of each stored error."""
    for path in NOTEBOOKS:
        cells = [
            cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"
        ]
        for number, cell in enumerate(cells, start=1):
            for output in cell["outputs"]:
                if output["output_type"] == "error":
                    yield path, number, without_colours(f"{output['ename']}: {output['evalue']}")


def quotations():
    """(chapter, number of the code cell, text) of each error, and of each text printed or between cells."""
    for path in NOTEBOOKS:
        number = 0
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            number += cell["cell_type"] == "code"
            if cell["cell_type"] == "markdown":
                yield path, number, "".join(cell["source"])
            for output in cell.get("outputs", []):
                yield path, number, without_colours(output.get("text", "") and "".join(output["text"]))
    yield from raised()


@pytest.mark.parametrize("name", PINS)
def test_torch_still_says(name):
    pattern, program = PINS[name]
    now = said(program)
    assert re.search(pattern, now), (
        f"{name}: torch {torch.__version__} now says: {now[:300]!r}\npinned: {pattern!r}\n"
        f"quoted by: {', '.join(quoting(pattern)) or 'no cell any more'}\n"
        "What to edit: the text after that cell (`course refresh` stores the new output), `message` and `read` of "
        "the case in torch_clinic/cases.toml, its `find` in patterns.toml beside it (keep the old one too), "
        "and this pin."
    )


def test_there_are_enough_pins():
    assert len(PINS) >= 25


def test_every_error_that_a_chapter_raises_on_purpose_is_pinned():
    cases = {name.partition("-")[2] for name in PINS}
    loose = []
    for path, number, text in raised():
        known = any(finding.case in cases for finding in diagnose(text)[:1])
        patterns = (*NOT_TORCH, *(pin for pin, _ in PINS.values()))
        if not known and not any(re.search(pattern, text) for pattern in patterns):
            loose.append(f"{path.stem} cell {number}: {text[:200]}")
    assert loose == [], "pin these:\n" + "\n".join(loose)


def test_every_loud_case_is_pinned_or_said_to_be_heard_elsewhere():
    pinned = {name.partition("-")[2]: pattern for name, (pattern, _) in PINS.items()}
    for case in read_cases().values():
        if case.kind == "loud" and case.id not in ELSEWHERE:
            assert case.id in pinned, f"{case.id} has no pin"
    assert set(ELSEWHERE) <= set(read_cases())


def test_a_reworded_message_is_reported_with_the_cell_that_quotes_it(monkeypatch):
    def reworded():
        raise RuntimeError("the strides do not allow a view")

    monkeypatch.setitem(PINS, "01-view_strides", (VIEW, reworded))
    with pytest.raises(AssertionError, match=r"(?s)now says: 'RuntimeError: the strides.*01_tensors cell 13"):
        test_torch_still_says("01-view_strides")
