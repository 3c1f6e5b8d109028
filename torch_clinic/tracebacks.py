"""What a learner pasted, taken apart: tracebacks and warnings, each with its frames, its error and its message."""

import re
from dataclasses import dataclass, field

from torch_clinic.expressions import Expression

ANSI = Expression(r"\x1b\[[0-9;:?]*[A-Za-z]|\x1b\][^\x07\x1b]*\x07")
RANK = Expression(
    r"^\s*(?:(?:\[(?:rank|default|trainer)?(\d+)\]:)+|\(\w+ pid=(\d+)[^)]*\))\s?"
)  # torchrun's, Ray's
BAR = Expression(r"^\s*(?:\| ?|\+[-+ ]*(?:\d+ -+$)?)")  # of an exception group
LOG = Expression(r"^[EWIF]\d{4} \d\d:[\d:.]+ +\d+ \S+\.\w+:\d+\] ?(?:\[[\w/]+\] ?)?")  # torch's loggers
LINKED = Expression(r"\[([^\[\]\n]+)\]\((?:vscode-notebook-cell:|file:|https?://localhost)[^)\n]*\)")  # an editor's
BOLD = Expression(r"\*\*((?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning):[^*\n]*)\*\*")  # of Markdown
USER_CODE = "from user code:"
FORWARD = "Traceback of forward call that caused the error"  # anomaly detection's; its frames follow
PYTEST = Expression(r"^E {3,7}")
START = Expression(r"(?:Traceback|Stack trace) \(most recent call last\)|^(?:-{20,}|={20,})$")
LINK = Expression(r"^(?:During handling of the above exception|The above exception was the direct cause)")
FRAMES = (
    Expression(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?'),
    Expression(r"^(?P<file>(?:Cell|Input) In ?\[\d+\]), (?:line|in) (?P<line>\d+)?(?P<function>)"),
    Expression(r"^File (?P<file>.+?):(?P<line>\d+)(?:, in (?P<function>[^\s(]+).*)?$"),
    Expression(
        r"^(?P<file><ipython-input-[^>]+>|[~/\w.][^\s:]*\.py|[A-Z]:\\\S+\.py) in "
        r"(?:(?P<function><cell line: \d+>|\S+?)\(.*|<module>\s*$)(?P<line>)"
    ),
    Expression(r"^(?P<file>[^\s:]+\.py|[A-Z]:\\[^\s:]+\.py):(?P<line>\d+): (?P<function>)(?:\w+Error|in )"),
)
ARROW = Expression(r"^-+> ?(?P<line>\d+)\s(?P<code>.*)")
LISTING = Expression(r"^(?:-+>)?\s*\d+\s|^\s*[\^~]+\s*$|^\s+\.\.\. ?")  # code around the line, and markers under it
ERROR = Expression(
    r"(?:^|[\s\]`>])(?P<name>(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Group|Iteration|Empty)|Exception"
    r"|Unsupported|FailOn\w+Hit|RecompileLimitExceeded|GuardOnDataDependentSymNode|BackendCompilerFailed|OutOfResources"
    r"|PendingUnbackedSymbolNotFound|TritonMissing|GPUTooOldForTriton|UnsupportedOperation|InvalidCxxCompiler|TimeoutExpired|(?:Read|Connect)Timeout|BrokenProcessPool)"
    r"|Warning(?=: Error detected in ))"
    r"(?::\s*(?P<message>.*)|(?:\s*$))"
)  # torch's and a few others' types that end otherwise are named
BARE = Expression(r"^(?P<name>[A-Za-z_][\w.]*)(?::\s+(?P<message>.*))?$")  # after frames any name may come
MESSAGE = Expression(
    r"\b(?:error|fatal|failed): \S|\bCould not (?:find|load|open|run|import)\b|No such file or directory"
    r"|got an unexpected keyword|missing \d+ required|cannot open shared object|\bincompatible\b",
    re.IGNORECASE,
)  # an error's words in a line that names no type of error
TITLE = Expression(
    r"\bAssertion\b|\b(?:cannot|can't|could not|unable to|unsupported|mismatch|failed|expected"
    r"|invalid|not (?:supported|implemented|available|defined|found))\b",
    re.IGNORECASE,
)  # what happened, in a line before the frames: a title, or what a kernel printed
EXTENSION = Expression(r"[/\\]custom_nodes[/\\](?P<name>[\w.-]+)[/\\]")  # of an application, by somebody else
APPLICATION = Expression(
    r"(?:^|[/\\])(?P<name>ComfyUI|stable-diffusion-webui|text-generation-webui|InvokeAI|Fooocus|kohya_ss|sd-scripts"
    r"|SwarmUI|AUTOMATIC1111|OneTrainer|ai-toolkit|Applio|Retrieval-based-Voice-Conversion|comfy(?=[/\\](?:ldm|sd)))[\w.-]*[/\\]",
    re.IGNORECASE,
)
NAMED_APPLICATION = Expression(
    r"\b(?:ComfyUI|KSampler|A1111|Automatic1111|Stable Diffusion WebUI|stable-diffusion-webui|InvokeAI|Fooocus"
    r"|SwarmUI|oobabooga|text-generation-webui|kohya_ss|OneTrainer|WanGP|Pinokio)\b",
    re.IGNORECASE,
)
INSTALLED = Expression(r"(?:site|dist)-packages[/\\](?P<name>\w+)")
OF_TORCH = Expression(r"^(?:torch|torchgen|functorch|triton|numpy|IPython|ipykernel)$")
LIBRARY = Expression(
    r"(?:site|dist)-packages[/\\]|[/\\]lib[/\\]python\d|[/\\]Python\d+[/\\]Lib[/\\]|^python[/\\]|^<frozen |<string>"
    r"|[/\\]torch[/\\](?:nn|optim|utils|autograd|distributed|multiprocessing|cuda|amp|export|onnx|ao|_\w+)(?:[/\\.])|[/\\]bin[/\\]\w+$"
    r"|[/\\]lib[/\\](?:multiprocessing|concurrent|importlib|asyncio|collections)[/\\]|[/\\]lib[/\\](?:runpy|threading|copy)\.py",
    re.IGNORECASE,
)


@dataclass
class Frame:
    """One level of a traceback."""

    file: str
    line: int | None
    function: str = ""
    code: str = ""

    @property
    def own(self) -> bool:
        """Whether the file belongs to neither Python nor an installed package."""
        return not LIBRARY.search(self.file)

    @property
    def owner(self) -> str:
        """The package or application whose file it is; empty for one's own files, Python's and torch's."""
        found = EXTENSION.search(self.file) or APPLICATION.search(self.file) or INSTALLED.search(self.file)
        return found["name"] if found and not OF_TORCH.match(found["name"]) else ""

    def as_text(self) -> str:
        """Return file, function and code on one line, to be searched."""
        return f"{self.file} {self.function} {self.code}"

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.line else self.file
        where += f", in {self.function}" if self.function and not self.function.startswith("<module") else ""
        return f"{where}: {self.code}" if self.code else where


@dataclass
class Section:
    """One error or warning: its type's name, its message on one line, its frames, the outermost first.

    `beside`: what kernels and C++ print near it, outside of every traceback. `text`: all that was pasted.
    """

    name: str = ""
    message: str = ""
    beside: str = ""
    text: str = ""
    frames: list[Frame] = field(default_factory=list)

    @property
    def headline(self) -> str:
        """The error's type and its message, as the last line of a traceback has them."""
        return f"{self.name[:300]}: {self.message}"

    @property
    def context(self) -> str:
        """Files, functions and code of the frames, to be searched."""
        return "\n".join(frame.as_text() for frame in self.frames)


def sections(text: str) -> list[Section]:
    """Return the errors and warnings in `text`, in its order; empty where there is none.

    Colours, an editor's links, the prefixes of ranks and logs, the bars of exception groups, mail's `> ` and
    Windows' line ends are taken off. Lines of several ranks are sorted by rank. Of more than 200 only some.
    """
    text = BOLD.sub(r"\1", LINKED.sub(r"\1", ANSI.sub("", text)))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).split("\n")
    if sum(line.startswith(">") for line in lines) > len(lines) / 2:
        lines = [re.sub(r"^(?:> ?)+", "", line) for line in lines]
    if any("+-+--" in line for line in lines):
        lines = [BAR.sub("", line) for line in lines]
    strands: dict[str, list[str]] = {}
    for line in lines:
        line = LOG.sub("", line)
        rank = RANK.match(line)
        strands.setdefault((rank[1] or rank[2]) if rank else "", []).append(line[rank.end() :] if rank else line)
    found = [section for strand in strands.values() for section in _read(strand)]
    return found[:20] + found[20:][-180:]  # a log may repeat a warning ten thousand times


