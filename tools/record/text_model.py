"""Train the net that chapter 13 generates with: `python tools/record/text_model.py [--seed 0]`.

Net, recipe and loop are the chapter's own cells (`train_long`); this script runs them and writes
data/samples/text_model/gpt.safetensors: float16, the tied weight once. Its metadata hold the seed, the recipe, bits
a letter on the held-out topics, the versions and the hash of the text. Takes some minutes on two cores.
"""

import argparse
import json
import platform
import sys
import time

import torch
from safetensors.torch import save_file

from course_utils import PROJECT
from course_utils.data import registry

sys.path.insert(0, str(PROJECT / "tests" / "helpers"))
from notebook_cells import defined

FILE = PROJECT / "data" / "samples" / "text_model" / "gpt.safetensors"
CELLS = ("SEED", "DEVICE", "device", "topics", "alphabet", "number_of", "encode", "train_tokens", "held_tokens")
CELLS += ("turn", "Attention", "Block", "GPT", "train", "net_bits", "LONG", "train_long")


def halved(model):
    """The state of a model in float16, the tied weight once."""
    state = {name: tensor.detach().cpu().half() for name, tensor in model.state_dict().items()}
    del state["head.weight"]  # `letters.weight` under its second name
    return state


def keep(chapter, model, seed):
    """Write the file; return bits a letter on the held-out topics of what is in it."""
    state = halved(model)
    model.load_state_dict({**state, "head.weight": state["letters.weight"]})
    found = chapter.net_bits(model.eval(), chapter.held_tokens)
    letters = sum(length * steps * rows for length, (steps, rows, _) in chapter.LONG.items())
    metadata = {
        "recipe": json.dumps({length: list(plan) for length, plan in chapter.LONG.items()}),
        "seed": str(seed),
        "letters": f"{letters:,}",
        "held_out_bits": f"{found:.3f}",
        "text_sha256": registry.find("python_topics").sha256,
        "made_by": "tools/record/text_model.py",
        "versions": f"Python {platform.python_version()}, torch {torch.__version__}",
    }
    FILE.parent.mkdir(parents=True, exist_ok=True)
    save_file(state, FILE, metadata)
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--seed", type=int, default=0, help="of the first weights and of the windows (default: 0)")
    options = parser.parse_args()
    chapter = defined("13", *CELLS)
    began = time.process_time()
    found = keep(chapter, chapter.train_long(options.seed), options.seed)
    seconds = time.process_time() - began
    print(f"{FILE.stat().st_size:,} bytes, {found:.3f} bits a letter held out, {seconds:.0f} s of processor time")


if __name__ == "__main__":
    main()
