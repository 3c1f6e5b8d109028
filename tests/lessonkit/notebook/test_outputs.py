"""Outputs that are committed: normalised, small, and free of this machine."""

import base64
import io
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from nbformat.v4 import new_output
from PIL import Image

from course_utils import PROJECT
from lessonkit.notebook.outputs import PICTURE_LIMIT, WIDGET, Unfit, small, tidy


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def picture(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode("ascii")


def clean(*outputs, number=3, changes=False):
    return tidy(list(outputs), number=number, changes=changes)


def test_pieces_of_one_stream_are_joined_and_others_keep_their_order():
    found = clean(stream("a"), stream("b\n"), stream("w", "stderr"), stream("c"))
    assert [(output.name, output.text) for output in found] == [
        ("stdout", "ab\n"),
        ("stderr", "w"),
        ("stdout", "c"),
    ]


def test_counts_and_metadata_are_the_same_on_every_run():
    result = new_output("execute_result", data={"text/plain": "1"}, execution_count=99, metadata={"needs": "x"})
    assert clean(result)[0].execution_count == 3
    assert clean(result)[0].metadata == {}
    widget = new_output("display_data", data={WIDGET: {"model_id": "ab"}, "text/plain": "HBox()"})
    assert clean(widget, stream("kept"))[0].text == "kept"


def test_a_traceback_names_files_without_this_machine():
    torch_file = Path(sysconfig.get_path("purelib")) / "torch" / "nn" / "module.py"
    ours = PROJECT / "course_utils" / "seed.py"
    error = new_output("error", ename="E", evalue="no", traceback=[f"File {torch_file}:12, in f", f"File {ours}:3"])
    first, second = clean(error)[0].traceback
    assert first.replace("\\", "/") == "File site-packages/torch/nn/module.py:12, in f"
    assert second.replace("\\", "/") == "File ./course_utils/seed.py:3"
    warning = stream("/tmp/ipykernel_123/456.py:1: UserWarning: old\n", "stderr")
    assert clean(warning)[0].text == "cell.py:1: UserWarning: old\n"


@pytest.mark.parametrize("kind", ["stream", "html", "json", "evalue"])
@pytest.mark.parametrize("folder", [PROJECT, Path.home()])
def test_a_path_of_this_machine_is_refused_wherever_it_stands(kind, folder):
    path = str(folder / "x" / "y.txt")
    output = {
        "stream": stream(f"saved {path}\n"),
        "html": new_output("display_data", data={"text/html": f"<a href='{path}'>"}),
        "json": new_output("display_data", data={"application/json": {"file": path}}),
        "evalue": new_output("error", ename="E", evalue=f"no file {path}", traceback=[]),
    }[kind]
    with pytest.raises(Unfit, match="of this machine is in the output"):
        clean(output)


def test_words_that_only_look_like_a_path_are_let_through():
    clean(stream("results/05_training/runs, and/or, 1/2, lib/tmpfile, ./root-mean-square"))


def test_an_address_is_refused_unless_the_cell_says_that_it_changes():
    with pytest.raises(Unfit, match="a memory address"):
        clean(stream("<object object at 0x7f6038ec7260>"))
    clean(stream("<object object at 0x7f6038ec7260>"), changes=True)


def test_a_large_picture_gets_a_palette_and_stays_the_same_picture():
    ramp = np.linspace(0, 255, 400).astype("uint8")
    noise = np.random.default_rng(0).integers(0, 24, (400, 400))
    pixels = np.stack([np.tile(ramp, (400, 1)), np.full((400, 400), 90), (200 + noise)], axis=-1).astype("uint8")
    large = picture(pixels)
    assert len(base64.b64decode(large)) > PICTURE_LIMIT
    data = base64.b64decode(small(large))
    assert len(data) <= PICTURE_LIMIT
    with Image.open(io.BytesIO(data)) as image:
        again = np.asarray(image.convert("RGB")).astype(int)
    assert again.shape == pixels.shape
    assert abs(again - pixels).mean() < 12
    assert small(picture(pixels[:40])) == picture(pixels[:40]), "a small one is left as it is"


def test_a_picture_that_stays_too_large_is_refused_with_advice():
    noise = np.random.default_rng(0).integers(0, 256, (600, 600, 3)).astype("uint8")
    with pytest.raises(Unfit, match=r"at most 60 KB are stored: a smaller figsize or dpi"):
        small(picture(noise))
