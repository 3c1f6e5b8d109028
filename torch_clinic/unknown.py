"""Say what to try next with an error that is none of the clinic's cases."""

from torch_clinic.diagnosis import Diagnosis
from torch_clinic.printed import as_typed
from torch_clinic.tracebacks import Section, own_line, sections, whose

MOST = 200  # characters of a message that are repeated
# What the types of Python's own errors, and a few of PyTorch's, say by themselves.
SAYS = {
    "ArithmeticError": "a computation has no result",
    "AssertionError": "a condition that the code asserts was false",
    "AttributeError": "an object has no attribute or method of the name in the message",
    "BrokenPipeError": "a process wrote to another one that had already ended",
    "ConnectionError": "a connection to another process or machine failed",
    "ConnectionRefusedError": "nothing listens at the address that the program called",
    "EOFError": "the data ended before everything was read",
    "FileExistsError": "the file or folder that was to be made is already there",
    "FileNotFoundError": "there is no file or folder at the path in the message, seen from the folder where the "
    "program runs",
    "ImportError": "a module was found, but what was to be imported from it could not be loaded",
    "IndentationError": "the spaces at the beginning of a line do not fit the lines around it",
    "IndexError": "a position is beyond the end of what is indexed",
    "IsADirectoryError": "a folder was found where a file was expected",
    "KeyError": "a dictionary, or something that is used like one, has no entry under the key in the message",
    "KeyboardInterrupt": "somebody interrupted the program, as by Ctrl-C; the lines above say where it was",
    "MemoryError": "the main memory was not enough for an object",
    "ModuleNotFoundError": "this Python does not find the module in the message: it is not installed here, or "
    "another Python runs than you think",
    "NameError": "a name is used that was not defined before; in a notebook, an earlier cell may not have been run",
    "NotADirectoryError": "a file was found where a folder was expected",
    "NotImplementedError": "a function has no code for this case, or a class lacks a method that it must have",
    "OSError": "the operating system refused what the program asked for",
    "OverflowError": "a number is too large for its type",
    "PermissionError": "you may not read or write at that path",
    "RecursionError": "a function called itself too often, mostly because nothing ends the calls",
    "RuntimeError": "something went wrong while the program ran; only the message says what",
    "StopIteration": "`next` was called where nothing was left",
    "SyntaxError": "Python cannot read a line; the mistake may also be at the end of the line before it",
    "TabError": "tabs and spaces are mixed at the beginnings of lines",
    "TimeoutError": "an answer did not come in time",
    "TypeError": "a value has a type, or a call has arguments, that the operation does not take",
    "UnboundLocalError": "a function uses a variable of its own before it has a value",
    "UnicodeDecodeError": "bytes were read as text in an encoding that they are not in",
    "UnpicklingError": "a file is no pickle, or holds something that may not be loaded",
    "ValueError": "a value has the right type, but it is not one that the operation accepts",
    "ZeroDivisionError": "a number was divided by zero",
}
NO_ERROR = (
    "I see no line in this text that names an error, such as `KeyError: 'price'`. Save the whole text, from "
    "`Traceback (most recent call last)` to its last line. If nothing was raised, say in words what you see, such "
    "as `the loss is nan`."
)
SMALLER = (
    "Make it smaller: take one batch of two samples, run on the CPU in one process with `num_workers=0`, and leave "
    "out line after line as long as the same error appears. Often the cause shows itself on the way."
)
ON_CUDA = (
    "The text speaks of CUDA. A GPU can report an error late: set `CUDA_LAUNCH_BLOCKING=1` before the program "
    "starts, and the traceback ends at the call that failed."
)
PASTE = (
    "What to paste there: the small program, the whole text from `Traceback` to the last line, what you expected "
    "instead, and what `python -m torch.utils.collect_env` prints. Take out names, paths and tokens first."
)


def what_next(text: str, found: Diagnosis) -> str:
    """Return what to try next with a text in which `found` holds no case; empty where it holds one.

    Empty as well where the text broke off before its message: then `found` itself asks for the rest.

    >>> print(what_next("ZeroDivisionError: division by zero", Diagnosis()).partition("\\n")[0])
    The error is `ZeroDivisionError: division by zero`. By its type, a number was divided by zero.
    """
    if found or found.broken_off:
        return ""
    named = sections(as_typed(text))
    if not named:
        return NO_ERROR
    last = next((one for one in reversed(named) if not one.name.endswith("Warning")), named[-1])
    owner = whose(named, text)[0].partition(" (")[0]
    steps = [
        _last_line(last),
        *_place(own_line(named, last), owner),
        SMALLER,
        *([ON_CUDA] if "cuda" in text.lower() else []),
        _where_to_ask(owner),
        PASTE,
    ]
    return "\n\n".join(steps)


def _last_line(last: Section) -> str:
    line = last.headline.rstrip(": ") if last.message else last.name
    shown = line if len(line) <= MOST else f"{line[: MOST - 1]}…"
    if last.name.endswith("Warning"):
        return f"The text ends in `{shown}`. This is a warning: the program went on after it."
    says = SAYS.get(last.name)
    meaning = (
        f"By its type, {says}." if says else f"`{last.name}` is no type of Python's own; its message says the rest."
    )
    return f"The error is `{shown}`. {meaning}"


def _place(line: str, owner: str) -> list[str]:
    if line:
        return [
            f"Where to look: {line}. This is the deepest line of your own code in the text. Just before it, print "
            "what it works with: types, shapes, dtypes, devices and lengths."
        ]
    if owner:
        return [
            f"Where to look: {owner} raised it, and no line of your own is in the text. Look at what {owner} gets."
        ]
    return []


def _where_to_ask(owner: str) -> str:
    theirs = f", or {owner}'s page of issues, because {owner} raised it" if owner else ""
    return (
        "Where to ask: search the web for the error in quotation marks, without your own names and numbers. Then "
        f"ask whoever teaches you, or https://discuss.pytorch.org for PyTorch{theirs}."
    )
