"""Further messages that need a GPU, ranks, another platform or a broken installation, as public threads have them.

The message by hand, the traceback real.
"""


class DistStoreError(RuntimeError):
    """As torch.distributed's."""


def windows_library__paging_file():
    raise OSError(
        "[WinError 1455] The paging file is too small for this operation to complete. Error loading "
        '"C:\\envs\\net\\lib\\site-packages\\torch\\lib\\cudnn_cnn_infer64_8.dll" or one of its dependencies.'
    )


def windows_library__missing():
    raise OSError(
        "[WinError 126] The specified module could not be found. Error loading "
        '"C:\\envs\\net\\lib\\site-packages\\torch\\lib\\fbgemm.dll" or one of its dependencies.'
    )


def disk_full__writer():
    raise RuntimeError("PytorchStreamWriter failed writing file data/12: file write failed")


def sdpa_kernel__flash_alone():
    raise RuntimeError("No available kernel. Aborting execution.")


def extension_build__two_versions():
    raise RuntimeError(
        "The detected CUDA version (12.1) mismatches the version that was used to compile PyTorch (11.7). "
        "Please make sure to use the same CUDA versions."
    )


def extension_build__no_toolkit():
    raise OSError("CUDA_HOME environment variable is not set. Please set it to your CUDA install root.")


def cuda_launch__configuration():
    raise RuntimeError("CUDA error: invalid configuration argument")


def gpu_fault__memory():
    raise RuntimeError("CUDA error: uncorrectable ECC error encountered")


def cudagraph_output__kept():
    raise RuntimeError(
        "Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent "
        "run. Stack trace: "
        "File train.py, line 8, in forward"
    )


def capture__item():
    raise RuntimeError("CUDA error: operation not permitted when stream is capturing")


def bce_autocast__sigmoid():
    raise RuntimeError(
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast. "
        "Many models use a "
        "sigmoid layer right before the binary cross entropy layer."
    )


def recompiled__limit():
    raise RuntimeError("torch._dynamo hit config.recompile_limit (8) function: 'forward' (net.py:12)")


def onnx_export__operator():
    raise RuntimeError("Exporting the operator 'aten::fft_fft2' to ONNX opset version 17 is not supported.")


def install_missing__torch():
    raise SystemExit("ERROR: No matching distribution found for torch==1.9.0+cu111")


def openmp_twice__windows():
    raise SystemExit(
        "OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already "
        "initialized. OMP: Hint This "
        "means that multiple copies of the OpenMP runtime have been linked into the program."
    )


def collective_arguments__scatter():
    raise ValueError("Argument ``scatter_list`` must be specified on source rank.")


def collective_arguments__sizes():
    raise RuntimeError("ProcessGroupGloo::allgather: invalid tensor size at index 0 (expected (5), got (4))")


def libuv__windows():
    raise DistStoreError("use_libuv was requested but PyTorch was build without libuv support")


def fsdp_uniform__adapters():
    raise ValueError("Must flatten tensors with uniform `requires_grad` when `use_orig_params=False`")


def fsdp_uniform__dtype():
    raise ValueError("Must flatten tensors with uniform dtype but got torch.bfloat16 and torch.float32")


def no_accelerator__cpu():
    raise RuntimeError("FSDP needs a non-CPU accelerator device, but no accelerator device is detected.")


def shared_tensors__tied():
    raise RuntimeError(
        "Some tensors share memory, this will lead to duplicate memory on disk and potential "
        "differences when "
        "loading them again: [{'lm_head.weight', 'embed.weight'}]."
    )


def no_cuda__forward_compatibility():
    raise RuntimeError(
        "Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling "
        "NumCudaDevices() that might have already set an error? Error 804: forward compatibility "
        "was attempted on "
        "non supported HW"
    )


def no_cuda__no_device():
    raise RuntimeError("CUDA error: no CUDA-capable device is detected")


def no_cuda__busy():
    raise RuntimeError("CUDA error: CUDA-capable device(s) is/are busy or unavailable")


def kernel_image__nvrtc():
    raise RuntimeError("nvrtc: error: invalid value for --gpu-architecture (-arch)")


def worker_died__bus():
    raise RuntimeError("DataLoader worker (pid 871) is killed by signal: Bus error. ")


def class_weights__old():
    raise RuntimeError("weight tensor should be defined either for all or no classes at /opt/SpatialClassNLL.cu:27")