def _read(lines: list[str]) -> list[Section]:
    found: list[Section] = []
    frames: list[Frame] = []
    message = None  # lines of the message that is being read
    for number, line in enumerate(lines):
        frame = next((match for pattern in FRAMES if (match := pattern.match(line))), None)
        if frame or START.search(line) or LINK.match(line):
            message = None
            if frame:
                frames.append(Frame(frame["file"], int(frame["line"] or 0) or None, frame["function"] or ""))
                frames[-1].code = _code(lines, number)
                if frame.re is FRAMES[-1] and found and not found[-1].frames:  # pytest names the place at the end
                    found[-1].frames, frames = frames, []
            elif found and FORWARD in found[-1].message:
                found[-1].frames, frames = found[-1].frames + frames, []
            continue
        if arrow := ARROW.match(line):
            if frames:
                frames[-1].line, frames[-1].code = int(arrow["line"]), arrow["code"].strip()
            continue
        if message is None and (LISTING.match(line) or (frames and line.strip() == frames[-1].code)):
            continue
        line = PYTEST.sub("", line)
        error = ERROR.search(line) or (BARE.match(line) if frames and message is None else None)
        if error and (message is None or not line.startswith(" ")):
            message = [error["message"] or ""]
            found.append(Section(error["name"].rpartition(".")[2], frames=frames))
            frames = []
        elif message is not None and len(message) < 60:
            message.append(line)
        if message is not None:
            found[-1].message = on_one_line(" ".join(message))
    if found and USER_CODE in lines:  # torch.compile names the place behind the message
        found[-1].frames += frames
    elif found and not found[-1].frames and not found[-1].name.endswith("Warning"):
        found[-1].frames = frames  # the message was a title, and the traceback under it ends before its own
    return found


