"""Cut chapter 13's text out of Python's own documentation: `python tools/make_text_sample.py`.

The text is `pydoc_data.topics` as CPython 3.11.7 ships it, what `help("if")` shows; another version's is refused.
Whole topics are held out, drawn with a fixed seed until they are a tenth of the letters. Topics quote each other: a
paragraph of another topic that has a line of the held-out ones (20 letters or more, without its indentation) goes
into `repeated.txt` instead of `train.txt`.
"""

import argparse
import hashlib
import random
import sys
from pathlib import Path

from course_utils.data import registry, settings, text_set

SHA256 = (
    "abaa56a64551d8eead1b19cbae3c6db443f99f0cab81df07bed3cb75c0db9346"  # of pydoc_data/topics.py in CPython 3.11.7
)
SEED = 20260101
LONG = 20  # letters: a shorter line, such as `pass`, says nothing of where it comes from


def long_lines(text):
    """The lines of a text that are long enough to be told by, without their indentation."""
    return {line.strip() for line in text.splitlines() if len(line.strip()) >= LONG}


def held_out_names(topics):
    """Names of topics, drawn at random until they are a tenth of all letters."""
    names, rng = sorted(topics), random.Random(SEED)
    names.sort(key=lambda _: rng.random())  # only random() is promised to stay the same in later Pythons
    goal, chosen = sum(map(len, topics.values())) / 10, []
    for name in names:
        if sum(len(topics[one]) for one in chosen) + len(topics[name]) <= 1.2 * goal:
            chosen.append(name)
        if sum(len(topics[one]) for one in chosen) >= goal:
            break
    return sorted(chosen)


def divide(topics):
    """{part: text} of {name: text}: what is held out, what is for training, what repeats the held-out text."""
    chosen = held_out_names(topics)
    held_out = "\n".join(topics[name] for name in chosen)
    asked, kept, repeated = long_lines(held_out), [], []
    for name in sorted(set(topics) - set(chosen)):
        for paragraph in topics[name].split("\n\n"):
            (repeated if long_lines(paragraph) & asked else kept).append(paragraph)
    return {"train": "\n\n".join(kept), "held_out": held_out, "repeated": "\n\n".join(repeated)}


def main():
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    ).parse_args()
    from pydoc_data import topics

    found = hashlib.sha256(Path(topics.__file__).read_bytes()).hexdigest()
    if found != SHA256:
        sys.exit(f"Python {sys.version.split()[0]} has other topics (SHA-256 {found}): run it with CPython 3.11.7.")
    spec = registry.find("python_topics")
    folder = settings.SAMPLES / spec.folder
    folder.mkdir(parents=True, exist_ok=True)
    for part, text in divide(topics.topics).items():
        (folder / f"{part}.txt").write_text(text, encoding="utf-8", newline="\n")
        print(f"{part}: {len(text):,} letters")
    place = text_set.TextSet.embedded(spec, settings.SAMPLES)
    print(f"SHA-256 of all: {text_set.digest(place)}")


if __name__ == "__main__":
    main()
