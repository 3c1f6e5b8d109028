"""The fix is chosen by the facts of the text: errors of one case, raised here, that need different fixes."""

import traceback

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms

from torch_clinic.diagnosis import BROKEN_OFF, UNKNOWN, diagnose


def compiled():
    return torch.compile(nn.Linear(2, 2))


def load(names, model=None):
    """Load a state with these names into a net of one convolution."""
    model = model or nn.Sequential(nn.Conv2d(1, 2, 3))
    weights = nn.Sequential(nn.Conv2d(1, 2, 3)).state_dict()
    model.load_state_dict({name: weights.get(name[-8:], torch.zeros(1)) for name in names})


def gan():
    critic = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
    said = critic(torch.rand(3, 4, requires_grad=True))
    said.mean().backward(retain_graph=True)
    optimizer.step()
    (-said.mean()).backward()


def relu_in_place():
    x = torch.rand(3, 4, requires_grad=True)
    h = torch.relu(x)
    h += 1
    h.sum().backward()


def conv(*shape, channels=3, dtype=torch.float32):
    return lambda: nn.Conv2d(channels, 2, 3)(torch.zeros(*shape, dtype=dtype))


def linear(dtype, weight=torch.float32):
    return lambda: nn.Linear(4, 2).to(weight)(torch.zeros(3, 4, dtype=dtype))


def mask_of(dtype):
    x = torch.zeros(1, 5, 8)
    nn.MultiheadAttention(8, 2, batch_first=True)(x, x, x, attn_mask=torch.zeros(5, 5, dtype=dtype))


