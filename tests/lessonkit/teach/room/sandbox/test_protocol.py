"""What crosses from a submission's process: a value comes back as it was, and no bytes do anything but be read."""

import contextlib
import json
from decimal import Decimal
from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lessonkit.checks.alteration import Alteration
from lessonkit.checks.compare import difference
from lessonkit.checks.snapshot import Foreign
from lessonkit.teach.room.sandbox import protocol

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool]
DTYPES += [torch.complex64, torch.complex128, torch.int16]


def sent(value):
    return protocol.unpack(protocol.pack({"value": value}))["value"]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3), (1, 1, 1)], ids=str)
def test_a_tensor_comes_back_as_it_was(dtype, shape):
    tensor = torch.randint(0, 2, shape).to(dtype)
    back = sent([tensor, tensor])[1]
    assert difference(back, tensor, rtol=0, atol=0) is None and back.dtype == dtype and back.shape == tensor.shape


def test_a_tensor_that_is_a_view_or_has_a_gradient_comes_back_too():
    wide = torch.arange(12.0).view(3, 4)
    for tensor in (wide.T, wide[:, ::2], wide[1, 1], wide[0].expand(5, 4), torch.randn(1, 3)[:, :1]):
        assert torch.equal(sent(tensor), tensor)
    assert sent(torch.ones(2, requires_grad=True)).requires_grad
    assert torch.equal(sent(torch.tensor([1 + 2j]).conj()), torch.tensor([1 - 2j]))
    back = sent(torch.tensor([float("nan"), float("inf"), -0.0]))
    assert str(back) == "tensor([nan, inf, -0.])"


VALUES = [None, True, 3, -(2**80), 2**60, 0.1, float("inf"), 1 - 2j, "é\ud800\n", b"\0\xff", ...]
VALUES += [Decimal("1.50"), Fraction(-2, 3), torch.float16, torch.device("cpu"), (), [1, (2, [])], {1, 2}]
VALUES += [frozenset("a"), {1: {"a": (None,)}, (1, 2): 3}]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: ascii(value))
def test_what_a_snapshot_may_hold_comes_back_as_it_was(value):
    back = sent(value)
    assert back == value and type(back) is type(value)


def test_stand_ins_come_back():
    back = sent(Foreign("Net", words="the class Net"))
    assert (back.kind, repr(back)) == ("Net", "the class Net")
    assert sent(frozenset([Alteration(1, "values", "was changed")])) == {Alteration(1, "values", "")}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"null\n",
        b"[" * 100_000,
        b'["list"' + b',["list"' * 100 + b"]" * 101,
        b'["pickle", "x"]\n',
        b'["dict", ["value", ["tensor", "torch.float32", [2], false, 8]]]\n1234',
        b'["dict", ["value", ["tensor", "torch.float32", [-2, -1], false, 8]]]\n12345678',
        b'["dict", ["value", ["tensor", "torch.float32", [2], false, -8]]]\n12345678',
        b'["dict", ["value", ["tensor", "torch.load", [2], false, 8]]]\n12345678',
        b'["dict", ["value", ["Fraction", "1e999999999"]]]\n',
        b'["dict", ["value", ["device", "nowhere"]]]\n',
        b'["dict", [["list"], 1]]\n',
        b'["dict", ["value", ' + b"9" * 10_000 + b"]]\n",
        '["dict", ["value", "\udcff"]]\n'.encode("utf-8", "surrogateescape"),
    ],
    ids=range(15),
)
def test_what_is_no_message_is_refused(data):
    with pytest.raises(protocol.Unreadable):
        protocol.unpack(data)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=80), st.integers(0, 200))
def test_a_message_with_other_bytes_in_it_is_read_or_refused(noise, place):
    data = bytearray(protocol.pack({"value": [torch.ones(3), {"a": (1, 2.5, "x")}, Decimal("2")]}))
    data[place : place + len(noise)] = noise
    with contextlib.suppress(protocol.Unreadable):
        assert isinstance(protocol.unpack(bytes(data)), dict)


def test_what_is_too_large_is_not_sent(monkeypatch):
    monkeypatch.setattr(protocol, "MOST", 1000)
    with pytest.raises(protocol.Unreadable, match="at most"):
        protocol.pack({"value": torch.zeros(300)})


def test_the_line_is_plain_json():
    line = protocol.pack({"value": torch.zeros(2)}).partition(b"\n")[0]
    assert json.loads(line) == ["dict", ["value", ["tensor", "torch.float32", [2], False, 8]]]
