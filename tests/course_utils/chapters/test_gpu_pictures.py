"""Chapter 08's pictures hold what they were given, and what it measures on a GPU is asked for as it should be."""

from itertools import combinations

import matplotlib.pyplot as plt
import pytest
import torch

from course_utils import recorded
from course_utils.chapters import gpu_measured
from course_utils.chapters.gpu_pictures import bars_of, draw_lanes, draw_memory, draw_roofline, draw_segments
from course_utils.plotting import use_style

TRACE = [
    {"cat": "user_annotation", "name": "loader", "ts": 1000.0, "dur": 500.0},
    {"cat": "user_annotation", "name": "ProfilerStep#1", "ts": 1000.0, "dur": 900.0},
    {"cat": "kernel", "name": "gemm", "ts": 1600.0, "dur": 20.0},
    {"cat": "gpu_memcpy", "name": "Memcpy HtoD", "ts": 1500.0, "dur": 80.0},
    {"cat": "cpu_op", "name": "loader", "ts": 1.0, "dur": 1.0},
    {"name": "process_name", "ph": "M"},
]


def test_bars_are_our_spans_and_what_the_gpu_did():
    expected = [("loader", 1.0, 0.5), ("GPU: kernels", 1.6, 0.02), ("GPU: copies", 1.5, 0.08)]
    assert bars_of(TRACE, ("loader", "compute")) == expected


def test_a_timeline_begins_at_its_first_bar():
    bars = bars_of(TRACE, ("loader",))
    ax = draw_lanes({"one": bars[:1], "another": bars}, "milliseconds")
    assert len(ax.figure.axes) == 2 and ax.get_xlabel() == "milliseconds"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["GPU: kernels", "GPU: copies", "loader"]
    assert min(patch.get_x() for patch in ax.patches) == 0


def test_memory_is_drawn_over_its_spans():
    spans = [("forward", 10.0, 20.0), ("backward", 20.0, 30.0), ("forward", 40.0, 50.0)]
    ax = draw_memory([10.0, 15.0, 30.0], [1.0, 3.0, 0.5], spans)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["forward", "backward"]
    assert ax.lines[0].get_ydata().tolist() == [1.0, 3.0, 0.5]


def test_blocks_lie_side_by_side():
    ax = draw_segments({"as it is": [(100, "a"), (50, None)], "then": [(100, "a"), (70, "wanted")]}, "Blocks")
    assert [(patch.get_x(), patch.get_width()) for patch in ax.patches] == [
        (0, 100),
        (100, 50),
        (0, 100),
        (100, 70),
    ]


def test_what_bounds_a_kernel_is_said():
    rows = [["tiny", 1, 12, 1e-6], ["add", 10**7, 12 * 10**7, 6e-3], ["product", 2 * 10**9, 10**7, 1e-2]]
    ax = draw_roofline(rows, bandwidth=2e10, peak=2e11)
    assert [text.get_text() for text in ax.texts] == ["tiny", "add", "product"]
    bounds = [text.get_text() for text in ax.get_legend().get_texts()]
    assert bounds == ["launch-bound", "memory-bound", "compute-bound"]


def measured_on_a_processor(slower=1.0):
    """The chapter's eight kernels, with seconds as two cores took them (chapter 08 stores such a table)."""
    sizes = [("add 1", 1, 12), ("add 1,000", 1000, 12_000), ("add 16,777,216", 2**24, 12 * 2**24)]
    for n, k in ((2048, 1), (32, 32), (2048, 16), (2048, 128), (1024, 1024)):
        sizes.append((f"{n}² @ {n}×{k}", 2 * n * n * k, 4 * (n * n + 2 * n * k)))
    seconds = 1.4e-6, 1.5e-6, 4.5e-3, 5.1e-4, 6.7e-6, 1.2e-3, 6.2e-3, 1.27e-2
    return [[*size, slower * took] for size, took in zip(sizes, seconds, strict=True)]


