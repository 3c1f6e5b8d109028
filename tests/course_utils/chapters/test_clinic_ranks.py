"""What the clinic's cells hand to other processes: a meeting missed, one kept, a copied generator."""

import copy
import importlib
import json
import pickle
from types import SimpleNamespace

import pytest
import torch
from notebook_cells import defined
from torch.utils.data import DataLoader, get_worker_info

from course_utils.launch import run_ranks


@pytest.fixture(scope="module")
def ranks():
    return defined("12", "report_on_one", "report_on_all")


@pytest.fixture
def written(project, tmp_path, monkeypatch):
    """Import a module that one of the chapter's `%%writefile` cells writes: `written("collate")`."""
    book = json.loads((project / "notebooks" / "12_clinic.ipynb").read_text(encoding="utf-8"))
    for cell in book["cells"]:
        first, _, rest = "".join(cell["source"]).partition("\n")
        if first.startswith("%%writefile"):
            (tmp_path / first.rpartition("/")[2]).write_text(rest + "\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module


def test_with_all_ranks_at_the_meeting_rank_0_gets_the_mean(ranks):
    mean, nothing = run_ranks(ranks.report_on_all, 2, [0.2, 0.4], timeout=60)
    assert mean == pytest.approx(0.3)
    assert nothing is None


def test_the_broken_one_asks_only_rank_0_to_the_meeting(ranks, monkeypatch):
    came = []
    monkeypatch.setattr(ranks.dist, "all_reduce", lambda tensor: came.append(tensor.item()))
    monkeypatch.setattr(ranks.dist, "get_world_size", lambda: 2)
    assert ranks.report_on_one(1, [0.2, 0.4]) is None
    assert came == []
    ranks.report_on_one(0, [0.2, 0.4])
    assert came == [pytest.approx(0.2)]


def test_copies_of_the_data_set_draw_alike_until_each_is_seeded(written, monkeypatch):
    dataset, seeding = written("drawing").Jittered(), written("seeding")
    copies = [copy.deepcopy(dataset) for _ in range(2)]
    drawn = [[one[i] for i in range(len(one))] for one in copies]
    assert drawn[0] == drawn[1]
    assert all(worker == -1 and index <= value < index + 1.01 for index, (worker, value) in enumerate(drawn[0]))
    for number, one in enumerate(copies):
        info = SimpleNamespace(id=number, seed=1234 + number, dataset=one)
        monkeypatch.setattr(seeding, "get_worker_info", lambda info=info: info)
        seeding.seed_worker(number)
    assert copies[0][0] != copies[1][0]
    assert get_worker_info() is None


def test_the_collate_function_is_found_by_its_name(written):
    halved = written("collate").halved
    batch = halved([(torch.tensor(1.0),), (torch.tensor(3.0),)])
    assert batch.tolist() == [0.5, 1.5]
    assert halved.__module__ == "collate"
    assert pickle.loads(pickle.dumps(halved)) is halved


def test_a_spawned_worker_imports_the_written_files(written):
    options = {"num_workers": 1, "multiprocessing_context": "spawn", "timeout": 60}
    loader = DataLoader(written("drawing").Jittered(), worker_init_fn=written("seeding").seed_worker, **options)
    assert [worker.item() for worker, _ in loader] == [0, 0, 0, 0]