PAIRS = {
    "float64 input": (linear(torch.float64), "dtype_linear", ".float()", "autocast"),
    "float64 model": (linear(torch.float32, torch.float64), "dtype_linear", "model.float()", "from_numpy"),
    "half input": (linear(torch.bfloat16), "dtype_linear", "autocast", "from_numpy"),
    "token numbers": (linear(torch.int64), "dtype_linear", "nn.Embedding", "autocast"),
    "complex input": (linear(torch.cfloat), "dtype_linear", "x.abs()", "autocast"),
    "bytes": (conv(1, 3, 8, 8, dtype=torch.uint8), "dtype_conv", "/ 255", "from_numpy"),
    "doubles": (conv(1, 3, 8, 8, dtype=torch.float64), "dtype_conv", "from_numpy", "/ 255"),
    "half model": (
        lambda: nn.Conv2d(1, 1, 1).bfloat16()(torch.zeros(1, 1, 2, 2)),
        "dtype_conv",
        "autocast",
        "/ 255",
    ),
    "channels last": (conv(2, 8, 8, 3), "conv_channels", "movedim", "in_channels 8"),
    "grey": (conv(2, 1, 8, 8), "conv_channels", "expand", "movedim"),
    "transparent": (conv(2, 4, 8, 8), "conv_channels", 'convert("RGB")', "movedim"),
    "no channels": (conv(9, 8, 8, channels=1), "conv_channels", "unsqueeze(1)", "movedim"),
    "other channels": (conv(2, 7, 8, 8), "conv_channels", "in_channels 7", "movedim"),
    "too many axes": (conv(2, 4, 3, 8, 8), "conv_dims", "flatten", "unsqueeze"),
    "too few axes": (conv(8, 8), "conv_dims", "unsqueeze", "squeeze(dim)"),
    "one-hot": (
        lambda: F.cross_entropy(torch.rand(2, 3), torch.eye(3, dtype=torch.int64)[:2]),
        "targets_dtype",
        "argmax(1)",
        "targets.long()",
    ),
    "float classes": (
        lambda: F.cross_entropy(torch.rand(2, 3), torch.ones(2)),
        "targets_dtype",
        "targets.long()",
        "argmax",
    ),
    "a class below 0": (
        lambda: F.cross_entropy(torch.rand(1, 3), torch.tensor([-1])),
        "targets_bounds",
        "ignore_index=-1",
        "subtract 1",
    ),
    "a class too many": (
        lambda: F.cross_entropy(torch.rand(1, 3), torch.tensor([3])),
        "targets_bounds",
        "subtract 1",
        "ignore_index",
    ),
    "one column": (
        lambda: F.binary_cross_entropy_with_logits(torch.rand(4, 1), torch.ones(4)),
        "bce_shape",
        "squeeze(1)",
        "CrossEntropyLoss",
    ),
    "two columns": (
        lambda: F.binary_cross_entropy_with_logits(torch.rand(4, 2), torch.ones(4)),
        "bce_shape",
        "CrossEntropyLoss",
        "model(x).squeeze(1)",
    ),
    "a step between": (gan, "inplace_saved", "optimizer.step() came between", "inplace=True"),
    "in place": (relu_in_place, "inplace_saved", "h = h + x", "optimizer.step()"),
    "whole checkpoint": (
        lambda: load(["epoch", "state_dict"]),
        "missing_keys",
        'checkpoint["state_dict"]',
        "strict=False",
    ),
    "other names": (lambda: load(["a.weight", "b.bias"]), "missing_keys", "rename", "strict=False"),
    "saved wrapped": (
        lambda: load(["module.0.weight", "module.0.bias"]),
        "module_keys",
        '"module."',
        "model.module.load_state_dict",
    ),
    "loaded wrapped": (
        lambda: load(["0.weight", "0.bias"], nn.DataParallel(nn.Sequential(nn.Conv2d(1, 2, 3)))),
        "module_keys",
        "model.module.load_state_dict",
        "consume_prefix",
    ),
    "saved compiled": (
        lambda: load(["_orig_mod.0.weight", "_orig_mod.0.bias"]),
        "module_keys",
        '"_orig_mod."',
        "model.module",
    ),
    "a part saved compiled": (
        lambda: nn.Sequential(nn.Linear(2, 2)).load_state_dict(nn.Sequential(compiled()).state_dict()),
        "module_keys",
        'key.replace("_orig_mod.", "")',
        "If they are other layers",
    ),
    "a deeper part saved compiled": (
        lambda: nn.Sequential(nn.Sequential(nn.Linear(2, 2))).load_state_dict(
            nn.Sequential(nn.Sequential(compiled())).state_dict()
        ),
        "module_keys",
        'key.replace("_orig_mod.", "")',
        "If they are other layers",
    ),
    "a part loaded compiled": (
        lambda: nn.Sequential(compiled()).load_state_dict(nn.Sequential(nn.Linear(2, 2)).state_dict()),
        "module_keys",
        "Load before you compile the part",
        "If they are other layers",
    ),
    "saved compiled in DDP": (
        lambda: load(["module._orig_mod.0.weight", "module._orig_mod.0.bias"]),
        "module_keys",
        'removeprefix("module._orig_mod.")',
        "If they are other layers",
    ),
    "own stack": (
        lambda: torch.stack([torch.zeros(2), torch.zeros(3)]),
        "stack_sizes",
        "torch.cat",
        "collate_fn",
    ),
    "a loader's stack": (
        lambda: next(iter(DataLoader([torch.zeros(2), torch.zeros(3)], batch_size=2))),
        "collate_sizes",
        "collate_fn",
        "torch.cat",
    ),
    "grey and three means": (
        lambda: transforms.Normalize((0.5,) * 3, (0.5,) * 3)(torch.zeros(1, 4, 4)),
        "broadcast_sizes",
        "(0.5,), (0.5,)",
        "x += y",
    ),
    "in place and too large": (
        lambda: torch.zeros(1, 4).add_(torch.zeros(3, 4)),
        "broadcast_sizes",
        "x = x + y",
        "Normalize",
    ),
    "a product": (lambda: torch.zeros(2, 3) @ torch.zeros(2, 3), "mm_shapes", "Transpose", "nn.Linear(3"),
    "an einsum": (
        lambda: torch.einsum("bd,dk->bk", torch.zeros(2, 3), torch.zeros(4, 5)),
        "mm_shapes",
        "letters",
        "in_features",
    ),
    "a mask of integers": (
        lambda: mask_of(torch.int64),
        "attention_mask_dtype",
        "mask.bool()",
        "batch_first",
    ),
}


