"""What an answer may replace and finds undone: the modules and classes of a check, and what these rely on."""

import cmath
import dis
import inspect
import math
import random
import threading
import time

import torch

from course_utils.checks import (
    behaviour,
    bytecode,
    compare,
    fence,
    isolation,
    judge,
    restrictions,
    snapshot,
    time_limit,
    verdict,
)

SEAL = fence.Seal()
SEAL.remember(
    own=(behaviour, bytecode, compare, fence, isolation, judge, restrictions, snapshot, time_limit, verdict),
    others=(
        cmath,
        dis,
        inspect,
        math,
        random,
        time,
        threading,
        torch,
        torch.linalg,
        torch.nn.functional,
        torch.random,
    ),
)
SEAL.remember(
    own=(
        behaviour.Outcome,
        fence.Fence,
        fence.Seal,
        judge.Judge,
        snapshot.Foreign,
        verdict.Note,
        verdict.Verdict,
    ),
    others=(threading.Thread, torch.Tensor, torch.nn.Module),
)
