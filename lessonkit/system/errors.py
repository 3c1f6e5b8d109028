"""The error with which every command ends when it cannot do what it was asked for."""


class Refused(Exception):
    """A request that cannot be carried out; the text says what was asked and what exists."""
