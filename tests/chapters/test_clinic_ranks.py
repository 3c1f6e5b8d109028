"""What the clinic hands to other processes: a meeting missed, one kept, a copied generator."""

import copy
from types import SimpleNamespace

import pytest
import torch
from torch.utils.data import get_worker_info

from course_utils.chapters import clinic
from course_utils.launch import run_ranks


def test_with_all_ranks_at_the_meeting_rank_0_gets_the_mean():
    mean, nothing = run_ranks(clinic.report_on_all, 2, [0.2, 0.4], timeout=60)
    assert mean == pytest.approx(0.3)
    assert nothing is None


def test_the_broken_one_asks_only_rank_0_to_the_meeting(monkeypatch):
    came = []
    monkeypatch.setattr(clinic.dist, "all_reduce", lambda tensor: came.append(tensor.item()))
    monkeypatch.setattr(clinic.dist, "get_world_size", lambda: 2)
    assert clinic.report_on_one(1, [0.2, 0.4]) is None
    assert came == []
    clinic.report_on_one(0, [0.2, 0.4])
    assert came == [pytest.approx(0.2)]


def test_copies_of_the_data_set_draw_alike_until_each_is_seeded(monkeypatch):
    dataset = clinic.Jittered()
    copies = [copy.deepcopy(dataset) for _ in range(2)]
    drawn = [[one[i] for i in range(len(one))] for one in copies]
    assert drawn[0] == drawn[1]
    assert all(worker == -1 and index <= value < index + 1.01 for index, (worker, value) in enumerate(drawn[0]))
    for number, one in enumerate(copies):
        info = SimpleNamespace(id=number, seed=1234 + number, dataset=one)
        monkeypatch.setattr(clinic, "get_worker_info", lambda info=info: info)
        clinic.seed_worker(number)
    assert copies[0][0] != copies[1][0]
    assert get_worker_info() is None


def test_the_collate_function_is_found_by_its_name():
    batch = clinic.halved([(torch.tensor(1.0),), (torch.tensor(3.0),)])
    assert batch.tolist() == [0.5, 1.5]
    assert clinic.halved.__module__ == "course_utils.chapters.clinic"