@pytest.mark.parametrize(
    "rows",
    [recorded.read("gpu")["figures"]["roofline"], measured_on_a_processor(), measured_on_a_processor(slower=4.0)],
    ids=["the GPU on record", "two cores", "two slow cores"],
)
def test_no_name_of_a_kernel_lies_on_another_name_or_on_the_roof(rows):
    use_style()
    bandwidth = max(moved / took for _, _, moved, took in rows)
    ax = draw_roofline(rows, bandwidth, peak=max(flop / took for _, flop, _, took in rows))
    ax.figure.canvas.draw()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    assert [pair for pair in combinations(boxes, 2) if boxes[pair[0]].overlaps(boxes[pair[1]])] == []
    roof = ax.lines[0].get_path().transformed(ax.transData)
    assert [name for name, box in boxes.items() if roof.intersects_bbox(box, filled=False)] == []
    assert all(ax.figure.bbox.contains(*corner) for box in boxes.values() for corner in box.corners())


def test_the_legend_of_the_memory_lies_beside_the_curve():
    use_style()
    ax = draw_memory([0.0, 9.0, 20.0], [1.0, 9.0, 9.0], [("forward", 0.0, 9.0), ("step", 9.0, 20.0)])
    ax.figure.canvas.draw()
    legend = ax.get_legend().get_window_extent()
    assert legend.x0 >= ax.get_window_extent().x1 and legend.x1 <= ax.figure.bbox.x1


def test_four_copies_are_waited_for_where_asked():
    asked, waits = [], []
    send = lambda source, non_blocking: asked.append((int(source), non_blocking))  # noqa: E731
    rows = gpu_measured.copies(torch.tensor(0), torch.tensor(1), send, lambda: waits.append(len(asked)))
    assert asked == [(kind, now) for kind in (0, 1) for now in (False, True) for _ in range(2)]
    assert waits == list(range(1, 9))  # after each, the warm-ups too
    assert list(rows)[-1] == "pinned, non_blocking=True" and all(one <= both for one, both in rows.values())


def test_children_are_asked_under_the_numbers_of_the_bus():
    def child(program, **environment):
        if program == gpu_measured.SEEN:
            assert environment.pop("CUDA_DEVICE_ORDER") == "PCI_BUS_ID"
            visible = environment["CUDA_VISIBLE_DEVICES"]
            return " ".join(f"u{number}" for number in (visible or "0,1,2,3").split(","))
        return "Traceback\nRuntimeError: CUDA error: invalid device ordinal" if "count()}" in program else "told"

    found = gpu_measured.children(child)
    assert found["GPUs"] == 4 and found["seen"] == {"2,3": [2, 3], "0,3,2": [0, 3, 2]}
    assert found["beyond the last"].endswith("invalid device ordinal") and found["after set_device"] == "told"


def test_the_processor_has_worked():
    before = gpu_measured.processor()
    torch.rand(256, 256) @ torch.rand(256, 256)
    after = gpu_measured.processor()
    assert all(now >= then for then, now in zip(before, after, strict=True)) and sum(after[:2]) > 0
    assert gpu_measured.devices() == [] or torch.cuda.is_available()


def test_a_snapshot_shows_the_blocks_that_were_recorded_by_the_line_that_made_them():
    relu = [{"name": "relu", "filename": "/somewhere/torch/nn/functional.py", "line": 1723}, {"name": "forward"}]
    blocks = [{"size": 2**20, "frames": relu}, {"size": 2**25, "frames": []}, {"size": 2**24}]
    blocks.append({"size": 3 * 2**20, "frames": relu})
    assert gpu_measured.made_by(blocks) == [[3.0, "relu (functional.py:1723)"], [1.0, "relu (functional.py:1723)"]]


def test_timelines_of_unlike_length_have_an_axis_each_and_short_bars_are_seen():
    short, long = [("GPU: kernels", 0.0, 0.001), ("loader", 0.0, 1.0)], [("loader", 0.0, 100.0)]
    first, last = draw_lanes({"one": short, "another": long}, "milliseconds", common=False).figure.axes
    assert first.get_xlim()[1] < 2 < 90 < last.get_xlim()[1]
    edges = [bar.get_edgecolor()[:3] for bar in first.patches]
    assert edges[0] == first.patches[0].get_facecolor()[:3] and edges[1] == (1, 1, 1)
    plt.close(first.figure)
