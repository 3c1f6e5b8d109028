"""Messages of GPUs, ranks, other platforms and other versions, as public threads have it.

The message by hand, the traceback real.
"""


class DistBackendError(RuntimeError):
    """As torch.distributed's."""


def cublas__start():
    raise RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`")


def cublas__product():
    raise RuntimeError(
        "CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm( handle, opa, opb, m, n, "
        "k, &alpha, a, "
        "lda, b, ldb, &beta, c, ldc)`"
    )


def cudnn__rnn_in_eval():
    raise RuntimeError("cudnn RNN backward can only be called in training mode")


def generator_device__shuffle():
    raise RuntimeError("Expected a 'cuda' device type for generator but found 'cpu'")


def mps_missing__operator():
    raise NotImplementedError(
        "The operator 'aten::_ctc_loss' is not currently implemented for the MPS device. If you want "
        "this op to be "
        "considered for addition please comment on the tracking issue."
    )


def too_many_files__ancdata():
    raise RuntimeError("received 0 items of ancdata")


def launch_argument__underscore():
    raise SystemExit("train.py: error: unrecognized arguments: --local_rank=1")


def backend_missing__windows():
    raise RuntimeError("Distributed package doesn't have NCCL built in")


def nccl__duplicate():
    raise DistBackendError(
        "NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:268, invalid usage (run with "
        "NCCL_DEBUG=WARN for details), NCCL version 2.21.5\nncclInvalidUsage: This usually reflects "
        "invalid usage of "
        "NCCL library.\nLast error:\nDuplicate GPU detected : rank 9 and rank 1 both on CUDA device 34000"
    )


def nccl__system():
    raise DistBackendError(
        "NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1691, unhandled system "
        "error (run with "
        "NCCL_DEBUG=INFO for details), NCCL version 2.19.3\nncclSystemError: System call (e.g. socket, "
        "malloc) or "
        "external library call failed or device error."
    )


def nccl__remote():
    raise DistBackendError(
        "NCCL communicator was aborted on rank 1. Original reason for failure was: ncclRemoteError: A "
        "call failed "
        "possibly due to a network error or a remote process exiting prematurely."
    )


def connection_lost__gloo():
    raise RuntimeError(
        "[/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.7]:43210"
    )


def connection_lost__clients():
    raise RuntimeError("Timed out after 601 seconds waiting for clients. 3/4 clients joined.")


def rank_failed__killed():
    raise RuntimeError("process 2 terminated with signal SIGSEGV")


def ddp_unused__first():
    raise RuntimeError(
        "Expected to have finished reduction in the prior iteration before starting a new one. This "
        "error indicates "
        "that your module has parameters that were not used in producing loss. You can enable unused parameter "
        "detection by passing the keyword argument `find_unused_parameters=True` to "
        "`torch.nn.parallel.DistributedDataParallel`, and by \nmaking sure all `forward` function "
        "outputs participate "
        "in calculating loss. \nParameter indices which did not receive grad for rank 1: 160 161\n In "
        "addition, you "
        "can set the environment variable TORCH_DISTRIBUTED_DEBUG to either INFO or DETAIL"
    )


def ddp_unused__ready_twice():
    raise RuntimeError(
        "Expected to mark a variable ready only once. This error is caused by one of the following "
        "reasons: 1) Use of "
        "a module parameter outside the `forward` function. 2) Reused parameters in multiple reentrant "
        "backward passes."
    )


def dp_device__second():
    raise RuntimeError(
        "module must have its parameters and buffers on device cuda:2 (device_ids[0]) but found one of them on "
        "device: cuda:0"
    )


def compiler_missing__windows():
    raise RuntimeError("Compiler: cl is not found.")
