"""What a task forbids is found in every form, and nothing else is; it is said only of values that are right."""

import functools
import itertools

import pytest
import torch
import torch.nn.functional as F
from torch.nn.functional import softmax as renamed

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.restrictions import no_call, no_loop


def by_for(x):
    total = 0
    for row in x:
        total += row
    return total


def by_for_left_at_once(x):
    for row in x:
        return row


def by_while(x):
    n = 0
    while n < 3:
        n += 1
    return n


def by_while_true(x):
    while True:
        try:
            return x.item()
        except RuntimeError:
            continue


def by_comprehension(x):
    return torch.stack([row + 1 for row in x])


def by_generator(x):
    return sum(row for row in x)


def by_inner(x):
    def inner(y):
        return {n: n for n in y}

    return inner(x)


def by_lambda(x):
    return (lambda y: [n for n in y])(x)


def by_helper(x):
    return by_for(x) + 1


def by_map(x):
    return list(map(torch.sum, x))


def by_reduce(x):
    return functools.reduce(torch.add, x)


def by_accumulate(x):
    from itertools import accumulate

    return list(accumulate(x))


def by_apply(x):
    return x.apply_(abs)


def by_recursion(x):
    return x if len(x) < 2 else by_recursion(x[1:]) + x[0]


def by_two_functions(x):
    return by_the_other(x)


def by_the_other(x):
    return by_two_functions(x[1:]) if len(x) else x


def by_inner_recursion(x):
    def go(n):
        return go(n - 1) if n else 0

    return go(3)


def by_text(x):
    return eval("[n for n in x]")


class Looping:
    def __init__(self, x):
        self.x = x

    def __call__(self):
        return [n for n in self.x]


class LoopingStatic:
    @staticmethod
    def forward(x):
        return [n for n in x]


class LoopingProperty(torch.nn.Module):
    @property
    def all(self):
        return [n for n in self.x]


def by_class(x):
    return Looping(x)()


LOOPS = [value for name, value in list(globals().items()) if name.startswith(("by_", "Looping"))]
LOOPS += [
    functools.partial(by_for),
    Looping([1]),
    functools.wraps(by_for)(lambda x: x),
    functools.lru_cache(by_for),
]
LOOPS += [torch.no_grad()(by_for), lambda x: by_for(x), Looping([1]).__call__]


@pytest.mark.parametrize("answer", LOOPS, ids=lambda one: getattr(one, "__qualname__", type(one).__name__))
def test_a_loop_is_found(answer):
    assert "the task allows no loops" in no_loop(answer).lower()


def with_try(x):
    try:
        y = x.sum()
    except RuntimeError as error:
        if "shape" in str(error):
            raise ValueError from error
        y = x
    finally:
        x = x + 1
    try:
        y = y + 1
    except (TypeError, ValueError):
        y = x
    return y


def with_with(x):
    with torch.no_grad(), torch.random.fork_rng():
        y = x if x.sum() > 0 else -x
    return y


def with_nested(x):
    def half(y):
        with torch.no_grad():
            try:
                return y / 2
            except RuntimeError:
                y = y + 1
            return y

    return half(x) if (x.any() and not x.all()) or x.sum() else (lambda z: z)(x)


def with_yield_from(x):
    yield from x


async def with_await(x):
    return await x


def with_library(x):
    return sum(x) + max(x) + torch.vmap(torch.sum)(x)


class Straight(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x)


STRAIGHT = [value for name, value in list(globals().items()) if name.startswith("with_")]
STRAIGHT += [
    Straight,
    Straight(),
    torch.sum,
    F.avg_pool1d,
    F.interpolate,
    functools.partial(torch.sum, dim=1),
    3,
    None,
]


@pytest.mark.parametrize("answer", STRAIGHT)
def test_what_does_not_repeat_is_no_loop(answer):
    assert no_loop(answer) is None


def test_a_loop_is_found_without_source_and_by_its_line():
    space = {}
    exec("def f(x):\n    y = 0\n\n    for row in x:\n        y = y + row\n    return y\n", space)
    assert no_loop(space["f"]) == "line 4 is a loop. The task allows no loops."
    first = by_for.__code__.co_firstlineno
    assert no_loop(by_for) == f"line {first + 2}, `for row in x:`, is a loop. The task allows no loops."
    assert "`while n < 3:`" in no_loop(by_while)
    assert no_loop(by_map).startswith("`map` in line ")
    assert no_loop(by_recursion) == "`by_recursion` calls itself, which is a loop too. The task allows no loops."


