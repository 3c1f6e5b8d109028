"""A classroom in this process, for each test that asks for it."""

from classroom_here import classroom, questions  # noqa: F401 - fixtures
