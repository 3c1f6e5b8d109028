"""`hvd`: gradients are averaged during backward, all begin as rank 0, and a misuse is met with words."""

import pytest
import torch
import torch.distributed as dist
from torch import nn

from course_utils.chapters.multi_gpu import hvd
from course_utils.launch import run_ranks


def model_of(seed, dtype=torch.float32):
    """A small net with weights in channels-last order, whose gradients gloo would not take as they are."""
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(36 * 4, 5))
    return net.to(dtype).eval().to(memory_format=torch.channels_last)  # BatchNorm by its running statistics


def batch(dtype=torch.float32):
    generator = torch.Generator().manual_seed(1)
    return torch.randn(8, 3, 8, 8, generator=generator).to(dtype), torch.arange(8) % 5


def share(rank, tensors, of=2):
    return [tensor[rank::of] for tensor in tensors]


def gradients(model, inputs, targets):
    nn.functional.cross_entropy(model(inputs), targets).backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


def stepped(rank, compression, dtype):
    """One step on this rank's share: (averaged gradients, the big batch's, events, bytes handed to all_reduce)."""
    model, events, sent = model_of(0, dtype), [], []
    expected = gradients(model_of(0, dtype), *batch(dtype))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, model.named_parameters(), compression=compression)
    model[0].weight.register_post_accumulate_grad_hook(lambda _: events.append("first layer has its gradient"))
    real = dist.all_reduce

    def counted(tensor, *, async_op):
        events.append(f"send {tensor.numel()}")
        sent.append(tensor.numel() * tensor.element_size())
        return real(tensor, async_op=async_op)

    dist.all_reduce = counted
    gradients(model, *share(rank, batch(dtype)))
    dist.all_reduce = real
    optimizer.step()
    return [parameter.grad for parameter in model.parameters()], expected, events, sum(sent)


def begin_equal(rank):
    """Rank 1 begins with other weights, another learning rate and no steps behind it."""
    model = model_of(rank)
    model[1].num_batches_tracked += 7 * (1 - rank)
    optimizer = torch.optim.Adam(model.parameters(), lr=(0.1, 0.5)[rank])
    if rank == 0:
        gradients(model, *batch())
        optimizer.step()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    return model.state_dict(), optimizer.state_dict()


def last_rank_is_root(rank):
    model = model_of(rank)
    hvd.broadcast_parameters(model.named_parameters(), root_rank=1)
    return dict(model.named_parameters())["4.weight"].detach()


def words(call):
    try:
        call()
    except (RuntimeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


def misuses():
    """The sentence that each misuse is met with, alike on every rank."""
    model = nn.Linear(2, 1)
    plain = torch.optim.SGD(model.parameters(), lr=0.1)
    incomplete = words(lambda: hvd.DistributedOptimizer(plain, [("weight", model.weight)]))
    optimizer = hvd.DistributedOptimizer(plain, model.named_parameters())
    met = {"incomplete": incomplete, "step first": words(optimizer.step)}
    model(torch.ones(1, 2)).sum().backward()
    met["zero_grad"] = words(optimizer.zero_grad)
    optimizer.step()
    met["step twice"] = words(optimizer.step)
    model(torch.ones(1, 2)).sum().backward()
    met["backward twice"] = words(lambda: model(torch.ones(1, 2)).sum().backward())
    return met


def orders(rank):
    """Each rank uses two layers in another order, and only rank 0 a third: (gradients, those of both together)."""
    layers = nn.ModuleList(nn.Linear(2, 2, bias=False) for _ in range(3))
    for number, layer in enumerate(layers):
        nn.init.constant_(layer.weight, number + 1.0)
    optimizer = hvd.DistributedOptimizer(torch.optim.SGD(layers.parameters(), lr=0.1))
    inputs = torch.ones(1, 2)
    if rank == 0:
        (layers[2](layers[0](inputs)).sum() + layers[1](layers[0](inputs)).sum()).backward()
    else:
        layers[0](layers[1](inputs)).sum().backward()
    optimizer.step()
    return [layer.weight.grad for layer in layers]


def accumulated(rank):
    """Four passes on quarters of the batch, a step after every two; clipped, and with a schedule, as users do."""
    model = model_of(0)
    expected = gradients(model_of(0), *batch())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    optimizer = hvd.DistributedOptimizer(optimizer, backward_passes_per_step=2)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    for _ in range(2):
        optimizer.zero_grad()
        model.load_state_dict(model_of(0).state_dict())
        for turn in range(2):
            gradients(model, *share(turn, share(rank, batch())))
        optimizer.synchronize()
        found = [
            parameter.grad / 2 for parameter in model.parameters()
        ]  # the sum over passes is averaged over ranks
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.01)
        with optimizer.skip_synchronize():
            optimizer.step()
        schedule.step()
    clipped = torch.stack([parameter.grad.norm() for parameter in model.parameters()]).norm()
    return found, expected, norm, clipped, schedule.get_last_lr()


