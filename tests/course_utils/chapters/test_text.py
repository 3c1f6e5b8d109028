"""Chapter 13: no letter sees a later one, the cache changes none, and each of its four faults shows in a figure."""

import json

import pytest
import torch
from notebook_cells import defined
from safetensors import safe_open
from safetensors.torch import load_file

from course_utils import PROJECT
from course_utils.data import registry

FILE = PROJECT / "data" / "samples" / "text_model" / "gpt.safetensors"
NAMES = ("SEED", "DEVICE", "device", "topics", "alphabet", "number_of", "encode", "decode", "train_tokens")
NAMES += ("held_tokens", "turn", "Attention", "Block", "GPT", "train", "net_bits", "LONG", "train_long")
NAMES += ("advance", "generate", "generate_cached", "pick", "FAULTS", "PROMPT", "cached_bits", "rows", "count_bits")


@pytest.fixture(scope="module")
def chapter():
    return defined("13", *NAMES)


@pytest.fixture(scope="module")
def trained(chapter):
    model = chapter.GPT(len(chapter.alphabet), context=512)
    state = load_file(FILE)
    model.load_state_dict(state | {"head.weight": state["letters.weight"]})
    return model.eval()


@pytest.fixture(scope="module")
def fresh(chapter):
    torch.manual_seed(1)
    return chapter.GPT(len(chapter.alphabet), context=512).eval()


def influence(model, tokens):
    """(T, T): the largest derivative of each letter's logits with respect to each letter's row of the table."""
    rows = model.letters(tokens).detach()

    def logits(rows):
        x = rows
        for block in model.blocks:
            x = block(x)
        return model.head(model.norm(x))[0].logsumexp(dim=-1)  # (T,)

    return torch.autograd.functional.jacobian(logits, rows)[:, 0].abs().amax(dim=-1)


def test_above_the_diagonal_the_whole_nets_gradient_is_exactly_zero(chapter, trained, fresh):
    for model in (trained, fresh):
        found = influence(model, chapter.held_tokens[None, :24])
        assert (found.triu(1) == 0).all()
        assert (found.tril() > 0).sum() == 24 * 25 // 2


def test_500_letters_greedy_or_drawn_are_with_the_cache_those_without(chapter, trained):
    for seed in (None, 0):  # a greedy text soon repeats itself, a drawn one does not
        plain = chapter.generate(trained, chapter.PROMPT, 500, seed)
        assert chapter.generate_cached(trained, chapter.PROMPT, 500, seed) == plain
        assert len(plain) == len(chapter.PROMPT) + 500


def apart(chapter, model, pieces, fault=None):
    """The largest distance of a logit from that of the whole text at once."""
    tokens, cache = chapter.held_tokens[None, : sum(pieces)], []
    found = torch.cat([chapter.advance(model, piece, cache, fault) for piece in tokens.split(pieces, dim=1)], dim=1)
    with torch.no_grad():
        return (found - model(tokens)).abs().max().item()


@pytest.mark.parametrize("pieces", [[48], [1] * 48, [12, *[1] * 36], [7, 20, 1, 13, 7], [40, 8]])
def test_however_the_text_is_cut_only_rounding_is_left(chapter, trained, pieces):
    assert apart(chapter, trained, pieces) < 1e-3
    assert apart(chapter, trained.double(), pieces) < 1e-10
    trained.float()


@pytest.mark.parametrize("number", range(4))
def test_each_fault_is_told_by_its_figures(chapter, trained, fresh, number):
    fault = chapter.FAULTS[number]
    for model in (trained, fresh):  # no training is needed to see it in the logits
        assert apart(chapter, model, [12, *[1] * 36], fault) > 1e-2
    # Of an unmasked prefill 128 letters later next to nothing is left.
    assert chapter.cached_bits(trained, fault) > chapter.cached_bits(trained) + (0 if "prefill" in fault else 1)


def test_four_faults_have_four_names(chapter):
    assert len(set(chapter.FAULTS)) == 4


def test_the_stored_net_is_what_its_metadata_say(chapter, trained):
    with safe_open(FILE, "pt") as file:
        recipe = file.metadata()
    assert FILE.stat().st_size <= 500_000
    assert recipe["text_sha256"] == registry.find("python_topics").sha256
    assert json.loads(recipe["recipe"]) == {str(length): list(plan) for length, plan in chapter.LONG.items()}
    assert chapter.net_bits(trained, chapter.held_tokens) == pytest.approx(float(recipe["held_out_bits"]), abs=0.01)


def test_the_first_steps_of_training_go_down(chapter):
    torch.manual_seed(0)
    model = chapter.GPT(len(chapter.alphabet), context=32, width=32, num_heads=2, depth=1)
    losses = chapter.train(model, chapter.train_tokens[:20_000], steps=30, batch_size=8, length=32)
    assert losses[0] > 6 and sum(losses[-5:]) / 5 < 5


def test_a_table_of_counts_by_hand(chapter):
    # after "a" came b, b, c: of "ab" two of three, with 0.01 on each of the alphabet's letters
    share = (2 + 0.01) / (3 + 0.01 * len(chapter.alphabet))
    assert chapter.count_bits("abxabxac", "ab", 1) == pytest.approx(-torch.tensor(share).log2().item())
