"""Every pattern can fire: on texts made from its own regular expressions, in each way that people paste them."""

import re
import time

import pytest
from samples import samples

from torch_clinic.diagnosis import diagnose
from torch_clinic.patterns import Pattern, read_patterns
from torch_clinic.printed import as_typed
from torch_clinic.tracebacks import Section, on_one_line, sections

PATTERNS = [pattern for pattern in read_patterns() if pattern.find]
IDS = [f"{number}-{pattern.case}" for number, pattern in enumerate(PATTERNS)]
TYPED = re.compile(
    r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Hit|Unsupported|Iteration|Node)\b:?"
)  # an error's type itself
LOG = "".join(f"2026-11-21 15:00:0{second},003 INFO train: epoch {second} loss 0.3\n" for second in range(3))
RED, BLUE, PLAIN = "\x1b[31m", "\x1b[38;5;28m", "\x1b[39m"


def last_line(name: str, message: str) -> str:
    """The error as a traceback ends with it; where the message is one that names the type itself, that alone."""
    if (
        name == "RuntimeError" and TYPED.match(message) and message != "ZeroDivisionError"
    ):  # a message of torch's own
        return message
    return f"{name}: {message}" if message else name


def script(name: str, message: str, code: str) -> str:
    return (
        'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    main()\n'
        f'  File "train.py", line 7, in main\n    {code}\n{last_line(name, message)}\n'
    )


def notebook(name: str, message: str, code: str) -> str:
    return (
        f"{'-' * 75}\n{name}{' ' * 30}Traceback (most recent call last)\nCell In[7], line 3\n      1 import torch\n"
        f"----> 3 main()\n\nCell In[5], line 2, in main()\n      1 def main():\n----> 2     {code}\n\n"
        f"{last_line(name, message)}"
    )


def coloured(name: str, message: str, code: str) -> str:
    """As JupyterLab's copy of a cell's output has it."""
    lines = notebook(name, message, code).split("\n")
    lines[1] = f"{RED}{name}{PLAIN}{lines[1].removeprefix(name)}"
    lines[5] = lines[5].replace("Cell In[5]", f"{BLUE}Cell{PLAIN}{BLUE} In[5]{PLAIN}")
    head, colon, tail = lines[-1].partition(":")
    lines[-1] = f"{RED}{head}{PLAIN}{colon}{tail}"
    return "\n".join(lines)


def after_a_log(name: str, message: str, code: str) -> str:
    return LOG + script(name, message, code)


def line_alone(name: str, message: str, code: str) -> str:
    return last_line(name, message)


def line_after_a_log(name: str, message: str, code: str) -> str:
    return LOG + last_line(name, message)


WITH_FRAMES = (script, notebook, coloured, after_a_log)
WITHOUT = (line_alone, line_after_a_log)


def read(text: str, around: str = "") -> list[Section]:
    """The sections of a text, as `diagnose` has them searched; `around`: what its author wrote before it."""
    found = sections(as_typed(text)) or [Section(message=on_one_line(as_typed(text)))]
    for section in found:
        section.text = f"{around}\n{as_typed(text)}"
    return found


def examples(pattern: Pattern) -> list[tuple[str, str, str]]:
    """(type, message, code of the deepest frame) of texts that `pattern` is for: each alternative once."""
    names = samples(pattern.name) if pattern.name else ["RuntimeError"]
    made = [f"{text}more" if text.endswith(" ") else text for text in samples(pattern.find)]
    messages = [text for text in map(on_one_line, made) if pattern.find.search(text)]
    messages = [text for text in messages if not (pattern.unless and pattern.unless.search(text))]
    code = (
        " ".join(f"out({samples(part)[0]} )" for part in (pattern.context, pattern.last) if part) or "step(batch)"
    )
    return [(names[0], message, code) for message in messages] + [(name, messages[0], code) for name in names[1:]]


@pytest.mark.parametrize("pattern", PATTERNS, ids=IDS)
def test_a_pattern_fits_its_own_examples_however_they_are_pasted(pattern):
    own = examples(pattern)
    assert own, "no text can be made that it fits"
    ways = WITH_FRAMES if pattern.context or pattern.last else WITH_FRAMES + WITHOUT
    if pattern.away:  # what must not be around may be a frame
        ways = [way for way in ways if not pattern.away.search(way(*own[0]))]
        assert ways, "it bars every way of pasting"
    texts = [(way.__name__, way(*example)) for example in own for way in ways]
    around = samples(pattern.around)[0] if pattern.around else ""
    missed = [
        (way, text)
        for way, text in texts
        if not any(pattern.groups(section) is not None for section in read(text, around))
    ]
    assert not missed, f"{len(missed)} of {len(texts)}: {missed[0]}"


# (type, message, case) of what is raised with little more than its type; the texts are torch's own.
DYNAMO, RENDEZVOUS = "torch._dynamo.exc.", "torch.distributed.elastic.rendezvous.api."
TYPES = [
    (f"{DYNAMO}FailOnRecompileLimitHit", "Hard failure due to fullgraph=True", "recompiled"),
    (f"{DYNAMO}FailOnRecompileLimitHit", "recompile_limit reached with fullgraph=True. Excessive", "recompiled"),
    (f"{DYNAMO}FailOnCacheLimitHit", "cache_size_limit reached", "recompiled"),
    (f"{DYNAMO}RecompileLimitExceeded", "recompile_limit reached with one_graph=True.", "recompiled"),
    (f"{DYNAMO}Unsupported", "Dynamo recompile limit exceeded\n  Explanation: Dynamo attempted to", "recompiled"),
    (f"{RENDEZVOUS}RendezvousTimeoutError", "", "connection_lost"),
    (f"{RENDEZVOUS}RendezvousClosedError", "", "connection_lost"),
    (f"{RENDEZVOUS}RendezvousConnectionError", "See inner exception for details.", "connection_lost"),
    ("torch.distributed.DistBackendError", "NCCL failed in ../ProcessGroupNCCL.cpp:1970", "nccl"),
    ("torch._inductor.exc.InvalidCxxCompiler", "No working C++ compiler found in cpp.cxx", "compiler_missing"),
    ("torch._inductor.exc.TritonMissing", "Cannot find a working triton installation.", "compiler_missing"),
    (
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode",
        "Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1)).",
        "data_dependent",
    ),
]


@pytest.mark.parametrize("way", [*WITH_FRAMES, *WITHOUT], ids=lambda way: way.__name__)
@pytest.mark.parametrize(("name", "message", "case"), TYPES)
def test_an_error_known_by_its_type_is_found_however_it_is_pasted(way, name, message, case):
    if way in (notebook, coloured):  # IPython prints the type without its module
        name = name.rpartition(".")[2]
    assert [finding.case for finding in diagnose(way(name, message, "step(batch)"))][:1] == [case]


@pytest.mark.parametrize(
    "text",
    ["FailOn" * 80_000 + "Hit", "CalledProcessError: Command " + "gcc " * 100_000, "No module named 'x' " * 20_000],
    ids=["a name without an end", "a command without an end", "one line again and again"],
)
def test_a_text_of_half_a_million_characters_is_read_in_seconds(text):
    start = time.perf_counter()
    diagnose(text)
    assert time.perf_counter() - start < 20  # a second alone; without the limits some minutes