@pytest.mark.parametrize(("program", "case", "must", "never"), PAIRS.values(), ids=PAIRS)
def test_the_fix_is_that_of_the_text(program, case, must, never):
    try:
        program()
    except (RuntimeError, ValueError, IndexError, TypeError, AssertionError):
        text = traceback.format_exc()
    finding = diagnose(text)[0]
    assert finding.case == case
    assert must in finding.fix and never not in finding.fix, finding.fix


OLD = "found at least two devices, {} and {}! (when checking argument for argument {} in method m)"
NEW = "but got {} is on {}, different from other tensors on {} (when checking argument in method {})"


@pytest.mark.parametrize(
    ("said", "must"),
    [
        (OLD.format("cuda:0", "cpu", "mat1"), "x = x.to(device)"),
        (OLD.format("cpu", "cuda:0", "mat1"), "Move the layer, not the batch"),
        (OLD.format("cuda:0", "cpu", "mat2"), "register it"),
        (OLD.format("cpu", "cuda:0", "mat2"), "x = x.to(device)"),
        (NEW.format("mat1", "cpu", "cuda:0", "m"), "x = x.to(device)"),
        (NEW.format("mat1", "cuda:0", "cpu", "m"), "Move the layer, not the batch"),
        (NEW.format("weight", "cpu", "cuda:0", "m"), "register it"),
        (NEW.format("weight", "cuda:0", "cpu", "m"), "x = x.to(device)"),
        (NEW.format("weight", "cpu", "cuda:0", "nll_loss"), "loss_fn.to(device)"),
        ("found at least two devices, cuda:0 and cuda:1!", "one device"),
    ],
)
def test_the_tensor_on_the_wrong_device_is_the_one_to_move(said, must):
    (finding,) = diagnose(f"RuntimeError: Expected all tensors to be on the same device, {said}")
    assert finding.case == "device_mismatch" and must in finding.fix


def test_a_text_that_ends_too_early_is_asked_for_its_end():
    text = (
        'Traceback (most recent call last):\n  File "train.py", line 5, in step\n    return loss_fn(model(x), y)\n'
    )
    assert str(diagnose(text)) == UNKNOWN + BROKEN_OFF
    assert str(diagnose(text + "KeyError: 'lr'\n")) == UNKNOWN


def test_what_stands_around_a_line_is_taken_off():
    said = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x784 and 768x128)"
    for text in (
        f"[rank0]:[rank0]: {said}",
        f"(RayTrainWorker pid=4431) {said}",
        f"E1123 00:57:12.265000 16697 torch/a.py:3212] [1/0] {said}",
        f"I get **{said}** since yesterday",
        f"Cell In[1], [line 3](vscode-notebook-cell:b)\n---> [3](vscode-notebook-cell:a) f(x)\n\n{said}",
    ):
        (finding,) = diagnose(text)
        assert "784 features arrive" in finding.read, text
    assert finding.line == "Cell In[1], line 3: f(x)"


def test_a_wrapper_is_named_only_where_the_error_in_it_is_not():
    wrapped = (
        "RuntimeError: Caught {name} in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\n"
        '  File "set.py", line 12, in __getitem__\n    return self.rows[index]\n{name}: {said}\n'
    )
    (finding,) = diagnose(wrapped.format(name="KeyError", said="'price'"))
    assert finding.case == "wrapped_worker" and "KeyError: 'price'" in finding.read
    assert finding.line == "set.py, line 12, in __getitem__: return self.rows[index]"
    (finding,) = diagnose(wrapped.format(name="IndexError", said="too many indices for tensor of dimension 1"))
    assert finding.case == "too_many_indices"
