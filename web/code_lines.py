"""Code that is wrapped rather than cut: each line is an element, so that its second half keeps the indentation."""

import re

BLOCK = re.compile(
    r'(<div class="(?P<kind>[^"]*)highlight-[^"]*"><div class="highlight"><pre[^>]*>)(?P<code>.*?)(</pre>)',
    re.DOTALL,
)
COLUMNS = re.compile(r"\S {2,}\S|\S\t")  # a table, or a line of a traceback: its columns stand below each other
TAG = re.compile(r"<(/?)(\w+)[^>]*>")


def wrapped(page: str) -> str:
    """Return an HTML page in which each line of code is an element of the class `line`.

    So is each line of a printed text without columns. Tables and tracebacks stay as they are, and scroll. The style
    `--indent` of a line is the number of spaces that it begins with.
    """
    return BLOCK.sub(_block, page)


def _block(block: re.Match) -> str:
    if "traceback" in block["kind"] or ("output" in block["kind"] and COLUMNS.search(TAG.sub("", block["code"]))):
        return block[0]
    return block[1] + "".join(map(_line, lines(block["code"]))) + block[4]


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
