"""Make the checkpoint that says it lies on a GPU: `python tools/make_cuda_sample.py [PATH]`.

No GPU is needed, and none was used. `torch.save` notes beside each storage where it lay, as a string; this program
saves a small state on the CPU and rewrites that string from "cpu" to "cuda:0". So `torch.load` reads in it what a
state saved on the first GPU would say.
"""

import argparse
import io
import zipfile
from pathlib import Path

import torch

from course_utils import PROJECT

PATH = PROJECT / "data" / "samples" / "cuda_checkpoint" / "epoch_3.pt"
SHORT_STRING = b"X"  # pickle protocol 2: the letter, four bytes of length, the text


def text(value):
    """How a pickle of protocol 2 writes a string."""
    return SHORT_STRING + len(value).to_bytes(4, "little") + value.encode()


def content():
    """A small net and its optimizer after one step, all on the CPU."""
    model = torch.nn.Linear(4, 3)
    with torch.no_grad():
        model.weight.copy_(torch.arange(12.0).reshape(3, 4) / 10)
        model.bias.copy_(torch.tensor([0.5, 0.0, -0.5]))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    return {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}


def relocated(data, *, device="cuda:0"):
    """The bytes of a `torch.save` file, every storage said to lie on `device`, with fixed dates in the zip."""
    new = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(new, "w") as archive:
        for member in old.infolist():
            body = old.read(member)
            if member.filename.endswith("/data.pkl"):
                # Only the first storage spells the word out, the others refer to it.
                assert body.count(text("cpu")) == 1, "the location is not where it was"
                body = body.replace(text("cpu"), text(device))
            archive.writestr(zipfile.ZipInfo(member.filename, date_time=(1980, 1, 1, 0, 0, 0)), body)
    return new.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", type=Path, default=PATH, help="the file to write")
    path = parser.parse_args().path
    saved = io.BytesIO()
    torch.save(content(), saved)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(relocated(saved.getvalue()))
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
