"""Programs that fail and have nothing to do with torch; each function is `unrelated__variant`."""

import array
import asyncio
import configparser
import csv
import datetime
import decimal
import io
import json
import operator
import pathlib
import pickle
import re
import socket
import sqlite3
import struct
import subprocess
import sys
import tomllib
import unittest
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from PIL import Image


def unrelated__json():
    json.loads('{"lr": 0.1, "epochs": }')


def unrelated__sqlite():
    sqlite3.connect(":memory:").execute("select loss from runs")


def unrelated__csv():
    list(csv.reader(io.StringIO('a,"b\n'), strict=True))


def unrelated__key():
    config = {"batch_size": 32}
    return config["learning_rate"]


def unrelated__index():
    epochs = [1, 2, 3]
    return epochs[3]


def unrelated__attribute():
    settings = object()
    return settings.device


def unrelated__none():
    found = re.match("a", "b")
    return found.group(0)


def unrelated__none_times():
    return 0.5 * {}.get("lr")


def unrelated__asyncio_timeout():
    async def wait():
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)

    asyncio.run(wait())


def unrelated__asyncio_group():
    async def fail(number):
        raise ValueError(f"task {number} failed")

    async def both():
        async with asyncio.TaskGroup() as group:
            group.create_task(fail(1))
            group.create_task(fail(2))

    asyncio.run(both())


def unrelated__file():
    pathlib.Path("no/such/model.pt").read_bytes()


def unrelated__folder():
    pathlib.Path(__file__).parent.read_text()


def unrelated__numpy_broadcast():
    return np.zeros((3, 4)) + np.ones(5)


def unrelated__numpy_matmul():
    return np.ones((64, 784)) @ np.ones((3136, 10))


def unrelated__numpy_reshape():
    return np.arange(10).reshape(3, 4)


def unrelated__numpy_index():
    return np.zeros((2, 3))[0, 7]


def unrelated__numpy_concatenate():
    return np.concatenate([np.zeros((2, 3)), np.zeros((2, 4))])


def unrelated__numpy_truth():
    if np.array([1, 2]) > 1:
        return True


def unrelated__numpy_scalar():
    return float(np.array([1.0, 2.0]))


def unrelated__numpy_memory():
    return np.empty((10**7, 10**8))


def unrelated__numpy_cast():
    total = np.zeros(3, dtype=np.int64)
    total += np.ones(3) / 2


def unrelated__numpy_stack():
    return np.stack([np.zeros(2), np.zeros(3)])


def unrelated__pil():
    Image.open(io.BytesIO(b"not a picture"))


def unrelated__pil_mode():
    Image.new("RGB", (4, 4)).resize((0, -1))


def unrelated__recursion():
    def deeper(n):
        return deeper(n + 1)

    deeper(0)


def unrelated__decimal():
    decimal.Decimal("1.2.3")


def unrelated__division():
    batches = []
    return sum(batches) / len(batches)


def unrelated__unpack():
    width, height = (1, 2, 3)
    return width, height


def unrelated__syntax():
    compile("for epoch in range(3)\n    pass", "train.py", "exec")


def unrelated__indentation():
    compile("def forward(x):\nreturn x", "model.py", "exec")


def unrelated__name():
    return undefined_optimizer  # noqa: F821


def unrelated__unbound():
    if not sys.argv:
        loss = 1
    return loss


def unrelated__module():
    import torchvision_extras  # noqa: F401


def unrelated__import_name():
    from collections import DataLoader  # noqa: F401


def unrelated__call():
    def train(model, loader):
        return model, loader

    train("model")


def unrelated__not_callable():
    accuracy = 0.9
    accuracy()


def unrelated__pickle():
    pickle.dumps(lambda x: x)


def unrelated__unpickle():
    pickle.loads(b"garbage")


def unrelated__port():
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        one.listen()
        other.bind(one.getsockname())


def unrelated__connection():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        urllib.request.urlopen(f"http://127.0.0.1:{unused.getsockname()[1]}/mnist.gz", timeout=1)


def unrelated__subprocess():
    subprocess.run([sys.executable, "-c", "raise SystemExit(3)"], check=True)


def unrelated__command():
    subprocess.run(["no-such-command-anywhere"])


def unrelated__encoding():
    b"\xff\xfe\xfa".decode("utf-8")


def unrelated__date():
    datetime.date.fromisoformat("2026-02-30")


def unrelated__config():
    configparser.ConfigParser().get("training", "lr")


def unrelated__toml():
    tomllib.loads("lr = = 3")


def unrelated__zip():
    zipfile.ZipFile(io.BytesIO(b"broken"))


def unrelated__struct():
    struct.unpack(">I", b"\x00\x00")


def unrelated__regex():
    re.compile("(unclosed")


def unrelated__thread_pool():
    with ThreadPoolExecutor() as pool:
        list(pool.map(int, ["1", "two"]))


def unrelated__assertion():
    assert len([1, 2]) == 3, "expected 3 batches, found 2"


def unrelated__unittest():
    unittest.TestCase().assertEqual([1, 2], [1, 3])


def unrelated__sort():
    sorted([3, "a", None])


def unrelated__add():
    return operator.add("epoch ", 3)


def unrelated__array():
    array.array("B", [1, 2, 300])


def unrelated__memory():
    return b"x" * (2**62)


def unrelated__keyboard():
    raise KeyboardInterrupt


def unrelated__while_handling():
    try:
        unrelated__key()
    except KeyError:
        unrelated__file()


def unrelated__stop():
    next(iter([]))


def unrelated__multiprocessing():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(unrelated__division).result(timeout=5)


def unrelated__os():
    pathlib.Path("x" * 5000).read_text()
