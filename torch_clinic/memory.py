"""The figures of an out-of-memory message, added up: whose the memory is, which torch's own words leave open."""

from torch_clinic.expressions import Expression

UNITS = {"bytes": 2.0**-30, "KiB": 2.0**-20, "MiB": 2.0**-10, "GiB": 1.0, "TiB": 2.0**10}
SIZE = r"([\d.]+) (bytes|[KMGT]iB)"
ASKED = Expression(rf"(?:CUDA|HIP|XPU) out of memory\. Tried to allocate {SIZE}")
TOTAL = Expression(rf"total capaci?ty of {SIZE}|{SIZE} total capacity")
FREE = Expression(rf"of which {SIZE} is free|{SIZE} free")
HELD = Expression(rf"{SIZE} reserved in total by PyTorch|{SIZE} is allocated by PyTorch|{SIZE} already allocated")
SPARE = Expression(rf"{SIZE} is reserved by PyTorch but unallocated")
WHOLE = Expression(rf"this process has {SIZE} memory in use")
HOST = Expression(r"DefaultCPUAllocator: .*?you tried to allocate (\d+) bytes")
OVERHEAD = 1.0  # GiB that CUDA itself takes in a process, at most


def with_sums(message: str) -> str:
    """Return `message` with what follows from its figures in brackets behind it, for the patterns to find.

    "[asked for more than the device has: 55.6 of 12.0 GiB]", "[held beyond the device: 22.4 of 8.0 GiB]",
    "[elsewhere: 10.6 of 11.2 GiB; here: 0.5]", "[in pieces: 5.1 GiB]", "[less than is free: 2.0 of 2.8 GiB]" or
    "[that is 21,458.0 GiB]"; nothing where the figures are not all there or say nothing.
    """
    if host := HOST.search(message):
        return f"{message} [that is {int(host[1]) / 2**30:,.1f} GiB]"
    asked, total, free = (_gib(pattern, message) for pattern in (ASKED, TOTAL, FREE))
    held, spare, whole = (_gib(pattern, message) for pattern in (HELD, SPARE, WHOLE))
    if asked is None or total is None:
        return message
    if asked > total:
        return f"{message} [asked for more than the device has: {asked:.1f} of {total:.1f} GiB]"
    if free is None or held is None:
        return message
    if held > 1.05 * total:
        return f"{message} [held beyond the device: {held:.1f} of {total:.1f} GiB]"
    if "is allocated by PyTorch" in message:
        held += spare or 0.0
    here = whole if whole is not None else held
    elsewhere = total - free - here - (0.0 if whole is not None else OVERHEAD)
    if elsewhere > max(1.0, 0.25 * total) and elsewhere > asked:
        return f"{message} [elsewhere: {elsewhere:.1f} of {total:.1f} GiB; here: {here:.1f}]"
    if spare is not None and spare > max(asked, 0.1 * total):  # less is the usual rest
        return f"{message} [in pieces: {spare:.1f} GiB]"
    if asked < 0.9 * free and free > 0.1 * total:
        return f"{message} [less than is free: {asked:.1f} of {free:.1f} GiB]"
    return message


def _gib(pattern: Expression, message: str) -> float | None:
    """Return the first figure that `pattern` finds, in GiB."""
    if not (match := pattern.search(message)):
        return None
    number, unit = [part for part in match.groups() if part]
    return float(number) * UNITS[unit]
