"""No advice harms: nothing is deleted, overwritten or switched off first, and a guess is called one."""

import re

import pytest

from torch_clinic.cases import known_cases
from torch_clinic.diagnosis import diagnose
from torch_clinic.patterns import read_patterns

FIXES = {f"case {case.id}": case.fix for case in known_cases().values()}
FIXES |= {
    f"pattern {number} of {pattern.case}": pattern.fix
    for number, pattern in enumerate(read_patterns())
    if pattern.fix
}
# In no fix at all: what cannot be taken back, or breaks the system's own Python.
NEVER = re.compile(
    r"\brm -|--force-reinstall|--break-system-packages|sudo pip|pip uninstall|conda (?:env )?remove|kill -9|killall"
    r"|git clean|--hard|rmtree|chmod 777|--gpu-reset|trust_remote_code ?= ?True|verify=False|--trusted-host"
)
# Never the first thing that is said: it loses a file, a state or a check, or hides what is wrong.
NOT_FIRST = re.compile(
    r"\b(?:delet|eras|wip|overwr|uninstall|purg|clear|remov(?!eprefix))\w*|\bdel \w|\breset\b"
    r"|weights_only=False|strict=False|DUPLICATE_LIB_OK|WATERMARK_RATIO|ignore_mismatched|\bexcept\b|filterwarnings",
    re.IGNORECASE,
)
FIRST_STEP = re.compile(
    r"(?<=[.;]) |; |, or (?!newer)|: (?=load_state_dict)"
)  # where the first piece of advice ends


def test_a_fix_neither_destroys_nor_begins_with_what_cannot_be_taken_back():
    assert len(FIXES) > 700
    assert {where: fix for where, fix in FIXES.items() if NEVER.search(fix)} == {}
    firsts = {where: FIRST_STEP.split(fix)[0] for where, fix in FIXES.items()}
    assert {where: first for where, first in firsts.items() if NOT_FIRST.search(first)} == {}


@pytest.mark.parametrize(
    "harmful",
    [
        "Delete ~/.triton and run again.",
        'del state["head.weight"], then load.',
        "load_state_dict(state, strict=False).",
        "torch.load(path, weights_only=False), if you trust it.",
        "Clear the cache; then run again.",
        "Overwrite the checkpoint with a new one.",
        "reset the GPU.",
        "KMP_DUPLICATE_LIB_OK=TRUE in the environment.",
    ],
)
def test_the_rule_sees_what_it_is_there_for(harmful):
    assert NOT_FIRST.search(FIRST_STEP.split(harmful)[0])


# A layer with trained weights is lost when its sizes change: the fix says before for which layers that is no loss.
OF_ANOTHER_SIZE = re.compile(
    r"nn\.Linear\(\{have\}|\b(?:in_features|in_channels|num_features|num_embeddings|embed_dim) ?= ?\S"
)
CONDITION = re.compile(r"checkpoint|from the start|of your own")
RESIZED = {
    f"pattern {number} of {pattern.case}": pattern.fix
    for number, pattern in enumerate(read_patterns())
    if pattern.case in ("mm_shapes", "conv_channels", "batchnorm_channels", "embedding_range", "recurrent_sizes")
    and OF_ANOTHER_SIZE.search(pattern.fix)
    and "Padding_idx" not in pattern.find.pattern
}


def test_no_layer_is_made_anew_before_the_fix_asks_where_its_weights_come_from():
    assert len(RESIZED) >= 12
    early = [
        where for where, fix in RESIZED.items() if not CONDITION.search(fix[: OF_ANOTHER_SIZE.search(fix).start()])
    ]
    assert early == []


def test_a_fix_names_no_index_of_one_cuda_unless_the_text_did():
    index = re.compile(r"\bcu1\d\d\b|whl/(?!\{build\})\S")
    assert {where: fix for where, fix in FIXES.items() if index.search(fix)} == {}


def test_a_scaler_is_never_advised_for_bfloat16():
    both = re.compile(r"(?i)(?=.*(?:bfloat16|bf16))(?=.*scaler)(?!.*(?:without|leave|needs no|no scal))")
    sentences = [(where, one) for where, fix in FIXES.items() for one in re.split(r"(?<=[.;]) ", fix)]
    assert [(where, one) for where, one in sentences if both.match(one)] == []


LIKELY = re.compile(r"most likely|most often|\bmay\b|perhaps|\bif\b|\bor\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "said",
    [
        "RuntimeError: DataLoader worker (pid 7) is killed by signal: Killed.",
        "RuntimeError: DataLoader worker (pid 7) is killed by signal: Segmentation fault.",
        "_pickle.UnpicklingError: Weights only load failed. WeightsUnpickler error: Unsupported operand 60",
        "_pickle.UnpicklingError: Weights only load failed. WeightsUnpickler error: Unsupported operand 118",
        "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. "
        "port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use",
        "ImportError: libcusparse.so.12: undefined symbol: __nvJitLinkComplete_12_4, version libnvJitLink.so.12",
        "ModuleNotFoundError: No module named 'transformers.models.new_one'",
        "ModuleNotFoundError: No module named '_bz2'",
        "ModuleNotFoundError: No module named 'pathlib._local'; 'pathlib' is not a package",
        "ValueError: <class 'numpy.random._mt19937.MT19937'> is not a known BitGenerator module.",
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "ERROR: Could not find a version that satisfies the requirement torch (from versions: none)\n"
        "ERROR: No matching distribution found for torch",
    ],
)
def test_what_the_text_does_not_show_is_called_likely(said):
    (finding, *_) = diagnose(said)
    assert LIKELY.search(f"{finding.read} {finding.fix}")
