"""Regular expressions that are compiled when first used: most programs import the clinic and ask it nothing."""

import re
from functools import cached_property


class Expression:
    """What `re.compile` would return, with all that this has; compiling it waits for the first use.

    >>> Expression(r"sm_(\\d+)").search("built for sm_90")[1]
    '90'
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern, self.flags = pattern, flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled expression."""
        return re.compile(self.pattern, self.flags)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # asked by copying and pickling, of one that is not made yet
            raise AttributeError(name)
        return getattr(self.compiled, name)
