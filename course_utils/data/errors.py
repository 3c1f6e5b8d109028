"""The error for data that is missing, damaged or out of reach."""

from pathlib import Path


class DataError(Exception):
    """Data that is missing, damaged or out of reach; `reason` is the message without the advice."""

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason or message


def damaged(path: Path | str, found: str, expected: str, advice: str) -> DataError:
    """Return a `DataError` of one sentence: the file, what was found, what was expected, what to do."""
    reason = f"found {found}, expected {expected}"
    return DataError(f"{path} cannot be used: {reason}; the file was left as it is: {advice}.", reason)
