"""The figures of an out-of-memory message: whose the memory is."""

import pytest

from torch_clinic.diagnosis import diagnose
from torch_clinic.memory import with_sums

OLD = (
    "CUDA out of memory. Tried to allocate {} (GPU 0; {} total capacity; {} already allocated; "
    "{} free; {} reserved "
    "in total by PyTorch)"
)
NEW = (
    "CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} of which {} is free. Process 7 has "
    "14.52 GiB memory in use. Of the allocated memory {} is allocated by PyTorch, and {} is "
    "reserved by PyTorch but "
    "unallocated."
)


@pytest.mark.parametrize(
    ("message", "sums", "said", "never"),
    [
        (
            OLD.format("60.00 MiB", "11.17 GiB", "0.50 GiB", "12.50 MiB", "530.00 MiB"),
            "[elsewhere: 9.7",
            "another GPU",
            "smaller",
        ),
        (
            OLD.format("60.00 MiB", "11.17 GiB", "9.90 GiB", "12.50 MiB", "10.40 GiB"),
            "",
            "smaller batch",
            "another GPU",
        ),
        (
            OLD.format("2.26 GiB", "6.00 GiB", "781.59 MiB", "3.03 GiB", "1.24 GiB"),
            "[less than is free: 2.3 of 3.0",
            "16 bits",
            "no_grad",
        ),
        (
            NEW.format("496.00 MiB", "14.75 GiB", "235.06 MiB", "14.06 GiB", "330.42 MiB"),
            "",
            "smaller batch",
            "another GPU",
        ),
        (
            NEW.format("20.00 MiB", "14.75 GiB", "13.06 MiB", "2.06 GiB", "30.42 MiB"),
            "[elsewhere: 11.",
            "another GPU",
            "smaller",
        ),
        (
            NEW.format("745.06 GiB", "14.75 GiB", "13.99 GiB", "0 bytes", "0 bytes"),
            "[asked for more",
            "chunks",
            "no_grad",
        ),
        (
            NEW.format("1.50 GiB", "23.65 GiB", "1.06 GiB", "14.20 GiB", "7.90 GiB"),
            "[in pieces: 7.9",
            "expandable",
            "no_grad",
        ),
    ],
)
def test_the_fix_follows_from_the_figures(message, sums, said, never):
    told = with_sums(message)
    assert told.startswith(message) and sums in told and (sums or told == message)
    fix = diagnose(f"torch.OutOfMemoryError: {message}")[0].fix
    assert said in fix and never not in fix


def test_bytes_of_the_host_are_told_in_gib():
    message = (
        "[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 23040000000000 bytes."
    )
    assert with_sums(message).endswith(" [that is 21,457.7 GiB]")
    assert "21,457.7 GiB" in diagnose(f"RuntimeError: {message}")[0].read


def test_what_says_nothing_is_left_as_it_is():
    for message in ("CUDA error: out of memory", "KeyError: 'a'", ""):
        assert with_sums(message) == message