def _code(lines: list[str], number: int) -> str:
    """Return the line of code that Python prints under a frame; nothing where it printed none."""
    following = lines[number + 1] if number + 1 < len(lines) else ""
    deeper = _indent(following) > max(3, _indent(lines[number]))  # else, in an indented traceback, it is the error
    shown = deeper and not following.lstrip().startswith("File ") and following.strip("^~ ")
    return following.strip() if shown and not LISTING.match(following) else ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def on_one_line(text: str) -> str:
    """Join the lines and spaces of `text`, and cut words and whole to a length that is searched in no time."""
    return " ".join(word[:300] for word in text.split())[:20_000]


def broken_off(text: str) -> bool:
    """Whether `text` ends within a traceback, before any message, and holds none elsewhere either."""
    lines = [line for line in ANSI.sub("", text).splitlines() if line.strip()]
    frames = [number for number, line in enumerate(lines) if any(pattern.match(line) for pattern in FRAMES)]
    if not frames or frames[-1] < len(lines) - 3 or any(MESSAGE.search(line) for line in lines):
        return False
    return not any(TITLE.search(line) for line in lines[: frames[0]])


def own_line(found: list[Section], section: Section) -> str:
    """Return one's own deepest frame, the forward's where that is named, in `section` or the nearest; or ""."""
    place = found.index(section)
    for warning in found[max(place - 1, 0) : place + 1]:
        if FORWARD in warning.message and (own := [frame for frame in warning.frames if frame.own]):
            return f"{own[-1]} (the forward; raised in backward)"
    nearest = sorted(range(len(found)), key=lambda other: abs(other - place))
    frames = [frame for other in nearest for frame in reversed(found[other].frames) if frame.own]
    return str(frames[0]) if frames else ""


def whose(found: list[Section], text: str) -> tuple[str, bool]:
    """Return the package or application whose line raised, "" for none; and whether a line of one's own calls it.

    Where another package calls that one, both are named, "segment_anything (called by cellpose)". Without
    frames: an application that `text` names.
    """
    frames = [frame for section in found for frame in section.frames]
    if not frames and (named := NAMED_APPLICATION.search(text)):
        return named[0], False
    known = [frame for frame in frames if frame.own or frame.owner]
    behind = next((place for place in range(len(known), 0, -1) if not known[place - 1].owner), 0)
    owners = [frame.owner for frame in known[behind:]]  # behind the last line of one's own
    last = owners[-1] if owners else ""
    called_by = f" (called by {owners[0]})" if last and owners[0] != last else ""
    return last + called_by, any(frame.own and not frame.owner for frame in known)
