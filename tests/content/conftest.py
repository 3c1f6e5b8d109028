"""What the tests of the course's content share: its exercises, its bank, and the judge of both."""

import pytest
from faults import SOAK

from lessonkit.review.cached_judge import Judging


@pytest.fixture(scope="session")
def judging():
    """Keeps what references and mistakes give, so that each is run once on a seed; with COURSE_SOAK=1 nothing."""
    return Judging(keep=not SOAK)