def named(x):
    from torch import log_softmax as logs

    return logs(x, 1)


def softmax(x):
    """Our own."""
    return x.exp() / x.exp().sum(1, keepdim=True)


class OwnMethod:
    def __call__(self, x):
        return self.softmax(x)

    def softmax(self, x):
        return x.exp()


USED = [
    lambda x: torch.softmax(x, 1),
    lambda x: F.softmax(x, 1),
    lambda x: x.softmax(1),
    lambda x: (x + 1).softmax(dim=1),
    lambda x: renamed(x, 1),
    lambda x: torch.nn.functional.log_softmax(x, 1),
    lambda x: getattr(torch, "softmax")(x, 1),  # noqa: B009 - as somebody would who wants to hide it
    lambda x: list(map(F.softmax, x)),
    lambda x: [row.softmax(0) for row in x],
    named,
    lambda x: named(x),
    torch.softmax,
    F.log_softmax,
    functools.partial(torch.softmax, dim=1),
]


@pytest.mark.parametrize("answer", USED)
def test_what_is_forbidden_is_found_by_any_name(answer):
    said = no_call("softmax", "log_softmax")(answer)
    assert said.endswith(", which the task forbids.") and "softmax`" in said


@pytest.mark.parametrize(
    "answer", [softmax, lambda x: softmax(x), OwnMethod, lambda softmax: softmax + 1, torch.exp]
)
def test_what_the_answer_calls_so_itself_is_its_own(answer):
    assert no_call("softmax", "log_softmax")(answer) is None


def softmax_of_torch(x):
    """Named like it, and calls it."""
    return x.softmax(1)


softmax_of_torch.__name__ = softmax_of_torch.__qualname__ = "softmax"


def test_an_answer_that_is_called_so_may_not_call_it():
    assert no_call("softmax")(softmax_of_torch)


def from_func(x):
    from torch.func import grad

    return grad(torch.sum)(x)


jacrev = torch.func.jacrev


@pytest.mark.parametrize(
    "answer", [lambda x: torch.func.grad(torch.sum)(x), from_func, lambda x: jacrev(torch.sum)(x)]
)
def test_a_module_is_refused_with_what_it_offers(answer):
    assert "uses `torch.func`" in no_call("torch.func")(answer)
    assert no_call("torch.nn")(answer) is None and no_call("functional")(answer) is None


def test_to_record_nothing_is_no_use_of_autograd():
    def products(a, b):
        with torch.no_grad():
            return a @ b

    def by_autograd(a, b):
        with torch.enable_grad():
            return torch.autograd.grad((a @ b).sum(), a)

    assert no_call("torch.autograd")(products) is None
    assert "torch.autograd.grad((a @ b).sum(), a)`, uses" in no_call("torch.autograd")(by_autograd)


def total(x):
    """The sum of all."""
    return x.sum()


def count(x):
    """You counted the elements."""
    return torch.tensor(float(len(x)))


def test_the_task_is_held_up_only_to_right_values():
    question = Exercise(
        total,
        inputs=lambda seed: [(torch.full((n,), 2.0 + seed),) for n in (3, 1, 5)],
        mistakes=(count,),
        restrictions=(no_loop, no_call("einsum")),
    )
    assert question.check(lambda x: x.mean() * len(x)).passed
    looped = question.check(lambda x: sum([row for row in x]))
    assert looped.state == "wrong" and looped.message.startswith("The values are right, but line ")
    assert "uses `einsum`" in question.check(lambda x: torch.einsum("n->", x)).message
    assert question.check(lambda x: torch.tensor(float(len([row for row in x])))).state == "known mistake"
    assert "found" in question.check(lambda x: torch.stack([row for row in x])[0] * 7).message
    assert [*itertools.islice("ab", 1)] == ["a"]


def test_an_answer_that_changes_its_code_while_it_runs_is_read_before():
    question = Exercise(total, inputs=lambda seed: [(torch.ones(n),) for n in (3, 1, 5)], restrictions=(no_loop,))

    def answer(x):
        own[0].__code__ = (lambda x: x.sum()).__code__.replace(co_freevars=("own",))
        result = 0
        for row in x:
            result = result + row
        return result

    own = [answer]
    assert "`for row in x:`, is a loop" in question.check(answer).message
