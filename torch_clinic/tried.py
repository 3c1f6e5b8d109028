"""What a text says was done already: advice to do it once more helps nobody."""

import re

from torch_clinic.expressions import Expression

# Steps of a fix that stand in a text word for word.
STEP = Expression(
    r"pip3? install (?:-[\w-]+ )*\"?(?P<package>[A-Za-z][\w.-]+)[^\s,;:.)]*"
    r"|\b(?P<setting>[A-Z][A-Z0-9]+_[A-Z0-9_]+=\w+"
    r"|(?:num_workers|strict|weights_only|use_reentrant|dynamic|fullgraph|dynamo)=\w+)"
)
DONE = r"(?:\balready\b|\btried\b|\bI (?:also )?(?:ran|used|set|installed|added|did|put)\b|\beven (?:with|after)\b)"
OF_A_PACKAGE = (
    "If it ended well, was it the pip of the Python that runs the program (python -m pip)? "
    "If not, read what it printed."
)
OF_A_SETTING = "If the error stayed the same, this step is not the fix here."
PROMPT = r"(?:\$|[^\n>]{1,60}?[$>]|[^\n]{0,60}\) ?[%#])"  # a shell's, before what was typed
INSTALL = r"pip3? install [^\n]{0,80}?"


def with_tried(fix: str, text: str) -> str:
    """Return `fix`, with a sentence before it for a step of it that `text` says was tried or shows as run.

    >>> with_tried("pip install einops", "I already did pip install einops")  # doctest: +ELLIPSIS
    'Your text says that pip install einops was tried. ... pip install einops'
    >>> with_tried("num_workers=0", "It says num_workers=0 would help")
    'num_workers=0'
    """
    for step in STEP.finditer(fix):
        if step["package"]:
            said = rf"{INSTALL}(?<![\w-]){re.escape(step['package'])}(?![\w-])"
            told = rf"{DONE}[^\n]{{0,60}}?{said}|^{PROMPT} ?!?{said}|^ *[!%]{said}"
            words = f"{step[0].split(' install')[0]} install {step['package']}"
            advice = OF_A_PACKAGE
        else:
            words, advice = step["setting"], OF_A_SETTING
            told = rf"{DONE}[^\n]{{0,60}}?{re.escape(words)}"
        if re.search(told, text, re.MULTILINE):
            return f"Your text says that {words} was tried. {advice} {fix}"
    return fix
