"""The loop of chapter 05 that 07 and 09 use: what it learns, what it reports, and what it refuses."""

import math

import pytest
import torch
from torch import nn

from course_utils.training import evaluate, fit, train_one_epoch

CPU = torch.device("cpu")


def problem(sizes=(8, 8, 3)):
    """Batches of a separable two-class problem, the last one short."""
    draw = torch.Generator().manual_seed(0)
    inputs = [torch.randn(n, 4, generator=draw) for n in sizes]
    return [(batch, (batch[:, 0] > 0).long()) for batch in inputs]


def model_and_optimizer(lr=0.5):
    torch.manual_seed(0)
    model = nn.Linear(4, 2)
    return model, torch.optim.SGD(model.parameters(), lr=lr)


def test_fit_is_the_five_steps_and_no_more():
    ours, optimizer = model_and_optimizer()
    fit(ours, problem(), problem(), loss_fn=nn.CrossEntropyLoss(), optimizer=optimizer, num_epochs=2, device=CPU)
    bare, optimizer = model_and_optimizer()
    for _ in range(2):
        for inputs, targets in problem():
            loss = nn.functional.cross_entropy(bare(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    assert torch.equal(ours.weight, bare.weight) and torch.equal(ours.bias, bare.bias)


def test_the_history_has_an_entry_for_each_epoch():
    model, optimizer = model_and_optimizer()
    settings = {"loss_fn": nn.CrossEntropyLoss(), "optimizer": optimizer, "num_epochs": 5, "device": CPU}
    history = fit(model, problem(), problem(), **settings)
    assert {len(values) for values in vars(history).values()} == {5}
    assert history.train_loss[-1] < history.train_loss[0] and history.val_accuracy[-1] > 0.8


@pytest.mark.parametrize(("by", "steps"), [("epoch", 2), ("batch", 6)])
def test_the_scheduler_steps_as_often_as_asked(by, steps):
    model, optimizer = model_and_optimizer(lr=1.0)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    settings = {"loss_fn": nn.CrossEntropyLoss(), "optimizer": optimizer, "num_epochs": 2, "device": CPU}
    history = fit(model, problem(), problem(), scheduler=scheduler, schedule_by=by, **settings)
    assert history.lr[-1] == pytest.approx(0.5**steps)


def test_evaluation_weighs_examples_and_leaves_mode_and_gradients_alone():
    model, _ = model_and_optimizer()
    dropping = nn.Sequential(model, nn.Dropout(0.5)).train()
    loss, share = evaluate(dropping, problem(), loss_fn=nn.CrossEntropyLoss(), device=CPU)
    inputs, targets = (torch.cat(parts) for parts in zip(*problem(), strict=True))
    assert loss == pytest.approx(nn.functional.cross_entropy(model(inputs), targets).item(), rel=1e-5)
    assert share == pytest.approx((model(inputs).argmax(1) == targets).float().mean().item(), rel=1e-5)
    assert dropping.training and model.weight.grad is None


@pytest.mark.parametrize("training", [True, False])
def test_evaluation_leaves_every_module_in_its_mode(training):
    model = nn.Sequential(nn.BatchNorm1d(4), nn.Sequential(nn.Dropout(0.5), nn.Linear(4, 2))).train(training)
    model[0].eval()  # frozen, inside a model that trains
    model[1][0].train()
    before = [module.training for module in model.modules()]
    evaluate(model, problem(), loss_fn=nn.CrossEntropyLoss(), device=CPU)
    assert [module.training for module in model.modules()] == before


def test_training_sets_train_mode():
    model, optimizer = model_and_optimizer()
    train_one_epoch(model.eval(), problem(), loss_fn=nn.CrossEntropyLoss(), optimizer=optimizer, device=CPU)
    assert model.training


def test_each_step_hands_over_its_loss_without_a_graph():
    model, optimizer = model_and_optimizer()
    losses, settings = [], {"loss_fn": nn.CrossEntropyLoss(), "optimizer": optimizer, "device": CPU}
    mean = train_one_epoch(model, problem(), on_step=losses.append, **settings)
    assert len(losses) == 3 and not any(loss.requires_grad for loss in losses)
    assert mean == pytest.approx(sum(loss.item() * n for loss, n in zip(losses, (8, 8, 3), strict=True)) / 19)


@pytest.mark.parametrize("value", [-math.inf, math.nan, math.inf])
def test_a_loss_that_is_not_finite_stops_the_run(value):
    model, optimizer = model_and_optimizer()
    settings = {"optimizer": optimizer, "num_epochs": 2, "device": CPU}
    with pytest.raises(
        FloatingPointError, match=f"training loss is {value} in epoch 1. Either the learning rate is too high"
    ):
        fit(model, problem(), problem(), loss_fn=lambda logits, targets: logits.sum() + value, **settings)


def test_a_loss_that_is_no_number_stops_the_run_in_words():
    model, optimizer = model_and_optimizer(lr=float("inf"))
    settings = {"loss_fn": nn.CrossEntropyLoss(), "optimizer": optimizer, "num_epochs": 3, "device": CPU}
    with pytest.raises(FloatingPointError, match=r"in epoch \d. Either the learning rate is too high"):
        fit(model, problem(), problem(), **settings)


def test_another_word_for_the_schedule_is_refused():
    model, optimizer = model_and_optimizer()
    settings = {"loss_fn": nn.CrossEntropyLoss(), "optimizer": optimizer, "num_epochs": 1, "device": CPU}
    with pytest.raises(ValueError, match='expected "epoch" or "batch"'):
        fit(model, problem(), problem(), schedule_by="step", **settings)