def deadlock__two_collectives():
    raise RuntimeError(
        "Detected mismatch between collectives on ranks. Rank 1 is running collective: CollectiveFingerPrint("
        "SequenceNumber=12, OpType=ALLREDUCE, TensorShape=[8]), but Rank 0 is running collective: "
        "CollectiveFingerPrint(SequenceNumber=12, OpType=BARRIER)."
    )


def connection_lost__rendezvous():
    raise RuntimeError("The connection to the C10d store has failed. See inner exception for details.")


def dp_device__device_ids():
    raise ValueError(
        "DistributedDataParallel device_ids and output_device arguments only work with "
        "single-device/multiple-device "
        "GPU modules or CPU modules, but got device_ids [0], output_device 0, and module parameters "
        "{device(type='cpu')}."
    )


def mps_missing__volumes():
    raise RuntimeError("Conv3D is not supported on MPS")


def build_mismatch__mkl():
    raise ImportError(
        "/envs/x/lib/python3.9/site-packages/torch/lib/libtorch_cpu.so: undefined symbol: iJIT_NotifyEvent"
    )


def numpy_array__numpy_2():
    raise ImportError("A module that was compiled using NumPy 1.x cannot be run in NumPy 2.0.1 as it may crash.")


def damaged_file__newline():
    raise RuntimeError("Weights only load failed. WeightsUnpickler error: Unsupported operand 10")


def out_of_memory__elsewhere():
    raise RuntimeError(
        "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.65 GiB "
        "of which 14.06 MiB "
        "is free. Process 4711 has 21.90 GiB memory in use. Including non-PyTorch memory, this "
        "process has 1.73 GiB "
        "memory in use. Of the allocated memory 1.20 GiB is allocated by PyTorch, and 97.02 MiB is "
        "reserved by "
        "PyTorch but unallocated."
    )


def out_of_memory__too_large():
    raise RuntimeError(
        "CUDA out of memory. Tried to allocate 745.06 GiB. GPU 0 has a total capacity of 14.74 GiB "
        "of which 13.99 GiB "
        "is free. Process 9 has 762.00 MiB memory in use. Of the allocated memory 610.00 MiB is "
        "allocated by PyTorch, "
        "and 20.00 MiB is reserved by PyTorch but unallocated."
    )


def out_of_memory__in_pieces():
    raise RuntimeError(
        "CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 23.65 GiB "
        "of which 1.06 GiB is "
        "free. Including non-PyTorch memory, this process has 22.58 GiB memory in use. Of the "
        "allocated memory 14.20 "
        "GiB is allocated by PyTorch, and 7.90 GiB is reserved by PyTorch but unallocated."
    )


def ddp_unused__all_frozen():
    raise RuntimeError(
        "DistributedDataParallel is not needed when a module doesn't have any parameter that requires a gradient."
    )


def ddp_unused__no_answer():
    raise RuntimeError(
        "DDP expects same model across all ranks, but Rank 3 has 54 params, while rank 0 has inconsistent 0 params."
    )


def dp_device__gathered():
    raise RuntimeError("Input tensor at index 1 has invalid shape [4, 31, 90], but expected [4, 33, 90]")


def kernel_image__triton():
    raise RuntimeError("Triton Error [CUDA]: device kernel image is invalid")


def cuda_late__old():
    raise RuntimeError("cuda runtime error (4) : unspecified launch failure at /pytorch/THCTensorMath.cu:265")


def missing_keys__whole_checkpoint_joined():
    raise RuntimeError(
        'Error(s) in loading state_dict for Net: Unexpected key(s) in state_dict: "epoch", '
        '"state_dict", "optimizer".'
    )


def size_mismatch__divided():
    raise RuntimeError(
        "Error(s) in loading state_dict for Linear: size mismatch for weight: copying a param with shape "
        "torch.Size([64, 32]) from checkpoint, the shape in current model is torch.Size([0])."
    )


def deterministic__upsampling():
    raise RuntimeError(
        "upsample_nearest2d_backward_out_cuda does not have a deterministic implementation, but you set "
        "'torch.use_deterministic_algorithms(True)'."
    )


def no_derivative__attention():
    raise RuntimeError("derivative for aten::_scaled_dot_product_efficient_attention_backward is not implemented")


def older_pickle__newer_format():
    raise RuntimeError(
        "Attempted to read a PyTorch file with version 3, but the maximum supported version for reading is 2. Your "
        "PyTorch installation may be too old."
    )


def loader_options__pinned_on_the_gpu():
    raise RuntimeError("cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned")
