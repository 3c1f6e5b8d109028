"""Chapter 13 measured: what a cache of keys and values saves, SDPA beside the written-out form, bits a letter live.

    python benchmarks/language_model.py [--seeds 10] [--rounds 7]

Net, loop, generation and cache are the chapter's own cells. All times are seconds of processor time on one thread,
so that other programs count little; ways that are compared take turns, and a ratio is that of neighbours.

`cache_64`, `cache_256`, `cache_498`: greedy letters behind a prompt of 14, seconds without the cache over seconds
with it, the median of the rounds (`…_low`, `…_high`: the lowest and the highest). `letter_512`: the same for the
last letter of a full context alone. `sdpa_ratio`: attention forward and backward, 8 × 4 heads of 16 numbers, 512
places, the written-out form over `F.scaled_dot_product_attention`.
`live_bits`: bits a letter on the held-out topics after 150 steps of 32 windows (the chapter takes 100 of 16), mean
of the seeds (`live_low`, `live_high`: lowest and highest); `table_bits`: the best table of counts. `nanogpt_bits`:
nanoGPT's recipe for a CPU (README of https://github.com/karpathy/nanoGPT: 4 blocks, 4 heads, width 128, context 64,
batches of 12, AdamW at 1e-3, 100 steps of warm-up, cosine down to 1e-4 over 2,000 steps, no dropout), written anew
here, stopped after as many seconds as ours took, its cosine shortened to the steps that these allow.

The last line is JSON. Exit status 1 where a goal is missed.
"""

import argparse
import json
import math
import statistics
import sys
import time
import tomllib

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import PROJECT
from course_utils.seed import set_seed

sys.path.insert(0, str(PROJECT / "tests" / "helpers"))
from notebook_cells import defined

ROWS = tomllib.loads((PROJECT / "benchmarks" / "benchmarks.toml").read_text(encoding="utf-8"))
GOALS = {figure["key"]: figure["goal"] for figure in ROWS["language_model"]["figures"] if "goal" in figure}
CELLS = ("SEED", "DEVICE", "device", "topics", "alphabet", "number_of", "encode", "decode", "train_tokens")
CELLS += ("held_tokens", "count_bits", "attend", "turn", "Attention", "Block", "GPT", "train", "net_bits", "pick")
CELLS += ("generate", "generate_cached", "advance", "PROMPT")
LENGTHS, STEPS, BATCH_SIZE, CONTEXT = (64, 256, 498), 150, 32, 64


def seconds_of(way):
    """Seconds of processor time of a call."""
    start = time.process_time()
    way()
    return time.process_time() - start


def ratios(one, other, rounds):
    """Seconds of `one` over those of `other`, round by round, in turns; a first round does not count."""
    found = []
    for number in range(rounds + 1):
        ways = (one, other) if number % 2 else (other, one)
        seconds = {way: seconds_of(way) for way in ways}
        found.append(seconds[one] / seconds[other])
    return found[1:]


def cache_ratios(chapter, rounds):
    """{letters: ratios} of a net of the chapter's size; what it writes does not matter for the time."""
    set_seed(0)
    model = chapter.GPT(len(chapter.alphabet), context=512).eval()
    found = {}
    for count in LENGTHS:
        assert chapter.generate(model, chapter.PROMPT, count) == chapter.generate_cached(
            model, chapter.PROMPT, count
        )
        ways = [
            lambda way=way, count=count: way(model, chapter.PROMPT, count)
            for way in (chapter.generate, chapter.generate_cached)
        ]
        found[count] = ratios(*ways, rounds)
    return found


@torch.no_grad()
def last_letter_ratios(chapter, rounds):
    """Seconds of letter 512 without the cache over those with it."""
    set_seed(0)
    model = chapter.GPT(len(chapter.alphabet), context=512).eval()
    tokens, cache = chapter.held_tokens[None, :512], []
    chapter.advance(model, tokens[:, :511], cache)
    ways = (
        lambda: [model(tokens) for _ in range(10)],
        lambda: [chapter.advance(model, tokens[:, 511:], list(cache)) for _ in range(10)],  # a copy of it grows
    )
    return ratios(*ways, rounds)


def sdpa_ratios(chapter, rounds):
    """Seconds of the written-out attention over those of PyTorch's, forward and backward."""
    heads = [torch.randn(8, 4, 512, 16, requires_grad=True) for _ in range(3)]
    triangle = torch.ones(512, 512, dtype=torch.bool).tril()
    ways = (
        lambda: chapter.attend(*heads, triangle).sum().backward(),
        lambda: F.scaled_dot_product_attention(*heads, is_causal=True).sum().backward(),
    )
    return ratios(*[lambda way=way: [way() for _ in range(10)] for way in ways], rounds)


