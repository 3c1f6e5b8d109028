"""Code that is wrapped rather than cut: each line becomes an element, so that what is wrapped keeps its indentation."""

import re

BLOCK = re.compile(r'(<div class="highlight-[^"]*"><div class="highlight"><pre[^>]*>)(.*?)(</pre>)', re.DOTALL)
TAG = re.compile(r"<(/?)(\w+)[^>]*>")


def wrapped(page: str) -> str:
    """Return an HTML page in which each line of code is an element of the class `line`; outputs stay as they are.

    The style `--indent` of a line is the number of spaces that it begins with.
    """
    return BLOCK.sub(lambda block: block[1] + "".join(map(_line, lines(block[2]))) + block[3], page)


def lines(code: str) -> list[str]:
    """Return the lines of highlighted code, each with its line break, and each complete by itself.

    A token of several lines, such as a docstring, is closed at the end of a line and opened again in the next one.
    """
    found, still_open = [], []
    for line in code.removeprefix("<span></span>").splitlines(keepends=True):
        opened = "".join(still_open)
        for tag in TAG.finditer(line):
            if tag[1]:
                still_open.pop()
            else:
                still_open.append(tag[0])
        body, end = (line[:-1], "\n") if line.endswith("\n") else (line, "")
        closed = "".join(f"</{TAG.match(tag)[2]}>" for tag in reversed(still_open))
        found.append(f"{opened}{body}{closed}{end}")
    return found


def _line(line: str) -> str:
    indent = re.match(r" *", TAG.sub("", line))[0]
    return f'<span class="line" style="--indent:{len(indent)}">{line}</span>'
