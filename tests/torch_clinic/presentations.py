"""One exception as learners paste it: from a script, IPython in colours, ranks, Windows, a log, a fragment."""

import io
import sys
import traceback

from IPython.core import ultratb


def plain(error):
    return "".join(traceback.format_exception(error))


def ipython(error):
    """As JupyterLab shows it, with colours."""
    return _ipython(error, "Context")


def verbose(error):
    """As `%xmode Verbose` shows it: the values of variables beside the code."""
    return _ipython(error, "Verbose")


def _ipython(error, mode):
    formatter = ultratb.AutoFormattedTB(mode=mode, ostream=io.StringIO())
    kept, formatter.tb_offset = formatter.tb_offset, 0
    formatter(type(error), error, error.__traceback__)
    formatter.tb_offset = kept
    return formatter.ostream.getvalue()


def message_only(error):
    return f"{error}"


def last_line(error):
    return "".join(traceback.format_exception_only(error))


def tail(error):
    """The last lines of a terminal: the traceback begins somewhere in the middle."""
    return "\n".join(plain(error).splitlines()[-8:])


def windows(error):
    text = plain(error)
    for root in (sys.prefix, sys.base_prefix):
        text = text.replace(root, r"C:\Users\Ada Lovelace\venv")
    lines = []
    for line in text.splitlines():
        if line.lstrip().startswith("File "):
            name = line.split('"')[1]
            there = name if name.startswith("C:") else r"C:\Users\Ada Lovelace\project" + name
            line = line.replace(name, there.replace("/", "\\"))
        lines.append(line)
    return "\r\n".join(lines)


def ranks(error):
    """Two ranks' tracebacks, line by line mixed, and what torchrun says after them."""
    lines = plain(error).splitlines()
    mixed = [f"[rank{rank}]: {line}" for line in lines for rank in (0, 1)]
    return "\n".join(
        [
            "W1121 15:00:01.123000 4242 torch/distributed/run.py:852] *****************************************",
            *mixed,
            "E1121 15:00:09.000000 4242 torch/distributed/elastic/multiprocessing/api.py:984] failed (exitcode: 1)",
            "Traceback (most recent call last):",
            '  File "/opt/conda/bin/torchrun", line 8, in <module>',
            "    sys.exit(main())",
            "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
            "============================================================",
            "train.py FAILED",
            "------------------------------------------------------------",
        ]
    )


def group(error):
    return plain(BaseExceptionGroup("the tasks failed", [error]))


def handled(error):
    """The error came first; while it was handled, another did."""
    try:
        try:
            raise error
        except BaseException:  # noqa: BLE001 - whatever it is
            {}["history"]
    except KeyError as second:
        return plain(second)


def cause(error):
    try:
        raise RuntimeError("training broke off in epoch 3") from error
    except RuntimeError as second:
        return plain(second)


def log(error):
    lines = "".join(f"2026-11-21 15:00:0{i % 10} INFO epoch {i} loss {1 / (i + 1):.3f}\n" for i in range(30))
    return (
        lines + "2026-11-21 15:01:00,003 ERROR trainer: training failed\n" + plain(error) + "wandb: run finished\n"
    )


def pytest_lines(error):
    lines = "".join(traceback.format_exception_only(error)).splitlines()
    code = ["    def test_forward():", ">       model(batch)", ""]
    said = [f"E       {line}" for line in lines]
    return "\n".join([*code, *said, "", f"tests/test_model.py:41: {type(error).__name__}"])


def quoted(error):
    """In an answer to a mail."""
    return "\n".join(f"> {line}" for line in plain(error).splitlines())


WHOLE = (plain, ipython, verbose, windows, ranks, group, handled, cause, log, quoted)  # with the frames
FRAGMENTS = (message_only, last_line, tail, pytest_lines)