def everything(rank):
    """What one rank sees; one call for all tests, since a rank takes seconds to start."""
    hvd.init()  # a group is there already: joined, not made
    tensor = torch.arange(6.0).view(2, 3).t() + rank
    result = {
        "names": (hvd.rank(), hvd.size(), hvd.local_rank(), hvd.local_size()),
        "float64": stepped(rank, hvd.Compression.none, torch.float64),
        "float32": stepped(rank, hvd.Compression.none, torch.float32),
        "fp16": stepped(rank, hvd.Compression.fp16, torch.float32),
        "begin": begin_equal(rank),
        "root 1": last_rank_is_root(rank),
        "allreduce": (hvd.allreduce(tensor, name="tensor"), tensor),
        "allreduce fp16": hvd.allreduce(torch.tensor([1 + 2**-12]), compression=hvd.Compression.fp16),
        "orders": orders(rank),
        "accumulated": accumulated(rank),
        "misuses": misuses(),
    }
    hvd.shutdown()
    return result


@pytest.fixture(scope="module")
def ranks():
    return run_ranks(everything, 2, timeout=120)


def test_ranks_know_who_they_are(ranks):
    assert [result["names"] for result in ranks] == [(0, 2, 0, 2), (1, 2, 1, 2)]


@pytest.mark.parametrize(("kind", "tolerance"), [("float64", 1e-12), ("float32", 1e-6)])
def test_gradients_are_the_big_batchs(ranks, kind, tolerance):
    for result in ranks:
        found, expected, _, _ = result[kind]
        assert any(gradient.abs().max() > 0.01 for gradient in expected)
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype
            torch.testing.assert_close(one, other, rtol=0, atol=tolerance)


def test_fp16_sends_half_the_bytes_and_is_close(ranks):
    for result in ranks:
        found, expected, _, sent = result["fp16"]
        assert sent * 2 == result["float32"][3] == 4 * sum(gradient.numel() for gradient in expected)
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == torch.float32
            torch.testing.assert_close(one, other, rtol=2e-3, atol=1e-4)
        assert any(not torch.equal(one, other) for one, other in zip(found, result["float32"][0], strict=True))
        assert result["allreduce fp16"].item() == 1.0  # the 2**-12 does not fit into 16 bits


def test_the_last_layers_gradient_leaves_before_the_first_layer_has_its_own(ranks):
    for result in ranks:
        events = result["float32"][2]
        assert events.index("send 720") < events.index("first layer has its gradient")
        assert sum(event.startswith("send") for event in events) == 6  # all of them before step()


def test_all_begin_as_rank_0(ranks):
    (weights, state), (other_weights, other_state) = (result["begin"] for result in ranks)
    assert weights.keys() == other_weights.keys() and weights["1.num_batches_tracked"] == 7
    assert all(torch.equal(weights[name], other_weights[name]) for name in weights)
    assert state["param_groups"] == other_state["param_groups"] and state["param_groups"][0]["lr"] == 0.1
    assert other_state["state"][0]["step"] == 1
    torch.testing.assert_close(other_state["state"], state["state"], rtol=0, atol=0)


def test_another_root_and_pairs_instead_of_a_dict(ranks):
    for result in ranks:
        assert torch.equal(result["root 1"], model_of(1)[4].weight)


def test_allreduce_gives_the_average_and_leaves_its_input(ranks):
    for rank, result in enumerate(ranks):
        average, tensor = result["allreduce"]
        assert torch.equal(average, torch.arange(6.0).view(2, 3).t() + 0.5)
        assert torch.equal(tensor, torch.arange(6.0).view(2, 3).t() + rank)


def test_another_order_and_an_unused_layer_on_one_rank(ranks):
    for first, second in zip(ranks[0]["orders"], ranks[1]["orders"], strict=True):
        assert torch.equal(first, second)
    weights = [torch.full((2, 2), value) for value in ((10 + 4) / 2, (2 + 2) / 2, (2 + 0) / 2)]
    for found, expected in zip(ranks[0]["orders"], weights, strict=True):
        assert torch.equal(found, expected)


def test_passes_add_up_before_a_step_and_can_be_clipped(ranks):
    for result in ranks:
        found, expected, norm, clipped, rate = result["accumulated"]
        for one, other in zip(found, expected, strict=True):
            torch.testing.assert_close(one, other, rtol=0, atol=1e-6)
        assert norm > 0.01 and clipped.item() == pytest.approx(0.01, rel=1e-3)
        assert rate == [pytest.approx(0.001)]


@pytest.mark.parametrize(
    ("misuse", "sentence"),
    [
        ("incomplete", "ValueError: named_parameters lacks 1 of the optimizer's 2: name all of them."),
        ("step first", "RuntimeError: There is no gradient to average"),
        ("step twice", "RuntimeError: There is no gradient to average"),
        ("zero_grad", "RuntimeError: zero_grad() between backward and step()"),
        ("backward twice", "RuntimeError: A further gradient of "),
    ],
)
def test_a_misuse_is_met_with_words(ranks, misuse, sentence):
    for result in ranks:
        assert result["misuses"][misuse].startswith(sentence)


def test_without_a_launcher_one_is_alone(monkeypatch):
    for name in ("RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    hvd.init()
    try:
        assert (hvd.rank(), hvd.size(), hvd.local_rank(), hvd.local_size()) == (0, 1, 0, 1)
        assert hvd.allreduce(torch.tensor([2.0])).item() == 2.0
    finally:
        hvd.shutdown()
    hvd.shutdown()
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        hvd.rank()