class NanoBlock(nn.Module):
    def __init__(self, width, num_heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width, bias=False), nn.LayerNorm(width, bias=False)
        self.num_heads, self.qkv = num_heads, nn.Linear(width, 3 * width, bias=False)
        self.out, self.up = nn.Linear(width, width, bias=False), nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        heads = self.qkv(self.norm1(x)).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
        x = x + self.out(F.scaled_dot_product_attention(*heads, is_causal=True).transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class NanoGPT(nn.Module):
    """nanoGPT's small net as its README trains it on a CPU, from its description."""

    def __init__(self, num_letters, context=64, width=128, num_heads=4, depth=4):
        super().__init__()
        self.context = context
        self.letters, self.places = nn.Embedding(num_letters, width), nn.Embedding(context, width)
        self.blocks = nn.Sequential(*[NanoBlock(width, num_heads) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width, bias=False), nn.Linear(width, num_letters, bias=False)
        for name, p in self.named_parameters():
            if p.ndim == 2:
                last = name.endswith(("out.weight", "down.weight"))  # they add to the residual stream
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * depth) if last else 0.02)
        self.head.weight = self.letters.weight

    def forward(self, tokens):
        x = self.letters(tokens) + self.places.weight[: tokens.shape[1]]
        return self.head(self.norm(self.blocks(x)))


def train_nanogpt(model, tokens, seconds, seed):
    """Train for about `seconds` of processor time, at most 2,000 steps; return how many steps it took."""
    every = tokens.unfold(0, model.context + 1, 1)
    draw = torch.Generator().manual_seed(seed)
    matrices = [p for p in model.parameters() if p.ndim == 2]
    others = [{"params": [p for p in model.parameters() if p.ndim < 2], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW([{"params": matrices}, *others], lr=1e-3, betas=(0.9, 0.99), weight_decay=0.1)
    start = time.process_time()
    number, planned = 0, 2000
    while number < planned:
        if number == 10:  # how many steps fit
            planned = min(2000, max(11, int(10 * seconds / (time.process_time() - start))))
        share = min(1.0, max(0.0, (number - 100) / max(1, planned - 100)))
        rate = min((number + 1) / 100, 0.1 + 0.45 * (1 + math.cos(math.pi * share)))
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * rate
        rows = every[torch.randint(len(every), (12,), generator=draw)]
        loss = F.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        number += 1
    return number


def live(chapter, seeds):
    """[(bits of ours, seconds, bits of nanoGPT's recipe in as many seconds)] of each seed."""
    found = []
    for seed in range(seeds):
        set_seed(seed)
        ours = chapter.GPT(len(chapter.alphabet), context=CONTEXT)
        settings = {"steps": STEPS, "batch_size": BATCH_SIZE, "length": CONTEXT, "seed": seed}
        seconds = seconds_of(lambda m=ours, s=settings: chapter.train(m, chapter.train_tokens, **s))
        set_seed(seed)
        theirs = NanoGPT(len(chapter.alphabet))
        steps = train_nanogpt(theirs, chapter.train_tokens, seconds, seed)
        bits = [chapter.net_bits(model.eval(), chapter.held_tokens) for model in (ours, theirs)]
        print(f"seed {seed}: ours {bits[0]:.3f} bits in {seconds:.1f} s, nanoGPT's {bits[1]:.3f} in {steps} steps")
        found.append((bits[0], seconds, bits[1]))
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--seeds", type=int, default=10, help="trainings of each net (default: 10)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each comparison of seconds (default: 7)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    chapter = defined("13", *CELLS)
    result = {}
    for count, found in cache_ratios(chapter, options.rounds).items():
        result |= {f"cache_{count}": statistics.median(found)}
        result |= {f"cache_{count}_low": min(found), f"cache_{count}_high": max(found)}
        print(f"{count} letters: {result[f'cache_{count}']:.2f} times")
    found = last_letter_ratios(chapter, options.rounds)
    result |= {"letter_512": statistics.median(found), "letter_512_low": min(found), "letter_512_high": max(found)}
    found = sdpa_ratios(chapter, options.rounds)
    result |= {"sdpa_ratio": statistics.median(found), "sdpa_low": min(found), "sdpa_high": max(found)}
    print(f"letter 512: {result['letter_512']:.2f} times, SDPA: {result['sdpa_ratio']:.2f} times", flush=True)
    trained = live(chapter, options.seeds)
    ours, seconds, theirs = zip(*trained, strict=True)
    result |= {"live_bits": statistics.mean(ours), "live_low": min(ours), "live_high": max(ours)}
    result |= {"live_seconds": statistics.mean(seconds), "nanogpt_bits": statistics.mean(theirs)}
    result |= {
        "table_bits": min(chapter.count_bits(chapter.topics.train, chapter.topics.held_out, k) for k in (2, 3, 4))
    }
    print(json.dumps(result))
    lacking = [f"{key} is {result[key]:.2f}, goal {goal}" for key, goal in GOALS.items() if result[key] < goal]
    return f"Missed: {'; '.join(lacking)}." if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
