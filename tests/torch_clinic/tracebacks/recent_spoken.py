"""Messages of 2025 and 2026: another library's, another Python's, another system's, or a GPU's alone, by hand.

Each function raises what the real thing raises, type and words; the last ones are raised by this torch itself.
"""

import pathlib

import torch
from torch import nn
from torch._dynamo.exc import FailOnRecompileLimitHit, Unsupported, UserError
from torch.distributed.elastic.rendezvous.api import RendezvousTimeoutError
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode


class OutOfResources(Exception):
    """triton.runtime.errors.OutOfResources, where there is no triton."""


OutOfResources.__module__ = "triton.runtime.errors"


def library_version__numpy_2():
    raise ModuleNotFoundError("No module named 'numpy._core'")


def library_version__moved_class():
    raise AttributeError(
        "Can't get attribute 'SiLUActivation' on <module 'transformers.activations' from "
        "'/venv/lib/python3.12/site-packages/transformers/activations.py'>"
    )


def library_version__moved_module():
    raise ModuleNotFoundError("No module named 'sklearn.ensemble.forest'")


def library_version__renamed():
    raise ImportError(
        "cannot import name 'top_k_top_p_filtering' from 'transformers' "
        "(/venv/lib/python3.12/site-packages/transformers/__init__.py)"
    )


def library_version__numpy_name():
    raise AttributeError(
        "module 'numpy' has no attribute 'bool'.\n`np.bool` was a deprecated alias for the builtin `bool`."
    )


def library_missing__accelerate():
    raise ModuleNotFoundError("No module named 'accelerate'")


def library_missing__pkg_resources():
    raise ModuleNotFoundError("No module named 'pkg_resources'")


def python_part__newer_pathlib():
    raise ModuleNotFoundError("No module named 'pathlib._local'; 'pathlib' is not a package")


def python_part__built_without():
    raise ModuleNotFoundError("No module named '_bz2'")


def python_part__removed():
    raise ModuleNotFoundError("No module named 'distutils.version'")


def foreign_path__of_this_machine():
    other = "WindowsPath" if pathlib.Path().__class__.__name__ == "PosixPath" else "PosixPath"
    getattr(pathlib, other)("runs/best.pt")


def build_isolation__flash_attention():
    raise RuntimeError("Getting requirements to build wheel: ModuleNotFoundError: No module named 'torch'")


def kernel_memory__flex():
    raise OutOfResources(
        "out of resource: shared memory, Required: 163840, Hardware limit: 101376. "
        "Reducing block sizes or `num_stages` may help."
    )


def kernel_memory__no_config():
    raise RuntimeError(
        "No valid triton configs. OutOfMemoryError: out of resource: triton_tem_fused_0 Required: 147456 "
        "Hardware limit:101376 Reducing block sizes or `num_stages` may help."
    )


def mixed_dtensor__product():
    raise RuntimeError(
        "aten.mm.default: got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor before "
        "calling distributed operators! Please see https://docs.pytorch.org/docs/main/distributed.tensor.html"
    )


def export_guard__batch_of_one():
    raise AssertionError("Guard failed: x.size()[0] == 1")


def export_guard__unlifted():
    raise RuntimeError("Expected input at *args[0].shape[1] to be <= 128, but got 200")


def export_dynamic__example_of_one():
    raise ValueError(
        "Found the following conflicts between user-specified ranges and inferred ranges from model tracing:\n"
        "- Received user-specified dim hint Dim.DYNAMIC(min=None, max=None), but export 0/1 specialized due to "
        "hint of 1 for dimension inputs['x'].shape[0]."
    )


def export_dynamic__bound():
    raise UserError(
        None,
        'Constraints violated (batch)! For more information, run with TORCH_LOGS="+dynamic".\n'
        "  - Not all values of batch = L['x'].size()[0] in the specified range satisfy the generated guard "
        "2 <= L['x'].size()[0] and L['x'].size()[0] <= 6\nSuggested fixes:\n  batch = Dim('batch', max=6)",
    )


def data_dependent__integer():
    raise GuardOnDataDependentSymNode(
        None, "Could not extract specialized integer from data-dependent expression u0 (unhinted: u0)."
    )


def recompiled__one_graph():
    raise FailOnRecompileLimitHit("Hard failure due to fullgraph=True")


def recompiled__explained():
    raise Unsupported(
        "Dynamo recompile limit exceeded\n  Explanation: Dynamo attempted to recompile the code object"
    )


def safetensors_head__many_tensors():
    raise RuntimeError("Error while deserializing header: header too large")


def no_user_name__container():
    raise KeyError("getpwuid(): uid not found: 1001")


def bitsandbytes_library__source_folder():
    raise RuntimeError(
        "Could not load bitsandbytes native library: /home/u/bitsandbytes/bitsandbytes/libbitsandbytes_cpu.so: "
        "cannot open shared object file: No such file or directory"
    )


def torchao_version__newer_torchao():
    raise ImportError(
        "Skipping import of cpp extensions due to incompatible torch version. Please upgrade to torch >= 2.11.0 "
        "(found 2.8.0+cu126)."
    )


def connection_lost__rendezvous():
    raise RendezvousTimeoutError


def not_implemented__scaler_and_complex():
    scaler = torch.amp.GradScaler("cpu")
    weight = nn.Parameter(torch.ones(2, dtype=torch.complex64))
    scaler.scale(weight.abs().sum()).backward()
    scaler.unscale_(torch.optim.SGD([weight], lr=0.1))


def export_dynamic__batch_of_one_in_this_torch():
    torch.export.export(nn.ReLU(), (torch.rand(1, 3),), dynamic_shapes=({0: torch.export.Dim("batch")},))


def export_dynamic__fixed_hint():
    torch.export.export(nn.ReLU(), (torch.rand(1, 3),), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))


def export_guard__another_batch():
    torch.export.export(nn.ReLU(), (torch.rand(2, 3),)).module()(torch.rand(4, 3))


def data_dependent__exported():
    class Gate(nn.Module):
        def forward(self, x):
            return x if x.sum().item() > 3 else -x

    torch.export.export(Gate(), (torch.rand(2, 3),))


def monitored_metric__another_name():
    raise RuntimeError(
        "Early stopping conditioned on metric `val_loss` which is not available. Pass in or modify your "
        "`EarlyStopping` callback to use any of the following: `train_loss`, `validation/loss`"
    )
