"""A second set of errors that have nothing to do with torch, matplotlib's and scikit-learn's among them."""

import base64
import dataclasses
import enum
import fractions
import gzip
import importlib
import io
import ipaddress
import queue
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
import typing
import uuid
import xml.etree.ElementTree as ElementTree

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score


def unrelated__plot_lengths():
    plt.figure()
    try:
        plt.plot([1, 2, 3], [1, 2])
    finally:
        plt.close("all")


def unrelated__picture_shape():
    plt.figure()
    try:
        plt.imshow(np.zeros((3, 28, 28)))
    finally:
        plt.close("all")


def unrelated__sklearn_samples():
    LogisticRegression().fit(np.zeros((10, 2)), np.zeros(9))


def unrelated__sklearn_features():
    LogisticRegression().fit(np.random.rand(10, 2), [0, 1] * 5).predict(np.zeros((1, 3)))


def unrelated__sklearn_dimensions():
    LogisticRegression().fit(np.zeros((4, 28, 28)), [0, 1, 0, 1])


def unrelated__sklearn_targets():
    accuracy_score([0, 1, 1], [0.2, 0.8, 0.4])


def unrelated__numpy_dot():
    np.dot(np.ones(3), np.ones(4))


def unrelated__numpy_singular():
    np.linalg.inv(np.zeros((2, 2)))


def unrelated__numpy_dtype():
    np.array(["a", "b"]) * 2


def unrelated__numpy_axis():
    np.zeros(3).sum(axis=1)


def unrelated__numpy_put():
    np.zeros(5)[[1, 2]] = np.ones(3)


def unrelated__numpy_copy():
    np.zeros((2, 3))[:] = np.ones((2, 4))


def unrelated__numpy_mask():
    np.zeros(4)[np.array([True, False])]


def unrelated__einsum():
    np.einsum("ij,jk", np.ones((2, 3)), np.ones((4, 5)))


def unrelated__xml():
    ElementTree.fromstring("<a><b></a>")


def unrelated__base64():
    base64.b64decode("abc", validate=True)


def unrelated__dataclass():
    @dataclasses.dataclass
    class Config:
        lr: float = 0.1
        device: str

    return Config


def unrelated__enum():
    return enum.Enum("Mode", "train eval")("test")


def unrelated__frozen():
    @dataclasses.dataclass(frozen=True)
    class Point:
        x: int

    Point(1).x = 2


def unrelated__fraction():
    fractions.Fraction(1, 0)


def unrelated__gzip():
    gzip.decompress(b"no gzip at all")


def unrelated__import():
    importlib.import_module("torch_of_another_world")


def unrelated__address():
    ipaddress.ip_address("localhost")


def unrelated__queue():
    queue.Queue().get(timeout=0.01)


def unrelated__disk():
    shutil.copy("/nonexistent/weights.pt", tempfile.gettempdir())


def unrelated__mean():
    statistics.mean([])


def unrelated__tar():
    tarfile.open(fileobj=io.BytesIO(b"x" * 100)).close()


def unrelated__thread():
    thread = threading.Thread(target=print, args=("",))
    thread.start()
    thread.start()


def unrelated__typing():
    typing.List["int", "str"]  # noqa: UP006


def unrelated__uuid():
    uuid.UUID("1234")


def unrelated__too_slow():
    subprocess.run([sys.executable, "-c", "import time; time.sleep(9)"], timeout=0.2)


def unrelated__none_in_a_loop():
    for batch in None:
        print(batch)


def unrelated__tuple_attribute():
    size = (3, 4)
    return size.shape


def unrelated__tuple_index():
    rows = [1, 2, 3]
    return rows[0, 1]


def unrelated__none_gradient():
    gradient = None
    return 0.1 * gradient


def unrelated__loss_name():
    loss = {"value": 3}
    return loss.item()


def unrelated__keyword():
    def train(*, lr):
        return lr

    train(learning_rate=1)


def unrelated__super():
    class Base:
        def __init__(self):
            self.layers = []

    class Child(Base):
        def __init__(self):
            self.layers.append(1)

    Child()


def unrelated__abstract():
    import abc

    class Model(abc.ABC):
        @abc.abstractmethod
        def forward(self): ...

    Model()


def unrelated__permission():
    raise PermissionError(13, "Permission denied", "/dev/shm/torch_123")
