"""What a machine with a GPU, another platform or an older torch says: the message by hand, the traceback real.

Seen in the wild; there is no GPU on the machine of the tests. Counted apart from the tracebacks that torch raises.
"""

import torch


def forward(batch):
    raise RuntimeError(
        "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! "
        "(when checking argument for argument mat1 in method wrapper_CUDA_addmm)"
    )


def device_mismatch__two_devices():
    forward(torch.ones(1))


def device_mismatch__got_other():
    raise RuntimeError(
        "Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors "
        "on cuda:0 (when checking argument in method wrapper_CUDA_addmm)"
    )


def device_mismatch__input_type():
    raise RuntimeError(
        "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same or input "
        "should be a MKLDNN tensor and weight is a dense tensor"
    )


def device_mismatch__indices():
    raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")


def device_mismatch__mps():
    raise RuntimeError("Input type (MPSFloatType) and weight type (torch.FloatTensor) should be the same")


def numpy_device__cuda():
    raise TypeError(
        "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
        "memory first."
    )


def no_cuda__not_compiled():
    raise AssertionError("Torch not compiled with CUDA enabled")


def out_of_memory__cuda():
    raise torch.OutOfMemoryError(
        "CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 23.69 GiB of which 1.12 GiB "
        "is free. Including non-PyTorch memory, this process has 22.55 GiB memory in use. Of the allocated memory "
        "21.80 GiB is allocated by PyTorch, and 310.21 MiB is reserved by PyTorch but unallocated. If reserved but "
        "unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid "
        "fragmentation."
    )


def out_of_memory__older():
    raise RuntimeError(
        "CUDA out of memory. Tried to allocate 256.00 MiB (GPU 0; 10.76 GiB total capacity; 9.31 GiB already "
        "allocated; 121.44 MiB free; 9.60 GiB reserved in total by PyTorch)"
    )


def out_of_memory__mps():
    raise RuntimeError(
        "MPS backend out of memory (MPS allocated: 17.98 GB, other allocations: 1.20 MB, max allowed: 18.13 GB). "
        "Tried to allocate 160.00 MB on private pool."
    )


def device_assert__triggered():
    raise RuntimeError(
        "CUDA error: device-side assert triggered\n"
        "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might "
        "be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n"
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n"
    )


def device_assert__accelerator():
    raise torch.AcceleratorError(
        "CUDA error: device-side assert triggered\nSearch for `cudaErrorAssert' in the CUDA documentation for more "
        "information."
    )


def worker_died__shared_memory():
    raise RuntimeError(
        "DataLoader worker (pid 4711) is killed by signal: Bus error. It is possible that dataloader's workers are "
        "out of shared memory. Please try to raise your shared memory limit."
    )


def worker_died__killed():
    raise RuntimeError("DataLoader worker (pid 99) is killed by signal: Killed. ")


def worker_pickle__main_of_a_notebook():
    raise AttributeError("Can't get attribute 'Digits' on <module '__main__' (built-in)>")


def deadlock__nccl():
    raise RuntimeError(
        "[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=57, OpType=ALLREDUCE, "
        "NumelIn=4194304, NumelOut=4194304, Timeout(ms)=600000) ran for 600029 milliseconds before timing out."
    )


def port_in_use__older():
    raise RuntimeError(
        "The server socket has failed to listen on any local network address. The server socket has failed to bind "
        "to [::]:29500 (errno: 98 - Address already in use)."
    )


def targets_dtype__older():
    raise RuntimeError("expected scalar type Long but found Float")


def targets_dtype__cuda_kernel():
    raise RuntimeError("\"nll_loss_forward_reduce_cuda_kernel_2d_index\" not implemented for 'Int'")


def dtype_linear__older():
    raise RuntimeError("expected m1 and m2 to have the same dtype, but got: double != float")


def mm_shapes__ancient():
    raise RuntimeError(
        "size mismatch, m1: [4 x 400], m2: [576 x 120] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:41"
    )


def second_backward__older():
    raise RuntimeError(
        "Trying to backward through the graph a second time, but the saved intermediate results have already been "
        "freed. Specify retain_graph=True when calling backward the first time."
    )


def not_one_element__older():
    raise ValueError("only one element tensors can be converted to Python scalars")


def no_super_init__parameters():
    raise AttributeError("'Net' object has no attribute '_modules'")


def spawn_guard__windows():
    raise RuntimeError(
        "\n        An attempt has been made to start a new process before the\n        current process has "
        "finished its bootstrapping phase.\n\n        This probably means that you are not using fork "
        "to start your\n"
        "        child processes and you have forgotten to use the proper idiom\n        in the main module:\n\n"
        "            if __name__ == '__main__':\n                freeze_support()\n                ...\n"
    )


def cuda_late__illegal_access():
    raise RuntimeError("CUDA error: an illegal memory access was encountered")


def kernel_image__no_kernel_image():
    raise RuntimeError("CUDA error: no kernel image is available for execution on the device")


def cudnn__one():
    raise RuntimeError("cuDNN error: CUDNN_STATUS_EXECUTION_FAILED")


def build_mismatch__nms():
    raise RuntimeError("operator torchvision::nms does not exist")


def mps_missing__mps_doubles():
    raise TypeError(
        "Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. Please use "
        "float32 instead."
    )


def cuda_fork__fork():
    raise RuntimeError(
        "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the "
        "'spawn' start method"
    )
